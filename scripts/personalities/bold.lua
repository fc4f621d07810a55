-- bold: goes at the opponent. In draughts it crowds forward and trades freely;
-- in backgammon it hits, leaves blots and plays for gammons. Never takes a draw
-- unless it is losing.

local weights = {
	-- draughts
	aggression = 350,
	advance = 300,
	back_row = 0,
	centre = 60,
	contempt = 150,
	-- backgammon
	hit = 400,
	blot_risk = 60,
	boldness = 400,
	gammon = 250,
	anchor = 40,
}

-- How much a move attacks, in units of the search's scores.
local function fire(move)
	return 12 * (move.captures or 0) + 400 * (move.hits or 0)
end

local function choose(turn)
	local features = {}
	for _, move in ipairs(turn.moves) do
		features[move.move] = move
	end
	local lines = search { nodes = 6000, multipv = 10, weights = weights }
	local best, best_score
	for _, line in ipairs(lines) do
		local move = features[line.move]
		local score = line.score + (move and fire(move) or 0)
		if not best or score > best_score then
			best, best_score = line, score
		end
	end
	return {
		move = best.move,
		accept_draw = turn.offer and lines[1].score < -200,
		think_ms = random(200, 700),
	}
end

return {
	name = "bold",
	about = "An attacker: hits, crowds and gambles. Does not like draws.",
	choose = choose,
}
