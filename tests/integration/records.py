"""Lists of finished matches: a player's own, the operator's, over a restart, by
pages, and without who has deleted his account.

  records.py BUILD SOURCE"""
import asyncio
import json
import pathlib
import subprocess
import sys

from plyd import Client, Refused, Server, until

PAGE = 50
PASSWORD = "a long password"


class Console:
    def __init__(self, server, build):
        self.ply = pathlib.Path(build).resolve() / "bin" / "ply"
        self.socket = server.data / "admin.sock"

    def run(self, *words):
        return subprocess.run(
            [self.ply, "admin", "--socket", self.socket, *words],
            capture_output=True, text=True, timeout=120, check=True).stdout

    def lines(self, *words):
        return json.loads(self.run("--json", *words))["records"]


async def match(owner, guest):
    """The owner has White, and resigns."""
    lobby = await owner.call("lobby.create", ruleset="english", side="white",
                             ready=True)
    found = (await guest.call("lobby.join", lobby=lobby["lobby"],
                              ready=True))["match"]
    await owner.call("match.resign", match=found)
    return found


def ids(answer):
    return [line["match"] for line in answer["records"]]


async def whole(client):
    """All pages of a client's own list."""
    lines, before = [], {}
    while True:
        page = await client.call("record.list", **before)
        lines += page["records"]
        if not page["more"]:
            return lines
        if len(page["records"]) != PAGE:
            raise RuntimeError(f"a page of {len(page['records'])}")
        before = {"before": page["records"][-1]["row"]}


async def own_lists(server, console):
    ann, bob, eve = [Client(server.port, n) for n in ("Ann", "Bob", "Eve")]
    for client in (ann, bob, eve):
        await client.connect()
    if (await ann.call("record.list")) != {"records": [], "more": False}:
        return "a list before any match"
    first = await match(ann, bob)
    second = await match(eve, ann)
    third = await match(bob, eve)
    if ids(await ann.call("record.list")) != [second, first]:
        return f"ann: {await ann.call('record.list')}"
    if ids(await bob.call("record.list")) != [third, first]:
        return f"bob: {await bob.call('record.list')}"
    line = (await ann.call("record.list"))["records"][1]
    record = await ann.call("match.get", match=first)
    for key in ("result", "reason", "points"):
        if line[key] != record["result"][key]:
            return f"{key}: {line} is not {record['result']}"
    if line["white"]["name"] != "Ann" or line["ply"] != 0 or line["rated"] or \
            line["began_unix_ms"] > line["ended_unix_ms"]:
        return f"line: {line}"
    running = await ann.call("lobby.create", ruleset="english", ready=True,
                             opponent="personality", personality="gentle")
    if running["match"] in ids(await ann.call("record.list")):
        return "a match that runs is listed as finished"
    try:
        await ann.call("record.list", player="aaaaaaaaaa")
        return "somebody else's list"
    except Refused as refused:
        if refused.name != "unknown_key":
            return f"somebody else's list: {refused.name}"
    if [r["match"] for r in console.lines("records")] != [third, second, first]:
        return f"the operator's: {console.run('records')}"
    bob_id = bob.welcome["player"]["id"]
    if [r["match"] for r in console.lines("records-of", bob_id)] != \
            [third, first]:
        return f"the operator's of one: {console.run('records-of', bob_id)}"
    if first not in console.run("records") or \
            "resigned" not in console.run("records"):
        return f"the operator's table: {console.run('records')}"
    for client in (ann, bob, eve):
        await client.drop()
    return None


async def pages(server, console):
    """Of accounts, so that a list outlives a restart and a connection."""
    ann = Client(server.port, "Anna", bot=False)
    bob = Client(server.port, "Bobby", bot=False)
    await ann.connect()
    await bob.connect()
    await ann.call("account.register", login="anna", password=PASSWORD)
    await bob.call("account.register", login="bobby", password=PASSWORD)
    played = [await match(ann, bob) for _ in range(PAGE + 2)]
    played.reverse()
    if [line["match"] for line in await whole(ann)] != played:
        return "the pages are not what was played"
    bob_id = bob.welcome["player"]["id"]
    before = console.lines("records-of", bob_id)[-1]["row"]
    rest = console.lines("records-of", bob_id, str(before))
    if [line["match"] for line in rest] != played[PAGE:]:
        return f"the operator's second page: {rest}"
    await ann.drop()
    if server.end():
        return "plyd did not end well"
    server.start()
    bob = Client(server.port)
    bob.login = {"login": "bobby", "password": PASSWORD}
    ann = Client(server.port)
    ann.login = {"login": "anna", "password": PASSWORD}
    await ann.connect()
    await bob.connect()
    if [line["match"] for line in await whole(bob)] != played:
        return "a restart forgets lists"
    await ann.call("account.delete", password=PASSWORD)
    await until(lambda: "Anna" not in console.run("records-of", bob_id))
    line = (await bob.call("record.list"))["records"][0]
    if line["white"].get("id") or line["white"]["name"] != "deleted" or \
            line["black"]["name"] != "Bobby":
        return f"who is deleted is shown: {line}"
    await bob.drop()
    return None


async def nothing_is_kept(server, console):
    """Without a journal there are no records, and who asks is told so."""
    ann, bob = Client(server.port), Client(server.port)
    await ann.connect()
    await bob.connect()
    for _ in range(2):
        found = await match(ann, bob)
        if (await ann.call("record.list"))["records"]:
            return "a list of what is not kept"
        # a match that has ended is still in memory for a while
        for asked in (found, "aaaaaaaaaa"):
            try:
                await asyncio.wait_for(ann.call("record.get", match=asked), 60)
                return "a record of what is not kept"
            except Refused as error:
                if error.name != "no_such_record":
                    return f"record.get: {error.name}"
    await ann.drop()
    await bob.drop()
    return None


def main():
    for test in (own_lists, pages, nothing_is_kept):
        settings = {"data_durability": "memory"} \
            if test is nothing_is_kept else {}
        with Server(*sys.argv[1:3], **settings) as server:
            server.start()
            problem = asyncio.run(test(server, Console(server, sys.argv[1])))
            if not problem and server.end():
                problem = "plyd did not end well"
            if problem:
                print(server.text()[-2000:])
                sys.exit(f"failed: {test.__name__}: {problem}")
    print("finished matches are listed, by pages, and after a restart")


main()
