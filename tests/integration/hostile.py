"""Hostile bytes against a real plyd, while others play.

  hostile.py BUILD SOURCE [ATTACK ...]

Whatever is sent, the server stands, its memory stays bounded (attack.py says
how much), the others' match goes on with its usual latency, and who is refused
is told why by the name that docs/protocol.md promises."""
import asyncio
import random
import sys
import time

import msgpack

from attack import HELLO, Arena, Raw, request
from plyd import Server

SEED = 1
HELLO_MS, MESSAGE_MS = 1500, 1200


async def closes(arena, data, hello=True):
    """Sends bytes; the name with which the server closes, or how else."""
    raw = await Raw(arena.server.port).open(hello)
    try:
        await raw.send(data)
        return await raw.to_end() or raw.ended or "open"
    finally:
        raw.close()


async def each_closes(arena, table, hello=True):
    for what, data, want in table:
        got = await closes(arena, data, hello)
        if got != want:
            return f"{what}: {got} instead of {want}"
    return None


def deep(depth):
    return b"\x91" * depth + b"\xc0"


async def headers_that_promise(arena):
    """Headers of containers and strings that no memory could hold."""
    table = [
        ("8 GiB array", b"\xdd\x10\x00\x00\x00", "message_too_large"),
        ("96 GiB array", b"\xdd\xff\x00\x00\x00", "message_too_large"),
        ("2^32-1 items", b"\xdd\xff\xff\xff\xff", "message_too_large"),
        ("map", b"\xdf\x10\x00\x00\x00", "message_too_large"),
        ("2^32-1 entries", b"\xdf\xff\xff\xff\xff", "message_too_large"),
        ("arrays in arrays", b"\xdc\xff\xff" * 24000, "message_too_large"),
        ("small arrays", b"\x94\xdc\x02\x00" * 8, "message_too_large"),
        ("str", b"\xdb\xff\xff\xff\xff", "message_too_large"),
        ("bin", b"\xc6\xff\xff\xff\xff", "message_too_large"),
        ("ext", b"\xc9\xff\xff\xff\xfe\x01", "message_too_large"),
        ("ext that wraps", b"\xc9\xff\xff\xff\xff\x01", "bad_message"),
        ("in a request", b"\x94\x00\x05\xa4ping\xdd\x10\x00\x00\x00",
         "message_too_large"),
    ]
    return (await each_closes(arena, table) or
            await each_closes(arena, table, hello=False))


async def not_messages(arena):
    """What is no request at all."""
    return await each_closes(arena, [
        ("c1", b"\xc1", "bad_message"),
        ("10,000 deep", deep(10000), "too_deep"),
        ("33 deep", deep(33), "too_deep"),
        ("32 deep", deep(32), "too_deep"),
        ("http", b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", "bad_message"),
        ("tls", bytes.fromhex("16030100f1010000ed0303"), "bad_message"),
        ("ssh", b"SSH-2.0-OpenSSH_9.2\r\n", "bad_message"),
        ("websocket frame", bytes.fromhex("817f8000000000000000"),
         "bad_message"),
        ("a number", b"\x05", "bad_message"),
        ("nil", b"\xc0", "bad_message"),
        ("an empty array", b"\x90", "bad_message"),
        ("a map", b"\x81\xa1a\x01", "bad_message"),
        ("half a notification", msgpack.packb([2, "match.event"]),
         "bad_message"),
        ("a notification of a map", msgpack.packb([2, "match.event", {}]),
         "bad_message"),
        ("response", msgpack.packb([1, 1, None, {}]), "bad_message"),
        ("type 3", msgpack.packb([3, 1, "ping", [{}]]), "bad_message"),
        ("id as text", msgpack.packb([0, "1", "ping", [{}]]), "bad_message"),
        ("negative id", msgpack.packb([0, -1, "ping", [{}]]), "bad_message"),
        ("id 2^32", msgpack.packb([0, 2**32, "ping", [{}]]), "bad_message"),
        ("id 2^64-1", msgpack.packb([0, 2**64 - 1, "ping", [{}]]),
         "bad_message"),
        ("nil id", msgpack.packb([0, None, "ping", [{}]]), "bad_message"),
        ("float id", msgpack.packb([0, 1.0, "ping", [{}]]),
         "type_not_allowed"),
    ])


async def notifications(arena):
    """They ask for nothing, and nothing is what they get."""
    raw = await Raw(arena.server.port).open(True)
    try:
        await raw.send(
            msgpack.packb([2, "nvim_error_event", [0, "what?"]]) * 3
            + request(7, "ping"))
        await raw.until(lambda: raw.answer(7))
        return None if raw.answer(7)[2:] == [None, {}] else raw.messages
    finally:
        raw.close()


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def refused_requests():
    """(what, bytes of request 5, name of its error)"""
    def with_id(method, params):
        return msgpack.packb([0, 5, method, params])

    def raw_key(value):
        return (b"\x94\x00\x05\xaamatch.move\x91\x83\xa5match\xaaabcdefghij"
                b"\xa4move\xa3a-b\xa3ply" + value)
    ping = b"\x94\x00\x05\xa4ping"
    return [
        ("two keys alike", ping + b"\x91\x82\xa1a\x01\xa1a\x02",
         "duplicate_key"),
        ("two keys alike deep down", ping + b"\x91\x81\xa1a\x82\xa1b\x01"
         b"\xa1b\x01", "duplicate_key"),
        ("bad UTF-8", ping + b"\x91\x81\xa1a\xa2\xe2\x80", "bad_utf8"),
        ("bad UTF-8 key", ping + b"\x91\x81\xa2\xe2\x80\x01", "bad_utf8"),
        ("overlong UTF-8", ping + b"\x91\x81\xa1a\xa2\xc0\x80", "bad_utf8"),
        ("float", ping + b"\x91\x81\xa1a\xca\x40\x40\x00\x00",
         "type_not_allowed"),
        ("bin", ping + b"\x91\x81\xa1a\xc4\x01x", "type_not_allowed"),
        ("ext", ping + b"\x91\x81\xa1a\xd4\x01x", "type_not_allowed"),
        ("timestamp", ping + b"\x91\x81\xa1a\xd6\xff\x00\x00\x00\x00",
         "type_not_allowed"),
        ("number as key", ping + b"\x91\x81\x01\x01", "bad_message"),
        ("9 deep", with_id("ping", [{"a": nested(6)}]), "too_deep"),
        ("32 deep", with_id("ping", [{"a": nested(29)}]), "too_deep"),
        ("a map of 300", with_id("ping", [dict.fromkeys(
            (str(i) for i in range(300)), 1)]), "message_too_large"),
        ("unknown key", with_id("ping", [{"a": 1}]), "unknown_key"),
        ("no such method", with_id("pong", [{}]), "unknown_method"),
        ("NUL in the method", with_id("ping\0", [{}]), "unknown_method"),
        ("method in kilobytes", with_id("p" * 60000, [{}]),
         "unknown_method"),
        ("nil parameters", with_id("ping", None), "bad_message"),
        ("bare map", with_id("ping", {}), "bad_message"),
        ("two maps", with_id("ping", [{}, {}]), "bad_message"),
        ("missing key", with_id("match.get", [{}]), "missing_key"),
        ("number as id", with_id("match.get", [{"match": 7}]), "bad_type"),
        ("nil as id", with_id("match.get", [{"match": None}]), "bad_type"),
        ("short id", with_id("match.get", [{"match": "abc"}]), "bad_value"),
        ("ply 2^64-1", raw_key(b"\xcf" + b"\xff" * 8), "out_of_range"),
        ("ply -2^63", raw_key(b"\xd3\x80" + b"\0" * 7), "out_of_range"),
        ("ply 3.0", raw_key(b"\xca\x40\x40\0\0"), "type_not_allowed"),
        ("ply NaN", raw_key(b"\xcb\x7f\xf8" + b"\0" * 6),
         "type_not_allowed"),
        ("ply 5 in 4 bytes", raw_key(b"\xce\0\0\0\x05"), "no_such_match"),
        ("ply 5 in d0", raw_key(b"\xd0\x05"), "no_such_match"),
        ("ply 5", raw_key(b"\x05"), "no_such_match"),
        ("move of a megabyte's kind", with_id("match.move", [{
            "match": "abcdefghij", "ply": 0, "move": "1" * 60000}]),
         "out_of_range"),
        ("hello again", with_id("hello", [{"protocol": 1}]), "hello_again"),
    ]


async def refused_one_by_one(arena):
    """Each is refused by name, and its connection lives on."""
    async with Raw(arena.server.port) as raw:
        await raw.send(HELLO)
        for what, data, want in refused_requests():
            raw.messages.clear()
            await raw.send(data)
            await raw.until(lambda: raw.answer(5))
            if not raw.answer(5):
                return f"{what}: no answer, {raw.messages} {raw.ended}"
            if raw.error(5) != want:
                return f"{what}: {raw.error(5)} instead of {want}"
            if not await raw.lives():
                return f"{what}: the connection died"
    return None


async def before_hello(arena):
    names = [("", "out_of_range"), ("x", "out_of_range"),
             ("\u200b\u200b\u200b", "bad_name"), ("\u00a0\u00a0", "bad_name"),
             ("bob\u200b", "bad_name"), ("bob\u202e", "bad_name"),
             ("bob\0x", "bad_name"), ("admin\0xyz", "bad_name"),
             ("bob\n", "bad_name"), ("x" * 300, "out_of_range"),
             ("a  b", "bad_name"), (" ab", "bad_name"), ("\U0001f600ab",
                                                         "bad_name")]
    async with Raw(arena.server.port) as raw:
        for i, (name, want) in enumerate(names):
            await raw.send(request(100 + i, "hello", protocol=1, name=name))
            await raw.until(lambda: raw.answer(100 + i))
            got = raw.answer(100 + i) and raw.error(100 + i)
            if got not in (want, "bad_value"):
                return f"name {name!r}: {got}"
        for msgid, data, want in (
                (5, request(5, "match.list"), "hello_first"),
                (6, request(6, "ping"), "hello_first"),
                (7, request(7, "hello", protocol=2), "unsupported_protocol"),
                (8, request(8, "hello", protocol=1, token="ab" * 32),
                 "bad_token")):
            await raw.send(data)
            await raw.until(lambda: raw.answer(msgid))
            if raw.error(msgid) != want:
                return f"{raw.error(msgid)} instead of {want}"
    return None


async def wrong_tokens(arena):
    """A hundred wrong tokens: refused, then closed; the owner resumes."""
    tokens = [f"{i:064x}" for i in range(100)]
    closed = 0
    for first in range(0, 100, 25):
        async with Raw(arena.server.port) as raw:
            for i, token in enumerate(tokens[first:first + 25]):
                await raw.send(request(i, "hello", protocol=1, token=token))
            closed += await raw.to_end(3) == "bad_token"
            if any(m[2] is None for m in raw.messages if m[0] == 1):
                return "a wrong token was taken"
    await arena.others.players[0].call("ping")
    return None if closed == 4 else f"{closed} of 4 were closed"


async def noise(arena):
    """Random bytes, and good requests with random faults."""
    rng = random.Random(SEED)
    good = HELLO + request(2, "lobby.list") + request(
        3, "lobby.create", ruleset="english", key="x") + request(
        4, "rules.moves", ruleset="turkish")
    for i in range(200):
        raw = await Raw(arena.server.port).open()
        if i % 2:
            data = rng.randbytes(rng.randrange(1, 6000))
        else:
            data = bytearray(good)
            for _ in range(rng.randrange(1, 8)):
                data[rng.randrange(len(data))] = rng.randrange(256)
        await raw.send(bytes(data))
        if rng.random() < 0.3:
            raw.end_of_stream()
        await raw.read(0.02)
        raw.reset() if rng.random() < 0.5 else raw.close()
    return None


async def one_byte_at_a_time(arena):
    """A whole conversation, a byte a packet, then pieces that straddle."""
    async with Raw(arena.server.port) as raw:
        data = HELLO + request(2, "rules.list") + request(
            3, "rules.check", ruleset="english", move="11-15")
        for i in range(len(data)):
            await raw.send(data[i:i + 1])
            await asyncio.sleep(0)
        late = request(4, "ping") + request(5, "lobby.list")
        await raw.send(late + request(6, "ping")[:5])
        await asyncio.sleep(0.05)
        await raw.send(request(6, "ping")[5:])
        await raw.until(lambda: raw.answer(6) and raw.answer(5))
        for msgid in range(1, 7):
            if not raw.answer(msgid) or raw.error(msgid):
                return f"request {msgid}: {raw.answer(msgid)}"
        ids = [m[1] for m in raw.messages]
        return None if sorted(ids) == [1, 2, 3, 4, 5, 6] else f"ids {ids}"


async def timed_close(arena, send, limit_ms):
    """Whether it was closed as idle within [limit, limit + 1.5 s]."""
    async with Raw(arena.server.port) as raw:
        began = time.monotonic()
        task = asyncio.create_task(send(raw))
        name = await raw.to_end(limit_ms / 1000 + 5)
        took = (time.monotonic() - began) * 1000
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        if name != "idle":
            return f"{name} ({raw.ended}) instead of idle"
        if not limit_ms - 50 <= took <= limit_ms + 1500:
            return f"closed after {took:.0f} ms instead of {limit_ms}"
        return None


async def half_a_message(arena):
    """Half a message, then silence."""
    async def silent(raw):
        await raw.send(HELLO + request(2, "lobby.list")[:9])

    async def dripping(raw):
        await raw.send(HELLO + b"\x94\x00\x05\xda\x10\x00")
        while await raw.send(b"x"):  # each byte is no new beginning
            await asyncio.sleep(0.1)
    return (await timed_close(arena, silent, MESSAGE_MS) or
            await timed_close(arena, dripping, MESSAGE_MS))


async def no_hello(arena):
    """Nothing, or a byte now and then, instead of hello (AU-07)."""
    async def silent(_):
        await asyncio.sleep(60)

    async def dripping(raw):
        for byte in HELLO:
            await raw.send(bytes([byte]))
            await asyncio.sleep(0.2)

    async def refused(raw):  # refusals do not count as hello
        for i in range(60):
            await raw.send(request(i, "ping"))
            await asyncio.sleep(0.1)
    wrong = await asyncio.gather(
        timed_close(arena, silent, HELLO_MS),
        timed_close(arena, dripping, min(HELLO_MS, MESSAGE_MS)),
        timed_close(arena, refused, HELLO_MS))
    return next((w for w in wrong if w), None)


async def pour(arena, data, total, hello=True):
    """Sends data again and again until `total` bytes or the end."""
    raw = await Raw(arena.server.port).open(hello)
    sent = 0
    reading = asyncio.create_task(raw.to_end(60))
    while sent < total and await raw.send(data):
        sent += len(data)
    name = await asyncio.wait_for(reading, 20)
    raw.close()
    return name, sent


async def endless_messages(arena):
    """64 MiB of one message that never ends, at full speed (LB-30)."""
    mib = 1 << 20
    long_text = b"\xdb\x00\x00\xff\xf0" + b"a" * 0xfff0
    for what, head, data in (
            ("text", b"\x94" + long_text, b"a" * mib),
            ("array of texts", b"\x94\x00\x05", (b"\xd9\xff" + b"a" * 255) *
             4096),
            ("nils", b"\xdc\x03\xe8", b"\xc0" * mib)):
        name, sent = await pour(arena, head + data, 64 * mib)
        if name not in ("message_too_large", "bad_message"):
            return f"{what}: {name} after {sent} bytes"
    return None


async def requests_at_full_speed(arena):
    """16 MiB of requests from one who reads his answers: refused by rate."""
    raw = await Raw(arena.server.port).open(True)
    raw.messages.clear()
    data = b"".join(request(i, "ping") for i in range(1000, 3000))
    total = 16 * (1 << 20) // len(data)

    async def read():
        seen = {}
        while await raw.read(3):
            for message in raw.messages:
                name = message[2] and message[2][1]
                seen[name] = seen.get(name, 0) + 1
            raw.messages.clear()
        return seen
    reading = asyncio.create_task(read())
    for _ in range(total):
        await raw.send(data)
    seen = await reading
    raw.close()
    if sum(seen.values()) != total * 2000:
        return f"{sum(seen.values())} answers to {total * 2000} requests"
    if set(seen) != {None, "rate_limited"}:
        return f"answers {seen}"
    return None


async def rate_limit(arena):
    """Over the rate: retry_after_ms, which is true."""
    raw = await Raw(arena.server.port).open(True)
    count = 5000
    await raw.send(b"".join(request(1000 + i, "ping") for i in range(count)))
    await raw.until(lambda: len(raw.messages) >= count + 1)
    ids = sorted(m[1] for m in raw.messages[1:])
    if ids != list(range(1000, 1000 + count)):
        return f"{len(ids)} answers to {count} requests"
    refused = [m for m in raw.messages if m[2]]
    if not refused or any(m[2][1] != "rate_limited" for m in refused):
        return f"{len(refused)} were refused: {refused[:1]}"
    retry_ms = refused[-1][2][3]["retry_after_ms"]
    if not 0 < retry_ms <= 1000:
        return f"retry_after_ms {retry_ms}"
    await asyncio.sleep(retry_ms / 1000 + 0.01)
    raw.messages.clear()
    await raw.send(request(5, "ping"))
    await raw.until(lambda: raw.answer(5))
    wrong = raw.error(5)
    raw.close()
    return f"after retry_after_ms: {wrong}" if wrong else None


async def many_in_one_packet(arena):
    """Hello and what follows in one segment, answered in order."""
    async with Raw(arena.server.port) as raw:
        await raw.send(HELLO + request(2, "lobby.create", ruleset="english",
                                       key="a") +
                       request(3, "lobby.list") + request(4, "ping") +
                       request(5, "lobby.create", ruleset="english", key="a"))
        await raw.until(lambda: raw.answer(5))
        ordered = [m[1] for m in raw.messages if m[0] == 1 and m[1] != 4]
        if ordered != [1, 2, 3, 5]:
            return f"order {ordered}"
        first, again = raw.answer(2)[3], raw.answer(5)[3]
        if first["lobby"] != again["lobby"]:
            return "the key made a second lobby"
        return None


ATTACKS = [headers_that_promise, not_messages, notifications,
           refused_one_by_one,
           before_hello, wrong_tokens, noise, one_byte_at_a_time,
           half_a_message, no_hello, endless_messages, rate_limit,
           requests_at_full_speed, many_in_one_packet]


def main():
    build, source, *only = sys.argv[1:]
    with Server(build, source, limits_hello_ms=HELLO_MS,
                limits_message_ms=MESSAGE_MS, limits_requests_burst=600,
                limits_requests_per_second=300) as server:
        server.start()
        arena = Arena(server, build)
        failures = asyncio.run(arena.run(
            [a for a in ATTACKS if not only or a.__name__ in only]))
        if server.process.poll() is None and server.end() != 0:
            failures.append("plyd did not end well")
        if failures:
            print(server.text()[-3000:])
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
