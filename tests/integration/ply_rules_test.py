#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ply perft`, `moves` and `check`, as scripts use them: output, JSON and exit
status. Usage: ply_rules_test.py PLY"""

import json
import os
import re
import subprocess
import sys
import unittest

PLY = sys.argv.pop(1)
START = "-b----E-C---eE---c-e----B-"


def xgid(board, turn, dice):
    return f"XGID={board}:0:0:{turn}:{dice}:0:0:0:0:10"


def ply(*args, stdout=subprocess.PIPE):
    return subprocess.run([PLY, *args], stdout=stdout, stderr=subprocess.PIPE,
                          text=True, timeout=120, check=False,
                          env={"LC_ALL": "C"})


class Perft(unittest.TestCase):
    def nodes(self, *args):
        run = ply("perft", *args)
        self.assertEqual(run.returncode, 0, run.stderr)
        last = run.stdout.splitlines()[-1]
        match = re.fullmatch(r"nodes=(\d+) seconds=(\d+\.\d+) nps=(\d+)", last)
        self.assertTrue(match, last)
        return int(match[1])

    def test_published_counts(self):
        self.assertEqual(self.nodes("english", "8"), 845931)
        self.assertEqual(self.nodes("turkish", "6"), 931312)
        self.assertEqual(self.nodes("turkish-classic", "5"), 85090)
        self.assertEqual(self.nodes("backgammon", "2"), 202782)
        self.assertEqual(self.nodes("english", "0"), 1)

    def test_divide_adds_up(self):
        for args in (["english", "5"], ["turkish", "4"], ["backgammon", "1"],
                     ["english", "5", "--distinct"],
                     ["english", "2", "--distinct", "--position",
                      "B:WK1,K3,6,7,14,K15,20,30:BK2"],
                     ["backgammon", "1", "--position",
                      xgid(START, -1, 31)],
                     ["backgammon", "2", "--position",
                      xgid("------E-D---cE-----bbbbbbA", 1, 64)]):
            whole = self.nodes(*args)
            lines = ply("perft", *args, "--divide").stdout.splitlines()
            self.assertEqual(
                sum(int(line.rsplit(": ", 1)[1]) for line in lines[:-1]),
                whole, args)
            self.assertEqual(self.nodes(*args, "--divide"), whole)

    def test_divide_names(self):
        run = ply("perft", "backgammon", "1", "--divide")
        self.assertIn("31: 16\n", run.stdout)
        run = ply("perft", "english", "2", "--divide")
        self.assertIn("11-15: 7\n", run.stdout)
        run = ply("perft", "backgammon", "1", "--divide", "--position",
                  xgid("------E-D---cE-----bbbbbbA", 1, 64))
        self.assertIn("pass: 1\n", run.stdout)

    def test_distinct(self):
        # a king that goes round four men either way: one result, two paths
        args = ["english", "1", "--position",
                "B:WK1,K3,6,7,14,K15,20,30:BK2"]
        self.assertEqual(self.nodes(*args), 2)
        self.assertEqual(self.nodes(*args, "--distinct"), 1)

    def test_json(self):
        run = ply("perft", "turkish", "2", "--divide", "--json")
        answer = json.loads(run.stdout)
        self.assertEqual(answer["nodes"], 64)
        self.assertEqual(sum(b["nodes"] for b in answer["divide"]), 64)
        self.assertEqual(answer["depth"], 2)

    def test_bad_depth(self):
        for depth in ("x", "31", "-1", "", "1x", "99999999999"):
            run = ply("perft", "--", "english", depth)
            self.assertEqual(run.returncode, 2, depth)
            self.assertEqual(run.stdout, "")
            self.assertIn("depth", run.stderr)


class Moves(unittest.TestCase):
    def test_draughts_json(self):
        run = ply("moves", "english", "--json")
        self.assertEqual(run.returncode, 0)
        answer = json.loads(run.stdout)
        self.assertEqual(list(answer), ["position", "turn", "moves"])
        self.assertEqual(answer["turn"], "black")
        self.assertEqual(len(answer["moves"]), 7)
        self.assertEqual(answer["moves"][0], {
            "move": "10-14",
            "position": "W:W21,22,23,24,25,26,27,28,29,30,31,32:"
                        "B1,2,3,4,5,6,7,8,9,11,12,14"})

    def test_backgammon_json_both_colours(self):
        lists = []
        for turn, name in ((1, "white"), (-1, "black")):
            run = ply("moves", "backgammon", "--json", "--position",
                      xgid(START, turn, 13))
            answer = json.loads(run.stdout)
            self.assertEqual(answer["turn"], name)
            self.assertEqual(answer["position"], xgid(START, turn, 31))
            lists.append([m["move"] for m in answer["moves"]])
        self.assertEqual(len(lists[0]), 16)
        self.assertEqual(lists[0], lists[1])
        self.assertEqual(lists[0], sorted(lists[0]))

    def test_no_dice(self):
        run = ply("moves", "backgammon")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("dice", run.stderr)

    def test_who_cannot_move_has_lost(self):
        run = ply("moves", "english", "--position", "B:W5,6,9,10:B1")
        self.assertEqual(run.stdout.splitlines()[-2:],
                         ["0 legal moves", "White wins: no_moves, 1 point"])

    def test_a_pass_and_an_end_list_nothing(self):
        for args in (["backgammon", "--position",
                      xgid("------E-D---cE-----bbbbbbA", 1, 64)],
                     ["backgammon", "--position",
                      xgid("-a------------------------", -1, "00")],
                     ["english", "--position", "B:W32:B"]):
            run = ply("moves", *args, "--json")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(json.loads(run.stdout)["moves"], [])

    def test_a_long_list_is_cut_and_says_so(self):
        run = ply("moves", "backgammon", "--json", "--position",
                  xgid("-A-A-A-A-A-A-A-A-AAAAAAAo-", 1, 11))
        self.assertEqual(len(json.loads(run.stdout)["moves"]), 512)
        self.assertRegex(run.stderr, r"first 512 of \d+ moves")

    def test_board(self):
        run = ply("moves", "turkish")
        self.assertEqual(run.returncode, 0)
        self.assertIn("8 legal moves", run.stdout)
        self.assertNotIn("\033", run.stdout)
        for line in run.stdout.splitlines():
            self.assertLessEqual(len(line), 80)

    def test_unreadable(self):
        for args in (["english", "--position", "nonsense"],
                     ["english", "--position", ""],
                     ["english", "--position", xgid(START, 1, 31)],
                     ["backgammon", "--position", "B:W32:B1"],
                     ["backgammon", "--position", "\033[2J" + "x" * 9000],
                     ["chess"], [""], [], ["english", "turkish"],
                     ["english", "--colour"]):
            run = ply("moves", *args)
            self.assertEqual(run.returncode, 2, args)
            self.assertEqual(run.stdout, "")
            self.assertNotEqual(run.stderr, "")
            self.assertNotIn("\033", run.stderr)
            self.assertLess(len(run.stderr), 1000)

    def test_an_unknown_ruleset_is_told_the_others(self):
        run = ply("moves", "chess")
        for name in ("backgammon", "short-backgammon", "caucasian", "english",
                     "turkish", "turkish-classic"):
            self.assertIn(name, run.stderr)

    def test_a_full_disk_is_no_success(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "w", encoding="ascii") as full:
            run = ply("moves", "english", stdout=full)
        self.assertNotEqual(run.returncode, 0)


class Check(unittest.TestCase):
    KEYS = ["legal", "reason", "at", "position", "legal_moves", "legal_total"]

    def check(self, status, *args):
        run = ply("check", *args, "--json")
        self.assertEqual(run.returncode, status, run.stderr)
        answer = json.loads(run.stdout)
        self.assertEqual(list(answer), self.KEYS)
        self.assertEqual(answer["legal"], status == 0)
        return answer

    def test_legal(self):
        answer = self.check(0, "english", "11-15")
        self.assertIsNone(answer["reason"])
        self.assertIsNone(answer["at"])
        self.assertEqual(answer["position"],
                         "W:W21,22,23,24,25,26,27,28,29,30,31,32:"
                         "B1,2,3,4,5,6,7,8,9,10,12,15")
        self.assertEqual(answer["legal_total"], 7)
        self.assertIn("11-15", answer["legal_moves"])

    def test_refused(self):
        answer = self.check(1, "english", "11x18", "--position",
                            "B:W15,22:B11")
        self.assertEqual(answer["reason"], "capture_unfinished")
        self.assertEqual(answer["at"], {"step": 1, "from": "11", "to": "18"})
        self.assertEqual(answer["position"], "B:W15,22:B11")
        self.assertEqual(answer["legal_moves"], ["11x18x25"])
        self.assertEqual(answer["legal_total"], 1)

    def test_backgammon(self):
        board = "----b-M-A-------b-cdd---A-"
        answer = self.check(1, "backgammon", "8/2", "--position",
                            xgid(board, 1, 62))
        self.assertEqual(answer["reason"], "dice_unused")
        self.assertEqual(answer["legal_moves"], ["24/22 8/2"])
        answer = self.check(0, "backgammon", "8/2 24/22", "--position",
                            xgid(board, 1, 62))
        self.assertEqual(answer["position"],
                         xgid("--A-b-M---------b-cdd-A---", -1, "00"))

    def test_the_text_as_a_whole(self):
        answer = self.check(1, "turkish", "castles")
        self.assertEqual(answer["reason"], "bad_notation")
        self.assertEqual(answer["at"], {"step": 0, "from": "", "to": ""})

    def test_at_most_256_are_shown(self):
        answer = self.check(1, "backgammon", "1/2", "--position",
                            xgid("-A-A-A-A-A-A-A-A-AAAAAAAo-", 1, 11))
        self.assertEqual(len(answer["legal_moves"]), 256)
        self.assertGreater(answer["legal_total"], 512)

    def test_no_dice(self):
        run = ply("check", "backgammon", "8/5 6/5", "--json")
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("dice", run.stderr)

    def test_unreadable(self):
        for args in (["english", "11-15", "--position", "B"],
                     ["english"], ["checkers", "11-15"],
                     ["english", "11-15", "16-20"]):
            run = ply("check", *args)
            self.assertEqual((run.returncode, run.stdout), (2, ""), args)
            self.assertNotEqual(run.stderr, "")

    def test_for_a_person(self):
        run = ply("check", "english", "1-5", "--position", "B:W15,32:B1,11")
        self.assertEqual(run.returncode, 1)
        self.assertIn("Refused (must_capture). Step 1, 1 to 5: A piece can "
                      "capture, so a capture must be played. These can "
                      "capture: 11.", run.stdout)
        run = ply("check", "english", "11-15")
        self.assertEqual(run.returncode, 0)
        self.assertIn("Legal: 11-15", run.stdout)

    def test_golden_rulings(self):
        path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..",
                            "golden", "rulings", "reasons.jsonl")
        with open(path, encoding="utf-8") as rows:
            for row in list(map(json.loads, rows))[::20]:
                answer = self.check(1, row["ruleset"], row["move"],
                                    "--position", row["position"])
                self.assertEqual(answer["reason"], row["reason"], row["id"])
                self.assertEqual(answer["at"]["step"], row["step"], row["id"])


class Program(unittest.TestCase):
    def test_help_and_version(self):
        run = ply("--help")
        self.assertEqual(run.returncode, 0)
        for command in ("check", "moves", "perft"):
            self.assertRegex(run.stdout, rf"(?m)^  {command} ")
            self.assertEqual(ply(command, "--help").returncode, 0)
        self.assertRegex(ply("--version").stdout, r"^ply \d+\.\d+\.\d+\n$")

    def test_usage(self):
        for args in ([], ["castle"], ["--castle"], ["moves"]):
            run = ply(*args)
            self.assertEqual((run.returncode, run.stdout), (2, ""), args)
            self.assertNotEqual(run.stderr, "")


class Stdio(unittest.TestCase):
    """`ply bot --stdio`, as a referee program speaks with it."""

    BOARD = "0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 0 0 0 0 2 0"

    def talk(self, lines, *args, status=0):
        run = subprocess.run([PLY, "bot", "--stdio", *args],
                             input="".join(line + "\n" for line in lines),
                             capture_output=True, text=True, timeout=120,
                             check=False, env={"LC_ALL": "C"})
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout.splitlines(), run.stderr.splitlines()

    def test_draughts(self):
        # one legal move, then a choice of two that only one of wins
        for ruleset, lines, want in (
                ("english", ["new", "go W:W18:B14,6 50"], ["move 18x9x2"]),
                ("english", ["go B:WK1:B12 0", "quit", "go B:WK1:B12 0"],
                 ["move 12-16"]),
                ("turkish-classic", ["new", "go W:Wa2:Ba3,b4 50"],
                 ["move a2xa4xc4"]),
                ("english", ["new", "go W:WK18,32:BK14,28 50"],
                 ["move 18x9"])):
            answers, errors = self.talk(lines, ruleset)
            self.assertEqual(answers, want)
            self.assertEqual(errors, [])

    def test_backgammon(self):
        race = ("move 0 -2 0 0 0 0 2 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 ")
        shut = ("move 0 -2 0 0 0 0 5 0 3 0 0 0 -5 5 0 0 0 -3 0 -5 "
                "0 0 0 0 1 1 6 6")
        answers, errors = self.talk([race + "6 6", shut, race + "6 6"],
                                    "backgammon")
        self.assertEqual(answers, ["6/0 6/0", "", "6/0 6/0"])
        self.assertEqual(errors, [])
        answers, _ = self.talk([f"move {self.BOARD} 3 1"], "backgammon",
                               "--depth", "1", "--nodes", "500")
        self.assertRegex(answers[0], r"^\d+/\d+ \d+/\d+$")

    def test_a_bad_line_changes_nothing(self):
        good = "go B:W21-32:B1-12 0"
        want, _ = self.talk(["new", good], "english", "--nodes", "3000")
        answers, errors = self.talk(
            ["new", "go nonsense 5", "move 1 2 3", "x" * 2000, "\x1b[2J",
             good], "english", "--nodes", "3000")
        self.assertEqual(answers, want)
        complaints = [e for e in errors if not e.startswith("  ")]
        self.assertEqual(len(complaints), 4, errors)
        for n, complaint in enumerate(complaints, 2):
            self.assertTrue(complaint.startswith(f"ply bot: line {n}: "),
                            complaint)
        self.assertNotIn("\x1b", "".join(errors))

    def test_nodes_and_seed_answer_alike(self):
        lines = ["go B:W21-32:B1-12 5"] * 2
        first = self.talk(lines, "english", "--nodes", "2000", "--seed", "9")
        self.assertEqual(first, self.talk(lines, "english", "--nodes", "2000",
                                          "--seed", "9"))
        self.assertEqual(len(first[0]), 2)

    def test_usage(self):
        for args in (["chess"], [], ["english", "--accept"],
                     ["english", "--random"], ["english", "--depth", "61"],
                     ["english", "--server", "127.0.0.1:1"]):
            answers, errors = self.talk([], *args, status=2)
            self.assertEqual(answers, [])
            self.assertTrue(errors)
        self.assertEqual(ply("bot", "english", "--ms", "5").returncode, 2)


if __name__ == "__main__":
    unittest.main()
