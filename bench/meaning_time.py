"""The encoder as people meet it: from start to the vector of a prompt, passages a second, memory, and the cosine with vectors
that the unrounded model made. Usage: meaning_time.py BUILD_FOLDER [REFERENCE.f32 TEXTS.jsonl]

The reference is what tests/fixtures/meaning/make_reference.py writes; without it the cosine is left out. Fails where something is
beyond its bar: only a machine that is idle says something about speed."""
import array
import json
import math
import pathlib
import subprocess
import sys

PADDING = 0  # the number of its token
MEAN, WORST = 0.995, 0.99  # cosines
PASSAGES = {"avx512-vnni": 40, "avx2": 15}  # a second
MILLISECONDS, MEGABYTES = 15, 60  # to the first vector


def run(program, *words, text=""):
    return subprocess.run([program, *words], input=text, capture_output=True, text=True, check=True).stdout


def main():
    build = pathlib.Path(sys.argv[1])
    program, model = str(build / "bench/encoder_speed"), str(build / "share/knapsack/e5-small-v2.model")
    speeds = run(program, "speed", model)
    print(speeds, end="")
    measured = {line.split()[0]: float(line.split()[1]) for line in speeds.splitlines()}
    missed = [name for name, bar in PASSAGES.items() if measured.get(name, bar) < bar]
    starts = [json.loads(run(program, "start", model)) for _ in range(9)]
    starts.sort(key=lambda each: each["milliseconds"])
    best, middle = starts[0], starts[len(starts) // 2]
    print(f"start to the vector of 32 tokens: {middle['milliseconds']:.1f} ms (best {best['milliseconds']:.1f}), "
          f"{middle['kilobytes'] / 1000:.0f} MB resident, {middle['kernels']}")
    if middle["milliseconds"] > MILLISECONDS or middle["kilobytes"] / 1000 > MEGABYTES:
        missed.append("start")
    if len(sys.argv) > 3:
        reference = array.array("f", pathlib.Path(sys.argv[2]).read_bytes())
        own = array.array("f", subprocess.run([program, "texts", model, sys.argv[3]], capture_output=True, check=True).stdout)
        near = {False: [], True: []}  # by whether the text spells the padding, where rounding can tip the model over
        for at, line in enumerate(pathlib.Path(sys.argv[3]).read_bytes().splitlines()):
            a, b = own[at * 384:][:384], reference[at * 384:][:384]
            cosine = sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))
            near[PADDING in json.loads(line)["ids"]].append(cosine)
        for padded, kind in ((False, "texts"), (True, "texts that spell [PAD]")):
            print(f"cosine with the unrounded model, {len(near[padded])} {kind}: mean {sum(near[padded]) / len(near[padded]):.5f}, "
                  f"worst {min(near[padded]):.5f}")
        if min(near[False]) < WORST or sum(near[False]) / len(near[False]) < MEAN:
            missed.append("cosine")
    if missed:
        raise SystemExit(f"beyond its bar: {', '.join(missed)}")


if __name__ == "__main__":
    main()
