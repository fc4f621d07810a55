#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Verifies the dice and the hash chain of a record: verify_dice.mjs RECORD.json
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const record = JSON.parse(readFileSync(process.argv[2], "utf8"));
const hex = (text) => Buffer.from(text, "hex");
const sha256 = (...parts) =>
  createHash("sha256").update(Buffer.concat(parts)).digest();
const die = (why) => { console.log(why); process.exit(1); };

const match = Buffer.from(record.match);
let head = sha256(Buffer.from("plyd-record-1"), match);
let commitment, seed;
const nonces = [Buffer.alloc(0), Buffer.alloc(0)]; // white's, black's
const throws = [];
for (const fact of record.facts) {
  head = sha256(head, hex(fact.bytes));
  if (fact.fact === "begun") {
    // there when a player has deleted his account
    if (record.begun_hash) head = hex(record.begun_hash);
    commitment = hex(fact.commitment);
  } else if (fact.fact === "nonce") nonces[fact.side] = hex(fact.nonce);
  else if (fact.fact === "opening_throw")
    throws.push([fact.white_die, fact.black_die]);
  else if (fact.fact === "rolled") throws.push([fact.die1, fact.die2]);
  else if (fact.fact === "ended") seed = hex(fact.seed);
}
if (head.toString("hex") !== record.head)
  die("the head is not that of this chain");
if (!sha256(seed).equals(commitment))
  die("the seed is not the one that was promised");

// The two dice of roll `number`, from 0.
function roll(number) {
  const found = [];
  const counters = Buffer.alloc(8); // number, block
  counters.writeUInt32BE(number, 0);
  for (let block = 0; found.length < 2; block++) {
    counters.writeUInt32BE(block, 4);
    const bytes = createHmac("sha256", seed)
      .update(Buffer.concat([Buffer.from("plyd-dice-1\0"), match,
        Buffer.from("\0"), ...nonces.map((n) => sha256(n)), counters]))
      .digest();
    for (const b of bytes) if (b < 252) found.push((b % 6) + 1);
  }
  return found.slice(0, 2);
}

throws.forEach((dice, number) => {
  const want = roll(number);
  if (dice.join() !== want.join())
    die(`roll ${number} was ${dice}, the seed says ${want}`);
});
console.log(`${throws.length} rolls follow from the seed that was promised`);
