"""How ply's people and bots meet over real sockets: rated matches, ratings and
leaderboards, players who are followed, bots that accept and bots that finish.

  ply_meet_test.py BUILD SOURCE [TEST...]
"""
import contextlib
import json
import re
import signal
import socket
import subprocess
import threading
import time

import msgpack

import ply_case
from ply_case import PLY

PASSWORD = "correct horse"


class Case(ply_case.Case):
    def person(self, *arguments, **extra):
        return self.terminal("play", *arguments, "--server", self.address(),
                             **extra)

    def member(self, name):
        self.env["PLY_PASSWORD"] = PASSWORD
        self.ply("account", "register", "--login", name.lower(),
                 "--name", name)

    def bot(self, *arguments):
        """A bot that has said hello when this returns."""
        name = f"Robo-{time.monotonic_ns() % 10**9}"
        bot = self.program(PLY, "bot", *arguments, "--random", "--name", name,
                           "--server", self.address(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.until(lambda: name in self.ply("call", "bot.list"), name)
        return bot, name

    def until(self, condition, what, within=120):
        end = time.monotonic() + within
        while not condition():
            self.assertLess(time.monotonic(), end, f"no {what} in time")
            time.sleep(0.05)

    def resign(self, t):
        t.expect("your move> ")
        t.send("resign\rresign\r")
        t.expect("won: resigned")
        t.expect("`rematch' plays again")


class Rated(Case):
    def test_a_rated_match(self):
        for name in ("Ann", "Bea"):
            self.member(name)
        waits = self.person("english", "--name", "Cid")
        waits.expect("Waiting for an opponent")
        # not rated: no lobby for them
        ann = self.person("english", "--login", "ann", "--rated")
        ann.expect("Waiting for an opponent")
        bea = self.person("english", "--login", "bea", "--rated")
        seen = ann.expect("Rated english, match .* You are (White|Black)")
        bea.expect("Rated english, match .* You are (White|Black)")
        white, black = ann, bea
        if not seen.endswith("White"):
            white, black = bea, ann
        black.expect("your move> ")
        black.send("11-15\r")
        white.expect("your move> ")
        white.send("watchers\r")
        white.expect("Nobody watches")
        white.send("22-18\r")
        black.expect("White played 22-18")
        black.expect("your move> ")
        black.send("resign\rresign\r")
        for t in (white, black):
            t.expect(r"Ratings: White 1500 to 1662, Black 1500 to 1338\.")
        self.talk_of_it(white, "Ann" if white is ann else "Bea",
                        black, "Bea" if white is ann else "Ann")

    def talk_of_it(self, white, winner, black, loser):
        white.send("rating\r")
        white.expect(f"{winner} has these ratings:")
        white.expect(r"english, blitz: 1662, deviation 290, 1 match, "
                     "provisional")
        white.send(f"rating {loser}\r")
        white.expect(f"{loser} has these ratings:")
        white.expect("english, blitz: 1338, ")
        white.send("rating Nobody\r")
        white.expect("> ")
        black.send("top\r")
        black.expect("Nobody has a certain rating at english, blitz yet")
        black.send("top turkish rapid\r")
        black.expect("Nobody has a certain rating at turkish, rapid yet")
        black.send("top rapid chess\r")
        black.expect("(?i)no .*ruleset")
        black.send("help\r")
        for word in ("rating", "top", "watchers"):
            black.expect(f"  {word} ")

    def test_who_has_no_account(self):
        t = self.person("turkish", "--rated")
        t.expect("(?i)account")
        self.assertEqual(t.wait(), 1)
        done = subprocess.run([PLY, "play", "english", "--rated", "--ai",
                               "bold"], capture_output=True, text=True,
                              timeout=120)
        self.assertIn("no match with a personality is rated", done.stderr)


class Draining(Case):
    def admin(self, *words):
        subprocess.run([PLY, "admin", "--socket",
                        self.server.data / "admin.sock", *words],
                       check=True, capture_output=True, timeout=120)

    def test_a_bot_waits_and_says_so(self):
        self.admin("drain")
        self.addCleanup(self.admin, "undrain")
        bot = self.program(PLY, "bot", "english", "--ai", "gentle", "--random",
                           "--server", self.address(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = bot.stderr.readline()
        self.assertIn("waiting (draining): ", said)
        self.admin("undrain")
        self.assertIn("against gentle", self.ends(bot))


    def test_people_are_told_and_may_wait(self):
        self.admin("drain")
        self.addCleanup(self.admin, "undrain")
        hasty = self.person("english", "--ai", "gentle")
        hasty.expect("No new matches begin")
        self.assertEqual(hasty.wait(), 1)
        patient = self.person("turkish", "--clock", "5+3")
        patient.expect("Waiting for an opponent")
        patient.expect("No new matches begin")
        self.admin("undrain")
        bot, _ = self.bot("turkish", "--opponent", "person")
        self.resign(patient)
        self.ends(bot)


class Overtaking:
    """A way to the server on which the second answer to a method is overtaken
    by a notification, as an answer may be."""

    def __init__(self, port, method, notification):
        self.method, self.notification = method, notification
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.server = socket.create_connection(("127.0.0.1", port))
        self.asked, self.held = [], []  # of the method: ids, answers
        threading.Thread(target=self.run, daemon=True).start()

    def close(self):
        for end in (self.listener, self.server):
            end.close()

    def run(self):
        self.client, _ = self.listener.accept()
        threading.Thread(target=self.pass_on, daemon=True,
                         args=(self.client, self.server, self.ask)).start()
        with self.client:
            self.pass_on(self.server, self.client, self.answer)

    @staticmethod
    def pass_on(source, target, each):
        unpacker = msgpack.Unpacker(raw=False)
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                unpacker.feed(data)
                for message in unpacker:
                    for m in each(message):
                        target.sendall(msgpack.packb(m))
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def ask(self, message):
        if message[0] == 0 and message[2] == self.method:
            self.asked.append(message[1])
        return [message]

    def answer(self, message):
        if message[0] == 1 and message[1] in self.asked[1:2]:
            self.held.append(message)
            return []
        if message[0] == 2 and message[1] == self.notification:
            held, self.held = self.held, []
            return [message, *held]
        return [message]


class Registered(Case):
    """Bots with a token of the operator."""

    def token(self, name, end):
        done = subprocess.run(
            [PLY, "admin", "--socket", self.server.data / "admin.sock",
             "bot-token", name], capture_output=True, text=True, timeout=120)
        token = re.search("[0-9a-f]{64}", done.stdout).group(0)
        (self.folder / name).write_text(token + end)
        return self.folder / name

    def robot(self, token, *arguments):
        return self.program(PLY, "bot", "hypergammon", "--random",
                            "--bot-token-file", token, *arguments,
                            "--server", self.address(),
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_leaderboard(self):
        """They play until they are certain enough to be listed."""
        bots = [self.robot(self.token(name, end), "--rated", "--matches", "30")
                for name, end in (("one", ""), ("two", "\n"))]
        for bot in bots:
            self.ends(bot)
        answer = json.loads(self.ply(
            "call", "rating.leaderboard",
            '{"ruleset": "hypergammon", "speed": "blitz", "pool": "bots"}'))
        self.assertEqual(answer["total"], 2)
        self.assertEqual([p["games"] for p in answer["players"]], [30, 30])
        t = self.person("hypergammon", "--ai", "gentle")
        t.expect("your move> ")
        t.send("top bots\r")
        t.expect("The best at hypergammon, blitz, with bots:")
        first = t.expect(r" 1  (one|two) +1\d\d\d, deviation \d+, 30 matches")
        self.assertIn(answer["players"][0]["player"]["name"], first)
        t.expect(" 2  (one|two) ")

    def test_an_opponent_comes_while_it_looks_for_one(self):
        way = Overtaking(self.server.port, "lobby.list", "match.started")
        self.addCleanup(way.close)
        early = self.visitor("Early", way.port)
        self.until(lambda: way.held, "second look")
        late = self.visitor("Late", self.server.port)
        for bot in early, late:
            self.assertEqual(self.ends(bot).count(" against "), 2)

    def visitor(self, name, port):
        return self.program(PLY, "bot", "hypergammon", "--random",
                            "--opponent", "bot", "--matches", "2", "--name",
                            name, "--server", f"127.0.0.1:{port}",
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def test_one_that_finished_takes_matches_again(self):
        token = self.token("three", "\n")
        bot = self.robot(token, "--opponent", "person")
        self.until(lambda: "three" in self.ply("call", "lobby.list"), "lobby")
        bot.send_signal(signal.SIGTERM)
        self.ends(bot)
        self.ends(self.robot(token, "--ai", "gentle"))


class Following(Case):
    def test_what_somebody_plays(self):
        ada = self.person("english", "--name", "Ada")
        ada.expect("Waiting for an opponent")
        w = self.terminal("watch", "--player", "Ada", "--server",
                          self.address())
        w.expect("Ada plays nothing now; waiting")
        bot, _ = self.bot("english", "--opponent", "person")
        w.expect(r"english, match .*Ada")
        ada.expect("You are (White|Black)")
        ada.expect("your move> ")
        ada.send("watchers\r")
        ada.expect("1 watches")
        self.assertIn("(1 watches)", self.ply("watch"))
        self.resign(ada)
        w.expect("won: resigned")
        self.ends(bot)
        ada.send("quit\r")
        self.assertEqual(ada.wait(), 0)
        again = self.person("turkish", "--ai", "gentle")  # the same session
        again.expect("your move> ")
        w.expect("turkish, match .*Ada")
        w.send("\x03")
        self.assertEqual(w.wait(), 0)
        self.ply("watch", "--player", "Nobody", status=1)


class Accepting(Case):
    def test_challenges(self):
        bot, name = self.bot("english", "--accept", "--matches", "2")
        for _ in range(2):
            t = self.person("english", "--with", name)
            t.expect("You are (White|Black)")
            self.resign(t)
            t.send("quit\r")
            self.assertEqual(t.wait(), 0)
        self.assertEqual(self.ends(bot).count(" (resigned)"), 2)

    def test_what_it_does_not_take(self):
        bot, name = self.bot("english", "--accept", "--opponent", "bot")
        for ruleset, why in (("turkish", "Not this ruleset"),
                             ("english", "Not against this kind")):
            t = self.person(ruleset, "--with", name)
            t.expect(why)
            t.send("quit\r")
            t.wait()
        bot.send_signal(signal.SIGTERM)
        self.ends(bot)

    def test_the_last_match_is_played_to_its_end(self):
        bot, name = self.bot("english", "--accept", "--matches", "100")
        t = self.person("english", "--with", name)
        t.expect("your move> ")
        bot.send_signal(signal.SIGTERM)
        self.until(lambda: '"finishing": true' in self.ply("call", "bot.list"),
                   "bot that finishes")
        late = self.person("english", "--with", name, "--name", "Late",
                           XDG_STATE_HOME=str(self.folder / "late"))
        late.expect("(?i)no new match")
        self.assertIsNone(bot.poll())
        t.send("moves\r")
        legal = t.expect(r"Legal( are)?:  \S+")
        move = re.search(r"\S+$", legal).group(0)
        t.send(move + "\r")
        t.expect(f"You played {move}")
        t.expect("(White|Black) played ")
        self.resign(t)
        self.ends(bot)

    def test_one_that_waits_in_a_lobby(self):
        bot, _ = self.bot("turkish", "--opponent", "person")
        self.until(lambda: "turkish" in self.ply("call", "lobby.list"),
                   "lobby")
        bot.send_signal(signal.SIGTERM)
        self.ends(bot)
        self.assertNotIn("turkish", self.ply("call", "lobby.list"))


class Throttled(Case):
    settings = {"accounts_logins_per_account": 1,
                "accounts_login_account_ms": 3000}

    def test_a_bot_logs_in_when_it_may(self):
        self.member("Dee")
        self.env["PLY_PASSWORD"] = "battery staple"
        self.ply("account", "sessions", "--login", "dee", status=2)
        self.env["PLY_PASSWORD"] = PASSWORD
        begun = time.monotonic()
        bot = self.program(PLY, "bot", "english", "--ai", "gentle", "--random",
                           "--login", "dee", "--server", self.address(),
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=self.env)
        line = bot.stdout.readline()
        self.assertIn("english", line)
        self.assertGreater(time.monotonic() - begun, 1)
        bot.send_signal(signal.SIGINT)
        _, errors = bot.communicate(timeout=120)
        self.assertEqual(errors.count("Too many passwords"), 1, errors)


if __name__ == "__main__":
    ply_case.main()
