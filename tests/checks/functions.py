"""No function is longer than 70 lines: from its first line to its last."""
import subprocess

import tree

LINES_MAX = 70


def main():
    root, problems = tree.root(), []
    paths = [str(path) for path, _ in
             tree.files(root, ["src", "include", "tests"])]
    out = subprocess.run(
        ["ctags", "--fields=+ne", "--kinds-C=f", "--languages=C",
         "--langmap=C:.c.h", "-o", "-", "--sort=no", *paths],
        check=True, capture_output=True, text=True).stdout
    functions = 0
    for line in out.splitlines():
        if line.startswith("!"):
            continue
        fields = line.split("\t")
        found = dict(f.split(":", 1) for f in fields[3:] if ":" in f)
        if "end" not in found:
            continue
        functions += 1
        length = int(found["end"]) - int(found["line"]) + 1
        if length > LINES_MAX:
            problems.append(f"{fields[1]}:{found['line']}: {fields[0]} has "
                            f"{length} lines, {LINES_MAX} are allowed")
    print(f"{functions} functions")
    tree.finish("functions", len(paths) if functions else 0, problems)


main()
