#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A bot for plyd on one page: plays a match of random legal moves against one
of the server's personalities. Needs Debian's python3-msgpack, and knows nothing
but docs/protocol.md.

    docs/examples/bot.py english bold
    docs/examples/bot.py backgammon steady --server example.org:7531
"""
import argparse
import random
import secrets
import socket
import time

import msgpack


class Refused(Exception):
    """The server's answer was an error: code, name, message, details."""

    def __init__(self, error):
        super().__init__(f"{error[1]}: {error[2]}")


class Session:
    """Asks the server, and keeps what it says in between."""

    def __init__(self, host, port, name):
        self.address, self.name = (host, port), name
        self.token = None
        self.last_id = 0

    def connect(self):
        """Connects and says hello; with the token if there is one."""
        self.socket = socket.create_connection(self.address, timeout=600)
        self.unpacker = msgpack.Unpacker()
        self.notifications = []
        hello = {"protocol": 1, "name": self.name, "bot": True}
        if self.token:
            hello["token"] = self.token
        welcome = self.ask("hello", **hello)
        self.token = welcome["token"]
        return welcome

    def receive(self):
        """The next message, whatever it is."""
        while True:
            for message in self.unpacker:
                return message
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("the server closed the connection")
            self.unpacker.feed(data)

    def ask(self, method, **params):
        """Sends a request and waits for its result."""
        self.last_id += 1
        request = [0, self.last_id, method, [params]]
        self.socket.sendall(msgpack.packb(request))
        while True:
            message = self.receive()
            if message[0] == 2:  # a notification; kept for next()
                self.notifications.append((message[1], message[2][0]))
            elif message[1] == self.last_id:
                break
        _, _, error, result = message
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


def begin(session, welcome, ruleset, personality, key):
    """Opens a lobby and waits for its match; returns the match's id."""
    if welcome["matches"]:  # it has begun while the connection was lost
        return welcome["matches"][0]
    session.ask("lobby.create", ruleset=ruleset, opponent="personality",
                personality=personality, ready=True, key=key)
    while True:
        name, params = session.next()
        if name == "match.started":
            print(params["match"], "you are", params["you"])
            return params["match"]


def follow(session, match):
    """Plays a match to its end; returns its result."""
    state = session.ask("match.watch", match=match)
    nonce_given = False
    while not state.get("result"):
        if state["state"] == "nonces" and not nonce_given:
            nonce_given = True
            session.ask("match.nonce", match=match,
                        nonce=secrets.token_hex(16))
        mine = state.get("turn") == state["you"] and state.get("awaits")
        if mine in ("roll", "answer"):  # it never doubles, and always takes
            try:
                session.ask("match.roll" if mine == "roll" else "match.take",
                            match=match, ply=state["ply"])
            except Refused as refused:
                print(refused)
        elif state.get("legal_moves"):
            move = random.choice(state["legal_moves"])
            try:
                done = session.ask("match.move", match=match,
                                   ply=state["ply"], move=move)
                print(f"{done['ply']:4}  {done['move']}")
            except Refused as refused:  # time is up, or the match has ended
                print(refused)
        while True:  # until the bot is to move, or the match has ended
            name, event = session.next()
            if name == "match.event" and event["match"] == match and (
                    event.get("turn") == state["you"]
                    or event["event"] == "ended"):
                break
        state = session.ask("match.get", match=match)
    return state["result"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset")
    parser.add_argument("personality")
    parser.add_argument("--server", default="127.0.0.1:7531")
    parser.add_argument("--name", default="bot-py")
    options = parser.parse_args()
    host, _, port = options.server.rpartition(":")
    session = Session(host, int(port), options.name)
    match, key, pause = None, secrets.token_hex(8), 0.1
    while True:
        try:
            welcome = session.connect()
            pause = 0.1
            match = match or begin(session, welcome, options.ruleset,
                                   options.personality, key)
            result = follow(session, match)
            break
        except OSError as error:  # resume with the token
            print(f"connection lost: {error}")
            time.sleep(pause)
            pause = min(2 * pause, 5)
    print("result:", result["result"], result["reason"], result["points"])


if __name__ == "__main__":
    main()
