-- The configuration of plyd. This file is data: it returns one table, and
-- nothing else can be named in it. What you leave out has the value shown
-- here; a name that plyd does not know is an error, and plyd says its line.
--
--   plyd --check-config FILE    reads it and says whether it can be used
--   PLYD_LISTEN_PORT=7000 plyd  a setting from the environment: PLYD_, then
--                               the names in capitals, joined by _
--
-- Names that end in _ms are milliseconds, in _bytes bytes. Paths are relative
-- to the directory in which plyd is started.

return {
	-- Where players connect. 127.0.0.1 is this machine only; "0.0.0.0" is
	-- every IPv4 address, "::" every address that the machine has. There is
	-- no encryption here: put a TLS proxy in front on a public network.
	listen = {
		host = "127.0.0.1",
		port = 7531,
	},

	-- Where the journal lives. Created if it is not there. One plyd at a
	-- time; a second one refuses to start.
	data = {
		directory = "var/plyd",

		-- "full": an answer to a player means that his move survives a
		-- power cut. "normal": a power cut may take back the last moves,
		-- a crash of plyd may not. "none": for tests.
		durability = "full",
	},

	-- What one plyd will hold. At each limit a player is told so by name;
	-- nothing grows beyond it.
	limits = {
		connections = 1024,
		connections_per_address = 64,
		lobbies = 1024,
		lobbies_per_player = 4,
		matches = 4096,
		matches_per_player = 16,
		spectators_per_match = 64,

		-- Per connection: so many at once, then so many a second.
		requests_burst = 60,
		requests_per_second = 30,

		-- Bytes waiting for a connection that does not read. Then a
		-- player is disconnected (and may resume), a spectator gets a
		-- fresh picture.
		write_queue_bytes = 1048576,

		-- A connection that has not said hello, or that stopped in the
		-- middle of a message.
		hello_ms = 10000,
		message_ms = 30000,
		-- A connection from which nothing came; `ping` counts.
		idle_ms = 600000,
	},

	clocks = {
		-- How long the players may add their own chance to the dice
		-- before the first roll.
		nonce_wait_ms = 3000,
		-- After a crash of plyd: how long a turn waits for its player to
		-- come back before his clock runs on.
		resume_grace_ms = 15000,
		-- How long a player must be gone before the other may claim.
		claim_after_ms = 60000,
	},

	-- The processes that run scripts. One is for policies, the others
	-- choose moves for personalities.
	workers = {
		program = "plyd-script",
		-- 0: one less than the machine has cores, at least one.
		count = 0,
		-- A worker that does not answer in time is killed; its match
		-- goes on with plyd's own choice.
		load_deadline_ms = 2000,
		choose_deadline_ms = 5000,
		verdict_deadline_ms = 50,
	},

	-- Where the scripts lie. Every file that ends in .lua is loaded; the
	-- name is what the file itself says.
	scripts = {
		rulesets = "scripts/rulesets",
		policies = "scripts/policies",
		personalities = "scripts/personalities",
	},

	log = {
		-- "error", "warning", "info" or "debug".
		level = "info",
	},
}
