"""Reads off the program what makes a fault in memory hard to use (cmake/Compiler.cmake). Usage: hardened_program.py PROGRAM"""
import platform
import re
import subprocess
import sys


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


# Where names were taken out, the code itself says it; a program of this size has thousands of each.
MIN_IN_CODE = 1000
ENDBR64 = re.compile(rb"\xf3\x0f\x1e\xfa")
# mov %fs:0x28, REGISTER: the guard is read at the start of a function and again before it returns.
GUARD_READ = re.compile(rb"\x64[\x48\x4c]\x8b[\x04\x0c\x14\x1c\x24\x2c\x34\x3c]\x25\x28\x00\x00\x00")


def has_names(program):
    return ".symtab" in output("readelf", "-W", "-S", program)


def often_in_code(pattern, program):
    with open(program, "rb") as file:
        return len(pattern.findall(file.read())) > MIN_IN_CODE


def begins_with_endbr64(program):
    if has_names(program):
        return "endbr64" in output("objdump", "-d", "--disassemble=main", program)
    return often_in_code(ENDBR64, program)


def guards_return_addresses(program, symbols, processor):
    """libc's function is called when the guard is broken; a program that brings its own still reads the guard."""
    if "__stack_chk_fail" in symbols:
        return True
    if processor == "x86_64":
        return often_in_code(GUARD_READ, program)
    # … or brings it, drawn anew for each process, in a section of its own (packaging/stack_guard.c).
    return "__stack_chk_guard" in symbols or " stack_guard " in output("readelf", "-W", "-S", program)


def missing(program, processor=platform.machine()):
    header = output("readelf", "-W", "-h", program)
    segments = output("readelf", "-W", "-l", program)
    dynamic = output("readelf", "-W", "-d", program)
    symbols = output("readelf", "-W", "--dyn-syms", program)
    stack = [line for line in segments.splitlines() if "GNU_STACK" in line]
    checks = {
        "a place of its own each time (PIE)": "DYN (Position-Independent Executable" in header and "PIE" in dynamic,
        "tables of addresses that are made read-only (RELRO)": "GNU_RELRO" in segments,
        "all addresses looked up at the start (now)": "NOW" in dynamic,
        "a stack that nothing is run from": bool(stack) and all(" RWE " not in line for line in stack),
        "a guard before return addresses (stack protector)": guards_return_addresses(program, symbols, processor),
        "checks of sizes in the system's library (FORTIFY_SOURCE)": any(
            line.split("@")[0].endswith("_chk") and "__stack_chk" not in line for line in symbols.splitlines()),
    }
    if processor == "x86_64":
        checks["jumps that land only where they may (CET)"] = begins_with_endbr64(program)
    return [name for name, there in checks.items() if not there]


if __name__ == "__main__":
    lacking = missing(sys.argv[1])
    for name in lacking:
        print(f"{sys.argv[1]} lacks {name}")
    sys.exit(1 if lacking else 0)
