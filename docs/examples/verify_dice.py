#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verifies the dice and the hash chain of a record: verify_dice.py RECORD.json"""
import hashlib, hmac, json, sys

record = json.load(open(sys.argv[1], encoding="utf-8"))
match = record["match"].encode()
sha256 = lambda data: hashlib.sha256(data).digest()

head = sha256(b"plyd-record-1" + match)
nonces = [b"", b""]  # white's, black's
throws = []
for fact in record["facts"]:
    head = sha256(head + bytes.fromhex(fact["bytes"]))
    if fact["fact"] == "begun":
        if "begun_hash" in record:  # a player has deleted his account
            head = bytes.fromhex(record["begun_hash"])
        commitment = bytes.fromhex(fact["commitment"])
    elif fact["fact"] == "nonce":
        nonces[fact["side"]] = bytes.fromhex(fact["nonce"])
    elif fact["fact"] == "opening_throw":
        throws.append((fact["white_die"], fact["black_die"]))
    elif fact["fact"] == "rolled":
        throws.append((fact["die1"], fact["die2"]))
    elif fact["fact"] == "ended":
        seed = bytes.fromhex(fact["seed"])
if head.hex() != record["head"]:
    sys.exit("the head is not that of this chain")
if sha256(seed) != commitment:
    sys.exit("the seed is not the one that was promised")


def roll(number):
    """The two dice of roll `number`, from 0."""
    found, block = [], 0
    while len(found) < 2:
        text = b"plyd-dice-1\0" + match + b"\0" + sha256(nonces[0]) + sha256(nonces[1])
        text += number.to_bytes(4, "big") + block.to_bytes(4, "big")
        found += [b % 6 + 1 for b in hmac.digest(seed, text, "sha256") if b < 252]
        block += 1
    return tuple(found[:2])


for number, dice in enumerate(throws):
    if dice != roll(number):
        sys.exit(f"roll {number} was {dice}, the seed says {roll(number)}")
print(f"{len(throws)} rolls follow from the seed that was promised")
