"""Faults of the machine below a real server, while a match is played on it.

  faults.py BUILD SOURCE [FAULT ...]

Stopped for a while, killed, killed with a torn or damaged log, its file system
read-only, its syncs failing: of what was acknowledged nothing is lost but what
was damaged, no time is taken from a player's clock for it, and the match goes
on. Mounting needs the right to do so: without it those faults are skipped (exit
status 77)."""
import asyncio
import os
import pathlib
import random
import signal
import sys
import time

from full_disk import Disk
from plyd import Client, Refused, Server

BASE_MS, STOP_S = 600000, 3


class Match:
    """A match of two clients on a server, and what was acknowledged of it."""

    def __init__(self, server):
        self.server = server
        self.random = random.Random(1)
        self.players = [Client(server.port), Client(server.port)]
        self.moves = []

    async def begin(self):
        black, white = self.players
        for client in self.players:
            await client.connect()
        lobby = await black.call("lobby.create", ruleset="english",
                                 side="black", ready=True, base_ms=BASE_MS,
                                 increment_ms=0)
        await white.call("lobby.join", lobby=lobby["lobby"], ready=True)
        self.id = (await black.call("match.list"))["matches"][0]["match"]

    async def look(self):
        return await self.players[0].call("match.get", match=self.id)

    async def play(self, count):
        for _ in range(count):
            for client in self.players:
                match = await client.call("match.get", match=self.id)
                if match["turn"] != match["you"]:
                    continue
                move = self.random.choice(match["legal_moves"])
                await client.call("match.move", match=self.id,
                                  ply=match["ply"], move=move)
                self.moves.append(move)
                break

    async def resume(self):
        for client in self.players:
            await client.connect()

    async def kept(self, most_lost=0):
        """What is wrong with what is there of the acknowledged moves."""
        match = await self.look()
        kept = match["moves"]
        if kept != self.moves[:len(kept)]:
            return f"the moves {kept} are not those played, {self.moves}"
        if len(self.moves) - len(kept) > most_lost:
            return f"{len(self.moves) - len(kept)} acknowledged moves are lost"
        self.moves = kept
        return None

    async def leave(self):
        await self.players[0].call("match.resign", match=self.id)
        for client in self.players:
            await client.drop()


async def stopped(server):
    """A machine that stands still, as one that is suspended: nobody's time."""
    server.start()
    match = Match(server)
    await match.begin()
    await match.play(4)
    before = await match.look()
    began = time.monotonic()
    server.process.send_signal(signal.SIGSTOP)
    await asyncio.sleep(STOP_S)
    server.process.send_signal(signal.SIGCONT)
    after = await match.look()
    awake_ms = (time.monotonic() - began - STOP_S) * 1000
    sides = ("white", "black")
    gone = sum(before["clock"][f"{s}_ms"] - after["clock"][f"{s}_ms"]
               for s in sides)
    wrong = await match.kept()
    await match.play(2)
    await match.leave()
    if gone > awake_ms + 1000:  # it is credited but for a look's length
        return f"{gone} ms were charged of {STOP_S * 1000} ms that it stood"
    return wrong


async def after_kill(server, harm, most_lost):
    server.start()
    match = Match(server)
    await match.begin()
    await match.play(20)
    await asyncio.to_thread(server.end, signal.SIGKILL)
    harm(server.data / "plyd.db-wal")
    server.start()
    await match.resume()
    wrong = await match.kept(most_lost)
    await match.play(4)
    wrong = wrong or await match.kept()
    await match.leave()
    return wrong


async def killed(server):
    return await after_kill(server, lambda wal: None, 0)


def cut(wal):
    os.truncate(wal, wal.stat().st_size - 1000)


def flip(wal):
    data = bytearray(wal.read_bytes())
    data[-2000] ^= 0x10
    wal.write_bytes(data)


async def torn_log(server):
    """Its last write was cut short: it goes, what was before it stays."""
    return await after_kill(server, cut, 1)


async def damaged_log(server):
    return await after_kill(server, flip, 1)


async def read_only_mount(server):
    """As after an error of the file system: it says so and does not start;
    when it may write again, all is there."""
    disk = Disk(server.data)
    mounted = disk.mount()
    if mounted.returncode:
        return mounted.stderr.strip()
    try:
        return await on_a_mount(server, disk)
    finally:
        if server.process.poll() is None:
            await asyncio.to_thread(server.end, signal.SIGKILL)
        disk.unmount()


async def on_a_mount(server, disk):
    server.start()
    match = Match(server)
    await match.begin()
    await match.play(6)
    await asyncio.to_thread(server.end, signal.SIGKILL)
    disk.remount("ro")
    try:
        server.start()
        return "it started on a read-only disk"
    except RuntimeError as refused:
        if str(server.data) not in str(refused):
            return f"no word of the directory: {refused}"
    disk.remount("rw")
    server.start()
    await match.resume()
    wrong = await match.kept()
    await match.play(4)
    wrong = wrong or await match.kept()
    await match.leave()
    return wrong


async def until_not_stored(client):
    """Opens and leaves lobbies until that is not stored; what else came."""
    for _ in range(200):
        try:
            lobby = await client.call("lobby.create", ruleset="english")
            await client.call("lobby.leave", lobby=lobby["lobby"])
            await asyncio.sleep(0.05)
        except Refused as refused:
            return None if refused.name == "not_stored" else refused.name
    return "all well"


async def failing_fsync(server):
    """The disk takes writes and does not keep them: nothing is acknowledged
    any more, and when it can again all goes on by itself."""
    server.arguments = ["--store-vfs", "powercut"]
    server.start(POWERCUT="syncs")
    match = Match(server)
    await match.begin()
    await match.play(6)
    server.process.send_signal(signal.SIGUSR2)
    other = await until_not_stored(match.players[0])
    if other:
        return f"with a disk that keeps nothing it answers: {other}"
    try:
        await match.play(1)
        return "a move is acknowledged that the disk did not keep"
    except Refused as refused:
        if refused.name != "not_stored":
            return f"a move is refused with {refused.name}"
    server.process.send_signal(signal.SIGUSR2)
    await until_stored(match)
    wrong = await match.kept()
    await match.play(4)
    await asyncio.to_thread(server.end, signal.SIGKILL)
    server.start(POWERCUT="sigusr2")
    await match.resume()
    wrong = wrong or await match.kept()
    await match.play(2)
    await match.leave()
    if "a commit failed" not in server.text():
        return "no word of it in the log"
    return wrong


async def until_stored(match):
    for _ in range(400):
        try:
            await match.look()
            return
        except Refused:
            await asyncio.sleep(0.05)
    raise TimeoutError("it does not go on, though the disk is well")


FAULTS = [stopped, killed, torn_log, damaged_log, read_only_mount,
          failing_fsync]
MOUNTS = {read_only_mount}


def main():
    build, source, *names = sys.argv[1:]
    wrong, skipped = [], 0
    may_mount = os.geteuid() == 0
    for fault in FAULTS:
        if names and fault.__name__ not in names:
            continue
        if fault in MOUNTS and not may_mount:
            skipped += 1
            continue
        with Server(build, source, clocks_resume_grace_ms=600000) as server:
            found = asyncio.run(fault(server))
            print(f"{fault.__name__}: {found or 'well'}")
            if found:
                print(server.text()[-2000:])
                wrong.append(found)
    if wrong:
        sys.exit("failed")
    if skipped:
        print("SKIPPED: what needs to mount a file system")
        sys.exit(77)


main()
