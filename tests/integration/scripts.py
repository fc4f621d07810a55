"""Operators' scripts that misbehave, in a real plyd with real workers.

  scripts.py BUILD SOURCE [TEST ...]

A bad personality costs its match nothing but plyd's own choice of move: the
match ends, matches against good personalities are not kept waiting longer than
one deadline, and the log says what happened. A bad file at the start is refused
with its name and line."""
import asyncio
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

from plyd import MACHINE_S, Client, Refused, Server

# As it is shipped, also where plyd has sanitizers.
WORKER = pathlib.Path(sys.argv[1]).resolve() / "bin" / "plyd-script-release"
DEADLINE_MS = 700
# A good personality may be kept for one deadline, and then by a busy machine.
GOOD_WAIT_S = DEADLINE_MS / 1000 + MACHINE_S

# name: (body of choose, words that the log must then have)
BOMBS = {
    "endless": ("while true do end", ["steps"]),
    "hidden": ("while true do pcall(function() while true do end end) end",
               ["steps"]),
    "pattern": ("return ('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))",
                ["why=late"]),
    "pattern2": ("return string.find(('a'):rep(10000), '.-.-.-.-b$')",
                 ["why=late"]),
    "memory": ("local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t "
               "end", ["memory"]),
    "memory2": ("return ('x'):rep(1e9)", ["memory"]),
    "rep": ("for i = 1, 1e6 do local s = ('abcd'):rep(1e7) end", []),
    "nils": ("error(nil)", ["nil"]),
    "tables": ("error({})", ["table"]),
    "illegal": ("return { move = '1-32' }", []),
    "nonsense": ("return 42", []),
    "nothing": ("return nil", []),
    "huge": ("return { move = ('9'):rep(1e6) }", []),
    "deep": ("local t = {} for i = 1, 1e5 do t = { t } end return t", []),
    "self": ("local t = {} t.move = t return t", []),
    "index": ("return setmetatable({}, { __index = function() while true do "
              "end end })", []),
    "finalizer": ("setmetatable({}, { __gc = function() while true do end "
                  "end })", []),
    "overflow": ("local function f(s) return (s:gsub('.', f)) end f('a')",
                 []),
    "sleeper": ("return { move = turn.moves[1].move, think_ms = 1e9 }", []),
    "negative": ("return { move = turn.moves[1].move, think_ms = -5 }", []),
    "shouter": ("for i = 1, 1e5 do log(('y'):rep(1e4)) end", []),
    "leaver": ("return { resign = 7 }", []),
    "coroutines": ("local n = 0 while true do coroutine.wrap(function() for j "
                   "= 1, 200 do n = n + 1 end end)() end", []),
}


GOOD = "return { move = use('first').move(turn) }"
FIRST = """local first = {}
function first.move(turn) return turn.moves[1].move end
return first
"""


def personality(name, body):
    return (f"return {{ name = '{name}', about = 'misbehaves',\n"
            f"choose = function(turn)\n{body}\nend }}\n")


class Operator:
    """A folder with a configuration and scripts of its own."""

    def __init__(self, server):
        self.server = server
        self.folder = pathlib.Path(server.folder.name) / "etc"
        shutil.copytree(server.source / "scripts", self.folder,
                        ignore=shutil.ignore_patterns("dev"))
        server.config = self.folder / "plyd.lua"
        (self.folder / "lib").mkdir(exist_ok=True)
        self.put("lib", "first", FIRST)
        self.put("personalities", "good", personality("good", GOOD))

    def put(self, kind, name, text):
        (self.folder / kind / f"{name}.lua").write_text(text)


class Game:
    """A match against a personality, whose moves are timed."""

    def __init__(self, port, opponent, seed, ruleset="english"):
        self.client = Client(port)
        self.opponent, self.ruleset = opponent, ruleset
        self.random = random.Random(seed)
        self.waits = []
        self.moves = 0
        self.result = None

    async def begin(self, base_ms=120000):
        await self.client.connect()
        await self.client.call("lobby.create", ruleset=self.ruleset,
                               opponent="personality", ready=True,
                               personality=self.opponent, base_ms=base_ms,
                               increment_ms=0)
        method, params = await self.client.note()
        while method != "match.started":
            method, params = await self.client.note()
        self.match = params["match"]

    async def turn(self):
        """Waits for the own turn; the match as it is then."""
        began = time.monotonic()
        while True:
            look = await self.client.call("match.get", match=self.match)
            if look["state"] == "over" or look["turn"] == look["you"]:
                return look, time.monotonic() - began
            await self.client.note()

    async def play(self, moves=1000):
        """Plays so many moves, or to the end."""
        while True:
            look, wait = await self.turn()
            if self.moves:
                self.waits.append(wait)
            if look["state"] == "over":
                self.result = look["result"]
                return
            if self.moves == moves:
                return
            await self.client.call("match.move", match=self.match,
                                   ply=look["ply"],
                                   move=self.random.choice(
                                       look["legal_moves"]))
            self.moves += 1


async def play_all(games, limit=200):
    await asyncio.gather(*(g.begin() for g in games))
    await asyncio.wait_for(asyncio.gather(*(g.play() for g in games)), limit)


async def crowd(server):
    """Four matches against the same bomb, which costs three deadlines until it
    is in quarantine, beside good ones."""
    games = [Game(server.port, "pattern", i) for i in range(4)]
    stop = asyncio.Event()
    good = asyncio.create_task(good_ones(server.port, 2, stop))
    await play_all(games)
    stop.set()
    waits = await asyncio.wait_for(good, 200)
    for game in games:
        await game.client.drop()
    if max(waits) > GOOD_WAIT_S:
        return f"a good personality was kept for {max(waits):.2f} s"
    return said(server, "pattern", ["is in quarantine", "why=quarantine"])


def many_of_a_kind(server):
    with_bombs(server, ["pattern"])
    return asyncio.run(crowd(server))


def sleeping(server):
    """A personality that takes its time does not lose by it."""
    Operator(server).put("personalities", "dozer", personality(
        "dozer", "return { move = turn.moves[1].move, think_ms = 9000 }"))
    server.start()

    async def play():
        game = Game(server.port, "dozer", 3)
        await game.begin(base_ms=8000)
        await asyncio.wait_for(game.play(moves=10), 200)
        await game.client.drop()
        return game
    game = asyncio.run(play())
    print(f"       {game.moves} moves, at most {max(game.waits):.2f} s")
    if game.result:
        return f"{game.result} after waits of {max(game.waits):.2f} s"
    return None


TALKER = """return { name = 'talker', about = 'talks', choose = function(turn)
    return { move = turn.moves[1].move,
        say = 'move ' .. turn.ply }
end }
"""
MUMBLER = """return { name = 'mumbler', about = 'mumbles',
choose = function(turn)
    return { move = turn.moves[1].move,
        say = ('x'):rep(301) }
end }
"""


def words(server):
    """What a personality says is heard, as much as chat may be; what cannot be
    said is in the log, and costs neither a move nor the script's name."""
    operator = Operator(server)
    operator.put("personalities", "talker", TALKER)
    operator.put("personalities", "mumbler", MUMBLER)
    server.start()

    async def play(opponent, off):
        game = Game(server.port, opponent, 4)
        await game.begin()
        if off:
            await game.client.call("chat.switch", match=game.match, on=False)
        await game.play(12)
        look = await game.client.call("chat.get", match=game.match)
        await game.client.drop()
        return [(line["name"], line["kind"], line["text"], "player" in line)
                for line in look["lines"]]
    lines = asyncio.run(play("talker", False))
    ply = [int(text.split()[1]) for _, _, text, _ in lines]
    if not 4 <= len(lines) <= 7 or ply != sorted(set(ply)):
        return f"it says {lines}"
    if {line[:2] + line[3:] for line in lines} != {
            ("talker", "personality", False)}:
        return f"who says {lines}"
    if asyncio.run(play("talker", True))[2:]:
        return "it is heard though the chat is off"
    if lines := asyncio.run(play("mumbler", False)):
        return f"it says {lines}"
    if "quarantine" in server.text() or "plyd chose" in server.text():
        return "bad words were held to be a fault"
    return said(server, "mumbler", ["line 4: 'say' is left out"])


async def good_ones(port, count, stop):
    """Matches against a good personality until `stop`; their waits."""
    waits = []

    async def one(seed):
        while not stop.is_set():
            game = Game(port, "good", seed)
            await game.begin()
            await game.play()
            waits.extend(game.waits)
            await game.client.drop()
    await asyncio.gather(*(one(seed) for seed in range(count)))
    return waits


async def bombs_beside_good(server, names):
    """What is wrong when these play at the same time as good ones."""
    stop = asyncio.Event()
    good = asyncio.create_task(good_ones(server.port, 2, stop))
    games = [Game(server.port, name, i) for i, name in enumerate(names)]
    began = time.monotonic()
    try:
        await play_all(games)
    finally:
        stop.set()
    waits = sorted(await asyncio.wait_for(good, 200))
    for game in games:
        await game.client.drop()
    slowest = max(max(g.waits) for g in games)
    print(f"       {len(games)} matches against {', '.join(names)} in "
          f"{time.monotonic() - began:.1f} s, their moves at most "
          f"{slowest:.2f} s; {len(waits)} good moves, at most "
          f"{waits[-1]:.2f} s")
    for game in games:
        if not game.result or game.result["result"] == "none":
            return f"{game.opponent}: {game.result}"
    if waits[-1] > GOOD_WAIT_S:
        return f"a good personality was kept for {waits[-1]:.2f} s"
    return None


def said(server, name, words):
    """Whether the log speaks of the script and has the words."""
    lines = [line for line in server.text().splitlines()
             if name in line and "level=warning" in line]
    for word in words:
        if not any(word in line for line in lines):
            return f"{name}: '{word}' is not in the log: {lines[:3]}"
    return None if lines else f"{name}: the log does not speak of it"


def with_bombs(server, names):
    operator = Operator(server)
    for name in names:
        operator.put("personalities", name,
                     personality(name, BOMBS[name][0]))
    server.start()
    return operator


SILENT = ("sleeper",)  # its match only waits


def group(names):
    def test(server):
        with_bombs(server, names)
        wrong = asyncio.run(bombs_beside_good(server, names))
        for name in names:
            if name not in SILENT:
                wrong = wrong or said(server, name, BOMBS[name][1])
        return wrong
    return test


ALONE = ["endless", "pattern", "memory"]


def killed_workers(server):
    """Workers that are killed from outside, crash, or are stopped for good,
    once a second. No match waits for more than one deadline, neither this one
    nor those beside it."""
    Operator(server).put("personalities", "calm", personality(
        "calm", "return { move = turn.moves[1].move, think_ms = 120 }"))
    server.start()

    async def disturb(number):
        game = Game(server.port, "calm", 5)
        await game.begin()
        playing = asyncio.create_task(game.play())
        stop = asyncio.Event()
        beside = asyncio.create_task(good_ones(server.port, 2, stop))
        for _ in range(5):
            await asyncio.sleep(DEADLINE_MS / 1000 + 0.3)
            for pid in workers_of(server):
                os.kill(pid, number)
        await asyncio.wait_for(playing, 200)
        stop.set()
        waits = await asyncio.wait_for(beside, 200)
        await game.client.drop()
        return game.result["result"], max(game.waits), max(waits)
    for number in (signal.SIGKILL, signal.SIGSEGV, signal.SIGSTOP):
        result, slowest, others = asyncio.run(disturb(number))
        print(f"       {number.name}: a move took at most {slowest:.2f} s, "
              f"beside it {others:.2f} s")
        if result == "none":
            return f"{number}: {result}"
        if max(slowest, others) > GOOD_WAIT_S:
            return f"{number}: moves took {slowest:.2f}, {others:.2f} s"
        words = {signal.SIGKILL: "signal=9",
                 signal.SIGSEGV: "signal=11",
                 signal.SIGSTOP: "did not answer in time and was killed"}
        if words[number] not in server.text():
            return f"{number}: the log does not say '{words[number]}'"
    if server.end() != 0:
        return "plyd did not end well"
    left = subprocess.run(["pgrep", "-f", str(server.folder.name)],
                          capture_output=True, text=True).stdout
    return f"left behind: {left}" if left else None


def starved_workers(server):
    """Workers that the machine gives no time: plyd moves instead, and the
    script, which is not to blame, is not put away."""
    Operator(server).put("personalities", "calm", personality(
        "calm", "return { move = turn.moves[1].move }"))
    server.start()

    word = "the machine gave it no time"

    async def starve(seed):
        game = Game(server.port, "calm", seed)
        await game.begin()
        playing = asyncio.create_task(game.play())
        while server.text().count(word) < 5 and not playing.done():
            for pid in workers_of(server):
                try:
                    os.kill(pid, signal.SIGSTOP)
                except ProcessLookupError:
                    pass
            await asyncio.sleep(0.05)
        await asyncio.wait_for(playing, 200)
        await game.client.drop()
        return game.result["result"]
    # a game may be over before its workers were met so often
    for seed in range(6, 26):
        result = asyncio.run(starve(seed))
        if result == "none":
            return "a game did not end"
        if server.text().count(word) >= 5:
            break
    else:
        return f"{server.text().count(word)} times in 20 games"
    return "the script was put away" if "in quarantine" in server.text() \
        else None


def workers_of(server):
    """The workers that run; one that is still being started is plyd's own
    image, and plyd waits within fork and exec until it is another."""
    task = pathlib.Path(f"/proc/{server.process.pid}/task")
    found = []
    for children in task.glob("*/children"):
        found += [int(pid) for pid in children.read_text().split()
                  if is_worker(pid)]
    return found


def is_worker(pid):
    try:
        name = pathlib.Path(f"/proc/{pid}/comm").read_text()
    except OSError:
        return False
    return name.startswith("plyd-script")


# (kind, name of the file, text, words of the refusal)
WRONG_FILES = [
    ("lib", "comma", "return {\n = }", ["comma.lua:2"]),
    ("lib", "Loud", "return {}", ["Loud.lua", "lower-case"]),
    ("personalities", "reader", "local x = use '../plyd'",
     ["reader.lua:1", "use takes the name"]),
    ("personalities", "lonely", "\nlocal x = use 'lonely'",
     ["lonely.lua:2", "there is no library 'lonely'"]),
    ("personalities", "broken", "return {\n name = 'x',\n about = = 1 }",
     ["broken.lua:3"]),
    ("personalities", "bytes", "\x1bLua\x54", ["bytes.lua"]),
    ("personalities", "empty", "", ["empty.lua"]),
    ("personalities", "sleepy", "while true do end", ["sleepy.lua"]),
    ("personalities", "hungry", "local t = {} while true do "
     "t[#t + 1] = ('x'):rep(1e5) .. #t end", ["hungry.lua"]),
    ("personalities", "stuck",
     "return ('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))",
     ["stuck.lua"]),
    ("personalities", "thrower", "\nerror({})", ["thrower.lua"]),
    ("personalities", "twin", personality("steady", ""), ["twin.lua",
                                                         "name"]),
    ("personalities", "choiceless", "return { name = 'c', about = 'a' }",
     ["choiceless.lua", "choose"]),
    ("personalities", "lost", "return { name = 'lost',\n"
     " rulesets = { 'english', 'chess' }, choose = function() end }",
     ["lost.lua", "no ruleset 'chess'"]),
    ("rulesets", "lawless", "return { name = 'lawless', base = 'english',\n"
     " policy = 'none' }", ["lawless.lua", "no policy 'none'"]),
    ("rulesets", "odd", "return {\n name = 'odd', base = 'english',\n"
     " about = 'odd',\n options = { kings = 'flying' },\n}",
     ["odd.lua:4", "kings"]),
    ("rulesets", "badvalue", "return {\n name = 'odd', base = 'english',\n"
     " about = 'odd', options = { king = 'winged' },\n}",
     ["badvalue.lua:", "king"]),
    ("rulesets", "chess", "return { name = 'chess', base = 'chess',\n"
     " about = 'x' }", ["chess.lua:1", "'chess'"]),
    ("rulesets", "clash", "return { name = 'clash', base = 'caucasian',\n"
     " about = 'x',\n options = { hit_and_hide = true },\n}",
     ["clash.lua:3", "hit_and_bear_off = if_forced needs"]),
    ("rulesets", "points", "return { name = 'points', base = 'backgammon',\n"
     " about = 'x', options = { crawford = true },\n}",
     ["points.lua:2", "crawford"]),
    ("rulesets", "hourglass", "return { name = 'hourglass',\n"
     " base = 'english', clock = { base_ms = 1000, increment_ms = 5,\n"
     " delay_ms = 5 } }", ["hourglass.lua", "an increment or a delay"]),
    ("rulesets", "sundial", "return { name = 'sundial', base = 'english',\n"
     " clock = { kind = 'sundial', base_ms = 1000 } }",
     ["sundial.lua:2", "bronstein"]),
    ("rulesets", "patient", "return { name = 'patient', base = 'english',\n"
     " clock = { base_ms = 1000 }, clocks = { fischer = false } }",
     ["patient.lua", "'clocks'"]),
    ("rulesets", "hasty", "return { name = 'hasty', base = 'english',\n"
     " clock = { kind = 'per_move', base_ms = 86400000 },\n"
     " clocks = { move_ms_max = 86399999 } }", ["hasty.lua", "'clocks'"]),
    ("policies", "lazy", "return { name = 'lazy', no_progress = 'many' }",
     ["lazy.lua", "no_progress"]),
]


def wrong_files(server):
    operator = Operator(server)
    for kind, name, text, words in WRONG_FILES:
        path = operator.folder / kind / f"{name}.lua"
        path.write_text(text)
        done = subprocess.run(
            [server.plyd, "--config", server.config, "--data", server.data,
             "--listen", "127.0.0.1:0"], capture_output=True, text=True,
            timeout=120)
        path.unlink()
        if done.returncode != 1:
            return f"{name}: status {done.returncode}"
        for word in words:
            if word not in done.stderr:
                return f"{name}: '{word}' is not in: {done.stderr}"
    server.start()
    return None


def more_rulesets(server):
    """The operator's examples, offered beside what ships, and played."""
    operator = Operator(server)
    examples = sorted((server.source / "docs/examples/rulesets").glob("*.lua"))
    for path in examples:
        shutil.copy(path, operator.folder / "rulesets")
    server.start()

    async def offered():
        client = Client(server.port)
        await client.connect()
        answer = await client.call("rules.list")
        await client.drop()
        for name in "russian", "hypergammon":
            game = Game(server.port, "good", 1, ruleset=name)
            await game.begin()
            await game.play()
            await game.client.drop()
            if not game.result or game.result["result"] == "none":
                return f"{name}: {game.result}"
        names = {ruleset["name"] for ruleset in answer["rulesets"]}
        missing = {path.stem for path in examples} - names
        if missing or len(examples) < 4 or len(names) != len(examples) + 9:
            return f"offered: {sorted(names)}"
        return None
    return asyncio.run(asyncio.wait_for(offered(), 120))


def gone_ruleset(server):
    """Rulesets and personalities that the operator takes away: matches that
    were begun with them are played on."""
    operator = Operator(server)
    operator.put("personalities", "guest", personality(
        "guest", "return { move = turn.moves[1].move }"))
    server.start()

    async def before():
        game = Game(server.port, "guest", 1)
        await game.begin()
        await game.play(moves=3)
        await game.client.call("lobby.create", ruleset="english", key="a")
        await game.client.drop()
        return game

    async def after(game):
        await game.client.connect()
        lobbies = game.client.welcome["lobbies"]
        await game.client.call("match.watch", match=game.match)
        await game.play()
        await game.client.drop()
        return lobbies
    game = asyncio.run(before())
    server.end()
    (operator.folder / "personalities" / "guest.lua").unlink()
    (operator.folder / "rulesets" / "english.lua").unlink()
    server.start()
    lobbies = asyncio.run(asyncio.wait_for(after(game), 200))
    if lobbies or not game.result or game.result["result"] == "none":
        return f"lobbies {lobbies}, result {game.result}"
    return None


def group_named(names):
    test = group(names)
    test.__name__ = "_".join(names[:2])
    return test


OTHERS = [n for n in BOMBS if n not in ALONE]
TESTS = ([wrong_files, more_rulesets, gone_ruleset, killed_workers,
          starved_workers, words,
          sleeping, many_of_a_kind] +
         [group_named([n]) for n in ALONE] +
         [group_named(OTHERS[:10]), group_named(OTHERS[10:])])


def main():
    build, source, *only = sys.argv[1:]
    failures = []
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        with Server(build, source,
                    workers_program=WORKER,
                    workers_choose_deadline_ms=DEADLINE_MS,
                    workers_load_deadline_ms=1000, workers_count=1,
                    limits_requests_burst=1000) as server:
            began = time.monotonic()
            try:
                wrong = test(server)
                if not wrong and server.process.poll() is None:
                    wrong = server.end() and "plyd did not end well"
            except (RuntimeError, Refused, asyncio.TimeoutError) as error:
                wrong = f"{type(error).__name__}: {error}"
            print(f"{'FAILED' if wrong else 'ok':6} {test.__name__:28} "
                  f"{time.monotonic() - began:5.1f} s  {wrong or ''}",
                  flush=True)
            if wrong:
                failures.append(test.__name__)
                print(server.text()[-2000:])
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
