-- A Swiss of five rounds at English draughts, every Friday at 20:00 in the
-- local time of the server (the environment's TZ). Its list of fields is in
-- docs/scripting.md. This one is an example: it is held once `enabled` is true.
return {
	name = "friday-swiss",
	title = "Friday Swiss",
	enabled = false,

	when = "fri 20:00",             -- sun to sat, or daily
	registration_hours = 48,        -- it may be entered so long before

	ruleset = "english",
	base_ms = 300000, increment_ms = 3000,
	rated = true,

	format = "swiss",
	rounds = 5,
	scoring = "half",
	breaks = "buchholz_cut1 buchholz sonneborn_berger lots",
	late_rounds = 2,
	gap_ms = 60000,
	no_show_ms = 300000,
}
