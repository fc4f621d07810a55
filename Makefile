# Thin: every line here is a command that may be typed by hand.
# `make run`, `make demo` and `make test` set a fresh Debian machine up first.

JOBS   ?= $(shell nproc)
PRESET ?= dev
BUILD   = build/$(PRESET)
MINUTES ?= 5
SEEDS  ?= 1000

.PHONY: run demo test check soak bench fuzz sim format clean build setup

run: setup
	@$(MAKE) --no-print-directory build PRESET=release
	scripts/dev/run

demo: setup
	@$(MAKE) --no-print-directory build PRESET=release
	scripts/dev/demo

test: setup build
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure --no-tests=error

# 30 seconds: what is quick, and whatever the last change touched.
check: build
	ctest --test-dir $(BUILD) -j $(JOBS) --output-on-failure -LE slow

# A hundred matches through twenty kills and power cuts: some minutes.
soak: setup build
	ctest --test-dir $(BUILD) -C soak -L slow --output-on-failure --no-tests=error

bench: setup
	@$(MAKE) --no-print-directory build PRESET=release
	tests/bench/run

fuzz: setup
	@$(MAKE) --no-print-directory build PRESET=fuzz
	tests/fuzz/run $(MINUTES)

sim: build
	$(BUILD)/tests/sim/sim --seeds $(SEEDS)

setup:
	@scripts/dev/setup

build:
	@cmake --preset $(PRESET) --log-level=WARNING >/dev/null || cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) -j $(JOBS)

format:
	git ls-files 'src/*.[ch]' 'include/*.h' 'tests/*.[ch]' | xargs clang-format -i

clean:
	rm -rf build
