"""Reads off the program what makes a fault in memory hard to use (cmake/Compiler.cmake). Usage: hardened_program.py PROGRAM"""
import platform
import subprocess
import sys


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def begins_with_endbr64(program, header):
    """Whether functions do: main, or where names were taken out, most of the program."""
    if "endbr64" in output("objdump", "-d", "--disassemble=main", program):
        return True
    sections = output("readelf", "-W", "-S", program)
    if ".symtab" in sections:
        return False
    with open(program, "rb") as file:
        # Four bytes that the compiler writes at the start of a function; a program of this size has tens of thousands.
        return file.read().count(b"\xf3\x0f\x1e\xfa") > 1000


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
        "a guard before return addresses (stack protector)": "__stack_chk_fail" in symbols,
        "checks of sizes in the system's library (FORTIFY_SOURCE)": any(
            line.split("@")[0].endswith("_chk") and "__stack_chk" not in line for line in symbols.splitlines()),
    }
    if processor == "x86_64":
        checks["jumps that land only where they may (CET)"] = begins_with_endbr64(program, header)
    return [name for name, there in checks.items() if not there]


if __name__ == "__main__":
    lacking = missing(sys.argv[1])
    for name in lacking:
        print(f"{sys.argv[1]} lacks {name}")
    sys.exit(1 if lacking else 0)
