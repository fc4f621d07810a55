"""A draughts engine that speaks the Hub protocol and plays any legal move of
English draughts: moves by a generator of its own, written from the rules.
Squares are 0 to 31 here, 1 to 32 on the wire. Usage: hub_engine.py [SEED]"""
import random
import sys

RNG = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)


def step(square, down, right):
    """The next square in a direction, or None."""
    row, column = square // 4, square % 4 * 2 + 1 - square // 4 % 2
    row, column = row + down, column + right
    return row * 4 + column // 2 if 0 <= row < 8 and 0 <= column < 8 else None


def directions(piece):
    downs = {"b": [1], "w": [-1]}.get(piece, [1, -1])
    return [(down, right) for down in downs for right in (1, -1)]


def captures(board, at, piece, taken):
    """Every way on: where it ends, and what it has taken."""
    found = []
    for way in directions(piece):
        over = step(at, *way)
        to = over is not None and step(over, *way)
        if (over is None or to is None or over in taken or board[to] != "e"
                or board[over].lower() in ("e", piece.lower())):
            continue
        crowned = piece.islower() and to // 4 == (7 if piece == "b" else 0)
        more = ([] if crowned
                else captures(board, to, piece, taken + [over]))
        found += more or [(to, taken + [over])]
    return found


def moves(position):
    turn, board = position[0].lower(), list(position[1:])
    jumps, steps = [], []
    for at, piece in enumerate(board):
        if piece.lower() != turn:
            continue
        left = board[:at] + ["e"] + board[at + 1:]
        for to, taken in captures(left, at, piece, []):
            jumps.append("x".join(str(n + 1)
                                  for n in [at, to] + sorted(taken)))
        for way in directions(piece):
            to = step(at, *way)
            if to is not None and board[to] == "e":
                steps.append(f"{at + 1}-{to + 1}")
    return jumps or steps


def main():
    position = None
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "hub":
            print("id name=any version=1 author=nobody\nwait", flush=True)
        elif word == "init":
            print("ready", flush=True)
        elif word == "pos":
            position = rest.removeprefix("pos=")
        elif word == "go":
            move = RNG.choice(moves(position))
            print(f"info depth=1 score=0\ndone move={move}", flush=True)
        elif word == "quit":
            break


main()
