"""Games of every personality at every ruleset through a real server, against
players who move at random: no personality plays an illegal move, fails, leaves
its move to plyd, or oversteps its clock.

  personalities.py BUILD SOURCE [--games N] [--at-once N] [--plies N] [--seed N]

Without --games each plays each ruleset once. After --plies half-moves the player
resigns; without it the games go on to their ends. The last line is the sum; what
is wrong stands before it."""
import argparse
import asyncio
import collections
import itertools
import random
import secrets
import sys
import time

from plyd import Client, Refused, Server

# A worker that the machine gave no time: no fault of its personality.
EXCUSED = "the machine gave it no time"
FAULTS = ("plyd chose the move instead of a personality",
          "a personality's script failed", "a script worker")
# The player takes no time, so that a flag is the personality's.
BAD_ENDS = ("flag", "claimed", "aborted", "operator", "no_show")
# What a policy or the clock has done since the match was looked at.
MEANWHILE = ("game_over", "nonce_not_wanted")
CUBE = {"roll": "match.roll", "answer": "match.take"}


async def act(client, look, chance):
    """Whatever the match waits for."""
    match = {"match": look["match"]}
    if look["state"] == "nonces":
        await client.call("match.nonce", nonce=secrets.token_hex(16), **match)
    elif look["awaits"] in CUBE:
        await client.call(CUBE[look["awaits"]], ply=look["ply"], **match)
    elif look.get("legal_moves"):
        await client.call("match.move", ply=look["ply"], **match,
                          move=chance.choice(look["legal_moves"]))


def is_ours(look):
    return look["state"] == "nonces" or (
        look.get("turn") == look["you"] and look.get("awaits"))


async def play(client, plies, chance, **lobby):
    """One game; the match as it ended."""
    await client.call("lobby.create", opponent="personality", ready=True,
                      clock="fischer", base_ms=60000, increment_ms=1000,
                      **lobby)
    method, params = None, None
    while method != "match.started":
        method, params = await client.note()
    look, nonce = {"state": "begins"}, False
    while look["state"] != "over":
        look = await client.call("match.get", match=params["match"])
        if look["state"] == "over":
            break
        ours = is_ours(look) and not (nonce and look["state"] == "nonces")
        nonce = look["state"] == "nonces"
        try:
            if ours and plies and look["ply"] >= plies:
                await client.call("match.resign", match=look["match"],
                                  whole=True)
            elif ours:
                await act(client, look, chance)
            else:
                await client.note()
        except Refused as refused:
            if refused.name not in MEANWHILE:
                raise
    return look


class Games:
    def __init__(self, pairs, options):
        self.left = list(pairs)
        self.total, self.options = len(self.left), options
        self.ends = collections.Counter()
        self.wrong = []

    async def player(self, port, number):
        chance = random.Random(f"{self.options.seed} {number}")
        client = Client(port)
        await client.connect()
        while self.left:
            ruleset, personality, side = self.left.pop()
            look = await play(client, self.options.plies, chance, side=side,
                              ruleset=ruleset, personality=personality)
            self.judge(look, ruleset, personality)
        await client.drop()

    def judge(self, look, ruleset, personality):
        result = look["result"]
        self.ends[result["reason"]] += 1
        if result["reason"] in BAD_ENDS:
            self.wrong.append(f"{personality} at {ruleset}: {look['match']} "
                              f"ended by {result['reason']}, "
                              f"{result['result']} won")

    async def tell(self):
        while sys.stderr.isatty():
            done = sum(self.ends.values())
            print(f"\r{done} of {self.total} games", end="", file=sys.stderr)
            await asyncio.sleep(1)

    async def run(self, port):
        progress = asyncio.create_task(self.tell())
        await asyncio.gather(*(self.player(port, i)
                               for i in range(self.options.at_once)))
        progress.cancel()


async def names(port):
    client = Client(port)
    await client.connect()
    lists = await client.call("rules.list")
    await client.drop()
    return ([r["name"] for r in lists["rulesets"]],
            [p["name"] for p in lists["personalities"]])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--games", type=int)
    parser.add_argument("--at-once", type=int, default=48)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    began = time.monotonic()
    with Server(options.build, options.source, log_level="warning",
                limits_connections_per_address=1000) as server:
        server.start()
        rulesets, personalities = asyncio.run(names(server.port))
        every = [(r, p, side) for side in ("white", "black")
                 for r in rulesets for p in personalities]
        random.Random(options.seed).shuffle(every)
        games = Games(itertools.islice(itertools.cycle(every),
                                       options.games or len(every) // 2),
                      options)
        asyncio.run(games.run(server.port))
        status = server.end()
        said = [line for line in server.text().splitlines()
                if any(fault in line for fault in FAULTS)]
    wrong = games.wrong + [line for line in said if EXCUSED not in line]
    print(*wrong, sep="\n")
    print(f"{sum(games.ends.values())} games of {len(personalities)} "
          f"personalities at {len(rulesets)} rulesets in "
          f"{time.monotonic() - began:.0f} s: {len(wrong)} wrong, "
          f"{len(said)} moves by plyd; " +
          ", ".join(f"{n} {reason}" for reason, n in
                    games.ends.most_common()))
    sys.exit(bool(wrong) or status != 0 or
             sum(games.ends.values()) != games.total)


if __name__ == "__main__":
    main()
