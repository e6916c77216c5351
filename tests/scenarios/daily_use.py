"""What people type in their first hour, run as they run it: words without quotes, slips, dashes, pipes, tiny budgets; and
the shapes of repository that they have: notebooks, submodules, builder chains, instructions for agents.

    python3 daily_use.py PROGRAM
"""
import fcntl
import http.server
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import termios
import threading

PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
FAILED: list[str] = []


class Repository:
    """A repository in a folder of its own, made by git with nothing of the machine's configuration."""

    def __init__(self):
        self.held = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.held.name, "shop")
        self.path.mkdir()
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": self.held.name, "LC_ALL": "C.UTF-8", "KNAPSACK_BACKGROUND": "off",
                            "GIT_CONFIG_NOSYSTEM": "1", "GIT_ALLOW_PROTOCOL": "file"}
        self.git("init", "-q", "-b", "main")

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=T", "-c", "user.email=t@example.org", *words], cwd=self.path,
                       env=self.environment, check=True, capture_output=True)

    def write(self, name, text):
        file = self.path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self, message="Begin"):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def run(self, *words, given=""):
        return subprocess.run([PROGRAM, *words], cwd=self.path, env=self.environment, text=True, input=given,
                              capture_output=True, timeout=120)

    def shell(self, script):
        return subprocess.run(["bash", "-c", script], cwd=self.path, env=self.environment, text=True,
                              capture_output=True, timeout=120)


def on_terminal(made, *words, typed="", folder=None, redirected=False):
    """Runs the program on a terminal of its own; what was typed waits there. With `redirected`, standard output is apart."""
    ours, theirs = pty.openpty()
    os.write(ours, typed.encode())
    running = subprocess.Popen([PROGRAM, *words], cwd=folder or made.path, env=made.environment, stdin=theirs, stderr=theirs,
                               stdout=subprocess.PIPE if redirected else theirs, start_new_session=True,
                               preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(theirs)
    screen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the last program has left its terminal
            break
        if not part:
            break
        screen += part
    out = running.stdout.read() if redirected else b""
    running.wait(timeout=120)
    os.close(ours)
    return running.returncode, screen.decode("utf-8", "replace").replace("\r\n", "\n"), out.decode()


def expect(what, holds, shown=""):
    if not holds:
        FAILED.append(f"{what}\n{shown}")


def shows(result, *texts, without=()):
    expect(f"exit 0: {result.args[1:]}", result.returncode == 0, result.stderr)
    for text in texts:
        expect(f"{result.args[1:]} shows {text!r}", text in result.stdout, result.stdout + result.stderr)
    for text in without:
        expect(f"{result.args[1:]} does not show {text!r}", text not in result.stdout, result.stdout)


def refused(result, *texts, code=2):
    expect(f"exit {code}: {result.args[1:]}", result.returncode == code, result.stdout + result.stderr)
    expect(f"one line: {result.args[1:]}", result.stdout == "" and result.stderr.count("\n") == 1, result.stderr)
    for text in texts:
        expect(f"{result.args[1:]} says {text!r}", text in result.stderr, result.stderr)


def shop():
    made = Repository()
    made.write("src/shop/__init__.py", "")
    made.write("src/shop/cart.py", "from shop.prices import price_of\n\n\nclass Cart:\n    def total(self, items):\n"
               "        return sum(price_of(item) for item in items)\n")
    made.write("src/shop/prices.py", "def price_of(item):\n    return item.price\n")
    made.write("tests/test_cart.py", "from shop.cart import Cart\n\n\ndef test_total():\n    assert Cart().total([]) == 0\n")
    made.write("docs/guide.md", "# Guide\n\nHow the total of a cart is found.\n")
    made.commit()
    return made


def words_need_no_quotes():
    made = shop()
    shows(made.run("pack", "fix", "the", "cart", "--budget", "2000", "total"), "# Context for: fix the cart total\n")
    shows(made.run("retrieve", "fix", "the", "total", "--stages", "scope,precision", "--context-window", "4000",
                   "--reserved-tokens", "500", "--no-llm"), "# Context for: fix the total\n")
    joined = made.run("search", "cart", "total", "--limit", "3", "--no-refresh")
    expect("search joins its words", joined.stdout == made.run("search", "cart total", "--limit", "3", "--no-refresh").stdout)
    shows(made.run("remember", "We", "keep", "prices", "in", "cents"))
    shows(made.run("recall", "how", "do", "we", "keep", "prices"), "We keep prices in cents")
    # No word is taken for a list or for a command.
    shows(made.run("pack", "[a, b]"), "# Context for: [a, b]\n")
    shows(made.run("pack", "[x]", "search", "index"), "# Context for: [x] search index\n")
    shows(made.run("search", "--source", "code", "total"), "src/shop/cart.py")


def a_text_may_begin_with_a_dash():
    made = shop()
    shows(made.run("pack", "--", "--max-count is wrong"), "# Context for: --max-count is wrong\n")
    shows(made.run("pack", "why", "is", "--budget", "900", "--", "--max-count", "wrong"),
          "# Context for: why is --max-count wrong\n")
    shows(made.run("search", "--source", "code", "--", "total", "-guide"), "src/shop/cart.py", without=["docs/guide.md"])
    refused(made.run("pack", "--max-count is wrong"), 'knapsack pack -- "--max-count is wrong"')
    refused(made.run("pack", "-v is broken"), 'knapsack pack -- "-v is broken"')
    refused(made.run("pack", "--max-count", "is", "wrong"), "pack has no option --max-count", "knapsack pack -- ")
    refused(made.run("search", "total", "-guide"), "search has no option -guide", "knapsack search -- -guide")


def a_slip_is_told_with_what_was_meant():
    made = shop()
    refused(made.run("pakc", "x"), "unknown command pakc; did you mean pack? See `knapsack --help`")
    refused(made.run("frobnicate"), "unknown command frobnicate; see `knapsack --help`")
    refused(made.run("pack", "x", "--bugdet", "10"), "pack has no option --bugdet; did you mean --budget?")
    refused(made.run("graph", "validat"), "unknown command graph validat; did you mean validate?")
    refused(made.run("deps", "cart.py", "--dept", "2"), "deps has no option --dept; did you mean --depth?")
    refused(made.run("symbols", "x", "--zzzzzzzz"), "symbols has no option --zzzzzzzz; see")


def a_reader_that_has_seen_enough_is_no_error():
    made = shop()
    made.run("index")
    result = made.shell(f"set -o pipefail; '{PROGRAM}' pack total | head -1 && '{PROGRAM}' overview | true && "
                        f"'{PROGRAM}' search total | true")
    expect("pipes that close are silent", result.returncode == 0 and result.stderr == "", result.stderr)
    full = made.shell(f"'{PROGRAM}' overview > /dev/full")
    expect("a full disk is an error", full.returncode == 1 and "cannot write to standard output" in full.stderr, full.stderr)


def a_budget_that_is_too_small_says_which_would_do():
    made = shop()
    for tokenizer in ("o200k", "chars4"):
        pack = lambda budget: made.run("pack", "the cart total", "--budget", str(budget), "--tokenizer", tokenizer)
        small = pack(10)
        told = re.search(r"nothing fits a budget of 10; something does from (\d+) on", small.stderr)
        expect(f"{tokenizer}: 10 tokens", small.returncode == 0 and small.stdout == "" and told, small.stderr)
        if not told:
            continue
        least = int(told[1])
        expect(f"{tokenizer}: {least} is enough", "\n## " in pack(least).stdout and pack(least).stderr == "", pack(least).stdout)
        expect(f"{tokenizer}: {least - 1} is not", "nothing fits" in pack(least - 1).stderr, pack(least - 1).stdout)


def notebooks_are_read_as_cells():
    made = Repository()
    cells = [{"cell_type": "markdown", "source": ["# Churn\n", "Why customers leave"]},
             {"cell_type": "code", "source": ["%matplotlib inline\n", "from model import fit\n", "\n",
                                              "def churn_rate(rows):\n", "    return fit(rows)\n"],
              "outputs": [{"data": {"image/png": "A" * 1_200_000}}]}]
    made.write("churn.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    made.write("broken.ipynb", '{"cells": [')
    made.write("model.py", "def fit(rows):\n    return len(rows)\n")
    made.commit()
    shows(made.run("pack", "how is the churn rate computed"), "## churn.ipynb",
          "def churn_rate(rows):\n    return fit(rows)\n", without=["AAAA", "cell_type"])
    shows(made.run("search", "why customers leave"), "churn.ipynb")
    shows(made.run("symbols", "churn_rate"), "churn.ipynb")
    shows(made.run("refs", "fit"), "churn.ipynb", "in churn_rate")
    shows(made.run("deps", "churn.ipynb"), "model.py")


def submodules_are_indexed_when_they_are_checked_out():
    library, made = Repository(), Repository()
    library.write("lib/rounding.py", "def round_half_even(value):\n    return value\n")
    library.commit()
    made.write("app.py", "from lib.rounding import round_half_even\n")
    made.git("submodule", "--quiet", "add", str(library.path), "parts")
    made.commit()
    made.run("index")
    shows(made.run("symbols", "round_half_even"), "parts/lib/rounding.py")
    made.git("submodule", "--quiet", "deinit", "-f", "parts")
    shows(made.run("index"), "parts: a submodule that is not checked out")


def a_setter_of_a_builder_is_found_in_its_chains():
    made = Repository()
    made.write("Cargo.toml", '[package]\nname = "seek"\nversion = "0.1.0"\n')
    made.write("src/lib.rs", """pub struct Config { max_hits: Option<u64> }
pub struct SeekerBuilder { config: Config }
pub struct Seeker { config: Config }

impl SeekerBuilder {
    pub fn new() -> SeekerBuilder { SeekerBuilder { config: Config { max_hits: None } } }
    pub fn line_number(&mut self, yes: bool) -> &mut SeekerBuilder { self }
    pub fn max_hits(&mut self, limit: Option<u64>) -> &mut SeekerBuilder {
        self.config.max_hits = limit;
        self
    }
    pub fn build(&self) -> Seeker { Seeker { config: Config { max_hits: self.config.max_hits } } }
}

impl Seeker {
    pub fn max_hits(&self) -> Option<u64> { self.config.max_hits }
}
""")
    # What the file mentions by name are the other types.
    made.write("src/run.rs", """use crate::{Config, Seeker};

pub struct Printer { config: Config }

pub fn chained() {
    let seeker = crate::SeekerBuilder::new()
        .line_number(false)
        .max_hits(Some(1))
        .build();
}

pub fn stepwise() -> Seeker {
    let mut builder = crate::SeekerBuilder::new();
    builder.max_hits(Some(2));
    builder.build()
}
""")
    made.commit()
    made.run("index")
    uses = json.loads(made.run("refs", "SeekerBuilder.max_hits", "--format", "json").stdout)["uses"]
    expect("uses of the setter", sorted(use["enclosing"] for use in uses) == ["chained", "stepwise"], json.dumps(uses))


def packets_read_the_instructions_for_agents():
    made = shop()
    made.write(".cursorrules", "- Round a total to whole cents, half to even\n- Use tabs in makefiles\n")
    shows(made.run("pack", "the total of a cart is rounded"), "- Round a total to whole cents, half to even\n",
          "- .cursorrules\n", without=["Use tabs"])
    # What leads out of the workspace is not read.
    secret = pathlib.Path(made.held.name, "secret.md")
    secret.write_text("- Round the total in the secret way of the house\n", encoding="utf-8")
    (made.path / "CLAUDE.md").symlink_to(secret)
    shows(made.run("pack", "round the total"), without=["secret way"])


def a_first_index_on_a_terminal_shows_a_bar():
    made = Repository()
    for i in range(600):
        made.write(f"src/part_{i}.py", f"def part_{i}(value):\n    return value + {i}\n" * 20)
    code, screen, out = on_terminal(made, "index", redirected=True)
    expect("a bar", code == 0 and "reading [" in screen and " of 600 files" in screen, screen[-500:])
    expect("a report", "Indexed the work tree" in out, out)


class Nonsense(http.server.BaseHTTPRequestHandler):
    """A model that never answers with JSON."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"message": {"role": "assistant", "content": "no idea"}, "done": True}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def enrich_fails_where_nothing_could_be_described():
    made = shop()
    made.run("index")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Nonsense)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    result = made.run("enrich", "--model", "m", "--base-url", f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    expect("exit 1", result.returncode == 1, result.stdout + result.stderr)
    expect("says why", re.search(r"none of \d+ files could be described: ", result.stderr), result.stderr)


def run_scenarios(scenarios) -> int:
    for scenario in scenarios:
        before = len(FAILED)
        scenario()
        print(f"{'ok  ' if len(FAILED) == before else 'FAIL'} {scenario.__name__}")
    print("\n".join(FAILED))
    return 1 if FAILED else 0


def main() -> int:
    scenarios = [words_need_no_quotes, a_text_may_begin_with_a_dash, a_slip_is_told_with_what_was_meant,
                 a_reader_that_has_seen_enough_is_no_error, a_budget_that_is_too_small_says_which_would_do,
                 notebooks_are_read_as_cells, submodules_are_indexed_when_they_are_checked_out,
                 a_setter_of_a_builder_is_found_in_its_chains, packets_read_the_instructions_for_agents,
                 a_first_index_on_a_terminal_shows_a_bar, enrich_fails_where_nothing_could_be_described]
    return run_scenarios(scenarios)


if __name__ == "__main__":
    sys.exit(main())
