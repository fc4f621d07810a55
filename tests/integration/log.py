"""The log: its form, its bounds, what ties a complaint to a line, and that no
secret is ever in it.

  log.py BUILD SOURCE [TEST ...]"""
import asyncio
import os
import re
import secrets
import sqlite3
import sys
import time

from console import Console
from plyd import Client, Refused, Server, until

LINE = re.compile(r'time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z '
                  r'level=(error|warning|info|debug) msg="[^"]+"'
                  r'( \w+=("[^"]*"|[^" ]*))*')


class Member(Client):
    """A client whose hello says what it is given."""

    def __init__(self, port, **hello):
        super().__init__(port)
        self.hello = hello

    async def call(self, method, **params):
        if method == "hello":
            params = {"protocol": 1, **self.hello}
        return await super().call(method, **params)


async def refused(call):
    try:
        await call
    except Refused as error:
        return error
    return None


async def use_secrets(server, console):
    """Everything that has a secret, good and bad; gives the secrets."""
    old, new, wrong = (secrets.token_hex(12) for _ in range(3))
    ann = Client(server.port, "Ann", bot=False)
    await ann.connect()
    used = {"password": old, "new password": new, "wrong password": wrong,
            "first token": ann.token}
    answer = await ann.call("account.register", login="ann", password=old)
    ann.token = answer.get("token", ann.token)
    await ann.connect()  # by its token
    used["second token"] = ann.token
    await ann.call("account.password", old=old, new=new)
    for password in wrong, old:
        member = Member(server.port, login="ann", password=password)
        if not await refused(member.connect()):
            return None, "a wrong password is good"
        await member.drop()
    member = Member(server.port, login="ann", password=new)
    await member.connect()
    used["token of a login"] = member.token
    bad = secrets.token_hex(32)
    used["token that nobody has"] = bad
    await refused(Member(server.port, token=bad).connect())
    used["bot token"] = console.json("bot-token", "robot")["token"]
    robot = Member(server.port, bot_token=used["bot token"])
    await robot.connect()
    used["one-time password"] = console.json("reset", "ann")["password"]
    late = Member(server.port, login="ann",
                  password=used["one-time password"])
    await late.connect()
    nonce = secrets.token_hex(16)
    used["nonce"] = nonce
    lobby = await robot.call("lobby.create", ruleset="backgammon", ready=True,
                             personality="gentle")
    await robot.call("match.nonce", match=lobby["match"], nonce=nonce)
    shown = await robot.call("match.get", match=lobby["match"])
    for client in ann, member, robot, late:
        await client.drop()
    return used, None if shown["dice_commitment"] else "no dice"


def seeds_of(server):
    """The seeds of the dice of running matches, in hex."""
    with sqlite3.connect(f"file:{server.data}/plyd.db?mode=ro",
                         uri=True) as base:
        names = [row[0] for row in base.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")]
        table = next(name for name in names if "secret" in name)
        found = [value for row in base.execute(f"SELECT * FROM {table}")
                 for value in row if isinstance(value, bytes)]
    base.close()
    return [value[-32:].hex() for value in found if len(value) >= 32]


def no_secret(server, build):
    """At level debug, with refusals and after a restart."""
    server.settings = {"log_level": "debug", "log_like_lines": 1000000}
    server.start()
    console = Console(server, build)
    used, wrong = asyncio.run(use_secrets(server, console))
    if wrong:
        return wrong
    audit = console.run("audit").stdout + console.run("players").stdout
    server.end()
    seeds = seeds_of(server)
    server.start()
    server.end()
    log = server.text()
    if "a password was wrong" not in log or not seeds:
        return f"the test sees nothing: {seeds}"
    for what, secret in [*used.items(), *(("seed", s) for s in seeds)]:
        if secret in log or secret in audit:
            return f"{what} is in the log"
    files = {path.name: path.read_bytes() for path in server.data.iterdir()
             if path.is_file()}
    for what, secret in used.items():
        if what == "nonce":
            continue  # it is in the record, for everybody
        for name, data in files.items():
            if secret.encode() in data or (
                    re.fullmatch(r"([0-9a-f]{2})+", secret)
                    and bytes.fromhex(secret) in data):
                return f"{what} is in {name}"
    return None


def form(server, _build):
    """Every line is logfmt, whatever a client says."""
    server.settings = {"log_level": "debug"}
    server.start()

    async def talk():
        for name in 'a"b', "a\nlevel=error", "x" * 500, "\x00\x7f":
            client = Client(server.port, name)
            await refused(client.connect())
            await client.drop()
    asyncio.run(talk())
    server.end()
    for line in server.text().splitlines():
        if not LINE.fullmatch(line):
            return f"no logfmt: {line!r}"
    return None


def trace(server, _build):
    """What a refused client can quote is in the log, once it is asked for."""
    server.settings = {"log_level": "debug"}
    server.start()

    async def complain():
        ann = Client(server.port, "Ann")
        await ann.connect()
        traces = []
        for method, params in (("match.get", {"match": "aaaaaaaaaa"}),
                               ("lobby.create", {"ruleset": "chess"}),
                               ("lobby.create", {"ruleset": "english",
                                                 "side": "up"}),
                               ("no.method", {}), ("admin.status", {}),
                               ("rules.moves", {"ruleset": "english",
                                                "position": "x"}),
                               ("record.get", {"match": "aaaaaaaaaa"})):
            error = await refused(ann.call(method, **params))
            traces.append((error.details["trace"], error.name))
        player = ann.welcome["player"]["id"]
        await ann.drop()
        return traces, player
    traces, player = asyncio.run(complain())
    server.end()
    if len({one for one, _ in traces}) != len(traces):
        return f"the same again: {traces}"
    for one, name in traces:
        if f"trace={one} error={name} player={player}" not in server.text():
            return f"{one} {name} is not in the log"
    return None


def like(server, _build):
    """A flood of one kind: so many lines, and how many more there were."""
    server.settings = {"log_like_lines": 5, "log_like_ms": 3000,
                       "accounts_hash_passes": 1,
                       "accounts_hash_memory_kib": 8,
                       "accounts_logins_per_address": 1000,
                       "accounts_logins_per_account": 1000}
    server.start()

    async def guess(count):
        client = Member(server.port, login="nobody", password="wrong-wrong")
        for _ in range(count):
            await refused(client.connect())
        await client.drop()
    words = "a password was wrong"
    asyncio.run(guess(12))
    more = r'level=info msg="(\d+) more like this" like="a password was wrong"'
    asyncio.run(until(lambda: re.search(more, server.text())))
    written = len(re.findall(f'msg="{words}"', server.text()))
    left_out = sum(int(n) for n in re.findall(more, server.text()))
    if written + left_out != 12 or left_out < 1:
        return f"{written} written, {left_out} more"
    asyncio.run(guess(1))
    if len(re.findall(f'msg="{words}"', server.text())) != written + 1:
        return "it is still left out"
    return None


def journald(server, _build):
    """A priority before each line where journald reads, and only there."""
    log = os.fstat(server.log.fileno())
    for stream, settings, want in (
            (f"{log.st_dev}:{log.st_ino}", {}, True),
            (f"{log.st_dev}:{log.st_ino + 1}", {}, False),
            ("nonsense", {}, False),
            ("", {"log_format": "journald"}, True),
            (f"{log.st_dev}:{log.st_ino}", {"log_format": "plain"}, False)):
        server.settings = settings
        at = len(server.text())
        server.start(JOURNAL_STREAM=stream)
        server.end()
        line = next(line for line in server.text()[at:].splitlines()
                    if "was replayed" in line)
        if bool(re.match(r"<6>level=info msg=", line)) != want:
            return f"{stream} {settings}: {line}"
    return None


TESTS = [form, no_secret, trace, like, journald]


def main():
    build, source, *only = sys.argv[1:]
    failures = []
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        with Server(build, source) as server:
            began = time.monotonic()
            try:
                wrong = test(server, build)
            except (RuntimeError, Refused, TimeoutError) as error:
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
