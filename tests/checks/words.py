"""No mark of unfinished work in what is shipped, no call that has a safer
sister, and the licence on top of every file."""
import re

import tree

UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK|not implemented)\b")
BANNED = re.compile(
    r"(?<![\w.>])(strcpy|strcat|sprintf|vsprintf|gets|strtok|rand|srand|atoi|"
    r"atol|asctime|ctime|gmtime|localtime)\s*\(")
LICENCE = "SPDX-License-Identifier: MIT"


def main():
    root, problems, seen = tree.root(), [], 0
    for path, relative in tree.files(root, ["src", "include"]):
        seen += 1
        text = path.read_text()
        if LICENCE not in text[:200]:
            problems.append(f"{relative}: has no \"{LICENCE}\" on top")
        for number, line in enumerate(text.splitlines(), 1):
            for pattern in (UNFINISHED, BANNED):
                found = pattern.search(line)
                if found:
                    problems.append(f"{relative}:{number}: {found.group(1)}")
    tree.finish("words", seen, problems)


main()
