-- Short backgammon: each throws a die, the higher begins with both numbers.
return {
	name = "short-backgammon",
	base = "short-backgammon",
	about = "Short backgammon: an opening throw decides who begins; no "
		.. "draws.",
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 300000, increment_ms = 8000 },
}
