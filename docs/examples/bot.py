#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A bot for plyd on one page: plays a match of random legal moves against one
of the server's personalities. Needs Debian's python3-msgpack. To make it yours,
write another decide(). docs/examples/bot.py english bold --server tls://HOST:PORT
"""
import argparse
import random
import re
import secrets
import socket
import ssl
import time

import msgpack


# errors that say that something else happened first
MEANWHILE = ("game_over", "flag_fallen", "stale_ply", "nonce_not_wanted")


class Refused(Exception):
    """The server's answer was an error: code, name, message, details."""

    def __init__(self, error):
        super().__init__(f"{error[1]}: {error[2]}")
        self.name = error[1]


class Session:
    """Asks the server, and keeps what it says in between."""

    def __init__(self, server):
        self.server = re.fullmatch(r"(tls://)?(.+):(\d+)", server).groups()
        self.token = None
        self.last_id = 0

    def connect(self):
        """Connects and says hello; with the token if there is one."""
        tls, host, port = self.server
        self.socket = socket.create_connection((host, port), timeout=600)
        if tls:  # checked by the system's authorities, or SSL_CERT_FILE
            self.socket = ssl.create_default_context().wrap_socket(
                self.socket, server_hostname=host)
        self.unpacker = msgpack.Unpacker(self.socket.makefile("rb", 0))
        self.notifications = []
        resume = {"token": self.token} if self.token else {}
        welcome = self.ask("hello", protocol=1, bot=True, **resume)
        self.token = welcome["token"]
        return welcome

    def receive(self):
        """The next message, whatever it is."""
        try:
            return self.unpacker.unpack()
        except msgpack.OutOfData:
            raise ConnectionError("the server closed it") from None

    def ask(self, method, **params):
        """Sends a request and waits for its result."""
        self.last_id += 1
        self.socket.sendall(msgpack.packb([0, self.last_id, method, [params]]))
        while (message := self.receive())[0] == 2:  # kept for next()
            self.notifications.append((message[1], message[2][0]))
        _, _, error, result = message  # one request is open, this answers it
        if error is None:
            return result
        if error[1] in ("rate_limited", "not_stored"):  # nothing happened
            time.sleep(error[3].get("retry_after_ms", 500) / 1000)
            return self.ask(method, **params)
        raise Refused(error)

    def next(self):
        """The next notification: its name and its parameters."""
        if self.notifications:
            return self.notifications.pop(0)
        message = self.receive()  # no request is open, so it is no response
        return message[1], message[2][0]


def decide(state):
    """What to do in a match that waits for us: a method, its parameters."""
    cube = {"roll": "match.roll", "answer": "match.take"}  # it never doubles
    if state["awaits"] in cube:
        return cube[state["awaits"]], {}
    return "match.move", {"move": random.choice(state["legal_moves"])}


def begin(session, welcome, key, lobby):
    """Opens a lobby and waits for its match; returns the match's id."""
    if welcome["matches"]:  # it has begun while the connection was lost
        return welcome["matches"][0]
    session.ask("lobby.create", ready=True, key=key, **lobby)
    while True:
        name, params = session.next()
        if name == "match.started":
            print(params["match"], "you are", params["you"])
            return params["match"]


def follow(session, match, choose):
    """Plays a match to its end; returns its last state."""
    state = session.ask("match.watch", match=match)
    while not state.get("result"):
        try:
            if state["state"] == "nonces":  # our share of the dice
                nonce = secrets.token_hex(16)
                session.ask("match.nonce", match=match, nonce=nonce)
            elif state.get("turn") == state["you"] and state.get("awaits"):
                method, more = choose(state)
                session.ask(method, match=match, ply=state["ply"], **more)
                print(state["ply"], more.get("move", method))
        except Refused as refused:
            if refused.name not in MEANWHILE:  # a fault in choose()
                raise
            print(refused)
        while True:  # until we are to move, or the match has ended
            name, event = session.next()
            if name == "match.event" and event["seq"] > state["seq"] and (
                    event.get("turn") == state["you"]
                    or event["event"] == "ended"):
                break
        state = session.ask("match.get", match=match)
    return state


def play(session, choose, **lobby):
    """Plays one match, over as many connections as it takes."""
    match, key = None, secrets.token_hex(8)
    while True:
        try:
            welcome = session.connect()
            match = match or begin(session, welcome, key, lobby)
            return follow(session, match, choose)
        except OSError as error:  # resume with the token
            print(f"connection lost: {error}")
            time.sleep(random.uniform(0.2, 2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset")
    parser.add_argument("personality")
    parser.add_argument("--server", default="127.0.0.1:7531")
    options = parser.parse_args()
    end = play(Session(options.server), decide,
               ruleset=options.ruleset, personality=options.personality)
    print("result:", end["result"]["result"], end["result"]["reason"])
