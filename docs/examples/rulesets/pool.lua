-- American pool checkers: as Russian draughts, but Black begins and a man is
-- crowned only where its capture ends.
return {
	name = "pool",
	base = "english",
	about = "Pool checkers: flying kings, men capture backwards, any "
		.. "capture may be chosen. Black begins.",
	options = {
		man_capture = "any",
		king = "flying",
		removal = "at_end",
		promotion = "at_end",
	},
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
