-- Backgammon as tournaments play it: a match of several games with a doubling
-- cube and Crawford's rule. A lobby may ask for another length. Two minutes a
-- point for the whole match, and twelve seconds a turn that cost nothing.
return {
	name = "backgammon-match",
	base = "backgammon-match",
	about = "A match of several games with a doubling cube; Crawford's "
		.. "rule, gammons and backgammons count.",
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 840000, delay_ms = 12000 },
}
