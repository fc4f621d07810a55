#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A second Glicko-2, written from Glickman's paper with 40 decimal digits and
plain bisection: glicko2.py writes the vectors, glicko2.py --check FILE compares
them with a file. It shares nothing with the server's."""
import json
import random
import sys
from decimal import Decimal as D, getcontext

getcontext().prec = 40
PI = D("3.141592653589793238462643383279502884197")
SCALE = D("173.7178")


def g(phi):
    return 1 / (1 + 3 * phi**2 / PI**2).sqrt()


def volatility(delta, phi, v, sigma, tau):
    """The root of the paper's f, by halving an interval that holds it."""
    a = (sigma**2).ln()

    def f(x):
        e = x.exp()
        return (e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2)
                - (x - a) / tau**2)

    low, high = a, a
    step = D("0.5")
    while f(low) < 0:
        low -= step
    while f(high) > 0:
        high += step
    while high - low > D("1e-20"):
        middle = (low + high) / 2
        if f(middle) > 0:
            low = middle
        else:
            high = middle
    return (low / 2).exp()


def rate(before, games, periods, tau):
    rating, deviation, sigma = map(D, before)
    tau, periods = D(tau), D(periods)
    mu, phi = (rating - 1500) / SCALE, deviation / SCALE
    weight = total = D(0)
    for other, other_deviation, score in games:
        muj, phij = (D(other) - 1500) / SCALE, D(other_deviation) / SCALE
        e = 1 / (1 + (-g(phij) * (mu - muj)).exp())
        weight += g(phij) ** 2 * e * (1 - e)
        total += g(phij) * (D(score) - e)
    if games:
        sigma = volatility(total / weight, phi, 1 / weight, sigma, tau)
    star2 = phi**2 + periods * sigma**2
    new2 = 1 / (1 / star2 + weight)
    return (SCALE * (mu + new2 * total) + 1500, SCALE * new2.sqrt(), sigma)


def rows():
    rng = random.Random(20)
    paper = (("1500", "200", "0.06"),
             (("1400", "30", "1"), ("1550", "100", "0"), ("1700", "300", "0")),
             "1", "0.5")
    yield paper
    for number in range(240):
        before = (str(rng.randint(800, 2600)), str(rng.randint(30, 350)),
                  str(D(rng.randint(300, 1000)) / 10000))
        games = tuple((str(rng.randint(800, 2600)), str(rng.randint(30, 350)),
                       rng.choice(("0", "0.5", "1")))
                      for _ in range(number % 7 if number % 3 else 1))
        yield before, games, str(number % 3), rng.choice(("0.3", "0.5", "1.2"))


def written():
    lines = []
    for before, games, periods, tau in rows():
        after = rate(before, games, periods, tau)
        lines.append(json.dumps({
            "before": before, "games": games, "periods": periods, "tau": tau,
            "after": [f"{x:.9f}" for x in after]}))
    return "\n".join(lines) + "\n"


if sys.argv[1:2] == ["--check"]:
    with open(sys.argv[2], encoding="utf-8") as file:
        if file.read() != written():
            sys.exit(f"{sys.argv[2]} is not what glicko2.py writes")
    print("the vectors are those of glicko2.py")
else:
    sys.stdout.write(written())
