"""Every fault that docs/operating.md describes is done to plyd by a test that is
named for it in faults_met.py, and each of those tests is there."""
import re

import faults_met
import tree

TITLE = "## What can go wrong, and what plyd does"


def documented(root):
    """The first column of the table, without its head."""
    text = (root / "docs/operating.md").read_text()
    text = text[text.index(TITLE):]
    text = text[:text.index("\n## ", len(TITLE))]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    return [row.split(" | ")[0][2:] for row in rows[1:]]


def has_test(root, file, name):
    path = root / file
    if not path.is_file():
        return False
    pattern = rf"^(static void|async def|def) {name}\("
    return re.search(pattern, path.read_text(), re.M) is not None


def main():
    root, problems = tree.root(), []
    rows = documented(root)
    for row in rows:
        if not faults_met.DOCUMENTED.get(row):
            problems.append(f"operating.md: {row}: no test does this")
    for row in set(faults_met.DOCUMENTED) - set(rows):
        problems.append(f"faults_met.py: {row}: is not in operating.md")
    for table in (faults_met.DOCUMENTED, faults_met.ABUSE):
        for row, tests in table.items():
            problems += [f"faults_met.py: {file} has no {name} for: {row}"
                         for file, name in tests
                         if not has_test(root, file, name)]
    tree.finish("faults", len(rows), problems)


if __name__ == "__main__":
    main()
