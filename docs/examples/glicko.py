#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rates the match of a record again, by Glicko-2: glicko.py RECORD.json
Without a record it reckons the example of Glickman's paper."""
import json, sys
from math import exp, log, pi, sqrt

SCALE = 173.7178
g = lambda phi: 1 / sqrt(1 + 3 * (phi / pi) ** 2)


def rate(rating, deviation, volatility, games, periods, tau=0.5):
    """games: (rating, deviation, score) of each; periods: that pass with them."""
    phi, info, gain = deviation / SCALE, 0, 0
    for other, other_deviation, score in games:
        weight = g(other_deviation / SCALE)
        e = 1 / (1 + exp(-weight * (rating - other) / SCALE))
        info += weight**2 * e * (1 - e)
        gain += weight * (score - e)
    a = log(volatility**2)
    spread = lambda x: phi**2 + 1 / info + exp(x)
    f = lambda x: (exp(x) * ((gain / info) ** 2 - spread(x))
                   / (2 * spread(x) ** 2) - (x - a) / tau**2)
    low, high = a - 10, a + 10  # f falls; its root by halves
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    volatility = exp(low / 2)
    square = 1 / (1 / (phi**2 + periods * volatility**2) + info)
    return rating + SCALE * square * gain, SCALE * sqrt(square), volatility


if len(sys.argv) == 1:
    games = [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)]
    print("%.2f %.2f %.6f" % rate(1500, 200, 0.06, games, 1))
    sys.exit()
record = json.load(open(sys.argv[1], encoding="utf-8"))
facts = {fact["fact"]: fact for fact in record["facts"]}
rated, white = facts["rated"], [1, 0, 0.5][facts["ended"]["result"]]
units = {"milli": 1e3, "deviation_milli": 1e3, "volatility_nano": 1e9}
of = lambda side: [rated[f"{side}_{u}"] / units[u] for u in units]
before = lambda side: of(f"{side}_before")
for side, other, score in ("white", "black", white), ("black", "white", 1 - white):
    new = rate(*before(side), [(*before(other)[:2], score)], 0)
    new = [new[0], max(new[1], 30), new[2]]  # 30: the least deviation here
    if any(abs(a - b) > c for a, b, c in zip(new, of(side), (1e-3, 1e-3, 1e-6))):
        sys.exit(f"{side} is {of(side)}, the paper says {new}")
    print(f"{side}: {before(side)[0]:.0f} to {new[0]:.0f}")
