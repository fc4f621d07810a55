-- no-draws: nobody can agree on a draw. The limits that end a game which goes
-- nowhere remain, but wider: without them two kings would walk for ever.
return {
	name = "no-draws",
	about = "No draw by agreement; drawn only after 160 half-moves without "
		.. "progress, or when a position occurs for the fifth time.",
	no_progress = 160,
	repetition = 5,
	offers = { allowed = false },
}
