"""Which test meets which limit, attack and fault of the world. A limit that is
declared and has no test here is an error of tests/checks/limits.py, and so is a
test that is not there.

A name stands for the function of that name, in a file of tests/unit (C) or of
tests/integration (Python). `make test` runs all of them."""

U_HELLO = "tests/unit/domain/hello_test.c"
U_AI = "tests/unit/domain/ai_test.c"
U_ACCOUNT = "tests/unit/domain/account_test.c"
U_LOBBY = "tests/unit/domain/lobby_test.c"
U_MEETING = "tests/unit/domain/meeting_test.c"
U_LEAVE = "tests/unit/domain/leave_test.c"
U_CHAT = "tests/unit/domain/chat_test.c"
U_CLOCK = "tests/unit/domain/match_clock_test.c"
U_MOVE = "tests/unit/domain/move_test.c"
U_TOURNAMENT = "tests/unit/domain/tournament_limits_test.c"
U_WATCH = "tests/unit/domain/watch_test.c"
U_VERDICT = "tests/unit/domain/verdict_test.c"
S_ACCOUNT = "tests/unit/session/account_test.c"
S_ORDER = "tests/unit/session/order_test.c"
S_PACE = "tests/unit/session/pace_test.c"
S_OPERATOR = "tests/unit/session/operator_test.c"
HOSTILE = "tests/integration/hostile.py"
FLOODS = "tests/integration/floods.py"
LIMITS = "tests/integration/limits.py"

# In the answer to hello, under `limits`.
PUBLISHED = {
    "message_bytes": (HOSTILE, "endless_messages"),
    "message_elements": (HOSTILE, "headers_that_promise"),
    "message_depth": (HOSTILE, "refused_one_by_one"),
    "answer_bytes": (LIMITS, "answers_are_bounded"),
    "lobbies": (LIMITS, "lobbies_of_one_player"),
    "matches": (LIMITS, "matches_of_one_player"),
    "seeks": (LIMITS, "seeks_of_one_player"),
    "challenge_keep_ms": (U_MEETING, "a_challenge_lapses"),
    "ready_wait_ms": (U_MEETING, "the_seat_of_one_who_is_not_ready_is_freed"),
    "lobby_away_ms": (U_LOBBY, "an_absent_player_loses_his_lobby_seat"),
    "list_shown": (LIMITS, "lists_come_in_pages"),
    "watches": (LIMITS, "watches_of_one_player"),
    "requests_per_s": (HOSTILE, "requests_at_full_speed"),
    "requests_burst": (HOSTILE, "rate_limit"),
    "idle_ms": (S_ORDER, "silence_ends"),
    "legal_moves": (LIMITS, "answers_are_bounded"),
    "plies": ("tests/unit/domain/draws_test.c", "the_longest_match_is_a_draw"),
    "match_length": (LIMITS, "matches_have_a_length"),
    "chat_chars": (LIMITS, "chat_is_paced"),
    "chat_burst": (LIMITS, "chat_is_paced"),
    "chat_line_ms": (U_CHAT, "the_rate_is_held"),
    "blocks": (LIMITS, "blocks_of_one_player"),
    "reports_per_day": (LIMITS, "reports_of_one_player"),
}

# L lines of src/domain/limits.h.
DOMAIN = {
    "players_max": (U_HELLO, "players_have_a_maximum"),
    "accounts_max": (LIMITS, "accounts_in_all"),
    "deleted_max": (LIMITS, "deleted_accounts"),
    "hashes_waiting_max": (U_ACCOUNT, "passwords_wait_in_a_bounded_queue"),
    "rename_hold_ms": (U_ACCOUNT, "an_old_name_is_kept_for_a_while"),
    "reset_keep_ms": (U_ACCOUNT, "the_operator_resets_a_password"),
    "lobbies_max": (LIMITS, "lobbies_in_all"),
    "matches_max": (LIMITS, "matches_in_all"),
    "lobbies_per_player": (LIMITS, "lobbies_of_one_player"),
    "seeks_per_player": (LIMITS, "challenges_of_one_player"),
    "ready_wait_ms": (U_MEETING, "the_seat_of_one_who_is_not_ready_is_freed"),
    "challenge_keep_ms": (U_MEETING, "a_challenge_lapses"),
    "matches_per_player": (LIMITS, "matches_of_one_player"),
    "ai_matches_max": (U_AI, "what_is_beyond_waits_in_order"),
    "ai_waiting_max": (U_AI, "a_full_queue_is_told_by_name"),
    "ai_matches_per_player": (U_AI, "a_player_has_so_many"),
    "watches_per_player": (LIMITS, "watches_of_one_player"),
    "chat_burst": (LIMITS, "chat_is_paced"),
    "chat_line_ms": (U_CHAT, "the_rate_is_held"),
    "reports_per_day": (LIMITS, "reports_of_one_player"),
    "nonce_wait_ms": ("tests/unit/domain/dice_test.c",
                      "missing_nonces_are_empty_after_a_while"),
    "verdict_wait_ms": (U_VERDICT, "and_no_longer_than_the_clock_is_held"),
    "claim_after_ms": (U_MOVE, "who_stayed_may_claim"),
    "lobby_away_ms": (U_LOBBY, "an_absent_player_loses_his_lobby_seat"),
    "guest_keep_ms": (U_HELLO, "guests_are_forgotten"),
    "restart_grace_ms": ("tests/unit/record/replay_test.c",
                         "timers_run_again_after_a_restart"),
    "match_length_max": (LIMITS, "matches_have_a_length"),
    "lag_per_move_ms": (U_CLOCK, "a_way_is_credited"),
    "lag_total_ms": (U_CLOCK, "a_quota_is_used_up"),
    "time_fact_ms": ("tests/unit/record/kills_test.c",
                     "time_is_recorded_while_a_match_runs"),
    "result_keep_ms": (U_MOVE, "a_result_is_kept_and_then_forgotten"),
    "first_move_ms": (U_LEAVE, "who_never_comes_is_waited_for_a_while"),
    "leaves_allowed": (U_LEAVE, "who_leaves_often_cools_down"),
    "leave_counts_ms": (U_LEAVE, "who_leaves_often_cools_down"),
    "cool_down_ms": (U_LEAVE, "who_cools_down_is_told_how_long"),
    "rematch_wait_ms": ("tests/unit/domain/rematch_test.c", "a_wish_lapses"),
    "adjourned_keep_ms": (U_LEAVE, "it_waits_thirty_days"),
    "spectator_delay_ms": (U_WATCH, "spectators_see_it_late"),
    "tournaments_max": (U_TOURNAMENT, "tournaments_have_limits"),
    "tournaments_per_player": (U_TOURNAMENT, "tournaments_have_limits"),
    "follows_per_player": (LIMITS, "follows_of_one_player"),
    "join_pools": ("tests/unit/domain/rating_test.c",
                   "bots_have_a_pool_of_their_own"),
}

# H lines of src/session/hub.h.
HUB = {
    "connections_max": (FLOODS, "too_many_in_all"),
    "connections_per_address": (FLOODS, "too_many_of_one_address"),
    "requests_per_s": (HOSTILE, "requests_at_full_speed"),
    "requests_burst": (HOSTILE, "rate_limit"),
    "logins_per_account": (S_ACCOUNT, "guessing_is_slow"),
    "login_account_ms": (S_ACCOUNT,
                         "many_guessers_lock_out_nobody_who_is_known"),
    "logins_per_address": (S_ACCOUNT, "an_address_has_its_own_measure"),
    "login_address_ms": (S_ACCOUNT, "a_throttle_forgets_in_order"),
    "hello_ms": (HOSTILE, "no_hello"),
    "message_ms": (HOSTILE, "half_a_message"),
    "idle_ms": (S_ORDER, "silence_ends"),
    "pause_bytes": (S_PACE, "a_pipeline_of_large_answers"),
    "outbox_bytes": (S_PACE, "what_waits_for_the_journal_is_bounded"),
    "retry_after_ms": ("tests/integration/upgrade.py", "bad_programs"),
    "snapshot_facts": (S_PACE, "snapshots_keep_starts_short"),
}

# Counts that are fixed, wherever in src they are declared.
FIXED = {
    "NAME_BYTES_MAX": ("tests/unit/domain/name_test.c",
                       "three_hundred_bytes_are_no_name"),
    "KEYS_REMEMBERED": (LIMITS, "keys_remembered"),
    "SESSIONS_PER_PLAYER_MAX": (LIMITS, "sessions_of_one_account"),
    "PASSWORD_BYTES_MAX": (S_ACCOUNT, "passwords_are_of_8_to_128_bytes"),
    "CHAT_LINES_KEPT": (U_CHAT, "the_newest_lines_are_kept"),
    "CHAT_OFF_REMEMBERED": (U_CHAT, "old_switches_are_forgotten"),
    "BLOCKS_MAX": (LIMITS, "blocks_of_one_player"),
    "REPORTS_OPEN_MAX": (U_CHAT, "members_report_when_guests_no_more_can"),
    "REPORTS_OF_GUESTS_MAX": (LIMITS, "reports_of_guests"),
    "EVIDENCE_BYTES_MAX": (U_CHAT, "evidence_is_bounded"),
    "HELD_MOVES_MAX": (U_VERDICT, "only_so_many_moves_wait"),
    "WATCHERS_MAX": (U_WATCH, "a_match_has_so_many_spectators"),
    "FOLLOWERS_MAX": (U_WATCH, "a_player_has_so_many_followers"),
    "INVITED_MAX": (LIMITS, "invited_to_one_lobby"),
    "BARRED_MAX": (LIMITS, "thrown_out_of_one_lobby"),
    "LIST_SHOWN_MAX": (LIMITS, "lists_come_in_pages"),
    "OPERATORS_MAX": (S_OPERATOR, "there_is_room_for_operators"),
    "HELLO_ATTEMPTS_MAX": (HOSTILE, "wrong_tokens"),
    "ANSWER_PART_BYTES": (S_ORDER, "a_long_answer_counts_as_several"),
    "HELD_BYTES_MAX": (S_PACE, "a_pipeline_of_large_answers"),
    "THROTTLED_MAX": (S_ACCOUNT, "a_throttle_forgets_in_order"),
    "LOGIN_ADDRESSES": (S_ACCOUNT,
                        "many_guessers_lock_out_nobody_who_is_known"),
    "GUESTS_PER_CONNECTION": (S_ORDER, "guests_of_one_address_are_counted"),
}

BAD_NETWORK = "tests/integration/bad_network.py"
REAL = "tests/integration/faults.py"
START = "tests/integration/start.py"
SCRIPTS = "tests/integration/scripts.py"
TORTURE = "tests/integration/torture.py"
T_POWER = "tests/unit/store/powercut_test.c"
T_DAMAGE = "tests/unit/store/damage_test.c"
T_FILES = "tests/unit/store/files_test.c"

# What somebody does to annoy, to whole servers where it can be.
ATTACKS = {
    "connections of one address": (FLOODS, "too_many_of_one_address"),
    "connections in all": (FLOODS, "too_many_in_all"),
    "connections that come and go": (FLOODS, "comers_and_goers"),
    "requests at full speed": (HOSTILE, "requests_at_full_speed"),
    "lobbies of one player": (LIMITS, "lobbies_of_one_player"),
    "talk": (LIMITS, "chat_is_paced"),
    "a message without end": (HOSTILE, "endless_messages"),
    "sizes that promise gigabytes": (HOSTILE, "headers_that_promise"),
    "no hello, or a byte now and then": (HOSTILE, "no_hello"),
    "half a message": (HOSTILE, "half_a_message"),
    "a spectator who does not read": (FLOODS, "slow_spectator"),
    "a player who does not read": (FLOODS, "slow_player"),
    "many who come when no descriptors are left":
        (FLOODS, "without_descriptors"),
    "half-closed connections": (FLOODS, "half_closed"),
    "half-closed and not reading": (FLOODS, "half_closed_and_slow"),
    "peers that vanish": (FLOODS, "gone_with_answers_due"),
    "guessed passwords": (S_ACCOUNT, "guessing_is_slow"),
    "guessed tokens": (HOSTILE, "wrong_tokens"),
    "small questions with big answers":
        (S_ORDER, "a_long_answer_counts_as_several"),
    "many of them at once": (FLOODS, "pipeline"),
    "noise": (HOSTILE, "noise"),
}

# What the machine does; docs/operating.md tells operators of each.
FAULTS = {
    "power cut": (T_POWER, "nothing_reported_is_lost"),
    "power cuts, and kills, of a whole server": (TORTURE, "disturb"),
    "SIGSTOP": (REAL, "stopped"),
    "kill -9": (REAL, "killed"),
    "torn log": (REAL, "torn_log"),
    "damaged log": (REAL, "damaged_log"),
    "read-only mount": (REAL, "read_only_mount"),
    "syncs that fail": (REAL, "failing_fsync"),
    "writes and syncs that fail now and then":
        (T_POWER, "a_failing_disk_is_survived"),
    "full disk": ("tests/integration/full_disk.py", "one_time"),
    "damaged database": (START, "damaged"),
    "cut database": (T_DAMAGE, "a_cut_database_is_refused"),
    "damaged row": (T_DAMAGE, "a_match_with_a_damaged_row_is_not_made_a_record"),
    "damaged snapshot":
        (T_DAMAGE, "a_damaged_snapshot_gives_way_to_the_one_before"),
    "two servers on one directory": (START, "data_locked"),
    "a journal of a newer version": (START, "newer"),
    "journals of older versions": ("tests/integration/old_journals.py", "look"),
    "no memory in proto": ("tests/unit/proto/memory_test.c", "reading"),
    "no memory in record":
        ("tests/unit/record/memory_test.c", "every_failure_is_told"),
    "no memory in session": ("tests/unit/session/memory_test.c", "story"),
    "no memory in store": ("tests/unit/store/memory_test.c", "sqlite_driver"),
    "killed workers": (SCRIPTS, "killed_workers"),
    "a network that cuts and repeats": (BAD_NETWORK, "once"),
}
