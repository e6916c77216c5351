"""What can be said of the packages without building them: the list of licences is complete against what is linked, and each
package that packaging/ makes of a stand-in program is one that its installer reads.
Usage: descriptors.py ROOT PROGRAM"""
import base64
import csv
import hashlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

sys.dont_write_bytecode = True
ROOT, PROGRAM = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.path.insert(0, str(ROOT / "packaging"))
import archives  # noqa: E402
import formats  # noqa: E402
import licence_texts  # noqa: E402
import parts  # noqa: E402
import sbom  # noqa: E402
sys.path.insert(0, str(ROOT / "tests"))
import hardened_program  # noqa: E402

EPOCH = 1_794_000_000
TEXTS = {"LICENSE": b"ours\n", "CHANGELOG.md": b"# Changelog\n", "THIRD-PARTY.txt": b"theirs\n", "knapsack.spdx.json": b"{}\n"}
TREE = {"bin/knapsack": archives.File(b"\x7fELF stand-in", 0o755), "share/knapsack/e5-small-v2.model": archives.File(b"model"),
        "share/man/man1/knapsack.1": archives.File(b".TH\n"), "share/bash-completion/completions/knapsack": archives.File(b"complete\n")}


class Licences(unittest.TestCase):
    def setUp(self):
        self.listed = {part.name: part for part in parts.all_parts(ROOT)}

    def test_every_source_that_is_pinned_is_listed(self):
        pinned = set(parts.portable_sources(ROOT)) - {"ziglang"}
        self.assertEqual(pinned, {name for name, part in self.listed.items() if part.kind == "library"})

    def test_every_folder_that_the_portable_build_compiles_is_pinned_and_the_other_way_round(self):
        used = set(re.findall(r"\$\{portable\}/([a-z0-9-]+)", (ROOT / "cmake/Portable.cmake").read_text()))
        self.assertEqual(used - {"tools"}, set(parts.portable_sources(ROOT)) - {"ziglang"})

    def test_every_library_that_the_build_links_has_a_portable_form(self):
        """What src/CMakeLists.txt links is what cmake/Portable.cmake defines."""
        linked = re.findall(r"\b([A-Za-z0-9-]+::[A-Za-z0-9_-]+)", (ROOT / "src/CMakeLists.txt").read_text())
        portable = (ROOT / "cmake/Portable.cmake").read_text()
        missing = {name for name in linked if name not in portable and name != "Threads::Threads"}
        self.assertFalse(missing)

    def test_every_grammar_and_table_is_listed(self):
        wanted = set(json.loads((ROOT / "deps/package.json").read_text())["dependencies"])
        self.assertEqual(wanted, {name for name, part in self.listed.items() if part.kind in ("grammar", "data")})

    def test_everything_in_the_inspectors_bundle_is_listed(self):
        lock = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
        bundled = {name.removeprefix("node_modules/") for name, entry in lock.items()
                   if name.startswith("node_modules/") and not entry.get("dev") and "esbuild" not in name}
        self.assertEqual(bundled, {name for name, part in self.listed.items() if part.kind == "page"})

    def test_the_licences_are_those_that_the_packages_name(self):
        for folder, kinds in (("deps", ("grammar", "data")), ("web", ("page",))):
            for part in self.listed.values():
                if part.kind in kinds:
                    named = json.loads((ROOT / folder / "node_modules" / part.name / "package.json").read_text())["license"]
                    self.assertEqual(part.licence, named, part.name)

    def test_the_program_lists_each_of_them(self):
        shown = subprocess.run([PROGRAM, "licenses"], check=True, capture_output=True, text=True).stdout
        for part in self.listed.values():
            if part.kind == "compiler":  # in the packages alone
                continue
            line = next((line for line in shown.splitlines() if line.split(" ")[0] == part.name), None)
            self.assertIsNotNone(line, part.name)
            self.assertIn(part.licence, line)

    def test_the_model_says_where_to_check_its_licence(self):
        self.assertIn("https://", self.listed["e5-small-v2"].purpose)

    def test_pins_are_hashes_and_name_no_host(self):
        for source in parts.portable_sources(ROOT).values():
            self.assertRegex(source["sha256"], r"^[0-9a-f]{64}$")
        self.assertNotRegex((ROOT / "deps/portable.txt").read_text(), r"https?://")

    def test_texts_are_in_one_file(self):
        text = licence_texts.all_texts(ROOT)
        for name in self.listed:
            self.assertIn(f"\n{name} ", text)


class Bill(unittest.TestCase):
    def test_it_has_what_spdx_asks_for(self):
        bill = json.loads(sbom.document(ROOT, "0.1.0", "abc", EPOCH))
        self.assertEqual(bill["spdxVersion"], "SPDX-2.3")
        self.assertEqual(bill["dataLicense"], "CC0-1.0")
        self.assertRegex(bill["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        known = {package["SPDXID"] for package in bill["packages"]}
        self.assertEqual(len(known), len(bill["packages"]))
        for package in bill["packages"]:
            self.assertRegex(package["SPDXID"], r"^SPDXRef-[A-Za-z0-9.-]+$")
            for field in ("name", "versionInfo", "downloadLocation", "licenseDeclared", "copyrightText"):
                self.assertTrue(package[field], package)
        for relation in bill["relationships"]:
            self.assertIn(relation["relatedSpdxElement"], known)
        self.assertEqual({part.name for part in parts.all_parts(ROOT)} | {"knapsack"}, {package["name"] for package in bill["packages"]})


class Packages(unittest.TestCase):
    def test_a_tarball_unpacks_into_one_folder(self):
        name, data = formats.tarball(TREE, TEXTS, "0.1.0", "x86_64", EPOCH)
        self.assertEqual(name, "knapsack-0.1.0-linux-x86_64.tar.gz")
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = {member.name: member for member in archive}
        self.assertTrue(all(each.split("/")[0] == "knapsack-0.1.0-linux-x86_64" for each in members))
        program = members["knapsack-0.1.0-linux-x86_64/bin/knapsack"]
        self.assertEqual((program.mode, program.uname, program.mtime), (0o755, "root", EPOCH))

    def test_dpkg_reads_the_deb(self):
        for target, processor in (("x86_64", "amd64"), ("aarch64", "arm64")):
            name, data = formats.deb(TREE, TEXTS, "0.1.0", target, EPOCH)
            with tempfile.TemporaryDirectory() as folder:
                file = pathlib.Path(folder) / name
                file.write_bytes(data)
                fields = subprocess.run(["dpkg-deb", "--field", str(file)], check=True, capture_output=True, text=True).stdout
                subprocess.run(["dpkg-deb", "--extract", str(file), f"{folder}/root"], check=True)
                self.assertIn(f"Architecture: {processor}\n", fields)
                self.assertIn("Depends: libc6 (>= 2.28)\n", fields)
                root = pathlib.Path(folder) / "root"
                self.assertEqual((root / "usr/bin/knapsack").read_bytes(), TREE["bin/knapsack"].data)
                self.assertTrue((root / "usr/share/man/man1/knapsack.1.gz").exists())
                self.assertIn("theirs", (root / "usr/share/doc/knapsack-context/copyright").read_text())

    def test_the_record_of_a_wheel_is_true(self):
        name, data = formats.wheel(TREE, TEXTS, "0.1.0", "aarch64", EPOCH)
        self.assertEqual(name, "knapsack_context-0.1.0-py3-none-manylinux_2_28_aarch64.whl")
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            self.assertEqual(names[-1], "knapsack_context-0.1.0.dist-info/RECORD")
            rows = {row[0]: row for row in csv.reader(archive.read(names[-1]).decode().splitlines())}
            self.assertEqual(set(rows), set(names))
            for each in names[:-1]:
                digest = base64.urlsafe_b64encode(hashlib.sha256(archive.read(each)).digest()).rstrip(b"=").decode()
                self.assertEqual(rows[each][1], f"sha256={digest}")
            mode = archive.getinfo("knapsack_context-0.1.0.data/scripts/knapsack").external_attr >> 16
            self.assertEqual(mode & 0o777, 0o755)
            self.assertIn("Tag: py3-none-manylinux_2_28_aarch64", archive.read("knapsack_context-0.1.0.dist-info/WHEEL").decode())

    def test_npm_installs_the_program_that_fits(self):
        name, data = formats.npm_launcher(ROOT, TEXTS, "0.1.0", ["aarch64", "x86_64"], EPOCH)
        self.assertEqual(name, "knapsack-context-0.1.0.tgz")
        launcher = self.npm_description(data)
        self.assertEqual(launcher["bin"]["knapsack"], "bin/knapsack.js")
        for target, processor in (("x86_64", "x64"), ("aarch64", "arm64")):
            name, data = formats.npm_platform(TREE["bin/knapsack"], TREE["share/knapsack/e5-small-v2.model"], TEXTS, "0.1.0", target, EPOCH)
            description = self.npm_description(data)
            self.assertEqual((description["os"], description["cpu"]), (["linux"], [processor]))
            self.assertEqual(launcher["optionalDependencies"][description["name"]], description["version"])

    def npm_description(self, data):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            self.assertTrue(all(name.startswith("package/") for name in archive.getnames()))
            return json.load(archive.extractfile("package/package.json"))

    def test_the_launcher_passes_words_input_and_exit_codes_on(self):
        with tempfile.TemporaryDirectory() as folder:
            modules = pathlib.Path(folder) / "node_modules"
            processor = subprocess.run(["node", "-p", "process.arch"], check=True, capture_output=True, text=True).stdout.strip()
            program = modules / f"knapsack-context-linux-{processor}"
            (program / "bin").mkdir(parents=True)
            (program / "package.json").write_text("{}")
            (program / "bin/knapsack").write_text('#!/bin/sh\nread line\necho "$1 $line"\nexit 7\n')
            (program / "bin/knapsack").chmod(0o755)
            launcher = modules / "knapsack-context/bin/knapsack.js"
            launcher.parent.mkdir(parents=True)
            launcher.write_bytes((ROOT / "packaging/npm_launcher.js").read_bytes())
            ran = subprocess.run(["node", str(launcher), "word"], input="typed\n", capture_output=True, text=True, check=False)
            self.assertEqual((ran.returncode, ran.stdout), (7, "word typed\n"))
            (program / "package.json").unlink()
            ran = subprocess.run(["node", str(launcher)], capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode, 1)
            self.assertIn("is not installed", ran.stderr)

    def test_the_same_content_gives_the_same_bytes(self):
        other_order = dict(reversed(TREE.items()))
        for make in (formats.tarball, formats.deb, formats.wheel):
            self.assertEqual(make(TREE, TEXTS, "0.1.0", "x86_64", EPOCH), make(other_order, TEXTS, "0.1.0", "x86_64", EPOCH))

    def test_nothing_is_left_to_fill_in(self):
        for template, words in (("Containerfile.in", {"VERSION": "0.1.0"}),
                                ("knapsack.rb.in", {"VERSION": "0.1.0", "SHA256_X86_64": "a" * 64, "SHA256_AARCH64": "b" * 64})):
            text = formats.filled(ROOT / "packaging" / template, **words)
            self.assertNotRegex(text, r"@[A-Z0-9_]+@")
            self.assertIn("0.1.0", text)


class Hardening(unittest.TestCase):
    """What is read off code without names tells a guarded program from one that is not."""

    def stripped(self, folder, *flags):
        source, program = pathlib.Path(folder) / "many.c", pathlib.Path(folder) / "many"
        source.write_text("void fill(char*);\n" + "".join(f"int f{i}(void) {{ char text[64]; fill(text); return text[{i % 64}]; }}\n"
                                                           for i in range(hardened_program.MIN_IN_CODE + 100)))
        subprocess.run(["c++", "-x", "c", "-O1", "-shared", "-fPIC", "-s", *flags, str(source), "-o", str(program)], check=True)
        return str(program)

    def test_guards_of_return_addresses_are_seen_where_they_are_and_nowhere_else(self):
        with tempfile.TemporaryDirectory() as folder:
            guarded = self.stripped(folder, "-fstack-protector-strong", "-fcf-protection=full")
            self.assertFalse(hardened_program.has_names(guarded))
            self.assertTrue(hardened_program.guards_return_addresses(guarded, "", "x86_64"))
            self.assertTrue(hardened_program.begins_with_endbr64(guarded))
            bare = self.stripped(folder, "-fno-stack-protector", "-fcf-protection=none")
            self.assertFalse(hardened_program.guards_return_addresses(bare, "", "x86_64"))
            self.assertFalse(hardened_program.begins_with_endbr64(bare))


class Version(unittest.TestCase):
    def test_it_names_the_build(self):
        shown = subprocess.run([PROGRAM, "--version"], check=True, capture_output=True, text=True).stdout
        version = re.search(r"project\(knapsack VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertRegex(shown, rf"^knapsack {re.escape(version)} \((commit [0-9a-f]+(-dirty)?, .+|development build, .+)\)\n$")

    def test_the_changelog_has_it(self):
        version = re.search(r"project\(knapsack VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertRegex((ROOT / "CHANGELOG.md").read_text(), rf"(?m)^## \[(Unreleased|{re.escape(version)})\]")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
