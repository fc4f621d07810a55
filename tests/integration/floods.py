"""Too many connections, slow readers and rude leavers against a real plyd,
while others play.

  floods.py BUILD SOURCE [ATTACK ...]

See hostile.py for what must hold."""
import asyncio
import sys
import time

from attack import HELLO, Arena, Raw, request
from plyd import MACHINE_S, PATIENCE_S, Client, Server

PER_ADDRESS, IN_ALL = 40, 150
QUEUE_BYTES = 65536
# Many kings: the answer to rules.moves is some kilobytes long.
KINGS = "W:WK28,K29,K30,K31,K32,K22,K23,K18:B1"


async def open_many(port, count, address):
    raws = []
    for _ in range(count):
        raw = Raw(port, address)
        try:
            await raw.open()
            raws.append(raw)
        except OSError:
            raw.close()
    return raws


async def refused_with(raws, name, wanted):
    """How many were told `closing` with that name: waits for as many as should
    be, and then a little for those that should not."""
    async def count():
        for raw in raws:
            await raw.read(0.002)
        return sum(raw.closing() == name for raw in raws)

    end = time.monotonic() + PATIENCE_S
    while await count() < wanted and time.monotonic() < end:
        pass
    await asyncio.sleep(0.5)
    return await count()


async def lets_in(arena):
    """Whether there is room again, soon after the crowd has gone."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        async with Raw(arena.server.port) as raw:
            await raw.send(HELLO)
            if await raw.lives():
                return True
        await asyncio.sleep(0.05)
    return False


async def too_many_of_one_address(arena):
    raws = await open_many(arena.server.port, PER_ADDRESS + 25, "127.0.0.1")
    refused = await refused_with(raws, "too_many_connections", 25)
    for raw in raws:
        raw.close()
    if refused != 25:
        return f"{refused} instead of 25 were refused"
    return None if await lets_in(arena) else "no room again afterwards"


async def too_many_in_all(arena):
    raws = []
    await asyncio.sleep(0.5)  # those of the last attack have gone
    for i in range(10):
        raws += await open_many(arena.server.port, PER_ADDRESS // 2,
                                f"127.0.1.{i + 1}")
    free = IN_ALL - 2  # the bystanders
    refused = await refused_with(raws, "server_full", len(raws) - free)
    for raw in raws:
        raw.close()
    if refused != len(raws) - free:
        return f"{refused} instead of {len(raws) - free} were refused"
    return None if await lets_in(arena) else "no room again afterwards"


async def until_few(arena):
    """How many players are there, with one who asks: once all have gone who
    should, or after a long wait."""
    end = time.monotonic() + PATIENCE_S
    players = None
    while players != 3 and time.monotonic() < end:
        async with Raw(arena.server.port) as raw:
            await raw.send(HELLO + request(2, "server.info"))
            info = await raw.until(lambda: raw.answer(2))
            if info and info[3]:  # too many guests came, perhaps
                players = info[3]["players"]
        await asyncio.sleep(0.2)
    return players


async def comers_and_goers(arena):
    """2,000 connections that come and go, most of them rudely."""
    for i in range(2000):
        raw = await Raw(arena.server.port).open()
        if i % 3:
            await raw.send(HELLO if i % 2 else HELLO[:7])
        raw.reset() if i % 4 else raw.close()
        if i % 20 == 0:
            await asyncio.sleep(0.01)
    players = await until_few(arena)
    return None if players == 3 else f"{players} players instead of 3"


async def half_closed(arena):
    """The end of the stream after the last request: it is answered."""
    for method, params in (("lobby.list", {}), ("ping", {}),
                           ("lobby.create", {"ruleset": "turkish"}),
                           ("record.get", {"match": "aaaaaaaaaa"})):
        async with Raw(arena.server.port) as raw:
            await raw.send(HELLO)
            await raw.until(lambda: raw.answer(1))
            await raw.send(request(2, method, **params))
            raw.end_of_stream()
            began = time.monotonic()
            await raw.to_end()
            if not raw.answer(2):
                return f"{method}: no answer to who closed his half"
            if raw.ended != "closed" or time.monotonic() - began > MACHINE_S:
                return f"{method}: {raw.ended} after all was said"
    return None


async def gone_with_answers_due(arena):
    """Peers that vanish while much is on its way to them."""
    for i in range(100):
        raw = await Raw(arena.server.port).open()
        await raw.send(HELLO + b"".join(
            request(n, "rules.moves", ruleset="english", position=KINGS)
            for n in range(2, 60)))
        if i % 2:
            await raw.read(0.01)
        raw.reset()
    return None


async def half_closed_and_slow(arena):
    """Half closed, with answers that he never reads, many times over."""
    raws = []
    for _ in range(30):
        raw = await Raw(arena.server.port, receive_bytes=2048).open()
        await raw.send(HELLO + b"".join(
            request(n, "rules.moves", ruleset="english", position=KINGS)
            for n in range(2, 150)))
        raw.end_of_stream()
        raws.append(raw)
    await asyncio.sleep(1)
    for raw in raws:
        raw.close()
    return None


async def deaf(raw):
    """Asks, and reads nothing, until the server reads no more either."""
    data = b"".join(request(n, "rules.moves", ruleset="english",
                            position="B:W32:B1") for n in range(10, 60))
    sends = True
    while sends:
        try:
            sends = await asyncio.wait_for(raw.send(data), 0.5)
        except asyncio.TimeoutError:
            return None
    return "closed"


async def busy_matches(one, two, count):
    """Matches of two players, to be watched."""
    matches = []
    for _ in range(count):
        lobby = await one.call("lobby.create", ruleset="english",
                               side="black", private=True, ready=True)
        await two.call("lobby.join", code=lobby["code"], ready=True)
        while len(matches) < count:
            method, params = await two.note()
            if method == "match.started":
                matches.append(params["match"])
                break
    return matches


async def play_and_resign(players, match):
    """Short, for whoever takes no byte for half a minute is given up."""
    for _ in range(10):
        for player in players:
            look = await player.call("match.get", match=match)
            if look["turn"] == look["you"]:
                await player.call("match.move", match=match, ply=look["ply"],
                                  move=look["legal_moves"][0])
    await players[0].call("match.resign", match=match)


async def slow_spectator(arena):
    """Watches busy matches and reads nothing: when he reads again he goes on
    with a snapshot of each, and sees how it ended."""
    raw = await Raw(arena.server.port, receive_bytes=2048).open(hello=True)
    players = [Client(arena.server.port, address="127.0.2.1")
               for _ in range(2)]
    for player in players:
        await player.connect()
    matches = await busy_matches(*players, 5)
    for i, match in enumerate(matches):
        await raw.send(request(1000 + i, "match.watch", match=match))
        await raw.until(lambda: raw.answer(1000 + i))
    if await deaf(raw):
        return "closed though its requests could have waited"
    for match in matches:
        await play_and_resign(players, match)
    for player in players:
        await player.drop()

    def shows_end(message, match):
        if message[0] != 2 or message[2][0].get("match") != match:
            return False
        params = message[2][0]
        return (message[1] == "match.snapshot" and params["result"] or
                message[1] == "match.event" and params["event"] == "ended")

    def all_ended():
        return all(any(shows_end(m, match) for m in raw.messages)
                   for match in matches)
    if not await raw.until(all_ended):
        return f"did not see all ends ({raw.ended})"
    if not any(m[1] == "match.snapshot" for m in raw.messages if m[0] == 2):
        return "no snapshot came"
    raw.close()
    return None


async def pipeline(arena):
    """200 large questions in one go from one who does not read yet: all are
    answered, and nobody is cut."""
    raw = await Raw(arena.server.port, receive_bytes=2048).open(hello=True)
    await raw.send(b"".join(
        request(n, "rules.moves", ruleset="english", position=KINGS)
        for n in range(100, 290)))
    await asyncio.sleep(0.5)
    if not await raw.until(lambda: all(raw.answer(n)
                                       for n in range(100, 290))):
        return f"not all were answered ({raw.ended})"
    raw.close()
    return None


async def slow_player(arena):
    """A player who stops reading in the middle of his match loses only his
    connection: he resumes and his match is there."""
    raw = await Raw(arena.server.port, receive_bytes=2048).open(hello=True)
    token = raw.answer(1)[3]["token"]
    await raw.send(request(2, "lobby.create", ruleset="english", side="black",
                           personality="steady", ready=True))
    await raw.until(lambda: any(m[1] == "match.started"
                                for m in raw.messages if m[0] == 2))
    if await deaf(raw):
        return "closed though its requests could have waited"
    again = Client(arena.server.port)
    again.token = token
    welcome = await again.connect()  # at once, the old one still there
    if len(welcome["matches"]) != 1:
        return f"matches {welcome['matches']}"
    look = await again.call("match.watch", match=welcome["matches"][0])
    await again.call("match.move", match=look["match"], ply=look["ply"],
                     move=look["legal_moves"][0])
    await again.call("match.resign", match=look["match"])
    await again.drop()
    await raw.to_end()
    raw.close()
    return None


ATTACKS = [too_many_of_one_address, too_many_in_all, comers_and_goers,
           half_closed, gone_with_answers_due, half_closed_and_slow,
           slow_player, slow_spectator, pipeline]


async def without_descriptors(arena):
    """200 come where there is room for some 20: others play on, the server
    sleeps, and lets people in again when the crowd has gone."""
    raws = await open_many(arena.server.port, 200, "127.0.0.1")
    cpu = arena.server.cpu_seconds()
    arena.others.judge()
    await asyncio.sleep(2)
    spent = arena.server.cpu_seconds() - cpu
    for raw in raws[:100]:
        raw.close()
    for raw in raws[100:]:
        raw.reset()
    if not await lets_in(arena):
        return "nobody gets in afterwards"
    lines = arena.server.text().count("descriptor")
    if spent > 1.0:
        return f"{spent:.1f} of 2 s spent on the crowd"
    if not 1 <= lines <= 4:
        return f"{lines} lines in the log about it"
    return None


def judge(server, arena, attacks):
    server.start()
    failures = asyncio.run(arena.run(attacks))
    if server.process.poll() is None and server.end() != 0:
        failures.append("plyd did not end well")
    if failures:
        print(server.text()[-3000:])
    return failures


def main():
    build, source, *only = sys.argv[1:]
    attacks = [a for a in ATTACKS if not only or a.__name__ in only]
    failures = []
    if attacks:
        with Server(build, source, limits_requests_burst=4000,
                    limits_requests_per_second=1000,
                    limits_connections=IN_ALL,
                    limits_connections_per_address=PER_ADDRESS,
                    limits_write_queue_bytes=QUEUE_BYTES,
                    limits_hello_ms=5000) as server:
            failures += judge(server, Arena(server, build), attacks)
    if not only or without_descriptors.__name__ in only:
        with Server(build, source, limits_requests_burst=4000,
                    limits_connections_per_address=1000) as server:
            server.wrapper = ["prlimit", "--nofile=64"]
            failures += judge(server, Arena(server, build),
                              [without_descriptors])
    if failures:
        sys.exit(f"failed: {', '.join(failures)}")


main()
