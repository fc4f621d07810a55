"""Every C file is as clang-format leaves it (`make format`)."""
import subprocess

import tree


def main():
    root, problems, paths = tree.root(), [], []
    for path, _ in tree.files(root, ["src", "include", "tests"]):
        paths.append(str(path))
    for start in range(0, len(paths), 50):
        run = subprocess.run(
            ["clang-format", "--dry-run", "-Werror", "-style=file",
             *paths[start:start + 50]],
            cwd=root, capture_output=True, text=True)
        problems += [line for line in run.stderr.splitlines()
                     if "error:" in line]
        if run.returncode and not problems:
            problems.append(run.stderr)
    tree.finish("format", len(paths), problems)


main()
