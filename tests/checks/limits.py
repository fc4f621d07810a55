"""Every limit that is declared is met by a test that is named for it in
limits_met.py, and each of those tests is there, and those of attacks and faults
of the world."""
import re

import limits_met
import tree

# Enumerators of these headers that are no counts that somebody could run into:
# sizes of texts that the table of methods bounds first, what an operator may
# set, and times and steps of their own.
HEADERS = ["src/domain/limits.h", "src/session/hub_priv.h",
           "src/session/hub.h", "src/session/throttle.h"]
COUNT = re.compile(r"^\s+([A-Z_]+_(?:MAX|KEPT|REMEMBERED))\s*=", re.M)
NO_COUNT = re.compile(
    r"PERSONALIT|POLICY|VERDICT_BYTES|ABOUT|KEY_BYTES|LOGIN_BYTES|HASH|"
    r"NONCE|PLIES|CHAT_CHARS|CHAT_BYTES|EVIDENCE_LINES|MOVES_BYTES|ABORT|"
    r"RULES|DELAY|_PER_PLAYER_MAX|_PER_STEP|LIST_WALK|QUICK|VERSION|LINE_BYTES|"
    r"COUNT_MAX|TEXT|KEPT_BYTES")


def declared(root):
    """(what, where, its tests) of every limit."""
    domain = (root / "src/domain/limits.h").read_text()
    hub = (root / "src/session/hub.h").read_text()
    answer = (root / "src/session/answer.c").read_text()
    limits = answer[answer.index("void put_limits("):]
    limits = limits[:limits.index("\n}")]
    yield from ((n, "src/domain/limits.h", limits_met.DOMAIN)
                for n in re.findall(r"\bL\((\w+), -?\d", domain))
    yield from ((n, "src/session/hub.h", limits_met.HUB)
                for n in re.findall(r"\bH\((\w+), -?\d", hub))
    yield from ((n, "hello", limits_met.PUBLISHED)
                for n in re.findall(r"put_limit\(b, \"(\w+)\"", limits))
    for header in HEADERS:
        for name in COUNT.findall((root / header).read_text()):
            if name in limits_met.FIXED or not NO_COUNT.search(name):
                yield name, header, limits_met.FIXED


def has_test(root, file, name):
    path = root / file
    if not name or not path.is_file():
        return False
    pattern = rf"^ *(static void|(async )?def) {name}\("
    return re.search(pattern, path.read_text(), re.M) is not None


def main():
    root, problems = tree.root(), []
    seen = {}
    for name, where, tests in declared(root):
        seen.setdefault(id(tests), set()).add(name)
        if name not in tests:
            problems.append(f"{where}: {name}: no test meets this limit")
    for tests in (limits_met.DOMAIN, limits_met.HUB, limits_met.PUBLISHED):
        for name in set(tests) - seen.get(id(tests), set()):
            problems.append(f"limits_met.py: {name}: there is no such limit")
    for tests in (limits_met.DOMAIN, limits_met.HUB, limits_met.PUBLISHED,
                  limits_met.FIXED, limits_met.ATTACKS, limits_met.FAULTS):
        for name, (file, test) in tests.items():
            if not has_test(root, file, test):
                problems.append(f"{file}: no test {test} for {name}")
    tree.finish("limits", sum(map(len, seen.values())), problems)


if __name__ == "__main__":
    main()
