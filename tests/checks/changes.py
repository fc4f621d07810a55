"""The fragments of docs/changes can be joined; scripts/dev/changes joins them as
it says, and refuses those that are wrong. Usage: changes.py SOURCE"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
GOOD = {
    "fixed-b.md": "A fault.\n",
    "added-a.md": "Something new,\nof two lines.\n",
    "fixed-a.md": "[A page](../page.md) was wrong.\n",
}
WANTED = """\
## 3.2.1 (DAY)

### Added

- Something new,
  of two lines.

### Fixed

- [A page](../page.md) was wrong.
- A fault.
"""
WRONG = {
    "new-a.md": "A word.\n", "added.md": "A word.\n", "fixed-A.md": "A word.\n",
    "added-end.md": "No full stop\n", "added-none.md": "",
    "added-long.md": "A word.\n" * 16, "added-wide.md": "a" * 90 + ".\n",
    "added-head.md": "# Heading\nA word.\n", "added-gap.md": "A word.\n\nB.\n",
}


def changes(root, *options):
    done = subprocess.run(
        ["/usr/bin/python3", ROOT / "scripts/dev/changes", "--root", root,
         *options], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def without_day(text):
    return re.sub(r"\(\d{4}-\d\d-\d\d\)", "(DAY)", text)


def tree(folder, fragments):
    root = pathlib.Path(folder)
    (root / "docs/changes").mkdir(parents=True, exist_ok=True)
    (root / "CMakeLists.txt").write_text("project(plyd VERSION 3.2.1 ANY)\n")
    for name, text in {"README.md": "The rule", **fragments}.items():
        (root / "docs/changes" / name).write_text(text)
    return root


def main():
    status, text, why = changes(ROOT)
    assert status == 0 and text.startswith("## "), why
    with tempfile.TemporaryDirectory() as folder:
        root = tree(folder, GOOD)
        status, text, why = changes(root)
        assert (status, without_day(text)) == (0, WANTED), text + why
        assert changes(root, "--release")[0] == 0
        tree(folder, {"fixed-c.md": "Another fault.\n"})
        assert changes(root, "--release")[0] == 0
        releases = (root / "docs/changes/releases.md").read_text()
        newest = "## 3.2.1 (DAY)\n\n### Fixed\n\n- Another fault.\n"
        assert without_day(releases) == f"# Releases\n\n{newest}\n{WANTED}", \
            releases
        left = {path.name for path in (root / "docs/changes").iterdir()}
        assert left == {"README.md", "releases.md"}, left
        status, _, why = changes(root)
        assert status and "no fragments" in why, why
    for name, text in WRONG.items():
        with tempfile.TemporaryDirectory() as folder:
            status, _, why = changes(tree(folder, {**GOOD, name: text}))
            assert status == 1 and name in why, (name, why)
            assert not any(good in why for good in GOOD), why
    print(f"changes: {len(WRONG)} wrong fragments were refused")


main()
