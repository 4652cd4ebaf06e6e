"""A forger: its code finds the nonce in its own memory and sends the report of a test that passed, by the C library's
functions that no name in its object shows. What a test's own process says is then worth nothing; the questions are."""

import ctypes

from support import WALLED, Attack, without_walls

FORGER = """
#include <cstdint>
#include <cstring>
#include "labs/01_switch_asm/context.h"
namespace fiberscope::lab01 {
namespace {
bool is_nonce(const char* p) {
    for (int i = 0; i < 32; ++i)
        if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f'))) return false;
    return p[32] == 0;
}
// main keeps it in a string: a pointer and its size lie on the stack, above.
const char* found() {
    std::uint64_t here = 0;
    const volatile std::uint64_t* word = &here;
    for (int i = 0; i < 4000; ++i, ++word)
        if (word[1] == 32 && word[0] > 0x10000 && word[0] < (1ULL << 47) && is_nonce((const char*)word[0]))
            return (const char*)word[0];
    return nullptr;
}
}
void make_context(Context&, std::byte*, std::size_t, Entry, void*) {
    const char* nonce = found();
    if (nonce == nullptr) return;
    char line[64] = "done\\t";
    std::memcpy(line + 5, nonce, 32);
    std::memcpy(line + 37, "\\t1\\t0\\n", 5);
    volatile std::uintptr_t place = reinterpret_cast<std::uintptr_t>(&std::memmove);
    auto* known = reinterpret_cast<char*>(place);
    for (int fd = 3; fd < 64; ++fd) ((long (*)(int, const void*, unsigned long))(known + (%d)))(fd, line, 42);
    ((void (*)(int))(known + (%d)))(0);
}
}
"""


def address(name):
    return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value


class TheirMemory(Attack):
    def forger(self):
        folder = self.right("forger")
        known = address("memmove")
        (folder / "context.cpp").write_text(FORGER % (address("write") - known, address("_exit") - known))
        return folder

    def test_the_nonce_found_in_memory(self):
        mark = self.mark(self.forger())
        self.assertEqual(mark.refused, "")
        forged = [one.test for one in mark.verdicts if one.passed]
        self.assertGreater(len(forged), 5)  # or this is no attack any more
        self.assertEqual(mark.points, 0)

    def test_the_others_marks_stay(self):
        forger, right = self.mark(self.forger(), self.right(), parallel=2)
        self.assertEqual((forger.points, right.points), (0, right.most))


if WALLED:
    MemoryWithoutWalls = without_walls(TheirMemory)
