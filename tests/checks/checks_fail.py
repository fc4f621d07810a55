"""Each check finds what it is there to find: run on a tree that is wrong."""
import pathlib
import subprocess
import sys
import tempfile

checks = pathlib.Path(sys.argv[1])
LICENCE = "/* SPDX-License-Identifier: MIT */\n"
LONG = LICENCE + "int f(void)\n{\n" + "\tf();\n" * 80 + "\treturn 0;\n}\n"

WRONG = {
    "rooms": [
        ("src/rules/a.c", LICENCE + '#include "domain/x.h"\n',
         "rules may not use domain"),
        ("src/domain/a.c", LICENCE + "#include <uv.h>\n",
         "only net may include"),
        ("src/domain/b.c", LICENCE + '#include "rules/x_priv.h"\n',
         "is private to rules"),
        ("src/nowhere/a.c", LICENCE, "is not a room"),
        ("include/plyd/a.h", LICENCE + '#include "base/span.h"\n',
         "a public header includes"),
    ],
    "functions": [("src/base/a.c", LONG, "has 84 lines")],
    "format": [("src/base/a.c", LICENCE + "int  x ;\n", "error:")],
    "words": [
        ("src/base/a.c", LICENCE + "/* TODO */\n", "TODO"),
        ("src/base/b.c", LICENCE + "void f(void) { strcpy(a, b); }\n",
         "strcpy"),
        ("src/base/c.c", "int x;\n", "has no"),
    ],
}

# A tree where each limit has its place, and one of them no test.
LIMIT_FILES = {
    "src/domain/limits.h": LICENCE + "L(fools_max, 1, 0, 2, \"Fools.\")\n",
    "src/session/hub.h": "", "src/session/hub_priv.h": "",
    "src/session/throttle.h": "",
    "src/session/answer.c": "void put_limits(void)\n{\n\n}\n",
}

failed = 0
with tempfile.TemporaryDirectory() as folder:
    for path, text in LIMIT_FILES.items():
        file = pathlib.Path(folder) / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    run = subprocess.run([sys.executable, checks / "limits.py", folder],
                         capture_output=True, text=True)
    for want in ("fools_max: no test meets this limit",
                 "players_max: there is no such limit",
                 "no test guessing_is_slow for logins_per_account"):
        if run.returncode == 0 or want not in run.stdout:
            failed += 1
            print(f"limits does not find: {want}: {run.stdout}{run.stderr}")

# A table of faults with one that nobody does.
with tempfile.TemporaryDirectory() as folder:
    file = pathlib.Path(folder) / "docs/operating.md"
    file.parent.mkdir()
    file.write_text("## What can go wrong, and what plyd does\n\n"
                    "| fault | what |\n|---|---|\n| rust | rust |\n\n## X\n")
    run = subprocess.run([sys.executable, checks / "faults.py", folder],
                         capture_output=True, text=True)
    for want in ("rust: no test does this",
                 "the disk is full: is not in operating.md",
                 "has no stopped for"):
        if run.returncode == 0 or want not in run.stdout:
            failed += 1
            print(f"faults does not find: {want}: {run.stdout}{run.stderr}")

for check, rows in WRONG.items():
    for path, text, want in rows:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text(text)
            run = subprocess.run(
                [sys.executable, checks / f"{check}.py", folder],
                capture_output=True, text=True)
        if run.returncode == 0 or want not in run.stdout:
            failed += 1
            print(f"{check} does not find {path}: {run.stdout}{run.stderr}")

# Pages of which story.py must find what is wrong, and one that is right.
STORIES = [
    ("```console story\n$ echo a\nb\n```\n", "prints a"),
    ("```console story\n$ echo a\n```\n", "prints a"),
    ("```console story\n$ true\na\n```\n", "prints nothing"),
    ("```console story\n$ false\n```\n", "prints (status 1)"),
    ("```console story\n$ echo a b\n<x> <x>\n```\n", "prints a b"),
    ("```sh\n$ reboot\n```\n", "neither run nor skipped: reboot"),
    ("```\n$ reboot\n```\n", "neither run nor skipped: reboot"),
    ("```console skip\n$ reboot\n```\n", "neither run nor skipped"),
    ("```console skip because it\n$ reboot\n```\n", "0 commands run"),
]
GOOD = """```console story
$ x=5; (sleep 0.2; echo late) &
late
$ echo one; echo two $x; echo three; false
...
<word> 5
th...
(status 1)
$ echo <word> again
two again
```
"""


def told(page):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "page.md"
        file.write_text(page)
        (pathlib.Path(folder) / "scripts").mkdir()
        (pathlib.Path(folder) / "scripts" / "plyd.lua").write_text("")
        return subprocess.run(
            [sys.executable, checks / "story.py", folder, folder, file],
            capture_output=True, text=True)


# Blocks that nobody runs, in a tree where club.md is a story.
UNRUN = [
    ("README.md", "```bash\n$ reboot\n```\n", "nobody runs ```bash: $ reboot"),
    ("README.md", "```\nreboot\n```\n", "nobody runs ```: reboot"),
    ("docs/new.md", "```console story\n$ reboot\n```\n", "nobody runs"),
    ("docs/club.md", "```console skip it is slow\n$ reboot\n```\n", "nobody runs"),
    ("docs/a.md", "", "no page says any more: ply watch"),
]


def listed(path, page):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in (("README.md", ""), ("CONTRIBUTING.md", ""),
                           ("tests/checks/CMakeLists.txt",
                            "foreach(page club)"), (path, page)):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        return subprocess.run(
            ["/usr/bin/python3", checks / "commands.py", root, root, "--list"],
            capture_output=True, text=True)


for path, page, want in UNRUN:
    run = listed(path, page)
    if run.returncode == 0 or want not in run.stdout:
        failed += 1
        print(f"commands does not find {page}: {run.stdout}{run.stderr}")

for page, want in STORIES:
    run = told(page)
    if run.returncode == 0 or want not in run.stdout:
        failed += 1
        print(f"story does not find {page}: {run.stdout}{run.stderr}")
run = told(GOOD)
if run.returncode:
    failed += 1
    print(f"a good story is found wrong: {run.stdout}{run.stderr}")
print(f"{sum(map(len, WRONG.values()))} wrong trees, {len(STORIES)} stories, "
      f"{len(UNRUN)} blocks, {failed} not found")
sys.exit(1 if failed else 0)
