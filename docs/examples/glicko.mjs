#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// Rates the match of a record again, by Glicko-2: glicko.mjs RECORD.json
// Without a record it reckons the example of Glickman's paper.
import { readFileSync } from "node:fs";

const { exp, log, sqrt, PI } = Math;
const scale = 173.7178;
const g = (phi) => 1 / sqrt(1 + 3 * (phi / PI) ** 2);

// games: [rating, deviation, score] of each; periods: that pass with them.
function rate([rating, deviation, volatility], games, periods, tau = 0.5) {
  const phi = deviation / scale;
  let info = 0, gain = 0;
  for (const [other, otherDeviation, score] of games) {
    const weight = g(otherDeviation / scale);
    const e = 1 / (1 + exp(-weight * (rating - other) / scale));
    info += weight ** 2 * e * (1 - e);
    gain += weight * (score - e);
  }
  const a = log(volatility ** 2), spread = (x) => phi ** 2 + 1 / info + exp(x);
  const f = (x) => exp(x) * ((gain / info) ** 2 - spread(x)) /
    (2 * spread(x) ** 2) - (x - a) / tau ** 2;
  let low = a - 10, high = a + 10; // f falls; its root by halves
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (f(middle) > 0) low = middle; else high = middle;
  }
  const square = 1 / (1 / (phi ** 2 + periods * exp(low)) + info);
  return [rating + scale * square * gain, scale * sqrt(square), exp(low / 2)];
}

if (process.argv.length < 3) {
  const [rating, deviation, volatility] = rate([1500, 200, 0.06],
    [[1400, 30, 1], [1550, 100, 0], [1700, 300, 0]], 1);
  console.log(rating.toFixed(2), deviation.toFixed(2), volatility.toFixed(6));
  process.exit();
}
const { facts } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const fact = (name) => facts.find((f) => f.fact === name);
const rated = fact("rated"), white = [1, 0, 0.5][fact("ended").result];
const of = (side) => [["milli", 1e3], ["deviation_milli", 1e3],
  ["volatility_nano", 1e9]].map(([u, unit]) => rated[`${side}_${u}`] / unit);
const before = (side) => of(side + "_before");
for (const [side, other, score] of
  [["white", "black", white], ["black", "white", 1 - white]]) {
  const after = rate(before(side), [[...before(other).slice(0, 2), score]], 0);
  after[1] = Math.max(after[1], 30); // the least deviation here
  if (after.some((x, i) => Math.abs(x - of(side)[i]) > [1e-3, 1e-3, 1e-6][i])) {
    console.log(`${side} is ${of(side)}, the paper says ${after}`);
    process.exit(1);
  }
  console.log(`${side}: ${before(side)[0].toFixed()} to ${after[0].toFixed()}`);
}
