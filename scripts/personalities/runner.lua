-- runner: wants to be there first. In draughts every man runs for the last row,
-- whatever it leaves behind; in backgammon its last checkers run home and it
-- hits nobody on the way. Moves at once.

local weights = {
	-- draughts
	advance = 400,
	back_row = 0,
	centre = 0,
	mobility = 150,
	aggression = 0,
	trade_when_ahead = 50,
	-- backgammon
	race = 400,
	anchor = 0,
	hit = 0,
	prime = 0,
	points = 50,
}

-- What a move is worth to one in a hurry, in units of the search's scores.
local function haste(move)
	return (move.promotes and 150 or 0) - (move.king and 25 or 0)
		+ 150 * (move.off or 0) - 150 * (move.hits or 0)
end

local function choose(turn)
	local features = {}
	for _, move in ipairs(turn.moves) do
		features[move.move] = move
	end
	local lines = search { nodes = 3000, multipv = 8, weights = weights }
	local best, best_score
	for _, line in ipairs(lines) do
		local move = features[line.move]
		local score = line.score + (move and haste(move) or 0)
		if not best or score > best_score then
			best, best_score = line, score
		end
	end
	return {
		move = best.move,
		accept_draw = turn.offer and lines[1].score < 0,
		think_ms = random(50, 250),
	}
end

return {
	name = "runner",
	about = "Always in a hurry: runs for the last row, or home.",
	choose = choose,
}
