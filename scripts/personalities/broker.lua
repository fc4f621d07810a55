-- broker: wants a settlement. In draughts it seeks the middle of the board,
-- where pieces are exchanged, crowns late, and offers a draw whenever it is not
-- clearly behind or ahead; in backgammon it builds points and primes, hits only
-- where it must, and would rather win a little than a lot.

local weights = {
	-- draughts
	centre = 400,
	trade_when_ahead = 400,
	advance = 40,
	contempt = -100,
	-- backgammon
	prime = 400,
	home_board = 400,
	points = 200,
	gammon = 0,
	anchor = 300,
	race = 60,
	hit = 0,
}

-- Half-moves between its offers.
local PATIENCE = 8

-- The best of the lines by their score, less what each hit offends.
local function peaceful(turn, lines)
	local hits, best, best_score = {}, nil, nil
	for _, move in ipairs(turn.moves) do
		hits[move.move] = move.hits or 0
	end
	for _, line in ipairs(lines) do
		local score = line.score - 150 * (hits[line.move] or 0)
		if not best or score > best_score then
			best, best_score = line, score
		end
	end
	return best.move
end

local function choose(turn)
	local lines = search {
		nodes = 4000,
		multipv = turn.family == "backgammon" and 10 or 1,
		weights = weights,
	}
	local score = lines[1].score
	local even = turn.family == "draughts" and score > -80 and score < 120
	return {
		move = peaceful(turn, lines),
		accept_draw = turn.offer and even,
		offer_draw = even and turn.ply >= 12 and turn.ply % PATIENCE < 2,
		think_ms = random(500, 900),
	}
end

return {
	name = "broker",
	about = "A diplomat: holds the middle and would sooner settle than fight.",
	choose = choose,
}
