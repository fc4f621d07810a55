-- Russian draughts (shashki). Kings fly, men capture backwards too, any capture
-- may be chosen, and a man crowned in a capture goes on as a king.
return {
	name = "russian",
	base = "english",
	about = "Russian draughts: flying kings, men capture backwards, any "
		.. "capture may be chosen. White begins.",
	options = {
		first = "white",
		person = "white",
		notation = "algebraic",
		man_capture = "any",
		king = "flying",
		removal = "at_end",
		promotion = "continues",
	},
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
