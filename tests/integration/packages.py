"""What is installed, and the Debian packages: made from this build and looked
at without installing them.

  packages.py BUILD SOURCE"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77


def run(*words, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True,
                          text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{words}: {done.returncode}\n{done.stdout}"
                           f"{done.stderr}")
    return done.stdout


class Packages:
    """The packages, laid out in folders of their own."""

    def __init__(self, build, folder):
        self.folder = pathlib.Path(folder)
        run("cpack", "-G", "DEB", "-B", self.folder, "--config",
            pathlib.Path(build) / "CPackConfig.cmake", cwd=build)
        self.files = {}
        for deb in sorted(self.folder.glob("*.deb")):
            name = deb.name.split("_")[0]
            run("dpkg-deb", "-R", deb, self.folder / name)
            self.files[name] = deb

    def control(self, name, field):
        text = (self.folder / name / "DEBIAN" / "control").read_text()
        found = re.search(rf"^{field}: (.*)$", text, re.M)
        return found.group(1) if found else ""

    def has(self, name, path):
        return (self.folder / name / path).exists()


def holds(p):
    """The files of each package."""
    wanted = {
        "plyd": ["usr/bin/plyd", "usr/bin/plyd-script", "etc/plyd/plyd.lua",
                 "etc/plyd/rulesets/english.lua",
                 "etc/plyd/policies/standard.lua",
                 "etc/plyd/personalities/gentle.lua",
                 "lib/systemd/system/plyd.service|"
                 "usr/lib/systemd/system/plyd.service",
                 "usr/lib/sysusers.d/plyd.conf", "usr/share/man/man8/plyd.8"],
        "plyd-client": ["usr/bin/ply", "usr/share/man/man1/ply.1",
                        "usr/share/man/man1/ply-admin.1",
                        "usr/share/bash-completion/completions/ply"],
        "plyd-dev": ["usr/include/plyd/client.h", "usr/include/plyd/err.h",
                     "usr/lib/libplyd.a", "usr/lib/pkgconfig/plyd.pc"],
    }
    for name, paths in wanted.items():
        if name not in p.files:
            return f"there is no package {name}"
        for path in paths:
            if not any(p.has(name, way) for way in path.split("|")):
                return f"{name} has no {path}"


def depends(p):
    """Libraries are found; the server does not drag in the client's."""
    needs = p.control("plyd", "Depends")
    for library in ("libuv1", "libsqlite3-0", "libsodium", "liblua5.4"):
        if library not in needs:
            return f"plyd does not depend on {library}: {needs}"
    client = p.control("plyd-client", "Depends")
    for library in ("libedit", "libncursesw6"):
        if library not in client:
            return f"plyd-client does not depend on {library}: {client}"
        if library in needs:
            return f"plyd depends on the client's {library}: {needs}"


def described(p):
    """Each by itself: a line, and lines that are set as a paragraph."""
    for name, word in (("plyd", "server"), ("plyd-client", "command"),
                       ("plyd-dev", "library")):
        said = run("dpkg-deb", "-f", p.files[name], "Description")
        if not re.match(rf"[^\n]*{word}[^\n]*(\n \S[^\n]*)+\n$", said):
            return f"{name} is described as: {said}"


def configuration(p):
    """Its files are the operator's, and the data where the system has such."""
    root = p.folder / "plyd"
    listed = (root / "DEBIAN" / "conffiles").read_text().split()
    there = ["/" + str(f.relative_to(root)) for f in (root / "etc").rglob("*")
             if f.is_file()]
    if sorted(listed) != sorted(there):
        return f"conffiles {set(listed) ^ set(there)}"
    text = (root / "etc/plyd/plyd.lua").read_text()
    if 'directory = "/var/lib/plyd"' not in text:
        return "the data are not in /var/lib/plyd"
    done = run(root / "usr/bin/plyd", "--config", root / "etc/plyd/plyd.lua",
               "--check-config")
    return None if "can be used" in done else done


def scripts(p):
    """What dpkg runs is a shell script that can be read."""
    for name in ("postinst", "prerm", "postrm"):
        path = p.folder / "plyd" / "DEBIAN" / name
        if not path.stat().st_mode & 0o111:
            return f"{name} cannot be run"
        run("sh", "-n", path)


def manuals(p):
    """Manual pages say what --help says, and can be set."""
    for page, word in (("plyd/usr/share/man/man8/plyd.8", "--check-config"),
                       ("plyd-client/usr/share/man/man1/ply-admin.1",
                        "shutdown")):
        text = (p.folder / page).read_text().replace("\\-", "-")
        if word not in text or ".SH SYNOPSIS" not in text:
            return f"{page} lacks {word}"


def completion(p):
    """Commands, then options, as ply itself names them."""
    client = p.folder / "plyd-client" / "usr"
    script = client / "share/bash-completion/completions/ply"

    def complete(*words):
        line = " ".join(f"'{w}'" for w in words)
        return run("bash", "-c",
                   f"source {script}; COMP_WORDS=({line}); "
                   f"COMP_CWORD={len(words) - 1}; _ply; "
                   'printf "%s\\n" "${COMPREPLY[@]}"').split()
    ply = client / "bin/ply"
    if complete(ply, "ver") != ["verify"]:
        return f"ver: {complete(ply, 'ver')}"
    if not {"admin", "play", "script"} <= set(complete(ply, "")):
        return f"nothing: {complete(ply, '')}"
    if "--socket" not in complete(ply, "admin", "--s"):
        return f"admin --s: {complete(ply, 'admin', '--s')}"
    if "shutdown" not in complete(ply, "admin", "shut"):
        return f"admin shut: {complete(ply, 'admin', 'shut')}"


def unit(p):
    """The unit is hardened, and names what is installed."""
    found = list((p.folder / "plyd").rglob("plyd.service"))
    if "ExecStart=/usr/bin/plyd" not in found[0].read_text():
        return "it starts another program"
    if not shutil.which("systemd-analyze"):
        return "no systemd-analyze here: scripts/dev/setup installs it"
    done = subprocess.run(["systemd-analyze", "security", "--offline=true",
                           "--threshold=30", found[0]], capture_output=True,
                          text=True)
    return None if done.returncode == 0 else done.stdout


def main():
    build, _ = sys.argv[1:]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="plyd-packages-") as folder:
        p = Packages(build, folder)
        for test in (holds, depends, described, configuration, scripts, manuals,
                     completion, unit):
            why = test(p)
            print(f"{test.__name__}: {why or 'ok'}")
            failed += why is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
