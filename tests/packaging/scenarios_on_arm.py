"""A fifth of the whole-program tests with the program for 64-bit Arm, run by qemu-user. The tests are those of the development
build; in a mount namespace the Arm program stands where they look for theirs, and the kernel hands it to qemu.
Left out are tests that watch the program from outside (strace, limits of memory and time) or need seccomp, which qemu-user
does not carry out. Usage: scenarios_on_arm.py BUILD-FOLDER ROOT [TESTS-BUILD-FOLDER] (as root)"""
import pathlib
import subprocess
import sys

# Every source, text in and out, the shell's view of the program.
CHOSEN = "AgentScenario.*:SearchScenario.*:GraphScenario.*:RecallScenario.*:NoteScenario.*:MemoryScenario.*:OutcomeScenario.*:Completions.*"
SHARE = 5  # one of so many, at least
BINFMT = pathlib.Path("/proc/sys/fs/binfmt_misc")
NAME = "knapsack-test-aarch64"
MAGIC = r"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00"
MASK = r"\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff"
TYPE, TYPE_MASK = r"\x03\x00\xb7\x00", r"\xff\xff\xff\xff"


# The tests give the program an environment of their own: where the Arm libraries are has to be said here.
RUNNER = """#!/bin/sh
exec /usr/bin/qemu-aarch64 -L /usr/aarch64-linux-gnu "$@"
"""


def register(runner):
    runner.write_text(RUNNER)
    runner.chmod(0o755)
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "none", str(BINFMT)], check=True)
    if not (BINFMT / NAME).exists():
        (BINFMT / "register").write_text(f":{NAME}:M::{MAGIC}{TYPE}:{MASK}{TYPE_MASK}:{runner}:")


def listed(tests, chosen):
    """How many tests a filter names. Those that are listed in the first column are suites."""
    lines = subprocess.run([str(tests / "tests/scenarios_test"), "--gtest_list_tests", f"--gtest_filter={chosen}"], check=True,
                           capture_output=True, text=True).stdout.splitlines()
    return sum(line.startswith("  ") for line in lines)


def main(build, root, tests):
    chosen, everything = listed(tests, CHOSEN), listed(tests, "*")
    print(f"{chosen} of {everything} whole-program tests are chosen", flush=True)
    if chosen * SHARE < everything:
        raise SystemExit(f"fewer than one of {SHARE}: choose more suites in {__file__}")
    register(tests / "run-on-arm")
    try:
        program = tests / "knapsack"
        return subprocess.run(
            ["unshare", "--mount", "bash", "-euc", 'mount --bind "$0" "$1"; exec "$2" "--gtest_filter=$3" --gtest_brief=1',
             str(build / "knapsack"), str(program), str(tests / "tests/scenarios_test"), CHOSEN], cwd=root,
            check=False).returncode
    finally:
        if (BINFMT / NAME).exists():
            (BINFMT / NAME).write_text("-1")


if __name__ == "__main__":
    folders = [pathlib.Path(word).resolve() for word in sys.argv[1:]]
    sys.exit(main(folders[0], folders[1], folders[2] if len(folders) > 2 else folders[1] / "build/dev"))
