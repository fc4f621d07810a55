"""Bots play many matches while another program takes the server over, in the
same process, again and again: `ply admin upgrade` and SIGUSR1.

  upgrade.py BUILD SOURCE [--matches N] [--upgrades N] [--think S] [--seed N]

Nobody who connects is refused. Every move that was acknowledged stands in its
record, once. No turn is charged for the time in which no server was there: a
position is not released before the move before it was sent, and after an
upgrade not before its player began to come back. And a program that cannot
start takes nothing over."""
import argparse
import asyncio
import collections
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

import torture
from plyd import Closed, Refused, Server

SLACK_MS = 3
STUCK_MS = 60000
PLY, THOUGHT = 2, 6  # in the row of a move


def now_ms():
    return time.monotonic() * 1000


class Seen:
    """What all clients saw."""

    def __init__(self):
        self.refused = []     # connections that were turned away
        self.reasons = collections.Counter()
        self.stopping = False
        self.spanned = 0      # turns that an upgrade broke off
        self.problems = []


class Bot(torture.Bot):
    def __init__(self, seen, *rest):
        super().__init__(*rest)
        self.seen = seen
        self.earliest = {}  # ply -> no sooner was it released to me
        self.charged = {}   # ply -> the most that it may be charged
        inner = self.client.connect

        async def connect():
            began = now_ms()
            closing = self.client.closing
            if closing:
                seen.reasons[closing["details"].get("reason")] += 1
            try:
                welcome = await inner()
            except Closed as closed:
                if "refused" in str(closed).lower():
                    seen.refused.append(str(closed))
                raise
            self.came_ms = began
            return welcome
        self.client.connect = connect
        self.came_ms = 0

    async def move(self, match):
        ply = match["ply"]
        if self.seen.stopping:
            await self.client.call("match.resign", match=self.match)
            return
        sent_before = self.pair.setdefault("sent", {}).get(ply, 0)
        self.seen.spanned += ply in self.earliest and \
            self.came_ms > self.earliest[ply]
        self.earliest[ply] = max(sent_before, self.came_ms)
        if not self.planned or self.planned[0] != ply:
            self.planned = (ply, self.random.choice(match["legal_moves"]))
        await asyncio.sleep(self.random.random() * self.think)
        self.pair["sent"][ply + 1] = now_ms()
        answer = await self.client.call("match.move", match=self.match,
                                        ply=ply, move=self.planned[1])
        self.acknowledged.append((self.match, answer["ply"], answer["move"]))
        self.charged[ply] = now_ms() - self.earliest[ply]


class Prober(threading.Thread):
    """Somebody new at the door, all the time."""

    def __init__(self, port, seen):
        super().__init__(daemon=True)
        self.port, self.seen = port, seen
        self.count, self.longest_ms, self.going = 0, 0.0, True

    def run(self):
        while self.going:
            began = now_ms()
            try:
                socket.create_connection(("127.0.0.1", self.port), 20).close()
            except OSError as error:
                self.seen.refused.append(f"prober: {error}")
            self.count += 1
            self.longest_ms = max(self.longest_ms, now_ms() - began)
            time.sleep(0.002)


async def upgrade(server, console, number):
    """One upgrade; returns how long nobody was served."""
    line = asyncio.create_task(
        asyncio.to_thread(server.process.stdout.readline))
    began = now_ms()
    if number % 2:
        server.process.send_signal(signal.SIGUSR1)
    else:
        done = await asyncio.to_thread(console, "upgrade", "the", "next")
        if done.returncode or "done" not in done.stdout:
            server.process.kill()
            raise AssertionError(f"ply admin upgrade: {done}")
    said = await asyncio.wait_for(line, 60)
    if "listens" not in said:
        raise AssertionError("the new program does not say that it listens")
    if f":{server.port}," not in said:
        raise AssertionError(f"it listens elsewhere: {said}")
    return now_ms() - began


async def played_on(bots, more, playing, seen):
    """Until so many more moves were answered, all is over, or it is lost."""
    enough = sum(len(bot.acknowledged) for bot in bots) + more
    last_ms, last = now_ms(), enough - more
    while last < enough and not playing.done() and not seen.refused:
        await asyncio.sleep(0.05)
        moves = sum(len(bot.acknowledged) for bot in bots)
        last_ms, last = now_ms() if moves > last else last_ms, moves
        if now_ms() - last_ms > STUCK_MS:
            raise AssertionError(f"nobody moves any more, after {last} moves")


async def run(server, console, options, seen):
    pairs = [{"ruleset": torture.RULESETS[i % len(torture.RULESETS)],
              "match": None} for i in range(options.matches)]
    bots = [Bot(seen, server.port, options.seed * 100003 + 2 * i + side,
                pairs[i], side, options.think)
            for i in range(options.matches) for side in range(2)]
    playing = asyncio.gather(*(bot.play() for bot in bots))
    prober = Prober(server.port, seen)
    prober.start()
    try:
        while not all(pair["match"] for pair in pairs):
            await asyncio.sleep(0.05)
        took = []
        for number in range(options.upgrades):
            await played_on(bots, options.matches, playing, seen)
            took.append(await upgrade(server, console, number))
        await played_on(bots, 2 * options.matches, playing, seen)
        seen.stopping = True
        await asyncio.wait_for(playing, options.limit)
    finally:
        prober.going = False
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
    records = {p["match"]: await torture.record(server.port, p["match"])
               for p in pairs}
    seen.problems += torture.judge(bots, pairs, records)
    judge_clocks(bots, records, seen)
    verify(server, options, [p["match"] for p in pairs][:10], seen)
    print(f"{options.upgrades} upgrades in "
          f"{', '.join(f'{ms:.0f}' for ms in took)} ms; "
          f"{prober.count} newcomers, the longest waited "
          f"{prober.longest_ms:.0f} ms; {len(seen.refused)} refused")
    print(f"{seen.spanned} turns were broken off by an upgrade; "
          f"last words: {dict(seen.reasons)}")


def judge_clocks(bots, records, seen):
    """No turn was charged more than it can have lasted."""
    judged = 0
    for bot in bots:
        for fact in records.get(bot.match) or []:
            if fact[0] != torture.MOVED or fact[PLY] not in bot.charged:
                continue
            judged += 1
            if fact[THOUGHT] > bot.charged[fact[PLY]] + SLACK_MS:
                seen.problems.append(
                    f"{bot.match} ply {fact[PLY]} was charged {fact[THOUGHT]}"
                    f" ms of {bot.charged[fact[PLY]]:.0f}")
    print(f"{judged} charges judged")


def free_port():
    """One that a program finds again, were its listener not handed over."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def verify(server, options, matches, seen):
    ply = pathlib.Path(options.build).resolve() / "bin" / "ply"
    for match in matches:
        file = pathlib.Path(server.folder.name) / match
        subprocess.run([ply, "record", "-s", f"127.0.0.1:{server.port}", "-o",
                        file, match], check=True, timeout=120,
                       stdout=subprocess.DEVNULL)
        done = subprocess.run([ply, "verify", file], capture_output=True,
                              text=True, timeout=120)
        if done.returncode:
            seen.problems.append(f"ply verify: {done.stdout}{done.stderr}")


# ---- programs that cannot take over ----------------------------------------

def put_program(server, text):
    """Another file under the name that plyd was started by."""
    fresh = server.plyd.with_suffix(".new")
    fresh.write_text("#!/bin/sh\n" + text)
    fresh.chmod(0o755)
    os.replace(fresh, server.plyd)


async def bad_programs(server, console, _options, seen):
    bot = torture.Client(server.port, "Ann")
    await bot.connect()
    pid = server.process.pid
    for text, says in (("exit 3", "status 3"),
                       ("kill -SEGV $$", "signal 11"),
                       ("echo plyd: no; exit 1", "cannot start")):
        put_program(server, text)
        done = await asyncio.to_thread(console, "upgrade")
        if done.returncode != 1 or says not in done.stderr:
            seen.problems.append(f"{text}: {done}")
        await bot.call("ping")  # the same connection goes on
    # it can start when it is tried, and not a moment later
    put_program(server, 'chmod -x "$0"; exit 0')
    line = asyncio.create_task(
        asyncio.to_thread(server.process.stdout.readline))
    done = await asyncio.to_thread(console, "upgrade")
    if "listens" not in await asyncio.wait_for(line, 120):
        seen.problems.append("the old program does not go on")
    await asyncio.sleep(0)
    if bot.closing["details"] != {"reason": "upgrade", "retry_after_ms": 100}:
        seen.problems.append(f"told {bot.closing}")
    await bot.connect()
    if not bot.welcome["resumed"] or server.process.pid != pid:
        seen.problems.append(f"not the same session: {bot.welcome}")
    await bot.drop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--upgrades", type=int, default=2)
    parser.add_argument("--think", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=300)
    options = parser.parse_args()
    seen = Seen()
    for test in (run, bad_programs):
        server = Server(options.build, options.source,
                        limits_connections_per_address=10000,
                        limits_lobby_away_ms=600000,
                        limits_requests_burst=100000,
                        clocks_nonce_wait_ms=500)
        server.port = free_port()
        programs = pathlib.Path(server.folder.name) / "bin"
        shutil.copytree(server.plyd.parent, programs)
        server.plyd = programs / "plyd"
        ply = programs / "ply"

        def console(*words):
            return subprocess.run(
                [ply, "admin", "--socket", server.data / "admin.sock", *words],
                capture_output=True, text=True, timeout=120)

        with server:
            server.start()
            pid = server.process.pid
            try:
                asyncio.run(test(server, console, options, seen))
            except (AssertionError, asyncio.TimeoutError, Closed,
                    Refused) as error:
                seen.problems.append(f"{test.__name__}: {error!r}")
            if server.process.poll() is not None:
                seen.problems.append("plyd is gone")
            elif server.end() != 0:
                seen.problems.append("plyd did not end well")
            if seen.problems or seen.refused:
                print(server.text()[-3000:])
                break
    if seen.refused:
        print(f"{len(seen.refused)} connects were refused, the first of them: "
              f"{seen.refused[0]}")
    for problem in seen.problems[:20]:
        print(problem)
    if seen.problems or seen.refused:
        sys.exit("failed")


if __name__ == "__main__":
    main()
