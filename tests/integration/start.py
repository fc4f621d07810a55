"""How plyd starts, refuses to start, and ends.

  start.py BUILD SOURCE [TEST ...]"""
import asyncio
import json
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

from plyd import Client, Server


class Refusal:
    """A plyd that must not start: its status and words."""

    def __init__(self, server, *arguments, **environment):
        done = subprocess.run(
            [server.plyd, *arguments], capture_output=True, text=True,
            timeout=120, env=environment or None, cwd=server.folder.name)
        self.status, self.words = done.returncode, done.stderr + done.stdout

    def wrong(self, *wanted):
        """What is missing in it."""
        if self.status != 1:
            return f"status {self.status}: {self.words}"
        for word in wanted:
            if str(word) not in self.words:
                return f"'{word}' is not in: {self.words}"
        if self.words.count("plyd: ") != 1:
            return f"not one clear line: {self.words}"
        return None


def usual(server, data=None, port=0):
    return ["--config", server.config, "--data", data or server.data,
            "--listen", f"127.0.0.1:{port}"]


def start_line(server):
    line = server.start()
    if not re.fullmatch(r"plyd \d+\.\d+\.\d+ listens on 127\.0\.0\.1:"
                        rf"{server.port}, data in {server.data} .*\n", line):
        return line
    return None


def port_taken(server):
    server.start()
    other = pathlib.Path(server.folder.name) / "other"
    return Refusal(server, *usual(server, other, server.port)).wrong(
        server.port, "in use")


def data_locked(server):
    server.start()
    wrong = Refusal(server, *usual(server)).wrong(server.data, "another plyd")
    if server.process.poll() is not None:
        wrong = "the first plyd died of it"
    return wrong


def nothing_to_read(server):
    """Started far from any scripts: what is missed is said by its name."""
    if pathlib.Path("/etc/plyd/plyd.lua").exists():
        return None
    done = subprocess.run([server.plyd, "--check-config"], cwd="/",
                          capture_output=True, text=True, timeout=120)
    wanted = "there is no scripts/plyd.lua here"
    return None if wanted in done.stderr else done.stdout + done.stderr


def configuration_refused(server):
    """Each mistake is refused with the file and the name in it."""
    path = pathlib.Path(server.folder.name) / "mistake.lua"
    table = [("return { lisen = {} }", ["lisen"]),
             ("return { limits = { conections = 5 } }", ["conections"]),
             ("return { listen = { port = 70000 } }",
              ["listen.port", "70000", "65535"]),
             ("return { log = { level = 'loud' } }", ["log.level", "info"]),
             ("return {\n\n listen = { }", ["mistake.lua:3"]),
             ("return os.exit(1)", ["mistake.lua:1"]),
             ("while true do end", ["mistake.lua"]),
             ("\x1bLua", ["mistake.lua"]),
             ("", ["mistake.lua"])]
    for text, words in table:
        path.write_text(text)
        for more in ([], ["--check-config"]):
            wrong = Refusal(server, "--config", path, "--data", server.data,
                            *more).wrong(*words)
            if wrong:
                return f"{text}: {wrong}"
    return (Refusal(server, "--config", "/nowhere.lua").wrong("/nowhere.lua")
            or nothing_to_read(server)
            or Refusal(server, *usual(server, port="x")).wrong("--listen")
            or Refusal(server, *usual(server), PLYD_LISTEN_PORT="high")
            .wrong("PLYD_LISTEN_PORT"))


def check_config(server):
    done = subprocess.run([server.plyd, "--check-config", "--config",
                           server.config, "--data", server.data],
                          capture_output=True, text=True, timeout=120)
    if done.returncode or "can be used" not in done.stdout:
        return done.stdout + done.stderr
    return "it made the data directory" if server.data.exists() else None


def version(server):
    for option, word in (("--version", "plyd "), ("--help", "--config")):
        done = subprocess.run([server.plyd, option], capture_output=True,
                              text=True, timeout=120)
        if done.returncode or word not in done.stdout:
            return f"{option}: {done.returncode} {done.stdout}"
    return None


def make_data(server):
    server.start()
    async def sit():
        client = Client(server.port)
        await client.connect()
        await client.call("lobby.create", ruleset="english")
        await client.drop()
    asyncio.run(sit())
    server.end()


def unchanged(server, before):
    return (server.data / "plyd.db").read_bytes() == before


def damaged(server):
    """A damaged file is refused, and left as it is."""
    make_data(server)
    path = server.data / "plyd.db"
    whole = path.read_bytes()
    for what, data in (("head", b"x" * 100 + whole[100:]),
                       ("pages", whole[:4096] + b"\xa5" * 8192 +
                        whole[12288:]),
                       ("half", whole[:len(whole) // 2]),
                       ("no database", b"hello\n" * 1000)):
        path.write_bytes(data)
        wrong = Refusal(server, *usual(server)).wrong(path)
        if wrong or not unchanged(server, data):
            return f"{what}: {wrong or 'the file was changed'}"
    path.write_bytes(whole)
    server.start()
    return None


def newer(server):
    make_data(server)
    path = server.data / "plyd.db"
    database = sqlite3.connect(path)
    now = database.execute("PRAGMA user_version").fetchone()[0]
    database.execute(f"PRAGMA user_version = {now + 1}")
    database.commit()
    database.close()
    before = path.read_bytes()
    wrong = Refusal(server, *usual(server)).wrong(path, "newer")
    return wrong or (None if unchanged(server, before) else "it was changed")


def nowhere_to_write(server):
    file = pathlib.Path(server.folder.name) / "file"
    file.write_text("")
    for data, named in ((file / "data", file), ("/proc/plyd", "/proc/plyd"),
                        (file, file)):
        wrong = Refusal(server, *usual(server, data)).wrong(named)
        if wrong:
            return wrong
    return None


def no_worker(server):
    path = pathlib.Path(server.folder.name) / "alone"
    path.mkdir()
    shutil.copy(server.plyd, path)
    done = subprocess.run([path / "plyd", *usual(server)],
                          capture_output=True, text=True, timeout=120)
    good = done.returncode == 1 and "plyd-script" in done.stderr
    return None if good else done.stderr


async def sit_down(server):
    """A match that has begun, with some time on the clock gone."""
    black, white = Client(server.port), Client(server.port)
    for client in (black, white):
        await client.connect()
    lobby = await black.call("lobby.create", ruleset="english", side="black",
                             ready=True, base_ms=60000, increment_ms=0)
    await white.call("lobby.join", lobby=lobby["lobby"], ready=True)
    method, params = await white.note()
    while method != "match.started":
        method, params = await white.note()
    match = params["match"]
    await asyncio.sleep(0.6)
    look = await black.call("match.get", match=match)
    await black.call("match.move", match=match, ply=0,
                     move=look["legal_moves"][0])
    await white.call("ping")
    return black, white, match


def ends(server, number):
    """SIGTERM: clients are told, the match goes on after the restart, and the
    time in between is nobody's."""
    server.start()

    async def before():
        black, white, match = await sit_down(server)
        look = await white.call("match.get", match=match)
        server.process.send_signal(number)
        await asyncio.gather(black.task, white.task)
        names = [c.closing and c.closing["name"] for c in (black, white)]
        return black, white, match, look, names

    async def after(black, white, match):
        await white.connect()
        looks = [await white.call("match.watch", match=match)]
        await asyncio.sleep(0.5)
        looks.append(await white.call("match.get", match=match))
        await white.call("match.move", match=match, ply=1,
                         move=looks[1]["legal_moves"][0])
        await black.connect()
        looks.append(await black.call("match.watch", match=match))
        await white.drop()
        await black.drop()
        return white.welcome, looks

    black, white, match, old, names = asyncio.run(before())
    if names != ["shutting_down"] * 2:
        return f"clients were told {names}"
    status = server.process.wait(120)
    server.process.stdout.close()
    if status != 0:
        return f"exit status {status}"
    time.sleep(1.5)
    server.start()
    welcome, looks = asyncio.run(after(black, white, match))
    if not welcome["resumed"] or welcome["matches"] != [match]:
        return f"welcome {welcome}"
    new, later, end = looks
    if (new["ply"], new["position"]) != (1, old["position"]):
        return f"the position is {new['position']}"
    white_ms = old["clock"]["white_ms"]
    if new["clock"]["black_ms"] != old["clock"]["black_ms"]:
        return f"black's clock {old['clock']} became {new['clock']}"
    if not 58500 <= old["clock"]["black_ms"] <= 59500:
        return f"black's 600 ms cost {60000 - old['clock']['black_ms']}"
    if not white_ms - 300 <= new["clock"]["white_ms"] <= 60000:
        return f"white's clock {white_ms} became {new['clock']}"
    spent = new["clock"]["white_ms"] - later["clock"]["white_ms"]
    if not 350 <= spent <= 1500:
        return f"after the restart 500 ms cost {spent}"
    return None if end["ply"] == 2 else f"ply {end['ply']}"


def sigterm(server):
    return ends(server, signal.SIGTERM)


def sigint(server):
    return ends(server, signal.SIGINT)


def sighup(server):
    server.start()

    async def through():
        black, white, match = await sit_down(server)
        server.process.send_signal(signal.SIGHUP)
        await asyncio.sleep(0.2)
        look = await white.call("match.get", match=match)
        await white.drop()
        await black.drop()
        return look["state"]
    state = asyncio.run(through())
    if state != "playing" or server.process.poll() is not None:
        return f"match {state}, status {server.process.poll()}"
    return None if server.end() == 0 else "it did not end well"


def sigterm_with_deaf_clients(server):
    """Who does not read does not keep it from ending."""
    server.start()
    raws = [socket.create_connection(("127.0.0.1", server.port))
            for _ in range(20)]
    time.sleep(0.3)
    began = time.monotonic()
    status = server.end()
    took = time.monotonic() - began
    for raw in raws:
        raw.close()
    return None if status == 0 and took < 6 else f"{status} after {took:.1f} s"


def sigint_in_a_hurry(server):
    """A second signal ends it at once, and as well. Sanitizers see more."""
    server.start()
    raws = [socket.create_connection(("127.0.0.1", server.port))
            for _ in range(20)]
    time.sleep(0.3)
    began = time.monotonic()
    server.process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    status = server.end(signal.SIGINT)
    took = time.monotonic() - began
    for raw in raws:
        raw.close()
    return None if status == 0 and took < 2 else f"{status} after {took:.1f} s"


async def first_ids(port, name="Ann"):
    """What a server draws first: ids and a commitment to dice."""
    ann = Client(port, name)
    await ann.connect()
    lobby = await ann.call("lobby.create", ruleset="backgammon", ready=True,
                           personality="gentle")
    shown = await ann.call("match.get", match=lobby["match"])
    await ann.drop()
    return ann.welcome["player"]["id"], ann.token, lobby["match"], \
        shown["dice_commitment"]


def development(server):
    """--dev: the same from the start each time, but not after a restart, and
    never for others."""
    server.arguments = ["--dev"]
    drawn = []
    for folder, name in ("one", "Ann"), ("two", "Ann"), ("two", "Bob"):
        server.data = pathlib.Path(server.folder.name) / folder
        server.start()
        drawn.append(asyncio.run(first_ids(server.port, name)))
        server.end()
    words = server.text()
    if "*** --dev: for development only" not in words:
        return f"it is not said: {words}"
    if drawn[0] != drawn[1]:
        return f"not the same: {drawn}"
    if any(a == b for a, b in zip(drawn[1], drawn[2])):
        return f"the same again: {drawn}"
    server.arguments = []
    server.data = pathlib.Path(server.folder.name) / "three"
    server.start()
    if asyncio.run(first_ids(server.port)) == drawn[0]:
        return "the same without --dev"
    return Refusal(server, "--config", server.config, "--dev", "--listen",
                   "0.0.0.0:0").wrong("--dev", "this machine only")


def service_manager(server):
    """It is told when plyd serves, and when it stops."""
    place = pathlib.Path(server.folder.name) / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(place))
        manager.settimeout(20)
        server.start(NOTIFY_SOCKET=str(place))
        told = manager.recv(1000).decode()
        if "READY=1" not in told.split("\n"):
            return f"at the start: {told}"
        server.process.send_signal(signal.SIGTERM)
        told = manager.recv(1000).decode()
        if "STOPPING=1" not in told.split("\n"):
            return f"at the end: {told}"
        if server.process.wait(120):
            return "its status is not 0"
    for nonsense in ("relative", "/" + "x" * 200, "@", str(place)):
        server.start(NOTIFY_SOCKET=nonsense)
        if server.end():
            return f"NOTIFY_SOCKET={nonsense}"


def print_config(server):
    """What is printed is what holds, with where it came from."""
    done = subprocess.run(
        [server.plyd, *usual(server), "--print-config", "--json"],
        capture_output=True, text=True, timeout=120,
        env={"PLYD_LIMITS_PLAYERS": "77"})
    told = json.loads(done.stdout)
    line = 1 + server.config.read_text().split("\tconnections = ")[0].count(
        "\n")
    wanted = {"limits.players": (77, "environment"),
              "data.directory": (str(server.data), "option"),
              "limits.connections": (10000, f"{server.config}:{line}")}
    for name, (value, origin) in wanted.items():
        if (told[name]["value"], told[name]["from"]) != (value, origin):
            return f"{name}: {told[name]}"
    return None


TESTS = [start_line, development, service_manager, print_config, port_taken, data_locked, configuration_refused,
         check_config, version, damaged, newer, nowhere_to_write, no_worker,
         sigterm, sigint, sighup, sigterm_with_deaf_clients,
         sigint_in_a_hurry]


def main():
    build, source, *only = sys.argv[1:]
    failures = []
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        with Server(build, source) as server:
            began = time.monotonic()
            try:
                wrong = test(server)
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                wrong = f"{type(error).__name__}: {error}"
            print(f"{'FAILED' if wrong else 'ok':6} {test.__name__:28} "
                  f"{time.monotonic() - began:5.1f} s  {wrong or ''}",
                  flush=True)
            if wrong:
                failures.append(test.__name__)
                print(server.text()[-2000:])
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
