"""Backups of a server whose matches go on: `ply admin backup`, `plyd
--restore`, `plyd --check-data`.

  backup.py BUILD SOURCE [--matches N] [--records N]

A backup is made while bots play and the store has many records; it holds every
move that was answered before it was asked for, and restored elsewhere it
serves the same matches to the same players. While it is made, answers are as
quick as otherwise."""
import argparse
import asyncio
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

import torture
from plyd import Client, Closed, Refused, Server

SETTINGS = {"limits_connections_per_address": 10000,
            "limits_lobby_away_ms": 600000, "limits_requests_burst": 1000000,
            "clocks_nonce_wait_ms": 500, "clocks_resume_grace_ms": 600000}


class Failed(Exception):
    pass


def admin(server, *words):
    done = subprocess.run(
        [server.plyd.parent / "ply", "admin", "--json", "--socket",
         server.data / "admin.sock", *words], capture_output=True, text=True,
        timeout=120)
    if done.returncode:
        raise Failed(f"ply admin {words}: {done.stderr}")
    return json.loads(done.stdout)


def plyd(server, *words, data=None):
    return subprocess.run(
        [server.plyd, "--config", server.config, "--data",
         data or server.data, *words], capture_output=True, text=True,
        timeout=120)


def fatten(server, rows):
    """Records that take place, and that nobody asks for."""
    database = sqlite3.connect(server.data / "plyd.db")
    found = database.execute("SELECT ended_seq, head, meta, rows FROM record "
                             "LIMIT 1").fetchone()
    if not found:
        raise Failed("there is no record to multiply")
    blob = os.urandom(16384)
    database.executemany(
        "INSERT INTO record(match, ended_seq, head, meta, rows) "
        "VALUES(?, ?, ?, ?, ?)",
        ((f"zz{i:08d}", found[0], found[1], blob, found[3])
         for i in range(rows)))
    database.commit()
    database.close()


async def answers(client, until):
    """How long answers take that wait for a commit, in ms."""
    took = []
    while not until.is_set():
        began = time.monotonic()
        lobby = await client.call("lobby.create", ruleset="english")
        took.append((time.monotonic() - began) * 1000)
        await client.call("lobby.leave", lobby=lobby["lobby"])
        await asyncio.sleep(0.005)
    return took


def percentiles(took):
    took = sorted(took)
    return (f"{len(took)} answers, median {took[len(took) // 2]:.1f} ms, 99 of "
            f"100 within {took[int(len(took) * 0.99)]:.1f} ms, all within "
            f"{took[-1]:.1f} ms")


async def measured(server, work, *words):
    client = Client(server.port)
    await client.connect()
    done = asyncio.Event()
    meter = asyncio.create_task(answers(client, done))
    result = await asyncio.to_thread(work, *words)
    done.set()
    took = await meter
    await client.drop()
    return result, took


async def cancelled(tasks):
    while not all(task.done() for task in tasks):
        for task in tasks:  # a cancellation can be missed by wait_for()
            task.cancel()
        await asyncio.wait(tasks, timeout=0.2)


async def while_it_runs(server, options):
    pairs = [{"ruleset": torture.RULESETS[i % 4], "match": None}
             for i in range(options.matches)]
    bots = [torture.Bot(server.port, 2 * i + side, pairs[i], side, 0.3)
            for i in range(options.matches) for side in range(2)]
    bots_tasks = [asyncio.create_task(bot.play()) for bot in bots]
    while not all(p["match"] for p in pairs) or \
            sum(len(bot.acknowledged) for bot in bots) < 4 * options.matches:
        await asyncio.sleep(0.05)
    _, quiet = await measured(server, time.sleep, 1)
    before = [move for bot in bots for move in bot.acknowledged]
    file = pathlib.Path(server.folder.name) / "copy.db"
    made, busy = await measured(server, admin, server, "backup", file)
    print(f"backup of {made['bytes']} bytes in {made['took_ms']} ms; "
          f"meanwhile {percentiles(busy)}; before {percentiles(quiet)}")
    if made["bytes"] != file.stat().st_size or file.stat().st_mode & 0o77:
        raise Failed(f"{made}: {file.stat()}")
    again = await asyncio.to_thread(
        subprocess.run, [server.plyd.parent / "ply", "admin", "--socket",
                         server.data / "admin.sock", "backup", file],
        capture_output=True, text=True)
    if again.returncode != 1 or "there already" not in again.stderr:
        raise Failed(f"over another: {again}")
    named = await asyncio.to_thread(admin, server, "backup")
    if pathlib.Path(named["file"]).parent != server.data / "backups":
        raise Failed(f"without a name: {named}")
    if options.records:  # which are not what they seem
        await cancelled(bots_tasks)
        return None
    checked = await asyncio.to_thread(plyd, server, "--check-data")
    if checked.returncode or "the data are good" not in checked.stdout:
        raise Failed(f"beside a running plyd: {checked}")
    print(checked.stdout.strip())
    await cancelled(bots_tasks)
    tokens = [(bot.client.token, bot.match) for bot in bots]
    return file, before, tokens


async def elsewhere(server, before, tokens):
    """Every player finds his match, and it holds what was answered."""
    moves = {}
    for token, match in tokens:
        client = Client(server.port)
        client.token = token
        await client.connect()
        if match in client.welcome["matches"]:
            seen = await client.call("match.watch", match=match)
            moves[match] = seen["ply"]
        await client.drop()
    lost = [(match, ply) for match, ply, _ in before
            if ply > moves.get(match, 10 ** 6)]
    if lost or not moves:
        raise Failed(f"{len(moves)} matches; not in the backup: {lost[:5]}")
    return len(moves)


def restored(options, first, file, before, tokens):
    with Server(options.build, options.source, **SETTINGS) as server:
        done = plyd(server, "--restore", file)
        if done.returncode or "is restored" not in done.stdout:
            raise Failed(f"--restore: {done}")
        checked = plyd(server, "--check-data", "--json")
        found = json.loads(checked.stdout)
        if checked.returncode or not found["good"] or found["problems"]:
            raise Failed(f"--check-data: {checked}")
        again = plyd(server, "--restore", file)
        if again.returncode != 1 or "already" not in again.stderr:
            raise Failed(f"restored over data: {again}")
        server.start()
        matches = asyncio.run(elsewhere(server, before, tokens))
        if server.end():
            raise Failed("the restored server did not end well")
    return matches


def damaged(options, file):
    """Each fault is found, named, and ends with status 1."""
    def check(change, says):
        with Server(options.build, options.source, **SETTINGS) as server:
            server.data.mkdir()
            shutil.copy(file, server.data / "plyd.db")  # a plain copy will do
            database = sqlite3.connect(server.data / "plyd.db")
            change(database)
            database.commit()
            database.close()
            done = plyd(server, "--check-data")
            if done.returncode != 1 or says not in done.stdout + done.stderr:
                raise Failed(f"{says}: {done}")

    def swap(database):
        match, rows = database.execute(
            "SELECT match, rows FROM record LIMIT 1").fetchone()
        rows = rows.replace(b"\x93", b"\x92", 1) if b"\x93" in rows \
            else rows[:-1]
        rows = rows[:-1] + bytes([rows[-1] ^ 1])
        database.execute("UPDATE record SET rows = ? WHERE match = ?",
                         (rows, match))
    check(swap, "record ")
    check(lambda d: d.execute("UPDATE record SET head = zeroblob(32)"),
          "the head is not that of this chain")
    check(lambda d: d.execute("UPDATE journal SET checksum = zeroblob(8) "
                              "WHERE seq = (SELECT max(seq) FROM journal "
                              "WHERE match <> '' AND match NOT IN "
                              "(SELECT match FROM spent))"),
          "wrong checksum")
    check(lambda d: d.execute("UPDATE snapshot SET checksum = zeroblob(8)"),
          "wrong checksum")
    check(lambda d: d.execute("PRAGMA user_version = 3999999"),
          "use the newer plyd")
    with Server(options.build, options.source, **SETTINGS) as server:
        torn = pathlib.Path(server.folder.name) / "torn.db"
        torn.write_bytes(file.read_bytes()[:8192])
        done = plyd(server, "--restore", torn)
        if done.returncode != 1 or (server.data / "plyd.db").exists():
            raise Failed(f"a torn backup: {done}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--matches", type=int, default=8)
    parser.add_argument("--records", type=int, default=0)
    options = parser.parse_args()
    try:
        with Server(options.build, options.source, data_snapshot_facts=50,
                    **SETTINGS) as server:
            server.start()
            asyncio.run(first_record(server))
            if options.records:
                server.end()
                fatten(server, options.records)
                server.start()
            kept = asyncio.run(while_it_runs(server, options))
            if server.end():
                raise Failed("plyd did not end well")
            if not kept:
                return
            file, before, tokens = kept
            matches = restored(options, server, file, before, tokens)
            print(f"{matches} matches go on elsewhere, with all of "
                  f"{len(before)} moves")
            damaged(options, file)
    except (Failed, Closed, Refused) as failed:
        sys.exit(f"failed: {str(failed)[:2000]}")


async def first_record(server):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="english", ready=True)
    match = (await bob.call("lobby.join", lobby=lobby["lobby"],
                            ready=True))["match"]
    await ann.call("match.resign", match=match)
    await ann.drop()
    await bob.drop()


main()
