#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`ply replay`, as scripts and people use it: output, JSON, progress and exit
status. Usage: ply_replay_test.py PLY"""

import json
import os
import pty
import subprocess
import sys
import tempfile
import unittest

PLY = os.path.abspath(sys.argv.pop(1))

GOOD = """[Event "club"]
[GameType "21"]
[Result "1-0"]

1. 11-15 23-19 {a comment} 2. 8-11 22-17 3. 11-16 (3. 9-13) 24-20 1-0

[GameType "30"]
[Result "*"]

1. d3-d4 a6-a5 2. c3-c4 *
"""
ILLEGAL = "[GameType \"21\"]\n\n1. 11-15 23-19 2. 8-11 22-17\n3. 1-2 *\n"
MUST = "[FEN \"B:W15,32:B1,11\"]\n\n1. 1-5 *\n"
RESULT = "[FEN \"B:W22:B18\"]\n1. 18x25 0-1\n"
TRUNCATED = "[GameType \"21\"]\n[Result \"1-0\"]\n\n1. 11-15 23-19"


def english(count):
    return "[GameType \"21\"]\n1. 11-15 23-19 2. 8-11 1-0\n\n" * count


class Replay(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)

    def file(self, text, name="games.pdn"):
        path = os.path.join(self.scratch.name, name)
        with open(path, "wb") as out:
            out.write(text if isinstance(text, bytes) else text.encode())
        return name

    def ply(self, *args, stdin=None):
        return subprocess.run([PLY, "replay", *args], cwd=self.scratch.name,
                              input=stdin, capture_output=True, text=True,
                              timeout=120, check=False, env={"LC_ALL": "C"})

    def test_accepted(self):
        run = self.ply(self.file(GOOD))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual(run.stdout,
                         "games.pdn: 2 games, 9 moves: 2 accepted, 0 refused "
                         "(white won 0, black 1, drawn 0, open 1)\n")

    def test_a_refused_move_has_its_place_and_reason(self):
        run = self.ply(self.file(ILLEGAL + "\n" + GOOD))
        self.assertEqual(run.returncode, 1)
        lines = run.stdout.splitlines()
        self.assertEqual(lines[0],
                         "games.pdn:4:4: game 1, half-move 5: '1-2': refused "
                         "(wrong_direction). Step 1, 1 to 2: This piece does "
                         "not move in this direction.")
        self.assertTrue(lines[1].startswith(
            "games.pdn: 3 games, 9 moves: 2 accepted, 1 refused"), lines)
        self.assertEqual(len(lines), 2)

    def test_other_faults(self):
        for text, place, words in (
                (MUST, "3:4", "These can capture: 11."),
                (RESULT, "2:10", "By the rules the other side won"),
                (TRUNCATED, "4:15", "before the game has a result"),
                ("[GameType \"20\"]\n1. 32-28 *\n", "1:12", "GameType"),
                ("[Event \"a \"b\" c\"]\n1. 11-15 *\n", "1:12", "expected")):
            run = self.ply(self.file(text))
            self.assertEqual(run.returncode, 1, text)
            self.assertTrue(run.stdout.startswith(f"games.pdn:{place}: "),
                            run.stdout)
            self.assertIn(words, run.stdout)
            self.assertIn("0 accepted, 1 refused", run.stdout)

    def test_json(self):
        run = self.ply("--json", self.file(ILLEGAL + GOOD))
        self.assertEqual(run.returncode, 1)
        fault, tally = map(json.loads, run.stdout.splitlines())
        self.assertEqual(fault, {
            "file": "games.pdn", "line": 4, "column": 4, "offset": 49,
            "game": 1, "ply": 5, "word": "1-2", "error": "illegal_move",
            "reason": "wrong_direction",
            "text": "Step 1, 1 to 2: This piece does not move in this "
                    "direction.",
            "position": "B:W17,19,21,24,25,26,27,28,29,30,31,32:"
                        "B1,2,3,4,5,6,7,9,10,11,12,15"})
        self.assertEqual(tally, {
            "file": "games.pdn", "format": "pdn", "games": 3, "moves": 9,
            "accepted": 2, "refused": 1, "white": 0, "black": 1, "drawn": 0,
            "open": 1})

    def test_json_of_bytes_that_are_no_text(self):
        run = self.ply("--json", self.file(b"[FEN \"\xff\x01\"]\n*\n"))
        self.assertEqual(run.returncode, 1)
        fault = json.loads(run.stdout.splitlines()[0])
        self.assertEqual(fault["word"], "??")
        self.assertEqual(fault["error"], "bad_position")
        self.assertIsNone(fault["position"])

    def test_nothing_that_a_terminal_obeys(self):
        run = self.ply(self.file(b"[FEN \"\x1b[2J\"]\n*\n"))
        self.assertEqual(run.returncode, 1)
        self.assertNotIn("\x1b", run.stdout + run.stderr)

    def test_many_files(self):
        good, bad = self.file(GOOD, "a.pdn"), self.file(ILLEGAL, "b.pdn")
        run = self.ply(good, bad)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stdout.splitlines()[-1].startswith(
            "all files: 3 games, 9 moves: 2 accepted, 1 refused"))
        run = self.ply("missing.pdn", good)
        self.assertEqual(run.returncode, 2)
        self.assertIn("a.pdn: 2 games", run.stdout)
        self.assertIn("'missing.pdn': No such file", run.stderr)

    def test_a_ruleset_is_asked_for(self):
        turkish = self.file("1. d3-d4 a6-a5 *\n", "t.pdn")
        self.assertEqual(self.ply(turkish).returncode, 1)
        self.assertEqual(self.ply("--ruleset", "turkish",
                                  turkish).returncode, 0)
        run = self.ply("--ruleset=turkish-classic", self.file(GOOD))
        self.assertEqual(run.returncode, 1)
        self.assertIn("games.pdn:2:12: game 1: The game is not of the "
                      "ruleset that was asked for.", run.stdout)
        self.assertIn("1 accepted, 1 refused", run.stdout)

    def test_the_format_is_known_from_the_text(self):
        for text in (GOOD, "\ufeff" + GOOD, "1. 11-15 *"):
            run = self.ply(self.file(text, "games.txt"))
            self.assertEqual(run.returncode, 0, run.stderr)
        run = self.ply("/dev/stdin", stdin=GOOD)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_backgammon(self):
        records = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                               "..", "golden", "records")
        for name, count in (("gnubg_selfplay_1.mat", 16),
                            ("gnubg_selfplay_2.sgf", 8),
                            ("gnubg_match.mat", 3), ("gnubg_money.sgf", 9)):
            with open(os.path.join(records, name), "rb") as record:
                text = record.read()
            for written in (text, text.replace(b"\n", b"\r\n")):
                for other in (name, "games.txt"):
                    run = self.ply("--json", self.file(written, other))
                    self.assertEqual(run.returncode, 0, run.stdout)
                    answer = json.loads(run.stdout)
                    self.assertEqual(answer["format"], name[-3:])
                    self.assertEqual(answer["accepted"], count)
            run = self.ply("--ruleset", "english", self.file(text, name))
            self.assertEqual(run.returncode, 1)
            self.assertIn("asked for", run.stdout)

    def test_a_double_that_is_refused(self):
        text = (" 3 point match\n\n Game 1\n ann : 2    bob : 1\n"
                "  1) 31: 8/5 6/5              Doubles => 2\n"
                "  2)  Takes                   42: 8/4 6/4\n"
                "  3) 31: 13/9                 Doubles => 4\n")
        run = self.ply(self.file(text, "games.mat"))
        self.assertEqual(run.returncode, 1)
        self.assertIn("games.mat:7:31: game 1, half-move 4: 'Doubles': refused "
                      "(not_your_cube). Your opponent owns the cube.\n",
                      run.stdout)
        run = self.ply("--json", "games.mat")
        fault = json.loads(run.stdout.splitlines()[0])
        self.assertEqual(
            (fault["line"], fault["column"], fault["word"], fault["reason"]),
            (7, 31, "Doubles", "not_your_cube"))
        self.assertTrue(fault["position"].endswith(":1:1:-1:00:2:1:0:3:10"))

    def test_unreadable(self):
        for args in (["missing.pdn"], [self.file("hello", "games.txt")],
                     ["."], [], ["--ruleset", "chess", self.file(GOOD)],
                     ["--colour", self.file(GOOD)]):
            run = self.ply(*args)
            self.assertEqual((run.returncode, run.stdout), (2, ""), args)
            self.assertNotEqual(run.stderr, "")

    def test_an_empty_file(self):
        run = self.ply(self.file(""))
        self.assertEqual(run.returncode, 0)
        self.assertIn("0 games", run.stdout)

    def test_progress_is_for_terminals(self):
        path = self.file(english(200000))
        run = self.ply(path)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        parent, child = pty.openpty()
        run = subprocess.run([PLY, "replay", path], cwd=self.scratch.name,
                             stdout=subprocess.PIPE, stderr=child,
                             timeout=120, check=False)
        os.close(child)
        shown = os.read(parent, 65536).decode()
        os.close(parent)
        self.assertRegex(shown, r"games\.pdn: \d+ %, \d+ games, 0 refused")
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown[-40:]))
        self.assertIn(b"200000 games", run.stdout)


if __name__ == "__main__":
    unittest.main()
