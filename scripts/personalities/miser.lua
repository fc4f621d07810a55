-- miser: gives nothing away. In draughts its back row stays at home as long as
-- there is anything else to move; in backgammon it leaves no blot that it can
-- cover and holds on to its points. Thinks long over small things.

local weights = {
	-- draughts
	back_row = 400,
	advance = 0,
	centre = 100,
	mobility = 60,
	trade_when_ahead = 0,
	aggression = 0,
	-- backgammon
	blot_risk = 400,
	boldness = 0,
	anchor = 300,
	points = 300,
	hit = 30,
	race = 50,
}

-- What a move keeps together, in units of the search's scores.
local function thrift(move)
	return 60 * (move.points or 0) - 120 * (move.blots or 0)
end

local function choose(turn)
	local features = {}
	for _, move in ipairs(turn.moves) do
		features[move.move] = move
	end
	local lines = search { nodes = 5000, multipv = 10, weights = weights }
	local best, best_score
	for _, line in ipairs(lines) do
		local move = features[line.move]
		local score = line.score + (move and thrift(move) or 0)
		if not best or score > best_score then
			best, best_score = line, score
		end
	end
	return {
		move = best.move,
		accept_draw = turn.offer and lines[1].score <= 30,
		think_ms = random(1200, 2400),
	}
end

return {
	name = "miser",
	about = "Gives nothing away: keeps its back row, its points and its time.",
	choose = choose,
}
