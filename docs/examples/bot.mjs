#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A bot for plyd: plays a match of random legal moves against one of the server's
// personalities, and verifies the dice of backgammon afterwards.
// npm install --no-save @msgpack/msgpack; docs/examples/bot.mjs backgammon steady
import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import { EventEmitter, on } from "node:events";
import { createConnection } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeMultiStream, encode } from "@msgpack/msgpack";

const [ruleset, personality, server = "127.0.0.1:7531"] = process.argv.slice(2);
const [, host, port] = server.match(/^(.+):(\d+)$/);
const nonce = randomBytes(16).toString("hex"); // our share of the dice
const key = randomBytes(8).toString("hex"); // a retry opens no second lobby
const sha256 = (data) => createHash("sha256").update(data).digest();

class Refused extends Error {} // the server's answer was an error

// Asks the server, and keeps what it tells in between.
class Session {
	lastId = 0;

	// Connects and says hello; with the token if there is one.
	async connect() {
		this.lost = undefined; // or why
		this.open = new Map(); // the requests that await their responses
		this.told = new EventEmitter();
		this.events = on(this.told, "told"); // a queue
		this.socket = createConnection(port, host);
		this.receive();
		const resume = this.token && { token: this.token };
		const welcome = await this.ask("hello", { protocol: 1, bot: true, ...resume });
		this.token = welcome.token;
		return welcome;
	}

	// Sorts what arrives, until the connection is lost.
	async receive() {
		try {
			for await (const [type, ...rest] of decodeMultiStream(this.socket)) {
				if (type === 1) this.open.get(rest[0])?.resolve(rest);
				else this.told.emit("told", { name: rest[0], ...rest[1][0] });
			}
			throw new Error("the server closed the connection");
		} catch (error) {
			this.lost = error;
			this.told.emit("error", error);
			for (const request of this.open.values()) request.reject(error);
		}
	}

	// Sends a request and waits for its result.
	async ask(method, params) {
		if (this.lost) throw this.lost;
		const id = ++this.lastId;
		this.socket.write(encode([0, id, method, [params]]));
		const [, error, result] = await new Promise((resolve, reject) =>
			this.open.set(id, { resolve, reject }));
		this.open.delete(id);
		if (!error) return result;
		const [, name, message, details] = error;
		if (name !== "rate_limited" && name !== "not_stored")
			throw new Refused(`${name}: ${message}`);
		await sleep(details.retry_after_ms ?? 500); // nothing has happened
		return this.ask(method, params);
	}

	// The next notification for which `wanted` is true; others are dropped.
	async next(wanted) {
		for (;;) {
			const { value: [event] } = await this.events.next();
			if (wanted(event)) return event;
		}
	}
}

// Opens a lobby and waits for its match; returns the match's id.
async function begin(welcome) {
	if (welcome.matches.length) return welcome.matches[0];
	await session.ask("lobby.create", { ruleset, personality, ready: true, key });
	return (await session.next(({ name }) => name === "match.started")).match;
}

// What to do now in a match: a method and its parameters, or nothing. To make the
// bot yours, change the last line. It never doubles, and always takes.
function decide({ state, turn, you, awaits, ply, legal_moves: moves }) {
	if (state === "nonces") return ["match.nonce", { nonce }];
	if (turn !== you || !awaits) return [];
	if (awaits === "roll") return ["match.roll", { ply }];
	if (awaits === "answer") return ["match.take", { ply }];
	return ["match.move", { ply, move: moves[randomInt(moves.length)] }];
}

// Plays a match to its end; returns its last snapshot.
async function follow(match) {
	let state = await session.ask("match.watch", { match });
	while (!state.result) {
		const [method, params] = decide(state);
		try {
			if (method) await session.ask(method, { match, ...params });
			if (method) console.log(state.ply, params.move ?? method);
		} catch (error) { // time was up, or the match has ended
			if (!(error instanceof Refused)) throw error;
			console.log(error.message);
		}
		await session.next(({ name, match: id, seq, turn, event }) =>
			name === "match.event" && id === match && seq > state.seq &&
			(turn === state.you || event === "ended"));
		state = await session.ask("match.get", { match });
	}
	return state;
}

// Throws the dice again, from the seed that is open now and the commitment that
// was published before anybody gave a nonce.
function verify({ match, dice_commitment, result }, events) {
	const seed = Buffer.from(result.seed, "hex");
	if (sha256(seed).toString("hex") !== dice_commitment) throw new Error("another seed");
	const nonces = { white: "", black: "" };
	for (const event of events) if (event.nonce) nonces[event.side] = event.nonce;
	const shares = Object.values(nonces).map((hex) => sha256(Buffer.from(hex, "hex")));
	events.filter((event) => event.dice).forEach(({ dice }, number) => {
		const counters = Buffer.alloc(8); // the number of the roll, and of the block
		counters.writeUInt32BE(number); // one block of 32 bytes is enough
		const hmac = createHmac("sha256", seed).update(`plyd-dice-1\0${match}\0`);
		for (const part of [...shares, counters]) hmac.update(part);
		const roll = [...hmac.digest()].filter((b) => b < 252).map((b) => b % 6 + 1);
		if (`${dice}` !== `${roll.slice(0, 2)}`) throw new Error(`roll ${number} is forged`);
	});
	console.log("the dice follow from the seed that was promised");
}

const session = new Session();
for (let match, state; !state;) {
	try {
		const welcome = await session.connect();
		match ??= await begin(welcome);
		state = await follow(match);
		console.log("result:", state.result.result, state.result.reason);
		const { events } = await session.ask("record.get", { match });
		if (state.result.seed && events) verify(state, events);
		session.socket.destroy();
	} catch (error) {
		if (error !== session.lost) throw error;
		console.log("connection lost:", error.message);
		await sleep(200 + randomInt(1800));
	}
}
