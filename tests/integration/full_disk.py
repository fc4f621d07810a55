"""Bots play while the disk of the server is full again and again.

  full_disk.py BUILD SOURCE

While it is full every command is answered `not_stored`, what needs no storage
is served, and nothing that was acknowledged is lost; when there is room again
the server goes on by itself. Needs to mount a small file system: without the
right to do so it is skipped (exit status 77)."""
import asyncio
import pathlib
import random
import subprocess
import sys

from plyd import Client, Closed, Refused, Server
from torture import RULESETS, Bot, judge, record

DISK_BYTES = 32 << 20
MATCHES, TIMES, SEED = 12, 5, 1


class Disk:
    """A file system of its own that can be filled and emptied."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.filler = self.folder / "filler"

    def mount(self):
        self.folder.mkdir(exist_ok=True)
        return subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "plyd-test",
             self.folder], capture_output=True, text=True)

    def remount(self, how):
        """"ro" or "rw", while nobody has a file open to write."""
        subprocess.run(["mount", "-o", f"remount,{how}", self.folder],
                       check=True)

    def unmount(self):
        subprocess.run(["umount", "-l", self.folder], check=False)

    def fill(self):
        with open(self.filler, "ab", buffering=0) as out:
            for size in (65536, 4096):
                try:
                    while out.write(b"x" * size):
                        pass
                except OSError:
                    pass

    def empty(self):
        self.filler.unlink(missing_ok=True)


async def until_full(client):
    """Opens and leaves lobbies until a command fails: the names of errors,
    the last lobby that was acknowledged, and whether it was left."""
    lobby, left = None, False
    for _ in range(20000):
        try:
            answer = await client.call("lobby.create", ruleset="english")
            lobby, left = answer["lobby"], False
            await client.call("lobby.leave", lobby=lobby)
            left = True
        except Refused as refused:
            return [refused.name], lobby, left
    return [], lobby, left


async def as_acknowledged(client, lobby, left):
    """Whether the last acknowledged lobby is as it was said to be."""
    try:
        await client.call("lobby.get", lobby=lobby)
        gone = False
    except Refused as refused:
        gone = refused.name == "no_such_lobby"
    if not gone:
        await client.call("lobby.leave", lobby=lobby)
    return [] if gone == left else [f"lobby {lobby}: left {left}, gone {gone}"]


async def refused_while_full(client, names):
    """What is wrong with how commands are refused."""
    if names != ["not_stored"]:
        return [f"on a full disk a command is answered {names}"]
    problems = []
    for method in ("ping", "server.info", "rules.list"):
        await client.call(method)
    for method in ("lobby.list", "match.list"):
        try:
            await client.call(method)
            problems.append(f"{method} shows what may not be stored")
        except Refused as refused:
            if refused.name != "not_stored":
                problems.append(f"{method}: {refused.name}")
    return problems


async def writable(client):
    try:
        await client.call("match.list")
        return True
    except Refused:
        return False


async def recovers(client):
    for _ in range(200):
        if await writable(client):
            return []
        await asyncio.sleep(0.05)
    return ["the server did not recover when there was room"]


async def one_time(server, disk, rng):
    """Fills the disk, looks, and makes room again."""
    client = Client(server.port)
    await client.connect()
    trying = asyncio.create_task(until_full(client))
    await asyncio.sleep(0.1)  # some are stored
    disk.fill()
    names, lobby, left = await trying
    problems = await refused_while_full(client, names)
    await asyncio.sleep(rng.random() * 1.5)
    disk.empty()
    problems += await recovers(client)
    try:  # the session that was there before goes on
        problems += await as_acknowledged(client, lobby, left)
    except (Refused, Closed) as error:
        problems.append(f"the session did not survive: {error}")
    await client.drop()
    return problems


async def run(server, disk):
    rng = random.Random(SEED)
    pairs = [{"ruleset": RULESETS[i % len(RULESETS)], "match": None}
             for i in range(MATCHES)]
    bots = [Bot(server.port, SEED * 100003 + 2 * i + side, pairs[i], side,
                0.4) for i in range(MATCHES) for side in range(2)]
    playing = asyncio.gather(*(bot.play() for bot in bots))
    problems = []
    for _ in range(TIMES):
        await asyncio.sleep(0.3 + rng.random())
        problems += await one_time(server, disk, rng)
    if playing.done():
        problems.append("the matches ended too early: a blind test")
    await asyncio.wait_for(playing, 60)
    records = {p["match"]: await record(server.port, p["match"])
               for p in pairs}
    return problems + judge(bots, pairs, records)


def words_of(log):
    wanted = ["a commit failed: plyd is read-only",
              "the store can be written again"]
    return [f"the log says '{w}' {log.count(w)} times of {TIMES}"
            for w in wanted if log.count(w) < TIMES]


async def after_restart(server):
    client = Client(server.port)
    await client.connect()
    info = await client.call("server.info")
    await client.drop()
    return [] if info["matches"] == 0 else ["matches came back to life"]


def main():
    with Server(*sys.argv[1:], clocks_nonce_wait_ms=500,
                limits_connections_per_address=1000,
                limits_requests_burst=1000000, limits_lobby_away_ms=600000,
                data_snapshot_facts=20000) as server:
        disk = Disk(server.data)
        mounted = disk.mount()
        if mounted.returncode:
            print(f"SKIPPED: {mounted.stderr.strip()}")
            sys.exit(77)
        try:
            server.start()
            problems = asyncio.run(run(server, disk))
            problems += words_of(server.text())
            if server.end() != 0:
                problems.append("plyd did not end well")
            server.start()
            problems += asyncio.run(after_restart(server))
            server.end()
        except (asyncio.TimeoutError, Closed, Refused) as error:
            problems = [f"matches did not end: {error!r}"]
        finally:
            if server.process and server.process.poll() is None:
                server.process.kill()
                server.process.wait()
            disk.unmount()
        if problems:
            print(server.text()[-3000:])
    for problem in problems[:20]:
        print(problem)
    if problems:
        sys.exit("failed")


if __name__ == "__main__":
    main()
