#!/usr/bin/python3
"""Works out the table of a tournament from the records of its matches alone,
with nothing of plyd: written from docs/tournaments.md and docs/protocol.md.

As a program: tournament_table.py FILE, a file that holds
{"tournament": what tournament.get answered, "entries": [{"entry", "player",
"first_round", "gone_from"}], "records": [what record.get answered]}."""
import hashlib
import hmac
import json
import sys

import msgpack

BEGUN, ENDED, MOVED, PASSED = 20, 28, 24, 25
WHITE, BLACK, ABORTED = 13, 16, 3  # fields of begun; a result of ended


class Match:
    """One record: where it was played, by whom, and how it ended."""

    def __init__(self, record):
        facts = [msgpack.unpackb(bytes.fromhex(f), raw=False)
                 for f in record["facts"]]
        head = hashlib.sha256(b"plyd-record-1" + record["match"].encode())
        for fact in record["facts"]:
            head = hashlib.sha256(head.digest() + bytes.fromhex(fact))
        if head.hexdigest() != record["head"]:
            raise ValueError(f"{record['match']}: the chain does not fit")
        begun, ended = facts[0], facts[-1]
        if begun[0] != BEGUN or ended[0] != ENDED:
            raise ValueError(f"{record['match']}: no whole match")
        self.id = record["match"]
        self.players = [begun[WHITE], begun[BLACK]]
        self.tournament, self.round, self.table, self.game = begun[42:46]
        self.result, self.reason = ended[3], ended[4]
        plies = sum(f[0] in (MOVED, PASSED) for f in facts)
        # English draughts: black begins
        self.to_move = 1 - plies % 2

    def scores(self):
        """What white and black get, in halves, and whether it was played."""
        if self.result == 0:
            return [2, 0], True
        if self.result == 1:
            return [0, 2], True
        if self.result == 2:
            return [1, 1], True
        if self.reason == "no_show":
            return ([0, 2] if self.to_move == 0 else [2, 0]), False
        return [0, 0], False


class Table:
    """A win 1, a draw one half; byes and forfeits are in the score but make
    no opponents."""

    def __init__(self, tournament, entries, matches):
        self.entries = {e["player"]: e for e in entries}
        self.rounds = tournament["round"]
        self.seed = bytes.fromhex(tournament["seed"])
        self.breaks = tournament["breaks"]
        self.score = {p: 0 for p in self.entries}
        self.wins = {p: 0 for p in self.entries}
        self.met = {p: [] for p in self.entries}  # (opponent, score of p)
        for number in range(1, self.rounds + 1):
            self.add_round(number, [m for m in matches if m.round == number])

    def add_round(self, number, matches):
        tables = [m.table for m in matches]
        if len(set(tables)) != len(tables):
            raise ValueError(f"round {number} has two matches at one table")
        seen = [p for m in matches for p in m.players]
        if len(set(seen)) != len(seen):
            raise ValueError(f"somebody played twice in round {number}")
        for match in matches:
            scores, played = match.scores()
            for side, player in enumerate(match.players):
                self.score[player] += scores[side]
                self.wins[player] += scores[side] == 2
                if played:
                    self.met[player].append((match.players[1 - side],
                                             scores[side]))
        for player, entry in self.entries.items():
            here = entry["first_round"] <= number and (
                not entry["gone_from"] or number < entry["gone_from"])
            if here and player not in seen:  # a bye
                self.score[player] += 2
                self.wins[player] += 1

    def buchholz(self, player):
        return sum(self.score[o] for o, _ in self.met[player])

    def cut(self, player):
        lowest = min((self.score[o] for o, _ in self.met[player]), default=0)
        return self.buchholz(player) - lowest

    def sonneborn_berger(self, player):
        return sum(self.score[o] * s for o, s in self.met[player])

    def lot(self, player):
        number = self.entries[player]["entry"] - 1
        digest = hmac.digest(self.seed,
                             b"plyd-lot-1\0" + number.to_bytes(2, "big"),
                             "sha256")
        return int.from_bytes(digest[:8], "big")

    def direct(self, group):
        """Score among themselves, if all have met all, equally often."""
        games = {sum(o == b for o, _ in self.met[a])
                 for a in group for b in group if a != b}
        if len(games) != 1 or games == {0}:
            return {p: 0 for p in group}
        return {p: sum(s for o, s in self.met[p] if o in group)
                for p in group}

    def keys(self, name, group):
        if name == "direct":
            return self.direct(group)
        one = {"halves": self.score.get, "wins": self.wins.get,
               "buchholz": self.buchholz, "buchholz_cut1": self.cut,
               "sonneborn_berger": self.sonneborn_berger,
               "lots": lambda p: -self.lot(p)}[name]
        return {p: one(p) for p in group}

    def order(self, group, breaks):
        """Groups of players who are level in everything, best first."""
        if len(group) < 2 or not breaks:
            return [group]
        keys = self.keys(breaks[0], group)
        parts = []
        for value in sorted(set(keys.values()), reverse=True):
            part = [p for p in group if keys[p] == value]
            parts += self.order(part, breaks[1:])
        return parts

    def rows(self):
        """(rank, player, score, buchholz, cut, sonneborn_berger, wins)."""
        rank, rows = 1, []
        for value in sorted(set(self.score.values()), reverse=True):
            group = [p for p in self.score if self.score[p] == value]
            for part in self.order(group, self.breaks):
                rows += [(rank, p, value, self.buchholz(p), self.cut(p),
                          self.sonneborn_berger(p), self.wins[p])
                         for p in part]
                rank += len(part)
        return rows


def recompute(tournament, entries, records):
    matches = [Match(r) for r in records]
    for match in matches:
        if match.tournament != tournament["tournament"]:
            raise ValueError(f"{match.id} is of another tournament")
    return Table(tournament, entries, matches).rows()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        told = json.load(file)
    for row in recompute(told["tournament"], told["entries"],
                         told["records"]):
        print(*row)


if __name__ == "__main__":
    main()
