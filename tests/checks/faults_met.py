"""Which tests do which harm. The first table is that of docs/operating.md, by
what stands in its first column; the second is what strangers may try. A row of
the document that has no test here is an error of tests/checks/faults.py, and so
is a test that is not there.

A name stands for the function of that name, in C or in Python."""

FAULTS = "tests/integration/faults.py"
START = "tests/integration/start.py"
DISK = "tests/integration/full_disk.py"
SCRIPTS = "tests/integration/scripts.py"
FLOODS = "tests/integration/floods.py"
HOSTILE = "tests/integration/hostile.py"
TORTURE = "tests/integration/torture.py"
FILES = "tests/unit/store/files_test.c"
DAMAGE = "tests/unit/store/damage_test.c"
POWER = "tests/unit/store/powercut_test.c"
CONN = "tests/unit/net/conn_test.c"
LISTENER = "tests/unit/net/listener_test.c"
S_ACCOUNT = "tests/unit/session/account_test.c"
S_ORDER = "tests/unit/session/order_test.c"
S_PACE = "tests/unit/session/pace_test.c"

DOCUMENTED = {
    "the machine loses its power; plyd is killed (`kill -9`, out of memory)": [
        (TORTURE, "disturb"), (FAULTS, "killed"),
        (POWER, "nothing_reported_is_lost"),
        (POWER, "a_process_can_be_cut_by_order")],
    "the machine, or plyd, stands still (SIGSTOP, a suspended virtual machine)":
        [(FAULTS, "stopped")],
    "the disk is full": [
        (DISK, "one_time"),
        (DAMAGE, "a_full_disk_loses_the_failing_commit_only")],
    "syncs fail, or writes (a dying disk)": [
        (FAULTS, "failing_fsync"), (POWER, "a_failing_disk_is_survived")],
    "the file system was mounted read-only": [
        (FAULTS, "read_only_mount"), (START, "nowhere_to_write")],
    "the log `plyd.db-wal` is torn or damaged at its end": [
        (FAULTS, "torn_log"),
        (DAMAGE, "a_torn_log_loses_its_last_commits_only")],
    "it is damaged further ahead, or by hand": [(FAULTS, "damaged_log")],
    "a row is damaged": [
        (DAMAGE, "a_flipped_bit_never_makes_a_wrong_row"),
        (DAMAGE, "a_match_with_a_damaged_row_is_not_made_a_record")],
    "`plyd.db` is damaged or cut short": [
        (START, "damaged"), (DAMAGE, "a_cut_database_is_refused"),
        (DAMAGE, "an_overwritten_page_does_not_go_unnoticed")],
    "a second plyd on the same directory": [
        (START, "data_locked"), (FILES, "a_directory_has_one_store")],
    "the data are of a newer plyd": [
        (START, "newer"), (FILES, "a_newer_or_foreign_file_is_refused"),
        ("tests/integration/old_journals.py", "check"),
        ("tests/unit/record/old_journal_test.c", "its_rows_open")],
    "no file descriptors are left": [
        (FLOODS, "without_descriptors"),
        (LISTENER, "without_descriptors_players_go_on")],
    "no memory is left": [
        ("tests/unit/proto/memory_test.c", "reading"),
        ("tests/unit/proto/memory_test.c", "writing"),
        ("tests/unit/session/memory_test.c", "story"),
        ("tests/unit/record/memory_test.c", "every_failure_is_told"),
        ("tests/unit/store/memory_test.c", "memory_driver"),
        ("tests/unit/store/memory_test.c", "sqlite_driver")],
    "a script worker dies, hangs or lies": [
        (SCRIPTS, "killed_workers"), (SCRIPTS, "starved_workers"),
        (SCRIPTS, "bombs_beside_good"),
        ("tests/integration/isolation.py", "ask_all")],
    "the wall clock jumps": [("tests/sim/world.c", "leap")],
}

ABUSE = {
    "many connections": [(FLOODS, "too_many_of_one_address"),
                         (FLOODS, "too_many_in_all")],
    "coming and going": [(FLOODS, "comers_and_goers")],
    "a storm without descriptors": [(FLOODS, "without_descriptors")],
    "many requests": [(HOSTILE, "requests_at_full_speed"),
                      (HOSTILE, "rate_limit")],
    "large messages": [(HOSTILE, "endless_messages"),
                       (HOSTILE, "headers_that_promise")],
    "slow writing": [(HOSTILE, "half_a_message"), (HOSTILE, "no_hello"),
                     (HOSTILE, "one_byte_at_a_time")],
    "slow reading": [(FLOODS, "slow_spectator"), (FLOODS, "slow_player"),
                     (FLOODS, "pipeline"),
                     (CONN, "a_queue_to_a_slow_reader_is_capped")],
    "half-open sockets": [(FLOODS, "half_closed"),
                          (FLOODS, "half_closed_and_slow"),
                          (FLOODS, "gone_with_answers_due"),
                          (S_ORDER, "silence_ends")],
    "guessing": [(S_ACCOUNT, "guessing_is_slow"), (HOSTILE, "wrong_tokens"),
                 (S_ACCOUNT, "an_address_has_its_own_measure")],
    "small questions with long answers": [
        (S_ORDER, "a_long_answer_counts_as_several"),
        (S_PACE, "a_pipeline_of_large_answers")],
}
