#!/usr/bin/python3
"""Tournaments over real sockets, while the server is killed again and again: a
Swiss and a double round robin of bots that resign or agree. At the end there is
one match for each table, and each table is the one that an independent script
works out from the records of the matches.

Usage: tournaments.py BUILD SOURCE [--swiss N ROUNDS] [--robin N] [--kills K]
"""
import argparse
import asyncio
import hashlib
import json
import pathlib
import signal
import subprocess
import sys
import time

from plyd import Client, Closed, Refused, Server
from tournament_table import recompute


THINK_S = 0.05  # or else a fast server is through between two looks at it


class Bot:
    """Registers, and soon ends each of its matches, by the match's id."""

    def __init__(self, port, number, tournament):
        address = f"127.0.1.{number % 200 + 1}"
        self.client = Client(port, f"bot-{number}", address=address)
        self.tournament = tournament
        self.done = set()
        self.stop = False

    async def act(self, match):
        """White or black resigns, or, one time in five, both agree."""
        lot = hashlib.sha256(match["match"].encode()).digest()
        side = match["you"]
        if match["state"] == "over" or match["match"] in self.done:
            return
        if lot[0] % 5 == 0:
            method = "match.offer_draw"
        elif (lot[1] % 2 == 0) == (side == "white"):
            method = "match.resign"
        else:
            return
        await asyncio.sleep(THINK_S)
        try:
            await self.client.call(method, match=match["match"])
            self.done.add(match["match"])
        except Refused as error:
            if error.name not in ("game_over", "no_such_match",
                                  "offer_not_allowed"):
                raise

    async def life(self):
        welcome = await self.client.connect()
        await self.client.call("tournament.register",
                               tournament=self.tournament)
        for match in welcome["matches"]:
            try:
                await self.act(await self.client.call("match.get",
                                                      match=match))
            except Refused:
                pass  # it has ended meanwhile
        while True:
            name, params = await self.client.note(within=600)
            if name == "match.started":
                await self.act(params)

    async def run(self):
        """Comes back after each kill."""
        while not self.stop:
            try:
                await self.life()
            except (Closed, asyncio.TimeoutError, OSError):
                await asyncio.sleep(0.05)
            except Refused as error:
                if error.name not in ("not_stored", "wrong_stage", "full"):
                    raise
                await asyncio.sleep(0.05)


class Director:
    """Makes the tournaments and looks at them."""

    def __init__(self, port):
        self.client = Client(port, "director", bot=False)

    async def call(self, method, **params):
        """Asks until there is an answer: all that it asks is safe to repeat."""
        end = time.monotonic() + 60
        while True:
            try:
                if not self.client.writer or self.client.writer.is_closing():
                    await self.client.connect()
                return await self.client.call(method, **params)
            except (Closed, OSError):
                if time.monotonic() > end:
                    raise
                await asyncio.sleep(0.05)

    async def make(self, **terms):
        made = await self.call("tournament.create", ruleset="english",
                               players="bot", scoring="half",
                               key=terms["name"], **terms)
        return made["tournament"]

    async def pages(self, method, key, **params):
        rows, start = [], 0
        while start is not None:
            page = await self.call(method, **params, **{"from": start})
            rows += page[key]
            start = page.get("next")
        return rows


async def wait_for_players(director, tournament, players):
    while True:
        told = await director.call("tournament.get", tournament=tournament)
        if told["players"] == players:
            return
        await asyncio.sleep(0.1)


async def decided(director, tournaments):
    """Tables that are decided so far, in all of them."""
    count = 0
    for tournament in tournaments:
        told = await director.call("tournament.get", tournament=tournament)
        count += (told["round"] - 1) * told["players"] // 2
        count += told["players"] // 2 - told["open_tables"]
    return count


async def check(director, tournament, folder, ply, server):
    """The table is the one that follows from the records."""
    told = await director.call("tournament.get", tournament=tournament)
    rows = await director.pages("tournament.standings", "rows",
                                tournament=tournament)
    matches = []
    for number in range(1, told["round"] + 1):
        tables = await director.pages("tournament.round", "tables",
                                      tournament=tournament, round=number)
        matches += [m for t in tables for m in t["matches"]]
        assert all(len(t["matches"]) == (t["outcome"] != "bye")
                   for t in tables), "one match a table"
    records = [await director.call("record.get", match=m) for m in matches]
    entries = [{key: row.get(key) for key in
                ("entry", "player", "first_round", "gone_from")}
               for row in rows]
    file = folder / f"{told['format']}.json"
    file.write_text(json.dumps({"tournament": told, "entries": entries,
                                "records": records}))
    again = recompute(told, entries, records)
    shown = [(r["rank"], r["player"], r["score2"], r["breaks"]["buchholz2"],
              r["breaks"]["buchholz_cut1_2"],
              r["breaks"]["sonneborn_berger4"], r["won"]) for r in rows]
    assert shown == again, "the table does not follow from the records"
    for option in "--csv", "--once", None:  # a finished one is shown once
        command = [ply, "tournament", tournament, "--server", server]
        lines = subprocess.run(command + [option] if option else command,
                               check=True, capture_output=True,
                               text=True).stdout.splitlines()
        head = 1 if option == "--csv" else 2
        assert len(lines) == head + len(rows), (option, len(lines))
        assert rows[0]["name"] in lines[head], lines[head]
    export = folder / f"{told['format']}.tournament"
    export.write_text(subprocess.run(
        [ply, "tournament", tournament, "--json", "--server", server],
        check=True, capture_output=True, text=True).stdout)
    subprocess.run([ply, "verify", export], check=True)
    forged = json.loads(export.read_text())
    table = forged["rounds"][0]["tables"][0]
    table["outcome"] = "black" if table["outcome"] == "white" else "white"
    export.write_text(json.dumps(forged))
    bad = subprocess.run([ply, "verify", export], capture_output=True,
                         text=True)
    assert bad.returncode == 1, "a forged result was not found"
    return told, len(matches)


async def run(options, server):
    director = Director(server.port)
    await director.client.connect()
    sizes = [(options.swiss[0], {"name": "Swiss", "format": "swiss",
                                 "rounds": options.swiss[1]}),
             (options.robin, {"name": "Robin",
                              "format": "double_round_robin"})]
    tournaments, bots, number = [], [], 0
    for players, terms in sizes:
        tournament = await director.make(**terms)
        tournaments.append(tournament)
        for _ in range(players):
            number += 1
            bots.append(Bot(server.port, number, tournament))
    tasks = [asyncio.create_task(bot.run()) for bot in bots]
    for (players, _), tournament in zip(sizes, tournaments):
        await wait_for_players(director, tournament, players)
        await director.call("tournament.start", tournament=tournament)
    total = (options.swiss[0] // 2 * options.swiss[1] +
             options.robin * (options.robin - 1))
    kills = 0
    while True:
        count = await decided(director, tournaments)
        if kills < options.kills and \
                count >= total * (kills + 1) // (options.kills + 4):
            server.end(signal.SIGKILL)
            server.start()
            kills += 1
        states = [(await director.call("tournament.get", tournament=t))
                  ["state"] for t in tournaments]
        if states == ["finished"] * len(tournaments):
            break
        for task in tasks:
            if task.done():
                task.result()
        if kills == options.kills:
            await asyncio.sleep(0.02)
    assert kills == options.kills, f"only {kills} kills"
    folder = pathlib.Path(server.folder.name)
    ply = server.plyd.parent / "ply"
    for tournament in tournaments:
        told, matches = await check(director, tournament, folder, ply,
                                    f"127.0.0.1:{server.port}")
        print(f"{told['format']}: {told['players']} bots, {told['round']} "
              f"rounds, {matches} matches: the table follows from the records")
    for bot in bots:
        bot.stop = True
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for bot in bots:
        await bot.client.drop()
    await director.client.drop()
    print(f"{kills} kills")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("source")
    parser.add_argument("--swiss", nargs=2, type=int, default=(64, 7))
    parser.add_argument("--robin", type=int, default=12)
    parser.add_argument("--kills", type=int, default=5)
    options = parser.parse_args()
    with Server(options.build, options.source,
                limits_requests_burst=100000,
                limits_requests_per_second=100000) as server:
        server.start()
        asyncio.run(run(options, server))
        if server.end() != 0:
            sys.exit(server.text())


main()
