"""A match over real sockets whose server is killed again and again: what each
turn is charged, measured from outside. Neither side can see the server's clock,
but a position is not released before the move before it was sent, nor after it
has arrived; and a move does not arrive before it was sent, nor after its answer
came. So every charge has two bounds, and each clock must be left with just what
the charge leaves. Nothing between the last move and the next resume may cost
anything, however long the server was down.

Usage: clocks.py BUILD SOURCE [--kills N] [--think SECONDS] [--seed N]"""
import argparse
import asyncio
import random
import signal
import sys
import time

from plyd import Client, Server

SLACK_MS = 3  # of rounding to whole milliseconds, at both ends
BASE_MS = 600000
KINDS = {
    "fischer": {"increment_ms": 700},
    "delay": {"delay_ms": 900},
    "bronstein": {"delay_ms": 900},
}
SIDES = ("white", "black")


def now_ms():
    return time.monotonic() * 1000


def after_move(kind, left, thought):
    """What docs/protocol.md says that is left after a move."""
    if kind == "fischer":
        return left - thought + KINDS[kind]["increment_ms"]
    return left - max(thought - KINDS[kind]["delay_ms"], 0)


class Match:
    def __init__(self, server, kind, options):
        self.server, self.kind, self.options = server, kind, options
        self.random = random.Random(options.seed)
        self.kills = self.turns = self.credited = 0
        self.left = {side: BASE_MS for side in SIDES}

    async def begin(self):
        self.player = {side: Client(self.server.port) for side in SIDES}
        for player in self.player.values():
            await player.connect()
        lobby = await self.player["white"].call(
            "lobby.create", ruleset="english", side="white", ready=True,
            clock=self.kind, base_ms=BASE_MS, **KINDS[self.kind])
        self.earliest = now_ms()
        joined = await self.player["black"].call(
            "lobby.join", lobby=lobby["lobby"], ready=True)
        self.match = joined["match"]
        await self.look()

    async def look(self):
        """The position as whoever is to move sees it, and his echo."""
        self.state = await self.player["black"].call(
            "match.watch", match=self.match)
        if self.state["turn"] == "white":
            self.state = await self.player["white"].call(
                "match.watch", match=self.match)
        self.latest = now_ms()
        await self.echo(self.state["clock"])

    async def echo(self, has_lag):
        self.credit = 0
        if "lag" in has_lag and self.random.random() < 0.7:
            seen = await self.player[self.state["turn"]].call(
                "match.seen", match=self.match, lag=has_lag["lag"])
            self.credit = seen["lag_ms"]

    async def kill(self):
        """Dead, down for a while, and both come back, one after the other."""
        self.server.end(signal.SIGKILL)
        self.kills += 1
        for player in self.player.values():
            await player.drop()
        await asyncio.sleep(self.random.uniform(0, self.options.think))
        self.server.start()
        mover = self.state["turn"]
        for side in sorted(SIDES, key=lambda side: side == mover):
            self.earliest = now_ms()
            await self.player[side].connect()
            await asyncio.sleep(self.random.uniform(0, 0.2))
        await self.look()
        shown = self.state["clock"]
        for side in SIDES:
            ran = now_ms() - self.earliest if side == mover else 0
            if not -SLACK_MS <= self.left[side] - shown[side + "_ms"] \
                    <= ran + SLACK_MS:
                raise AssertionError(f"after a kill {side} has "
                                     f"{shown[side + '_ms']} ms of "
                                     f"{self.left[side]} ms")

    async def moved(self, seq):
        """The event of this move, as the other player gets it; with that of
        the end, which has the clocks, if it was the last one."""
        other = self.player[SIDES[self.state["turn"] == "white"]]
        found = {}
        while "white_ms" not in found:
            name, event = await other.note()
            if name == "match.event" and event["seq"] >= seq:
                found = {**event, **found}
        return found

    async def turn(self):
        side = self.state["turn"]
        player = self.player[side]
        legal = await player.call("rules.moves", ruleset="english",
                                  position=self.state["position"])
        if not legal["moves"]:
            return False
        await asyncio.sleep(self.random.uniform(0, self.options.think))
        if self.random.random() < 0.5:
            await self.kill()
        move = self.random.choice(legal["moves"])["move"]
        sent = now_ms()
        answer = await player.call("match.move", match=self.match,
                                   ply=self.state["ply"], move=move)
        answered = now_ms()
        event = await self.moved(answer["seq"])
        self.judge(side, event, sent, answered)
        if event.get("result"):
            return False
        self.state = {"turn": event["turn"], "position": event["position"],
                      "ply": self.state["ply"] + 1}
        self.earliest, self.latest = sent, now_ms()
        if self.random.random() < 0.3:
            await self.kill()
        else:
            await self.echo(event)
        return True

    def judge(self, side, event, sent, answered):
        thought, lag = event["thought_ms"], event["lag_ms"]
        least, most = sent - self.latest, answered - self.earliest
        if lag != self.credit:
            raise AssertionError(f"{lag} ms of lag where {self.credit} ms "
                                 "were credited")
        if not least - SLACK_MS <= thought + lag <= most + SLACK_MS:
            raise AssertionError(f"charged {thought} + {lag} ms of "
                                 f"{least:.0f} to {most:.0f} ms")
        self.left[side] = after_move(self.kind, self.left[side], thought)
        if event[side + "_ms"] != self.left[side]:
            raise AssertionError(f"{side} has {event[side + '_ms']} ms, not "
                                 f"{self.left[side]} ms")
        self.turns += 1
        self.credited += lag


async def play(server, options):
    kills = turns = 0
    while kills < options.kills:
        kind = list(KINDS)[options.seed % len(KINDS)]
        match = Match(server, kind, options)
        await match.begin()
        while kills + match.kills < options.kills and await match.turn():
            pass
        for player in match.player.values():
            await player.drop()
        kills, turns = kills + match.kills, turns + match.turns
        options.seed += 1
    return f"{turns} turns, {kills} kills"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--think", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with Server(options.build, options.source,
                clocks_resume_grace_ms=600000) as server:
        server.start()
        try:
            print(asyncio.run(play(server, options)))
        except (AssertionError, OSError) as error:
            print(server.text()[-2000:])
            sys.exit(f"failed: {error}")


main()
