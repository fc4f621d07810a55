"""Journals and records that earlier versions wrote, opened by this one.

  old_journals.py BUILD SOURCE            opens each of tests/data/journals
  old_journals.py BUILD SOURCE --make NAME  writes one of this version there

Each folder holds the database that a kill left, and `expect.json`: what
its players had been told: the first matches only, later ones accounts with
ratings, a lobby and a seek, too. A version that writes facts of another kind
gets a folder of its own; none is ever taken away."""
import argparse
import asyncio
import json
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys

from plyd import Client, Server
from torture import Bot, RULESETS

PASSWORD = "an old password"
LOOKED_AT = ("ruleset", "state", "ply", "seq", "position", "turn", "moves")
PLIES = 12
SETTINGS = {"clocks_nonce_wait_ms": 500, "clocks_resume_grace_ms": 600000,
            "limits_lobby_away_ms": 600000, "limits_requests_burst": 100000}


def folder_of(server):
    return server.source / "tests" / "data" / "journals"


# ---- writing one -----------------------------------------------------------

class Patient(Bot):
    """Plays the first half-moves of a match, and leaves it there."""

    async def move(self, match):
        if match["ply"] >= PLIES:
            raise asyncio.CancelledError
        await super().move(match)


async def first_half(*two):
    tasks = [asyncio.create_task(bot.play()) for bot in two]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    while not all(task.done() for task in tasks):
        for task in tasks:  # a cancellation can be missed by wait_for()
            task.cancel()
        await asyncio.wait(tasks, timeout=0.2)


async def play(server):
    pairs = [{"ruleset": name, "match": None} for name in RULESETS * 2]
    kinds = [Bot] * len(RULESETS) + [Patient] * len(RULESETS)
    bots = [[kind(server.port, 2 * i + side, pair, side, 0.02)
             for side in range(2)]
            for i, (kind, pair) in enumerate(zip(kinds, pairs))]
    over, running = bots[:len(RULESETS)], bots[len(RULESETS):]
    await asyncio.gather(*(bot.play() for two in over for bot in two))
    await asyncio.gather(*(first_half(*two) for two in running))
    expect = {"records": [], "players": []}
    reader = Client(server.port)
    await reader.connect()
    for two in over:
        record = await reader.call("record.get", match=two[0].match)
        expect["records"].append(record)
    await reader.drop()
    expect["members"] = await members(server)
    for bot in (bot for two in running for bot in two):
        await bot.client.connect()
        match = await bot.client.call("match.get", match=bot.match)
        expect["players"].append({
            "token": bot.client.token, "player": bot.client.welcome["player"],
            "match": bot.match,
            "seen": {key: match[key] for key in LOOKED_AT if key in match}})
    return expect


async def members(server):
    """Two accounts with a rated match behind them; the first has a lobby and a
    seek open."""
    two = []
    for login in ("ada", "ben"):
        client = Client(server.port, bot=False)
        await client.connect()
        answer = await client.call("account.register", login=login,
                                   password=PASSWORD)
        client.token = answer["token"]
        two.append((login, client))
    (_, ada), (_, ben) = two
    lobby = await ada.call("lobby.create", ruleset="english", rated=True,
                           side="black", ready=True)
    await ben.call("lobby.join", lobby=lobby["lobby"], ready=True)
    method, params = await ben.note()
    while method != "match.started":
        method, params = await ben.note()
    match = params["match"]
    for client, move in ((ada, "11-15"), (ben, "23-19")):
        seen = await client.call("match.get", match=match)
        await client.call("match.move", match=match, ply=seen["ply"], move=move)
    await ada.call("match.resign", match=match)
    lobby = await ada.call("lobby.create", ruleset="turkish", private=True)
    await ada.call("seek.create", ruleset="backgammon", rating_min=1000)
    seen = []
    for login, client in two:
        rating = await client.call("rating.get",
                                   player=client.welcome["player"]["id"])
        seen.append({"login": login, "rating": rating["ratings"]})
        await client.drop()
    seen[0]["code"] = lobby["code"]
    return seen


def make(server, name):
    folder = folder_of(server) / name
    folder.mkdir(parents=True)
    server.start()
    expect = asyncio.run(play(server))
    server.end(signal.SIGKILL)
    database = sqlite3.connect(server.data / "plyd.db")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    shutil.copy(server.data / "plyd.db", folder)
    (folder / "expect.json").write_text(json.dumps(expect, indent=1,
                                                   sort_keys=True) + "\n")


# ---- reading one -----------------------------------------------------------

def holds(old, now):
    """Whether all that was told is told still; there may be more."""
    if isinstance(old, dict):
        return isinstance(now, dict) and all(
            key in now and holds(value, now[key])
            for key, value in old.items())
    if isinstance(old, list):
        return isinstance(now, list) and len(old) == len(now) and all(
            map(holds, old, now))
    return old == now


def differences(seen, now):
    return [f"{key} was {old!r}, is {now.get(key)!r}"
            for key, old in seen.items() if not holds(old, now.get(key))]


async def player_finds_all(server, expected):
    client = Client(server.port)
    client.token = expected["token"]
    await client.connect()
    try:
        if client.welcome["player"] != expected["player"]:
            return ["the token is another player's"]
        match = await client.call("match.get", match=expected["match"])
        return differences(expected["seen"], match)
    finally:
        await client.drop()


async def can_play_on(server, expected):
    client = Client(server.port)
    client.token = expected["token"]
    await client.connect()
    match = await client.call("match.get", match=expected["match"])
    if match["turn"] and match["turn"] == match["you"]:
        await client.call("match.move", match=expected["match"],
                          ply=match["ply"], move=match["legal_moves"][0])
    await client.call("match.resign", match=expected["match"])
    await client.drop()


async def member_is_known(server, expected):
    """His password is good, his ratings and what he opened are there."""
    client = Client(server.port)
    client.login = {"login": expected["login"], "password": PASSWORD}
    welcome = await client.connect()
    rating = await client.call("rating.get", player=welcome["player"]["id"])
    problems = differences({"ratings": expected["rating"]}, rating)
    if "code" in expected:
        lobby = await client.call("lobby.get", lobby=welcome["lobbies"][0])
        problems += differences({"code": expected["code"]}, lobby)
        seeks = (await client.call("seek.list"))["seeks"]
        if [seek["ruleset"] for seek in seeks] != ["backgammon"]:
            problems.append(f"the seeks are {seeks}")
    await client.drop()
    return problems


async def record_is_whole(server, ply, expected):
    client = Client(server.port)
    await client.connect()
    record = await client.call("record.get", match=expected["match"])
    await client.drop()
    problems = differences(expected, record)
    file = pathlib.Path(server.folder.name) / "record"
    await asyncio.to_thread(
        subprocess.run, [ply, "record", "-s", f"127.0.0.1:{server.port}", "-o",
                         file, expected["match"]], check=True, timeout=120,
        stdout=subprocess.DEVNULL)
    done = await asyncio.to_thread(
        subprocess.run, [ply, "verify", file], capture_output=True, text=True,
        timeout=120)
    if done.returncode:
        problems.append(f"ply verify: {done.stdout}{done.stderr}")
    return problems


async def look(server, ply, expect):
    problems = []
    for expected in expect["players"]:
        problems += await player_finds_all(server, expected)
    for expected in expect.get("members", []):
        problems += await member_is_known(server, expected)
    for expected in expect["players"][::2]:
        await can_play_on(server, expected)
    for expected in expect["records"]:
        problems += await record_is_whole(server, ply, expected)
    return problems


def check(build, source, folder):
    with Server(build, source, **SETTINGS) as server:
        server.data.mkdir()
        shutil.copy(folder / "plyd.db", server.data)
        expect = json.loads((folder / "expect.json").read_text())
        server.start()
        problems = asyncio.run(look(server, pathlib.Path(build) / "bin" / "ply",
                                    expect))
        log = server.text()
        if server.end() != 0:
            problems.append("plyd did not end well")
        if "level=error" in log:
            problems.append(log[-2000:])
        print(f"{folder.name}: {len(expect['players'])} players of running "
              f"matches, {len(expect['records'])} records, "
              f"{len(problems)} problems")
        return [f"{folder.name}: {problem}" for problem in problems]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--make", metavar="NAME")
    options = parser.parse_args()
    if options.make:
        with Server(options.build, options.source, **SETTINGS) as server:
            make(server, options.make)
        return
    root = pathlib.Path(options.source) / "tests" / "data" / "journals"
    folders = sorted(path for path in root.iterdir() if path.is_dir())
    problems = [problem for folder in folders
                for problem in check(options.build, options.source, folder)]
    for problem in problems:
        print(problem)
    if problems or not folders:
        sys.exit("failed")


main()
