"""Finding, packing and setting up as people do it in their first days: a name's definition first, a file whole, a commit,
the clipboard, a folder of several repositories, the clients that are there, notes from what a project says already.

    python3 first_steps.py PROGRAM
"""
import base64
import re
import subprocess
import sys

from daily_use import PROGRAM, Repository, expect, on_terminal, refused, run_scenarios, shows


def shop():
    made = Repository()
    made.write("src/cart.py", "class Cart:\n    def total(self):\n        return sum(self.prices)\n")
    made.write("src/uses.py", "from cart import Cart\n\n\ndef total_of(carts):\n    # total, total, total: the total of all\n"
                              "    total = 0\n    for cart in carts:\n        total += cart.total()\n    return total\n")
    made.write("tests/test_cart.py", "from cart import Cart\n\n\ndef total():\n    return Cart().total()\n")
    made.commit()
    return made


def a_name_is_found_by_its_definition_first():
    made = shop()
    made.run("index")
    found = made.run("search", "total").stdout
    expect("the definition first", found.startswith("1. code  src/cart.py:2  Cart.total"), found)
    shows(made.run("search", "Cart"), "1. code  src/cart.py:1  Cart ")
    shows(made.run("search", "total_of"), "1. code  src/uses.py:4  total_of")
    # Readable excerpts: the line that opens the definition, and the lines that hold the words, with their numbers.
    result = made.run("search", "total carts")
    shows(result, "   4  def total_of(carts):\n", "   8          total += cart.total()\n")
    as_json = made.run("search", "total_of", "--format", "json")
    shows(as_json, '"snippet": "4  def total_of(carts):\\n5      # total, total')


def a_file_can_be_asked_for_whole():
    made = shop()
    shows(made.run("pack", "what is a cart", "--full", "uses.py", "--budget", "2000"), "total, total, total", "    return total\n",
          "src/uses.py")
    # The budget stays hard, the answer the same, and what was whole stays whole.
    was_whole = False
    for budget in range(20, 700, 40):
        words = ("pack", "what is a cart", "--full", "uses.py", "--budget", str(budget), "--tokenizer", "bytes4",
                 "--now", "2026-11-15T08:00:00Z")
        packet = made.run(*words).stdout
        expect(f"within {budget}", (len(packet.encode()) + 3) // 4 <= budget, packet)
        expect("the same bytes", packet == made.run(*words).stdout, packet)
        is_whole = "from cart import Cart" in packet and "    return total\n" in packet
        expect(f"still whole at {budget}", is_whole or not was_whole, packet)
        was_whole = is_whole
    expect("whole in the end", was_whole, "")
    few = made.run("pack", "what is a cart", "--full", "src/uses.py", "--budget", "100")
    expect("says that it does not fit", re.search(r"src/uses.py does not fit as a whole file: it has \d+ tokens", few.stderr), few.stderr)
    result = made.run("pack", "what is a cart", "--full", "src/user.py")
    expect("says what was meant", "did you mean uses.py?" in result.stderr, result.stderr)


def a_commit_can_be_packed():
    made = shop()
    made.write("src/cart.py", "class Basket:\n    def sum(self):\n        return 0\n")
    made.commit("Rename")
    shows(made.run("pack", "the total of a cart", "--rev", "HEAD~1"), "class Cart:", "def total(self)", without=("class Basket",))
    shows(made.run("pack", "the total of a basket"), "class Basket")
    refused(made.run("pack", "x", "--rev", "nowhere"), "revision 'nowhere' is not known")
    refused(made.run("pack", "x", "--rev", "HEAD", "--diff"), "--rev and --diff")


def a_packet_goes_to_the_clipboard():
    made = shop()
    refused(subprocess.run([PROGRAM, "pack", "total", "--copy"], cwd=made.path, env=made.environment, text=True,
                           stdin=subprocess.DEVNULL, capture_output=True, start_new_session=True), "--copy needs a terminal")
    printed = made.run("pack", "the total of a cart", "--now", "2026-11-15T08:00:00Z").stdout
    code, screen, _ = on_terminal(made, "pack", "the total of a cart", "--now", "2026-11-15T08:00:00Z", "--copy")
    sent = re.search(r"\x1b\]52;c;([A-Za-z0-9+/=]*)\x07", screen)
    expect("OSC 52", code == 0 and sent is not None, screen)
    expect("the same bytes", base64.b64decode(sent[1]).decode() == printed, base64.b64decode(sent[1]))
    expect("says so and prints nothing else", "copied " in screen and "def total" not in screen, screen)


def a_folder_of_several_repositories_asks_which():
    made = shop()
    folder = made.path.parent / "all"
    for name in ("api", "web"):
        (folder / name).mkdir(parents=True)
        subprocess.run(["git", "init", "-q", str(folder / name)], env=made.environment, check=True)
        (folder / name / "main.py").write_text(f"def {name}_main():\n    return 1\n")
    result = subprocess.run([PROGRAM, "pack", "main"], cwd=folder, env=made.environment, text=True, capture_output=True)
    refused(result, "this folder is not a repository but contains 2: api, web", "--workspace api")
    expect("nothing is left behind", not (folder / ".knapsack").exists(), "")
    code, screen, out = on_terminal(made, "pack", "main", typed="2\n", folder=folder, redirected=True)
    expect("asks and packs", code == 0 and "Which one?" in screen and "web_main" in out and "api_main" not in out, screen + out)
    code, screen, out = on_terminal(made, "pack", "main", typed="7\n", folder=folder, redirected=True)
    expect("refuses another answer", code == 2, screen)
    named = subprocess.run([PROGRAM, "pack", "main", "--workspace", "api"], cwd=folder, env=made.environment, text=True,
                           capture_output=True)
    shows(named, "api_main", without=("web_main",))


def init_finds_the_clients_that_are_there():
    made = shop()
    refused(made.run("init"), "no client is used in this workspace, and none is installed", "claude-code")
    programs = made.path.parent / "bin"
    programs.mkdir()
    (programs / "codex").write_text("#!/bin/sh\n")
    (programs / "codex").chmod(0o755)
    made.environment["PATH"] += f":{programs}"
    shows(made.run("init", "--dry-run"), "would create .codex/config.toml", without=(".mcp.json",))
    (made.path.parent / ".claude").mkdir()
    shows(made.run("init", "--dry-run"), ".codex/config.toml", ".mcp.json")
    # What is used here comes before what is installed.
    (made.path / ".cursor").mkdir()
    shows(made.run("init", "--dry-run"), ".cursor/mcp.json", without=(".codex", ".mcp.json\n"))
    made.write("README.md", "# Shop\n\nA shop that sells parcels. It is small.\n")
    made.write("CONTRIBUTING.md", "# Contributing\n\n## Style\n\n- Name a test after what must hold, not after the function\n"
                                  "- Never commit a file that a tool made\n\n## Links\n\n- a long line that is about nothing here\n")
    code, screen, _ = on_terminal(made, "init", typed="codex\ny\n")
    expect("asks", code == 0 and "For which clients?" in screen and "[cursor]" in screen, screen)
    expect("writes", (made.path / ".codex/config.toml").exists() and not (made.path / ".cursor/mcp.json").exists(), screen)
    rules = (made.path / ".context/CONSTITUTION.md").read_text()
    ways = (made.path / ".context/CONVENTIONS.md").read_text()
    expect("a rule", "- Never commit a file that a tool made\n" in rules, rules)
    expect("conventions", "- What this is: A shop that sells parcels.\n" in ways and "- Name a test after" in ways, ways)
    expect("nothing else", "about nothing" not in ways, ways)
    expect("says what comes next", "knapsack agent" in screen and "knapsack doctor" in screen, screen)
    shows(made.run("agent", "--budget", "600"), "Never commit a file that a tool made", "Name a test after")
    shows(made.run("init", "--undo"), "removed .context/CONSTITUTION.md")
    expect("taken back", not (made.path / ".context").exists() and not (made.path / ".codex").exists(), "")


def notes_are_begun_and_what_is_there_stays():
    made = shop()
    token = "ghp_" + "a1B2" * 9
    made.write("AGENTS.md", f"# For agents\n\n- Never push to main by yourself, ask first\n- Never use {token} in a test of yours\n- Prefer small functions to large ones\n")
    made.write(".context/TASKS.md", "# Tasks\n\n- [ ] Mine\n")
    result = made.run("init", "--notes")
    shows(result, "created .context/CONSTITUTION.md", without=("created .context/TASKS.md",))
    expect("mine", (made.path / ".context/TASKS.md").read_text() == "# Tasks\n\n- [ ] Mine\n", "")
    rules = (made.path / ".context/CONSTITUTION.md").read_text()
    expect("no secret", token not in rules and "Never use [redacted" in rules, rules)
    expect("from AGENTS.md", "- Never push to main by yourself, ask first\n" in rules and "Prefer small" not in rules, rules)
    # An example in a comment is no rule and no task.
    shows(made.run("agent", "--budget", "800"), "Never push to main", "Mine", without=("Never log a password", "Resume an import"))
    shows(made.run("init", "--notes"), "nothing to change")
    refused(made.run("init", "--notes", "--user"), "notes belong to a project")


def main() -> int:
    return run_scenarios([a_name_is_found_by_its_definition_first, a_file_can_be_asked_for_whole, a_commit_can_be_packed,
                          a_packet_goes_to_the_clipboard, a_folder_of_several_repositories_asks_which,
                          init_finds_the_clients_that_are_there, notes_are_begun_and_what_is_there_stays])


if __name__ == "__main__":
    sys.exit(main())
