"""What the program of the packages needs of a machine, read off the binary. Usage: portable_binary.py PROGRAM TARGET ROOT"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from hardened_program import missing  # noqa: E402

NEWEST = (2, 28)
MAX_BYTES = 40 * 1000 * 1000
# glibc itself: a machine has all of it or none.
LIBC = re.compile(r"^(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|libutil\.so\.1|libresolv\.so\.2|ld-linux-[a-z0-9-]+\.so\.[12])$")


def output(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True, errors="replace").stdout


def faults(program, target, root):
    wrong = [f"lacks {name}" for name in missing(program, target)]
    headers = output("objdump", "-p", program)
    for name in re.findall(r"NEEDED\s+(\S+)", headers):
        if not LIBC.match(name):
            wrong.append(f"needs {name}")
    wanted = set(re.findall(r"GLIBC_([0-9.]+)", output("objdump", "-T", program)))
    if not wanted:
        wrong.append("has no versions of glibc to read: is it linked dynamically?")
    for version in sorted(wanted):
        if tuple(int(part) for part in version.split(".")) > NEWEST:
            wrong.append(f"needs glibc {version}")
    if re.search(r"RPATH|RUNPATH", headers):
        wrong.append("looks for libraries in a folder of its own")
    data = pathlib.Path(program).read_bytes()
    if len(data) > MAX_BYTES:
        wrong.append(f"has {len(data)} bytes, more than {MAX_BYTES}")
    for folder in {str(root), str(pathlib.Path.home())}:
        at = data.find(folder.encode() + b"/")
        if at >= 0:
            wrong.append(f"names a folder of the build: {data[at:at + 100].split(bytes(1))[0]!r}")
    return wrong, sorted(wanted, key=lambda text: [int(part) for part in text.split(".")]), len(data)


if __name__ == "__main__":
    found, versions, size = faults(*sys.argv[1:4])
    for each in found:
        print(f"{sys.argv[1]} {each}")
    print(f"{sys.argv[1]}: {size} bytes, newest symbol of glibc {versions[-1] if versions else '?'}")
    sys.exit(1 if found else 0)
