"""Which room may include which, and which one alone sees a library.

The table is that of docs/architecture.md. A room's private headers, *_priv.h,
are for that room only; include/plyd is for everybody."""
import re

import tree

USES = {
    "base": [],
    "rules": ["base"],
    "engine": ["base", "rules"],
    "proto": ["base"],
    "domain": ["base", "rules"],
    "record": ["base", "rules", "domain", "proto"],
    "session": ["base", "rules", "domain", "proto", "record"],
    "net": ["base"],
    "store": ["base"],
    "script": ["base", "rules", "engine", "proto"],
    "server": ["base", "rules", "engine", "proto", "domain", "record",
               "session", "net", "store"],
    "client": ["base", "proto"],
    "screen": ["base", "rules"],
    "ply": ["base", "rules", "engine", "proto", "domain", "record", "net",
            "client", "screen"],
}

ALONE = {
    "uv.h": "net",
    "lua.h": "script",
    "lualib.h": "script",
    "lauxlib.h": "script",
    "msgpack.h": "proto",
    "msgpack/": "proto",
    "sqlite3.h": "store",
    "seccomp.h": "script",
    "microhttpd.h": "net",
    "curses.h": "screen",
}

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.M)


def check_local(room, path, name, problems):
    other = name.split("/")[0]
    if other not in USES:
        problems.append(f"{path}: \"{name}\" lies in no room")
    elif other != room and other not in USES[room]:
        problems.append(f"{path}: {room} may not use {other} ({name})")
    elif other != room and name.endswith("_priv.h"):
        problems.append(f"{path}: {name} is private to {other}")


def main():
    root, problems, seen = tree.root(), [], 0
    for path, relative in tree.files(root, ["src", "include"]):
        seen += 1
        parts = relative.parts
        room = parts[1] if parts[0] == "src" else None
        if room is not None and room not in USES:
            problems.append(f"{relative}: {room} is not a room")
            continue
        for kind, name in INCLUDE.findall(path.read_text()):
            if kind == '"' and room:
                check_local(room, relative, name, problems)
            for library, owner in ALONE.items():
                if name.startswith(library) and room != owner:
                    problems.append(
                        f"{relative}: only {owner} may include <{name}>")
            if not room and not name.startswith(("plyd/", "std")):
                problems.append(f"{relative}: a public header includes {name}")
    tree.finish("rooms", seen, problems)


main()
