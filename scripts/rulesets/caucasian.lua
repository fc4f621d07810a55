-- Short backgammon without hit-and-hide: a checker that hit in its own home
-- may not join another one in the same turn.
return {
	name = "caucasian",
	base = "short-backgammon",
	about = "Short backgammon in which a checker that hit in its home may "
		.. "not hide in the same turn.",
	options = { hit_and_hide = false, hit_and_bear_off = "if_forced" },
	policy = "standard",
	draws = { no_progress = 0, repetition = 0 }, -- dice decide
	clock = { base_ms = 300000, increment_ms = 8000 },
}
