"""The encoder as people meet it: from start to the vector of a prompt, passages a second, memory, and the cosine with vectors
that the unquantised model made. Usage: meaning_time.py BUILD_FOLDER [REFERENCE.f32 TEXTS.jsonl]

The reference is one vector of 384 floats for each line of tests/fixtures/meaning/texts.jsonl, by whatever runs the
unquantised model; without it the cosine is left out."""
import array
import json
import math
import pathlib
import subprocess
import sys


def run(program, *words, text=""):
    return subprocess.run([program, *words], input=text, capture_output=True, text=True, check=True).stdout


def main():
    build = pathlib.Path(sys.argv[1])
    program, model = str(build / "bench/encoder_speed"), str(build / "share/knapsack/e5-small-v2.model")
    print(run(program, "speed", model), end="")
    starts = [json.loads(run(program, "start", model)) for _ in range(9)]
    starts.sort(key=lambda each: each["milliseconds"])
    best, middle = starts[0], starts[len(starts) // 2]
    print(f"start to the vector of 32 tokens: {middle['milliseconds']:.1f} ms (best {best['milliseconds']:.1f}), "
          f"{middle['kilobytes'] / 1000:.0f} MB resident, {middle['kernels']}")
    if len(sys.argv) > 3:
        reference = array.array("f", pathlib.Path(sys.argv[2]).read_bytes())
        own = array.array("f", subprocess.run([program, "texts", model, sys.argv[3]], capture_output=True, check=True).stdout)
        cosines = []
        for at in range(0, len(own), 384):
            a, b = own[at:at + 384], reference[at:at + 384]
            cosines.append(sum(x * y for x, y in zip(a, b)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b)))
        print(f"cosine with the unquantised model, {len(cosines)} texts: mean {sum(cosines) / len(cosines):.5f}, "
              f"worst {min(cosines):.5f}, {sum(each < 0.99 for each in cosines)} below .99")


if __name__ == "__main__":
    main()
