#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Lets a draughts engine that speaks the Hub protocol play here: this program
starts it, shows it the board and plays what it says. Needs Debian's
python3-msgpack, and an engine that knows the ruleset.

    docs/examples/bridges/hub.py english bold --engine './engine hub'
"""
import argparse
import pathlib
import re
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from bot import Session, play  # noqa: E402


class Engine:
    """A program that speaks Hub on its standard input and output."""

    def __init__(self, command, seconds):
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, bufsize=1)
        self.seconds = seconds
        self.say("hub")
        self.wait_for("wait")
        self.say("init")
        self.wait_for("ready")

    def say(self, line):
        print(line, file=self.process.stdin, flush=True)

    def wait_for(self, word):
        """The first line that begins with this word."""
        for line in self.process.stdout:
            if line.split()[:1] == [word]:
                return line
        raise EOFError("the engine has ended")

    def think(self, position):
        """The move that it plays in a position."""
        self.say(f"pos pos={position}")
        self.say(f"level move-time={self.seconds}")
        self.say("go think")
        done = self.wait_for("done")
        return re.search(r"\bmove=(\S+)", done).group(1).strip('"')

    def close(self):
        self.say("quit")
        self.process.wait()


def place(square):
    """Row and column, from the top left, of `18` or `d4`."""
    if square.isdigit():  # the dark squares of 8x8
        row, column = divmod(int(square) - 1, 4)
        return row, 2 * column + 1 - row % 2
    return 8 - int(square[1]), ord(square[0]) - ord("a")


class Board:
    """A position of the protocol, `W:W18,K10:B12`, as Hub counts squares."""

    def __init__(self, position):
        turn, *sides = position.split(":")
        self.turn = turn
        self.piece = {}
        for side in sides:
            for square in filter(None, side[1:].split(",")):
                man = side[0].lower() if square[0] != "K" else side[0]
                self.piece[place(square.removeprefix("K"))] = man
        self.all_squares = any(re.search("[a-h]", side) for side in sides)

    def number(self, at):
        """The number of a square; 64 of them where all are used."""
        row, column = at
        return (row * 8 + column if self.all_squares
                else row * 4 + column // 2) + 1

    def hub(self):
        """The position in one word: who moves, then square by square."""
        squares = [(row, column) for row in range(8) for column in range(8)
                   if self.all_squares or (row + column) % 2]
        return self.turn + "".join(self.piece.get(at, "e") for at in squares)

    def taken(self, path):
        """The squares whose pieces a capture over this path takes."""
        taken = set()
        for (row, column), (to_row, to_column) in zip(path, path[1:]):
            steps = max(abs(to_row - row), abs(to_column - column))
            for step in range(1, steps):
                at = (row + (to_row - row) // steps * step,
                      column + (to_column - column) // steps * step)
                if at in self.piece:
                    taken.add(self.number(at))
        return taken

    def move(self, text):
        """A move of the protocol, `9x18x25`, as Hub sees it: from, to, and
        what is taken."""
        path = [place(square) for square in re.split("[-x]", text)]
        taken = self.taken(path) if "x" in text else set()
        return self.number(path[0]), self.number(path[-1]), taken


def decide(engine, state):
    """The legal move that the engine means: Hub names what is taken, in any
    order, and not the way; `9x18` is enough where it can mean one move."""
    board = Board(state["position"])
    said = engine.think(board.hub())
    start, end, *taken = (int(n) for n in re.split("[-x]", said))
    fits = [text for text in state["legal_moves"]
            if board.move(text)[:2] == (start, end)
            and (not taken or board.move(text)[2] == set(taken))]
    if not fits:
        raise ValueError(f"{said} is none of {state['legal_moves']}")
    return "match.move", {"move": fits[0]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ruleset")
    parser.add_argument("personality")
    parser.add_argument("--engine", required=True, help="its command")
    parser.add_argument("--seconds", type=float, default=1, help="for a move")
    parser.add_argument("--server", default="127.0.0.1:7531")
    options = parser.parse_args()
    engine = Engine(options.engine, options.seconds)
    try:
        end = play(Session(options.server), lambda s: decide(engine, s),
                   ruleset=options.ruleset, personality=options.personality)
    finally:
        engine.close()
    result = end["result"]
    print("result:", end["match"], result["result"], result["reason"])


if __name__ == "__main__":
    main()
