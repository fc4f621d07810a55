"""The C files of the project, and how a check ends."""
import pathlib
import sys


def files(root, folders, suffixes=(".c", ".h")):
    """Every file under the folders, as (path, path relative to root)."""
    for folder in folders:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path, path.relative_to(root)


def root():
    return pathlib.Path(sys.argv[1])


def finish(name, seen, problems):
    """Prints every problem; a check that saw no file has failed too."""
    for problem in problems:
        print(problem)
    print(f"{name}: {seen} files, {len(problems)} problems")
    sys.exit(1 if problems or seen == 0 else 0)
