# Thin: every line here is a command that may be typed by hand.
# `make run`, `make demo` and `make test` set a fresh Debian machine up first.

JOBS   ?= $(shell nproc)
PRESET ?= dev
BUILD   = build/$(PRESET)
MINUTES ?= 5
SEEDS  ?= 1000
TRAINERS = build/release/src/engine

.PHONY: run demo test check soak soak-kill soak-personalities bench same fuzz sim sim-faults format clean build programs \
        setup package train-backgammon \
        train-english train-turkish tables trainers ladder characters
.NOTPARALLEL:

run: setup programs
	scripts/dev/run

demo: setup programs
	scripts/dev/demo

test: setup build
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error

# 30 seconds: builds what the last change touched, and runs what is quick.
check: build
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure -LE 'slow|server'

# A hundred matches through twenty kills and power cuts: some minutes.
soak: setup build
	ctest --test-dir $(BUILD) -C soak -L slow --output-on-failure --no-tests=error

# Half an hour of matches, a kill or a power cut every minute, memory watched.
soak-kill: MINUTES = 30
soak-kill: setup build
	/usr/bin/python3 tests/integration/soak.py $(BUILD) . --minutes $(MINUTES) \
	  --plot $(BUILD)/soak.svg

# Games of all personalities at all rulesets through a server: an hour or two.
soak-personalities: setup programs
	/usr/bin/python3 tests/integration/personalities.py build/release . \
	  --games $(or $(GAMES),5000) --seed $(SEED)

# Half an hour, on a machine that does nothing else. RUNS=1 is a look.
RUNS ?= 9
bench: setup programs
	@cmake --build --preset release -j $(JOBS) --target bench-relay
	tests/bench/run
	tests/bench/limits --runs $(RUNS) --json build/release/bench.json \
	  --plots build/release/bench
	tests/bench/policy
	tests/bench/profile
	PLYD_TEST_MACHINE_S=0.6 /usr/bin/python3 tests/integration/isolation.py \
	  build/release .

# Levels against one another: RULESET and GAMES say which and how many.
RULESET ?= english
ladder: setup programs
	tests/bench/ladder $(RULESET) $(or $(GAMES),400) $(SEED)

# Whether characters are told apart by how they play.
characters: setup programs
	tests/bench/characters --ruleset $(RULESET) --games $(or $(GAMES),100) \
	  --seed $(SEED)

fuzz: setup
	@$(MAKE) --no-print-directory build PRESET=fuzz
	tests/fuzz/run $(MINUTES)

sim: build
	$(BUILD)/tests/sim/sim --seeds $(SEEDS)

# Faults that are put in must be found by the simulator: all of them in about half
# an hour, or FAULTS="tests/sim/faults/NAME.patch ...".
sim-faults: setup
	tests/sim/faults/run -j $(JOBS) $(FAULTS)

# Scripts choose the same moves in the builds of gcc and clang, in so many
# positions: some minutes.
POSITIONS ?= 10000
same: setup
	@for preset in dev clang; do \
		cmake --preset $$preset --log-level=WARNING >/dev/null && \
		cmake --build --preset $$preset -j $(JOBS) \
			--target script_same_test || exit 1; \
	done
	tests/unit/script/same build/dev/tests/unit/script/script_same_test \
		build/clang/tests/unit/script/script_same_test $(POSITIONS)

# What the engine has learned of draughts and worked out, made anew: minutes
# each. The same seed gives the same bytes from the same source and compiler.
SEED ?= 1
train-english: GAMES ?= 10000
train-english: trainers
	$(TRAINERS)/draughts-learn english src/engine/data/english.weights \
		$(SEED) $(GAMES) 4
train-turkish: GAMES ?= 6000
train-turkish: trainers
	$(TRAINERS)/draughts-learn turkish-classic \
		src/engine/data/turkish.weights $(SEED) $(GAMES) 4
tables: trainers
	$(TRAINERS)/draughts-solve src/engine/data/english.endings english
	$(TRAINERS)/draughts-solve src/engine/data/turkish.endings turkish \
		turkish-classic

trainers: setup
	@cmake --preset release --log-level=WARNING >/dev/null || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target draughts-learn draughts-solve

setup:
	@scripts/dev/setup

build:
	@cmake --preset $(PRESET) --log-level=WARNING >/dev/null || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) -j $(JOBS)

# Learns what src/engine/data/backgammon.nets holds, in TRAINING: about half
# an hour of a free core. Stopped, it goes on where it was.
TRAINING ?= build/training
train-backgammon:
	@cmake --preset release --log-level=WARNING >/dev/null
	@cmake --build --preset release --target backgammon-train
	nice scripts/dev/train-backgammon build/release/src/engine/backgammon-train \
		$(TRAINING) src/engine/data/backgammon.nets

# What is installed, and no test.
programs:
	@cmake --preset release --log-level=WARNING >/dev/null || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target plyd plyd-script ply plyd_public

# Debian packages, in build/release.
package: setup
	@cmake --preset release --log-level=WARNING >/dev/null || cmake --preset release
	@cmake --build --preset release -j $(JOBS) --target plyd plyd-script ply plyd_public manuals
	@cd build/release && cpack -G DEB && ls -1 *.deb

format:
	git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' | xargs clang-format -i

clean:
	rm -rf build
