# The commands a person needs. `make demo` first; `make test` before a commit.
JOBS ?= $(shell scripts/jobs)

.PHONY: help setup build demo test coverage sanitize lint format bench fuzz check-deep dist check-dist install clean

help:
	@echo "make demo    install what is missing, build, and pack the example workspace"
	@echo "make build   the release binary, build/release/knapsack"
	@echo "make test    everything that must pass before a commit"
	@echo "make coverage  how much of each folder the tests run (build/coverage/index.html)"
	@echo "make sanitize  the tests again, built by clang with sanitizers; clang-tidy on the newest files"
	@echo "make lint    code style, and clang-tidy on every file"
	@echo "make bench   kernel benchmarks and whole-program ratios"
	@echo "make fuzz    every fuzz target for a short while (FUZZ_SECONDS=60)"
	@echo "make check-deep  what takes hours: fuzzing, 100,000 packets, kill loops, threads (CHECK_SECONDS=300)"
	@echo "make dist    the portable program and its packages, in dist/ (docs/install.md)"
	@echo "make check-dist  each package installed and used in a clean root, the tests with the portable program, a second build"
	@echo "make format  apply the code style"

setup:
	@scripts/setup

build:
	@scripts/setup --build release
	@cmake --preset release -DKNAPSACK_COMMIT="$$(git describe --always --dirty --abbrev=12 --exclude '*' 2>/dev/null)" >/dev/null
	@cmake --build --preset release -j $(JOBS)

demo: build
	@scripts/demo

test:
	@scripts/setup --build dev test
	@scripts/test all

coverage:
	@scripts/setup test coverage
	@scripts/coverage

sanitize:
	@scripts/setup test sanitize
	@scripts/test sanitize

lint:
	@scripts/setup test sanitize
	@scripts/test lint

format:
	@git ls-files '*.h' '*.cc' | grep -v '^tests/fixtures/' | xargs clang-format-14 -i

# The benchmarks lie beside the program that they measure, built only when they are asked for.
bench:
	@scripts/setup bench
	@cmake --preset release -DKNAPSACK_BENCH=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@scripts/bench

fuzz:
	@scripts/setup test sanitize
	@scripts/fuzz

check-deep:
	@scripts/setup test sanitize
	@scripts/check_deep

dist:
	@scripts/setup dist
	@scripts/dist

check-dist: dist
	@scripts/setup test bench
	@cmake --preset release -DKNAPSACK_BENCH=ON >/dev/null
	@cmake --build --preset release -j $(JOBS)
	@scripts/check_dist

clean:
	rm -rf build dist
