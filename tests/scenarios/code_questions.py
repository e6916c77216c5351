"""Questions about code that no task asks: what a reviewer of a change needs, who is affected, a map.

    python3 code_questions.py PROGRAM
"""
import json
import pathlib
import random
import re
import sys

from daily_use import Repository, expect, refused, run_scenarios, shows

CART = """class Cart:
    def total(self):
        return sum(self.prices)

    def count(self):
        return len(self.prices)


def empty_cart():
    return Cart()
"""
CHECKOUT = """from cart import Cart


def pay(cart: Cart):
    return charge(cart.total())


def charge(amount):
    return amount


def button():
    return pay(Cart())
"""
TEST = """from cart import Cart


def test_total():
    assert Cart().total() == 0
"""


def shop():
    made = Repository()
    made.write("cart.py", CART)
    made.write("checkout.py", CHECKOUT)
    made.write("tests/test_cart.py", TEST)
    made.write("docs/prices.md", "# Prices\n\nWhat a total is.\n")
    made.write("run.sh", "#!/bin/sh\necho cart\n")
    (made.path / "run.sh").chmod(0o755)
    made.commit()
    for number in range(3):
        made.write("cart.py", CART + f"# {number}\n")
        made.write("docs/prices.md", f"# Prices\n\nWhat a total is: {number}.\n")
        made.commit(f"Round totals {number}")
    made.write("cart.py", CART)
    made.commit("Begin again")
    return made


def a_change_is_packed_with_who_uses_it_and_its_tests():
    made = shop()
    refused(made.run("pack", "--diff"), "nothing has changed since that commit", "--diff HEAD~1")
    refused(made.run("pack", "--staged"), "nothing is staged")
    made.write("cart.py", CART.replace("sum(self.prices)", "round(sum(self.prices), 2)"))
    result = made.run("pack", "--diff", "--budget", "2000")
    shows(result, "- Changed: cart.py: Cart.total", "round(sum(self.prices), 2)", "def pay(cart: Cart)", "def test_total()",
          "Usually changes with these and did not: docs/prices.md (4 times)", without=("Changed: run.sh", "Intent:"))
    # What changed stands before who uses it.
    expect("the change first", result.stdout.find("## cart.py") < result.stdout.find("## checkout.py"), result.stdout)
    shows(made.run("pack", "--diff", "HEAD", "is the rounding right", "--budget", "2000"),
          "# Context for: is the rounding right", "- Changed: cart.py: Cart.total")
    refused(made.run("pack", "--diff", "nowhere"), "revision 'nowhere' is not known")
    # Staged is less than changed.
    made.git("add", "cart.py")
    made.write("checkout.py", CHECKOUT + "\n\ndef later():\n    return 1\n")
    shows(made.run("pack", "--staged", "--budget", "2000"), "- Changed: cart.py: Cart.total", without=("Changed: checkout.py",))
    shows(made.run("pack", "--diff", "--budget", "2000"), "- Changed: checkout.py: later")
    made.write("cart.py", (made.path / "cart.py").read_text() + "\n\ndef unstaged():\n    return 2\n")
    shows_note = made.run("pack", "--staged", "--budget", "2000")
    expect("says what is not staged", "cart.py has changes that are not staged" in shows_note.stderr, shows_note.stderr)
    outside = Repository()
    refused(outside.run("pack", "--diff"), "there is no commit to compare")


def a_review_has_the_decisions_that_speak_of_the_change():
    made = shop()
    made.write(".context/DECISIONS.md", "# Decisions\n\n## [2026-02-03-101500] Totals are rounded by the bank, not by us\n\n"
                                        "`Cart.total` in cart.py gives cents as they are.\n\n"
                                        "## [2026-02-04-101500] The shop closes at eight\n\nNobody buys later.\n")
    made.commit("Notes")
    made.write("cart.py", CART.replace("sum(self.prices)", "round(sum(self.prices), 2)"))
    result = made.run("pack", "--diff", "--budget", "2000")
    shows(result, "gives cents as they are")
    expect("the one that speaks of it first", result.stdout.find("cents as they") < result.stdout.find("Nobody buys") or
           "Nobody buys" not in result.stdout, result.stdout)


def a_long_comment_gives_way_before_code_does():
    made = Repository()
    told = "".join(f"    Chapter {number} of a long story that nobody reads twice, word for word.\n" for number in range(30))
    body = "".join(f"    step_{number} = settle(ledger, {number})\n" for number in range(10))
    made.write("ledger.py", f'def settle_ledger(ledger):\n    \"\"\"Settle it.\n\n{told}    \"\"\"\n{body}    return step_9\n')
    made.commit()
    whole = made.run("pack", "fix settle_ledger in ledger.py", "--budget", "2000", "--sources", "code")
    shows(whole, "Chapter 29", "return step_9")
    less = made.run("pack", "fix settle_ledger in ledger.py", "--budget", "400", "--sources", "code")
    shows(less, "Settle it.", "step_0 = settle", "return step_9", without=("Chapter 29",))
    # What a budget shows, every larger one shows.
    before = set()
    for budget in range(100, 1200, 50):
        packet = made.run("pack", "fix settle_ledger in ledger.py", "--budget", str(budget), "--sources", "code").stdout
        shown = {line for line in packet.splitlines() if line.startswith("    ")}
        expect(f"nothing is lost at {budget}", before <= shown, f"{before - shown}")
        before = shown


def changes_are_those_that_git_sees():
    made = shop()
    draw = random.Random(7)
    names = [f"part{number}.py" for number in range(12)]
    for name in names:
        made.write(name, "".join(f"def {name[:-3]}_{place}():\n    return {place}\n\n\n" for place in range(6)))
    made.commit("Parts")
    for _ in range(12):
        made.git("reset", "-q", "--hard")
        made.git("clean", "-q", "-fd", "-e", ".knapsack")
        for name in draw.sample(names, 4):
            kind = draw.choice(["edit", "edit", "remove", "add"])
            if kind == "remove":
                (made.path / name).unlink()
            elif kind == "add":
                made.write(f"new_{name}", "def fresh():\n    return 1\n")
            else:
                lines = (made.path / name).read_text().splitlines()
                lines[4 * draw.randrange(6) + 1] = "    return 'changed'"
                made.write(name, "\n".join(lines) + "\n")
        result = made.run("pack", "--diff", "--budget", "4000")
        expect("exit 0", result.returncode == 0, result.stderr)
        told = {line.split(": ")[1].split(" (")[0]: line for line in result.stdout.splitlines() if line.startswith("- Changed: ")}
        seen = {}
        for line in made.shell("git status --porcelain --untracked-files=all -- '*.py'").stdout.splitlines():
            seen[line[3:]] = line[:2].strip()
        expect("the same files", set(told) == set(seen), f"{told}\n{seen}")
        for path, mark in seen.items():
            how = {"D": "(removed)", "??": "(new)"}.get(mark)
            expect(f"{path} is {mark}", how is None or how in told.get(path, ""), str(told))
            if how is None:  # the functions whose lines differ
                diff = made.shell(f"git diff -U0 -- {path}").stdout
                starts = [int(found) for found in re.findall(r"^@@ -\d+(?:,\d+)? \+(\d+)", diff, re.M)]
                wanted = {f"{path[:-3]}_{(start - 1) // 4}" for start in starts}
                expect(f"{path}: {wanted}", wanted == set(told[path].split(": ")[2].split(", ")), told[path])


def impact_follows_uses_and_names_the_tests():
    made = shop()
    made.run("index")
    result = made.run("impact", "Cart.total")
    shows(result, "cart.py:2  method Cart.total", "checkout.py:5  pay", "checkout.py:13  button uses pay", "2 uses away",
          "Tests that reach it", "tests/test_cart.py:5  test_total")
    shows(made.run("impact", "Cart.total", "--depth", "1"), "checkout.py:5  pay", without=("button",))
    shows(made.run("impact", "Cart.totl"), "Nothing is called Cart.totl. Did you mean")
    found = json.loads(made.run("impact", "Cart.total", "--format", "json").stdout)
    expect("json has distances", [each["distance"] for each in found["users"] if each["name"] == "button"] == [2], str(found))
    shows(made.run("impact", "empty_cart"), "Nothing in the repository uses it.")


def a_map_keeps_its_budget_and_grows_with_it():
    made = shop()
    full = made.run("map", "--budget", "4000")
    shows(full, "# Map: 2 of 5 files", "1: class Cart", "2: def total(self)", "4: def pay(cart: Cart)", without=("test_cart.py", "run.sh"))
    expect("what others rest on is first", full.stdout.find("cart.py") < full.stdout.find("checkout.py"), full.stdout)
    refused(made.run("map", "--budget", "5"), "a map does not fit 5 tokens", "--budget")
    before = ""
    for budget in range(60, 260, 10):
        result = made.run("map", "--budget", str(budget), "--tokenizer", "bytes4")
        if result.returncode != 0:
            continue
        expect(f"{budget} tokens hold", len(result.stdout.encode()) <= 4 * budget, result.stdout)
        body = result.stdout.partition("\n")[2]
        expect("a larger map begins as the smaller", body.startswith(before), body)
        before = body
    expect("something was shown", "class Cart" in before, before)


def files_can_be_chosen_and_left_out():
    made = shop()
    task = ("pack", "round", "the", "total", "of", "a", "cart", "--budget", "2000", "--fill")
    shows(made.run(*task), "## cart.py", "## checkout.py", "## tests/test_cart.py")
    shows(made.run(*task, "--no-tests"), "## cart.py", "## checkout.py", without=("test_cart.py",))
    shows(made.run(*task, "--path", "tests"), "## tests/test_cart.py", without=("## cart.py", "## checkout.py"))
    shows(made.run(*task, "--path", "*.py", "--exclude", "check*", "--exclude", "tests/**"), "## cart.py",
          without=("## checkout.py", "test_cart.py", "run.sh"))
    shows(made.run(*task, "--exclude", "cart.py", "and", "in", "cart.py"), "## checkout.py", without=("## cart.py",))
    shows(made.run("explain", "latest", "--expect", "cart.py"), "left out by the paths of the request")


def code_alone_needs_one_number():
    made = shop()
    plain = made.run("retrieve", "round", "the", "total", "of", "a", "cart", "--budget", "500", "--now", "2026-11-08T12:00:00Z")
    shows(plain, "Budget 500", "def total(self)")
    long = made.run("retrieve", "round the total of a cart", "--stages", "scope,precision", "--context-window", "500",
                    "--reserved-tokens", "0", "--no-llm", "--now", "2026-11-08T12:00:00Z")
    expect("the same packet", plain.stdout == long.stdout, long.stdout + long.stderr)
    refused(made.run("retrieve", "x", "--budget", "500", "--context-window", "9"), "--budget stands for")
    refused(made.run("retrieve", "x", "--budget", "many"), "many")


def the_program_alone_says_what_is_here_and_what_to_try():
    made = shop()
    result = made.run()
    shows(result, str(made.path), "code    ", "notes   ", "memory  ", "knapsack pack \"what you want to do\"", "knapsack init --client",
          "`knapsack --help` lists every command.", without=("Usage:",))
    expect("few lines", result.stdout.count("\n") <= 12, result.stdout)
    expect("nothing is made", not (made.path / ".knapsack").exists())
    bare = Repository()
    bare.path = pathlib.Path(bare.held.name)
    shows(bare.run(), "Usage: knapsack", "Pack:", "Code:", "Notes:", "Memory:", "Graph:", "Connect:", "Inspect:")


def a_change_of_many_files_leaves_room_for_code():
    made = shop()
    for number in range(120):
        made.write(f"many/part{number}.txt", "text\n")
    made.commit("Many")
    for number in range(120):
        made.write(f"many/part{number}.txt", "other text\n")
    made.write("cart.py", CART.replace("sum(self.prices)", "round(sum(self.prices), 2)"))
    result = made.run("pack", "--diff", "--budget", "1000")
    shows(result, "- Changed: cart.py: Cart.total", "- 106 other files changed", "round(sum(self.prices), 2)")
    expect("code before other files", result.stdout.find("cart.py") < result.stdout.find("many/part"), result.stdout)


def links_and_submodules_are_not_changes():
    made = shop()
    (made.path / "link.py").symlink_to("cart.py")
    other = Repository()
    other.write("inner.py", "def inner():\n    return 1\n")
    other.commit()
    made.git("submodule", "add", "-q", str(other.path), "inner")
    made.commit("Link and submodule")
    refused(made.run("pack", "--diff"), "nothing has changed since that commit")
    # What the index leaves out is there all the same.
    made.write("graphs/context_pack.latest.json", '{"id": "CP-1"}\n')
    made.write(".env", "TOKEN=1\n")
    made.git("add", "-Af")
    made.commit("What is not indexed")
    refused(made.run("pack", "--diff"), "nothing has changed since that commit")


def a_map_shows_nothing_that_a_terminal_obeys():
    made = shop()
    made.write("odd\x1b[31m\nname.py", "def f(a='\x1b]0;x\x07', b='\u202e'):\n    return 1\n")
    made.commit("Odd")
    shown = made.run("map", "--budget", "4000").stdout
    expect("no control bytes", all(c == "\n" or ord(c) >= 0x20 for c in shown) and "\u202e" not in shown, repr(shown))


def what_was_asked_is_in_the_account():
    made = shop()
    made.write("cart.py", CART + "\n# later\n")
    made.run("pack", "--diff", "--exclude", "docs", "--no-tests", "--budget", "800")
    shows(made.run("explain", "latest"), '"diff":""', '"paths":{"only":[],"without":["docs"],"no_tests":true}')


def main() -> int:
    return run_scenarios([the_program_alone_says_what_is_here_and_what_to_try, a_change_is_packed_with_who_uses_it_and_its_tests, changes_are_those_that_git_sees,
                          a_review_has_the_decisions_that_speak_of_the_change, a_long_comment_gives_way_before_code_does,
                     impact_follows_uses_and_names_the_tests, files_can_be_chosen_and_left_out, code_alone_needs_one_number, a_map_keeps_its_budget_and_grows_with_it,
                          a_change_of_many_files_leaves_room_for_code, links_and_submodules_are_not_changes,
                          a_map_shows_nothing_that_a_terminal_obeys, what_was_asked_is_in_the_account])


if __name__ == "__main__":
    sys.exit(main())
