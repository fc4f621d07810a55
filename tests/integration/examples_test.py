"""The examples for bot authors, against a real server: each plays a whole match,
and another through haproxy with TLS. What is not installed here is skipped.
Usage: examples_test.py BUILD SOURCE [TEST ...]"""
import itertools
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

import ply_case
from ply_case import BUILD, SOURCE, Case
from tls import Proxy

EXAMPLES = SOURCE.resolve() / "docs" / "examples"
WHY = "verif|does not match"  # it cannot be trusted
LINES_UNTIL_WHY = 20
GNUBG = pathlib.Path("/usr/games/gnubg")


def sanitizers():
    cache = (BUILD / "CMakeCache.txt").read_text()
    found = re.search(r"^PLYD_SANITIZE:\w+=(\S+)", cache, re.M)
    return ["-fsanitize=" + found.group(1)] if found else []


def compiler():
    cache = (BUILD / "CMakeCache.txt").read_text()
    return re.search(r"^CMAKE_C_COMPILER:\w+=(\S+)", cache, re.M).group(1)


def node_finds_its_package():
    node = shutil.which("node")
    return node and not subprocess.run(
        [node, "--input-type=module", "--eval",
         'await import("@msgpack/msgpack")'],
        cwd=EXAMPLES, stderr=subprocess.DEVNULL, check=False).returncode


class Examples(Case):
    def example(self, *argv, **options):
        return self.program(*argv, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT,
                            stdin=subprocess.DEVNULL, **options)

    def installed(self):
        """The library for others, as it is installed; its pkg-config path."""
        prefix = self.folder / "installed"
        subprocess.run(["cmake", "--install", BUILD, "--component", "development",
                        "--prefix", prefix], check=True, capture_output=True)
        return next(prefix.rglob("plyd.pc")).parent

    def bot_in_c(self):
        """bot.c, compiled as docs/bots.md says."""
        path = self.installed()
        flags = subprocess.run(
            ["pkg-config", "--cflags", "--libs", "plyd", "openssl"], check=True,
            env=dict(os.environ, PKG_CONFIG_PATH=str(path)),
            capture_output=True, text=True).stdout.split()
        subprocess.run(
            [compiler(), "-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra",
             "-Wpedantic", "-Werror", *sanitizers(), "-o", self.folder / "bot",
             EXAMPLES / "bot.c", *flags], check=True)
        return self.folder / "bot"


class ExamplesTest(Examples):
    def plays_on_after_a_crash(self, bot):
        """The server dies under a bot that has begun to play."""
        said = [bot.stdout.readline() for _ in range(4)]
        self.server.end(signal.SIGKILL)
        self.server.start()
        said = "".join(said) + self.ends(bot)
        self.assertRegex(said, r"result: (white|black|draw) \w+")
        return said

    def test_c(self):
        self.plays_on_after_a_crash(self.example(
            self.bot_in_c(), self.address(), "hypergammon", "bold"))

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


@unittest.skipUnless(shutil.which("haproxy"), "no haproxy")
class TlsTest(Examples):
    settings = {"listen_proxies": "127.0.0.1"}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.proxy = Proxy(cls.server, SOURCE)

    @classmethod
    def tearDownClass(cls):
        cls.proxy.__exit__()
        super().tearDownClass()

    def start(self, bot, host, trust):
        """A bot, told of [tls://]HOST, that trusts the authority or not."""
        environment = dict(os.environ)
        environment.pop("SSL_CERT_FILE", None)
        if trust:
            environment["SSL_CERT_FILE"] = str(self.proxy.folder / "ca.pem")
        words = [f"tls://{host}:{self.proxy.port}" if word == "SERVER" else word
                 for word in bot]
        return self.example(*words, env=environment)

    def speaks_tls(self, *bot):
        """It plays a match; and says no word to whom it cannot trust."""
        said = self.ends(self.start(bot, "localhost", True))
        self.assertRegex(said, r"result: (white|black|draw) \w+")
        for host, trust in ("localhost", False), ("127.0.0.1", True):
            program = self.start(bot, host, trust)
            said = ""
            for line in itertools.islice(program.stdout, LINES_UNTIL_WHY):
                said += line
                if re.search(WHY, line):
                    break
            self.end(program)
            self.assertRegex(said, WHY, f"{host}, {trust}")
            self.assertNotIn("result:", said)

    def test_c(self):
        self.speaks_tls(self.bot_in_c(), "SERVER", "hypergammon", "bold")

    def test_python(self):
        self.speaks_tls("/usr/bin/python3", EXAMPLES / "bot.py", "hypergammon",
                        "bold", "--server", "SERVER")

    @unittest.skipUnless(node_finds_its_package(), "no Node.js, or no package")
    def test_node(self):
        self.speaks_tls("node", EXAMPLES / "bot.mjs", "hypergammon", "bold",
                        "SERVER")

    def test_perl(self):
        self.speaks_tls(EXAMPLES / "bot.pl", "hypergammon", "bold", "SERVER")

    @unittest.skipUnless(shutil.which("nvim"), "no Neovim")
    def test_neovim(self):
        self.speaks_tls("nvim", "--headless", "-u", "NONE", "-S",
                        EXAMPLES / "nvim.lua", "SERVER", "hypergammon", "bold")


if __name__ == "__main__":
    ply_case.main()
