#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ply analyse`, as people and programs use it: tables, boards, JSON and exit
status. Usage: ply_analyse_test.py PLY SOURCE"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

PLY = os.path.abspath(sys.argv.pop(1))
SOURCE = os.path.abspath(sys.argv.pop(1))

# Black gives a man away with his first half-move; White has no choice.
GIVEN = ("[White \"ann\"]\n[Black \"bob\"]\n"
         "[FEN \"B:W18,32,31:B11,1,2\"]\n1. 11-15 18x11 *\n")
ILLEGAL = "[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17\n3. 1-2 *\n"
# White's last two checkers could be borne off, and are not.
LAST = ("(;FF[4]GM[6]MI[length:0][game:0][ws:0][bs:0]PW[ann]PB[bob]RE[?]"
        "AE[a:y]AW[a][b]AB[x][x]PL[W];W[21baaz])")
# Black doubles at the start, and White drops.
CUBE = (" 5 point match\n\n Game 1\n ann : 0        bob : 0\n"
        "  1) 31: 8/5 6/5          Doubles => 2\n"
        "  2)  Drops               Wins 1 point\n")


class Analyse(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def run_ply(self, *args, status=0):
        run = subprocess.run([PLY, "analyse", "--nodes", "1000", *args],
                             cwd=self.scratch.name, capture_output=True,
                             text=True, timeout=120, check=False,
                             env={"LC_ALL": "C"})
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout, run.stderr

    def write(self, name, text):
        with open(os.path.join(self.scratch.name, name), "w",
                  encoding="utf-8") as file:
            file.write(text)
        return name

    def test_a_blunder_is_shown_with_its_board(self):
        out, err = self.run_ply(self.write("game.pdn", GIVEN))
        self.assertEqual(err, "")
        self.assertIn("game 1, english: ann (white) against bob (black), open",
                      out)
        self.assertRegex(out, r"\n  ann +0 +0\.00 men +0\n")
        self.assertRegex(out, r"\n  bob +1 +\d+\.\d\d men +1\n")
        self.assertRegex(out, r"game 1, half-move 1, bob \(black\): 11-15 loses "
                              r"\d+\.\d\d men against ")
        self.assertIn("Black to move", out)
        self.assertIn("\u2502", out)

    def test_what_a_blunder_is_can_be_said(self):
        out, _ = self.run_ply("--blunder", "30000",
                              self.write("game.pdn", GIVEN))
        self.assertNotIn("loses", out)

    def test_backgammon_in_millipoints(self):
        out, _ = self.run_ply(self.write("last.sgf", LAST))
        self.assertIn("2/1 1/off loses 2000.0 mp against 2/off 1/off", out)
        self.assertRegex(out, r"\n  ann +1 +2000\.0 mp +1 +0 +0\n")

    def test_the_cube_stands_apart(self):
        out, _ = self.run_ply(self.write("cube.mat", CUBE))
        self.assertIn("bob (black): doubled, and should not have", out)
        self.assertIn("ann (white): dropped, and should have taken", out)

    def test_json(self):
        out, _ = self.run_ply("--json", self.write("cube.mat", CUBE),
                              self.write("last.sgf", LAST))
        cube, last = map(json.loads, out.splitlines())
        self.assertEqual(cube["ruleset"], "backgammon-match")
        self.assertEqual([(d["played"], d["best"])
                          for d in cube["decisions"][-2:]],
                         [("double", "roll"), ("drop", "take")])
        self.assertEqual(cube["sides"]["white"]["cubes_wrong"], 1)
        self.assertEqual(last["unit"], "millipoints")
        move, = last["decisions"]
        self.assertEqual((move["ply"], move["side"], move["loss"],
                          move["blunder"]), (1, "white", 2000, True))
        self.assertEqual(last["sides"]["white"]["loss_mean"], 2000)

    def test_all_games_and_alike_each_time(self):
        file = os.path.join(SOURCE, "tests", "golden", "records",
                            "gnubg_match.mat")
        first, _ = self.run_ply("--worst", "5", file)
        self.assertIn("\nall 3 games\n", first)
        self.assertEqual(first, self.run_ply("--worst", "5", file)[0])

    def test_the_worst_come_first(self):
        file = os.path.join(SOURCE, "tests", "golden", "records",
                            "gnubg_selfplay_1.sgf")
        out, _ = self.run_ply("--json", "--blunder", "1", file)
        losses = sorted((d["loss"] for line in out.splitlines()
                         for d in json.loads(line)["decisions"]
                         if d.get("blunder")), reverse=True)[:4]
        text, _ = self.run_ply("--worst", "4", "--blunder", "1", file)
        shown = [float(line.split(" loses ")[1].split()[0])
                 for line in text.splitlines() if " loses " in line]
        self.assertEqual(shown, losses)

    def test_a_game_that_breaks_a_rule_is_left_out(self):
        out, err = self.run_ply(self.write("games.pdn", ILLEGAL + GIVEN),
                                status=1)
        self.assertIn("line 4: game 1 is left out: ", err)
        self.assertIn("game 2, english", out)

    def test_what_cannot_be_read(self):
        for name, text in (("noise", "\x00\x01"), ("map", "\x80")):
            path = os.path.join(self.scratch.name, name)
            with open(path, "wb") as file:
                file.write(text.encode("latin-1"))
            _, err = self.run_ply(name, status=2)
            self.assertIn(f"'{name}'", err)
        self.run_ply("missing", status=2)
        self.run_ply(status=2)
        self.run_ply("--nodes", "0", "missing", status=2)
        self.run_ply("--ruleset", "chess", "missing", status=2)


if __name__ == "__main__":
    unittest.main()
