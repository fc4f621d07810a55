-- Turkish draughts as most federations have it: a man that reaches the last
-- row in a capture goes on as a man, and is crowned only if it ends there.
return {
	name = "turkish-classic",
	base = "turkish",
	about = "Turkish draughts in which a man is crowned only where its "
		.. "capture ends. White begins.",
	options = { promotion = "at_end" },
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
