-- Brazilian draughts: the rules of international draughts on 64 squares. The
-- most pieces must be captured, and a man is crowned only where it ends.
return {
	name = "brazilian",
	base = "english",
	about = "Brazilian draughts: flying kings, men capture backwards, the "
		.. "most pieces must be captured. White begins.",
	options = {
		first = "white",
		person = "white",
		notation = "algebraic",
		man_capture = "any",
		king = "flying",
		removal = "at_end",
		majority = "number",
		promotion = "at_end",
	},
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
