-- club: for evenings on which games are to be played out. No draw may be agreed
-- before each side has made 15 moves, and then each has two offers, which come
-- back with the next capture or promotion. All of it is data: plyd keeps it
-- without calling a script, and players who may not offer are told why.
return {
	name = "club",
	about = "As standard; no draw by agreement before move 15, and two offers "
		.. "each until something is captured or crowned.",
	no_progress = 80,
	repetition = 3,
	offers = { from_move = 15, budget = 2 },
}
