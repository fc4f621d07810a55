"""Bots play match after match, and every minute the server is killed or loses
its power at a random moment.

  soak.py BUILD SOURCE [--minutes N] [--every SECONDS] [--tables N]
          [--think SECONDS] [--seed N] [--plot FILE]

Each match is judged when it is over, as in torture.py: what either seat was
acknowledged stands in the record of the match, once, at its ply. The memory of
the server is sampled each second and must be flat in two ways, by least squares:
the peaks of its lives, from the second quarter of the run on, and the samples
within a life, from its second half on (all lives together, each from its own
level). --plot writes them as an SVG."""
import argparse
import asyncio
import pathlib
import random
import signal
import sys
import time

from plyd import Closed, Refused, Server
from torture import Bot, RULESETS, judge_match, record

GROWTH_KIB_PER_MIN = 100  # of the peaks of lives
LEAK_KIB_PER_MIN = 400    # within a life, which is short and so less certain
JUDGED_LIVES = 8          # fewer say nothing of a trend


class Memory:
    """Samples of one server's resident memory over its lives."""

    def __init__(self):
        self.began = time.monotonic()
        self.lives = [[]]  # each of (seconds since the begin, KiB)

    def sample(self, server):
        try:
            kib = server.status("VmRSS")
        except (OSError, AttributeError):
            return  # it is dead just now
        self.lives[-1].append((time.monotonic() - self.began, kib))

    def another_life(self):
        self.lives.append([])

    def peaks(self):
        return [(life[-1][0], max(kib for _, kib in life))
                for life in self.lives if life]

    def growth(self):
        """KiB a minute from life to life."""
        peaks = self.peaks()
        return 60 * slope([peaks[len(peaks) // 4:]])

    def leak(self):
        """KiB a minute within a life."""
        return 60 * slope([life[len(life) // 2:] for life in self.lives])


def slope(series):
    """Least squares of one line's slope to several series, each with a level of
    its own."""
    up = down = 0
    for points in series:
        if len(points) < 2:
            continue
        x0 = sum(x for x, _ in points) / len(points)
        y0 = sum(y for _, y in points) / len(points)
        up += sum((x - x0) * (y - y0) for x, y in points)
        down += sum((x - x0) ** 2 for x, _ in points)
    return up / down if down else 0


def plot(memory, file):
    """RSS over time, a line a life, and the peaks as dots."""
    wide, high, edge = 900, 300, 50
    span = max(life[-1][0] for life in memory.lives if life)
    top = 1.2 * max(kib for _, kib in memory.peaks())

    def at(x, y):
        return (f"{edge + x / span * (wide - 2 * edge):.1f},"
                f"{high - edge - y / top * (high - 2 * edge):.1f}")

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" '
           f'height="{high}" font-family="sans-serif" font-size="12">',
           '<rect width="100%" height="100%" fill="white"/>']
    for life in memory.lives:
        if life:
            points = " ".join(at(x, y) for x, y in life)
            out.append(f'<polyline points="{points}" fill="none" '
                       'stroke="steelblue"/>')
    for x, y in memory.peaks():
        spot = at(x, y).split(",")
        out.append(f'<circle cx="{spot[0]}" cy="{spot[1]}" r="2.5" '
                   'fill="firebrick"/>')
    for part in range(5):
        spot = at(0, top * part / 4).split(",")
        out.append(f'<text x="4" y="{spot[1]}">{top * part / 4 / 1024:.1f}'
                   '</text>')
        spot = at(span * part / 4, 0).split(",")
        out.append(f'<text x="{spot[0]}" y="{high - edge + 20}">'
                   f'{span * part / 4 / 60:.1f}</text>')
    out.append(f'<text x="{edge}" y="20">resident memory of plyd in MiB over '
               f'minutes; a line a life, dots: peaks; {len(memory.lives) - 1} '
               f'kills and power cuts; {memory.growth():+.1f} KiB/min from life'
               f' to life, {memory.leak():+.1f} within one</text></svg>')
    pathlib.Path(file).write_text("\n".join(out) + "\n")


class Soak:
    def __init__(self, server, options):
        self.server, self.options = server, options
        self.random = random.Random(options.seed)
        self.memory = Memory()
        self.end_at = time.monotonic() + 60 * options.minutes
        self.counts = {"matches": 0, "moves": 0, "acknowledged": 0,
                       "kill": 0, "power cut": 0}
        self.problems = []

    def goes_on(self):
        return time.monotonic() < self.end_at

    async def table(self, number):
        """Two players, match after match."""
        two = [Bot(self.server.port, self.options.seed * 1009 + 2 * number + s,
                   None, s, self.options.think) for s in range(2)]
        while self.goes_on():
            pair = {"ruleset": self.random.choice(RULESETS), "match": None}
            for bot in two:
                bot.pair, bot.match, bot.planned = pair, None, None
                bot.acknowledged = []
            await asyncio.gather(*(bot.play() for bot in two))
            await self.judge(pair["match"], two)

    async def judge(self, match, two):
        while True:
            try:
                facts = await record(self.server.port, match)
                break
            except (Closed, Refused, asyncio.TimeoutError):
                await asyncio.sleep(0.2)  # it is down just now
        found, moves, acknowledged = judge_match(match, two, facts)
        self.problems += found
        self.counts["matches"] += 1
        self.counts["moves"] += moves
        self.counts["acknowledged"] += acknowledged

    async def disturb(self):
        every = self.options.every
        while True:
            await asyncio.sleep(every * (0.5 + self.random.random()))
            if not self.goes_on():
                return
            how = self.random.choice(["kill", "power cut"])
            await asyncio.to_thread(self.server.end, signal.SIGUSR2
                                    if how == "power cut" else signal.SIGKILL)
            self.counts[how] += 1
            self.memory.another_life()
            await asyncio.to_thread(
                lambda: self.server.start(POWERCUT="sigusr2"))

    async def watch(self):
        while True:
            self.memory.sample(self.server)
            await asyncio.sleep(min(1, self.options.every / 10))

    async def run(self):
        watching = asyncio.create_task(self.watch())
        disturbing = asyncio.create_task(self.disturb())
        playing = asyncio.gather(*(self.table(i)
                                   for i in range(self.options.tables)))
        limit = 60 * self.options.minutes + self.options.limit
        while not playing.done() and limit > 0:
            await asyncio.wait([playing], timeout=1)
            limit -= 1
            if disturbing.done():
                disturbing.result()  # it may not have started again
        if not playing.done():
            playing.cancel()
            raise asyncio.TimeoutError
        playing.result()
        disturbing.cancel()
        watching.cancel()


def judge_memory(memory):
    growth, leak = memory.growth(), memory.leak()
    peaks = [kib for _, kib in memory.peaks()]
    print(f"resident memory: peaks of {min(peaks)} to {max(peaks)} KiB, "
          f"{growth:+.1f} KiB/min from life to life, {leak:+.1f} KiB/min "
          f"within one")
    if len(memory.lives) < JUDGED_LIVES:
        return []
    return [f"the memory grows by {value:.0f} KiB a minute {where}"
            for value, most, where in (
                (growth, GROWTH_KIB_PER_MIN, "from life to life"),
                (leak, LEAK_KIB_PER_MIN, "within a life")) if value > most]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--every", type=float, default=60)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--think", type=float, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=240)
    parser.add_argument("--plot")
    options = parser.parse_args()
    server = Server(options.build, options.source,
                    limits_connections_per_address=1000,
                    limits_requests_burst=100000,
                    # what is kept for a while would look like a leak
                    limits_result_keep_ms=10000, limits_guest_keep_ms=30000,
                    limits_lobby_away_ms=600000, clocks_nonce_wait_ms=500)
    server.arguments = ["--store-vfs", "powercut"]
    with server:
        server.start(POWERCUT="sigusr2")
        soak = Soak(server, options)
        try:
            asyncio.run(soak.run())
        except (asyncio.TimeoutError, RuntimeError, Refused,
                Closed) as error:
            soak.problems.append(f"matches did not end: {error!r}")
        if server.process.poll() is None and server.end() != 0:
            soak.problems.append("plyd did not end well")
        if "level=error" in server.text():
            soak.problems.append("an error in the log")
        print(", ".join(f"{count} {what}"
                        for what, count in soak.counts.items()))
        soak.problems += judge_memory(soak.memory)
        if options.plot:
            plot(soak.memory, options.plot)
        if soak.problems:
            print(server.text()[-4000:])
    for problem in soak.problems[:20]:
        print(problem)
    disturbed = soak.counts["kill"] + soak.counts["power cut"]
    if soak.problems or not disturbed or not soak.counts["acknowledged"]:
        sys.exit("failed")


if __name__ == "__main__":
    main()
