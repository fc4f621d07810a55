"""The commands of a page are run as one story, in the order in which they
stand, by one shell in an empty directory that has only a copy of scripts/.
Usage: story.py SOURCE BUILD PAGE...

In a page of stories every fenced block with commands has one of these words:

  console story       its lines "$ ..." are given to the shell ("> ..." goes on
                      with the line before), and must print the lines below
  console skip WHY    is not run; WHY says why not
  console [server]    is run by docs.py, on its own

A lua block whose first line is "-- scripts/FOLDER/NAME.lua" is saved there when
the story comes to it.

In what is shown, "..." stands for anything in a line, and for any lines when it
is alone; <name> stands for a word, which commands and lines further down may
name. A command whose status is not 0 shows it: "(status 1)" is its last line.
What begins in the background, as `plyd 2>plyd.log &`, may print later: it is
waited for. Ports 7531, 7532 and 7533 are free ones of this machine; "@date" in what
is shown is any day and time. Nothing that the shell began outlives it."""
import os
import pathlib
import re
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

FENCE = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
SCRIPT = re.compile(r"-- (scripts/[\w./-]+\.lua)$", re.M)
NAME = re.compile(r"<([a-z_]+)>")
WAIT_SECONDS = 200
MARK = "-- the status of this command: "
PORTS = "7531", "7532", "7533"


def commands(block):
    """The commands of a block, each with the lines shown below it."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and line.startswith("> "):
            found[-1] = (found[-1][0] + "\n" + line[2:], [])
        elif found:
            found[-1][1].append(line.rstrip())
    return found


def blocks(text):
    """(kind, commands) of every fenced block that shows commands, and
    ("file PATH", text) of every script that names its path."""
    for kind, block in FENCE.findall(text):
        path = SCRIPT.match(block)
        if kind == "lua" and path:
            yield f"file {path[1]}", block
        elif any(line.startswith("$ ") for line in block.splitlines()):
            yield kind, commands(block)


def fits_line(shown, printed, known):
    """The names that a line gives if it is as shown; else None."""
    pattern, named = "", []
    for part in re.split(r"(\.\.\.|<[a-z_]+>|@date)", shown):
        name = NAME.fullmatch(part)
        if part == "...":
            pattern += ".*"
        elif part == "@date":
            pattern += r"\d{4}-\d\d-\d\d[T ][\d:.]+Z?"
        elif name and name[1] in known:
            pattern += re.escape(known[name[1]])
        elif name and name[1] in named:
            pattern += f"(?P={name[1]})"
        elif name:
            named.append(name[1])
            pattern += rf"(?P<{name[1]}>\S+)"
        else:
            pattern += re.escape(part)
    found = re.fullmatch(pattern.rstrip(), printed)
    return None if found is None else found.groupdict()


def fits(shown, printed, known):
    """The names that the lines give if they are as shown; else None."""
    if not shown:
        return None if printed else {}
    if shown[0] == "...":
        for i in range(len(printed) + 1):
            names = fits(shown[1:], printed[i:], known)
            if names is not None:
                return names
        return None
    names = fits_line(shown[0], printed[0], known) if printed else None
    if names is None:
        return None
    rest = fits(shown[1:], printed[1:], {**known, **names})
    return None if rest is None else {**names, **rest}


def trimmed(lines):
    lines = [line.rstrip() for line in lines]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def free_ports(count):
    holders = [socket.socket() for _ in range(count)]
    for holder in holders:
        holder.bind(("127.0.0.1", 0))
    ports = [str(holder.getsockname()[1]) for holder in holders]
    for holder in holders:
        holder.close()
    return ports


class Shell:
    """One shell in a directory of its own."""

    def __init__(self, source, build):
        self.folder = tempfile.TemporaryDirectory(prefix="plyd-story-")
        self.here = pathlib.Path(self.folder.name) / "club"
        self.here.mkdir()
        self.ports = dict(zip(PORTS, free_ports(len(PORTS))))
        shutil.copytree(source / "scripts", self.here / "scripts",
                        ignore=shutil.ignore_patterns("dev"))
        config = self.here / "scripts" / "plyd.lua"
        config.write_text(self.real(config.read_text()))
        path = f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"
        environment = {"PATH": path, "HOME": self.folder.name,
                       "LC_ALL": "C.UTF-8", "NO_COLOR": "1"}
        for name in os.environ:
            if name.endswith("SAN_OPTIONS"):
                environment[name] = os.environ[name]
        self.shell = subprocess.Popen(
            ["sh"], cwd=self.here, env=environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        os.set_blocking(self.shell.stdout.fileno(), False)
        self.watch = selectors.DefaultSelector()
        self.watch.register(self.shell.stdout, selectors.EVENT_READ)
        self.text = ""
        self.known = {}

    def real(self, text):
        for shown, port in self.ports.items():
            text = re.sub(rf"\b{shown}\b", port, text)
        return text

    def as_shown(self, text):
        for shown, port in self.ports.items():
            text = re.sub(rf"\b{port}\b", shown, text)
        return text.replace(str(self.here), "/srv/club")

    def read(self, seconds):
        self.watch.select(seconds)
        data = self.shell.stdout.read()
        if data:
            self.text += data.decode(errors="replace")
        return data != b""

    def take(self):
        """The lines so far, and the status, once it is known."""
        status, lines = None, []
        for line in self.as_shown(self.text).splitlines():
            before, mark, number = line.partition(MARK)
            if mark:
                status = number
            if before or not mark:
                lines.append(before)
        if status not in (None, "0"):
            lines.append(f"(status {status})")
        return status, trimmed(lines)

    def run(self, command, shown):
        """None, or what was printed instead of what is shown."""
        command = NAME.sub(
            lambda name: self.known.get(name[1], name[0]), command)
        self.text = ""
        self.shell.stdin.write(
            f"{{ {self.real(command)}\n}} </dev/null\n"
            f"printf '%s%s\\n' '{MARK}' $?\n".encode())
        self.shell.stdin.flush()
        end = time.monotonic() + WAIT_SECONDS
        alive = True
        while alive and time.monotonic() < end:
            alive = self.read(0.05)
            status, lines = self.take()
            names = fits(shown, lines, self.known)
            if status is not None and names is not None:
                self.known.update(names)
                return None
            if status is not None and not command.rstrip().endswith("&"):
                break
        return self.take()[1] or ["nothing"]

    def save(self, path, text):
        """A script, as a reader would."""
        (self.here / path).parent.mkdir(exist_ok=True)
        (self.here / path).write_text(text)

    def close(self):
        os.killpg(self.shell.pid, signal.SIGTERM)
        self.shell.stdin.close()
        try:
            self.shell.wait(WAIT_SECONDS)
        finally:
            try:
                os.killpg(self.shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.shell.stdout.close()
        self.folder.cleanup()


def tell(page, source, build):
    """(commands run, commands skipped, problems) of a page."""
    shell, ran, skipped, problems = Shell(source, build), 0, 0, []
    try:
        for kind, told in blocks(page.read_text()):
            words = kind.split()
            if words[:1] == ["file"]:
                shell.save(words[1], told)
            elif words[:2] == ["console", "skip"] and len(words) > 3:
                skipped += len(told)
            elif words in (["console"], ["console", "server"]):
                continue
            elif words != ["console", "story"]:
                problems.append(f"```{kind}: is neither run nor skipped: "
                                f"{told[0][0]}")
            else:
                for command, shown in told:
                    ran += 1
                    printed = shell.run(command, trimmed(shown))
                    if printed:  # what follows would fail by it too
                        problems.append(f"$ {command}\n    prints " +
                                        "\n    ".join(printed))
                        return ran, skipped, problems
    finally:
        shell.close()
    return ran, skipped, problems


def main():
    source, build = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    failed = False
    for name in sys.argv[3:]:
        ran, skipped, problems = tell(pathlib.Path(name), source, build)
        for problem in problems:
            print(f"{name}: {problem}")
        print(f"{name}: {ran} commands run, {skipped} skipped, "
              f"{len(problems)} problems")
        failed |= bool(problems) or ran == 0
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
