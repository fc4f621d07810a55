#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// A bot for plyd: plays a match of random legal moves against one of the server's
// personalities, and verifies the dice of backgammon afterwards.
// npm install --no-save @msgpack/msgpack
// docs/examples/bot.mjs backgammon steady tls://HOST:PORT
import { createHash, createHmac, randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import * as net from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import * as tls from "node:tls";
import { decodeMultiStream, encode } from "@msgpack/msgpack";

const [ruleset, personality, server = "127.0.0.1:7531"] = process.argv.slice(2);
const [, secure, host, port] = server.match(/^(tls:\/\/)?(.+):(\d+)$/);
const trusted = process.env.SSL_CERT_FILE; // else whom Node.js trusts
const nonce = randomBytes(16).toString("hex"); // our share of the dice
const key = randomBytes(8).toString("hex"); // a retry opens no second lobby
const sha256 = (data) => createHash("sha256").update(data).digest();

class Refused extends Error {} // the server's answer was an error
class Lost extends Error {} // the connection was

// Asks the server, and keeps what it tells in between.
class Session {
	lastId = 0;

	// Connects and says hello; with the token if there is one.
	async connect() {
		this.told = []; // notifications that came before a response
		const servername = net.isIP(host) ? "" : host;
		const ca = trusted && readFileSync(trusted);
		this.socket = (secure ? tls : net).connect({ port, host, servername, ca });
		this.messages = decodeMultiStream(this.socket);
		const resume = this.token && { token: this.token };
		const welcome = await this.ask("hello", { protocol: 1, bot: true, ...resume });
		this.token = welcome.token;
		return welcome;
	}

	// The next message, whatever it is.
	async receive() {
		const { value, done } = await this.messages.next().catch((error) => {
			throw new Lost(error.message);
		});
		if (done) throw new Lost("the server closed the connection");
		return value;
	}

	// Sends a request and waits for its result.
	async ask(method, params) {
		this.socket.write(encode([0, ++this.lastId, method, [params]]));
		let message = await this.receive();
		for (; message[0] === 2; message = await this.receive())
			this.told.push(message); // kept for next()
		const [, , error, result] = message; // one request is open, this answers it
		if (!error) return result;
		const [, name, text, details] = error;
		if (name !== "rate_limited" && name !== "not_stored")
			throw new Refused(`${name}: ${text}`);
		await sleep(details.retry_after_ms ?? 500); // nothing has happened
		return this.ask(method, params);
	}

	// The next notification for which `wanted` is true; others are dropped.
	async next(wanted) {
		for (;;) {
			const [, name, [params]] = this.told.shift() ?? await this.receive();
			if (wanted({ name, ...params })) return params;
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
		if (!(error instanceof Lost)) throw error;
		console.log("connection lost:", error.message);
		await sleep(200 + randomInt(1800));
	}
}
