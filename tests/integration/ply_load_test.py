"""ply load against a real server: what it counts, and that a server that stalls
is charged for it. Usage: ply_load_test.py BUILD SOURCE"""
import json
import signal
import subprocess
import sys
import time

import ply_case
from ply_case import PLY, Case

PAIRS, SPECTATORS, IDLE = 6, 12, 8
STALL_S = 1.5


class LoadTest(Case):
    settings = {"limits_requests_per_second": 100000,
                "limits_requests_burst": 100000,
                "data_durability": "none",
                "limits_connections_per_address": 200}

    def load(self, *arguments, status=0):
        """Its figures."""
        file = self.folder / "load.json"
        said = self.ply("load", "--warmup", "0", "--quiet", "--json", file,
                        *arguments, status=status)
        return said, json.loads(file.read_text())

    def test_games_of_each_ruleset(self):
        said, all_of = self.load(
            "--pairs", str(PAIRS), "--spectators", str(SPECTATORS), "--idle",
            str(IDLE), "--think", "0", "--games", str(8 * PAIRS),
            # the games do not end before all are connected
            "--connect-rate", "100000", "--pid",
            str(self.server.process.pid), "--ruleset",
            "english,turkish,backgammon,hypergammon,caucasian,backgammon-match")
        print(said)
        self.assertEqual(all_of["errors"], {})
        self.assertEqual(all_of["connections"], 2 * PAIRS + SPECTATORS + IDLE)
        self.assertEqual(all_of["games_over"], 8 * PAIRS)
        times = all_of["us"]
        self.assertEqual(times["hello"]["count"], all_of["connections"])
        self.assertGreater(all_of["moves"], 100)
        self.assertEqual(times["move"]["count"],
                         all_of["moves"] + all_of["overdue"])
        # all but what was on its way at the end
        self.assertGreaterEqual(times["opponent"]["count"],
                                all_of["moves"] - PAIRS)
        self.assertGreater(times["spectator"]["count"], 0)
        for row in times.values():
            parts = [row[p] for p in ("p50", "p90", "p99", "p99.9", "max")]
            self.assertEqual(parts, sorted(parts))
        self.assertGreater(all_of["server"]["rss_kib"], 1000)
        self.assertIn("errors: none", said)

    def test_a_stalled_server_is_charged(self):
        """While the server stands still, moves go on to be due."""
        file = self.folder / "load.json"
        load = self.program(
            PLY, "load", "--server", self.address(), "--ruleset", "english",
            "--pairs", "20", "--rate", "200", "--warmup", "0", "--seconds",
            "3", "--json", file, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        while "measuring" not in load.stderr.readline():
            pass
        self.server.process.send_signal(signal.SIGSTOP)
        time.sleep(STALL_S)
        self.server.process.send_signal(signal.SIGCONT)
        self.ends(load)
        all_of = json.loads(file.read_text())
        times = all_of["us"]
        # half of the moves fell due in the stall, spread over it
        self.assertGreater(times["move"]["p90"], STALL_S / 4 * 1e6)
        self.assertGreater(times["move"]["count"], 300)
        # but few were sent into it: who counts from sending misses them
        self.assertLess(times["move_from_sending"]["p50"],
                        times["move"]["p90"])

    def test_what_is_refused_is_told(self):
        said, all_of = self.load("--pairs", "1", "--ruleset", "no-such",
                                 "--seconds", "1", status=1)
        self.assertGreater(all_of["errors"]["no_such_ruleset"], 0)
        self.assertIn("no_such_ruleset", said)

    def test_no_server(self):
        done = subprocess.run(
            [PLY, "load", "--server", "127.0.0.1:1", "--pairs", "1"],
            capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("refused", done.stderr)


if __name__ == "__main__":
    ply_case.main()
