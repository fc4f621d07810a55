"""docs/examples/bot.mjs plays a match of backgammon through a crash of the server
and finds the dice fair. Where Node.js or its package @msgpack/msgpack is missing
it is skipped (exit status 77). Usage: example_node.py BUILD SOURCE"""
import pathlib
import shutil
import signal
import subprocess
import sys

from plyd import Server

MOVES_BEFORE_CRASH = 3


def can_run(folder):
    """Whether Node.js finds the package from there."""
    found = shutil.which("node") and subprocess.run(
        ["node", "--input-type=module", "--eval",
         'await import("@msgpack/msgpack")'],
        cwd=folder, stderr=subprocess.DEVNULL, check=False)
    return found and found.returncode == 0


def play(server, bot):
    """What the bot says, with a crash of the server after some of its moves."""
    process = subprocess.Popen(
        ["node", bot, "backgammon", "bold", f"127.0.0.1:{server.port}"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = [process.stdout.readline() for _ in range(MOVES_BEFORE_CRASH)]
    server.end(signal.SIGKILL)
    server.start()
    said += process.stdout.readlines()
    return process.wait(), "".join(said)


def main():
    build, source = map(pathlib.Path, sys.argv[1:])
    bot = source.resolve() / "docs" / "examples" / "bot.mjs"
    if not can_run(bot.parent):
        print("skipped: no node, or no npm package @msgpack/msgpack")
        sys.exit(77)
    with Server(build, source) as server:
        server.start()
        status, said = play(server, bot)
    print(said)
    assert status == 0, status
    for words in ("connection lost", "result: ", "the dice follow from"):
        assert words in said, words


if __name__ == "__main__":
    main()
