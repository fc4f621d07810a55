"""plyd over HTTP: what Prometheus reads, judged by a strict reader of its text
format; health; and floods, while others play.

  metrics.py BUILD SOURCE [TEST ...]"""
import asyncio
import http.client
import math
import pathlib
import re
import socket
import sys
import time

from console import Console
from plyd import Client, Refused, Server, until

# -- the text format, as Prometheus documents it --

METRIC = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r"[a-zA-Z_][a-zA-Z0-9_]*"
PAIR = re.compile(rf'({LABEL})="((?:[^"\\\n]|\\[\\"n])*)"')
SAMPLE = re.compile(rf"({METRIC})(?:\{{(.*)\}})? (\S+)")
OF_HISTOGRAM = "_bucket", "_sum", "_count"


class Malformed(Exception):
    """What is wrong with a line, or with a family of metrics."""


def labels_of(text):
    """The pairs between the braces; a comma after each but the last."""
    found, at = {}, 0
    while at < len(text):
        pair = PAIR.match(text, at)
        if not pair or pair[1] in found:
            raise Malformed(f"labels {text}")
        found[pair[1]] = pair[2]
        at = pair.end()
        if at < len(text):
            if text[at] != ",":
                raise Malformed(f"labels {text}")
            at += 1
    return found


def number_of(text):
    if not re.fullmatch(r"[+-]?(Inf|NaN|\d+(\.\d+)?([eE][+-]?\d+)?)", text):
        raise Malformed(f"value {text}")
    return float(text)


class Family:
    def __init__(self, name):
        self.name, self.type, self.samples = name, None, {}

    def takes(self, name):
        if self.type == "histogram":
            return name in [self.name + end for end in OF_HISTOGRAM]
        return name == self.name

    def check(self):
        if self.type is None or not self.samples:
            raise Malformed(f"{self.name}: no type, or no samples")
        for (_, labels), value in self.samples.items():
            if self.type == "counter" and not value >= 0:
                raise Malformed(f"{self.name}: {value}")
            if self.type != "histogram" and any(k == "le" for k, _ in labels):
                raise Malformed(f"{self.name}: le")
        if self.type == "counter" and not self.name.endswith("_total"):
            raise Malformed(f"{self.name}: a counter's name ends in _total")
        if self.type == "histogram":
            self.check_histogram()

    def check_histogram(self):
        series = {}
        for (name, labels), value in self.samples.items():
            rest = tuple(pair for pair in labels if pair[0] != "le")
            one = series.setdefault(rest, {"buckets": []})
            if name.endswith("_bucket"):
                one["buckets"].append((number_of(dict(labels)["le"]), value))
            else:
                one[name.removeprefix(self.name)] = value
        for one in series.values():
            ends = [end for end, _ in one["buckets"]]
            counts = [count for _, count in one["buckets"]]
            if ends != sorted(set(ends)) or counts != sorted(counts):
                raise Malformed(f"{self.name}: classes {one['buckets']}")
            if not ends or ends[-1] != math.inf or \
                    counts[-1] != one["_count"] or one["_sum"] < 0:
                raise Malformed(f"{self.name}: {one}")


def parse(text):
    """The families of a page, by name; Malformed if it is not strictly so."""
    families, family = {}, None
    if not text.endswith("\n"):
        raise Malformed("the last line has no end")
    for line in text.removesuffix("\n").split("\n"):
        comment = re.fullmatch(rf"# (HELP|TYPE) ({METRIC}) (.+)", line)
        if comment and comment[1] == "HELP":
            if comment[2] in families:
                raise Malformed(f"{comment[2]} comes twice")
            if family:
                family.check()
            family = families[comment[2]] = Family(comment[2])
        elif comment:
            if not family or family.name != comment[2] or family.type or \
                    comment[3] not in ("counter", "gauge", "histogram"):
                raise Malformed(line)
            family.type = comment[3]
        else:
            sample = SAMPLE.fullmatch(line)
            if not sample or not family or not family.takes(sample[1]):
                raise Malformed(line)
            labels = tuple(sorted(labels_of(sample[2] or "").items()))
            if (sample[1], labels) in family.samples:
                raise Malformed(f"twice: {line}")
            family.samples[sample[1], labels] = number_of(sample[3])
    family.check()
    return families


GOOD = ("# HELP a_total Words.\n# TYPE a_total counter\na_total{x=\"\\\"\"} 1\n")
WRONG = [
    GOOD.removesuffix("\n"), GOOD + GOOD, GOOD + "a_total{x=\"\\\"\"} 2\n",
    GOOD.replace("counter", "count"), GOOD.replace("a_total{", "b_total{"),
    GOOD.replace(" 1", " -1"), GOOD.replace(" 1", " one"),
    GOOD.replace(" 1", "  1"), GOOD.replace("\\\"\"", "\\x\""),
    GOOD.replace("_total", ""), GOOD + "\n", GOOD.replace("x=", "1x="),
    GOOD.replace("# TYPE", "# KIND"), GOOD.replace("{x=\"\\\"\"}", "{x=\"\" }"),
    "# HELP h W\n# TYPE h histogram\nh_bucket{le=\"1\"} 2\n"
    "h_bucket{le=\"+Inf\"} 1\nh_sum 1\nh_count 1\n",
    "# HELP h W\n# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1\n"
    "h_count 1\n",
]


def reader(_server, _build):
    """The reader itself finds what it is there to find."""
    parse(GOOD)
    for text in WRONG:
        try:
            parse(text)
        except Malformed:
            continue
        return f"it does not refuse {text!r}"
    return None


# -- asking --

def get(server, path, method="GET", within=120):
    connection = http.client.HTTPConnection("127.0.0.1", server.http_port,
                                            timeout=within)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), \
            answer.read().decode()
    finally:
        connection.close()


def metrics(server):
    """The value of each sample, as name or name{label="value",...}."""
    status, headers, text = get(server, "/metrics")
    if status != 200 or not headers["Content-Type"].startswith(
            "text/plain; version=0.0.4"):
        raise Malformed(f"{status} {headers}")
    values = {}
    for family in parse(text).values():
        for (name, labels), value in family.samples.items():
            inner = ",".join(f'{k}="{v}"' for k, v in labels)
            values[name + (f"{{{inner}}}" if inner else "")] = value
    return values


def declared(source):
    """The names and types of the table in the source."""
    text = (pathlib.Path(source) / "src/server/metrics.h").read_text()
    return dict(re.findall(r"^\tM\((\w+), (\w+),", text, re.M))


# -- tests --

def format_is_strict(server, _build):
    server.start()
    _, _, text = get(server, "/metrics")
    families = parse(text)
    wanted = declared(server.source)
    if {name: f.type for name, f in families.items()} != wanted or \
            len(wanted) < 30:
        return f"{set(families) ^ set(wanted)}"
    return None


async def play(server, ann, bob):
    lobby = await ann.call("lobby.create", ruleset="english", side="black",
                           ready=True)
    match = (await bob.call("lobby.join", lobby=lobby["lobby"],
                            ready=True))["match"]
    for player, ply, move in (ann, 0, "11-15"), (bob, 1, "22-18"):
        await player.call("match.move", match=match, ply=ply, move=move)
    return match


async def a_match(server):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    before = metrics(server)
    await ann.connect()
    await bob.connect()
    match = await play(server, ann, bob)
    ai = await ann.call("lobby.create", ruleset="english", side="white",
                        ready=True, personality="bold")
    try:
        await ann.call("match.move", match=match, ply=2, move="1-32")
        return "an illegal move was played"
    except Exception as error:  # noqa: BLE001
        if getattr(error, "name", "") != "illegal_move":
            raise
    answered = 'plyd_worker_seconds_count{kind="personality"}'
    moved = 'plyd_facts_total{fact="moved"}'
    await until(lambda: metrics(server)[moved] >= 3, step=0.1)
    now = metrics(server)
    wanted = {
        "plyd_connections": 2, "plyd_sessions": 2, "plyd_ready": 1,
        "plyd_store_writable": 1, "plyd_draining": 0,
        'plyd_matches{ruleset="english",state="playing"}': 2,
        'plyd_matches{ruleset="turkish",state="playing"}': 0,
        'plyd_errors_total{error="illegal_move"}': 1,
        'plyd_errors_total{error="rate_limited"}': 0,
    }
    for name, value in wanted.items():
        if now[name] != value:
            return f"{name} is {now[name]}, not {value}"
    if now[moved] - before[moved] != 3 or not now[answered]:
        return f"{now[moved]} half-moves instead of 3"
    if not now["plyd_commit_seconds_count"] > 5 or \
            not now["plyd_commit_seconds_sum"] > 0 or \
            not now["plyd_loop_lag_seconds_count"] > 0:
        return "no commits, or no heartbeat"
    for name in "plyd_store_bytes", "process_resident_memory_bytes":
        if now[name] < 4096:
            return f"{name} is {now[name]}"
    for name, value in before.items():
        if re.match(r"\w+(_total|_count|_bucket)\b", name) and \
                now[name] < value:
            return f"{name} went back"
    if not ai["match"]:
        return "no match with a personality"
    await ann.drop()
    await bob.drop()
    return None


def counts(server, _build):
    server.start()
    return asyncio.run(a_match(server))


def limits_are_counted(server, _build):
    """A limit that is hit shows by its name."""
    server.settings = {"limits_connections_per_address": 2,
                       "limits_requests_burst": 5,
                       "limits_requests_per_second": 1}
    server.start()

    async def hit():
        ann = Client(server.port, "Ann")
        await ann.connect()
        for _ in range(20):
            try:
                await ann.call("ping")
            except Exception:  # noqa: BLE001
                pass
        others = [await asyncio.open_connection("127.0.0.1", server.port)
                  for _ in range(5)]
        for read, _ in others[1:]:
            await read.read()
        for _, write in others:
            write.close()
        await ann.drop()
    asyncio.run(hit())
    now = metrics(server)
    for name, least in (('plyd_errors_total{error="rate_limited"}', 10),
                        ("plyd_connections_refused_total", 4)):
        if now[name] < least:
            return f"{name} is {now[name]}"
    return None


MOVING = ("plyd_uptime", "plyd_loop_lag", "process_", "plyd_http", "plyd_log",
          "plyd_requests_total", "plyd_store_bytes", "plyd_connections")


def for_operators(server, build):
    """`ply admin stats` has the numbers of the page, and no others."""
    server.start()

    async def play():
        ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
        await ann.connect()
        await bob.connect()
        lobby = await ann.call("lobby.create", ruleset="english", ready=True)
        await bob.call("lobby.join", lobby=lobby["lobby"], ready=True)
        try:
            await ann.call("lobby.join", lobby="aaaaaaaaaa")
        except Refused:
            pass
        await ann.drop()
        await bob.drop()
    asyncio.run(play())
    console = Console(server, build)
    asyncio.run(until(lambda: not metrics(server)["plyd_sessions"]))
    page = metrics(server)
    rows = console.json("stats")["stats"]
    told, lines = {}, console.run("stats").stdout
    for row in rows:
        labels = sorted(row.get("labels", "").split(",")) if \
            "labels" in row else []
        name = row["name"] + (f"{{{','.join(labels)}}}" if labels else "")
        told[name] = row["value"], row["since"]
        if row["name"] not in lines or row.get("labels", "-") not in lines:
            return f"{row} is not in {lines}"
    for name, value in page.items():
        if name.startswith(MOVING) or "_bucket" in name:
            continue
        if name not in told:
            if value or "_total{" not in name:
                return f"{name} is missing"
        elif float(told[name][0]) != value:
            return f"{name} is {told[name]}, not {value}"
    if told["plyd_commit_seconds_count"][1] != "start" or \
            told["plyd_lobbies"][1] != "now" or \
            told['plyd_errors_total{error="no_such_lobby"}'][0] != "1":
        return f"{told}"
    for share, of_100 in (("p50", 50), ("p99", 99)):
        ends = [(float(re.search('le="(.*?)"', name)[1]), value)
                for name, value in page.items()
                if name.startswith("plyd_commit_seconds_bucket")]
        count = page["plyd_commit_seconds_count"]
        least = min(end for end, n in ends if 100 * n >= of_100 * count)
        if float(told[f"plyd_commit_seconds_{share}"][0]) != least:
            return f"{share} is not {least}: {told}"
    return None


def without_http(server, build):
    server.start(PLYD_HTTP_HOST="none")
    rows = Console(server, build).json("stats")["stats"]
    return None if len(rows) > 40 else f"{rows}"


def health(server, build):
    server.start()
    if get(server, "/healthz")[::2] != (200, "alive\n"):
        return f"healthz: {get(server, '/healthz')}"
    if get(server, "/readyz")[::2] != (200, "ready\n"):
        return f"readyz: {get(server, '/readyz')}"
    console = Console(server, build)
    console.json("drain")
    if get(server, "/readyz")[::2] != (503, "draining\n"):
        return f"draining: {get(server, '/readyz')}"
    if metrics(server)["plyd_ready"] or not metrics(server)["plyd_draining"]:
        return "metrics say something else"
    console.json("undrain")
    if get(server, "/readyz")[0] != 200:
        return "not ready again"
    for path, method, status in (("/", "GET", 404), ("/metrics/", "GET", 404),
                                 ("/metrics", "HEAD", 200),
                                 ("/metrics", "POST", 405),
                                 ("/metrics", "DELETE", 405)):
        if get(server, path, method)[0] != status:
            return f"{method} {path}: {get(server, path, method)}"
    return None


def off(server, _build):
    server.settings = {"http_host": "none"}
    if "metrics" in server.start():
        return "it is on"
    return None


def port_taken(server, _build):
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        try:
            server.start(PLYD_HTTP_PORT=str(port))
        except RuntimeError as error:
            return None if f"port {port}" in str(error) and \
                "in use" in str(error) else str(error)
    return "it started"


class Flood:
    """HTTP clients that ask as often as they can, in every bad manner."""

    REQUEST = b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"

    def __init__(self, port):
        self.port, self.asked, self.tasks, self.over = port, 0, [], False

    async def asker(self):
        while not self.over:
            try:
                read, write = await asyncio.open_connection(
                    "127.0.0.1", self.port)
                data = b"-"
                while data and not self.over:
                    write.write(self.REQUEST * 8)
                    self.asked += 8
                    data = await asyncio.wait_for(read.read(4096), 2)
                write.transport.abort()
            except (OSError, asyncio.TimeoutError):
                pass
            await asyncio.sleep(0.002)

    async def holder(self, first):
        """Connections that ask for nothing, or never to the end."""
        while not self.over:
            try:
                read, write = await asyncio.open_connection(
                    "127.0.0.1", self.port)
                write.write(first)
                await asyncio.wait_for(read.read(65536), 1)
                write.transport.abort()
            except (OSError, asyncio.TimeoutError):
                await asyncio.sleep(0.01)

    async def __aenter__(self):
        for first in (b"", b"GET /met", b"GET / HTTP/1.1\r\n" +
                      b"A: b\r\n" * 10000, b"\0\xff" * 1000,
                      b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n"):
            self.tasks += [asyncio.create_task(self.holder(first))
                           for _ in range(3)]
        self.tasks += [asyncio.create_task(self.asker()) for _ in range(40)]
        return self

    async def __aexit__(self, *_):
        self.over = True  # cancelling might be lost in wait_for()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def pings(client, seconds):
    """How long each answer takes, while time lasts."""
    took, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.monotonic()
        await client.call("rules.list")
        took.append(time.monotonic() - began)
        await asyncio.sleep(0.01)
    return sorted(took)


async def flooded(server):
    player = Client(server.port, "Ann")
    await player.connect()
    calm = await pings(player, 0.5)
    cpu = server.cpu_seconds()
    async with Flood(server.http_port) as flood:
        await asyncio.sleep(0.3)
        busy = await pings(player, 2)
        spent = server.cpu_seconds() - cpu
    print(f"       {flood.asked} HTTP requests, plyd's time {spent:.2f} s; "
          f"a player waits {1000 * calm[len(calm) // 2]:.1f} ms, flooded "
          f"{1000 * busy[len(busy) // 2]:.1f} ms, at most "
          f"{1000 * busy[-1]:.0f} ms")
    if flood.asked < 100 or len(busy) < 3:
        return f"{flood.asked} asked, {len(busy)} answered"
    await player.drop()
    # the limit held, and it is still there for others
    await until(lambda: answers(server), seconds=8, step=0.5)
    now = metrics(server)
    most = 20 * (now["plyd_uptime_seconds"] + 2)
    given = now["plyd_http_requests_total"] - now["plyd_http_limited_total"]
    if given > most or now["plyd_http_limited_total"] < 10:
        return f"{given} answers of at most {most}"
    if server.status("VmRSS") > 200 * 1024:
        return f"{server.status('VmRSS')} KiB"
    return None


def answers(server):
    try:
        return get(server, "/healthz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def flood(server, _build):
    server.start()
    wrong = asyncio.run(flooded(server))
    if wrong:
        return wrong
    status = server.end()
    return f"status {status}" if status else None


def ends_with_connections_open(server, _build):
    server.start()
    held = [socket.create_connection(("127.0.0.1", server.http_port))
            for _ in range(5)]
    held[0].sendall(b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\nGET /met")
    status = server.end()
    for one in held:
        one.close()
    return f"status {status}: {server.text()}" if status else None


async def against_bold(client):
    return await client.call("lobby.create", ruleset="english", side="black",
                             ready=True, personality="bold")


async def begun(client, lobby):
    """The match of a lobby that waited; the places that it had."""
    places = []
    while True:
        name, params = await client.note()
        if name == "lobby.changed" and params["lobby"] == lobby:
            places.append(params.get("place"))
            if params.get("match"):
                return params["match"], places


async def wait_in_line(server):
    players = [Client(server.port, name) for name in ("Ann", "Bob", "Cid",
                                                      "Dan")]
    for player in players:
        await player.connect()
    ann, bob, cid, dan = players
    first = (await against_bold(ann))["match"]
    bobs, cids = await against_bold(bob), await against_bold(cid)
    if (bobs["place"], cids["place"]) != (1, 2) or "match" in bobs:
        return f"{bobs} {cids}"
    try:
        await against_bold(dan)
        return "one more than may wait"
    except Refused as error:
        if error.name != "ai_full":
            raise
    if metrics(server)["plyd_ai_matches"] != 1:
        return "not one match"
    await ann.call("match.resign", match=first)
    match, places = await begun(bob, bobs["lobby"])
    await bob.call("match.resign", match=match)
    _, of_cid = await begun(cid, cids["lobby"])
    # looked at now and then, so that a place may be passed over
    if places.pop() is not None or of_cid.pop() is not None or \
            not {*places} <= {1} or not {*of_cid} <= {1, 2}:
        return f"places {places} {of_cid}"
    now = metrics(server)
    if now["plyd_ai_matches"] != 1 or \
            now['plyd_errors_total{error="ai_full"}'] != 1:
        return f"{now['plyd_ai_matches']} matches"
    for player in players:
        await player.drop()
    return None


def personalities_are_waited_for(server, _build):
    """More matches with personalities than may run: a place in the queue."""
    server.settings = {"limits_ai_matches": 1, "limits_ai_waiting": 2}
    server.start()
    return asyncio.run(wait_in_line(server))


async def answer_at_once(client, turns, over):
    """Plays all its matches, as soon as it may; counts the other's moves."""
    while not over():
        try:
            name, params = await client.note(0.5)
        except asyncio.TimeoutError:
            continue
        if name != "match.event" or params.get("event") != "moved":
            continue
        if params["side"] == "white" and params["match"] in turns:
            turns[params["match"]] += 1
            await move_any(client, params["match"])


async def move_any(client, match):
    shown = await client.call("match.get", match=match)
    if shown["state"] == "playing" and shown["turn"] == "black":
        moves = await client.call("rules.moves", ruleset="english",
                                  position=shown["position"])
        await client.call("match.move", match=match, ply=shown["ply"],
                          move=moves["moves"][0]["move"])


async def take_turns(server):
    ann, bob = Client(server.port, "Ann"), Client(server.port, "Bob")
    turns = {ann: {}, bob: {}}
    for player, count in (ann, 8), (bob, 1):
        await player.connect()
        for _ in range(count):
            match = (await against_bold(player))["match"]
            turns[player][match] = 0
    for player, own in turns.items():
        for match in own:
            await move_any(player, match)

    def most():
        return max(turns[ann].values())

    def bobs():
        return sum(turns[bob].values())

    await asyncio.gather(*(
        answer_at_once(player, turns[player],
                       lambda: bobs() >= 4 or most() >= 12)
        for player in turns))
    for player in turns:
        await player.drop()
    return f"{bobs()} turns for Bob, {turns[ann]}" if bobs() < 4 else None


def search_is_fair(server, _build):
    """One worker: who plays eight matches keeps nobody waiting for longer than
    a turn of each."""
    server.settings = {"workers_count": 1}
    server.start()
    return asyncio.run(take_turns(server))


TESTS = [reader, format_is_strict, counts, limits_are_counted, for_operators,
         without_http, health, off,
         port_taken, personalities_are_waited_for, search_is_fair, flood, ends_with_connections_open]


def main():
    build, source, *only = sys.argv[1:]
    failures = []
    for test in TESTS:
        if only and test.__name__ not in only:
            continue
        with Server(build, source) as server:
            began = time.monotonic()
            try:
                wrong = test(server, build)
            except (RuntimeError, Malformed, OSError, Refused,
                    TimeoutError) as error:
                wrong = f"{type(error).__name__}: {error}"
            print(f"{'FAILED' if wrong else 'ok':6} {test.__name__:28} "
                  f"{time.monotonic() - began:5.1f} s  {wrong or ''}",
                  flush=True)
            if wrong:
                failures.append(test.__name__)
                print(server.text()[-2000:])
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
