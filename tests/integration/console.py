"""The operator's console: `ply admin` against a real server.

  console.py BUILD SOURCE [TEST ...]"""
import asyncio
import json
import os
import pathlib
import signal
import sqlite3
import stat
import subprocess
import sys
import time

import msgpack

from plyd import Client, Closed, Refused, Server, until


class Console:
    """`ply admin` on the socket of a server."""

    def __init__(self, server, build):
        self.ply = pathlib.Path(build).resolve() / "bin" / "ply"
        self.socket = server.data / "admin.sock"

    def run(self, *words, **options):
        return subprocess.run(
            [self.ply, "admin", "--socket", self.socket, *words],
            capture_output=True, text=True, timeout=120, **options)

    def json(self, *words):
        done = self.run("--json", *words)
        if done.returncode:
            raise RuntimeError(f"{words}: {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


def refusals(server, console):
    """Exit codes and words when it cannot be asked, or is refused."""
    server.data.mkdir()
    done = console.run("status")
    if done.returncode != 2 or "admin.sock" not in done.stderr or \
            "data directory" not in done.stderr:
        return f"no socket: {done.returncode} {done.stderr}"
    server.start()
    mode = stat.S_IMODE(os.stat(console.socket).st_mode)
    if mode != 0o600:
        return f"mode {mode:o}"
    done = console.run("kick", "aaaaaaaaaa")
    if done.returncode != 1 or "no such player" not in done.stderr:
        return f"refused: {done.returncode} {done.stderr}"
    for words in (["kick"], ["nonsense"], ["match", "a", "b"], [],
                  ["shutdown", "soon"]):
        done = console.run(*words)
        if done.returncode != 2 and words != []:
            return f"usage {words}: {done.returncode} {done.stderr}"
        if not done.stderr:
            return f"usage {words}: no word"
    if os.getuid() != 0:
        return None
    done = console.run("status", user="nobody", group="nogroup",
                       extra_groups=[])
    if done.returncode != 2 or "permission denied" not in done.stderr:
        return f"another user: {done.returncode} {done.stderr}"
    return None


async def a_day(server, console):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="english", side="white",
                           ready=True)
    lobby = await bob.call("lobby.join", lobby=lobby["lobby"], ready=True)
    match = lobby["match"]
    words = console.run("players").stdout
    if "Ann" not in words or "127.0.0.1" not in words:
        return f"players: {words}"
    words = console.run("matches").stdout
    if match not in words or "playing" not in words:
        return f"matches: {words}"
    if console.json("match", match)["ruleset"] != "english":
        return "match"
    for words in (["say", "a\x1b[2Jb"], ["say", "a\u202eb"],
                  ["shutdown", "1h", "a\nb"], ["kick", "aaaaaaaaaa", "\x07"],
                  ["end", match, "draw", "a\u2066b"],
                  ["clock", match, "white", "10s", "a\u2028b"],
                  ["ban", "aaaaaaaaaa", "1h", "\u202d"], ["say", "  "]):
        done = console.run(*words)
        if done.returncode != 1 or "control characters" not in done.stderr:
            return f"{words}: {done}"
    console.json("say", "dinner", "is", "ready")
    console.json("end", match, "draw", "it", "is", "late")
    shown = await ann.call("match.get", match=match)
    if shown["result"]["reason"] != "operator" or \
            shown["result"]["text"] != "it is late":
        return f"end: {shown['result']}"
    record = await ann.call("record.get", match=match)
    if not record["facts"]:
        return "no record"
    bob_id = bob.welcome["player"]["id"]
    console.json("kick", bob_id, "rude")
    for _ in range(100):
        if bob.closing:
            break
        await asyncio.sleep(0.02)
    if not bob.closing or bob.closing["name"] != "kicked":
        return f"kick: {bob.closing}"
    await bob.connect()  # a kick is no ban
    acts = console.json("audit")["acts"]
    if [act["act"] for act in acts] != ["kick", "end_match", "say"]:
        return f"audit: {acts}"
    if acts[0]["target"] != bob_id or acts[2]["text"] != "dinner is ready":
        return f"audit: {acts}"
    if abs(acts[0]["at_unix_ms"] / 1000 - time.time()) > 60:
        return f"audit: at {acts[0]['at_unix_ms']}"
    for act in ("act=kick", "act=end_match", "act=say"):
        if act not in server.text():
            return f"{act} is not in the log"
    await ann.drop()
    await bob.drop()
    return None


def day(server, console):
    server.start()
    return asyncio.run(a_day(server, console))


def trail_survives(server, console):
    """The audit trail outlives a crash; the socket of the dead is replaced."""
    server.start()
    console.json("say", "one")
    server.end(signal.SIGKILL)
    if not console.socket.exists():
        return "the socket of a killed server is gone?"
    if console.run("status").returncode != 2:
        return "somebody answers for the dead"
    server.start()
    console.json("say", "two")
    texts = [act["text"] for act in console.json("audit")["acts"]]
    if texts != ["two", "one"]:
        return f"audit: {texts}"
    server.end()
    if console.socket.exists():
        return "the socket is left behind"
    server.start()
    texts = [act["text"] for act in console.json("audit")["acts"]]
    return None if texts == ["two", "one"] else f"audit: {texts}"


async def banning(server, console):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    await ann.connect()
    console.json("ban", ann.welcome["player"]["id"], "1h", "cool", "down")
    for _ in range(100):
        if ann.closing:
            break
        await asyncio.sleep(0.02)
    if not ann.closing or ann.closing["name"] != "banned":
        return f"a banned player stays: {ann.closing}"
    number = console.json("ban-address", "127.0.0.2/31")["audit"]
    for kill in (signal.SIGKILL, signal.SIGTERM):
        try:
            await ann.connect()
            return "a banned player comes in"
        except Refused as refused:
            if refused.name != "banned" or refused.message != "cool down" or \
                    not refused.details["until_unix_ms"]:
                return f"{refused.name} {refused.message} {refused.details}"
        near = Client(server.port, address="127.0.0.3")
        try:
            await near.connect()
            return "a banned address comes in"
        except (Closed, OSError):
            pass
        if not near.closing or near.closing["name"] != "banned":
            return f"no word to a banned address: {near.closing}"
        await bob.connect()  # the operator's own loopback is not in it
        server.end(kill)
        server.start()
    words = console.run("bans").stdout
    if "127.0.0.2/31" not in words or "cool down" not in words:
        return f"bans: {words}"
    console.json("unban", str(number))
    await near.connect()
    return None


def bans(server, console):
    server.start()
    return asyncio.run(banning(server, console))


async def stopping(server, console):
    ann = Client(server.port, "Ann")
    await ann.connect()
    console.json("shutdown", "1h", "later")
    console.json("keep")
    console.json("shutdown", "1s", "now")
    kinds = []
    while len(kinds) < 3:
        name, params = await asyncio.wait_for(ann.notes.get(), 5)
        if name == "server.notice":
            kinds.append(params["kind"])
    if kinds != ["shutdown", "cancelled", "shutdown"]:
        return f"notices: {kinds}"
    if not console.json("status")["draining"]:
        return "it does not drain"
    status = await asyncio.to_thread(server.process.wait, 10)
    if status != 0:
        return f"status {status}"
    return None


def scripts(server, console):
    """A script is put into quarantine by hand, and comes out again."""
    server.start()
    if console.run("quarantine", "personality", "nobody").returncode != 1:
        return "a script that is not there"
    console.json("quarantine", "personality", "bold", "too", "bold")
    if console.json("status")["quarantined"] != ["personality bold"]:
        return f"quarantine: {console.json('status')}"
    if console.json("audit")["acts"][0]["target"] != "personality bold":
        return f"audit: {console.json('audit')}"
    console.json("release", "personality", "bold")
    if console.json("status")["quarantined"]:
        return "it does not come out"
    return None


async def clock_and_finish(server, console):
    """Time on a clock is told, and in the record; then the last match ends."""
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="english", side="white",
                           ready=True)
    match = (await bob.call("lobby.join", lobby=lobby["lobby"],
                            ready=True))["match"]
    before = (await ann.call("match.get", match=match))["clock"]["white_ms"]
    console.json("clock", match, "white", "2m", "the", "network", "was", "down")
    if console.run("clock", match, "white", "-40d").returncode != 1:
        return "all time was taken"
    while True:
        name, event = await ann.note(5)
        if name == "match.event" and event["event"] == "clock_adjusted":
            break
    if event["add_ms"] != 120000 or event["white_ms"] != before + 120000:
        return f"event: {event}"
    console.json("finish", "1h")
    await asyncio.sleep(0.5)
    if server.process.poll() is not None:
        return "it stops while a match is played"
    await ann.call("match.resign", match=match)
    status = await asyncio.to_thread(server.process.wait, 10)
    await until(lambda: bob.closing is not None, 5)
    if status or bob.closing["details"] != {"reason": "stop",
                                            "retry_after_ms": 2000}:
        return f"status {status}, told {bob.closing}"
    server.start()
    file = pathlib.Path(server.folder.name) / "record"
    subprocess.run([console.ply, "record", "-s", f"127.0.0.1:{server.port}",
                    "-o", file, match], check=True, timeout=120,
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([console.ply, "verify", file], capture_output=True,
                          text=True, timeout=120)
    if done.returncode or "set its clocks 1 time" not in done.stdout:
        return f"verify: {done}"
    return None


def clocks(server, console):
    server.start()
    return asyncio.run(clock_and_finish(server, console))


def exported(console, match, name):
    """The facts, and what `ply verify` says: status and words."""
    file = pathlib.Path(console.socket).parent / name
    done = console.run("export", match, file)
    if done.returncode or done.stdout.strip() != str(file):
        raise RuntimeError(f"export: {done}")
    facts = msgpack.unpackb(file.read_bytes())["facts"]
    said = subprocess.run([console.ply, "verify", file], capture_output=True,
                          text=True, timeout=120)
    return facts, said.returncode, said.stdout


def damage(server, match, fact):
    """Another byte in a row of the journal; returns the secrets."""
    database = sqlite3.connect(server.data / "plyd.db")
    secrets = database.execute("SELECT bytes FROM secret").fetchall()
    rows = database.execute("SELECT seq, bytes FROM journal WHERE match = ? "
                            "ORDER BY seq", (match,)).fetchall()
    seq, row = rows[fact - 1]
    database.execute("UPDATE journal SET bytes = ? WHERE seq = ?",
                     (row[:-1] + bytes([row[-1] ^ 1]), seq))
    database.commit()
    database.close()
    return [secret for (secret,) in secrets]


async def exporting(server, console):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="backgammon", ready=True)
    match = (await bob.call("lobby.join", lobby=lobby["lobby"],
                            ready=True))["match"]

    async def play(until_ply):
        ply = 0
        while ply < until_ply:
            for one in ann, bob:
                seen = await one.call("match.get", match=match)
                ply = seen["ply"]
                if seen.get("legal_moves"):
                    await one.call("match.move", match=match, ply=ply,
                                   move=seen["legal_moves"][0])
    await play(6)
    facts, status, said = exported(console, match, "running")
    if status != 1 or "BAD" not in said or "has not ended" not in said:
        return f"running: {status} {said}"
    await play(8)
    more, _, _ = exported(console, match, "later")
    if more[:len(facts)] != facts or len(more) <= len(facts):
        return f"later: {more} after {facts}"
    server.end()
    secrets = damage(server, match, len(facts) - 1)
    if not secrets or any(s[i:i + 16].hex() in fact for s in secrets
                          for i in range(len(s) - 15) for fact in more):
        return f"a seed is in it, or there is none: {secrets}"
    server.start()
    if console.json("match", match)["state"] != "frozen":
        return f"{console.json('match', match)['state']} though damaged"
    rest, status, said = exported(console, match, "frozen")
    bad = f"BAD: fact {len(facts) - 1}:"
    if status != 1 or bad not in said or len(rest) < len(more):
        return f"frozen, not {bad} {status} {said}"
    console.json("end", match, "none", "a", "fault")
    rest, status, said = exported(console, match, "over")
    if status != 0 or rest[:-2] != facts[:len(rest) - 2]:
        return f"over: {status} {said}"  # what was whole, and why it ended
    done = console.run("export", "aaaaaaaaaa")
    if done.returncode != 1 or "no record" not in done.stderr:
        return f"none: {done}"
    return None


def exports(server, console):
    """What there is of a match that runs, is frozen, is over."""
    server.settings |= {"clocks_nonce_wait_ms": 100,
                        "limits_requests_burst": 100000}
    server.start()
    return asyncio.run(exporting(server, console))


def shutdown(server, console):
    server.start()
    return asyncio.run(stopping(server, console))


def elsewhere(server, console):
    """The setting admin.socket; a socket that is in use; no room for it."""
    place = pathlib.Path(server.folder.name) / "console"
    server.settings["admin_socket"] = place
    server.start()
    console.socket = place
    if console.json("status")["draining"]:
        return "draining?"
    other = subprocess.run(
        [server.plyd, "--config", server.config, "--listen", "127.0.0.1:0",
         "--data", str(server.data) + "2"], capture_output=True, text=True,
        timeout=120, env=dict(os.environ, PLYD_ADMIN_SOCKET=str(place)))
    if other.returncode != 1 or "in use" not in other.stderr:
        return f"in use: {other.returncode} {other.stderr}"
    return None if console.json("status") else "the first one is hurt"


TESTS = {f.__name__: f for f in
         (refusals, day, trail_survives, bans, scripts, clocks, exports,
          shutdown, elsewhere)}


def main():
    build, source, *names = sys.argv[1:]
    failed = 0
    for name in names or TESTS:
        with Server(build, source) as server:
            problem = TESTS[name](server, Console(server, build))
            print(f"{name}: {problem or 'ok'}", flush=True)
            failed += problem is not None
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
