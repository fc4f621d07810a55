-- gentle: a beginner who means well. Looks a move or two ahead, misjudges
-- every move a little, and does not see what is left hanging.

local function choose(turn)
	local lines = search {
		depth = 2,
		nodes = 2000,
		multipv = 8,
		weights = { mobility = 40, trade_when_ahead = 0, blot_risk = 30 },
	}
	return {
		move = pick(lines, { margin = 350, temperature = 40, noise = 90 }),
		-- glad to shake hands
		accept_draw = turn.offer,
		think_ms = random(600, 1500),
	}
end

return {
	name = "gentle",
	about = "A friendly beginner: looks two moves ahead and misses things.",
	choose = choose,
}
