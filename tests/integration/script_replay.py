"""`ply script replay` over records of a real server: the versions that played
and judged say again what they said, at every turn and in every family; another
version, another policy and another ruleset are told where they differ."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from plyd import Server

# moods: uses everything that a question holds, and no time
PERSONALITY = """
return { name = "moods", choose = function(turn)
  local memory = turn.memory
  memory.n = (memory.n or 0) + 1
  local lines = search { nodes = 300 + 10 * memory.n, multipv = 3 }
  local last = turn.history[#turn.history] or ""
  return {
    move = pick(lines, { margin = 400 + turn.quiet, temperature = 90,
                         noise = #last + random(20) }),
    accept_draw = turn.offer,
    offer_draw = memory.n % 5 == 2,
    resign = memory.n > 45,
  }
end }
"""
POLICY = """
return { name = "house", no_progress = 40, repetition = 3,
  verdict = function(turn)
    turn.memory.n = (turn.memory.n or 0) + 1
    if turn.ply == 6 then
      return { verdict = "warn", reason = "six" }
    end
    local pieces = 0
    for _ in pairs(turn.board) do pieces = pieces + 1 end
    if turn.family == "draughts" and pieces <= 14 then
      return { verdict = "draw", reason = "few, call " .. turn.memory.n }
    end
  end }
"""
GAMES = [("english", 2), ("turkish", 2), ("backgammon", 1),
         ("backgammon-match", 1)]


def play(build, server, folder):
    """Random bots against moods; the record of every match."""
    ply = build / "bin" / "ply"
    where = f"127.0.0.1:{server.port}"
    bots = [subprocess.Popen(
        [ply, "bot", ruleset, "--server", where, "--random", "--seed", "5",
         "--ai", "moods", "--matches", str(matches), "--log",
         folder / ruleset], stdout=subprocess.DEVNULL)
        for ruleset, matches in GAMES]
    assert [bot.wait(120) for bot in bots] == [0] * len(bots)
    records = folder / "records"
    records.mkdir()
    for ruleset, _ in GAMES:
        for match in re.findall(r"^ended (\w+)", (folder / ruleset).read_text(),
                                re.M):
            subprocess.run([ply, "record", match, "--server", where, "-o",
                            records / f"{match}.record"], check=True,
                           stdout=subprocess.DEVNULL)
    return records


def replay(build, path, records, *options):
    """Exit status, lines and summary."""
    run = subprocess.run(
        [build / "bin" / "ply", "script", "replay", path, "--records", records,
         "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        timeout=120)
    lines = [json.loads(line) for line in run.stdout.splitlines()]
    return run.returncode, lines[:-1], lines[-1]


def changed(path, *pairs):
    """Another version of a script beside it, as the next file of its name."""
    text = path.read_text()
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    other = path.with_name(path.stem + "2.lua")
    other.write_text(text)
    return other


def check(build, scripts, records):
    moods = scripts / "personalities" / "moods.lua"
    house = scripts / "policies" / "house.lua"

    for path in (moods, house):
        status, lines, total = replay(build, path, records)
        assert (status, lines) == (0, []), (lines[:3], total)
        assert total["records"] == 6 and total["turns"] > 60, total
        print(f"{path.stem}: {total['turns']} turns of "
              f"{total['matches']} matches again, none otherwise")
    assert total["matches"] == 4, "the draughts only"

    status, lines, total = replay(
        build, changed(moods, ("accept_draw = turn.offer", "resign = false"),
                       ("resign = memory.n > 45", "resign = turn.ply == 5"),
                       ("300", "3000")), records)
    assert status == 1 and total["differences"] == len(lines) > 5, total
    assert any(line["script"] == "resigns" for line in lines), lines
    status, lines, total = replay(
        build, changed(house, ("turn.ply == 6", "turn.ply == 5"),
                       ("<= 14", "<= 16")), records)
    said = {(line["record"], line["script"]) for line in lines}
    assert status == 1 and ("goes on", "warns: six") in said, lines
    assert ("warns: six", "goes on") in said, lines
    assert any(a == "goes on" and b.startswith("draw: few")
               for a, b in said), said

    status, lines, total = replay(
        build, scripts / "policies" / "standard.lua", records)
    assert status == 0 and total["matches"] == 2, "the backgammon"
    status, lines, total = replay(
        build, scripts / "policies" / "no-draws.lua", records, "--every")
    assert any(line["script"] == "refuses the offer: no_draws"
               for line in lines), lines

    status, lines, total = replay(
        build, scripts / "rulesets" / "turkish.lua", records)
    assert (status, lines) == (0, []) and total["turns"] > 20, total
    short = scripts / "rulesets" / "short.lua"
    short.write_text('return { name = "short", base = "english",\n'
                     'options = { man_capture = "any" } }')
    status, lines, total = replay(build, short, records)
    assert status in (0, 1) and total["matches"] == 2, total

    damaged = sorted(records.iterdir())[0]
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:200] + b"00" + whole[202:])
    assert replay(build, moods, records)[0] == 2


def main():
    build, source = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scripts = folder / "scripts"
        shutil.copytree(source / "scripts", scripts)
        (scripts / "personalities" / "moods.lua").write_text(PERSONALITY)
        (scripts / "policies" / "house.lua").write_text(POLICY)
        for ruleset in ("english", "turkish"):
            path = scripts / "rulesets" / f"{ruleset}.lua"
            path.write_text(re.sub(r'policy = "\w+"', 'policy = "house"',
                                   path.read_text()))
        # other work on the machine is no reason for a verdict to be late
        with Server(build, source,
                    workers_verdict_deadline_ms=1000) as server:
            server.config = scripts / "plyd.lua"
            server.start()
            records = play(build, server, folder)
            assert server.end() == 0
        check(build, scripts, records)
    print("7 passed, 0 failed")


main()
