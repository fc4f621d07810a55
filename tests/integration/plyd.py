"""A plyd under test, and a small client of its own for it: written from
docs/protocol.md, with Debian's python3-msgpack. Not an example to copy: see
docs/examples for those."""
import asyncio
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

import msgpack

# What a test waits for before it calls something lost: long, for a machine may
# be ten times as slow as the one it was written on.
PATIENCE_S = 120

# How much longer than plyd allows something may take because the machine is
# busy. The tests only tell a hang from that; `make bench` is strict.
MACHINE_S = float(os.environ.get("PLYD_TEST_MACHINE_S", "15"))


class Server:
    """One data directory, and a plyd on it that may be killed and started
    again on the same port."""

    def __init__(self, build, source, **settings):
        self.plyd = pathlib.Path(build).resolve() / "bin" / "plyd"
        self.source = pathlib.Path(source).resolve()
        self.folder = tempfile.TemporaryDirectory(prefix="plyd-test-")
        self.data = pathlib.Path(self.folder.name) / "data"
        self.log = open(pathlib.Path(self.folder.name) / "log", "w+")
        self.settings = settings
        self.config = self.source / "scripts" / "plyd.lua"
        self.arguments = []
        self.wrapper = []  # a command that runs plyd, such as prlimit
        self.port = 0
        self.process = None

    def start(self, **extra):
        environment = {**os.environ, "PLYD_HTTP_PORT": "0", **extra}
        for name, value in self.settings.items():
            environment["PLYD_" + name.upper()] = str(value)
        self.process = subprocess.Popen(
            [*self.wrapper, self.plyd, "--config", self.config,
             "--listen", f"127.0.0.1:{self.port}", "--data", self.data,
             *self.arguments],
            stdout=subprocess.PIPE, stderr=self.log, env=environment,
            text=True)
        line = self.process.stdout.readline()
        found = re.search(r"listens on \S+:(\d+)", line)
        if not found:
            self.process.wait()
            raise RuntimeError(f"plyd did not start: {line}{self.text()}")
        self.port = int(found.group(1))
        watched = re.search(r"metrics at \S+:(\d+)", line)
        self.http_port = int(watched.group(1)) if watched else None
        return line

    def text(self):
        self.log.flush()
        return pathlib.Path(self.log.name).read_text()

    def status(self, key):
        """A number of /proc/PID/status, such as VmRSS in KiB."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"^{key}:\s+(\d+)", text, re.M).group(1))

    def cpu_seconds(self):
        """Time that the process has spent on a processor."""
        text = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = text.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self, number=signal.SIGTERM, within=PATIENCE_S):
        """Ends it by a signal; returns its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(within)
        self.process.stdout.close()
        return status

    def close(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self.process:
            self.process.stdout.close()
        self.log.close()
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Refused(Exception):
    """An error answer: code, name, message, details."""

    def __init__(self, error):
        super().__init__(f"{error[1]}: {error[2]}")
        self.code, self.name, self.message, self.details = error


class Closed(Exception):
    """The connection ended."""


class Client:
    """One connection after another for one player; calls wait for answers."""

    def __init__(self, port, name=None, bot=True, address="127.0.0.1"):
        self.port, self.name, self.bot = port, name, bot
        self.address = address  # from which it connects
        self.tls = {}  # for asyncio.open_connection()
        self.way = {}  # of getting in without a token: login and password
        self.token = None
        self.login = {}  # login and password, without a token
        self.welcome = None
        self.writer = None
        self.msgid = 0
        self.waiting = {}
        self.notes = asyncio.Queue()
        self.closing = None

    async def connect(self):
        """Connects and says hello; resumes with the newest token."""
        await self.drop()
        self.closing = None
        self.notes = asyncio.Queue()
        try:
            reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, local_addr=(self.address, 0),
                **self.tls)
        except OSError as error:
            raise Closed(str(error)) from error
        self.task = asyncio.create_task(self.read(reader))
        hello = {"protocol": 1, "bot": self.bot}
        if self.token:
            hello["token"] = self.token
        elif self.login:
            hello = {"protocol": 1, **self.login}
        elif self.name:
            hello["name"] = self.name
        if not self.token:
            hello |= self.way
        self.welcome = await self.call("hello", **hello)
        self.token = self.welcome["token"]
        return self.welcome

    async def read(self, reader):
        unpacker = msgpack.Unpacker(raw=False)
        try:
            while True:
                data = await reader.read(65536)
                if not data:
                    break
                unpacker.feed(data)
                for message in unpacker:
                    self.on_message(message)
        except OSError:
            pass
        for future in self.waiting.values():
            if not future.done():
                future.set_exception(Closed("connection ended"))
        self.waiting.clear()
        self.writer.close()
        self.notes.put_nowait(None)

    def on_message(self, message):
        if message[0] == 1:
            future = self.waiting.pop(message[1], None)
            if future and not future.done():
                if message[2] is None:
                    future.set_result(message[3])
                else:
                    future.set_exception(Refused(message[2]))
        elif message[1] == "closing":
            self.closing = message[2][0]
        else:
            self.notes.put_nowait((message[1], message[2][0]))

    async def call(self, method, **params):
        if not self.writer or self.writer.is_closing():
            raise Closed("not connected")
        self.msgid += 1
        future = asyncio.get_running_loop().create_future()
        self.waiting[self.msgid] = future
        self.writer.write(msgpack.packb([0, self.msgid, method, [params]]))
        try:
            return await asyncio.wait_for(future, PATIENCE_S)
        except OSError as error:
            raise Closed(str(error)) from error

    async def note(self, within=PATIENCE_S):
        """The next notification as (method, params)."""
        note = await asyncio.wait_for(self.notes.get(), within)
        if note is None:
            raise Closed("connection ended")
        return note

    async def drop(self):
        """Cuts the connection without a word."""
        if self.writer:
            self.writer.transport.abort()
            await self.task
            self.writer = None


async def until(condition, seconds=PATIENCE_S, step=0.02):
    """Waits for a condition that other things make true."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(condition)
        await asyncio.sleep(step)
