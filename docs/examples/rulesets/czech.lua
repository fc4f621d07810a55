-- Czech draughts: men capture forward only, and where a king can capture, a
-- king must.
return {
	name = "czech",
	base = "english",
	about = "Czech draughts: flying kings, men capture forward, kings "
		.. "capture before men. White begins.",
	options = {
		first = "white",
		person = "white",
		notation = "algebraic",
		king = "flying",
		removal = "at_end",
		majority = "king",
	},
	policy = "standard",
	clock = { base_ms = 300000, increment_ms = 3000 },
}
