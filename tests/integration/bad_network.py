"""Two clients a match, each with a network that cuts, delays and repeats.

  bad_network.py BUILD SOURCE [--matches N] [--at-once N] [--seed N]

A request may be sent twice at once, its answer may never be read, the
connection may be cut before or after it, stay silent for a while, or be
replaced by a second one; then the same request is asked again, as a player's
program would. From both seats' logs and the record of each match: what was
acknowledged is there, once, where the answer said; what was not, is there at
most once; both heard the same events without a hole; both see the same end."""
import argparse
import asyncio
import random
import sys

import msgpack

from plyd import Client, Closed, Refused, Server

RULESETS = ["english", "turkish", "backgammon", "short-backgammon",
            "turkish-classic"]
MOVED, OFFERED, DECLINED, ENDED = 24, 26, 27, 28
RESIGN_AFTER = 30  # half-moves; then somebody gives up some day
# in 1000 requests
CUT_AFTER, CUT_BEFORE, TWICE, SILENT, REPLACED = 40, 15, 60, 20, 15
CUT_HELLO = 200


class Ears(Client):
    """Hears the events of one match, and finds holes."""

    def __init__(self, port):
        super().__init__(port)
        self.seq = None  # of the last event, or of the snapshot before it
        self.events = {}
        self.problems = []
        self.stir = asyncio.Event()
        self.match = None
        self.snapshots = set()  # ids of requests for one

    async def call(self, method, **params):
        if method == "match.get" and self.writer:
            self.snapshots.add(self.msgid + 1)
        else:
            self.snapshots.discard(self.msgid + 1)
        return await super().call(method, **params)

    def on_message(self, message):
        if message[0] == 1 and message[1] in self.snapshots:
            if message[3]:
                self.on_snapshot(message[3])
        elif message[0] == 2 and message[1] == "match.event":
            self.on_event(message[2][0])
        elif message[0] == 2 and message[1] == "match.started":
            self.match = message[2][0]["match"]
            self.seq = message[2][0]["seq"]
        super().on_message(message)
        self.stir.set()

    def on_snapshot(self, view):
        if self.seq is not None and self.seq != view["seq"]:
            self.problems.append(f"a snapshot of {view['seq']} comes after "
                                 f"event {self.seq}")
        self.seq = view["seq"]

    def on_event(self, event):
        seq = event["seq"]
        if self.seq is not None and seq != self.seq + 1:
            self.problems.append(f"event {seq} comes after {self.seq}")
        self.seq = seq
        if self.events.setdefault(seq, event) != event:
            self.problems.append(f"event {seq} is {event}, was "
                                 f"{self.events[seq]}")


class Player:
    def __init__(self, port, seed, pair, side):
        self.port, self.pair, self.side = port, pair, side
        self.random = random.Random(seed)
        self.ears = Ears(port)
        self.token = asyncio.Lock()  # one at a time uses and renews it
        self.log = []  # (method, params, answer) of what was acknowledged
        self.replacing = set()
        self.cuts = self.repeats = 0
        self.view = None

    def chance(self, of):
        return self.random.randrange(1000) < of

    # -- the network --

    async def online(self):
        """Connects, resumes, and looks at the match anew."""
        while True:
            try:
                if not self.ears.writer or self.ears.writer.is_closing():
                    self.ears.seq = None  # until it is looked at
                    async with self.token:
                        welcome = await self.hello()
                    self.ears.match = (welcome["matches"] or [
                        self.ears.match])[0]
                    if self.ears.match:
                        await self.look()
                return
            except (Closed, asyncio.TimeoutError):
                await asyncio.sleep(0.01)

    async def hello(self):
        """Connects; the answer, with its new token, may be lost."""
        connecting = asyncio.create_task(self.ears.connect())
        if self.chance(CUT_HELLO):
            await asyncio.sleep(self.random.choice((0, 0.001, 0.003)))
            await self.cut()
        return await connecting

    async def look(self):
        self.view = await self.ears.call("match.get", match=self.ears.match)
        return self.view

    async def once(self, method, params):
        """One attempt; Closed: nobody knows whether it came to anything."""
        if self.chance(CUT_BEFORE):
            await self.cut()
            raise Closed("cut before")
        if self.chance(REPLACED):
            task = asyncio.create_task(self.replace())
            self.replacing.add(task)
            task.add_done_callback(self.replacing.discard)
        call = asyncio.create_task(self.ears.call(method, **params))
        call.add_done_callback(asyncio.Task.exception)  # it may be given up
        if self.chance(TWICE):
            self.repeats += 1
            again = asyncio.create_task(self.ears.call(method, **params))
            await asyncio.gather(call, again, return_exceptions=True)
        elif self.chance(SILENT):
            transport = self.ears.writer and self.ears.writer.transport
            if transport and not transport.is_closing():
                transport.pause_reading()
                await asyncio.sleep(self.random.random() * 0.3)
            if transport and not transport.is_closing():
                transport.resume_reading()
        elif self.chance(CUT_AFTER):
            await asyncio.sleep(self.random.choice((0, 0, 0.001, 0.01)))
            await self.cut()
            await asyncio.gather(call, return_exceptions=True)
            raise Closed("cut after")
        return await call

    async def cut(self):
        self.cuts += 1
        await self.ears.drop()

    async def replace(self):
        """A second connection takes the session while the first is open."""
        async with self.token:
            other = Ears(self.port)
            other.token = self.ears.token
            try:
                await other.connect()
                self.cuts += 1
                self.ears.token = other.token
            except (Closed, asyncio.TimeoutError):
                pass
        await other.drop()

    async def ask(self, method, **params):
        """Asks until there is an answer; a refusal is one."""
        tries = 0
        while True:
            tries += 1
            await self.online()
            try:
                answer = await self.once(method, params)
                self.log.append((method, params, answer))
                return answer
            except (Closed, asyncio.TimeoutError):
                continue
            except Refused as refused:
                if refused.name == "rate_limited":
                    await asyncio.sleep(refused.details["retry_after_ms"]
                                        / 1000)
                    continue
                if method == "match.move" and refused.name == "stale_ply":
                    self.ears.problems.append(
                        f"{params} was asked {tries} times: stale_ply")
                return refused

    # -- the game --

    async def play(self):
        while not self.ears.match:
            await self.meet()
        self.pair["match"] = self.ears.match
        while True:
            await self.online()
            try:
                view = await self.look()
            except (Closed, asyncio.TimeoutError):
                continue
            if view["state"] == "over":
                break
            self.ears.stir.clear()
            if view["state"] == "nonces":
                await self.ask("match.nonce", match=self.ears.match,
                               nonce=self.random.randbytes(8).hex())
            if not await self.act(view):
                try:
                    await asyncio.wait_for(self.ears.stir.wait(), 2)
                except asyncio.TimeoutError:
                    pass
        await self.ears.drop()

    async def meet(self):
        await self.online()
        if self.side == 0:
            lobby = await self.ask("lobby.create", private=True, ready=True,
                                   ruleset=self.pair["ruleset"], key="one")
            if isinstance(lobby, dict):
                self.pair["code"] = lobby["code"]
        elif self.pair.get("code"):
            await self.ask("lobby.join", code=self.pair["code"], ready=True)
        try:
            await asyncio.wait_for(self.ears.stir.wait(), 0.2)
        except asyncio.TimeoutError:
            pass
        self.ears.stir.clear()

    async def act(self, view):
        match = self.ears.match
        offer = view.get("draw_offer")
        if offer and offer != view["you"] and self.chance(500):
            await self.ask(self.random.choice(("match.accept_draw",
                                               "match.decline_draw",
                                               "match.decline_draw")),
                           match=match, ply=view["ply"])
            return True
        if view["ply"] > RESIGN_AFTER and self.chance(20):
            await self.ask("match.resign", match=match)
            return True
        if self.chance(15):
            await self.ask("match.offer_draw", match=match)
        if not view["turn"] or view["turn"] != view["you"]:
            return False
        await self.ask("match.move", match=match, ply=view["ply"],
                       move=self.random.choice(view["legal_moves"]))
        return True


# ---- judging ---------------------------------------------------------------

def without_seat(view):
    return {key: value for key, value in view.items()
            if key not in ("you", "legal_moves", "presence", "here")}


def judge_answers(player, facts):
    """What was acknowledged is where the answer said."""
    problems = []
    for method, params, answer in player.log:
        if method == "match.move":
            found = [f for f in facts if f[0] == MOVED
                     and f[2] == params["ply"]]
            if len(found) != 1 or found[0][4] != answer["move"]:
                problems.append(f"{params} was acknowledged as {answer}, the "
                                f"record has {found}")
        wanted = {"match.offer_draw": (OFFERED, ENDED),
                  "match.decline_draw": (DECLINED,),
                  "match.accept_draw": (ENDED,),
                  "match.resign": (ENDED,)}.get(method)
        if wanted and facts[answer["seq"] - 1][0] not in wanted:
            problems.append(f"{method} was answered seq {answer['seq']}: "
                            f"there is {facts[answer['seq'] - 1]}")
    return problems


def judge_pair(pair, facts):
    one, two = pair["players"]
    problems = one.ears.problems + two.ears.problems
    plies = [f[2] for f in facts if f[0] == MOVED]
    if plies != sorted(set(plies)):
        problems.append("a half-move stands in the record twice")
    if [f[0] for f in facts].count(ENDED) != 1 or facts[-1][0] != ENDED:
        problems.append("the match did not end once, at its end")
    if without_seat(one.view) != without_seat(two.view):
        problems.append(f"final views differ: {one.view} {two.view}")
    for seq in one.ears.events.keys() & two.ears.events.keys():
        if one.ears.events[seq] != two.ears.events[seq]:
            problems.append(f"event {seq} was told in two ways")
    for player in pair["players"]:
        problems += judge_answers(player, facts)
    return [f"{pair['match']}: {problem}" for problem in problems]


async def records(port, pairs):
    client = Client(port)
    await client.connect()
    for pair in pairs:
        while True:
            try:
                record = await client.call("record.get", match=pair["match"])
                break
            except Refused as refused:
                if refused.name != "rate_limited":
                    raise
                await asyncio.sleep(0.1)
        pair["facts"] = [msgpack.unpackb(bytes.fromhex(f))
                         for f in record["facts"]]
    await client.drop()


async def play_all(port, options):
    pairs = [{"ruleset": RULESETS[i % len(RULESETS)], "code": None}
             for i in range(options.matches)]
    gate = asyncio.Semaphore(options.at_once)
    ended = 0

    async def one(i, pair):
        nonlocal ended
        async with gate:
            pair["players"] = [Player(port, options.seed * 1000003 + 2 * i + s,
                                      pair, s) for s in range(2)]
            await asyncio.gather(*(p.play() for p in pair["players"]))
            ended += 1
            if sys.stdout.isatty():
                print(f"\r{ended} of {options.matches}", end="", flush=True)

    await asyncio.wait_for(
        asyncio.gather(*(one(i, pair) for i, pair in enumerate(pairs))),
        options.limit)
    await records(port, pairs)
    return pairs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--at-once", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=500)
    options = parser.parse_args()
    with Server(options.build, options.source, clocks_nonce_wait_ms=300,
                clocks_resume_grace_ms=1000, limits_players=200000,
                limits_requests_burst=1000000,
                limits_connections_per_address=10000,
                limits_lobby_away_ms=600000) as server:
        server.start()
        try:
            pairs = asyncio.run(play_all(server.port, options))
            problems = [p for pair in pairs
                        for p in judge_pair(pair, pair["facts"])]
        except (asyncio.TimeoutError, Refused) as error:
            pairs, problems = [], [f"the matches did not end: {error!r}"]
        if server.end() != 0:
            problems.append("plyd did not end well")
        if problems:
            print(server.text()[-3000:])
    players = [player for pair in pairs for player in pair["players"]]
    print(f"{len(pairs)} matches, "
          f"{sum(len(pair['facts']) for pair in pairs)} facts, "
          f"{sum(len(p.log) for p in players)} requests acknowledged, "
          f"{sum(p.cuts for p in players)} cuts, "
          f"{sum(p.repeats for p in players)} sent twice, "
          f"{len(problems)} problems")
    for problem in problems[:20]:
        print(problem)
    if problems:
        sys.exit("failed")


if __name__ == "__main__":
    main()
