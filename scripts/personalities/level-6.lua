-- level-6: a step of the ladder, which is in lib/ladder.lua.
local ladder = use "ladder"
return ladder.level(6)
