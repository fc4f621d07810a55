"""ply's commands over real sockets: bots of every ruleset, the page's example
bot, a person at a pseudo-terminal, records and what tampering does to them.

  ply_net_test.py BUILD SOURCE [TEST...]
"""
import json
import os
import random
import re
import signal
import subprocess
import time

import msgpack

import ply_case
from ply_case import PLY, SOURCE

RULESETS = ["backgammon", "short-backgammon", "caucasian", "english",
            "turkish", "turkish-classic", "nackgammon", "hypergammon",
            "backgammon-match"]


class Case(ply_case.Case):
    def judge(self, count):
        """Every logged move is in its match's record just once, at its ply;
        every record is good. Returns the record files."""
        results, moves = {}, {}
        for i in range(count):
            for line in (self.folder / str(i)).read_text().splitlines():
                match, ply, *rest = line.split(" ", 2)
                if match == "ended":
                    results.setdefault(ply, []).append(rest[0])
                    continue
                key = (match, int(ply))
                self.assertNotIn(key, moves, "acknowledged twice")
                moves[key] = rest[0]
        files = []
        for match, said in results.items():
            self.assertEqual(len(said), 2)
            self.assertEqual(said[0], said[1])
            self.assertIn(said[0], ("white", "black", "draw"))
            record = self.folder / f"{match}.record"
            self.ply("record", match, "-o", record)
            events = msgpack.unpackb(record.read_bytes())["events"]
            played = {(match, e["ply"]): e["move"] for e in events
                      if e["event"] == "moved"}
            logged = {k: v for k, v in moves.items() if k[0] == match}
            self.assertEqual(played, logged)
            files.append(record)
        self.assertIn("good", self.ply("verify", *files))
        self.assertIn("fair: none of", self.ply("verify", "--dice-stats",
                                                *files))
        stats = json.loads(self.ply("verify", "--dice-stats", "--json",
                                    *files))
        analysed = self.ply("analyse", "--json", "--nodes", "50", *files)
        self.assertEqual({json.loads(line)["file"]
                          for line in analysed.splitlines()},
                         {str(file) for file in files})
        self.assertTrue(stats["fair"])
        self.assertEqual(sum(stats["faces"]), 2 * stats["throws"])
        return files


class Bots(Case):
    def test_every_ruleset(self):
        for ruleset in RULESETS:
            with self.subTest(ruleset):
                for log in self.folder.iterdir():
                    log.unlink()
                self.finish(self.bots(ruleset, 1, ["--random", "--seed", "1"],
                                      ["--nodes", "500", "--seed", "2"]))
                self.assertEqual(len(self.judge(2)), 1)

    def test_many_find_each_other(self):
        self.finish(self.bots("english", 1, *[["--random"]] * 8))
        self.assertEqual(len(self.judge(8)), 4)

    def test_unknown_names(self):
        self.assertIn("no such ruleset",
                      self.ply("bot", "chess", status=1))
        self.assertIn("No personality of this name plays this ruleset",
                      self.ply("bot", "english", "--ai", "nobody", status=1))


class Killed(Case):
    """The server is killed while they play."""

    def kills(self, times, pause=0.4):
        for _ in range(times):
            time.sleep(pause)
            self.server.end(signal.SIGKILL)
            time.sleep(0.1)
            self.server.start()

    def test_bots_go_on(self):
        pair = [["--random"]] * 2
        bots = (self.bots("backgammon", 4, *pair) +
                self.bots("turkish", 4, *pair, first=2))
        self.kills(5)
        self.finish(bots)
        self.assertEqual(len(self.judge(4)), 8)

    def test_example_goes_on(self):
        bot = self.program(
            "/usr/bin/python3", SOURCE / "docs" / "examples" / "bot.py",
            "english", "bold", "--server", self.address(),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.kills(3, 1.5)
        output = self.ends(bot)
        self.assertIn("connection lost", output)
        self.assertRegex(output, r"result: (white|black|draw) ")


class Example(Case):
    def test_whole_match(self):
        done = subprocess.run(
            ["/usr/bin/python3", SOURCE / "docs" / "examples" / "bot.py",
             "turkish", "gentle", "--server", self.address()],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=200)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r"result: (white|black|draw) ")
        match = done.stdout.split()[0]
        record = self.folder / "record"
        self.ply("record", match, "-o", record)
        self.assertIn(": good: turkish", self.ply("verify", record))


class Records(Case):
    def setUp(self):
        super().setUp()
        self.finish(self.bots("backgammon", 1, ["--random"], ["--random"]))
        self.record, = self.judge(2)

    def write(self, record):
        path = self.folder / "tampered"
        path.write_bytes(msgpack.packb(record))
        return path

    def test_tampering_is_seen(self):
        good = msgpack.unpackb(self.record.read_bytes())
        chance = random.Random(7)
        for _ in range(60):
            record = dict(good, facts=list(good["facts"]))
            i = chance.randrange(len(record["facts"]))
            fact = bytearray.fromhex(record["facts"][i])
            fact[chance.randrange(len(fact))] ^= 1 << chance.randrange(8)
            record["facts"][i] = fact.hex()
            self.assertIn("BAD", self.ply("verify", self.write(record),
                                          status=1))

    def test_missing_and_foreign_parts_are_seen(self):
        good = msgpack.unpackb(self.record.read_bytes())
        facts = good["facts"]
        for tampered in (dict(good, facts=facts[:-1]),
                         dict(good, facts=facts[:5] + facts[6:]),
                         dict(good, facts=facts + facts[-1:]),
                         dict(good, facts=[]),
                         dict(good, facts=facts[:1] + ["zz"] + facts[2:]),
                         dict(good, head="00" * 32),
                         dict(good, match="aaaaaaaaaa")):
            self.assertIn("BAD", self.ply("verify", self.write(tampered),
                                          status=1))

    def test_what_is_no_record(self):
        for bytes_ in (b"", b"\xc1", b"\x80", os.urandom(300),
                       self.record.read_bytes()[:-3]):
            path = self.folder / "noise"
            path.write_bytes(bytes_)
            self.ply("verify", path, status=2)
        self.ply("verify", self.folder / "missing", status=2)

    def test_json(self):
        match = self.record.stem
        answer = json.loads(self.ply("verify", self.record, "--json"))
        self.assertTrue(answer["good"])
        self.assertEqual(answer["match"], match)
        export = json.loads(self.ply("record", match, "--json"))
        self.assertEqual(export["match"], match)
        self.assertEqual(len(export["facts"]), answer["facts"])
        self.assertIn("no record",
                      self.ply("record", "aaaaaaaaaa", status=1))


class Call(Case):
    def test_answers(self):
        info = json.loads(self.ply("call", "server.info"))
        self.assertEqual(info["server"], "plyd")
        checked = json.loads(self.ply(
            "call", "rules.check",
            '{"ruleset": "english", "move": "11-19"}'))
        self.assertFalse(checked["legal"])
        self.assertEqual(checked["reason"], "wrong_direction")

    def test_a_lobby_tells_its_match(self):
        lobby = json.loads(self.ply(
            "call", "lobby.create",
            '{"ruleset": "english", "personality": "bold", "ready": true}'))
        match = json.loads(self.ply(
            "call", "match.get", json.dumps({"match": lobby["match"]})))
        self.assertEqual(match["you"], "watcher")

    def test_errors(self):
        answer = json.loads(self.ply("call", "match.get",
                                     '{"match": "aaaaaaaaaa"}', status=1))
        self.assertEqual(answer["error"]["name"], "no_such_match")
        answer = json.loads(self.ply("call", "no.such", status=1))
        self.assertEqual(answer["error"]["name"], "unknown_method")
        for bad in ("{", "[]", '{"a": 1.5}', '{"a": 1, "a": 2}'):
            self.ply("call", "ping", bad, status=2)


class Person(Case):
    def play(self, *arguments, **extra):
        return self.terminal("play", *arguments, "--server", self.address(),
                             **extra)

    def test_a_few_moves(self):
        t = self.play("english", "--ai", "gentle", "--name", "Ada")
        t.expect("You are Black")
        t.expect("Black to move")
        t.expect("your move> ")
        t.send("11-15\r")
        t.expect(r"You played 11-15\.")
        t.expect(r"Last move: Black 11-15")
        t.expect(r"gentle: \w")  # it greets
        t.expect(r"White played \S+\.")
        t.expect("your move> ")
        self.assertIn(b"\x1b[48;5;136m", t.raw)  # the last move is marked
        t.send("moves\r")
        t.expect(r"Legal:  \d")
        t.send("1-5\r")
        t.expect(r"Not legal \(square_occupied\)\. Step 1, 1 to 5: The square "
                 r"is occupied\.")
        t.expect(r"Legal:  \d")
        t.send("x5\r")
        t.expect(r"Not legal \(bad_notation\)")
        t.send("accept\r")
        t.expect("There is no offer to answer")
        t.send("abort\r")
        t.expect("before two plies")
        t.send("draw\r")
        t.expect("You offered a draw")
        t.send("clock\r")
        t.expect(r"Clock: White \d+:\d\d   Black \d+:\d\d\*")
        t.send("help\r")
        t.expect("leave; the same command")
        t.send("quit\r")
        t.expect("Your seat is kept")
        self.assertEqual(t.wait(), 0)
        self.come_back()

    def come_back(self):
        t = self.play("backgammon")
        t.expect("You are back")
        t.expect("You are Black")
        t.expect("What you asked for can begin after it")
        t.expect("your move> ")
        self.assertIn("Ada (person)", self.ply("watch"))
        t.send("resign\r")
        t.expect("again to do it")
        t.send("resign\r")
        t.expect("White won: resigned")
        self.leave_after_the_end(t)

    def test_what_is_typed_stays(self):
        t = self.play("english", "--ai", "gentle")
        t.expect("your move> ")
        t.send("11-15\rmo")
        t.expect(r"White played")
        t.expect(r"your move> mo")
        t.send("ves\r")
        t.expect(r"Legal:  \d")
        t.send("\x04")  # Ctrl-D leaves
        self.assertEqual(t.wait(), 0)

    def test_two_people(self):
        ann = self.play("turkish", "--name", "Ann")
        ann.expect("Waiting for an opponent")
        ben = self.play("turkish", "--name", "Ben")
        white, black = ann, ben
        if "White" not in ann.expect("You are (White|Black)")[-6:]:
            white, black = ben, ann
        black.expect("Clock: ")
        white.expect("your move> ")
        black.send("a6-a5\r")
        black.expect("The other seat is to play")
        white.send("draw\r")
        black.expect("White offered a draw")
        white.send("a3-a4\r")  # an offer outlives its maker's move
        white.expect("You played a3-a4")
        black.expect("White played a3-a4")
        black.expect("your move> ")
        black.send("accept\r")
        for t in (white, black):
            t.expect("A draw: agreed")
        for t in (white, black):
            self.leave_after_the_end(t)

    def test_two_dice_and_bearing_of_a_dumb_terminal(self):
        t = self.play("backgammon", "--ai", "gentle", TERM="dumb")
        t.expect("White to play")
        t.expect("your move> ")
        self.assertNotIn(b"\x1b", t.raw)
        t.send("24/off\r")
        t.expect(r"Not legal \(\w+\)")
        legal = t.expect(r"Legal( are)?:(  [^\n]+\n)+")
        move = re.search(r"Legal(?: are)?:  (.+?)(?:  |\r?\n)", legal).group(1)
        t.send(move + "\n")
        t.expect("You played " + re.escape(move))
        t.expect(r"Black threw \d-\d\.")
        t.expect(r"Black played")
        t.expect(r"You threw \d-\d\.")
        t.send("quit\n")
        self.assertEqual(t.wait(), 0)

    def test_without_a_terminal(self):
        lines = "moves\nfoo\nquit\n"
        said = self.ply("play", "english", "--ai", "gentle", input=lines)
        self.assertNotIn("\x1b", said)

    def test_nobody_listens(self):
        t = self.terminal("play", "english", "--server", "127.0.0.1:1")
        t.expect("cannot reach 127.0.0.1:1: connection refused")
        self.assertEqual(t.wait(), 2)

    def test_a_token_that_is_no_more(self):
        path = self.folder / "token"
        path.write_text("0" * 64)
        t = self.play("english", "--ai", "gentle", "--token-file", path)
        t.expect("your move> ")
        self.assertNotEqual(path.read_text(), "0" * 64)
        t.send("quit\r")
        self.assertEqual(t.wait(), 0)


class Watching(Case):
    def test_a_match_to_its_end(self):
        self.assertIn("Nobody plays", self.ply("watch"))
        t = self.terminal("play", "english", "--ai", "gentle", "--server",
                          self.address())
        t.expect("your move> ")
        match = self.ply("watch").split()[0]
        w = self.terminal("watch", match, "--server", self.address())
        w.expect("Black to move")
        t.send("9-13\r")
        w.expect(r"Black played 9-13\.")
        w.expect(r"White played")
        t.expect("White played")
        t.expect("your move> ")
        t.send("resign\rresign\r")
        t.expect("White won: resigned")
        w.expect("White won: resigned")
        self.assertEqual(w.wait(), 0)
        self.leave_after_the_end(t)
        self.assertIn("no such match",
                      self.ply("watch", "aaaaaaaaaa", status=1))


if __name__ == "__main__":
    ply_case.main()
