"""Several repositories on one machine in one question: --also, and `also` in the user's own configuration.

    python3 linked_repositories.py PROGRAM
"""
import json
import sqlite3
import subprocess
import sys

from daily_use import PROGRAM, Repository, expect, refused, run_scenarios, shows

CART = '''"""Carts and what they cost."""


class Cart:
    """What somebody is about to buy."""

    def __init__(self, lines):
        self.lines = lines

    def total(self, voucher=None):
        """The price of all lines, less the voucher."""
        price = sum(line.price for line in self.lines)
        return price - discount(price, voucher)


def discount(price, voucher):
    """What a voucher takes off a price."""
    return 0 if voucher is None else price * voucher.share
'''
CHECKOUT = '''from acme_cart import Cart


def pay(lines, voucher):
    """Charges the customer for the cart."""
    cart = Cart(lines)
    return charge(cart.total(voucher))


def charge(amount):
    return amount
'''


class Machine:
    """A folder with repositories side by side."""

    def __init__(self):
        self.first = Repository()
        self.root = self.first.path.parent
        self.made = {"shop": self.first}

    def repository(self, name, files, below=""):
        path = self.root / below / name
        if name == "shop" and not below:
            made = self.first
        else:
            path.mkdir(parents=True)
            made = Repository.__new__(Repository)
            made.held, made.path, made.environment = self.first.held, path, self.first.environment
            made.git("init", "-q", "-b", "main")
        for file, text in files.items():
            made.write(file, text)
        made.commit()
        return made


def python_pair():
    machine = Machine()
    shop = machine.repository("shop", {"pyproject.toml": '[project]\nname = "shop"\ndependencies = ["acme-cart>=1"]\n',
                                       "checkout.py": CHECKOUT, "readme.md": "# Shop\n"})
    lib = machine.repository("cart-lib", {"pyproject.toml": '[project]\nname = "acme-cart"\n',
                                          "src/acme_cart/__init__.py": "from acme_cart.cart import Cart\n",
                                          "src/acme_cart/cart.py": CART,
                                          "src/acme_cart/colours.py": "def warm():\n    return 'orange'\n"})
    return machine, shop, lib


def packed(made, *words):
    result = made.run("pack", *words, "--now", "2026-11-16T08:00:00Z", "--no-meaning")
    expect("pack succeeds", result.returncode == 0, result.stderr)
    return result


def one_packet_has_code_of_both_and_says_whose_it_is():
    _, shop, _ = python_pair()
    task = "the voucher discount of a cart total is wrong at pay"
    alone = packed(shop, task)
    expect("nothing of the other without --also", "cart-lib:" not in alone.stdout, alone.stdout)
    both = packed(shop, task, "--also", "../cart-lib")
    shows(both, "cart-lib:src/acme_cart/cart.py", "def discount(price, voucher)", "checkout.py", "def pay(lines, voucher)")
    again = packed(shop, task, "--also", "../cart-lib")
    expect("the same bytes again", both.stdout == again.stdout, again.stdout)
    wide = packed(shop, task, "--also", "../cart-lib", "--fill")
    shows(wide, "checkout.py imports cart-lib:src/acme_cart/__init__.py")
    for budget in (0, 1, 60, 200, 500, 2000):
        small = json.loads(packed(shop, task, "--also", "../cart-lib", "--budget", str(budget), "--format", "json").stdout)
        expect(f"within {budget}", small["used"] <= small["budget"] == budget, str(small)[:300])


def the_repository_that_answers_the_task_comes_first():
    _, shop, lib = python_pair()
    text = packed(shop, "the share that a voucher takes off a price", "--also", "../cart-lib").stdout
    of_lib, of_shop = text.find("cart-lib:src/acme_cart/cart.py"), text.find("checkout.py")
    expect("the library's file stands first", of_lib != -1 and (of_shop == -1 or of_lib < of_shop), text)
    from_lib = packed(lib, "charges the customer for the cart at pay", "--also", "../shop")
    shows(from_lib, "shop:checkout.py", "def pay(lines, voucher)")


def the_ledger_says_which_repository():
    _, shop, _ = python_pair()
    result = shop.run("pack", "the voucher discount of a cart total", "--also", "../cart-lib")
    expect("packed", result.returncode == 0, result.stderr)
    shows(shop.run("explain", "latest"), "cart-lib:src/acme_cart/cart.py")
    shows(shop.run("explain", "latest", "--expect", "cart-lib:src/acme_cart/cart.py"), "cart-lib:src/acme_cart/cart.py")
    with sqlite3.connect(shop.path / ".knapsack/raw.db") as ledger:
        asked = [json.loads(row[0]) for row in ledger.execute("SELECT request_json FROM runs")]
    expect("the request names the folder", asked[-1]["also"] == [str((shop.path.parent / "cart-lib").resolve())], str(asked))


def names_are_found_across_repositories():
    _, shop, lib = python_pair()
    for made in (shop, lib):
        expect("indexed", made.run("index").returncode == 0)
    refs = shop.run("refs", "Cart", "--also", "../cart-lib")
    shows(refs, "cart-lib:src/acme_cart/cart.py:4  class Cart",
          "checkout.py:6  in pay  → cart-lib:src/acme_cart/cart.py Cart (")
    plain = shop.run("refs", "Cart")
    expect("nothing of it without --also", "cart-lib" not in plain.stdout, plain.stdout)
    method = json.loads(shop.run("refs", "Cart.total", "--also", "../cart-lib", "--format", "json").stdout)
    uses = [(use["path"], use["line"], use["means"]["path"]) for use in method["uses"]]
    expect("a method of an imported type", ("checkout.py", 7, "cart-lib:src/acme_cart/cart.py") in uses, str(method))
    deps = shop.run("deps", "checkout.py", "--also", "../cart-lib")
    shows(deps, "imports", "cart-lib:src/acme_cart/__init__.py")
    back = shop.run("deps", "cart-lib:src/acme_cart/__init__.py", "--also", "../cart-lib")
    shows(back, "cart-lib:src/acme_cart/__init__.py", "imported by", "  checkout.py", "cart-lib:src/acme_cart/cart.py")
    refused(shop.run("deps", "cart-lib:src/none.py", "--also", "../cart-lib"), "the index has no file src/none.py", code=1)


def search_has_one_ranking():
    _, shop, lib = python_pair()
    shop.run("index")
    found = shop.run("search", "discount voucher", "--also", "../cart-lib", "--format", "json", "--no-meaning")
    reply = json.loads(found.stdout)
    expect("the best is the library's", reply["results"][0]["id"] == "cart-lib:src/acme_cart/cart.py" and
           reply["results"][0]["repository"] == "cart-lib", found.stdout)
    expect("both were searched", [source.get("repository", "") for source in reply["sources"] if source["source"] == "code"]
           == ["", "cart-lib"], found.stdout)
    expect("the workspace's own is there", any(each["id"] == "checkout.py" for each in reply["results"]), found.stdout)


def a_retrieval_is_refined_with_files_of_the_other():
    _, shop, _ = python_pair()
    first = shop.run("retrieve", "pay charges too little", "--budget", "3000", "--also", "../cart-lib", "--task-id", "pay-1")
    shows(first, "def pay(lines, voucher)")
    asked = json.dumps({"reason": "how is it coloured", "missing_files": ["cart-lib:src/acme_cart/colours.py"]})
    refined = shop.run("refine", "--task-id", "pay-1", "--request", "-", given=asked)
    shows(refined, "cart-lib:src/acme_cart/colours.py", "def warm()")


def a_file_of_the_other_is_shown_whole():
    _, shop, _ = python_pair()
    whole = packed(shop, "pay", "--also", "../cart-lib", "--full", "cart-lib:src/acme_cart/colours.py")
    shows(whole, "return 'orange'")


def a_missing_folder_is_a_warning():
    _, shop, _ = python_pair()
    result = packed(shop, "pay charges too little", "--also", "../nowhere")
    shows(result, "def pay(lines, voucher)")
    expect("it is named", "the linked repository ../nowhere is left out: there is no such folder" in result.stderr, result.stderr)
    own = packed(shop, "pay charges too little", "--also", ".")
    expect("so is the workspace itself", "it is the workspace itself" in own.stderr, own.stderr)
    strict = shop.run("pack", "pay", "--also", "../nowhere", "--strict")
    expect("--strict fails", strict.returncode == 1, strict.stderr)


def folders_of_one_name_are_told_apart():
    machine, shop, _ = python_pair()
    for below, word in (("east", "sunrise"), ("west", "sunset")):
        machine.repository("shop", {"sky.py": f"def {word}():\n    return 'the sky at {word}'\n"}, below)
    result = packed(shop, "sunrise and sunset of the sky", "--also", "../east/shop", "--also", "../west/shop",
                    "--also", "../east/../east/shop")
    shows(result, "east/shop:sky.py", "west/shop:sky.py", "def sunrise()", "def sunset()")
    expect("each once", result.stdout.count("def sunrise()") == 1, result.stdout)


def the_users_configuration_names_them_and_a_workspace_cannot():
    machine, shop, lib = python_pair()
    shop.write("knapsack.toml", 'also = ["../cart-lib"]\n')
    own = packed(shop, "the voucher discount of a cart total")
    expect("a workspace's file does nothing", "cart-lib:" not in own.stdout, own.stdout)
    expect("and that is said", "also of knapsack.toml does nothing" in own.stderr and "knapsack trust" not in own.stderr, own.stderr)
    trusted = shop.run("trust", "--yes")
    still = packed(shop, "the voucher discount of a cart total")
    expect("not even a trusted one", "cart-lib:" not in still.stdout, still.stdout + trusted.stderr)
    (shop.path / "knapsack.toml").unlink()
    config = machine.root / ".config/knapsack"
    config.mkdir(parents=True)
    (config / "knapsack.toml").write_text('also = ["cart-lib"]\n')
    listed = shop.run("config")
    result = packed(shop, "the voucher discount of a cart total")
    expect("the user's own counts, from the home folder", "cart-lib:src/acme_cart/cart.py" in result.stdout,
           result.stdout + result.stderr + listed.stdout)
    itself = packed(lib, "the voucher discount of a cart total")
    expect("and is quiet in the linked one", "cart-lib:" not in itself.stdout and "left out" not in itself.stderr, itself.stderr)


def packages_of_every_ecosystem_are_resolved():
    machine = Machine()
    shop = machine.repository("shop", {
        "package.json": '{"name": "shop", "dependencies": {"@acme/money": "1"}}',
        "web/pay.ts": "import { euros } from '@acme/money';\nimport { log } from '@acme/money/log';\nexport const pay = () => log(euros(3));\n",
        "go.mod": "module example.org/shop\n\nrequire example.org/ledger v1.0.0\n",
        "main.go": 'package main\n\nimport "example.org/ledger/book"\n\nfunc main() { book.Open() }\n',
        "Cargo.toml": '[package]\nname = "shop"\n\n[dependencies]\nacme-stock = "1"\n',
        "src/main.rs": "use acme_stock::shelf::Shelf;\n\nfn main() { Shelf::new(); }\n",
        "pom.xml": "<project><groupId>org.example</groupId><artifactId>shop</artifactId><dependencies><dependency>"
                   "<groupId>org.acme</groupId><artifactId>post</artifactId></dependency></dependencies></project>",
        "java/Send.java": "package shop;\n\nimport org.acme.post.Parcel;\n\nclass Send { Parcel parcel; }\n",
    })
    libs = {
        "money": {"package.json": '{"name": "@acme/money", "main": "src/index.ts"}',
                  "src/index.ts": "export function euros(n: number) { return n; }\n", "src/log.ts": "export function log(x: any) { return x; }\n"},
        "ledger": {"go.mod": "module example.org/ledger\n", "book/book.go": "package book\n\nfunc Open() {}\n"},
        "stock": {"Cargo.toml": '[package]\nname = "acme-stock"\n', "src/lib.rs": "pub mod shelf;\n",
                  "src/shelf.rs": "pub struct Shelf;\n\nimpl Shelf { pub fn new() -> Shelf { Shelf } }\n"},
        "post": {"pom.xml": "<project><parent><groupId>org.acme</groupId></parent><artifactId>post</artifactId></project>",
                 "src/main/java/org/acme/post/Parcel.java": "package org.acme.post;\n\npublic class Parcel {}\n"},
        # It has the same classes and nobody depends on it.
        "stranger": {"pom.xml": "<project><groupId>org.else</groupId><artifactId>post</artifactId></project>",
                     "src/main/java/org/acme/post/Parcel.java": "package org.acme.post;\n\npublic class Parcel {}\n"},
    }
    also = []
    for name, files in libs.items():
        machine.repository(name, files).run("index")
        also += ["--also", f"../{name}"]
    shop.run("index")
    expected = {"web/pay.ts": ["money:src/index.ts", "money:src/log.ts"], "main.go": ["ledger:book/book.go"],
                "src/main.rs": ["stock:src/shelf.rs"], "java/Send.java": ["post:src/main/java/org/acme/post/Parcel.java"]}
    for file, targets in expected.items():
        deps = json.loads(shop.run("deps", file, *also, "--format", "json").stdout)
        found = sorted(line["path"] for line in deps["imports"])
        expect(f"imports of {file}", found == targets, str(deps))


def agents_are_answered_from_both():
    _, shop, lib = python_pair()
    for made in (shop, lib):
        made.run("index")
    calls = [("pack", {"task": "the voucher discount of a cart total"}), ("search", {"query": "discount voucher"}),
             ("read", {"what": "cart-lib:src/acme_cart/cart.py"}), ("read", {"what": "cart-lib:src/acme_cart/cart.py:16-18"}),
             ("read", {"what": "discount"}), ("retrieve_code", {"task": "the voucher discount of a cart total"})]
    lines = []
    for number, (name, arguments) in enumerate(calls):
        lines.append(json.dumps({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": name, "arguments": arguments, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                                                            "io.modelcontextprotocol/clientCapabilities": {}}}}))
    served = subprocess.run([PROGRAM, "mcp", "--also", str(lib.path), "--jobs", "1"], cwd=shop.path, env=shop.environment,
                            text=True, input="\n".join(lines) + "\n", capture_output=True, timeout=120)
    replies = {}
    for line in served.stdout.splitlines():
        reply = json.loads(line)
        if "id" in reply:
            replies[reply["id"]] = json.dumps(reply.get("result", reply))
    for number, (name, arguments) in enumerate(calls):
        expect(f"{name} {arguments}", "def discount(price, voucher)" in replies.get(number, "") and
               "cart-lib:src/acme_cart/cart.py" in replies.get(number, ""), replies.get(number, served.stderr)[:600])


if __name__ == "__main__":
    sys.exit(run_scenarios([one_packet_has_code_of_both_and_says_whose_it_is, the_repository_that_answers_the_task_comes_first,
                            the_ledger_says_which_repository, names_are_found_across_repositories, search_has_one_ranking,
                            a_retrieval_is_refined_with_files_of_the_other, a_file_of_the_other_is_shown_whole,
                            a_missing_folder_is_a_warning, folders_of_one_name_are_told_apart,
                            the_users_configuration_names_them_and_a_workspace_cannot, packages_of_every_ecosystem_are_resolved,
                            agents_are_answered_from_both]))
