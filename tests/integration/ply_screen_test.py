"""People at full screens: `ply play` under tmux, with its keys pressed and its
screen read. Nothing waits but for what is to be seen.

  ply_screen_test.py BUILD SOURCE [TEST...]
"""
import os
import re
import shlex
import signal
import subprocess
import time

import ply_case
from ply_case import PLY

PATIENCE = 180
TMUX = ["tmux", "-u", "-f", "/dev/null"]


class Screen:
    """A shell in a tmux of its own, and what runs in it."""

    def __init__(self, folder, name, env, columns=80, rows=24):
        self.socket = folder / f"tmux-{name}"
        self.env = {k: v for k, v in env.items() if k != "TMUX"}
        self.tmux("new-session", "-d", "-s", "s", "-x", str(columns),
                  "-y", str(rows), "sh")
        self.seen = None

    def tmux(self, *words):
        return subprocess.run([*TMUX, "-S", str(self.socket), *words],
                              env=self.env, check=True, timeout=PATIENCE,
                              stdout=subprocess.PIPE, text=True).stdout

    def text(self):
        return self.tmux("capture-pane", "-t", "s", "-p")

    def expect(self, pattern, gone=False):
        """Waits until the screen shows a pattern, or no more; returns it."""
        end = time.monotonic() + PATIENCE
        while True:
            self.seen = self.text()
            if bool(re.search(pattern, self.seen)) != gone:
                return self.seen
            if time.monotonic() > end:
                raise AssertionError(
                    f"{pattern!r} is {'still' if gone else 'not'} there:\n"
                    f"{self.seen}")
            time.sleep(0.03)

    def run(self, *argv):
        self.tmux("send-keys", "-t", "s", "-l",
                  " ".join(shlex.quote(str(a)) for a in argv))
        self.press("Enter")

    def press(self, *keys):
        """Each key by its name in tmux, once what is before it was taken."""
        for key in keys:
            self.tmux("send-keys", "-t", "s", key)

    def type(self, text):
        self.tmux("send-keys", "-t", "s", "-l", text)

    def resize(self, columns, rows):
        self.tmux("resize-window", "-t", "s", "-x", str(columns), "-y",
                  str(rows))

    def close(self):
        subprocess.run([*TMUX, "-S", str(self.socket), "kill-server"],
                       stderr=subprocess.DEVNULL)


class Case(ply_case.Case):
    def screen(self, name, *arguments, **extra):
        """Somebody called so at a screen of his own, who runs `ply play`."""
        folder = self.folder / name
        folder.mkdir()
        env = dict(os.environ, XDG_STATE_HOME=str(folder), NO_COLOR="1",
                   LC_ALL="C.UTF-8", **extra)
        env.pop("PLY_LINE", None)
        screen = Screen(folder, name, env)
        self.addCleanup(screen.close)
        screen.expect("[#$]")
        screen.type("PS1='ok>'")
        screen.press("Enter")
        screen.expect("(?m)^ok>")
        if arguments:
            screen.run(PLY, *arguments, "--server", self.address())
        return screen

    def play(self, name, *arguments, **extra):
        return self.screen(name, "play", "--name", name, *arguments, **extra)

    def process(self, name):
        """The ply of that player."""
        found = subprocess.run(
            ["pgrep", "-f", f"^{PLY} play --name {name} "],
            stdout=subprocess.PIPE, text=True, timeout=PATIENCE)
        return int(found.stdout)

    def terms(self, screen):
        """What the terminal is set to, as the shell sees it."""
        mark = f"set-{time.monotonic_ns()}"
        screen.run("sh", "-c", f"echo {mark} $(stty -g | cksum)")
        text = screen.expect(rf"(?m)^{mark} \d")
        return re.search(rf"(?m)^{mark} (.*)$", text).group(1)


class Alone(Case):
    def test_a_match_with_the_computer(self):
        t = self.screen("Eve")
        before = self.terms(t)
        t.run("clear")
        t.run(PLY, "play", "english", "--name", "Eve", "--ai", "gentle",
              "--server", self.address())
        t.expect("Your move: choose a piece")
        t.press("Tab", "Enter")
        t.expect(r"Where to\?")
        t.press("Escape")
        t.expect("Your move: choose a piece")
        t.press("m")
        t.type("11-19")
        t.press("Enter")
        t.expect("Not legal")
        t.type("11-15")
        t.press("Enter")
        t.expect("You played 11-15")
        t.expect("White played")
        t.press("/")
        t.type("good luck, grün")
        t.press("Enter")
        t.expect("Eve: good luck, grün")
        t.press("o")
        t.expect("You offered a draw")
        t.press("?")
        t.expect("On the board:")
        t.press("Escape")
        t.expect("Your move")
        self.sizes(t)
        t.press("g")
        t.expect(r"Give up\?")
        t.press("n")
        t.expect(r"Give up\?", gone=True)
        t.press("q", "y")
        t.expect("(?m)^ok>")
        self.assertEqual(self.terms(t), before)

    def sizes(self, t):
        t.resize(100, 40)
        t.expect("Eve \\(you\\)(?s:.*\n){20}.*Tab next")
        t.resize(70, 20)
        t.expect("70 x 20 is too small")
        t.resize(80, 24)
        t.expect("Your move")

    def test_the_server_comes_back(self):
        t = self.play("Bo", "english", "--ai", "gentle")
        t.expect("Your move: choose a piece")
        self.server.end(signal.SIGKILL)
        t.expect(r"Connection lost; trying again in \d s")
        t.press("m")
        t.type("11-15")
        t.press("Enter")
        self.server.start()
        t.expect("You are back")
        t.expect("Connection lost", gone=True)
        t.expect("You played 11-15")
        t.expect("Your move")
        t.press("g", "y")
        t.expect("The match is over")
        t.press("r")  # sides are swapped: who began is to answer
        t.expect(r"○ Bo \(you\)")
        t.press("g", "y", "l")
        t.expect("Nobody waits")

    def test_dice(self):
        t = self.play("Di", "backgammon-match", "--ai", "gentle")
        for _ in range(3):
            text = t.expect("Your (move|turn)|to 2: t takes")
            if "Your turn" in text:
                t.press("Enter")
                t.expect("Your move|passed")
            elif "takes" in text:
                t.press("t")
                t.expect("took the double")
            if "Your move" in t.text():
                self.turn(t)
        t.press("g")
        t.expect(r"Give up\? y the game, m the whole match")
        t.press("m")
        t.expect("The match is over")
        t.press("q")
        t.expect("(?m)^ok>")

    def turn(self, t):
        """A whole turn by Tab and Enter: whatever comes first."""
        for _ in range(12):
            text = t.expect("Your move|Where to|the next checker|Enter plays|"
                            "is to move|Your turn|takes")
            if not re.search("Your move|Where to|next checker|Enter plays",
                             text):
                return
            t.press("Tab", "Enter")
            t.expect(re.escape(text[-900:]), gone=True)

    def test_signals(self):
        t = self.screen("Ida")
        before = self.terms(t)
        for number in signal.SIGTERM, signal.SIGSEGV:
            t.run("clear")
            t.run(PLY, "play", "--name", "Ida", "--server", self.address())
            t.expect("Nobody waits")
            os.kill(self.process("Ida"), number)
            t.expect(r"\A(Segmentation fault.*\n)?ok>")
            self.assertEqual(self.terms(t), before)

    def test_stopped_and_going_on(self):
        t = self.screen("Jo")
        t.run("set", "-m")
        before = self.terms(t)
        t.run("clear")
        t.run(PLY, "play", "--name", "Jo", "--server", self.address())
        t.expect("Nobody waits")
        t.press("C-z")
        t.expect("Stopped")
        self.assertEqual(self.terms(t), before)
        t.run("fg")
        t.expect("Nobody waits")
        t.press("q")
        t.expect("Nobody waits", gone=True)
        self.assertEqual(self.terms(t), before)

    def test_lines_where_they_are_wanted(self):
        for i, (words, extra) in enumerate((
                (["--line"], {}), ([], {"PLY_LINE": "1"}),
                ([], {"TERM": "dumb"}))):
            name = f"Kim{i}"
            t = self.screen(name)
            command = [f"{k}={v}" for k, v in extra.items()]
            t.run("env", *command, PLY, "play", "english", "--name", name,
                  "--ai", "gentle", "--server", self.address(), *words)
            t.expect("your move>")
            t.type("quit")
            t.press("Enter")
            t.expect(r"brings you back(?s:.*)ok>")


class Together(Case):
    def test_two_meet_and_others_look_on(self):
        ada = self.play("Ada")
        ada.expect("Nobody waits")
        ada.press("n")
        ada.expect("New|Game +")
        while "← english →" not in ada.expect("← .* →"):
            ada.press("Right")
        ada.press("Enter")
        ada.expect("Waiting for an opponent")
        bob = self.play("Bob")
        bob.expect("▶ english +Ada")
        bob.press("Enter")
        bob.expect("Bob")
        players = [ada, bob]
        first = self.mover(players)
        self.talk(first, players)
        self.look_on(players, first)
        self.end(players)

    def mover(self, players):
        """Who is to move first, once both see the board."""
        for p in players:
            p.expect("Your move|is to move")
        first = next(p for p in players if "Your move" in p.text())
        first.press("m")
        first.type("11-15")
        first.press("Enter")
        for p in players:
            p.expect("● 11-15")
        return first

    def talk(self, first, players):
        first.press("/")
        first.type("hello there")
        first.press("Enter")
        for p in players:
            p.expect("(Ada|Bob): hello there")

    def look_on(self, players, first):
        cy = self.play("Cy")
        cy.expect("Nobody waits")
        cy.press("w")
        cy.expect("▶ english +(Ada|Bob)")
        cy.press("Enter")
        cy.expect("You watch english")
        second = next(p for p in players if p is not first)
        second.expect("Your move")
        second.press("m")
        second.type("22-17")
        second.press("Enter")
        cy.expect("○ 22-17")
        self.assertNotIn("hello there", cy.text())
        cy.press("l")
        cy.expect("Nobody waits")
        cy.press("q")

    def end(self, players):
        ada, bob = players
        ada.press("o")
        bob.expect("Your opponent wants a draw: y accepts, n declines")
        bob.press("n")
        ada.expect("declined a draw")
        bob.press("g", "y")
        for p in players:
            p.expect("The match is over")
        ada.press("r")
        bob.expect("Your opponent wants a rematch")
        bob.press("r")
        for p in players:
            p.expect("Your move|is to move")
        ada.press("q", "y")
        bob.expect("is away")


if __name__ == "__main__":
    ply_case.main()
