"""People at full screens: `ply play` under tmux, with its keys pressed and its
screen read. Nothing waits but for what is to be seen. The screens that
docs/terminal.md shows are those that are seen here; with TEST_WRITE_SCREENS=1
they are written there.

  ply_screen_test.py BUILD SOURCE [TEST...]
"""
import os
import re
import shlex
import signal
import subprocess
import time

import ply_case
from ply_case import PLY, SOURCE

PATIENCE = 180
PAGE = SOURCE / "docs" / "terminal.md"
WRITES = os.environ.get("TEST_WRITE_SCREENS")
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

    def clear(self):
        self.run("clear")
        self.expect(r"\Aok>\s*\Z")

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


def settled(text):
    """A screen without what differs each time: port, clocks, ids."""
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    found = re.match(r"(.*?) +(\w+ at 127\.0\.0\.1):\d+$", lines[0])
    if found:
        where = f"{found.group(2)}:7531"
        lines[0] = found.group(1) + where.rjust(79 - len(found.group(1)))
    text = "\n".join(lines) + "\n"
    text = re.sub(r"\d:[0-5]\d\b", "4:58", text)
    text = re.sub(r"again in \d s", "again in 3 s", text)
    return re.sub(r"(match|lobby) [a-z2-7]{10}\b", r"\1 m2n4p6r7st", text)


class Case(ply_case.Case):
    def shows(self, name, screen):
        """The screen is the one of that name on the page."""
        page = PAGE.read_text()
        block = re.compile(rf"(^```text {name}\n)(.*?)(^```$)", re.M | re.S)
        wanted = block.search(page)
        self.assertTrue(wanted, f"docs/terminal.md has no screen {name}")
        if WRITES:
            now = settled(screen.text())
            PAGE.write_text(block.sub(
                lambda m: m.group(1) + now + m.group(3), page))
            return
        end = time.monotonic() + PATIENCE
        while settled(screen.text()) != wanted.group(2):
            if time.monotonic() > end:
                self.assertEqual(settled(screen.text()), wanted.group(2))
            time.sleep(0.03)

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
        text = screen.expect(rf"{mark} \d+ \d+")
        return re.search(rf"{mark} (\d+ \d+)", text).group(1)


class Alone(Case):
    def test_a_match_with_the_computer(self):
        t = self.screen("Eve")
        before = self.terms(t)
        t.clear()
        t.run(PLY, "play", "english", "--name", "Eve", "--ai", "gentle",
              "--server", self.address())
        t.expect("Your move: choose a piece")
        t.press("Up", "Enter")
        t.expect("Not this one. Tab goes to the pieces that can move")
        t.press("Down", "Tab", "Enter")
        t.expect(r"Where to\?")
        self.shows("choice", t)
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
        self.shows("help", t)
        t.press("Escape")
        t.expect("Your move")
        self.sizes(t)
        t.press("g")
        t.expect(r"Give up\?")
        t.press("n")
        t.expect(r"Give up\?", gone=True)
        t.press("q", "y")
        t.expect("Your seat is kept, and your clock runs")
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
        self.shows("lost", t)
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
        t.press("g", "y")
        t.expect("The match is over")
        t.press("l")
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

    def test_few_signs_and_colours(self):
        t = self.screen("Flo")
        t.run("unset", "NO_COLOR")
        t.clear()
        t.run("env", "LC_ALL=C", "TERM=xterm", PLY, "play", "english",
              "--name", "Flo", "--ai", "gentle", "--server", self.address())
        t.expect("Your move: choose a piece")
        t.expect(r"\[ b \](?s:.*)> \d:\d\d")
        t.press("/")
        t.type("grün")
        t.press("Enter")
        t.expect("Flo: gr")
        self.assertTrue(t.text().isascii(), t.text())
        coloured = t.tmux("capture-pane", "-t", "s", "-p", "-e")
        self.assertIn("\x1b[42m", coloured)

    def test_signals(self):
        t = self.screen("Ida")
        before = self.terms(t)
        for number in signal.SIGTERM, signal.SIGABRT:
            t.clear()
            t.run(PLY, "play", "--name", "Ida", "--server", self.address())
            t.expect("Nobody waits")
            os.kill(self.process("Ida"), number)
            t.expect("Nobody waits", gone=True)
            self.assertEqual(self.terms(t), before)

    def test_stopped_and_going_on(self):
        t = self.screen("Jo")
        t.run("set", "-m")
        before = self.terms(t)
        t.clear()
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
                ([], {"TERM": "dumb"}), ([], {"TERM": "nonsense"}))):
            name = f"Kim{i}"
            t = self.screen(name)
            command = [f"{k}={v}" for k, v in extra.items()]
            t.run("env", *command, PLY, "play", "english", "--name", name,
                  "--ai", "gentle", "--server", self.address(), *words)
            t.expect("your move>")
            t.type("quit")
            t.press("Enter")
            # the terminal may break this line anywhere
            t.expect("(?s)is kept.*ok>")

    def test_games_of_others(self):
        t = self.screen("Lu")
        t.clear()
        t.run(PLY, "replay", "--show",
              SOURCE / "tests/golden/records/gnubg_match.mat")
        t.expect("0 of 113: The game begins")
        t.press("Right", "Right", "Right")
        t.expect("3 of 113: White threw 6-2")
        self.shows("replay", t)
        t.press("n")
        t.expect("game 2 of 3")
        t.press("End")
        t.expect("97 of 97: White won")
        t.press("p", "q")
        t.expect(r"\Aok>")


class Together(Case):
    def choose(self, t, field, wanted):
        """Goes on to an option of this field, once the arrows are there."""
        while True:
            shown = re.search("← .* →", t.expect(f"{field} +← .* →")).group()
            if wanted in shown:
                return
            t.press("Right")
            t.expect(shown, gone=True)

    def test_two_meet_and_others_look_on(self):
        ada = self.play("Ada")
        ada.expect("Nobody waits")
        ada.press("n")
        self.choose(ada, "Game", "english")
        ada.press("Down", "Down", "Down")
        self.choose(ada, "You play", "white")
        self.shows("table", ada)
        ada.press("Enter")
        ada.expect("Waiting for an opponent")
        bob = self.play("Bob")
        bob.expect("▶ english +Ada")
        self.shows("lobby", bob)
        bob.press(":")
        bob.type("challenge Ada")
        bob.press("Enter")
        bob.expect("Which game")
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
            p.expect("Bob: hello there")
        self.shows("match", players[0])

    def look_on(self, players, first):
        cy = self.play("Cy")
        cy.expect("Nobody waits")
        cy.press("w")
        cy.expect("▶ english +Ada")
        self.shows("matches", cy)
        cy.press("Enter")
        cy.expect("You watch english")
        second = next(p for p in players if p is not first)
        second.expect("Your move")
        second.press("m")
        second.type("22-17")
        second.press("Enter")
        cy.expect("○ 22-17")
        self.assertNotIn("hello there", cy.text())
        self.shows("watching", cy)
        dee = self.screen("Dee", "watch")
        dee.expect("▶ english +Ada")
        dee.press("Enter")
        dee.expect("○ 22-17")
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
        bob.press("v")
        bob.expect("0 of 3: The match begins")
        bob.press("Right", "Right")
        bob.expect("2 of 3: White played 22-17")
        self.shows("again", bob)
        bob.press("End", "f", "Escape")
        bob.expect("The match is over")
        ada.press("r")
        bob.expect("Your opponent wants a rematch")
        bob.press("r")
        for p in players:
            p.expect("Your move|is to move")
        ada.press("q", "y")
        bob.expect("is away")


if __name__ == "__main__":
    ply_case.main()
