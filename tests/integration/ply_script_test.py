#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ply script new`, `check` and `play`, as a newcomer uses them: what it writes
is good, what ships is good, and mistakes are told with file, line and what was
expected; players are told apart, and what they fail is named.
Usage: ply_script_test.py PLY SOURCE"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(2))
PLY = pathlib.Path(sys.argv.pop(1)).resolve()
FOLDERS = {"personality": "personalities", "policy": "policies",
           "ruleset": "rulesets", "library": "lib"}

# what the file holds; words of the complaint
MISTAKES = {
    "syntax": ("personality", "return {\n name = 'x',\n about = = 1 }",
               ["bad.lua:3:", "unexpected symbol"]),
    "unknown field": ("policy", "return {\n name = 'x',\n no_progres = 80 }",
                      ["bad.lua:3:", "no_progres", "no_progress"]),
    "missing": ("personality", "return { name = 'x' }",
                ["bad.lua:", "'choose', a function"]),
    "unknown weight": (
        "personality",
        "return { name = 'x', choose = function(turn)\n"
        " return pick(search { weights = {\n center = 1 } }, {}) end }",
        ["bad.lua:3:", "no weight 'center'", "in backgammon, half-move"]),
    "no move": ("personality",
                "return { name = 'x', choose = function() return 42 end }",
                ["must return a move as a text"]),
    "illegal": ("personality",
                "return { name = 'x', choose = function() return '1-32' end }",
                ["'1-32' is not a legal move"]),
    "endless": ("personality",
                "return { name = 'x', choose = function()\n"
                " while true do end end }", ["bad.lua:2:", "more steps"]),
    "hungry": ("policy",
               "return { name = 'x', verdict = function()\n"
               " return ('x'):rep(1e9) end }", ["bad.lua: used more memory"]),
    "speechless": ("policy",
                   "return { name = 'x', verdict = function()\n"
                   " return { verdict = 'warn' } end }", ["'reason'"]),
    "value": ("ruleset", "return { name = 'x', base = 'english',\n"
              " options = { king = 'winged' } }", ["bad.lua:2:", "winged"]),
    "stuck": ("personality",
              "return ('a'):rep(30):find(('a?'):rep(30) .. ('a'):rep(30))",
              ["takes so long"]),
}


def ply(*args, cwd=None):
    return subprocess.run([PLY, "script", *map(str, args)], cwd=cwd,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=120, check=False,
                          env={"LC_ALL": "C"})


class Script(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        for name in FOLDERS.values():
            if name != "lib":  # `new` makes it
                (self.root / "scripts" / name).mkdir(parents=True)

    def tearDown(self):
        self.folder.cleanup()

    def test_skeletons_are_good(self):
        for kind, folder in FOLDERS.items():
            run = ply("new", kind, "mine", cwd=self.root)
            self.assertEqual(run.returncode, 0, run.stderr)
            path = f"scripts/{folder}/mine.lua"
            self.assertIn(f"ply script check {path}", run.stdout)
            self.assertNotIn("NAME", (self.root / path).read_text())
            run = ply("check", path, cwd=self.root)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertIn("a library" if kind == "library" else
                          f"the {kind} 'mine'", run.stdout)
            self.assertTrue(run.stdout.endswith(f"{path}: good\n"))

    def test_nothing_is_overwritten(self):
        path = self.root / "scripts" / "policies" / "mine.lua"
        path.write_text("precious")
        run = ply("new", "policy", "mine", cwd=self.root)
        self.assertEqual(run.returncode, 2)
        self.assertIn("File exists", run.stderr)
        self.assertEqual(path.read_text(), "precious")

    def test_names(self):
        for name in ("../../x", "A", "a b", "", "x" * 25):
            run = ply("new", "policy", name, cwd=self.root)
            self.assertEqual(run.returncode, 2, name)
        self.assertEqual(ply("new", "wizard", "x", cwd=self.root).returncode,
                         2)
        self.assertEqual(list((self.root / "scripts").glob("*/*")), [])

    def test_what_ships_is_good(self):
        for folder in FOLDERS.values():
            for path in sorted((SOURCE / "scripts" / folder).glob("*.lua")):
                run = ply("check", path)
                self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(ply("check", SOURCE / "scripts/plyd.lua").returncode,
                         0)

    def test_mistakes(self):
        for name, (kind, text, words) in MISTAKES.items():
            path = self.root / "scripts" / FOLDERS[kind] / "bad.lua"
            path.write_text(text)
            run = ply("check", path)
            self.assertEqual(run.returncode, 1, (name, run.stdout))
            for word in words:
                self.assertIn(word, run.stderr, name)
            path.unlink()

    def test_libraries_are_used(self):
        lib = self.root / "scripts" / "lib" / "two.lua"
        lib.parent.mkdir()
        lib.write_text("return { second = function(turn)\n"
                       " return turn.moves[2] or turn.moves[1] end }")
        path = self.root / "scripts" / "personalities" / "user.lua"
        path.write_text("local two = use 'two'\n"
                        "return { name = 'user', choose = function(turn)\n"
                        " return two.second(turn).move end }")
        run = ply("check", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        lib.write_text("return { second = function(turn)\n"
                       " return turn.nothing.there end }")
        run = ply("check", path)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn("user.lua:3: lib/two:2: attempt to index", run.stderr)
        lib.write_text("return {\n = }")
        self.assertIn("two.lua:2:", ply("check", path).stderr)
        lib.unlink()
        run = ply("check", path)
        self.assertIn("user.lua:1: there is no library 'two'", run.stderr)

    def test_what_a_file_is(self):
        path = self.root / "free.lua"
        path.write_text("return { name = 'x', no_progress = 5 }")
        self.assertEqual(ply("check", path).returncode, 2)
        run = ply("check", "--kind=policy", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(ply("check", self.root / "none.lua", "--kind=policy")
                         .returncode, 2)

    def test_it_is_the_same_each_time(self):
        path = SOURCE / "scripts/personalities/gentle.lua"

        def positions():
            return [line.split()[:2] + line.split()[6:]
                    for line in ply("check", path).stdout.splitlines()[2:-1]]
        self.assertEqual(positions(), positions())

    def test_what_it_says(self):
        path = self.root / "scripts" / "personalities" / "loud.lua"
        path.write_text("return { name = 'loud', rulesets = { 'english' },\n"
                        " choose = function(turn)\n  log('at ' .. turn.ply)\n"
                        "  return turn.moves[1].move end }")
        run = ply("check", path)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("it says: at 5", run.stdout)

    def personality(self, name, body, rulesets=""):
        path = self.root / "scripts" / "personalities" / f"{name}.lua"
        path.write_text(f'return {{ name = "{name}", {rulesets}\n'
                        f" choose = function(turn) {body} end }}")
        return path

    def play(self, *args, status=0):
        run = ply("play", *args, "--json", cwd=self.root)
        self.assertEqual(run.returncode, status, run.stderr)
        return json.loads(run.stdout)

    def test_the_better_one_wins(self):
        self.personality("first", "return turn.moves[1].move")
        self.personality("looks", "return search { nodes = 300 }[1].move")
        for ruleset in ("english", "turkish"):
            row = self.play("looks", "first", "--ruleset", ruleset, "--games",
                            "12")
            self.assertEqual(row["won"] + row["drawn"] + row["lost"], 12)
            self.assertGreater(row["elo"]["low"], 0, row)
            back = self.play("first", "looks", "--ruleset", ruleset,
                             "--games", "12")
            self.assertLess(back["elo"]["high"], 0, back)
            self.assertIsNone(row["points"])
        row = self.play("looks", "first", "--ruleset", "backgammon",
                        "--games", "30")
        self.assertGreater(row["points"]["low"], 0, row)
        self.assertEqual(row["a"]["faults"], {})

    def test_the_same_player_twice(self):
        # same dice, sides swapped: what one wins, the other wins back
        self.personality("first", "return turn.moves[1].move")
        for ruleset in ("backgammon", "english", "backgammon-match"):
            row = self.play("first", "first", "--ruleset", ruleset, "--games",
                            "8", "--seed", "7")
            self.assertEqual(row["won"], row["lost"], row)
            self.assertEqual(row["elo"]["value"], 0)
            if ruleset == "backgammon":
                self.assertEqual(row["points"]["value"], 0)

    def test_a_seed_plays_the_same_games(self):
        self.personality("chance",
                         "return turn.moves[random(#turn.moves)].move")
        rows = [self.play("chance", "chance", "--games", "6", "--ruleset",
                          "turkish", "--seed", seed) for seed in "112"]
        for row in rows:
            for side in "ab":
                del row[side]["seconds"]
        self.assertEqual(rows[0], rows[1])
        self.assertNotEqual(rows[0]["half_moves"], rows[2]["half_moves"])

    def test_every_choice_is_written(self):
        self.personality("first", "return { move = turn.moves[1].move, "
                         "think_ms = 7 * turn.ply }")
        self.personality("quitter", "return turn.ply > 20 and "
                         "{ resign = true } or turn.moves[1].move")
        path = self.root / "moves"
        self.play("first", "quitter", "--games", "2", "--moves", path)
        lines = [json.loads(text) for text in path.read_text().splitlines()]
        for game in (0, 1):
            played = [line for line in lines if line["game"] == game]
            plies = [line["ply"] for line in played]
            self.assertEqual(plies, list(range(4, 4 + len(plies))))
            self.assertEqual(played[-1]["personality"], "quitter")
            self.assertEqual([line["resign"] for line in played],
                             [False] * (len(plies) - 1) + [True])
            self.assertEqual(played[-1]["move"], "")
            for line in played[:-1]:
                self.assertRegex(line["move"], r"^\d+([-x]\d+)+$")
                if line["personality"] == "first":
                    self.assertEqual(line["think_ms"], 7 * line["ply"])
        run = ply("play", "first", "quitter", "--games", "2", "--moves",
                  "nowhere/moves", cwd=self.root)
        self.assertEqual(run.returncode, 2)
        self.assertIn("cannot write 'nowhere/moves'", run.stderr)

    def test_what_players_fail_is_named(self):
        self.personality("first", "return turn.moves[1].move")
        self.personality(
            "clumsy", "if turn.ply % 4 == 1 then return '1-1' end "
            "if turn.ply % 4 == 2 then return turn.nothing.there end "
            "if turn.ply == 7 then while true do end end "
            "return turn.moves[1].move")
        row = self.play("clumsy", "first", "--games", "2", status=1)
        faults = row["a"]["faults"]
        self.assertIn("'1-1' is not a legal move",
                      faults["illegal moves"]["first"])
        self.assertRegex(faults["errors"]["first"], "clumsy.lua:2: ")
        self.assertEqual(row["b"]["faults"], {})
        run = ply("play", "clumsy", "first", "--games", "2", cwd=self.root)
        self.assertRegex(run.stdout, r"\d+ illegal moves, first: .*'1-1'")
        self.personality("stuck", "if turn.ply == 5 then "
                         "return (('a'):rep(30)):find(('a?'):rep(30) .. "
                         "('a'):rep(30)) end return turn.moves[1].move")
        row = self.play("stuck", "first", "--games", "2", "--deadline", "300",
                        status=1)
        self.assertEqual(row["a"]["faults"]["time outs"]["count"], 1)

    def test_draws_and_resignations(self):
        self.personality("meek", "return { resign = true }")
        self.personality("kind", "return { move = turn.moves[1].move, "
                         "offer_draw = true, accept_draw = turn.offer }")
        row = self.play("meek", "kind", "--games", "4")
        self.assertEqual((row["won"], row["lost"]), (0, 4))
        self.assertIsNone(row["elo"]["value"])
        self.assertEqual(self.play("kind", "kind", "--games", "4")["drawn"], 4)
        rulesets = self.root / "scripts" / "rulesets"
        (rulesets / "mine.lua").write_text(
            'return { name = "mine", base = "turkish", policy = "mine" }')
        self.assertEqual(ply("play", "kind", "kind", "--ruleset", "mine",
                             cwd=self.root).returncode, 2)
        (self.root / "scripts" / "policies" / "mine.lua").write_text(
            'return { name = "mine", offers = { allowed = false },\n'
            ' verdict = function(turn) if turn.ply == 9 then\n'
            '  return { verdict = "white", reason = "nine" } end end }')
        row = self.play("kind", "kind", "--ruleset", "mine", "--games", "4")
        self.assertEqual((row["drawn"], row["half_moves"]), (0, 36), row)

    def test_who_plays_what(self):
        self.personality("first", "return turn.moves[1].move")
        self.personality("picky", "return turn.moves[1].move",
                         'rulesets = { "english", "club" },')
        for words in (("picky", "first", "--ruleset", "turkish"),
                      ("first", "nobody"), ("first",),
                      ("first", "picky", "--ruleset", "chess"),
                      ("first", "picky", "--games", "3")):
            run = ply("play", *words, cwd=self.root)
            self.assertEqual(run.returncode, 2, (words, run.stdout))
        path = self.root / "scripts" / "personalities" / "picky.lua"
        self.assertIn("club", ply("check", path).stdout)
        (self.root / "scripts" / "rulesets" / "club.lua").write_text(
            'return { name = "club", base = "caucasian" }')
        self.assertRegex(ply("check", path).stdout, r"(?m)^  club +12 ")


unittest.main(verbosity=0)
