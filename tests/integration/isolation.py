"""Every case of tests/unit/script/sandbox.jsonl as a personality, on a plyd with
the worker as it is shipped.

  isolation.py BUILD SOURCE [CASE ...]

A case that cannot be read is refused with its words. Each other one is asked for
one move, beside good matches: plyd moves in its place, or it moves itself; the
log has the outcome that the case says; and no good match ever waits longer than
one deadline, and then for the machine. At the end the case is still on offer, and plyd ends well."""
import asyncio
import json
import pathlib
import re
import shutil
import sys
import time

from plyd import MACHINE_S, Client, Server

DEADLINE_MS = 500
AT_ONCE = 40  # a server takes 64 personalities, those that are shipped included
GOOD = """return { name = "good", about = "good",
choose = function(turn) return turn.moves[1].move end }
"""
KILLED = "why=late"
OUTCOMES = {"killed": KILLED, "steps": "a personality's script failed",
            "memory": "a personality's script failed",
            "script": "a personality's script failed", "value": None}


def cases(source, only):
    path = source / "tests" / "unit" / "script" / "sandbox.jsonl"
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [row for row in rows if not only or row["id"] in only]


def name_of(row):
    return "x-" + re.sub(r"[^a-z0-9-]", "-", row["id"].lower())


def text_of(row):
    """The line of the case stays the first one of its function's body."""
    if "file" in row:
        return row["file"]
    return (f"return {{ name = '{name_of(row)}', about = 'a case', "
            f"choose = function(turn) {row['lua']}\nend }}\n")


class Game:
    def __init__(self, port, opponent):
        self.client, self.opponent = Client(port), opponent

    async def begin(self):
        await self.client.connect()
        await self.client.call(
            "lobby.create", ruleset="english", opponent="personality",
            personality=self.opponent, ready=True, base_ms=600000,
            increment_ms=0)
        method, params = None, None
        while method != "match.started":
            method, params = await self.client.note()
        self.match = params["match"]

    async def turn(self):
        """Waits for the own turn or the end: the match, and how long."""
        began = time.monotonic()
        while True:
            look = await self.client.call("match.get", match=self.match)
            if look["state"] == "over" or "legal_moves" in look:
                return look, time.monotonic() - began
            await self.client.note()

    async def move(self):
        """One move; the match after the answer, and how long that took."""
        look, _ = await self.turn()
        if look["state"] == "over":
            return look, 0
        await self.client.call("match.move", match=self.match,
                               ply=look["ply"], move=look["legal_moves"][0])
        return await self.turn()


def may_be_killed(row):
    """What it may use takes longer than this deadline, on some machines."""
    return row["outcome"] in ("steps", "memory") or row["id"] == "host-nodes"


async def good_ones(port, count, stop):
    waits = []

    async def one():
        while not stop.is_set():
            game = Game(port, "good")
            await game.begin()
            look = {"state": "playing"}
            while look["state"] != "over" and not stop.is_set():
                look, wait = await game.move()
                waits.append(wait)
            await game.client.drop()
    await asyncio.gather(*(one() for _ in range(count)))
    return waits


async def ask_all(server, rows):
    """What is wrong, by case; and how long good moves and bad ones took."""
    wrong, bad = {}, []
    stop = asyncio.Event()
    good = asyncio.create_task(good_ones(server.port, 2, stop))
    for row in rows:
        game = Game(server.port, name_of(row))
        await game.begin()
        before = len(server.text())
        look, wait = await game.move()
        bad.append(wait)
        await game.client.drop()
        said = [line for line in server.text()[before:].splitlines()
                if game.match in line or "worker did not answer" in line]
        wanted = OUTCOMES[row["outcome"]]
        if wanted is None:
            if any("plyd chose" in line for line in said):
                wrong[row["id"]] = f"plyd chose its move: {said}"
        elif not any(word in line for line in said for word in
                     (wanted, may_be_killed(row) and KILLED) if word):
            wrong[row["id"]] = f"'{wanted}' is not in the log: {said}"
        elif look["ply"] != 2 or look["state"] != "playing":
            wrong[row["id"]] = f"{look['state']} after {look['ply']}"
        if wait > DEADLINE_MS / 1000 + MACHINE_S:
            wrong[row["id"]] = f"its move took {wait:.2f} s"
    stop.set()
    return wrong, bad, await good


def refused(server, folder, rows):
    """Files that are wrong when they are read: each is named."""
    wrong = {}
    for row in rows:
        (folder / "personalities" / f"{name_of(row)}.lua").write_bytes(
            text_of(row).encode("latin-1"))
    before = len(server.text())
    server.process.send_signal(1)  # SIGHUP
    while "scripts were read again" not in server.text()[before:]:
        time.sleep(0.02)
    said = server.text()[before:].splitlines()
    for row in rows:
        file = f"{name_of(row)}.lua"
        line = next((line for line in said if file in line and
                     "a file is wrong" in line), "")
        if not line or row.get("text", "") not in line.replace('\\"', '"'):
            wrong[row["id"]] = f"'{row.get('text')}' is not in: {line}"
        (folder / "personalities" / file).unlink()
    return wrong


def main():
    build, source, *only = sys.argv[1:]
    build, source = pathlib.Path(build).resolve(), pathlib.Path(source)
    rows = cases(source.resolve(), only)
    files = [row for row in rows if "file" in row]
    asked = [row for row in rows if "file" not in row]
    with Server(build, source, workers_count=1, log_like_lines=100000,
                workers_program=build / "bin" / "plyd-script-release",
                workers_choose_deadline_ms=DEADLINE_MS,
                workers_load_deadline_ms=DEADLINE_MS,
                limits_requests_burst=1000) as server:
        folder = pathlib.Path(server.folder.name) / "etc"
        shutil.copytree(server.source / "scripts", folder,
                        ignore=shutil.ignore_patterns("dev"))
        server.config = folder / "plyd.lua"
        people = folder / "personalities"
        (people / "good.lua").write_text(GOOD)
        # there is no room for all at once
        wrong, bad, good = {}, [], []
        server.start()
        for first in range(0, len(asked), AT_ONCE):
            part = asked[first:first + AT_ONCE]
            for row in part:
                (people / f"{name_of(row)}.lua").write_text(text_of(row))
            wrong |= refused(server, folder, files if first == 0 else [])
            found = asyncio.run(ask_all(server, part))
            wrong |= found[0]
            bad += found[1]
            good += found[2]
            for row in part:
                (people / f"{name_of(row)}.lua").unlink()
        status = server.end()
        for case, why in wrong.items():
            print(f"FAILED {case}: {why}")
        good.sort()
        print(f"{len(rows)} cases, {len(wrong)} failed; a bad move took at "
              f"most {max(bad):.2f} s; {len(good)} good moves beside them took "
              f"{good[len(good) // 2] * 1000:.1f} ms in the middle and "
              f"{good[-1]:.2f} s at most, with a deadline of "
              f"{DEADLINE_MS / 1000} s")
        assert status == 0, server.text()[-2000:]
        assert good[-1] < DEADLINE_MS / 1000 + MACHINE_S
        if wrong:
            sys.exit(1)


main()
