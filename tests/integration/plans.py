#!/usr/bin/python3
"""Tournaments by a plan: one is made when its registration opens, one only,
also after the server was killed; a plan that is wrong is named with its line.

Usage: plans.py BUILD SOURCE
"""
import asyncio
import pathlib
import signal
import sys
import tempfile
import time

from plyd import Client, Server

PLAN = """return {{
	name = "nightly",
	title = "Nightly",
	when = "daily {when}",
	ruleset = "english",
	format = "swiss",
	rounds = {rounds},
	gap_ms = 1000,
}}
"""


async def listed(client):
    return (await client.call("tournament.list"))["tournaments"]


async def look(server):
    client = Client(server.port, "looker", bot=False)
    await client.connect()
    end = time.monotonic() + 20
    while not await listed(client):
        assert time.monotonic() < end, "no tournament was made"
        await asyncio.sleep(0.1)
    all_of = await listed(client)
    assert len(all_of) == 1, all_of
    told = await client.call("tournament.get",
                             tournament=all_of[0]["tournament"])
    await client.drop()
    return told


def main():
    build, source = sys.argv[1:3]
    with tempfile.TemporaryDirectory(prefix="plyd-plans-") as folder:
        file = pathlib.Path(folder) / "nightly.lua"
        later = time.gmtime(time.time() + 7200)
        when = time.strftime("%H:%M", later)
        file.write_text(PLAN.format(when=when, rounds=4))
        with Server(build, source, scripts_tournaments=folder) as server:
            server.start(TZ="UTC")
            told = asyncio.run(look(server))
            assert told["state"] == "registration", told["state"]
            assert told["schedule"] == "nightly" and told["rounds"] is None
            starts = time.gmtime(told["starts_at"] / 1000)
            assert time.strftime("%H:%M", starts) == when
            server.end(signal.SIGKILL)
            server.start(TZ="UTC")
            again = asyncio.run(look(server))
            assert again["tournament"] == told["tournament"]
            assert server.end() == 0
            file.write_text(PLAN.format(when="25:00", rounds=4))
            try:
                server.start(TZ="UTC")
            except RuntimeError as error:
                assert "nightly.lua:4" in str(error), error
            else:
                sys.exit("a wrong plan was taken")
    print("one tournament for one time of the plan")


main()
