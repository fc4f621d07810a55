-- ladder: ten levels of every game, from a beginner who overlooks half of what
-- happens to the best that plyd plays. A level is a row of numbers; change them
-- here, or copy a row into a personality of your own. A bot of a level misjudges
-- the same move of the same game alike each time it thinks about it.
--   nodes        positions it looks at
--   depth        half-moves it looks ahead; as far as it gets, if not said
--   lines        moves that it considers, 16 at most
--   noise        how far it misjudges a move, either way
--   margin       it never plays a move that seems worse by more
--   temperature  a move that seems worse by this is half as likely
--   slips        of 1000 moves, those in which it pays no attention
--   slip         what such a move may cost
-- Draughts counts in hundredths of a man, backgammon in thousandths of a game.

local ladder = {}

ladder.draughts = {
	{ nodes = 50, lines = 12, noise = 250, margin = 1000,
		temperature = 60, slips = 70, slip = 400 },
	{ nodes = 90, lines = 12, noise = 185, margin = 800,
		temperature = 50, slips = 55, slip = 350 },
	{ nodes = 150, lines = 10, noise = 138, margin = 700,
		temperature = 40, slips = 40, slip = 300 },
	{ nodes = 240, lines = 10, noise = 105, margin = 500,
		temperature = 30, slips = 30, slip = 250 },
	{ nodes = 360, lines = 8, noise = 84, margin = 420,
		temperature = 22, slips = 26, slip = 225 },
	{ nodes = 600, lines = 8, noise = 60, margin = 330,
		temperature = 16, slips = 20, slip = 200 },
	{ nodes = 1050, lines = 8, noise = 45, margin = 265,
		temperature = 13, slips = 15, slip = 178 },
	{ nodes = 1650, lines = 6, noise = 38, margin = 225,
		temperature = 11, slips = 12, slip = 162 },
	{ nodes = 2650, lines = 5, noise = 30, margin = 175,
		temperature = 7, slips = 9, slip = 138 },
	{ nodes = 3700, lines = 4, noise = 25, margin = 130,
		temperature = 2, slips = 6, slip = 120 },
}

-- Where kings fly, more moves are to be looked at for each half-move.
ladder.flying = {
	{ nodes = 50, lines = 12, noise = 250, margin = 1000,
		temperature = 60, slips = 70, slip = 400 },
	{ nodes = 90, lines = 12, noise = 180, margin = 800,
		temperature = 50, slips = 55, slip = 350 },
	{ nodes = 240, lines = 10, noise = 120, margin = 560,
		temperature = 34, slips = 34, slip = 275 },
	{ nodes = 380, lines = 8, noise = 205, margin = 550,
		temperature = 35, slips = 38, slip = 280 },
	{ nodes = 400, lines = 8, noise = 104, margin = 480,
		temperature = 26, slips = 28, slip = 240 },
	{ nodes = 600, lines = 8, noise = 80, margin = 360,
		temperature = 19, slips = 22, slip = 210 },
	{ nodes = 1350, lines = 8, noise = 39, margin = 250,
		temperature = 12, slips = 13, slip = 170 },
	{ nodes = 2100, lines = 6, noise = 34, margin = 210,
		temperature = 10, slips = 11, slip = 155 },
	{ nodes = 2900, lines = 5, noise = 27, margin = 160,
		temperature = 6, slips = 8, slip = 130 },
	{ nodes = 4500, lines = 4, noise = 21, margin = 120,
		temperature = 0, slips = 5, slip = 115 },
}

-- The best looks one throw ahead; the others only misjudge what they see.
ladder.backgammon = {}
for i, noise in ipairs { 1000, 760, 590, 460, 360, 280, 210, 150, 90, 0 } do
	ladder.backgammon[i] = { nodes = i < 10 and 3000 or 20000,
		depth = i < 10 and 1 or 2, lines = 16, noise = noise,
		margin = 10000, temperature = 0, slips = 0, slip = 0 }
end

-- Seconds of a person, as long as the clock allows them.
local function think(turn)
	local ms = random(300, 1200)
	local left = turn.remaining_ms
	return left and math.min(ms, left // 20) or ms
end

local function choose(turn, row)
	local slips = row.slips > 0 and random(1000) <= row.slips
	local lines = search {
		nodes = row.nodes,
		depth = row.depth,
		multipv = slips and math.max(row.lines, 8) or row.lines,
	}
	local best = lines[1].score
	return {
		move = pick(lines, {
			noise = row.noise,
			margin = slips and row.slip or row.margin,
			temperature = slips and row.slip or row.temperature,
		}),
		accept_draw = turn.offer and turn.family == "draughts" and best <= 0,
		think_ms = think(turn),
	}
end

local function rows_for(turn)
	if turn.options.king == "flying" then
		return ladder.flying
	end
	return ladder[turn.family]
end

-- The personality of a level, 1 to 10.
function ladder.level(level)
	return {
		name = "level-" .. level,
		about = "Step " .. level .. " of 10 on the ladder.",
		choose = function(turn)
			return choose(turn, rows_for(turn)[level])
		end,
	}
end

return ladder
