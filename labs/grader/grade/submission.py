"""Takes the expected files of a submission, and nothing else."""

import os
import stat
import tarfile
import zipfile
from pathlib import Path

from .errors import Refused, printable

MOST_BYTES = 1 << 20  # of one file, and of what an archive may say about itself
MOST_ENTRIES = 500


def take(path, expected):
    """{lab: {name: bytes}} of the expected files in a directory, a zip or a tar. `expected`: {lab: names}, the graded
    lab first, then those that it stands on. Throws Refused for anything that is not plain: a link, a device, a name
    that climbs out, a file that is not expected, one that is too large, two of one name; and if there is no file of the
    graded lab."""
    path = Path(path)
    if path.is_dir() and not path.is_symlink():
        found = from_directory(path)
    elif path.is_file() and zipfile.is_zipfile(path):
        found = from_zip(path)
    elif path.is_file() and tarfile.is_tarfile(path):
        found = from_tar(path)
    else:
        raise Refused("%s is no directory, zip or tar" % printable(path.name))
    return chosen(found, expected)


def chosen(entries, expected):
    """Of (path inside, size, read)."""
    files, count = {lab: {} for lab in expected}, 0
    for inside, size, read in entries:
        count += 1
        if count > MOST_ENTRIES:
            raise Refused("it has more than %d entries" % MOST_ENTRIES)
        lab, name = expected_name(inside, expected)
        if name in files[lab]:
            raise Refused("it has two files %s" % printable(name))
        if size > MOST_BYTES:
            raise Refused("%s is larger than %d bytes" % (printable(inside), MOST_BYTES))
        data = read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            raise Refused("%s is larger than it says" % printable(inside))
        files[lab][name] = data
    graded = next(iter(expected))
    if not files[graded]:
        raise Refused("it has none of the files %s" % ", ".join(sorted(expected[graded])))
    return files


def expected_name(inside, expected):
    """(lab, name): …/NN_LAB/exercise/NAME is of that lab; exercise/NAME, FOLDER/NAME and NAME are of the graded one."""
    parts = inside.replace("\\", "/").split("/")
    if inside.startswith("/") or ".." in parts:
        raise Refused("the name %s climbs out" % printable(inside))
    lab = parts[-3] if len(parts) > 2 and parts[-3] in expected else next(iter(expected))
    if parts[-1] not in expected[lab] or not (len(parts) <= 2 or parts[-2] == "exercise"):
        names = sorted(expected[next(iter(expected))])
        raise Refused("%s is no file that you hand in; these are: %s" % (printable(inside), ", ".join(names)))
    return lab, parts[-1]


def from_directory(path):
    for folder, folders, names in os.walk(path, followlinks=False):
        for name in folders:
            if os.path.islink(os.path.join(folder, name)):
                raise Refused("%s is a link" % printable(name))
        for name in names:
            whole = os.path.join(folder, name)
            yield os.path.relpath(whole, path), os.lstat(whole).st_size, plain_file(whole)


def plain_file(whole):
    """Opened without following a link and without waiting for a FIFO's writer."""

    def read(most):
        try:
            fd = os.open(whole, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            raise Refused("%s cannot be read: %s" % (printable(os.path.basename(whole)), error.strerror))
        with os.fdopen(fd, "rb") as file:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise Refused("%s is no plain file" % printable(os.path.basename(whole)))
            return file.read(most)

    return read


def from_zip(path):
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist()[: MOST_ENTRIES + 1]:
                if entry.is_dir():
                    continue
                if stat.S_ISLNK(entry.external_attr >> 16):
                    raise Refused("%s is a link" % printable(entry.filename))
                if entry.flag_bits & 1:
                    raise Refused("%s is encrypted" % printable(entry.filename))
                yield entry.filename, entry.file_size, lambda most, e=entry: archive.open(e).read(most)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        raise Refused("the zip is damaged: %s" % printable(str(error)))


def from_tar(path):
    try:
        with tarfile.open(path) as archive:
            for entry in archive:
                if entry.isdir():
                    continue
                if not entry.isreg():
                    raise Refused("%s is no plain file" % printable(entry.name))
                yield entry.name, entry.size, lambda most, e=entry: archive.extractfile(e).read(most)
    except (tarfile.TarError, EOFError, OSError, ValueError) as error:
        raise Refused("the tar is damaged: %s" % printable(str(error)))
