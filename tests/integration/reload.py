"""Scripts that are read again while matches are played.

  reload.py BUILD SOURCE [TEST ...]

What is right is in force for new matches, running ones keep what they began
with; a file that is wrong changes nothing and is named with its line."""
import asyncio
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

from plyd import Client, Refused, Server, until


def personality(name, body, about="plays"):
    return (f"return {{ name = '{name}', about = '{about}',\n"
            f"choose = function(turn)\n{body}\nend }}\n")


FIRST = "return { move = turn.moves[1].move }"
LAST = "return { move = turn.moves[#turn.moves].move }"
POLICY = """return { name = "own", no_progress = 80, repetition = 3,
verdict = function(turn)
  if turn.ply >= %d then return { verdict = "draw", reason = "%s" } end
end }
"""
RULESET = """return { name = "%s", base = "english", policy = "%s",
about = "%s", clock = { base_ms = %d, increment_ms = 0 } }
"""


class Operator:
    """A folder with scripts of its own, and `ply admin`."""

    def __init__(self, server, build):
        self.server = server
        self.ply = pathlib.Path(build).resolve() / "bin" / "ply"
        self.folder = pathlib.Path(server.folder.name) / "etc"
        shutil.copytree(server.source / "scripts", self.folder,
                        ignore=shutil.ignore_patterns("dev"))
        server.config = self.folder / "plyd.lua"
        (self.folder / "lib").mkdir(exist_ok=True)

    def path(self, kind, name):
        return self.folder / kind / f"{name}.lua"

    def put(self, kind, name, text):
        self.path(kind, name).write_text(text)

    def admin(self, *words):
        done = subprocess.run(
            [self.ply, "admin", "--json", "--socket",
             self.server.data / "admin.sock", *words],
            capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise RuntimeError(f"ply admin {words}: {done.stderr}")
        return json.loads(done.stdout)

    def reload(self):
        return self.admin("reload")


class Game:
    """A match against a personality, or between two bots of ours."""

    def __init__(self, port):
        self.black, self.white = Client(port), Client(port)

    async def begin(self, ruleset="english", opponent=None):
        await self.black.connect()
        if opponent:
            await self.black.call(
                "lobby.create", ruleset=ruleset, opponent="personality",
                personality=opponent, ready=True, base_ms=120000,
                increment_ms=0)
        else:
            await self.white.connect()
            lobby = await self.black.call("lobby.create", ruleset=ruleset,
                                          private=True, side="black",
                                          ready=True)
            await self.white.call("lobby.join", code=lobby["code"],
                                  ready=True)
        method, params = None, None
        while method != "match.started":
            method, params = await self.black.note()
        self.match = params["match"]
        return await self.look()

    async def look(self):
        return await self.black.call("match.get", match=self.match)

    async def turn(self, who=None):
        """Waits until who is to move, or it is over."""
        who = who or self.black
        while True:
            look = await who.call("match.get", match=self.match)
            if look["state"] == "over" or (look["turn"] == look["you"] and
                                           "legal_moves" in look):
                return look
            await who.note()

    async def move(self, who=None):
        """One move; the answer of a personality to it, or None at the end."""
        who = who or self.black
        look = await self.turn(who)
        if look["state"] == "over":
            return None
        await who.call("match.move", match=self.match, ply=look["ply"],
                       move=look["legal_moves"][0])
        return await self.turn(who)

    async def drop(self):
        await self.black.drop()
        if self.white.welcome:
            await self.white.drop()


async def offered(port):
    client = Client(port)
    await client.connect()
    answer = await client.call("rules.list")
    await client.drop()
    rulesets = {r["name"]: r for r in answer["rulesets"]}
    personalities = {p["name"]: p for p in answer["personalities"]}
    return rulesets, personalities


async def choice_of(port, opponent):
    """What it plays against the first move: whether its first or last."""
    game = Game(port)
    await game.begin(opponent=opponent)
    after = await game.move()
    version = after["scripts"]["white"]
    moves = after["moves"]
    await game.drop()
    return moves[1], version


def new_version(server, operator):
    """A running match keeps its version, a new one has the new version."""
    operator.put("personalities", "own", personality("own", FIRST))
    server.start()

    async def play():
        old = Game(server.port)
        await old.begin(opponent="own")
        await old.move()
        before, before_version = await choice_of(server.port, "own")
        operator.put("personalities", "own", personality("own", LAST))
        told = operator.reload()
        after, after_version = await choice_of(server.port, "own")
        assert before != after, (before, after)
        assert before_version != after_version
        assert told["changed"] == [f"personality own {after_version}"], told
        assert told["gone"] == [] and told["problems"] == [], told
        look = await old.look()
        assert look["scripts"]["white"] == before_version, look["scripts"]
        for _ in range(3):  # with the old one: first of its moves
            look = await old.turn()
            mine = look["legal_moves"][-1]
            state = await old.black.call("match.move", match=old.match,
                                         ply=look["ply"], move=mine)
            del state
            answer = (await old.turn())["moves"][-1]
            shown = await old.black.call(
                "rules.moves", ruleset="english",
                position=await position_after(old, look, mine))
            assert answer == shown["moves"][0]["move"], (answer, shown)
        await old.drop()
        _, people = await offered(server.port)
        assert people["own"]["version"] == after_version, people["own"]
    asyncio.run(play())


async def position_after(game, look, move):
    shown = await game.black.call("rules.moves", ruleset="english",
                                  position=look["position"])
    for one in shown["moves"]:
        if one["move"] == move:
            return one["position"] if "position" in one else \
                await replayed(game, look, move)
    raise RuntimeError(move)


async def replayed(game, look, move):
    answer = await game.black.call("rules.apply", ruleset="english",
                                   position=look["position"], move=move)
    return answer["position"]


def library(server, operator):
    """A script has a new version when a library that it uses has one."""
    operator.put("lib", "taste", "return { of = function(moves) return "
                 "moves[1].move end }")
    operator.put("personalities", "user", personality(
        "user", "return use('taste').of(turn.moves)"))
    operator.put("personalities", "other", personality("other", FIRST))
    server.start()
    _, people = asyncio.run(offered(server.port))

    async def play():
        old = Game(server.port)
        await old.begin(opponent="user")
        await old.move()
        operator.put("lib", "taste", "return { of = function(moves) return "
                     "moves[#moves].move end }")
        told = operator.reload()
        names = [line.rsplit(" ", 1)[0] for line in told["changed"]]
        assert names == ["library taste", "personality user"], told
        first, _ = await choice_of(server.port, "other")
        last, _ = await choice_of(server.port, "user")
        assert first != last, (first, last)
        for _ in range(3):
            await old.move()
        assert (await old.look())["scripts"]["white"] == \
            people["user"]["version"]
        await old.drop()
    asyncio.run(play())
    assert "plyd chose the move" not in server.text(), server.text()


def broken_files(server, operator):
    """Each is named with its line, the others are read, its old version is
    in force still."""
    operator.put("lib", "shared", "return {}")
    operator.put("personalities", "own", personality("own", FIRST))
    operator.put("personalities", "fine", personality("fine", FIRST))
    operator.put("policies", "own", POLICY % (4, "four"))
    operator.put("rulesets", "own", RULESET % ("own", "own", "x", 60000))
    server.start()
    rulesets, people = asyncio.run(offered(server.port))
    operator.put("lib", "shared", "return {\n = }")
    operator.put("personalities", "own", "return {\n name = 'own',\n = }")
    operator.put("personalities", "fine", personality("fine", LAST))
    operator.put("personalities", "loop", "while true do end")
    operator.put("policies", "own", "return {\n name = 'own', oops = 1 }")
    operator.put("rulesets", "own", RULESET % ("own", "gone", "x", 60000))
    told = operator.reload()
    changed = [line.rsplit(" ", 1)[0] for line in told["changed"]]
    assert changed == ["personality fine"], told
    wanted = ["lib/shared.lua:2: ", "policies/own.lua:2: ",
              "rulesets/own.lua: there is no policy 'gone'",
              "personalities/loop.lua:", "personalities/own.lua:3: "]
    assert len(told["problems"]) == len(wanted), told
    for words, problem in zip(wanted, told["problems"]):
        assert words in problem, (words, problem)
        assert problem.replace('"', "'") in \
            server.text().replace('\\"', "'"), problem
    assert "oops" in told["problems"][1], told
    rules_now, people_now = asyncio.run(offered(server.port))
    assert rules_now == rulesets
    assert people_now["own"] == people["own"], people_now
    assert people_now["fine"]["version"] != people["fine"]["version"]
    assert "loop" not in people_now
    acts = operator.admin("audit")["acts"]
    assert acts[0]["act"] == "reload", acts
    assert acts[0]["text"] == "1 changed, 0 gone, 5 wrong", acts
    # mended, all is as new
    operator.path("personalities", "loop").unlink()
    operator.put("lib", "shared", "return {}")
    operator.put("personalities", "own", personality("own", LAST))
    operator.put("policies", "own", POLICY % (6, "six"))
    operator.put("rulesets", "own", RULESET % ("own", "own", "x", 60000))
    told = operator.reload()
    changed = [line.rsplit(" ", 1)[0] for line in told["changed"]]
    assert changed == ["policy own", "personality own"], told
    assert told["problems"] == [], told
    rules_now, _ = asyncio.run(offered(server.port))
    assert rules_now["own"]["version"] == rulesets["own"]["version"]
    assert rules_now["own"]["policy_version"] != \
        rulesets["own"]["policy_version"]


async def play_to_end(game, limit=20):
    for ply in range(limit):
        who = (game.black, game.white)[ply % 2]
        look = await game.turn(who)
        if look["state"] == "over":
            return look
        try:
            await who.call("match.move", match=game.match, ply=look["ply"],
                           move=look["legal_moves"][0])
        except Refused as error:  # the policy's word came before the move
            if error.name != "game_over":
                raise
    return await game.look()


def policies(server, operator):
    """The functions of a policy too, and its numbers."""
    operator.put("policies", "own", POLICY % (6, "six"))
    operator.put("rulesets", "own", RULESET % ("own", "own", "x", 60000))
    server.start()

    async def play():
        old = Game(server.port)
        await old.begin(ruleset="own")
        operator.put("policies", "own", POLICY % (4, "four"))
        operator.reload()
        new = Game(server.port)
        await new.begin(ruleset="own")
        ends = [await play_to_end(old), await play_to_end(new)]
        await old.drop()
        await new.drop()
        assert [(e["ply"], e["result"]["text"]) for e in ends] == \
            [(6, "six"), (4, "four")], ends
    asyncio.run(play())


def by_signal(server, operator):
    """SIGHUP does the same, and again if it comes twice."""
    operator.put("personalities", "own", personality("own", FIRST))
    server.start()
    _, people = asyncio.run(offered(server.port))
    operator.put("personalities", "own", personality("own", LAST))
    for _ in range(3):
        server.process.send_signal(signal.SIGHUP)

    async def changed():
        await until(lambda: "scripts were read again" in server.text())
        _, now = await offered(server.port)
        assert now["own"]["version"] != people["own"]["version"]
    asyncio.run(changed())


async def limits_of(port):
    client = Client(port, "Reader")
    welcome = await client.connect()
    await client.drop()
    return welcome["limits"]


def settings(server, operator):
    """What may change holds at once, what may not is named and stays, and of a
    file that is wrong nothing is taken."""
    server.start()

    def edit(old, new):
        text = server.config.read_text()
        assert old in text
        server.config.write_text(text.replace(old, new))

    edit("chat_burst = 5,", "chat_burst = 2,")
    edit('level = "info"', 'level = "debug"')
    edit("hash_passes = 3,", "hash_passes = 4,")
    told = operator.reload()
    assert "limits.chat_burst is 2, was 5" in told["changed"], told
    assert ("accounts.hash_passes is 4 in the file, and stays 3 until plyd is "
            "started again") in told["problems"], told
    assert not [one for one in told["changed"] + told["problems"]
                if "listen" in one or "data." in one], told
    assert asyncio.run(limits_of(server.port))["chat_burst"] == 2
    assert "level=debug" in server.text()
    again = operator.reload()
    assert not again["changed"] and len(again["problems"]) == 1, again
    edit("chat_burst = 2,", "chat_burst = 0,")
    edit("chat_line_ms = 2000,", "chat_line_ms = 1000,")
    wrong = operator.reload()
    line = 1 + server.config.read_text().split("chat_burst = ")[0].count("\n")
    assert f"{server.config}:{line}: limits.chat_burst is 0; it may be 1 to " \
        "1000" in wrong["problems"], wrong
    assert not wrong["changed"], wrong
    limits = asyncio.run(limits_of(server.port))
    assert (limits["chat_burst"], limits["chat_line_ms"]) == (2, 2000), limits
    edit('level = "debug"', 'level = "loud"')
    edit("chat_burst = 0,", "chat_burst = 3,")
    told = operator.reload()
    assert any("log.level must be one of" in one for one in told["problems"])
    assert asyncio.run(limits_of(server.port))["chat_burst"] == 2


def what_is_gone(server, operator):
    """A ruleset and a personality that are taken away; not the last ruleset."""
    operator.put("personalities", "guest", personality("guest", FIRST))
    server.start()

    async def play():
        game = Game(server.port)
        await game.begin(opponent="guest")
        await game.move()
        operator.path("personalities", "guest").unlink()
        operator.path("rulesets", "english").unlink()
        told = operator.reload()
        gone = [line.rsplit(" ", 1)[0] for line in told["gone"]]
        assert gone == ["ruleset english", "personality guest"], told
        rulesets, people = await offered(server.port)
        assert "english" not in rulesets and "guest" not in people
        for _ in range(4):
            assert await game.move()
        try:
            await game.black.call("lobby.create", ruleset="english")
            raise RuntimeError("a lobby of what is gone")
        except Refused as error:
            assert error.name == "no_such_ruleset", error
        for path in (operator.folder / "rulesets").glob("*.lua"):
            path.unlink()
        told = operator.reload()
        assert "no ruleset" in told["problems"][0], told
        after, _ = await offered(server.port)
        assert after.keys() == rulesets.keys()
        await game.drop()
    asyncio.run(play())
    assert "plyd chose the move" not in server.text(), server.text()


def quarantine(server, operator):
    """Nothing but reading it again helps; also where the file is the same."""
    operator.put("personalities", "own", personality("own", "error('no')"))
    server.start()

    async def play():
        game = Game(server.port)
        await game.begin(opponent="own")
        for _ in range(4):
            await game.move()
        assert operator.admin("status")["quarantined"] == ["personality own"]
        told = operator.reload()
        assert told["changed"] == [], told
        assert operator.admin("status")["quarantined"] == []
        for _ in range(3):
            await game.move()
        assert operator.admin("status")["quarantined"] == ["personality own"]
        operator.put("personalities", "own", personality("own", FIRST))
        operator.reload()
        # the match goes on with what it began with
        quarantined = operator.admin("status")["quarantined"]
        assert len(quarantined) == 1, quarantined
        assert quarantined[0].startswith("personality own "), quarantined
        await choice_of(server.port, "own")
        await game.drop()
    asyncio.run(play())


COUNTING = """local memory = turn.memory
memory.turns = (memory.turns or 0) + 1
if memory.turns == 4 then return { resign = true } end
return { move = turn.moves[1].move, think_ms = 100 }"""


def what_they_keep(server, operator):
    """What a script keeps of a match is there after kill -9 and after the loss
    of its worker, and counts each decision once."""
    operator.put("personalities", "own", personality("own", COUNTING))
    server.start()

    async def play():
        game = Game(server.port)
        await game.begin(opponent="own")
        for disturb in (server_dies, worker_dies, server_dies):
            assert await game.move()
            disturb(server)
            await game.black.connect()
            await game.black.call("match.watch", match=game.match)
        await game.move()
        look = await game.turn()
        assert look["result"]["reason"] == "resigned", look["result"]
        assert look["ply"] == 7, look["ply"]
        await game.drop()
    asyncio.run(play())


def server_dies(server):
    server.process.kill()
    server.process.wait()
    server.start()


def server_is_restored(server):
    """It dies, and its data with it, but for a backup."""
    file = pathlib.Path(server.folder.name) / "copy.db"
    subprocess.run([server.plyd.parent / "ply", "admin", "--socket",
                    server.data / "admin.sock", "backup", file], check=True,
                   capture_output=True)
    server.process.kill()
    server.process.wait()
    shutil.rmtree(server.data)
    subprocess.run([server.plyd, "--config", server.config, "--data",
                    server.data, "--restore", file], check=True,
                   capture_output=True)
    server.start()
    file.unlink()


def worker_dies(server):
    task = pathlib.Path(f"/proc/{server.process.pid}/task")
    workers = [int(pid) for children in task.glob("*/children")
               for pid in children.read_text().split()]
    assert workers
    for pid in workers:
        os.kill(pid, signal.SIGKILL)


def after_a_restart(server, operator, dies=server_dies):
    """A match goes on with what it began with, whatever the files say when
    plyd starts again; without that text it goes on without the script."""
    operator.put("lib", "turns", "return { of = function(moves) return "
                 "moves[1].move end }")
    operator.put("personalities", "own", personality(
        "own", "local memory = turn.memory memory.n = (memory.n or 0) + 1\n"
        "if memory.n == 4 then return { resign = true } end\n"
        "return use('turns').of(turn.moves)"))
    operator.put("policies", "own", POLICY % (40, "forty"))
    operator.put("rulesets", "own", RULESET % ("own", "own", "x", 60000))
    server.start()
    texts = server.data / "scripts"

    async def play():
        game, judged = Game(server.port), Game(server.port)
        await game.begin(opponent="own")
        await judged.begin(ruleset="own")
        await game.move()
        began = (await game.look())["scripts"]
        operator.put("lib", "turns", "return { of = error }")
        operator.put("personalities", "own", personality("own", FIRST))
        operator.put("policies", "own", POLICY % (2, "two"))
        dies(server)
        names = sorted(path.name.split("@")[0] for path in texts.iterdir())
        assert names.count("3own") == 2 and names.count("2own") == 2, names
        for each in (game, judged):
            await each.black.connect()
            await each.black.call("match.watch", match=each.match)
        await judged.white.connect()
        for _ in range(3):
            await game.move()
        look = await game.turn()
        assert look["result"]["reason"] == "resigned", look["result"]
        assert look["scripts"] == began, look["scripts"]
        ended = await play_to_end(judged, limit=6)
        assert ended["state"] == "playing" and ended["ply"] == 6, ended
        assert "plyd chose the move" not in server.text(), server.text()
        # nobody needs the old personality now
        operator.reload()
        names = sorted(path.name.split("@")[0] for path in texts.iterdir())
        assert names.count("2own") == 2, names
        await game.begin(opponent="own")
        await game.move()
        operator.put("personalities", "own", personality("own", LAST))
        for path in texts.glob("3own@*"):
            path.write_bytes(path.read_bytes()[:-1])
        server_dies(server)
        assert "the text of a script is gone" in server.text()
        await game.black.connect()
        await game.black.call("match.watch", match=game.match)
        assert await game.move()
        assert "why=gone" in server.text(), server.text()
        await game.drop()
        await judged.drop()
    asyncio.run(play())


def after_a_restore(server, operator):
    """A backup has the texts too."""
    after_a_restart(server, operator, dies=server_is_restored)


def in_the_record(server, operator):
    """`ply verify` shows what a match was played with, under whichever
    versions it began."""
    operator.put("personalities", "own", personality("own", COUNTING))
    server.start()
    seen = []

    async def one():
        game = Game(server.port)
        await game.begin(opponent="own")
        while await game.move():
            if (await game.look())["ply"] == 2:
                operator.put("personalities", "own", personality(
                    "own", COUNTING, about=f"number {len(seen)}"))
                operator.put("policies", "standard", (
                    operator.path("policies", "standard").read_text() +
                    f"-- {len(seen)}\n"))
                operator.reload()
        look = await game.look()
        seen.append((game.match, look["scripts"]))
        await game.drop()
    for _ in range(3):
        asyncio.run(one())
    versions = {(s["white"], s["policy_version"]) for _, s in seen}
    assert len(versions) == 3, seen
    assert len({s["ruleset"] for _, s in seen}) == 1, seen
    for match, scripts in seen:
        record = operator.folder / f"{match}.record"
        for words in (["record", "--output", record, "--server",
                       f"127.0.0.1:{server.port}", match],
                      ["verify", "--json", record]):
            done = subprocess.run([operator.ply, *words], check=True,
                                  capture_output=True, text=True)
        shown = json.loads(done.stdout)
        assert shown["good"], shown
        assert shown["scripts"] == dict(scripts, black=None), shown


TESTS = [what_they_keep, after_a_restart, after_a_restore, in_the_record, new_version, library,
         broken_files, policies, by_signal, settings,
         what_is_gone, quarantine]


def main():
    build, source, *only = sys.argv[1:]
    failures = []
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        with Server(build, source, workers_load_deadline_ms=1000,
                    workers_count=1, limits_requests_burst=1000) as server:
            try:
                test(server, Operator(server, build))
                if server.process.poll() is not None or server.end() != 0:
                    raise RuntimeError("plyd did not end well")
                print(f"ok     {test.__name__}", flush=True)
            except Exception as error:  # noqa: BLE001: every test is told
                failures.append(test.__name__)
                print(f"FAILED {test.__name__}: {type(error).__name__}: "
                      f"{error}\n{server.text()[-2000:]}", flush=True)
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
