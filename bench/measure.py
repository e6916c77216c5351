"""What the whole-program benchmarks share: running a command, and what it cost."""
import os
import pathlib
import subprocess
import time

os.environ["KNAPSACK_BACKGROUND"] = "off"  # nothing is measured beside work that an earlier command has started


def run(command: list[str], folder: str = ".") -> str:
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout


def timed(command: list[str], folder: str, allowed: tuple[int, ...] = (0,)) -> tuple[float, int, float]:
    """Seconds, the peak of memory in kB, and seconds of processor time."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in allowed:
        raise SystemExit(f"{' '.join(command)} failed in {folder}")
    return time.perf_counter() - start, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def write_between_marks(page: pathlib.Path, kind: str, text: str) -> None:
    """Replaces what stands between the two marks of a table; the rest of the page stays."""
    begin, end = f"<!-- {kind}: begin -->\n", f"<!-- {kind}: end -->\n"
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not found or not ended:
        raise SystemExit(f"{page} has no place for the table: {begin.strip()} … {end.strip()}")
    page.write_text(before + begin + text + end + after, encoding="utf-8")
