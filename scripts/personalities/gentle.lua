-- gentle: a beginner who means well. Looks a move or two ahead, misjudges
-- every move a little, and does not see what is left hanging. Has a kind word
-- now and then; the words are in lib/words.lua.

local words = use "words"

-- Scores below which gentle is behind, and as good as lost.
local limits = {
	draughts = { behind = -150, lost = -20000 },
	backgammon = { behind = -300, lost = -995 },
}

-- How it misjudges and is tempted: `pick' says what these are.
local tastes = {
	draughts = { margin = 350, temperature = 40, noise = 90 },
	backgammon = { margin = 800, temperature = 60, noise = 300 },
}

-- One of the words for the occasion; nothing for most turns.
local function remark(turn, score)
	local limit = limits[turn.family]
	local list
	if turn.offer then
		list = words.draw
	elseif turn.ply < 2 then
		list = words.greeting
	elseif score < limit.lost then
		list = random(2) == 1 and words.farewell
	elseif score < limit.behind then
		list = random(10) == 1 and words.praise
	end
	return list and list[random(#list)] or nil
end

local function choose(turn)
	local lines = search {
		depth = 2,
		nodes = 2000,
		multipv = 8,
		weights = { mobility = 40, trade_when_ahead = 0, blot_risk = 0 },
	}
	return {
		move = pick(lines, tastes[turn.family]),
		-- glad to shake hands
		accept_draw = turn.offer,
		think_ms = random(600, 1500),
		say = remark(turn, lines[1].score),
	}
end

return {
	name = "gentle",
	about = "A friendly beginner: looks two moves ahead and misses things.",
	choose = choose,
}
