"""Scripts that are read again and again while many matches are played.

  reloads.py BUILD SOURCE [--matches N] [--reloads N] [--at-once N]

Reading number i makes a personality that resigns in its turn number
2 + i % 9 and a policy that draws after 12 half-moves with the words i. So the
end of a match says which versions it was played with: those that its record
says that it began with. No match is disturbed: nobody falls back, nothing is
refused, and `ply verify` finds every record good."""
import argparse
import asyncio
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import msgpack

from plyd import Client, Refused, Server, until

PERSONALITY = """-- reading %(i)d
return { name = "own", about = "resigns", choose = function(turn)
  local memory = turn.memory
  memory.turns = (memory.turns or 0) + 1
  if memory.turns == %(turns)d then return { resign = true } end
  return { move = turn.moves[random(#turn.moves)].move }
end }
"""
POLICY = """return { name = "own", no_progress = 80, repetition = 3,
verdict = function(turn)
  if turn.ply >= 12 then return { verdict = "draw", reason = "%(i)d" } end
end }
"""
RULESET = """return { name = "own", base = "english", policy = "own",
about = "own", clock = { base_ms = 600000, increment_ms = 0 } }
"""
BEGUN = 20  # type of the first fact, and where its versions lie
VERSIONS = slice(38, 42)


class Scripts:
    """A folder of scripts, of which reading number i is written and read."""

    def __init__(self, server, build):
        self.server = server
        self.ply = pathlib.Path(build).resolve() / "bin" / "ply"
        self.folder = pathlib.Path(server.folder.name) / "etc"
        shutil.copytree(server.source / "scripts", self.folder,
                        ignore=shutil.ignore_patterns("dev"))
        server.config = self.folder / "plyd.lua"
        (self.folder / "rulesets" / "own.lua").write_text(RULESET)
        self.reading = {}  # (kind, version): its number
        self.count = 0
        self.write()

    def write(self):
        numbers = {"i": self.count, "turns": 2 + self.count % 9}
        for kind, text in (("personalities", PERSONALITY),
                           ("policies", POLICY)):
            (self.folder / kind / "own.lua").write_text(text % numbers)

    def admin(self, *words):
        done = subprocess.run(
            [self.ply, "admin", "--json", "--socket",
             self.server.data / "admin.sock", *words], check=True,
            capture_output=True, text=True, timeout=120)
        return json.loads(done.stdout)

    async def note_versions(self):
        client = Client(self.server.port)
        await client.connect()
        offer = await client.call("rules.list")
        await client.drop()
        rules = next(r for r in offer["rulesets"] if r["name"] == "own")
        person = next(p for p in offer["personalities"]
                      if p["name"] == "own")
        self.reading["policy", rules["policy_version"]] = self.count
        self.reading["personality", person["version"]] = self.count

    async def reload(self):
        """Writes the next reading and lets plyd read it, by the console or by a
        signal; sometimes with a file that is wrong beside it."""
        self.count += 1
        self.write()
        wrong = self.folder / "personalities" / "wrong.lua"
        if self.count % 5 == 0:
            wrong.write_text("return {\n = }")
        said = "scripts were read again"
        if self.count % 7 == 0:
            before = self.server.text().count(said)
            self.server.process.send_signal(signal.SIGHUP)
            await until(lambda: self.server.text().count(said) > before)
        else:
            told = await asyncio.to_thread(self.admin, "reload")
            assert len(told["changed"]) in (2, 3), told
            assert len(told["problems"]) == (self.count % 5 == 0), told
        wrong.unlink(missing_ok=True)
        await self.note_versions()


class Match:
    def __init__(self, port, seed):
        self.client = Client(port)
        self.random = random.Random(seed)
        self.slowest = 0

    async def play(self):
        call = self.client.call
        await self.client.connect()
        await call("lobby.create", ruleset="own", opponent="personality",
                   personality="own", ready=True)
        method, params = None, None
        while method != "match.started":
            method, params = await self.client.note()
        self.id = params["match"]
        self.began = (await call("match.get", match=self.id))["scripts"]
        while True:
            look = await self.turn()
            if look["state"] == "over":
                break
            try:
                await call("match.move", match=self.id, ply=look["ply"],
                           move=self.random.choice(look["legal_moves"]))
            except Refused as error:  # the policy spoke before the move
                if error.name != "game_over":
                    raise
        self.end = look
        self.record = await call("record.get", match=self.id)
        await self.client.drop()

    async def turn(self):
        began = time.monotonic()
        while True:
            look = await self.client.call("match.get", match=self.id)
            if look["state"] == "over" or "legal_moves" in look:
                self.slowest = max(self.slowest, time.monotonic() - began)
                return look
            await self.client.note()

    def check(self, scripts):
        """It ended as the versions say that it began with; so does its
        record."""
        end = self.end
        assert end["scripts"] == self.began, (end["scripts"], self.began)
        person = scripts.reading["personality", self.began["white"]]
        policy = scripts.reading["policy", self.began["policy_version"]]
        resigns = 2 + person % 9
        reason = end["result"]["reason"]
        if reason == "resigned":
            assert end["ply"] == 2 * resigns - 1, (end["ply"], resigns)
        else:
            # a busy machine may drop a verdict; the next one is the same
            assert reason == "policy" and end["ply"] >= 12, end["result"]
            assert end["result"]["text"] == str(policy), end["result"]
            assert resigns > 6, resigns
        begun = msgpack.unpackb(bytes.fromhex(self.record["facts"][0]))
        assert begun[0] == BEGUN
        assert begun[VERSIONS] == [self.began["ruleset"],
                              self.began["policy_version"],
                              self.began["white"], ""], begun[VERSIONS]
        return reason, person, policy


async def play_all(server, scripts, options):
    matches, waiting = [], list(range(options.matches))
    done = asyncio.Semaphore(0)

    async def player():
        while waiting:
            match = Match(server.port, waiting.pop())
            await match.play()
            matches.append(match)
            done.release()

    async def reader():
        for reload in range(options.reloads):
            await scripts.reload()
            enough = options.matches * (reload + 1) // (options.reloads + 1)
            while len(matches) < enough:
                await done.acquire()
    await scripts.note_versions()
    await asyncio.gather(reader(), *(player()
                                     for _ in range(options.at_once)))
    return matches


def verify(scripts, matches, folder):
    """All records at once, by `ply verify`."""
    folder.mkdir()
    for match in matches:
        (folder / f"{match.id}.record").write_bytes(
            msgpack.packb(match.record))
    done = subprocess.run([scripts.ply, "verify", "--json", folder],
                          capture_output=True, text=True, timeout=600)
    shown = {line["match"]: line for line in
             map(json.loads, done.stdout.splitlines()) if "match" in line}
    assert done.returncode == 0 and len(shown) == len(matches), done
    for match in matches:
        known = {key: value for key, value in
                 shown[match.id]["scripts"].items() if value}
        assert known == match.began, (known, match.began)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--matches", type=int, default=60)
    parser.add_argument("--reloads", type=int, default=8)
    parser.add_argument("--at-once", type=int, default=12)
    options = parser.parse_args()
    with Server(options.build, options.source, workers_count=2,
                limits_requests_burst=1000,
                limits_connections_per_address=1000,
                workers_verdict_deadline_ms=1000) as server:
        scripts = Scripts(server, options.build)
        server.start()
        began = time.monotonic()
        matches = asyncio.run(play_all(server, scripts, options))
        took = time.monotonic() - began
        ends = [match.check(scripts) for match in matches]
        verify(scripts, matches, pathlib.Path(server.folder.name) / "records")
        status = server.end()
        text = server.text()
        for words in ("plyd chose the move", "gave no verdict", "quarantine",
                      "worker died", "nonsense"):
            assert words not in text, f"the log says '{words}'"
        assert status == 0, status
        versions = len({(person, policy) for _, person, policy in ends})
        print(f"{len(matches)} matches with {versions} versions, of which "
              f"{sum(e[0] == 'policy' for e in ends)} ended by the policy; "
              f"{scripts.count} readings in {took:.1f} s; the slowest answer "
              f"took {max(m.slowest for m in matches):.2f} s; none was "
              f"disturbed")
        assert len(matches) == options.matches
        # on a slow machine many begin between two readings
        assert versions > 1, versions


if __name__ == "__main__":
    sys.exit(main())
