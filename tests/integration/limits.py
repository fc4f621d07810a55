"""The limits that one player, or all together, may meet, on a real server with
small ones: what is over a limit is refused by name, and below it all goes on.
Which test meets which limit says tests/checks/limits.py, which also holds that
list against what `hello` publishes.

  limits.py BUILD SOURCE [TEST ...]"""
import asyncio
import sys

import msgpack

from plyd import Client, Closed, Refused, Server

PASSWORD = "correct horse"


class Club:
    """Guests and members of one server."""

    def __init__(self, server):
        self.server = server
        self.clients = []

    async def guest(self, **hello):
        client = Client(self.server.port, bot=False, **hello)
        self.clients.append(client)
        await client.connect()
        client.id = client.welcome["player"]["id"]
        return client

    async def member(self, login):
        client = await self.guest()
        answer = await client.call("account.register", login=login,
                                   password=PASSWORD)
        client.token = answer["token"]
        return client

    async def match(self, one, two, **terms):
        """A match of these two; its id."""
        lobby = await one.call("lobby.create", ruleset="english", ready=True,
                               private=True, **terms)
        await two.call("lobby.join", code=lobby["code"], ready=True)
        while True:
            method, params = await two.note()
            if method == "match.started":
                return params["match"]

    async def close(self):
        for client in self.clients:
            await client.drop()


async def refused(call):
    """The name of the error, or None."""
    try:
        await call
    except Refused as error:
        return error.name
    return None


async def fills(call, most, name):
    """What is wrong, unless just `most` calls are good and the next is not."""
    for n in range(most + 1):
        got = await refused(call(n))
        want = name if n == most else None
        if got != want:
            return f"number {n + 1}: {got} instead of {want}"
    return None


async def lobbies_of_one_player(club):
    ann, bob = await club.guest(), await club.guest()

    def create(n):
        return ann.call("lobby.create", ruleset="english")
    wrong = await fills(create, 3, "too_many")
    lobby = await bob.call("lobby.create", ruleset="english")
    got = await refused(ann.call("lobby.join", lobby=lobby["lobby"]))
    return wrong or (got != "too_many" and f"joins a fourth: {got}")


async def lobbies_in_all(club):
    players = [await club.guest() for _ in range(4)]

    def create(n):
        return players[n // 3].call("lobby.create", ruleset="english")
    return await fills(create, 10, "server_full")


async def matches_of_one_player(club):
    ann, bob = await club.guest(), await club.guest()
    for _ in range(2):
        await club.match(ann, bob)
    lobby = await bob.call("lobby.create", ruleset="english", ready=True)
    await ann.call("lobby.join", lobby=lobby["lobby"])
    got = await refused(ann.call("lobby.ready", lobby=lobby["lobby"]))
    return got != "too_many" and f"a third: {got}"


async def matches_in_all(club):
    for _ in range(2):
        ann, bob = await club.guest(), await club.guest()
        for _ in range(2):
            await club.match(ann, bob)
    eve = await club.guest()
    lobby = await eve.call("lobby.create", ruleset="english",
                           personality="steady")
    got = await refused(eve.call("lobby.ready", lobby=lobby["lobby"]))
    return got != "server_full" and f"a fifth: {got}"


async def watches_of_one_player(club):
    ann, bob, eve = [await club.guest() for _ in range(3)]
    matches = [await club.match(ann, bob) for _ in range(2)]
    return await fills(lambda n: eve.call("match.watch", match=matches[n]), 1,
                       "too_many")


async def follows_of_one_player(club):
    whom = [await club.guest() for _ in range(3)]
    eve = await club.guest()
    return await fills(lambda n: eve.call("player.watch", player=whom[n].id),
                       2, "too_many")


async def seeks_of_one_player(club):
    ann = await club.guest()
    return await fills(lambda n: ann.call("seek.create", ruleset="english"),
                       2, "too_many")


async def challenges_of_one_player(club):
    ann, *others = [await club.guest() for _ in range(5)]
    wrong = await fills(lambda n: ann.call(
        "challenge.send", player=others[n].id, ruleset="english"), 2,
        "too_many")

    async def to_one(whom, players, ruleset="english"):
        return [await refused(p.call("challenge.send", player=whom.id,
                                     ruleset=ruleset)) for p in players]
    # a guest's makes room for the next one, a member's does not
    got = await to_one(others[0], others[1:4])
    if wrong or got != [None, None, None]:
        return wrong or f"of guests to one: {got}"
    members = [await club.member(name) for name in ("cy", "dee")]
    got = await to_one(ann, [*members, others[0]]) + \
        await to_one(ann, members, "turkish")
    return got != [None, None, "too_many", "too_many", "too_many"] and \
        f"of members to one: {got}"


async def accounts_in_all(club):
    names = ["ann", "bob", "cy"]
    guests = [await club.guest() for _ in names]
    return await fills(lambda n: guests[n].call(
        "account.register", login=names[n], password=PASSWORD), 2,
        "server_full")


async def deleted_accounts(club):
    async def delete(n):
        client = await club.member(f"gone{n}")
        await client.call("account.delete", password=PASSWORD)
    return await fills(delete, 1, "server_full")


async def sessions_of_one_account(club):
    await club.member("ann")

    async def login(_):
        client = Client(club.server.port)
        club.clients.append(client)
        client.way = {"login": "ann", "password": PASSWORD}
        await client.connect()
    return await fills(login, 7, "too_many")


async def invited_to_one_lobby(club):
    ann, *others = [await club.guest() for _ in range(18)]
    lobby = (await ann.call("lobby.create", ruleset="english"))["lobby"]
    return await fills(lambda n: ann.call("lobby.invite", lobby=lobby,
                                          player=others[n].id), 16,
                       "too_many")


async def thrown_out_of_one_lobby(club):
    ann = await club.guest()
    lobby = (await ann.call("lobby.create", ruleset="english"))["lobby"]

    async def throw_out(_):
        guest = await club.guest()
        await guest.call("lobby.join", lobby=lobby)
        await ann.call("lobby.kick", lobby=lobby, player=guest.id)
    return await fills(throw_out, 32, "too_many")


async def blocks_of_one_player(club):
    ann = await club.guest()

    async def block(_):
        eve = await club.guest()
        await eve.drop()
        await ann.call("block.add", player=eve.id)
    return await fills(block, 100, "too_many")


async def reports_of_one_player(club):
    ann, *others = [await club.guest() for _ in range(4)]
    return await fills(lambda n: ann.call(
        "report.send", player=others[n].id, reason="spam"), 2,
        "rate_limited")


async def reports_of_guests(club):
    """Anyone can be many guests; what they report leaves room for members."""
    ann = await club.member("ann")
    others = [await club.guest() for _ in range(10)]
    reasons = ["abuse", "spam", "cheating", "stalling", "name", "other"]
    pairs = [(by, about, why) for by in others for about in others
             for why in reasons if by is not about]

    def report(n):
        by, about, why = pairs[n]
        return by.call("report.send", player=about.id, reason=why)
    wrong = await fills(report, 500, "server_full")
    got = await refused(ann.call("report.send", player=others[0].id,
                                 reason="spam"))
    return wrong or (got and f"a member's report: {got}")


async def keys_remembered(club):
    """24 keys of a player are kept: the 25th takes the place of the first."""
    ann = await club.guest()

    async def create(n):
        lobby = await ann.call("lobby.create", ruleset="english", key=f"k{n}")
        await ann.call("lobby.leave", lobby=lobby["lobby"])
    await create(0)
    got = await refused(create(0))
    for n in range(1, 25):
        await create(n)
    again = await refused(create(24)), await refused(create(0))
    if (got, *again) != ("no_such_lobby", "no_such_lobby", None):
        return f"{got}, then {again}"
    return None


async def lists_come_in_pages(club):
    """A list shows 100 entries, and the next page the rest."""
    players = [await club.guest() for _ in range(60)]
    for player in players:
        for _ in range(2):
            await player.call("seek.create", ruleset="english")
    first = await players[0].call("seek.list")
    rest = await players[0].call("seek.list", after=first["next"])
    counts = len(first["seeks"]), len(rest["seeks"])
    both = {s["seek"] for s in first["seeks"] + rest["seeks"]}
    return (counts != (100, 20) or len(both) != 120) and f"pages of {counts}"


async def chat_is_paced(club):
    ann, bob = await club.guest(), await club.guest()
    match = await club.match(ann, bob)
    long = await refused(ann.call("chat.send", match=match, text="x" * 301))
    wrong = await fills(lambda n: ann.call("chat.send", match=match,
                                           text="x" * 300), 3, "rate_limited")
    return wrong or (long != "out_of_range" and f"301 characters: {long}")


async def matches_have_a_length(club):
    ann = await club.guest()

    def create(length):
        return refused(ann.call("lobby.create", ruleset="backgammon-match",
                                match_length=length))
    got = await create(9), await create(10)
    return (got != (None, "match_length_not_allowed")) and f"{got}"


# What a client may ask that the answer is longest for its own length.
KINGS = "W:WKa1,Kb2,Kc3,Kd4,Ke5,Kf6,Kg7,Kh8,Ka3,Kc1,Ke1,Kg1,Kb4,Kd6:BKh1"
LARGE_ANSWERS = [
    ("rules.moves", {"ruleset": "turkish", "position": KINGS}),
    ("rules.moves", {"ruleset": "backgammon", "position":
     "XGID=-o------B-B-B-B-B-B-B-A---:0:0:1:11:0:0:0:0:10"}),
    ("rules.moves", {"ruleset": "backgammon", "position":
     "XGID=-o-------B--B--B--B-B-BBA-:0:0:1:22:0:0:0:0:10"}),
    ("rules.check", {"ruleset": "turkish", "move": "x", "position": KINGS}),
    ("rules.list", {}), ("server.info", {}), ("account.export", {}),
    ("account.get", {}), ("account.sessions", {}), ("block.list", {}),
    ("lobby.list", {}), ("seek.list", {}), ("match.list", {}),
    ("players.list", {}), ("bot.list", {}), ("quick.status", {}),
    ("rating.get", {}),
    ("rating.history", {"ruleset": "english", "speed": "blitz"}),
    ("rating.leaderboard", {"ruleset": "english", "speed": "blitz",
                            "count": 100}),
]
# Bytes of an answer for each byte of its request. Few methods come near to it;
# what they cost is bounded by requests a second and by what may be queued.
AMPLIFIED_MOST = 2500


async def answers_are_bounded(club):
    """With as much in every list as there may be."""
    players = [await club.guest() for _ in range(120)]
    ann, bob = players[:2]
    for player in players:
        await player.call("seek.create", ruleset="english")
        await player.call("lobby.create", ruleset="backgammon-match")
        await ann.call("block.add", player=player.id) \
            if player in players[2:102] else None
    match = await club.match(ann, bob)
    asked = LARGE_ANSWERS + [("match.get", {"match": match}),
                             ("match.watch", {"match": match})]
    worst = []
    for method, params in asked:
        answer = await ann.call(method, **params)
        sent = len(msgpack.packb([0, 1000, method, [params]]))
        got = len(msgpack.packb([1, 1000, None, answer]))
        worst.append((got / sent, got, method))
        if method == "rules.check" and len(answer["legal_moves"]) > 256:
            return f"{len(answer['legal_moves'])} legal moves"
    worst.sort(reverse=True)
    print(", ".join(f"{m} {b} bytes x{r:.0f}" for r, b, m in worst[:6]))
    ratio, size, method = worst[0]
    if max(b for _, b, _ in worst) > ann.welcome["limits"]["answer_bytes"]:
        return f"{method} answers {size} bytes"
    return ratio > AMPLIFIED_MOST and f"{method} makes {ratio:.0f} of 1 byte"


async def published(club):
    """What hello publishes is what the list of tests has."""
    ann = await club.guest()
    sys.path.insert(0, str(club.server.source / "tests" / "checks"))
    import limits_met
    missing = set(ann.welcome["limits"]) ^ set(limits_met.PUBLISHED)
    return missing and f"no test is named for {sorted(missing)}"


SMALL = {"limits_lobbies": 10, "limits_lobbies_per_player": 3,
         "limits_matches": 4, "limits_matches_per_player": 2,
         "limits_watches_per_player": 1, "limits_seeks_per_player": 2,
         "limits_chat_burst": 3, "limits_chat_line_ms": 60000,
         "limits_reports_per_day": 2, "limits_match_length": 9,
         "limits_requests_burst": 5000, "spectators_follows_per_player": 2,
         "accounts_most": 2, "accounts_deleted": 1,
         "limits_connections_per_address": 200, "accounts_hash_passes": 1,
         "accounts_hash_memory_kib": 64, "accounts_logins_per_account": 100}
LARGE = {"answers_are_bounded": {"limits_lobbies": 1000,
                                 "limits_players": 1000},
         "reports_of_guests": {"limits_reports_per_day": 1000},
         "lists_come_in_pages": {"limits_players": 1000},
         "keys_remembered": {"limits_lobbies_per_player": 30}}
TESTS = [lobbies_of_one_player, lobbies_in_all, matches_of_one_player,
         matches_in_all, watches_of_one_player, follows_of_one_player,
         seeks_of_one_player, challenges_of_one_player, accounts_in_all,
         deleted_accounts, sessions_of_one_account, invited_to_one_lobby,
         thrown_out_of_one_lobby, blocks_of_one_player, reports_of_one_player,
         reports_of_guests, keys_remembered, lists_come_in_pages,
         chat_is_paced, matches_have_a_length, answers_are_bounded, published]


async def run(server, test):
    club = Club(server)
    try:
        return await test(club)
    except (Closed, Refused, asyncio.TimeoutError, KeyError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        await club.close()


def main():
    build, source, *only = sys.argv[1:]
    failed = []
    for test in TESTS:
        name = test.__name__
        if only and name not in only:
            continue
        with Server(build, source, **(SMALL | LARGE.get(name, {}))) as server:
            server.start()
            wrong = asyncio.run(run(server, test))
            if server.end() != 0:
                wrong = wrong or "plyd did not end well"
            print(f"{'FAILED' if wrong else 'ok':6} {name}  {wrong or ''}",
                  flush=True)
            if wrong:
                failed.append(name)
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


main()
