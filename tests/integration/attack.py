"""What the hostile tests share: raw connections that may say anything, a match
of well-behaved players that must not notice, and the bounds that hold."""
import asyncio
import pathlib
import random
import re
import socket
import struct
import time

import msgpack

from plyd import Client, Closed, Refused

HELLO = msgpack.packb([0, 1, "hello", [{"protocol": 1, "bot": True}]])
PING_ID = 777
PING = msgpack.packb([0, PING_ID, "ping", [{}]])

# What a server may grow by under any one of these attacks: at its peak, over
# what it had when the players sat down. 64 connections of one address hold 64
# KiB of an unfinished message and 64 KiB of unread answers each.
GROWTH_KIB = 24 * 1024
# A sanitizer keeps freed memory for a while.
GROWTH_SANITIZED_KIB = 512 * 1024
# What a good player may wait for an answer: nearly always, and ever.
LATENCY_S, LATENCY_MAX_S = 0.25, 3.0


def request(msgid, method, **params):
    return msgpack.packb([0, msgid, method, [params]])


def is_sanitized(build):
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text()
    return bool(re.search(r"^PLYD_SANITIZE:\w+=\S", cache, re.M))


class Raw:
    """A connection that sends bytes and collects messages."""

    def __init__(self, port, address="127.0.0.1", receive_bytes=0):
        self.messages = []
        self.ended = None  # "closed" or "reset"
        self.unpacker = msgpack.Unpacker(raw=False)
        self.socket = socket.socket()
        if receive_bytes:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF,
                                   receive_bytes)
        self.socket.bind((address, 0))
        self.socket.setblocking(False)
        self.port = port

    async def open(self, hello=False):
        await asyncio.get_running_loop().sock_connect(
            self.socket, ("127.0.0.1", self.port))
        if hello:
            await self.send(HELLO)
            await self.until(lambda: self.answer(1))
        return self

    async def send(self, data):
        """False: the server does not listen any more."""
        try:
            await asyncio.get_running_loop().sock_sendall(self.socket, data)
            return True
        except OSError:
            return False

    async def read(self, within=5.0):
        """Takes what comes next; False at the end, or if nothing came."""
        if self.ended:
            return False
        try:
            data = await asyncio.wait_for(
                asyncio.get_running_loop().sock_recv(self.socket, 65536),
                within)
        except asyncio.TimeoutError:
            return False
        except OSError:
            self.ended = "reset"
            return False
        if not data:
            self.ended = "closed"
            return False
        self.unpacker.feed(data)
        self.messages += list(self.unpacker)
        return True

    async def until(self, found, within=120.0):
        """Reads until found() is true or the connection ends."""
        end = time.monotonic() + within
        while not found() and not self.ended and time.monotonic() < end:
            await self.read(end - time.monotonic())
        return found()

    async def to_end(self, within=120.0):
        """Reads to the end of the connection; the name in `closing`."""
        await self.until(lambda: False, within)
        return self.closing()

    def closing(self):
        """The name in `closing`, if that was the last word."""
        last = self.messages[-1] if self.messages else None
        closing = last and last[0] == 2 and last[1] == "closing"
        return last[2][0]["name"] if closing else None

    def answer(self, msgid):
        for message in self.messages:
            if message[0] == 1 and message[1] == msgid:
                return message
        return None

    def error(self, msgid):
        """Name of the error that answers a request; None: a result."""
        return self.answer(msgid)[2][1] if self.answer(msgid)[2] else None

    async def lives(self):
        await self.send(PING)
        return await self.until(lambda: self.answer(PING_ID)) is not None

    def end_of_stream(self):
        self.socket.shutdown(socket.SHUT_WR)

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                               struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self):
        self.socket.close()

    async def __aenter__(self):
        return await self.open()

    async def __aexit__(self, *_):
        self.close()


class Bystanders:
    """Two good players, from an address of their own, who play one match after
    another and note how long every answer took."""

    def __init__(self, server, address="127.9.9.9"):
        self.server = server
        self.players = [Client(server.port, address=address)
                        for _ in range(2)]
        self.random = random.Random(20)
        self.waits = []
        self.moves = 0
        self.match = None

    async def call(self, player, method, **params):
        began = time.monotonic()
        answer = await player.call(method, **params)
        self.waits.append(time.monotonic() - began)
        return answer

    async def meet(self):
        black, white = self.players
        lobby = await self.call(black, "lobby.create", ruleset="english",
                                side="black", private=True, ready=True)
        await self.call(white, "lobby.join", code=lobby["code"], ready=True)
        self.match = None
        while not self.match:
            method, params = await white.note()
            if method == "match.started":
                self.match = params["match"]

    async def play(self):
        """Plays until it is cancelled."""
        for player in self.players:
            await player.connect()
        while True:
            await self.meet()
            seats = {"black": self.players[0], "white": self.players[1]}
            turn, over = "black", False
            while not over:
                look = await self.call(seats[turn], "match.get",
                                       match=self.match)
                over = look["state"] == "over"
                if not over:
                    await self.call(
                        seats[turn], "match.move", match=self.match,
                        ply=look["ply"],
                        move=self.random.choice(look["legal_moves"]))
                    self.moves += 1
                    turn = "white" if turn == "black" else "black"
                for player in self.players:
                    player.notes = asyncio.Queue()
                await asyncio.sleep(0.01)

    def judge(self):
        """What is wrong with how they were served since the last call."""
        waits, self.waits = sorted(self.waits), []
        moves, self.moves = self.moves, 0
        if not moves:
            return "no good player could move", ""
        usual = waits[len(waits) * 9 // 10]
        words = (f"{moves} moves, answers in {usual * 1000:.1f} ms, "
                 f"{waits[-1] * 1000:.0f} ms at most")
        late = usual > LATENCY_S or waits[-1] > LATENCY_MAX_S
        return "good players waited too long" if late else None, words


class Arena:
    """Runs attacks one after another beside the bystanders; after each the
    server stands, has not grown beyond the bound, and was there for all."""

    def __init__(self, server, build):
        self.server = server
        self.failures = []
        self.growth_kib = (GROWTH_SANITIZED_KIB if is_sanitized(build)
                           else GROWTH_KIB)

    async def run(self, attacks):
        self.others = Bystanders(self.server)
        playing = asyncio.create_task(self.others.play())
        await asyncio.sleep(0.7)
        start_kib = self.server.status("VmRSS")
        self.others.judge()
        for attack in attacks:
            began = time.monotonic()
            try:
                wrong = await attack(self)
            except (Closed, Refused, OSError, AssertionError,
                    asyncio.TimeoutError) as error:
                wrong = f"{type(error).__name__}: {error}"
            if playing.done():
                wrong = f"the good players were lost: {playing.exception()!r}"
            while not self.others.moves and not playing.done():
                await asyncio.sleep(0.05)
            late, words = self.others.judge()
            grown = self.server.status("VmHWM") - start_kib
            if grown > self.growth_kib:
                wrong = wrong or f"{grown} KiB more memory"
            wrong = wrong or late
            print(f"{'FAILED' if wrong else 'ok':6} {attack.__name__:28} "
                  f"{time.monotonic() - began:5.1f} s  +{grown} KiB  {words}"
                  f"{'  ' + wrong if wrong else ''}", flush=True)
            if wrong:
                self.failures.append(attack.__name__)
            if self.server.process.poll() is not None:
                self.failures.append("the server is gone")
                break
        # wait_for() loses a cancellation that meets an answer
        while not playing.done():
            playing.cancel()
            await asyncio.wait([playing], timeout=1)
        for player in self.others.players:
            await player.drop()
        return self.failures
