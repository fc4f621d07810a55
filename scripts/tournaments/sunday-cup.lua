-- A knock-out at Turkish draughts, every Sunday at 15:30 local time. An example:
-- it is held once `enabled` is true.
return {
	name = "sunday-cup",
	title = "Sunday cup",
	enabled = false,

	when = "sun 15:30",
	ruleset = "turkish",
	format = "knockout",
	entries_max = 32,
	check_in_ms = 900000,           -- who is not there by then is out
	gap_ms = 120000,
}
