"""Archives that depend on their content alone: names sorted, owner root, one time for everything."""
import dataclasses
import gzip
import io
import lzma
import tarfile
import time
import zipfile


@dataclasses.dataclass(frozen=True)
class File:
    data: bytes
    mode: int = 0o644


def _tar(tree, epoch, folders):
    buffer = io.BytesIO()
    names = dict(tree)
    if folders:
        for name in tree:
            parts = name.split("/")[:-1]
            for depth in range(1, len(parts) + 1):
                names.setdefault("/".join(parts[:depth]) + "/", None)
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.GNU_FORMAT) as archive:
        for name in sorted(names):
            entry = tarfile.TarInfo(name.rstrip("/"))
            entry.mtime = epoch
            entry.uname = entry.gname = "root"
            if names[name] is None:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                entry.mode, entry.size = names[name].mode, len(names[name].data)
                archive.addfile(entry, io.BytesIO(names[name].data))
    return buffer.getvalue()


def gz(data):
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb", compresslevel=9, mtime=0, filename="") as out:
        out.write(data)
    return buffer.getvalue()


def tar_gz(tree, epoch, folders=True):
    return gz(_tar(tree, epoch, folders))


def tar_xz(tree, epoch):
    return lzma.compress(_tar(tree, epoch, True), preset=6)


def ar(members, epoch):
    """The container of a .deb, which keeps the order that it is given."""
    out = b"!<arch>\n"
    for name, data in members:
        out += f"{name:<16}{epoch:<12}{0:<6}{0:<6}{'100644':<8}{len(data):<10}`\n".encode()
        out += data + (b"\n" if len(data) % 2 else b"")
    return out


def zipped(tree, epoch):
    buffer = io.BytesIO()
    when = time.gmtime(max(epoch, 315532800))[:6]  # a zip knows no time before 1980
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, file in tree.items():  # a wheel's RECORD stands last
            entry = zipfile.ZipInfo(name, when)
            entry.create_system = 3
            entry.external_attr = (0o100000 | file.mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, file.data)
    return buffer.getvalue()
