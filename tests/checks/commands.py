"""Every fenced block of README.md, CONTRIBUTING.md and docs/ that holds commands,
and how it is run: told as a table, and those in blocks `sh` are run here.
Usage: commands.py BUILD SOURCE [--list]

  console, console server     docs.py
  console story               story.py, if the page is one of its own
  console skip WHY            not as it stands; WHY names the test that does alike
  lua, with a path on top     saved by story.py, and used by what follows
  sh                          below: line by line in an empty directory, beside
                              a server of the page's own, with status 0. What
                              needs more than that stands in a table: TYPED what
                              is said at a terminal, BESIDE what is done
                              meanwhile, ELSEWHERE which test runs it instead

A block of any other name is a fault, but for NO_COMMANDS. So is an entry of a
table that no page has any more. MATCH, ID and PID in a command are those of the
page's server; comments are left out."""
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       "integration"))
from ply_case import BUILD, SOURCE, Terminal, environment  # noqa: E402
from plyd import Server  # noqa: E402
from story import FENCE, SCRIPT, commands, free_ports  # noqa: E402

PLY = BUILD.resolve() / "bin" / "ply"
WAIT_SECONDS = 200
NO_COMMANDS = {
    "protocol.md": ("", "bytes and messages; generated, see proto_docs"),
    "architecture.md": ("mermaid", "drawn from the tables, see docs.py"),
    "terminal.md": ("text", "screens, drawn by ply_screen_test.py"),
    "operating.md": ("yaml", "of Prometheus; docs.py knows its metrics"),
}
ADA = "ply bot english --accept --name Ada"  # she is here
# a match of backgammon; again while its first throw is a double, with which no
# game of a match file begins
GAME = """until
  ply bot backgammon --random --seed 1 >/dev/null & ply bot backgammon \\
    --random --seed 2 >said; wait
  ply record $(head -1 said | cut -d: -f1) --mat >game
  ply replay game >/dev/null
do :; done; cat said"""
# begins as soon as two bots can have come
CUP = """ply call tournament.create '{"name": "Cup", "ruleset": "english",
  "format": "round_robin", "players": "bot", "entries_max": 2,
  "starts_at": '$(($(date +%s) + 5))000}"""
# what a person sees first, and then types
TYPED = {
    "ply play english --ai gentle": (r"your move> ", "quit\r"),
    "ply play": (r"quit", "q"),
    "ply replay --show FILE": (r"quit", "q"),
    "ply play backgammon": (r"Waiting for an opponent", "quit\r"),
    "ply watch --player Ada": (r"Ada plays nothing now", "\x03"),
    "ply play english --login ada": (r"Waiting for an opponent", "quit\r"),
    "ply play english --quick": (r"[Ww]aiting", "quit\r"),
    "ply play english --with Ada": (r"Ada", "quit\r"),
    "ply play english --rated --login ada": (r"Waiting", "quit\r"),
    "ply tournament ID": (r"Friday Swiss", "\x03"),
}
# begins of commands: by which test, and why not here
ELSEWHERE = {
    "make demo": ("tests/packages/source", "it builds what is installed"),
    "make run": ("tests/packages/source", "it serves until Ctrl-C"),
    "make check": ("tests/packages/source", "it is this test run"),
    "make test": (".ci/run", "it is this test run"),
    "make bench": ("tests/bench/CMakeLists.txt", "takes half an hour"),
    "tests/bench/": ("tests/bench/CMakeLists.txt", "its test is bench_script"),
    "make format": ("tests/checks/format.py", "it changes the tree"),
    "make package": ("tests/packages/bare", "it builds for minutes"),
    "scripts/dev/setup": ("tests/packages/source", "needs root"),
    "apt-get install": ("tests/packages/bare", "needs root"),
    "ply admin status": ("tests/packages/bare", "of an installed server"),
    "TLS_LISTEN": ("tests/integration/tls.py", "it serves until Ctrl-C"),
    "PLYD_LIMITS_CONNECTIONS_PER_ADDRESS=10000":
        ("tests/integration/ply_load_test.py", "takes a machine of its own"),
    "ply load": ("tests/integration/ply_load_test.py",
                 "takes a machine of its own"),
    "cmake --install": ("tests/integration/examples_test.py",
                        "elsewhere than in /usr/local"),
    "cc -o bot bot.c": ("tests/integration/examples_test.py",
                        "with what it installed"),
    "docs/examples/bridges/gnubg.py": ("tests/integration/examples_test.py",
                                       "one match, if there is a gnubg"),
    "docs/examples/bridges/hub.py": ("tests/integration/examples_test.py",
                                     "with an engine of its own"),
}
# those that take the whole screen
SCREEN = {"TERM": "xterm", "PLY_LINE": ""}
SCREENS = {"ply play": SCREEN, "ply replay --show FILE": SCREEN}
# what the page takes for granted
BEFORE = {
    "ply record MATCH": GAME,
    "ply play english --rated --login ada":
        "ply account register --login ada --name Duchess",
    "ply bot english --bot-token-file robot.token":
        "for name in robot other; do ply admin bot-token $name | "
        "grep -Eo '[0-9a-f]{64}' >$name.token; done",
    "ply bot english --tournament ID": CUP,
}
# command: what is run at the same time
BESIDE = {
    "ply watch --player Ada": ADA,
    "ply play english --with Ada": ADA,
    "ply bot english --bot-token-file robot.token": "ply bot english --random",
    "ply bot english --bot-token-file robot.token --rated":
        "ply bot english --bot-token-file other.token --rated",
    "ply bot english --tournament ID":
        "ply bot english --tournament ID --random",
}
# when he is there
READY = {ADA: "ply call bot.list | grep -q english"}
# What goes on, in the background, and how it is seen that it does.
GOES_ON = {
    "ply trace --listen 7600 --to 127.0.0.1:7531":
        "ply call ping --server 127.0.0.1:7600",
    "ply bot english --accept --matches 1000":
        "ply call bot.list | grep -q name",
}


def lines_of(block):
    """The commands of a block `sh`, without comments."""
    text = re.sub(r"\\\n\s*", "", block)
    text = re.sub(r"(^|\s+)#.*$", "", text, flags=re.M)
    text = re.sub(r"('[^'\n]*)\n\s*([^'\n]*')", r"\1 \2", text)
    return [line.strip() for line in text.splitlines() if line.strip()]


class Page:
    """A page's server, and a directory to give its commands in."""

    def __init__(self):
        self.server = Server(BUILD, SOURCE)
        self.server.start()
        self.here = pathlib.Path(self.server.folder.name) / "here"
        self.here.mkdir()
        self.ports = {"7531": self.server.port, "7600": free_ports(1)[0]}
        self.names = {}  # ID and the like
        self.people = 0
        self.behind = []  # what was started and goes on
        tools = self.here.parent / "tools"
        tools.mkdir()
        (tools / "ply").write_text(f"""#!/bin/sh
case "$*" in
trace*|verify*|replay*|analyse*|*--server*) exec {PLY} "$@" ;;
admin*) shift; exec {PLY} admin --socket {self.server.data}/admin.sock "$@" ;;
*) exec {PLY} "$@" --server 127.0.0.1:{self.server.port} ;;
esac
""")
        (tools / "ply").chmod(0o755)
        self.env = environment(self.here.parent,
                               PATH=f"{tools}:{os.environ['PATH']}",
                               PLY_PASSWORD="correct horse",
                               PLY_NEW_PASSWORD="correct horse")

    def close(self):
        for process in self.behind:
            process.kill()
            process.wait()
        self.server.close()

    def real(self, command):
        """The command as it is given here."""
        for shown, port in self.ports.items():
            command = re.sub(rf"\b{shown}\b", str(port), command)
        for name, value in self.names.items():
            command = re.sub(rf"\b{name}\b", value, command)
        return command

    def shell(self, command):
        """Its status and what it printed."""
        done = subprocess.run(["sh", "-c", self.real(command)], cwd=self.here,
                              env=self.env, text=True, timeout=WAIT_SECONDS,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return done.returncode, done.stdout

    def start(self, command):
        process = subprocess.Popen(
            ["sh", "-c", "exec " + self.real(command)], cwd=self.here,
            env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.behind.append(process)
        self.names["PID"] = str(process.pid)
        return process

    def learn(self, text, before):
        """The id of a tournament that was made; and of the match that was
        played before a command, which what follows may name."""
        made = re.search(r'"tournament": "(\w+)"', text)
        if made:
            self.names["ID"] = made[1]
        played = before and re.search(r"\b(?!backgammon)[a-z2-7]{10}\b", text)
        if played:
            self.names["MATCH"] = played[0]

    def until(self, command):
        end = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < end:
            status, said = self.shell(command)
            if status == 0:
                return None
            time.sleep(0.1)
        return f"{command}: {said}"

    def typed(self, command, wanted, answer):
        """At a new person's terminal, until it says what is wanted and is
        answered."""
        self.people += 1
        home = self.here.parent / f"person{self.people}"
        terminal = Terminal("/bin/sh", "-c", f"cd {self.here} && exec " +
                            self.real(command),
                            env={**self.env, "XDG_STATE_HOME": str(home),
                                 **SCREENS.get(command, {"TERM": "dumb"})})
        try:
            terminal.expect(wanted)
            terminal.send(answer)
            status = terminal.wait()
        except AssertionError as error:
            return str(error)
        finally:
            terminal.close()
        return f"status {status}: {terminal.output}" if status else None

    def does(self, command):
        """Why a command failed, or None."""
        if command in BEFORE:
            status, said = self.shell(BEFORE[command])
            if status:
                return f"before it: {said}"
            self.learn(said, True)
        if command in GOES_ON:
            self.start(command)
            return self.until(GOES_ON[command])
        beside = command in BESIDE and self.start(BESIDE[command])
        try:
            if BESIDE.get(command) in READY:
                self.until(READY[BESIDE[command]])
            if command in TYPED:
                return self.typed(command, *TYPED[command])
            status, said = self.shell(command)
            self.learn(said, False)
            return f"status {status}: {said}" if status else None
        finally:
            if beside:
                beside.kill()
                beside.wait()


def stories():
    """The pages that story.py is given."""
    text = (SOURCE / "tests/checks/CMakeLists.txt").read_text()
    return re.search(r"foreach\(page ([\w ]+)\)", text)[1].split()


def way(page, kind, block):
    """By whom the block is run and how many commands it has; None: nobody."""
    words = kind.split()
    if kind in ("console", "console server"):
        return "docs.py", len(commands(block))
    if kind == "console story" and page.stem in stories():
        return "story.py", len(commands(block))
    if words[:2] == ["console", "skip"] and page.stem in stories():
        tests = [next((SOURCE / "tests").rglob(word), None) for word in words
                 if word.endswith(".py")]
        return any(tests) and (" ".join(words[2:]), len(commands(block)))
    if kind == "lua" and SCRIPT.match(block) and page.stem in stories():
        return "story.py", 0
    if kind == "sh":
        return "commands.py", len(lines_of(block))
    name, why = NO_COMMANDS.get(page.name, (None, None))
    return (why, 0) if (words or [""])[0] == name else None


def elsewhere(command):
    for begin, (test, why) in ELSEWHERE.items():
        if command.startswith(begin):
            return begin, f"{test}: {why}"
    return None, None


def main():
    pages = [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md",
             *sorted((SOURCE / "docs").rglob("*.md"))]
    used, problems, ran, listing = set(), [], 0, "--list" in sys.argv
    for path in pages:
        name, page = path.relative_to(SOURCE), None
        for kind, block in FENCE.findall(path.read_text()):
            told = way(path, kind, block)
            if not told:
                problems.append(f"{name}: nobody runs ```{kind}: {block[:60]}")
                continue
            if listing and kind != "sh":
                print(f"{name}: {told[1]} in ```{kind}: {told[0]}")
            for command in lines_of(block) if kind == "sh" else ():
                begin, there = elsewhere(command)
                used |= {command, begin}
                if listing:
                    print(f"{name}: {command}: {there or 'commands.py'}")
                elif not there:
                    page = page or Page()
                    began = time.monotonic()
                    try:
                        why = page.does(command)
                    except subprocess.TimeoutExpired as late:
                        why = f"{late}: {late.stdout}"
                    print(f"{time.monotonic() - began:5.1f} s  {command}",
                          flush=True)
                    ran += 1
                    if why:
                        problems.append(f"{name}: {command}\n    {why}")
        if page:
            page.close()
    for table in TYPED, BEFORE, BESIDE, GOES_ON, ELSEWHERE:
        problems += [f"no page says any more: {c}" for c in table.keys() - used]
    for test, _ in ELSEWHERE.values():
        if not (SOURCE / test).exists():
            problems.append(f"there is no {test}")
    print("\n".join(problems))
    print(f"commands: {ran} run, {len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
