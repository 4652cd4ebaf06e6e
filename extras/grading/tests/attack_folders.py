"""Accepted and rejected submissions: harmless extra files are ignored, and files that would delay the class are
rejected before they are opened."""

import gzip
import io
import os
import shutil
import tarfile
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

from grading import submission
from grading.errors import Refused

EXPECTED = {"context.cpp", "coroutine.cpp"}
MB = 1 << 20


def zipped(*entries, **settings):
    """`entries`: (name or ZipInfo, text)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", settings.get("method", zipfile.ZIP_DEFLATED)) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


def tarred(*entries):
    """`entries`: (name, text, type)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data, kind in entries:
            entry = tarfile.TarInfo(name)
            entry.type, entry.size, entry.linkname = kind, len(data) if kind == tarfile.REGTYPE else 0, "/etc/passwd"
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def entry_of(name, mode):
    entry = zipfile.ZipInfo(name)
    entry.external_attr = mode << 16
    return entry


def torn():
    data = bytearray(zipped(("context.cpp", os.urandom(5000))))
    data[200:300] = bytes(100)
    return bytes(data)


def long_header():
    """A tar whose header of names claims a size of 10 GiB."""
    entry = tarfile.TarInfo("context.cpp")
    entry.type, entry.size = tarfile.XHDTYPE, 10 << 30
    return entry.tobuf(tarfile.GNU_FORMAT) + bytes(1024)


# The archive and the reason for its rejection.
ARCHIVES = {
    "climbs": (zipped(("../../context.cpp", "")), "leads outside"),
    "climbs_in_tar": (tarred(("a/../../context.cpp", b"", tarfile.REGTYPE)), "leads outside"),
    "large": (zipped(("context.cpp", "a" * (MB + 1))), "larger than 1048576"),
    "many": (zipped(*((f"d{i}/x", "") for i in range(2100))), "more than 2000"),
    "link_in_zip": (zipped((entry_of("context.cpp", 0o120777), "/etc/passwd")), "not a regular file"),
    "link_in_tar": (tarred(("context.cpp", b"", tarfile.SYMTYPE)), "not a regular file"),
    "two_of_one_name": (zipped(("context.cpp", "a"), ("exercise/context.cpp", "b")), "two different versions"),
    "torn": (torn(), "cannot read|damaged"),
    "packed_by_lzma": (zipped(("context.cpp", bytes(MB)), method=zipfile.ZIP_LZMA), "unsupported compression"),
    "bomb_gz": (gzip.compress(bytes(40 * MB)), "larger than declared"),
    "bomb_of_names": (gzip.compress(long_header()), "damaged|not a directory|none of"),
    "nothing": (zipped(), "none of the files"),
    "text": (b"int main() {}", "not a directory, zip or tar"),
}

# Harmless additional files.
COMPANIONS = """__MACOSX/._context.cpp ._context.cpp .DS_Store Thumbs.db desktop.ini context.cpp~ #context.cpp#
    .context.cpp.swp context.cpp.bak context.cpp.orig .git/HEAD .git/context.cpp .vscode/settings.json .idea/context.cpp
    .gitignore README.md report.h steps.json labs/kit/report.h 名字.txt context.o __MACOSX/01/exercise/._context.cpp
    labs/02_ucontext/exercise/context.cpp 01_switch_asm/solution/context.cpp""".split()
COMPANIONS += ["Icon\r", "a\nb.txt", "\x1b[31mred", "two words.txt"]


class TheirFolders(unittest.TestCase):
    def setUp(self):
        self.work = Path(tempfile.mkdtemp(prefix="fiberscope_folders_"))
        self.addCleanup(shutil.rmtree, self.work, ignore_errors=True)
        self.began = time.process_time()
        self.folder = self.work / "alice"
        self.folder.mkdir()

    def tearDown(self):
        self.assertLess(time.process_time() - self.began, 20)  # does not depend on a size claimed by the submission

    def take(self, path):
        return submission.take(path, "01_switch_asm", EXPECTED)

    def archive(self, data):
        path = self.work / "alice.zip"
        path.write_bytes(data)
        return path

    def refuses(self, path, pattern):
        with self.assertRaisesRegex(Refused, pattern) as caught:
            self.take(path)
        self.assertTrue(str(caught.exception).isprintable())

    def test_archives(self):
        for name, (data, reason) in ARCHIVES.items():
            with self.subTest(name):
                self.refuses(self.archive(data), reason)

    def test_sparse_files(self):
        for name, reason in (("context.cpp", "larger than"), ("core", "none of the files")):
            with open(self.folder / name, "wb") as file:
                file.truncate(10 << 30)
            with self.subTest(name):
                self.refuses(self.folder, reason)
                self.refuses(self.folder / name, "larger than")
                os.unlink(self.folder / name)

    def test_what_is_no_plain_file(self):
        (self.work / "secret").write_text("")
        makers = {
            "fifo": os.mkfifo,
            "socket": lambda path: os.mknod(path, 0o140666),
            "link": lambda path: os.symlink(self.work / "secret", path),
            "endless_link": lambda path: os.symlink(path, path),
            "device": lambda path: os.symlink("/dev/zero", path),
            "folder": os.mkdir,
        }
        for name, make in makers.items():
            with self.subTest(name):
                make(self.folder / "context.cpp")
                self.refuses(self.folder, "not a regular file|none of the files")
                if name != "folder":
                    self.refuses(self.folder / "context.cpp", "not a directory, zip or tar")
                (os.rmdir if name == "folder" else os.unlink)(self.folder / "context.cpp")
        os.symlink(self.folder, self.work / "link")
        self.refuses(self.work / "link", "not a directory, zip or tar")
        self.refuses(self.work / "nowhere", "not a directory, zip or tar")

    def test_many_files_and_deep_folders(self):
        for number in range(submission.MOST_ENTRIES + 1):
            (self.folder / str(number)).touch()
        self.refuses(self.folder, "more than 2000")
        shutil.rmtree(self.folder)
        deep = os.open(self.work, os.O_RDONLY)
        for _ in range(3000):
            os.mkdir("alice", dir_fd=deep)
            deep, above = os.open("alice", os.O_RDONLY, dir_fd=deep), deep
            os.close(above)
        os.close(deep)
        self.addCleanup(os.system, "rm -rf '%s'" % self.work)
        self.refuses(self.folder, "more than 2000")

    def test_what_may_not_be_read(self):
        self.work.chmod(0o755)
        (self.folder / "context.cpp").touch(0)
        (self.folder / "folder").mkdir(0)
        if os.geteuid() == 0:  # can read everything
            os.seteuid(65534)
            self.addCleanup(os.seteuid, 0)
        self.refuses(self.folder, "cannot read (context.cpp|folder)")
        self.refuses(self.folder / "folder", "cannot read")

    def test_companions_are_left_out_and_told(self):
        right = [("context.cpp", "x"), ("coroutine.cpp", "y")]
        for name in COMPANIONS:
            with self.subTest(name):
                found, notes = self.take(self.archive(zipped(*right, (name, "companion"))))
                self.assertEqual(found, {"context.cpp": b"x", "coroutine.cpp": b"y"})
                self.assertRegex(" ".join(notes), "^ignored, because it is not a file to hand in: ")
                self.assertTrue(notes[0].isprintable())

    def test_companions_that_are_no_plain_files(self):
        (self.folder / "context.cpp").write_text("x")
        os.symlink("alice@host.1234", self.folder / ".#context.cpp")  # an editor's lock
        os.mkfifo(self.folder / "pipe")
        (self.folder / ".git" / "objects").mkdir(parents=True)
        for number in range(submission.MOST_ENTRIES + 1):
            (self.folder / ".git" / "objects" / str(number)).touch()
        found, notes = self.take(self.folder)
        self.assertEqual(found, {"context.cpp": b"x"})
        self.assertIn(".#context.cpp, .git/, pipe", notes[0])

    def test_where_the_files_may_lie(self):
        for folder in (
            "",
            "./",
            "exercise/",
            "alice/",
            "alice/lab 01/",
            "01_alice/",
            "a/labs/01_switch_asm/exercise/",
            "a/labs/01_switch_asm/beyond/b/exercise/",
        ):
            with self.subTest(folder):
                name = folder + "context.cpp"
                self.assertEqual(self.take(self.archive(zipped((name, "x"))))[0], {"context.cpp": b"x"})


    def test_how_a_text_may_be_written(self):
        for data in (b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", "\ufeffa\r\nb\n".encode("utf-16-le"), b"a\rb\r"):
            self.assertEqual(self.take(self.archive(zipped(("context.cpp", data))))[0], {"context.cpp": b"a\nb\n"})

    def test_archives_of_every_kind(self):
        one = tarred(("a/context.cpp", b"x", tarfile.REGTYPE))
        for data in (one, gzip.compress(one), zipped(("context.cpp", "x"))):
            self.assertEqual(self.take(self.archive(data))[0], {"context.cpp": b"x"})
