"""What the documents say is so: links lead somewhere, commands answer what is
shown, tables agree with the source. Usage: docs.py SOURCE BUILD

A fenced block `console` is run: each line that begins with "$ " is given to
the shell, in the source directory, and must print the lines below it, in which
"..." stands for what story.py says; `build/dev` is this build. In a block
`console server` a server of our own stands for the one at port 7531 and for the
one whose socket `ply admin` opens. commands.py knows of all blocks."""
import ast
import asyncio
import os
import pathlib
import re
import subprocess
import sys

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
sys.path.insert(0, str(ROOT / "tests" / "integration"))
import plyd  # noqa: E402
from story import FENCE, commands, fits, trimmed  # noqa: E402

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
COMMAND_SECONDS = 600
PORT = "7531"
problems = []


def wrong(page, what):
    problems.append(f"{page.relative_to(ROOT)}: {what}")


def pages():
    yield from sorted(ROOT.glob("*.md"))
    yield from sorted((ROOT / "docs").rglob("*.md"))


# -- links --

def anchors(page):
    """The anchors of a page's headings, as code hosts make them."""
    text = FENCE.sub("", page.read_text())
    found = set()
    for heading in re.findall(r"^#+ (.+)$", text, re.M):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def check_links(page):
    count = 0
    for target in LINK.findall(FENCE.sub("", page.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        count += 1
        name, _, anchor = target.partition("#")
        path = (page.parent / name).resolve() if name else page
        if not path.exists():
            wrong(page, f"{target} leads nowhere")
        elif anchor and anchor not in anchors(path):
            wrong(page, f"{target} names no heading")
    return count


# -- commands --

def run(command):
    path = f"{BUILD / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path, LC_ALL="C.UTF-8", NO_COLOR="1")
    done = subprocess.run(
        ["sh", "-c", command], cwd=ROOT, env=environment, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS)
    return [line.rstrip() for line in done.stdout.splitlines()]


def check_block(page, block, port, socket=None):
    for command, shown in commands(block):
        here = command.replace(PORT, str(port))
        here = here.replace("build/dev", str(BUILD.resolve()))
        if socket:
            here = here.replace("ply admin", f"ply admin --socket {socket}")
        try:
            printed = run(here)
        except subprocess.TimeoutExpired:
            printed = ["(it did not end)"]
        printed = [line.replace(str(port), PORT) for line in printed]
        if fits(trimmed(shown), trimmed(printed), {}) is None:
            wrong(page, f"$ {command}\n    prints " +
                  "\n    ".join(printed or ["nothing"]))


def check_commands(page):
    count = 0
    for kind, block in FENCE.findall(page.read_text()):
        words = kind.split()
        if words[:1] != ["console"]:
            continue
        if words[1:2] in (["story"], ["skip"]):
            continue
        count += len(commands(block))
        if "server" in words:
            if PORT not in block and "ply admin" not in block:
                wrong(page, f"a block `{kind}` does not name port {PORT}")
            with plyd.Server(BUILD, ROOT) as server:
                server.start()
                check_block(page, block, server.port,
                            server.data / "admin.sock")
        else:
            check_block(page, block, PORT)
    return count


# -- tables --

def rows(page):
    """The cells of every row of every table, without the code marks."""
    for line in page.read_text().splitlines():
        if line.startswith("|"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def macro(path, name):
    """The entries of an X-macro: their words and texts, joined."""
    text = (ROOT / path).read_text().replace("\\\n", " ")
    line = re.search(rf"^#define {name}\(\w\)(.*)$", text, re.M).group(1)
    for entry in re.findall(r"\b[A-Z]\(((?:[^()\"]|\"[^\"]*\")*)\)", line):
        fields = re.findall(r"((?:\"[^\"]*\"\s*)+|[^,\s\"]+)", entry)
        yield ["".join(re.findall(r"\"([^\"]*)\"", f)) if '"' in f else f
               for f in fields]


def expect_rows(page, what, wanted):
    """The wanted rows stand in a table of the page, in this order."""
    found = [row for row in rows(page)]
    at = 0
    for row in wanted:
        try:
            at = found.index(row, at) + 1
        except ValueError:
            wrong(page, f"{what}: no row | {' | '.join(row)} |")


def expect_no_others(page, what, wanted):
    """No row as wide as the wanted ones names anything else."""
    names = {row[0] for row in wanted}
    for row in rows(page):
        if (len(row) == len(wanted[0]) and re.fullmatch(r"`\w+`", row[0])
                and row[0] not in names):
            wrong(page, f"{what}: there is no {row[0]}")


def check_reasons():
    page = ROOT / "docs" / "rules" / "README.md"
    draughts = list(macro("include/plyd/rules.h", "DRAUGHTS_REASONS"))
    backgammon = list(macro("include/plyd/rules.h", "BACKGAMMON_REASONS"))
    cube = list(macro("include/plyd/rules.h", "CUBE_REASONS"))
    told = []
    for reasons in draughts, draughts[:1] + backgammon, cube:
        told.append([[f"`{name}`", text] for _, name, text in reasons])
        expect_rows(page, "reasons", told[-1])
    expect_no_others(page, "reasons", sum(told, []))
    return len(draughts) + len(backgammon) + len(cube)


def check_options():
    page = ROOT / "docs" / "rules" / "README.md"
    told = []
    for family in "DRAUGHTS", "BACKGAMMON":
        options = [
            [f"`{name}`", ", ".join(f"`{v}`" for v in values.split("|")), text]
            for name, values, text in macro("include/plyd/rules.h",
                                            f"{family}_OPTIONS")]
        expect_rows(page, "options", options)
        told += options
    expect_no_others(page, "options", told)
    return len(told)


def check_ends():
    page = ROOT / "docs" / "players.md"
    ends = [[f"`{name}`", text] for _, name, text
            in macro("src/domain/match.h", "END_REASONS")]
    expect_rows(page, "ends", ends)
    expect_no_others(page, "ends", ends)
    return len(ends)


def check_errors():
    """What bots.md says of errors is said of errors that there are."""
    page = ROOT / "docs" / "bots.md"
    names = {name for _, _, name, _ in
             macro("include/plyd/err.h", "PLYD_ERRORS")}
    text = page.read_text().split("## Errors")[1].split("\n## ")[0]
    told = re.findall(r"^\| (`.*?) \|", text, re.M)
    told = re.findall(r"`(\w+)`", " ".join(told))
    for name in told:
        if name not in names and name != "legal_moves":
            wrong(page, f"there is no error `{name}`")
    return len(told)


def check_log():
    """The lines of the log that operating.md explains are written."""
    page = ROOT / "docs" / "operating.md"
    source = "".join(path.read_text() for path in (ROOT / "src").rglob("*.c"))
    source = re.sub(r'"\s*"', "", source)
    told = [row[0].strip("`").removesuffix("...").strip()
            for row in rows(page) if len(row) == 2 and row[0].startswith("`")]
    for words in told:
        if f'"{words}' not in source:
            wrong(page, f"nothing logs \"{words}\"")
    return len(told)


def check_metrics():
    """The metrics of operating.md are those of the source, and its alerts
    name no others."""
    page = ROOT / "docs" / "operating.md"
    told = [[f"`{name}`", kind, labels, text] for name, kind, labels, text
            in macro("src/server/metrics.h", "METRICS")]
    expect_rows(page, "metrics", told)
    names = {row[0].strip("`") for row in told}
    for name in re.findall(r"\bplyd_[a-z_]+\b", page.read_text()):
        if re.sub("_(bucket|sum|count)$", "", name) not in names:
            wrong(page, f"there is no metric {name}")
    return len(told)


def check_limits():
    """security.md names no setting that there is not."""
    page = ROOT / "docs" / "security.md"
    header = (ROOT / "src/server/config.h").read_text()
    known = {f"{section}.{name}" for section, name in
             re.findall(r"\b[IT]\((\w+), (\w+),", header)}
    sections = {name.split(".")[0] for name in known}
    told = re.findall(r"`(\w+)\.(\w+)`", page.read_text())
    for section, name in told:
        if section in sections and f"{section}.{name}" not in known:
            wrong(page, f"there is no setting {section}.{name}")
    return len(told)


async def rulesets():
    with plyd.Server(BUILD, ROOT) as server:
        server.start()
        client = plyd.Client(server.port, "reader")
        await client.connect()
        answer = await client.call("rules.list")
        await client.drop()
    return answer["rulesets"]


def check_rulesets():
    """Each ruleset has its page, with its options and draws."""
    served = asyncio.run(rulesets())
    for ruleset in served:
        page = ROOT / "docs" / "rules" / f"{ruleset['name']}.md"
        if not page.exists():
            wrong(page, "is missing")
            continue
        wanted = [[f"`{name}`", f"`{value}`"]
                  for name, value in ruleset["options"].items()]
        for name in "no_progress", "repetition":
            wanted.append([f"`{name}`", f"`{ruleset[name]}`"])
        clock = ruleset["clock"]
        delay = clock.get("delay_ms", 0)
        each = (f"{delay // 1000} seconds a turn free" if delay else
                f"{clock['increment_ms'] // 1000} seconds a move")
        wanted.append(["clock", f"{clock['base_ms'] // 60000} minutes and "
                                f"{each}"])
        expect_rows(page, "options", wanted)
        expect_no_others(page, "options", wanted)
    return len(served)


def check_rooms():
    """The rooms of architecture.md are those that rooms.py allows."""
    page = ROOT / "docs" / "architecture.md"
    tree = ast.parse((ROOT / "tests" / "checks" / "rooms.py").read_text())
    uses = next(ast.literal_eval(node.value) for node in tree.body
                if isinstance(node, ast.Assign)
                and node.targets[0].id == "USES")
    told = {row[0].strip("`"): row[2] for row in rows(page) if len(row) == 3}
    for room, used in uses.items():
        names = ", ".join(name for name in used if name != "base") or "-"
        if told.get(room) != names:
            wrong(page, f"{room} uses {names}, not {told.get(room)}")
    return len(uses)


def check_states():
    """The drawings of architecture.md are the transition tables."""
    page = ROOT / "docs" / "architecture.md"
    drawn = set(re.findall(r"^\s*(\w+) --> (\w+)", page.read_text(), re.M))
    arrows = set()
    for path, prefix in (("src/domain/match_apply.c", "MATCH_"),
                         ("src/session/conn.c", "CONN_")):
        table = re.search(r"may_enter\[\] = \{(.*?)\};",
                          (ROOT / path).read_text(), re.S).group(1)
        for state, line in re.findall(r"\[(\w+)\] =(.*?),\n", table, re.S):
            for other in re.findall(r"1u << (\w+)", line):
                arrows.add((state.removeprefix(prefix).lower(),
                            other.removeprefix(prefix).lower()))
    for one, other in sorted(arrows ^ drawn):
        wrong(page, f"{one} --> {other} is " +
              ("not drawn" if (one, other) in arrows else "no arrow"))
    return len(arrows)


def main():
    seen = {"pages": 0, "links": 0, "commands": 0}
    for page in pages():
        seen["pages"] += 1
        seen["links"] += check_links(page)
        seen["commands"] += check_commands(page)
    for check in (check_reasons, check_options, check_ends, check_errors,
                  check_log, check_metrics, check_limits,
                  check_rulesets, check_rooms, check_states):
        seen[check.__name__.removeprefix("check_")] = check()
    for problem in problems:
        print(problem)
    print("docs:", ", ".join(f"{n} {what}" for what, n in seen.items()) +
          f"; {len(problems)} problems")
    sys.exit(1 if problems or 0 in seen.values() else 0)


main()
