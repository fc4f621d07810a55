-- When a game of draughts is drawn without anybody asking. These are numbers,
-- so plyd keeps them itself and calls no script.
return {
	name = "standard",
	about = "Drawn after 80 half-moves without a capture or a promotion, "
		.. "or when a position occurs for the third time.",
	no_progress = 80,
	repetition = 3,
	no_progress_counts = "capture_or_promotion",
}
