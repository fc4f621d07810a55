-- Hypergammon: backgammon with three checkers a side, all far back.
return {
	name = "hypergammon",
	base = "hypergammon",
	about = "Backgammon with three checkers a side; an opening throw "
		.. "decides who begins; no draws.",
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 120000, increment_ms = 5000 },
}
