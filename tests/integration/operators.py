"""Operators who come in over TCP, by a token: what it opens, and what not.

  operators.py BUILD SOURCE"""
import asyncio
import json
import os
import pathlib
import subprocess
import sys

from plyd import Client, Closed, Refused, Server


class Elsewhere:
    """`ply admin --server`, and the console."""

    def __init__(self, server, build):
        self.server = server
        self.ply = pathlib.Path(build).resolve() / "bin" / "ply"

    def run(self, *words, token=None, there=True):
        how = ["--server", f"127.0.0.1:{self.server.port}"] if there else \
            ["--socket", self.server.data / "admin.sock"]
        environment = dict(os.environ)
        environment.pop("PLYD_OPERATOR_TOKEN", None)
        if token:
            environment["PLYD_OPERATOR_TOKEN"] = token
        return subprocess.run(
            [self.ply, "admin", "--json", *how, *words], env=environment,
            cwd=self.server.folder.name, capture_output=True, text=True,
            timeout=120)

    def token(self, *words):
        done = self.run("token", *words, there=False)
        if done.returncode:
            raise AssertionError(f"token: {done}")
        return json.loads(done.stdout)["token"]


def check(done, status, says=""):
    if done.returncode != status or says not in done.stdout + done.stderr:
        raise AssertionError(f"not {status} {says!r}: {done}")
    return json.loads(done.stdout) if status == 0 else None


def comes_in(server, e):
    token = e.token("ada")
    status = check(e.run("status", token=token), 0)
    if status["version"] != "0.1.0":
        raise AssertionError(f"status: {status}")
    check(e.run("say", "hello", "there", token=token), 0)
    acts = check(e.run("audit", token=token), 0)["acts"]
    if acts[0]["by"] != "ada" or "by" in acts[1]:
        raise AssertionError(f"audit: {acts}")
    # a file as well, and nothing without either
    file = pathlib.Path(server.folder.name) / "token"
    file.write_text(token + "\n")
    check(e.run("--token-file", file, "tokens"), 0)
    check(e.run("status"), 2, "needs a token")
    check(e.run("status", token="f" * 64), 1, "unknown")
    check(e.run("status", token="short"), 1)
    # what only the socket may
    for words in (["token", "eve"], ["token-revoke", "ada"],
                  ["backup", server.data / "there.db"]):
        check(e.run(*words, token=token), 1, "Only the operator")
    check(e.run("backup", "from-afar.db", token=token), 0)
    check(e.run("backup", "./out.db", there=False), 0)  # a path by then
    check(e.run("token", "No Name", there=False), 1)
    return token


def survives(server, e, token):
    server.end()
    server.start()
    check(e.run("status", token=token), 0)
    # another one of the name, or none
    newer = e.token("ada", "1h")
    check(e.run("status", token=token), 1, "unknown")
    check(e.run("status", token=newer), 0)
    check(e.run("token-revoke", "ada", there=False), 0)
    check(e.run("status", token=newer), 1, "unknown")
    check(e.run("token-revoke", "ada", there=False), 1)
    for secret in (token, newer):
        if secret in server.text():
            raise AssertionError("a token is in the log")


async def stays(server, e):
    """A connection that stands: closed when its token is taken or is over."""
    for how in ("revoked", "over"):
        token = await asyncio.to_thread(
            e.token, "bob", *(["2s"] if how == "over" else []))
        client = Client(server.port)
        try:
            await client.connect()  # says hello: then it is too late
            await client.call("admin.login", token=token)
            raise AssertionError("a player became an operator")
        except Refused as refused:
            if refused.name != "hello_again":
                raise
        await client.drop()
        client.writer = None
        reader, client.writer = await asyncio.open_connection(
            "127.0.0.1", server.port)
        client.task = asyncio.create_task(client.read(reader))
        if (await client.call("admin.login", token=token))["name"] != "bob":
            raise AssertionError("another name")
        await client.call("admin.players")
        if how == "revoked":
            await asyncio.to_thread(e.run, "token-revoke", "bob", there=False)
        else:
            await asyncio.sleep(2.2)
            try:
                await client.call("admin.players")
                raise AssertionError("a token that is over is good")
            except Closed:
                pass
        await asyncio.wait_for(client.task, 5)
        if client.closing["name"] != "session_ended":
            raise AssertionError(f"{how}: {client.closing}")


def guesses(server, e):
    """Tries are counted: after some even the right token must wait."""
    token = e.token("carl")
    answers = [e.run("status", token=f"{i:064x}").stderr for i in range(8)]
    if "requests" not in answers[-1]:
        raise AssertionError(f"guesses: {answers}")
    check(e.run("status", token=token), 1, "requests")


def main():
    build, source = sys.argv[1:3]
    with Server(build, source, accounts_logins_per_address=6,
                accounts_login_address_ms=3600000) as server:
        server.start()
        e = Elsewhere(server, build)
        try:
            token = comes_in(server, e)
            survives(server, e, token)
            asyncio.run(stays(server, e))
            guesses(server, e)
        except (AssertionError, Closed, Refused) as error:
            print(server.text()[-2000:])
            sys.exit(f"failed: {error}")
        if server.end():
            sys.exit("plyd did not end well")
    print("operators from elsewhere: good")


main()
