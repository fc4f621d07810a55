-- federation: draws as federations have them, with their sources.
--
-- English draughts: neither side has moved a man or taken a piece in its last
-- 40 moves, which are 80 half-moves; or a position occurs for the third time.
-- From "Rules of Draughts (Checkers)" of the World Checkers/Draughts
-- Federation, section 1, on draws. There a player must show it to the referee;
-- here plyd counts, and the game ends by itself.
--
-- Turkish draughts: with one piece each the game is a draw, unless the side to
-- move can take the last one. From the rules of Turkish draughts at
-- https://draughts.github.io/turkish-draughts.html. (On a king against one man
-- the published rules disagree; so nothing special is said of it.)

local function count(board)
	local pieces = { white = 0, black = 0 }
	for _, piece in pairs(board) do
		pieces[piece.side] = pieces[piece.side] + 1
	end
	return pieces
end

local function can_capture(moves)
	for _, move in ipairs(moves) do
		if move.captures > 0 then
			return true
		end
	end
	return false
end

-- Asked after each move, for every ruleset that follows this policy.
local function verdict(turn)
	if turn.options.man_step ~= "forward_sideways" then
		return nil -- not Turkish draughts
	end
	local pieces = count(turn.board)
	if pieces.white == 1 and pieces.black == 1
			and not can_capture(turn.moves) then
		return { verdict = "draw", reason = "one piece each" }
	end
end

return {
	name = "federation",
	about = "Drawn after 40 moves of each side without a capture or a man's "
		.. "move; Turkish draughts also with one piece each.",
	no_progress = 80,
	repetition = 3,
	no_progress_counts = "capture_or_man_move",
	verdict = verdict,
}
