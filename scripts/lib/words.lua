-- words: what personalities may say, by occasion. Only data: add lines, or make
-- a list of your own, and have it by `local words = use "words"`.
return {
	greeting = {
		"Hello! Have a good game.",
		"Hi there. I am still learning.",
		"Nice to meet you. Let us play!",
	},
	-- the opponent does well
	praise = {
		"Oh, I did not see that.",
		"Good move!",
		"You are good at this.",
	},
	draw = {
		"A draw? Gladly.",
		"Let us shake hands.",
	},
	-- it is about to lose
	farewell = {
		"Well played! That was fun.",
		"You have got me. Thank you for the game.",
		"Good game. Play me again some time!",
	},
}
