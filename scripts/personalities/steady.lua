-- steady: sound and patient, the strongest of its kind. Thinks as long as its
-- clock allows, holds its back row, trades when ahead, and knows when a game is
-- drawn or lost.

local weights = {
	back_row = 130,
	trade_when_ahead = 140,
	blot_risk = 110,
	points = 110,
}

-- More positions while there is time; a few when there is none.
local function nodes_for(turn)
	local left = turn.remaining_ms
	if not left then
		return 60000
	elseif left < 5000 then
		return 4000
	elseif left < 30000 then
		return 20000
	end
	return 60000
end

local function choose(turn)
	local lines = search { nodes = nodes_for(turn), weights = weights }
	local score = lines[1].score
	local quiet_for_long = (turn.quiet or 0) >= 40
	local is_draughts = turn.family == "draughts"
	return {
		move = lines[1].move,
		accept_draw = turn.offer and is_draughts and score <= 20,
		offer_draw = is_draughts and quiet_for_long
			and turn.quiet % 20 == 0 and score >= -20 and score <= 20,
		think_ms = random(400, 1200),
	}
end

return {
	name = "steady",
	about = "Sound and patient, the strongest of the characters.",
	choose = choose,
}
