"""Bots play many matches while the server is killed again and again.

Every move that was acknowledged is noted outside the server. At the end all
matches have ended, and each noted move stands in the record of its match
exactly once, at its ply.

  torture.py BUILD SOURCE kill      SIGKILL at seeded times
  torture.py BUILD SOURCE powercut  a VFS that loses all unsynced writes
  torture.py BUILD SOURCE careless  the same with durability "none": acknowledged
                                    moves must be lost, else the test is blind
"""
import argparse
import asyncio
import random
import signal
import sys

import msgpack

from plyd import Client, Closed, Refused, Server

RULESETS = ["english", "turkish", "backgammon", "short-backgammon"]
MOVED, ENDED = 24, 28


class Bot:
    """Plays one match to its end, whatever happens to the server."""

    def __init__(self, port, seed, pair, side, think):
        self.client = Client(port)
        self.random = random.Random(seed)
        self.pair, self.side, self.think = pair, side, think
        self.match = None
        self.planned = None  # (ply, move) that may not have been answered
        self.acknowledged = []

    async def play(self):
        delay = 0.01
        while True:
            try:
                await self.client.connect()
                delay = 0.01
                await self.meet()
                await self.follow()
                return
            except (Closed, asyncio.TimeoutError):
                await asyncio.sleep(delay)
                delay = min(delay * 2, 0.5)
            except Refused as refused:
                if refused.name == "no_such_match":
                    return  # over, and in its record: judge() looks there
                if refused.name == "bad_token":  # the hello was never stored
                    self.client.token = None
                elif refused.name not in ("not_stored", "no_such_lobby",
                                          "already_in_lobby", "stale_ply",
                                          "game_over"):
                    raise
                await asyncio.sleep(delay)
            finally:
                await self.client.drop()

    async def meet(self):
        """Until this bot has its match: one opens a lobby, the other joins."""
        if self.client.welcome["matches"]:
            self.match = self.client.welcome["matches"][0]
        elif not self.match and not self.client.welcome["lobbies"]:
            await self.enter()
        elif not self.match and self.side == 0:  # the answer may be lost
            lobby = await self.client.call(
                "lobby.get", lobby=self.client.welcome["lobbies"][0])
            self.pair["code"] = lobby["code"]
        while not self.match:
            try:
                method, params = await self.client.note(5)
                if method == "match.started":
                    self.match = params["match"]
            except asyncio.TimeoutError:
                raise Closed("nobody came; look again") from None
        self.pair["match"] = self.match

    async def enter(self):
        if self.side == 0:
            lobby = await self.client.call(
                "lobby.create", ruleset=self.pair["ruleset"], private=True,
                ready=True)
            self.pair["code"] = lobby["code"]
        else:
            while not self.pair.get("code"):
                await asyncio.sleep(0.05)
            await self.client.call("lobby.join", code=self.pair["code"],
                                   ready=True)

    async def follow(self):
        match = await self.client.call("match.watch", match=self.match)
        while match["state"] != "over":
            if match["state"] == "nonces":
                try:
                    await self.client.call(
                        "match.nonce", match=self.match,
                        nonce=self.random.randbytes(8).hex())
                except Refused as refused:
                    if refused.name != "nonce_not_wanted":
                        raise
            if match["turn"] and match["turn"] == match["you"]:
                await self.move(match)
            else:
                await self.client.note()
            match = await self.client.call("match.get", match=self.match)

    async def move(self, match):
        if not self.planned or self.planned[0] != match["ply"]:
            self.planned = (match["ply"],
                            self.random.choice(match["legal_moves"]))
            await asyncio.sleep(self.random.random() * self.think)
        ply, move = self.planned
        answer = await self.client.call("match.move", match=self.match,
                                        ply=ply, move=move)
        self.acknowledged.append((self.match, answer["ply"], answer["move"]))


async def disturb(server, kills, seed, number, environment, done):
    """Ends and restarts the server at seeded times."""
    rng = random.Random(seed)
    for kill in range(kills):
        await asyncio.sleep(0.2 + rng.random() * 0.8)
        if done.is_set():
            return kill
        await asyncio.to_thread(server.end, number)
        await asyncio.to_thread(lambda: server.start(**environment))
    return kills


async def record(port, match):
    client = Client(port)
    await client.connect()
    try:
        answer = await client.call("record.get", match=match)
        return [msgpack.unpackb(bytes.fromhex(f)) for f in answer["facts"]]
    except Refused:
        return None
    finally:
        await client.drop()


def judge_match(match, bots, facts):
    """What is wrong with one match (lost, doubled or misplaced moves), how many
    moves it has, and how many of them were acknowledged to these bots."""
    if not facts or facts[-1][0] != ENDED:
        return [f"{match} has no whole record"], 0, 0
    problems, moves, acknowledged = [], {}, set()
    for fact in facts:
        if fact[0] == MOVED:
            problems += ([f"{match} ply {fact[2]} twice"]
                         if fact[2] in moves else [])
            moves[fact[2]] = fact[4]
    for bot in bots:
        for of, ply, move in bot.acknowledged:
            if of != match:
                continue
            acknowledged.add(ply)
            if moves.get(ply) != move:
                problems.append(f"{match} ply {ply} {move} was acknowledged, "
                                f"the record has {moves.get(ply)}")
    return problems, len(moves), len(acknowledged)


def judge(bots, pairs, records):
    """Returns what is wrong."""
    problems, moves, acknowledged = [], 0, 0
    for pair in pairs:
        match = pair["match"]
        found, played, known = judge_match(match, bots, records.get(match))
        problems += found
        moves += played
        acknowledged += known
    print(f"{len(pairs)} matches, {moves} moves, {acknowledged} "
          f"acknowledged, {len(problems)} problems")
    return problems


async def run(server, options, number, environment):
    pairs = [{"ruleset": RULESETS[i % len(RULESETS)], "match": None}
             for i in range(options.matches)]
    bots = [Bot(server.port, options.seed * 100003 + 2 * i + side, pairs[i],
                side, options.think)
            for i in range(options.matches) for side in range(2)]
    done = asyncio.Event()
    killer = asyncio.create_task(disturb(server, options.kills, options.seed,
                                         number, environment, done))
    playing = asyncio.gather(*(bot.play() for bot in bots))
    try:
        await asyncio.wait_for(playing, options.limit)
    finally:
        done.set()
    kills = await killer
    print(f"{kills} times ended and restarted")
    records = {p["match"]: await record(server.port, p["match"])
               for p in pairs}
    return kills, judge(bots, pairs, records)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("mode", choices=["kill", "powercut", "careless"])
    parser.add_argument("--matches", type=int, default=100)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--think", type=float, default=0.5)
    parser.add_argument("--limit", type=float, default=400)
    options = parser.parse_args()
    durability = "none" if options.mode == "careless" else "full"
    server = Server(options.build, options.source,
                    data_durability=durability,
                    limits_connections_per_address=1000,
                    limits_lobby_away_ms=600000,
                    clocks_nonce_wait_ms=500)
    number, environment = signal.SIGKILL, {}
    if options.mode != "kill":
        server.arguments = ["--store-vfs", "powercut"]
        number, environment = signal.SIGUSR2, {"POWERCUT": "sigusr2"}
    with server:
        server.start(**environment)
        try:
            kills, problems = asyncio.run(
                run(server, options, number, environment))
        except (asyncio.TimeoutError, Refused) as error:
            kills, problems = options.kills, [f"matches did not end: {error!r}"]
        if server.process.poll() is None and server.end() != 0:
            problems.append("plyd did not end well")
        if problems and options.mode != "careless":
            print(server.text()[-4000:])
    for problem in problems[:20]:
        print(problem)
    if kills < options.kills and options.mode != "careless":
        sys.exit("the matches ended before all the kills: give more matches")
    if (options.mode == "careless") != bool(problems):
        sys.exit("failed" if problems else "nothing was lost: a blind test")


if __name__ == "__main__":
    main()
