"""Draw policies with functions, against a real server: a verdict ends the match
with words that both players see, a warning lets it go on; a policy that hangs or
fails costs each turn its deadline at most, and the match goes on."""
import asyncio
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from plyd import Client, Server

# A worker that the machine gave no time: no fault of its script.
EXCUSED = "the machine gave it no time"
PUT_AWAY = "kind=policy script=own faults=3"

POLICIES = {
    "brief": """
        verdict = function(turn)
          if turn.ply >= 4 then
            return { verdict = "draw", reason = "four are enough" }
          end
        end""",
    "warning": """
        verdict = function(turn)
          if turn.ply == 2 then
            return { verdict = "warn", reason = "two more and it is drawn" }
          elseif turn.ply >= 4 then
            return { verdict = "draw", reason = "four are enough" }
          end
        end""",
    "counting": """
        verdict = function(turn)
          local memory = turn.memory
          memory.calls = (memory.calls or 0) + 1
          if memory.calls == 5 then
            return { verdict = "draw", reason = "call 5 at " .. turn.ply }
          end
        end""",
    "stuck": "verdict = function() while true do end end",
    "broken": "verdict = function(turn) return turn.nothing.there end",
}


def scripts_with(source, folder, policy):
    """The shipped scripts, with one more policy that english follows."""
    scripts = pathlib.Path(folder) / "scripts"
    shutil.copytree(source / "scripts", scripts)
    (scripts / "policies" / "own.lua").write_text(
        'return { name = "own", no_progress = 80, repetition = 3,\n'
        f"{POLICIES[policy]} }}\n")
    english = scripts / "rulesets" / "english.lua"
    text = english.read_text()
    assert '"standard"' in text
    english.write_text(text.replace('"standard"', '"own"'))
    return scripts


async def play(port, plies):
    """Two bots move at once; returns the events of one and the time taken."""
    bots = [Client(port), Client(port)]
    for bot in bots:
        await bot.connect()
    lobby = await bots[0].call("lobby.create", ruleset="english",
                               private=True, side="black", ready=True)
    await bots[1].call("lobby.join", code=lobby["code"], ready=True)
    method = None
    while method != "match.started":
        method, match = await bots[0].note()
    begun, events = time.monotonic(), []
    for ply in range(plies):
        bot = bots[ply % 2]
        match = await bot.call("match.get", match=match["match"])
        if match["state"] == "over":
            break
        await bot.call("match.move", match=match["match"], ply=ply,
                       move=match["legal_moves"][0])
        while True:
            try:
                method, params = await bots[1 - ply % 2].note(0.5)
            except asyncio.TimeoutError:
                break
            if method == "match.event" and bot is bots[1]:
                events.append(params)
            if method == "match.event" and params["event"] == "moved" and \
                    params["ply"] == ply:
                break
        await asyncio.sleep(0.1)
    took = time.monotonic() - begun
    final = await bots[0].call("match.get", match=match["match"])
    for bot in bots:
        await bot.drop()
    return final, took, events


def quarantined(build, server):
    """What the operator is told."""
    answer = subprocess.run(
        [pathlib.Path(build) / "bin" / "ply", "admin", "--json", "--socket",
         server.data / "admin.sock", "status"],
        check=True, stdout=subprocess.PIPE).stdout
    return json.loads(answer)["quarantined"]


def run(build, source, policy, plies):
    with tempfile.TemporaryDirectory() as folder:
        scripts = scripts_with(source, folder, policy)
        server = Server(build, source)
        server.config = scripts / "plyd.lua"
        with server:
            server.start()
            final, took, events = asyncio.run(play(server.port, plies))
            told = quarantined(build, server)
            status = server.end()
            assert status == 0, status
            log = server.text()
            away = ["policy own"] if PUT_AWAY in log else []
            assert told == away, (told, log)
            return final, took, log, events


def main():
    build, source = sys.argv[1], pathlib.Path(sys.argv[2])

    final, _, log, _ = run(build, source, "brief", 8)
    assert final["state"] == "over", (final, log)
    assert final["result"] == {"result": "draw", "reason": "policy",
                               "points": 0, "text": "four are enough"}, final
    assert final["ply"] == 4, final["ply"]
    print("a verdict ended the match with its words")

    final, _, log, events = run(build, source, "warning", 8)
    assert final["state"] == "over" and final["ply"] == 4, (final, log)
    warned = [e for e in events if e["event"] == "warned"]
    assert [(e["ply"], e["text"]) for e in warned] == \
        [(2, "two more and it is drawn")], (events, log)
    print("a warning was seen, and the match went on")

    final, _, log, _ = run(build, source, "counting", 8)
    assert final["state"] == "over", (final, log)
    assert final["result"]["text"] == "call 5 at 5", (final, log)
    print("a policy remembered how often it was asked")

    for policy, why in (("stuck", "why=late"), ("broken", "line=")):
        final, took, log, _ = run(build, source, policy, 12)
        assert final["state"] == "playing" and final["ply"] == 12, final
        assert "a draw policy's script gave no verdict" in log, log
        assert "policy=own" in log and why in log, log
        # a machine that is too busy may excuse too many of twelve
        if EXCUSED not in log:
            assert log.count("gave no verdict") == 3, log
            assert PUT_AWAY in log, log
        print(f"{policy}: the match went on, {took:.1f} s for 12 moves")
    print("5 passed, 0 failed")


main()
