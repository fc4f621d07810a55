"""Records that are kept for a while, and then are files of an archive.

  retention.py BUILD SOURCE"""
import asyncio
import pathlib
import subprocess
import sys
import time

from plyd import Client, Refused, Server, until

KEEP_MS = 2000


async def match(server):
    ann, bob = Client(server.port), Client(server.port)
    await ann.connect()
    await bob.connect()
    lobby = await ann.call("lobby.create", ruleset="english", ready=True)
    match = (await bob.call("lobby.join", lobby=lobby["lobby"],
                            ready=True))["match"]
    await ann.call("match.resign", match=match)
    await ann.drop()
    await bob.drop()
    return match


async def is_kept(server, match):
    client = Client(server.port)
    await client.connect()
    try:
        await client.call("record.get", match=match)
        return True
    except Refused as refused:
        if refused.name != "no_such_record":
            raise
        return False
    finally:
        await client.drop()


def files(archive):
    return {path.stem: path for path in archive.glob("*/*.record")}


async def archived(server, archive, ply):
    old = [await match(server) for _ in range(3)]
    began = time.time()
    if not all([await is_kept(server, m) for m in old]):
        return "records do not last"
    await until(lambda: set(files(archive)) >= set(old))
    if (time.time() - began) * 1000 < KEEP_MS - 1000:
        return "archived too soon"
    young = await match(server)
    for _ in range(200):
        if not any([await is_kept(server, m) for m in old]):
            break
        await asyncio.sleep(0.05)
    else:
        return "archived, but not deleted"
    if not await is_kept(server, young):
        return "a record was deleted before its time"
    for path in files(archive).values():
        done = subprocess.run([ply, "verify", path], capture_output=True,
                              text=True, timeout=120)
        if done.returncode:
            return f"the archive: {done.stdout}{done.stderr}"
    return None


async def no_room(server):
    """What cannot be archived stays."""
    kept = await match(server)
    await until(lambda: "old records cannot be archived" in server.text())
    await asyncio.sleep(0.2)
    return None if await is_kept(server, kept) else "lost: not in the archive"


def run(build, source, test, archive):
    with Server(build, source, data_keep_records_ms=KEEP_MS) as server:
        place = archive or pathlib.Path(server.folder.name) / "archive"
        server.settings["data_archive"] = place
        server.start()
        ply = server.plyd.parent / "ply"
        problem = asyncio.run(test(server) if archive else
                              test(server, place, ply))
        if not problem and server.end():
            problem = "plyd did not end well"
        if problem:
            print(server.text()[-2000:])
            sys.exit(f"failed: {problem}")


def main():
    run(*sys.argv[1:3], archived, None)
    run(*sys.argv[1:3], no_room, "/proc/archive")
    print("records are kept, archived and deleted in their time")


main()
