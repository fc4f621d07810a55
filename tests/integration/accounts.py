"""Accounts on a real server with real passwords: members, bots, the operator.

  accounts.py BUILD SOURCE [TEST ...]"""
import asyncio
import os
import pathlib
import signal
import subprocess
import sys
import time

from plyd import Client, Closed, Refused, Server

OLD, NEW = "correct horse", "battery staple"


class Player(Client):
    """Who logs in by what `way` says, until he has a token."""

    def __init__(self, port, **way):
        super().__init__(port, bot=False)
        self.way = way

    async def call(self, method, **params):
        if method == "hello" and "token" not in params:
            params |= self.way
        return await super().call(method, **params)


def ply(server, build, *words, **environment):
    return subprocess.run(
        [pathlib.Path(build).resolve() / "bin" / "ply", *words],
        capture_output=True, text=True, timeout=120,
        env=dict(os.environ, **environment))


async def refused(call, name):
    try:
        await call
    except Refused as error:
        return str(name) in str(error)
    return False


async def members(server, build):
    """From guest to member; a new password ends the other session; nothing of
    it can be found in the log or the journal."""
    ada = Player(server.port, name="Ada")
    await ada.connect()
    guest = ada.token
    answer = await ada.call("account.register", login="ada", password=OLD)
    ada.token = answer["token"]
    old = Player(server.port)
    old.token = guest
    if not await refused(old.connect(), "bad_token"):
        return "the guest's token still opens the account"
    phone = Player(server.port, login="ada", password=OLD)
    await phone.connect()
    if phone.welcome["player"]["id"] != ada.welcome["player"]["id"]:
        return "another player after the login"
    times = []
    for login in ("ada", "nobody"):
        began = time.monotonic()
        wrong = Player(server.port, login=login, password="wrong horse")
        if not await refused(wrong.connect(), "bad_login"):
            return f"{login} is in with a wrong password"
        times.append(time.monotonic() - began)
    if min(times) < 0.005:
        return f"a login costs nothing: {times}"
    await ada.call("account.password", old=OLD, new=NEW)
    for _ in range(100):
        if phone.closing:
            break
        await asyncio.sleep(0.05)
    if not phone.closing or phone.closing["name"] != "session_ended":
        return f"the other connection: {phone.closing}"
    if not await refused(phone.connect(), "bad_token"):
        return "its token is still good"
    done = ply(server, build, "account", "show", "--login", "ada", "--server",
               f"127.0.0.1:{server.port}", PLY_PASSWORD=NEW)
    if done.returncode or '"login": "ada"' not in done.stdout:
        return f"ply account: {done.returncode} {done.stdout} {done.stderr}"
    kept = b"".join(p.read_bytes() for p in server.data.glob("plyd.db*"))
    if OLD.encode() in kept or NEW.encode() in kept:
        return "a password lies in the journal"
    return None


async def operator(server, build):
    """A bot's token, taken back; and a one-time password."""
    def admin(*words):
        done = ply(server, build, "admin", "--socket",
                   str(server.data / "admin.sock"), *words)
        return dict(line.split(None, 1) for line in done.stdout.splitlines()
                    if " " in line)
    token = admin("bot-token", "robot")["token"]
    robot = Player(server.port, bot_token=token)
    await robot.connect()
    if robot.welcome["player"]["kind"] != "bot":
        return f"it is a {robot.welcome['player']}"
    admin("bot-revoke", "robot")
    await asyncio.sleep(0.3)
    if not robot.closing or robot.closing["name"] != "session_ended":
        return f"revoked, and {robot.closing}"
    again = Player(server.port, bot_token=token)
    if not await refused(again.connect(), "bad_token"):
        return "a revoked token opens"
    ada = Player(server.port, name="Ada")
    await ada.connect()
    await ada.call("account.register", login="ada", password=OLD)
    once = admin("reset", "ada")["password"]
    server.end(signal.SIGKILL)
    server.start()
    back = Player(server.port, login="ada", password=once)
    await back.connect()
    if not (await back.call("account.get")).get("password_due"):
        return "nothing says that a password is due"
    await back.call("account.password", old=once, new=NEW)
    late = Player(server.port, login="ada", password=once)
    if not await refused(late.connect(), "bad_login"):
        return "the one-time password is good twice"
    return None


TESTS = {f.__name__: f for f in (members, operator)}


def main():
    build, source, *names = sys.argv[1:]
    failed = 0
    for name in names or TESTS:
        with Server(build, source) as server:
            server.start()
            try:
                problem = asyncio.run(TESTS[name](server, build))
            except (Refused, Closed) as error:
                problem = f"{type(error).__name__} {error}"
            print(f"{name}: {problem or 'ok'}", flush=True)
            failed += problem is not None
    sys.exit(1 if failed else 0)


main()
