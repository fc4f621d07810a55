"""What the tests of ply's commands share: a server, ply's programs, and a
person at a pseudo-terminal. The test is called TEST BUILD SOURCE [NAME...]."""
import fcntl
import os
import pathlib
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

from plyd import Server

BUILD, SOURCE = map(pathlib.Path, sys.argv[1:3])
PLY = BUILD / "bin" / "ply"


def environment(folder, **extra):
    env = dict(os.environ, XDG_STATE_HOME=str(folder), PLY_LINE="1", **extra)
    env.pop("NO_COLOR", None)
    return env


class Terminal:
    """A program at a pseudo-terminal; what it writes is waited for in order.
    No wait is without a limit: a program that says something else, says no
    end of it or does not end is an error that shows what it said."""

    def __init__(self, *argv, env):
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], [str(a) for a in argv], env)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ,
                    struct.pack("HHHH", 50, 100, 0, 0))
        self.output = ""
        self.raw = b""

    def more(self, end):
        """Reads on; why not, if it ended or the time did."""
        left = end - time.monotonic()
        ready, _, _ = select.select([self.fd], [], [], max(left, 0))
        if left <= 0 or not ready:
            return "in time"
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side of the terminal was closed
            data = b""
        self.raw += data
        self.output += re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "",
                              data.decode("utf-8", "replace"))
        return None if data else "before the program ended"

    def expect(self, pattern, within=120):
        """Waits for a pattern; returns all up to its end, without colours."""
        end = time.monotonic() + within
        while True:
            found = re.search(pattern, self.output)
            if found:
                seen = self.output[:found.end()]
                self.output = self.output[found.end():]
                return seen
            why = self.more(end)
            if why:
                raise AssertionError(
                    f"no {pattern!r} {why}, but:\n{self.output}")

    def send(self, text):
        os.write(self.fd, text.encode())

    def wait(self, within=120):
        """The exit status, once all output was read."""
        end = time.monotonic() + within
        why = None
        while not why:
            why = self.more(end)
        while not self.is_gone():
            if time.monotonic() >= end:
                raise AssertionError(
                    f"the program did not end, it said:\n{self.output}")
            time.sleep(0.01)
        return self.status

    def is_gone(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def close(self):
        if not self.is_gone():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)


class Case(unittest.TestCase):
    settings = {}  # of the server: PLYD_ and the name in capitals

    @classmethod
    def setUpClass(cls):
        cls.server = Server(BUILD, SOURCE, **cls.settings)
        cls.server.start()

    @classmethod
    def tearDownClass(cls):
        cls.server.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="ply-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.env = environment(self.folder, TERM="xterm-256color")

    def address(self):
        return f"127.0.0.1:{self.server.port}"

    def ply(self, command, *arguments, status=0, **options):
        """Runs a command against the server; returns its output."""
        if command not in ("verify", "analyse"):
            arguments += ("--server", self.address())
        done = subprocess.run([PLY, command, *arguments], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.env, timeout=120, **options)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def terminal(self, *arguments, **extra):
        """ply with these arguments, at a terminal of its own."""
        t = Terminal(PLY, *arguments, env=dict(self.env, **extra))
        self.addCleanup(t.close)
        return t

    def program(self, *argv, **options):
        """A program in the background that does not outlive the test."""
        program = subprocess.Popen(argv, text=True, **options)
        self.addCleanup(self.end, program)
        return program

    @staticmethod
    def end(program):
        program.kill()
        with program:  # closes its pipes
            pass

    def ends(self, program, within=200):
        """What it wrote, once it has ended well."""
        try:
            output, errors = program.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            program.kill()
            output, errors = program.communicate()
            self.fail(f"{program.args[:3]} did not end, it said:\n"
                      f"{output}\n{errors}")
        self.assertEqual(program.returncode, 0, f"{output}\n{errors}")
        return output

    def bots(self, ruleset, matches, *kinds, first=0):
        """Starts bots that log to folder/0, folder/1, ... More than two of a
        ruleset should play one match each, else the last may be alone."""
        return [self.program(
            PLY, "bot", ruleset, "--matches", str(matches), "--log",
            self.folder / str(i), "--server", self.address(), *kind,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            for i, kind in enumerate(kinds, first)]

    def finish(self, bots):
        for bot in bots:
            self.ends(bot)

    def leave_after_the_end(self, t):
        """Who is at a terminal may have a rematch: it ends when he says so."""
        t.expect("`rematch' plays again with sides swapped, `quit' leaves")
        t.send("quit\r")
        self.assertEqual(t.wait(), 0)


def main():
    unittest.main(module="__main__", argv=[sys.argv[0], *sys.argv[3:]],
                  verbosity=2)
