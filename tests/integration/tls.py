"""TLS: haproxy with the shipped docker/haproxy.cfg in front of plyd, which
hears from it who the players are.

  tls.py BUILD SOURCE [TEST ...]"""
import asyncio
import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import sys
import time

from plyd import Client, Closed, Refused, Server

SKIPPED = 77


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def certificate(folder):
    """Makes ca.pem, and tls.pem that it has signed for localhost."""
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True,
                       capture_output=True)
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
           "-nodes", "-days", "2"]
    openssl("req", "-x509", *key, "-subj", "/CN=test", "-keyout", "ca.key",
            "-out", "ca.pem")
    openssl("req", "-x509", *key, "-subj", "/CN=localhost", "-addext",
            "subjectAltName=DNS:localhost", "-CA", "ca.pem", "-CAkey",
            "ca.key", "-keyout", "tls.key", "-out", "tls.crt")
    (folder / "tls.pem").write_text((folder / "tls.crt").read_text() +
                                    (folder / "tls.key").read_text())


class Proxy:
    """haproxy in front of a server."""

    def __init__(self, server, source):
        self.folder = pathlib.Path(server.folder.name)
        certificate(self.folder)
        self.port = free_port()
        environment = dict(os.environ, TLS_LISTEN=f"127.0.0.1:{self.port}",
                           TLS_PEM=str(self.folder / "tls.pem"),
                           TLS_TO=f"127.0.0.1:{server.port}")
        self.log = open(self.folder / "haproxy.log", "w")
        self.process = subprocess.Popen(
            ["haproxy", "-db", "-f",
             str(pathlib.Path(source) / "docker" / "haproxy.cfg")],
            env=environment, stdout=self.log, stderr=self.log)
        self.trust = ssl.create_default_context(
            cafile=str(self.folder / "ca.pem"))
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise RuntimeError(
                        (self.folder / "haproxy.log").read_text())
                time.sleep(0.05)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()


class TlsClient(Client):
    """A client that comes through the proxy."""

    def __init__(self, proxy, name, address="127.0.0.1"):
        super().__init__(proxy.port, name, address=address)
        self.tls = {"ssl": proxy.trust, "server_hostname": "localhost"}


async def a_match_is_played(server, proxy):
    """Two clients meet and play over TLS."""
    ann, bob = TlsClient(proxy, "Ann"), TlsClient(proxy, "Bob")
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="english", ready=True,
                           side="black")
    await bob.call("lobby.join", lobby=lobby["lobby"], ready=True)
    while (note := await ann.note())[0] != "match.started":
        pass
    match = note[1]["match"]
    for ply in range(20):
        for client in (ann, bob):
            state = await client.call("match.get", match=match)
            if state.get("legal_moves"):
                await client.call("match.move", match=match, ply=state["ply"],
                                  move=state["legal_moves"][0])
                break
    state = await bob.call("match.get", match=match)
    await ann.drop()
    await bob.drop()
    return None if state["ply"] == 20 else f"{state['ply']} half-moves"


async def limits_are_for_the_player(server, proxy):
    """Two connections of an address, and a third is refused; another address
    is let in."""
    clients = [TlsClient(proxy, f"C{i}", "127.0.0.5") for i in range(3)]
    await clients[0].connect()
    await clients[1].connect()
    try:
        await clients[2].connect()
        return "a third connection of an address was let in"
    except (Closed, ConnectionError):
        pass
    if not clients[2].closing or clients[2].closing["name"] != \
            "too_many_connections":
        return f"the third was told {clients[2].closing}"
    other = TlsClient(proxy, "Other", "127.0.0.6")
    await other.connect()
    for client in (*clients[:2], other):
        await client.drop()


async def a_ban_is_for_the_player(server, proxy):
    """The operator bans an address behind the proxy, and no other."""
    bad, good = (TlsClient(proxy, "Bad", "127.0.0.7"),
                 TlsClient(proxy, "Good", "127.0.0.8"))
    await good.connect()
    await bad.connect()
    done = subprocess.run(
        [server.plyd.parent / "ply", "admin", "--socket",
         server.data / "admin.sock", "ban-address", "127.0.0.7", "1h"],
        capture_output=True, text=True, timeout=120)
    if done.returncode:
        return done.stderr
    try:
        await bad.connect()
        return "a banned address came back"
    except (Refused, Closed, ConnectionError):
        pass
    await good.call("ping")
    await good.drop()
    if "address=127.0.0.7" not in server.text():
        return "the log does not have the player's address"


async def nobody_else_may(server, proxy):
    """From elsewhere the header is no header; without it the proxy is cut."""
    header = (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" +
              bytes([203, 0, 113, 7, 192, 0, 2, 1, 1, 1, 2, 2]))
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.port, local_addr=("127.0.0.9", 0))
    writer.write(header)
    said = await reader.read()
    writer.close()
    if b"closing" not in said:
        return f"a stranger's header was taken: {said}"
    direct = Client(server.port, "Direct", address="127.0.0.9")
    await direct.connect()
    await direct.drop()
    proxied = Client(server.port, "Proxied", address="127.0.0.1")
    try:
        await proxied.connect()
        return "the proxy's address was let in without a header"
    except (Closed, ConnectionError):
        pass
    if "send-proxy-v2" not in server.text():
        return "the log does not say what is wrong"


async def ply_speaks_tls(server, proxy):
    """Two bots of ply play a match; who cannot be trusted is told from."""
    ply = server.plyd.parent / "ply"
    trust = dict(os.environ, SSL_CERT_FILE=str(proxy.folder / "ca.pem"))
    usual = {k: v for k, v in os.environ.items() if k != "SSL_CERT_FILE"}
    where = f"tls://localhost:{proxy.port}"

    def run(*words, environment=trust):
        return subprocess.run([ply, *words], capture_output=True, text=True,
                              timeout=120, env=environment)
    done = run("call", "--server", where, "server.info")
    if done.returncode or "message_bytes" not in done.stdout:
        return f"call: {done.returncode} {done.stdout}{done.stderr}"
    for place, environment, word in (
            (where, usual, "cannot be trusted: unable to get local issuer"),
            (f"tls://127.0.0.1:{proxy.port}", trust, "IP address mismatch"),
            (f"tls://127.0.0.1:{server.port}", trust, ""),
            (f"127.0.0.1:{proxy.port}", trust, "")):
        done = run("call", "--server", place, "server.info",
                   environment=environment)
        if done.returncode == 0 or word not in done.stderr or \
                not done.stderr:
            return f"{place}: {done.returncode} {done.stdout}{done.stderr}"
    bots = [subprocess.Popen(
        [ply, "bot", "english", "--random", "--seed", str(seed), "--server",
         where], env=trust, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True) for seed in (1, 2)]
    said = [bot.communicate(timeout=120)[0] for bot in bots]
    if any(bot.returncode for bot in bots):
        return f"bots: {said}"


async def bots_go_on_after_an_upgrade(server, proxy):
    """The last words that come by TLS end a connection, and no more."""
    ply = server.plyd.parent / "ply"
    trust = dict(os.environ, SSL_CERT_FILE=str(proxy.folder / "ca.pem"))
    bots = [subprocess.Popen(
        [ply, "bot", "english", "--nodes", "50000", "--server",
         f"tls://localhost:{proxy.port}"], env=trust, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for _ in "ab"]
    said = bots[0].stdout.readline()  # the match has begun
    subprocess.run([ply, "admin", "--socket", server.data / "admin.sock",
                    "upgrade"], check=True, capture_output=True, timeout=120)
    said += "".join(bot.communicate(timeout=300)[0] for bot in bots)
    if any(bot.returncode for bot in bots) or said.count("trying again") < 2:
        return f"bots: {[bot.returncode for bot in bots]} {said}"


TESTS = [a_match_is_played, limits_are_for_the_player, a_ban_is_for_the_player,
         nobody_else_may, ply_speaks_tls, bots_go_on_after_an_upgrade]


def main():
    build, source, *names = sys.argv[1:]
    if not shutil.which("haproxy") or not shutil.which("openssl"):
        print("no haproxy or openssl here: scripts/dev/setup installs them")
        return SKIPPED
    failed = 0
    for test in TESTS:
        if names and test.__name__ not in names:
            continue
        with Server(build, source, listen_proxies="127.0.0.1",
                    limits_connections_per_address=2) as server:
            server.start()
            with Proxy(server, source) as proxy:
                why = asyncio.run(test(server, proxy))
        print(f"{test.__name__}: {why or 'ok'}")
        failed += why is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
