-- English draughts, also called American checkers.
return {
	name = "english",
	base = "english",
	about = "English draughts: short kings, men capture forward, any "
		.. "capture may be chosen. Black begins.",
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
