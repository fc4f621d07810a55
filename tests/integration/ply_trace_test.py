"""ply trace between a bot and a real server, and on what it has kept. Usage:
ply_trace_test.py BUILD SOURCE"""
import collections
import json
import re
import signal
import socket
import subprocess

import msgpack

import ply_case
from ply_case import PLY, SOURCE, Case

BOT = SOURCE / "docs" / "examples" / "bot.py"


class TraceTest(Case):
    def trace(self, *arguments):
        """A proxy in the background, and its port. It writes to a file: a
        pipe that nobody reads would stop it, and all that it passes on."""
        with open(self.folder / "shown", "w") as shown:
            program = self.program(
                PLY, "trace", "--listen", "0", "--to", self.address(),
                *arguments, stdout=shown, stderr=subprocess.PIPE)
        port = int(re.search(r"port (\d+)", program.stderr.readline())[1])
        return program, port

    def end_of(self, program):
        program.send_signal(signal.SIGINT)
        self.ends(program)
        return (self.folder / "shown").read_text()

    def read(self, file, *arguments, status=0):
        done = subprocess.run([PLY, "trace", file, *arguments], text=True,
                              capture_output=True, timeout=120, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout + done.stderr

    def test_a_match(self):
        capture = self.folder / "capture"
        program, port = self.trace("--json", "--write", capture)
        bot = subprocess.run(
            ["/usr/bin/python3", BOT, "hypergammon", "bold", "--server",
             f"127.0.0.1:{port}"], capture_output=True, text=True, timeout=120,
            check=False)
        self.assertIn("result: ", bot.stdout, bot.stderr)
        live = self.end_of(program)
        lines = [json.loads(line) for line in live.splitlines()]
        asked, answered = (
            {(m["id"], m["name"]) for m in lines if m["kind"] == kind}
            for kind in ("request", "response"))
        self.assertEqual(asked, answered)
        self.assertEqual(len(asked), len(
            [m for m in lines if m["kind"] == "request"]))
        events = [m["body"]["seq"] for m in lines
                  if m["name"] == "match.event"]
        self.assertEqual(events, list(range(events[0], events[-1] + 1)))
        moves = re.findall(r"^\d+ (\S+/.*)$", bot.stdout, re.M)
        self.assertEqual(moves, [m["body"]["move"] for m in lines if
                                 m["kind"] == "request" and
                                 m["name"] == "match.move"])
        self.assertTrue(all(m["took_us"] >= 0 for m in lines
                            if m["kind"] == "response"))
        self.assertIn('"token":"(hidden)"', live)
        self.assertNotRegex(live, r'"token":"[0-9a-f]{64}"')
        # the capture holds all of it, but for who came and went
        kept = self.read(capture, "--json").splitlines()
        self.assertEqual([json.loads(line) for line in kept],
                         [m for m in lines if m["kind"] != "note"])
        self.assertRegex(self.read(capture, "--secrets"),
                         r'"token":"[0-9a-f]{64}"')
        kinds = collections.Counter(m["kind"] for m in lines)
        self.assertEqual(kinds["note"], 2)
        # half of it is not all of it
        short = self.folder / "short"
        short.write_bytes(capture.read_bytes()[:-3])
        self.assertIn("ends in the middle", self.read(short, status=2))
        short.write_bytes(capture.read_bytes()[:40] + b"\xc1" * 40)
        self.assertIn("damaged", self.read(short, status=2))

    def test_what_is_no_message_passes(self):
        program, port = self.trace()
        with socket.create_connection(("127.0.0.1", port)) as s:
            s.sendall(msgpack.packb([0, 7, "hello", [{"protocol": 1.5}]]))
            s.sendall(b"GET / HTTP/1.1\r\n\r\n")
            got = b""
            while data := s.recv(65536):
                got += data
        messages = self.all_of(got)
        self.assertEqual(messages[-1][1], "closing")
        said = self.end_of(program)
        self.assertIn("hello (type_not_allowed)", said)
        self.assertIn("no message of the protocol", said)
        self.assertRegex(said, r"<- closing .*bad_message")
        self.assertIn("closed: peer", said)

    @staticmethod
    def all_of(data):
        unpacker = msgpack.Unpacker()
        unpacker.feed(data)
        return list(unpacker)

    def test_bare_bytes(self):
        """What was kept of one direction by other means."""
        file = self.folder / "bytes"
        file.write_bytes(
            msgpack.packb([0, 1, "ping", [{}]])
            + msgpack.packb([1, 1, [-1, "no_memory", "Sorry.", {}], None])
            + msgpack.packb([2, "closing", [{"code": -1}]]))
        lines = self.read(file).splitlines()
        self.assertEqual([line.split(" ", 2)[2] for line in lines], [
            "-> 1 ping {}",
            '<- 1 ping [-1,"no_memory","Sorry.",{}]',
            '<- closing {"code":-1}'])

    def test_no_server(self):
        program, port = self.trace("--to", "127.0.0.1:1")
        with socket.create_connection(("127.0.0.1", port)) as s:
            self.assertEqual(s.recv(1), b"")
        self.assertIn("refused", self.end_of(program))


if __name__ == "__main__":
    ply_case.main()
