-- Nackgammon: backgammon with two more checkers far back, for longer games.
return {
	name = "nackgammon",
	base = "nackgammon",
	about = "Backgammon with two more checkers far back; an opening throw "
		.. "decides who begins; no draws.",
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 300000, increment_ms = 8000 },
}
