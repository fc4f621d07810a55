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

failed = 0
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
print(f"{sum(map(len, WRONG.values()))} wrong trees, {failed} not found")
sys.exit(1 if failed else 0)
