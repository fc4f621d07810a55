-- Turkish draughts (dama). A man that reaches the last row in a capture is a
-- king at once and goes on as one.
return {
	name = "turkish",
	base = "turkish",
	about = "Turkish draughts: straight moves, flying kings, the greatest "
		.. "capture must be played. White begins.",
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
