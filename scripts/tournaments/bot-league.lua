-- A double round robin of bots at backgammon, every day at 03:00 local time.
-- An example: it is held once `enabled` is true.
return {
	name = "bot-league",
	title = "Bot league",
	enabled = false,

	when = "daily 03:00",
	ruleset = "backgammon",
	players = "bot",                -- this is the consent to bots
	entries_max = 16,

	format = "double_round_robin",
	scoring = "points",             -- gammons and backgammons count
	breaks = "wins direct lots",
}
