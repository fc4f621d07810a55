"""What is shipped beside the programs can be read by what will read it: the image's
steps, the composition, haproxy's configuration, and every shell script. There is
no docker here: tests/packages/bare runs the image's steps in a bare Debian.
Usage: shipped.py SOURCE"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(sys.argv[1])
DOCKER = ROOT / "docker"
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "VOLUME", "ENV",
                "EXPOSE", "HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT"}
# of the compose specification, those that are used
SERVICE_KEYS = {"build", "image", "restart", "stop_grace_period", "environment",
                "volumes", "read_only", "tmpfs", "cap_drop", "security_opt",
                "networks", "depends_on", "ports"}
SHELL = re.compile(rb"#!/bin/(ba)?sh\b")
problems = []


def wrong(what, why):
    problems.append(f"{what}: {why}")


def shellcheck(what, text, shell):
    """Whether a script is sound; told at the level of warnings."""
    run = subprocess.run([shell, "-n"], input=text, text=True,
                         capture_output=True)
    if run.returncode:
        wrong(what, run.stderr)
    run = subprocess.run(["shellcheck", "-S", "warning", "-f", "gcc", "-s",
                          shell, "-"], input=text, text=True,
                         capture_output=True)
    if run.returncode:
        wrong(what, run.stdout + run.stderr)


# -- scripts --

def files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if f not in
                      (".git", "build", "var", "node_modules")]
        yield from (pathlib.Path(folder) / name for name in names)


def check_scripts():
    count = 0
    for path in files():
        with open(path, "rb") as file:
            found = SHELL.match(file.readline())
        if found:
            count += 1
            shellcheck(path.relative_to(ROOT), path.read_text(),
                       "bash" if found[1] else "sh")
    shellcheck("ply.bash", (ROOT / "docs/dist/ply.bash").read_text(), "bash")
    return count + 1


# -- the image --

def instructions():
    text = (DOCKER / "Dockerfile").read_text()
    text = re.sub(r"^#.*\n", "", text, flags=re.M).replace("\\\n", "")
    return [line.split(None, 1) for line in text.splitlines() if line.strip()]


def copied(words, stages):
    """What a COPY names is in the tree, or comes from a stage before it."""
    where = [w.partition("=")[2] for w in words if w.startswith("--from=")]
    if where:
        return where[0] in stages
    return all((ROOT / w).exists() for w in words[:-1])


def check_image():
    stages, last = [], {}
    for word, rest in instructions():
        last[word] = rest
        if word not in INSTRUCTIONS:
            wrong("Dockerfile", f"no instruction {word}")
        elif word == "FROM":
            image, *named = rest.split()
            stages += named[1:]
            if ":" not in image or image.endswith(":latest"):
                wrong("Dockerfile", f"{image} is no certain image")
        elif word == "COPY" and not copied(rest.split(), stages):
            wrong("Dockerfile", f"COPY {rest}: it is not there")
        elif word == "RUN":
            shellcheck(f"Dockerfile, RUN {rest[:30]}", rest + "\n", "sh")
        elif word in ("ENTRYPOINT", "HEALTHCHECK"):
            json.loads(rest[rest.index("["):])  # else a shell runs it
    if last.get("USER", "root") in ("root", "0"):
        wrong("Dockerfile", "the image runs as root")
    if "HEALTHCHECK" not in last:
        wrong("Dockerfile", "the image has no health check")
    return len(last)


# -- the composition --

def check_composition():
    whole = yaml.safe_load((DOCKER / "compose.yaml").read_text())
    if whole.keys() - {"services", "volumes", "networks"}:
        wrong("compose.yaml", f"has other keys: {list(whole)}")
    config = (ROOT / "src/server/config.h").read_text()
    settings = {f"PLYD_{section}_{name}".upper() for section, name in
                re.findall(r"\b[IT]\((\w+), (\w+),", config)}
    for name, service in whole["services"].items():
        if service.keys() - SERVICE_KEYS:
            wrong(name, f"has other keys: {list(service)}")
        if ("build" in service) == ("image" in service):
            wrong(name, "is built, or is an image")
        for network in service["networks"]:
            if network not in whole["networks"]:
                wrong(name, f"there is no network {network}")
        for volume in service["volumes"]:
            here = volume.split(":")[0]
            if here.startswith("."):
                if here != "./tls.pem" and not (DOCKER / here).exists():
                    wrong(name, f"there is no {here}")
            elif here not in whole["volumes"]:
                wrong(name, f"there is no volume {here}")
        for variable in service["environment"]:
            if variable.startswith("PLYD_") and variable not in settings:
                wrong(name, f"there is no setting {variable}")
    plyd, tls = whole["services"]["plyd"], whole["services"]["tls"]
    at = {n: s["networks"]["inside"]["ipv4_address"] for n, s in
          whole["services"].items()}
    if plyd["environment"].get("PLYD_LISTEN_PROXIES") != at["tls"]:
        wrong("plyd", "does not believe its proxy")
    if tls["environment"]["TLS_TO"] != at["plyd"] + ":7531":
        wrong("tls", "leads elsewhere than to plyd")
    if not (DOCKER / plyd["build"]["context"] /
            plyd["build"]["dockerfile"]).exists():
        wrong("plyd", "is built from nothing")
    return tls["environment"]


# -- haproxy --

def check_haproxy(environment):
    """haproxy itself reads its file, with what the composition gives it."""
    with tempfile.TemporaryDirectory() as folder:
        pem = pathlib.Path(folder) / "tls.pem"
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
             "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
             "/CN=test", "-keyout", pem.with_name("key"), "-out", pem],
            capture_output=True, text=True)
        if made.returncode:
            wrong("openssl", made.stderr)
            return
        with open(pem, "a") as file:
            file.write(pem.with_name("key").read_text())
        run = subprocess.run(
            ["haproxy", "-c", "-f", DOCKER / "haproxy.cfg"],
            env={**os.environ, **environment, "TLS_PEM": str(pem)},
            capture_output=True, text=True)
        if run.returncode or "WARNING" in run.stderr:
            wrong("haproxy.cfg", run.stdout + run.stderr)


# -- the unit --

def check_unit():
    """systemd knows every word of it; the program need not be installed."""
    text = (ROOT / "docs/dist/plyd.service").read_text()
    text = re.sub(r"(?<=ExecStart=)\S+", "/bin/true", text)
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "plyd.service"
        unit.write_text(re.sub(r"^Documentation=.*\n", "", text, flags=re.M))
        run = subprocess.run(["systemd-analyze", "verify", "--man=no", unit],
                             capture_output=True, text=True)
    if run.returncode or "plyd.service" in run.stderr:
        wrong("plyd.service", run.stdout + run.stderr)


def main():
    for tool in "shellcheck", "haproxy", "openssl", "systemd-analyze":
        if not shutil.which(tool):
            print(f"no {tool} here: scripts/dev/setup installs it")
            sys.exit(77)
    scripts = check_scripts()
    words = check_image()
    check_haproxy(check_composition())
    check_unit()
    print("\n".join(problems))
    print(f"shipped: {scripts} scripts, {words} instructions, "
          f"{len(problems)} problems")
    sys.exit(1 if problems else 0)


main()
