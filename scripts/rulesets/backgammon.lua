-- Backgammon as plyd plays it: White begins, no opening throw, no cube, and a
-- draw may be agreed.
return {
	name = "backgammon",
	base = "backgammon",
	about = "Backgammon without a cube; gammons count two, backgammons "
		.. "three. White begins.",
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 300000, increment_ms = 8000 },
}
