-- The configuration of plyd. This file is data: it returns one table, and
-- nothing else can be named in it. What you leave out has the value shown
-- here; a name that plyd does not know, or a value out of range, is an error.
--
--   plyd --check-config         reads it and the scripts, and says whether
--                               they can be used
--   plyd --print-config         what holds, and where each value came from
--   PLYD_LISTEN_PORT=7000 plyd  a setting from the environment: PLYD_, then
--                               section and name in capitals, joined by _
--
-- Behind each number stands its range. Names that end in _ms are milliseconds,
-- in _bytes bytes, in _kib 1024 bytes; other numbers are counts.

return {
	-- Where players connect. 127.0.0.1 is this machine only; "0.0.0.0" is
	-- every IPv4 address, "::" every address that the machine has. There is
	-- no encryption here: put a TLS proxy in front on a public network, and
	-- name its address as one of the proxies. What comes from there begins
	-- with the PROXY protocol's header, version 2 (haproxy: send-proxy-v2),
	-- which says for whom it speaks: limits, bans and the log are for that
	-- one. Without the header it is dropped. Addresses with a blank between
	-- them, or "none".
	listen = {
		host = "127.0.0.1",
		port = 7531,                    -- 0 to 65535; 0: any free one
		proxies = "none",
	},

	data = {
		-- Where the journal lives, relative to the directory in which
		-- plyd is started. Made if it is missing. One plyd at a time: a
		-- second one refuses to start.
		directory = "var/plyd",

		-- "full": an answer to a player means that his move survives a
		-- power cut. "normal": a power cut may take back the newest
		-- moves, a crash of plyd may not. "none": a power cut may take
		-- everything; for tests. "memory": nothing is written; when plyd
		-- ends, all players, matches and records are gone.
		durability = "full",

		-- Facts between two snapshots of players and lobbies: fewer make
		-- a faster start after a crash, more make less writing.
		snapshot_facts = 10000,         -- 10 to 100000000
		-- How long the records of finished matches are kept after
		-- their end, in ms; 0: for ever. A year is 31557600000.
		keep_records_ms = 0,            -- 0 to 3155760000000
		-- A directory that they are saved to before they are deleted,
		-- as `ply record` saves them, by month; "none": they are just
		-- deleted. Relative to where plyd is started.
		archive = "none",
	},

	-- What one plyd will hold. At each limit the player is told so by name;
	-- nothing grows beyond it.
	limits = {
		connections = 10000,            -- 1 to 1000000
		connections_per_address = 64,   -- 1 to 1000000
		players = 20000,                -- guests known; 2 to 1000000
		lobbies = 5000,                 -- 1 to 100000
		lobbies_per_player = 4,         -- 1 to 1000
		matches = 10000,                -- running; 1 to 100000
		matches_per_player = 32,        -- 1 to 1000
		watches_per_player = 64,        -- 1 to 1000
		-- Tournaments in all: the oldest finished one makes room for a
		-- new one. And those of one organiser that are not finished.
		tournaments = 200,              -- 0 to 10000
		tournaments_per_player = 4,     -- 0 to 1000
		-- Matches with personalities: running at a time, in all; lobbies
		-- that wait for one of those to end; both, of one player.
		ai_matches = 1000,              -- 1 to 100000
		ai_waiting = 100,               -- 0 to 10000
		ai_matches_per_player = 32,     -- 1 to 1000
		-- Seeks and challenges that a player has open, and challenges
		-- that wait for him; one more takes the place of the oldest that
		-- is a guest's.
		seeks_per_player = 4,           -- 1 to 16

		-- Per connection: so many at once, then so many a second.
		requests_burst = 200,           -- 1 to 1000000
		requests_per_second = 50,       -- 1 to 1000000

		-- Chat: a player may say so many lines at once, and one each
		-- chat_line_ms in the long run.
		chat_burst = 5,                 -- 1 to 1000
		chat_line_ms = 2000,            -- 1 to 600000
		reports_per_day = 10,           -- of one player; 0 to 1000

		-- What waits for a connection that does not read. Then it is
		-- closed; its player may resume.
		write_queue_bytes = 1048576,    -- 65536 to 268435456
		-- What waits for the journal, in all. Then requests are refused.
		outbox_bytes = 67108864,        -- 65536 to 1073741824

		-- A connection that has not said hello; one that stopped in the
		-- middle of a message; one from which nothing came at all
		-- (`ping` counts).
		hello_ms = 10000,               -- 100 to 600000
		message_ms = 30000,             -- 100 to 600000
		idle_ms = 900000,               -- 1000 to 86400000

		-- How long things are kept for players who are away: a seat in a
		-- lobby, a guest without a match, a finished match to look at.
		lobby_away_ms = 60000,          -- 1000 to 3600000
		guest_keep_ms = 86400000,       -- 1000 to 2000000000
		result_keep_ms = 300000,        -- 0 to 86400000

		-- Points of the longest match that a lobby may ask for.
		match_length = 25,              -- 1 to 64
		-- In a lobby with two players: when the seat of one who is not
		-- ready is freed.
		ready_wait_ms = 120000,         -- 1000 to 3600000
		-- How long a challenge waits for its answer.
		challenge_keep_ms = 120000,     -- 1000 to 86400000
	},

	-- Members, who log in, and bots with a token of yours.
	accounts = {
		most = 20000,                   -- 0 to 1000000
		-- Deleted accounts whose ids are kept, only to leave them out
		-- of the records of their matches.
		deleted = 100000,               -- 0 to 10000000
		-- How long nobody else may take a name that somebody gave up,
		-- and how long a one-time password of yours is good; both count
		-- only while plyd runs.
		rename_hold_ms = 2592000000,    -- 0 to 31536000000
		reset_keep_ms = 86400000,       -- 60000 to 2592000000

		-- What hashing a password (Argon2id) costs whoever tries many,
		-- and plyd: two run at a time, so many may wait. Passwords that
		-- were hashed otherwise stay good, and are hashed anew when
		-- they are next used.
		hash_memory_kib = 19456,        -- 8 to 1048576
		hash_passes = 3,                -- 1 to 100
		hashes_waiting = 32,            -- 1 to 256

		-- Passwords that may be tried at once for one login from one
		-- address, and from one address; then one more every so many
		-- ms. For one login from all addresses together it is ten times
		-- as many, but where it has logged in before it need not wait
		-- for others. Here and above an IPv6 /64 is one address.
		logins_per_account = 10,        -- 1 to 1000000
		login_account_ms = 30000,       -- 1 to 86400000
		logins_per_address = 50,        -- 1 to 1000000
		login_address_ms = 2000,        -- 1 to 86400000
	},

	clocks = {
		-- How long the players may add their own chance to the dice
		-- before the first roll.
		nonce_wait_ms = 3000,           -- 0 to 60000
		-- After a crash of plyd: how long a turn waits for its player to
		-- come back before his clock runs.
		resume_grace_ms = 15000,        -- 0 to 600000
		-- How long a player must be away before the other may claim.
		claim_after_ms = 60000,         -- 1000 to 3600000
		-- How long a match without a clock is kept when both players are
		-- away: 30 days.
		adjourned_keep_ms = 2592000000, -- 60000 to 31536000000
		-- The way of messages is not charged, if a player's program
		-- measures it (match.seen): of each move so much at most, and of
		-- each side so much in a match. A cheater can gain as much, and
		-- no more. 0: nothing is credited.
		lag_per_move_ms = 500,          -- 0 to 5000
		lag_total_ms = 10000,           -- 0 to 600000
		-- While a match runs the time is stored so often, though nothing
		-- else happens. Days for a move, and absences, go on there after
		-- a crash.
		time_fact_ms = 60000,           -- 1000 to 3600000
	},

	matches = {
		-- A match with a clock is aborted, and rates nobody, if one of
		-- its first two half-moves takes so long.
		first_move_ms = 120000,         -- 1000 to 86400000
		-- How long a wish for a rematch stands.
		rematch_wait_ms = 60000,        -- 1000 to 86400000
		-- So often a player may leave matches in the middle; after so
		-- long one leave less is counted; and for each one above those
		-- allowed he waits so long before he may play others again.
		leaves_allowed = 2,             -- 0 to 1000
		leave_counts_ms = 3600000,      -- 1000 to 31536000000
		cool_down_ms = 300000,          -- 0 to 86400000
	},

	ratings = {
		-- 0: matches in which a bot plays have ratings of their own, of
		-- people against bots too. 1: all matches count alike.
		join_pools = 0,                 -- 0 or 1
	},

	spectators = {
		-- How late they see matches, at least; players may ask for more
		-- when they open a lobby.
		delay_ms = 0,                   -- 0 to 900000
		-- Players whose matches one player may follow.
		follows_per_player = 16,        -- 1 to 1000
	},

	-- The processes that run scripts and choose moves for personalities.
	workers = {
		-- A name without a / lies beside plyd itself.
		program = "plyd-script",
		-- 0: one less than the machine has cores, at least one.
		count = 0,                      -- 0 to 256
		-- Turns that wait for a worker; then plyd chooses by itself.
		queue = 10000,                  -- 1 to 1000000
		-- A worker that does not answer in time is killed; its match
		-- goes on with plyd's own choice.
		load_deadline_ms = 2000,        -- 10 to 60000
		choose_deadline_ms = 5000,      -- 10 to 60000
		verdict_deadline_ms = 50,       -- 1 to 1000
	},

	-- Where the scripts lie, relative to this file. Every file that ends in
	-- .lua is loaded; the name is what the file itself says.
	scripts = {
		rulesets = "rulesets",
		policies = "policies",
		personalities = "personalities",
		tournaments = "tournaments",
		libraries = "lib", -- for scripts to use; need not be there
	},

	chat = {
		-- A file of words that are shown as asterisks, relative to this
		-- file; "none": there is none. One word a line, a * at its end
		-- stands for whatever may follow, # begins a remark. Whole words
		-- of any letters, small or capital, are compared; at most 4000
		-- words and 65536 bytes.
		words = "none",
	},

	admin = {
		-- The operator's console, for `ply admin`: a Unix socket that
		-- only the user who runs plyd can open. Relative to the data
		-- directory, or an absolute path.
		socket = "admin.sock",
		-- What clients are told when plyd stops: when to come back.
		retry_after_ms = 2000,          -- 0 to 3600000
	},

	-- For those who watch plyd: /metrics for Prometheus, /healthz, /readyz.
	-- Not for players, and without a password: keep it on this machine or
	-- in a network of your own.
	http = {
		host = "127.0.0.1",             -- "none": not at all
		port = 7533,                    -- 0 to 65535; 0: any free one
		-- More connections are closed, more requests told to come later.
		connections = 16,               -- 1 to 1000
		requests_per_second = 20,       -- 1 to 10000
	},

	log = {
		-- Lines of the same words: so many in so long are written, of
		-- others only their number.
		like_lines = 100,               -- 1 to 1000000
		like_ms = 10000,                -- 100 to 3600000
		-- "plain": time and level in the line; "journald": a priority
		-- before it; "auto": as whatever reads it wants it.
		format = "auto",
		-- "error", "warning", "info" or "debug".
		level = "info",
	},
}
