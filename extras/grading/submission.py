"""Reads the expected files of a submission, and nothing else. Type, size and number of files are checked before any is
opened, and no file is read beyond the limits."""

import gzip
import io
import itertools
import os
import re
import stat
import tarfile
import zipfile
import zlib
from pathlib import Path

from .errors import Refused, printable

LABS = {path.name for path in (Path(__file__).parents[2] / "labs").glob("[0-9][0-9]_*")}
MOST_BYTES = 1 << 20  # of one file
MOST_OF_ARCHIVE = 16 << 20  # compressed
MOST_UNPACKED = 32 << 20
MOST_ENTRIES = 2000
ARCHIVE = r"(?i)\.(zip|tar|tgz|tar\.gz)$"
DEEPEST = 20  # nested directories

DAMAGED = (
    *(tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, OSError),
    *(NotImplementedError, RuntimeError, ValueError, OverflowError),
)


def take(path, lab, expected):
    """({name: bytes}, [note]) of the `expected` names in a directory, a zip or a tar. Other files are ignored,
    with a note. Raises Refused if an expected file is not regular, is too large, or is present twice; for a path that
    leads outside; if the limits are exceeded; and if there is none of the files."""
    path = Path(path)
    try:
        kind = path.lstat()
    except OSError:
        kind = None
    if kind is not None and stat.S_ISDIR(kind.st_mode):
        if inner := only_archive(path):
            return take(inner, lab, expected)
        return chosen(from_directory(path), lab, expected)
    if kind is None or not stat.S_ISREG(kind.st_mode):
        raise Refused("%s is not a directory, zip or tar" % printable(path.name))
    if kind.st_size > MOST_OF_ARCHIVE:
        raise Refused("%s is larger than %d bytes" % (printable(path.name), MOST_OF_ARCHIVE))
    return chosen(from_archive(path), lab, expected)


def only_archive(path):
    """The archive that is alone in a directory, as in Moodle's download; None if there is none."""
    inside = list(itertools.islice(scanned(path, path), 2))
    is_archive = inside and inside[0].is_file(follow_symlinks=False) and re.search(ARCHIVE, inside[0].name)
    return path / inside[0].name if is_archive and len(inside) == 1 else None


def chosen(entries, lab, expected):
    """Selects from (path inside, size, read); `read` is None unless it is a regular file."""
    files, places, left, count = {}, {}, [], 0
    for inside, size, read in entries:
        name = expected_name(inside, lab, expected)
        count += not is_hidden(inside)
        if count > MOST_ENTRIES:
            raise Refused("it has more than %d entries" % MOST_ENTRIES)
        if name is None:
            left.append(inside)
            continue
        data = as_text(content(inside, size, read))
        if files.setdefault(name, data) != data:
            both = "%s: %s, %s" % (name, places[name], inside)
            raise Refused("it has two different versions of %s" % printable(both))
        places[name] = inside
    if not files:
        raise Refused("it has none of the files %s" % ", ".join(sorted(expected)))
    return files, notes(left)


def content(inside, size, read):
    if read is None:
        raise Refused("%s is not a regular file" % printable(inside))
    if size > MOST_BYTES:
        raise Refused("%s is larger than %d bytes" % (printable(inside), MOST_BYTES))
    try:
        data = read(MOST_BYTES + 1)
    except DAMAGED as error:
        raise Refused("cannot read %s: %s" % (printable(inside), printable(str(error))))
    if len(data) > MOST_BYTES:
        raise Refused("%s is larger than declared" % printable(inside))
    return data


def notes(left):
    if not left:
        return []
    names = ", ".join(sorted(map(printable, left))[:5]) + (", …" if len(left) > 5 else "")
    return ["ignored, because it is not a file to hand in: %s" % names]


def as_text(data):
    """Normalizes to UTF-8 without a byte order mark, and Unix line endings."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        data = data.decode("utf-16", "replace").encode()
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def is_hidden(inside):
    """Files of operating systems, editors and version control, in separate directories."""
    return any(part == "__MACOSX" or part.startswith(".") and part != "." for part in inside.split("/")[:-1])


def expected_name(inside, lab, expected):
    """The name of this expected file; None for other files, and for those outside an exercise/ folder of this lab."""
    parts = inside.replace("\\", "/").split("/")
    if inside.startswith("/") or ".." in parts:
        raise Refused("the path %s leads outside" % printable(inside))
    *folders, name = parts
    labs = [place for place, part in enumerate(folders) if part in LABS]
    inner = "/".join(folders[labs[-1] + 1 :]) if labs else ""
    fits = not labs or folders[labs[-1]] == lab and re.fullmatch("((beyond/[^/]+/)?exercise)?", inner)
    return name if fits and name in expected and not is_hidden("/".join(parts)) else None


def from_directory(path):
    """Without recursion, and without following links. Directories count as entries."""
    left, found = [(str(path), 0)], 0
    while left:
        folder, depth = left.pop()
        for entry in scanned(folder, path):
            found += 1
            if found > MOST_ENTRIES or depth > DEEPEST:
                raise Refused("it has more than %d entries" % MOST_ENTRIES)
            kind = entry.stat(follow_symlinks=False)
            inside, plain = os.path.relpath(entry.path, path), stat.S_ISREG(kind.st_mode)
            if not stat.S_ISDIR(kind.st_mode):
                yield inside, kind.st_size, plain_file(entry.path) if plain else None
            elif is_hidden(inside + "/"):
                yield inside + "/", 0, None
            else:
                left.append((entry.path, depth + 1))


def scanned(folder, top):
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError as error:
        name = printable(os.path.relpath(folder, top))
        raise Refused("cannot read %s: %s" % (name, error.strerror))


def plain_file(whole):
    """Opens it without following a link and without blocking on a FIFO, which may have replaced it."""

    def read(most):
        try:
            fd = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise Refused("cannot read %s: %s" % (printable(os.path.basename(whole)), error.strerror))
        with os.fdopen(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise Refused("%s is not a regular file" % printable(os.path.basename(whole)))
            return file.read(most)

    return read


def from_archive(path):
    data = plain_file(str(path))(MOST_OF_ARCHIVE + 1)
    if zipfile.is_zipfile(io.BytesIO(data)):
        return from_zip(data)
    return from_tar(data, path.name)


def from_zip(data):
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.infolist():
                if entry.is_dir():
                    continue
                if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # read without a limit
                    raise Refused("the zip is damaged: %s" % "unsupported compression method")
                kind = stat.S_IFMT(entry.external_attr >> 16)
                read = None if kind not in (0, stat.S_IFREG) else lambda most, e=entry: archive.open(e).read(most)
                yield entry.filename, entry.file_size, read
    except DAMAGED as error:
        raise Refused("the zip is damaged: %s" % printable(str(error)))


def from_tar(data, name):
    try:
        unpacked = unpacked_tar(data)
        if len(unpacked) > MOST_UNPACKED:
            raise Refused("%s is larger than declared" % printable(name))
        with tarfile.open(fileobj=io.BytesIO(unpacked), mode="r:") as archive:
            for entry in archive:
                if entry.isdir():
                    continue
                read = (lambda most, e=entry: archive.extractfile(e).read(most)) if entry.isreg() else None
                yield entry.name, entry.size, read
    except tarfile.ReadError:
        raise Refused("%s is not a directory, zip or tar" % printable(name))
    except DAMAGED as error:
        raise Refused("the tar is damaged: %s" % printable(str(error)))


def unpacked_tar(data):
    if data.startswith(b"\x1f\x8b"):
        with gzip.open(io.BytesIO(data)) as file:
            return file.read(MOST_UNPACKED + 1)
    return data
