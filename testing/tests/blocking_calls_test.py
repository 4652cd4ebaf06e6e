"""Compares the list of blocking functions (docs/lab05) with the symbols of the C library."""

import re
import subprocess
import unittest
from fnmatch import fnmatchcase
from pathlib import Path

from tree import files, read

LIST = "labs/05_epoll_io/blocking_calls.txt"
MAY_BLOCK = (
    r"recv|send|(?<!th)read|write|wait|sleep|poll|select|accept|connect|lock|sem_|^sem|^mq_|^msg|aio|^lio|sync|splice"
    r"|^tee$|flush|open|close|pause|suspend|join|system|cond|barrier|fcntl|getaddr|gethost|^f?get\w*ent(_r)?$"
    r"|\bf?gets|^f?getw|^f?getc|_fget|getline|getdelim|getpass|scanf|printf|^f?put|drain|once|^cnd|^mtx|^thrd|daemon"
    r"|forkpty|login_tty|truncate|syslog"
)
CLASSES = {"hooked", "stops", "stops as another", "within", "returns"}


def classes(text):
    found, name = {}, None
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            name, line = line.split(":", 1)
        found.setdefault(name, []).extend(line.split())
    return found


def symbols():
    """The functions exported by libc.so.6, without internal names."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8")
    library = re.search(r"\S*/libc[.-]\S*", maps)[0]
    lines = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    names = {word[0] for word in re.findall(r" [TWi] (\w+)(@\S*)?$", lines, re.M)}
    return {name for name in names if not name.startswith("_") or name.endswith("_chk")}


def unclassified(names, found):
    """The candidates that belong to no class."""
    patterns = [pattern for group in found.values() for pattern in group]
    candidates = {name for name in names if re.search(MAY_BLOCK, name)}
    return {name for name in candidates if not any(fnmatchcase(name, pattern) for pattern in patterns)}


def defined():
    """The C functions that the hook replaces."""
    sources = [name for name in files(".cpp") if re.search(r"05_epoll_io/(given/hook_|solution/interpose)", name)]
    text = "".join(read(name) for name in sources)
    return set(re.findall(r"^[\w:* ]+?[ *](\w+)\([^;]*?\)\s*(?:noexcept\s*)?(?:\{|__attribute__)", text, re.M))


def said_to_stop(page, words):
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ") and " | " in line]
    return {name for cells in rows if cells[1].startswith(words) for name in re.findall(r"`([\w:]+)`", cells[0])}


class BlockingCalls(unittest.TestCase):
    def setUp(self):
        self.found = classes(read(LIST))

    def test_each_function_that_may_block_has_a_class(self):
        self.assertEqual(set(self.found), CLASSES)
        names = symbols()
        self.assertGreater(len(names), 1000)
        self.assertEqual(sorted(unclassified(names, self.found)), [])

    def test_a_function_without_a_class_is_found(self):
        self.assertEqual(unclassified({"recv_twice", "strlen", "recv"}, self.found), {"recv_twice"})

    def test_the_hooked_ones_are_defined(self):
        self.assertEqual(sorted(set(self.found["hooked"]) - defined()), [])

    def test_the_table_of_limits_names_each_that_stops_the_thread(self):
        for page, words in (("limits.md", "stops the thread"), ("limits.zh.md", "停住线程")):
            said = said_to_stop(read(f"docs/lab05/{page}"), words)
            self.assertEqual(sorted(set(self.found["stops"]) - said), [])


if __name__ == "__main__":
    unittest.main()
