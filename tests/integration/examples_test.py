"""The examples for bot authors, against a real server: each plays a whole match.
What is not installed here is skipped. Usage: examples_test.py BUILD SOURCE"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import ply_case
from ply_case import BUILD, SOURCE, Case

EXAMPLES = SOURCE.resolve() / "docs" / "examples"
GNUBG = pathlib.Path("/usr/games/gnubg")


def sanitizers():
    cache = (BUILD / "CMakeCache.txt").read_text()
    found = re.search(r"^PLYD_SANITIZE:\w+=(\S+)", cache, re.M)
    return ["-fsanitize=" + found.group(1)] if found else []


def compiler():
    cache = (BUILD / "CMakeCache.txt").read_text()
    return re.search(r"^CMAKE_C_COMPILER:\w+=(\S+)", cache, re.M).group(1)


class ExamplesTest(Case):
    def example(self, *argv, **options):
        return self.program(*argv, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL, **options)

    def plays_on_after_a_crash(self, bot):
        """The server dies under a bot that has begun to play."""
        said = [bot.stdout.readline() for _ in range(4)]
        self.server.end(signal.SIGKILL)
        self.server.start()
        said = "".join(said) + self.ends(bot)
        self.assertRegex(said, r"result: (white|black|draw) \w+")
        return said

    def installed(self):
        """The library for others, as it is installed; its pkg-config path."""
        prefix = self.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--component", "development",
                        "--prefix", prefix], check=True, capture_output=True)
        return next(prefix.rglob("plyd.pc")).parent

    def test_c(self):
        path = self.installed()
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "plyd"], check=True,
            env=dict(os.environ, PKG_CONFIG_PATH=str(path)),
            capture_output=True, text=True).stdout.split()
        subprocess.run(
            [compiler(), "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra",
             "-Wpedantic", "-Werror", *sanitizers(), "-o", self.folder / "bot",
             EXAMPLES / "bot.c", *flags], check=True)
        self.plays_on_after_a_crash(self.example(
            self.folder / "bot", "127.0.0.1", str(self.server.port),
            "hypergammon", "bold"))

    @unittest.skipUnless(shutil.which("nvim"), "no Neovim")
    def test_neovim(self):
        said = self.plays_on_after_a_crash(self.example(
            "nvim", "--headless", "-u", "NONE", "-S", EXAMPLES / "nvim.lua",
            self.address(), "hypergammon", "bold"))
        self.assertIn("connection lost", said)

    def test_perl(self):
        self.plays_on_after_a_crash(self.example(
            EXAMPLES / "bot.pl", "hypergammon", "bold", self.address()))

    def test_hub(self):
        """An engine of its own, with a generator of its own, never plays what
        the server would refuse."""
        engine = SOURCE.resolve() / "tests" / "integration" / "hub_engine.py"
        bots = [self.example(
            "/usr/bin/python3", EXAMPLES / "bridges/hub.py", "english", "bold",
            "--engine", f"/usr/bin/python3 {engine} {seed}", "--server",
            self.address()) for seed in (1, 2)]
        for bot in bots:
            self.assertRegex(self.ends(bot),
                             r"result: \w+ (white|black|draw) \w+")

    def gnubg(self, matches, *options):
        """gnubg plays matches against a personality; every move it makes is
        legal, and every record is good."""
        bot = self.example("/usr/bin/python3", EXAMPLES / "bridges/gnubg.py",
                           "bold", "--matches", str(matches), *options,
                           "--server", self.address())
        said = self.ends(bot, within=1700)
        played = re.findall(r"^result: (\w+) (?:white|black)", said, re.M)
        self.assertEqual(len(played), matches, said)
        for match in played:
            record = self.folder / match
            self.ply("record", match, "-o", record)
            self.assertIn(": good: backgammon", self.ply("verify", record))
        return said

    @unittest.skipUnless(GNUBG.exists(), "no GNU Backgammon")
    def test_gnubg(self):
        self.gnubg(1, "--length", "1")

    @unittest.skipUnless(GNUBG.exists(), "no GNU Backgammon")
    def ten_of_gnubg(self):
        print(self.gnubg(10, "--length", "3"))

    def test_are_short(self):
        for path in EXAMPLES.rglob("*"):
            if path.suffix in (".c", ".h", ".py", ".mjs", ".lua", ".pl"):
                self.assertLess(len(path.read_text().splitlines()), 150, path)


if __name__ == "__main__":
    ply_case.main()
