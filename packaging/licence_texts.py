"""The licence texts of everything that is linked, as its authors ship them, in one file for the packages."""
import pathlib

import parts

NAMES = ("LICENSE*", "LICENCE*", "COPYING*", "COPYRIGHT*", "license*", "copyright")
PUBLIC_DOMAIN = "SQLite is in the public domain: its authors disclaim copyright, and give a blessing in place of a licence.\n"
# Where the texts lie, below deps/portable, for what is not found by its name there.
PLACES = {"openssl": ["openssl/openssl"], "libgit2": ["libgit2/libgit2"], "zlib": ["zlib/src/zlib"], "zstd": ["zstd/zstd"],
          "libc++": ["ziglang/ziglang/lib/libcxx"], "zig-compiler-rt": ["ziglang/ziglang"],
          "glibc-start-files": ["ziglang/ziglang/lib/libc/glibc"]}


def _files(folder):
    return sorted({file for name in NAMES for file in folder.glob(name) if file.is_file()})


def _found(root, part):
    portable = root / "deps/portable"
    if part.kind in ("library", "compiler"):
        folders = [portable / place for place in PLACES.get(part.name, [part.name])]
        folders += [portable / part.name / "debian", *sorted((portable / part.name / "usr/share/doc").glob("*"))]
        return [file for folder in folders for file in _files(folder)]
    if part.kind == "model":
        return []
    return _files(root / ("web" if part.kind == "page" else "deps") / "node_modules" / part.name)


def text_of(root, part):
    """Empty where no text was found: the tests name such a part."""
    root = pathlib.Path(root)
    if part.name == "sqlite":
        return PUBLIC_DOMAIN
    if part.kind == "model":
        return f"{part.licence}. {part.purpose}\n"
    texts = []
    for file in _found(root, part):
        text = file.read_text(errors="replace").strip() + "\n"
        if text not in texts:
            texts.append(text)
    if not texts and part.licence == "Apache-2.0":
        return "Its licence is the one of knapsack itself: see LICENSE.\n"
    return "\n".join(texts)


def all_texts(root):
    out = "Everything that is linked into knapsack or lies beside it, with its licence.\n"
    for part in parts.all_parts(root):
        text = text_of(root, part) or f"Licensed under {part.licence}; its package holds no text of it.\n"
        out += f"\n{'=' * 100}\n{part.name} {part.version} ({part.licence}): {part.purpose}\n{'=' * 100}\n\n{text}"
    return out
