"""Forgers of lab 01 (forger.py): their tests pass, and they get no points."""

from forger import forging
from support import WALLED, Attack, needs_walls, without_walls

MAKE = """
#include "labs/01_switch_asm/context.h"
namespace fiberscope::lab01 {
void make_context(Context&, std::byte*, std::size_t, Entry, void*) { %s }
}
"""
# By names of the C++ library alone: what /proc shows of a process, and its report as a file.
BY_FILES = """
#include <fstream>
#include <iterator>
#include <string>
[[maybe_unused]] static void by_files() {
    std::string number;
    for (const char* name : {"/proc/self/environ", "/proc/1/environ", "/proc/1/cmdline"}) {
        std::filebuf in;
        if (in.open(name, std::ios::in) == nullptr) continue;
        const std::string all((std::istreambuf_iterator<char>(&in)), {});
        const auto at = all.find("FIBERSCOPE_NONCE");
        if (at != all.npos) number = all.substr(at + 17, 32);
    }
    if (number.find_first_not_of("0123456789abcdef") != number.npos || number.size() != 32) return;
    number = "done\\t" + number + "\\t1\\t0\\n";
    for (int fd = 3; fd < 64; ++fd) {
        std::filebuf out;
        if (out.open("/proc/self/fd/" + std::to_string(fd), std::ios::out) == nullptr) continue;
        out.sputn(number.data(), static_cast<std::streamsize>(number.size()));
        out.close();
    }
    std::abort();
}
"""


class TheirMemory(Attack):
    """Two tests of each step are enough."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        steps = [name.split()[0] for name in cls.ground.tests]
        cls.ground.tests = [name for at, name in enumerate(cls.ground.tests) if steps[:at].count(steps[at]) < 2]

    def forger(self, how="forged();", name="forger"):
        folder = self.right(name)
        (folder / "context.cpp").write_text(forging() + BY_FILES + MAKE % how)
        return folder

    def test_the_number_found_in_memory(self):
        mark = self.mark(self.forger())
        self.assertEqual(mark.refused, "")
        forged = [one.test for one in mark.verdicts if one.passed]
        self.assertGreater(len(forged), 5)  # or this is no attack any more
        self.assertEqual(mark.points, 0)

    @needs_walls
    def test_the_number_found_in_files(self):
        mark = self.mark(self.forger("by_files();"))
        self.assertEqual(mark.refused, "")
        reported = [one for one in mark.verdicts if one.passed or "signal 6" in one.why]
        self.assertEqual((reported, mark.points), ([], 0))

    def test_the_others_marks_stay(self):
        forger, right = self.mark(self.forger(), self.right(), parallel=2)
        self.assertEqual((forger.points, right.points), (0, right.most))


if WALLED:
    MemoryWithoutWalls = without_walls(TheirMemory)
