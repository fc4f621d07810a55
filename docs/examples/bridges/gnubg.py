#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lets GNU Backgammon play here, cube and all: it answers on its external
socket, this program asks it and plays what it says. Needs Debian's gnubg,
gnubg-data and python3-msgpack; starts a gnubg of its own.

    docs/examples/bridges/gnubg.py steady --matches 10 --length 5
    docs/examples/bridges/gnubg.py steady --ruleset backgammon --plies 2
"""
import argparse
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from bot import Session, play  # noqa: E402

GNUBG = "/usr/games/gnubg"
START_S = 60


class Gnubg:
    """A gnubg that waits for questions on a local port."""

    def __init__(self, plies):
        self.home = tempfile.TemporaryDirectory(prefix="gnubg-")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = free.getsockname()
        commands = (
            "set threads 1\nset beavers 0\nset jacoby off\n"
            f"set evaluation chequerplay evaluation plies {plies}\n"
            f"set evaluation cubedecision evaluation plies {plies}\n"
            f"external 127.0.0.1:{address[1]}\n")
        self.process = subprocess.Popen(
            [GNUBG, "--tty", "--quiet", "--no-rc"], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
            env={"HOME": self.home.name, "LC_ALL": "C"})
        self.process.stdin.write(commands)
        self.process.stdin.flush()
        end = time.monotonic() + START_S
        while True:
            try:
                self.stream = socket.create_connection(address).makefile("rw")
                return
            except OSError:  # it is still starting
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def ask(self, line):
        """Its answer, in one line; it may send empty ones as well."""
        print(line, file=self.stream, flush=True)
        while True:
            answer = self.stream.readline()
            if not answer:
                raise EOFError("gnubg has closed its socket")
            if answer.strip():
                return answer.strip()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.home.cleanup()


def checkers(xgid, white):
    """The 26 places as the side sees them: its own checkers positive, from the
    other's bar (0) over its points (1 to 24) to its own bar (25)."""
    board = [0 if c == "-" else ord(c) - ord("A") + 1 if c.isupper()
             else -(ord(c) - ord("a") + 1) for c in xgid]
    return board if white else [-n for n in reversed(board)]


def fibs_board(state):
    """A state of a match as the line that FIBS would send the player."""
    white = state["you"] == "white"
    other = "black" if white else "white"
    fields = state["position"].removeprefix("XGID=").split(":")
    board = checkers(fields[0], white)
    stakes = state.get("stakes") or {}
    score = [stakes.get(side, 0) for side in (state["you"], other)]
    cube = max(stakes.get("cube", 0), 1)
    answers = state["awaits"] == "answer"  # he has doubled
    dice = state.get("dice") or [0, 0]
    # gnubg takes two zeros for a double that waits: in the Crawford game, and
    # without a cube, both might double, and nobody is asked whether he does
    may_double = [int(stakes.get("owner") in (None, side))
                  for side in (state["you"], other)]
    off = [15 - sum(n for n in board if n > 0),
           15 + sum(n for n in board if n < 0)]
    line = ["board", "You", "opponent", stakes.get("length", 0), *score,
            *board, -1 if answers else 1, *dice, 0, 0, cube,
            *may_double, int(answers), 1, -1, 0, 25, *off, board[25],
            -board[0], 0, 0, 0, 0]
    return ":".join(str(field) for field in line)


def decide(gnubg, state):
    """What gnubg would do, as a request to the server."""
    answer = gnubg.ask(fibs_board(state))
    if answer in ("roll", "double", "take", "drop"):
        return f"match.{answer}", {}
    if not re.match(r"(bar|\d+)/", answer):
        raise ValueError(f"gnubg says {answer!r} to {fibs_board(state)}")
    return "match.move", {"move": answer}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("personality")
    parser.add_argument("--ruleset", default="backgammon-match")
    parser.add_argument("--length", type=int, help="points of a match")
    parser.add_argument("--matches", type=int, default=1)
    parser.add_argument("--plies", type=int, default=0, help="how far it looks")
    parser.add_argument("--server", default="127.0.0.1:7531")
    options = parser.parse_args()
    lobby = {"ruleset": options.ruleset, "personality": options.personality}
    if options.length:
        lobby["match_length"] = options.length
    gnubg = Gnubg(options.plies)
    session = Session(options.server)
    won = 0
    try:
        for _ in range(options.matches):
            end = play(session, lambda s: decide(gnubg, s), **lobby)
            result = end["result"]
            won += result["result"] == end["you"]
            print("result:", end["match"], result["result"], result["reason"])
    finally:
        gnubg.close()
    print(f"gnubg won {won} of {options.matches}")


if __name__ == "__main__":
    main()
