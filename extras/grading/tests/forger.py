"""Submissions that forge reports: they find the nonce of the test in memory, send the report of a passed test, and
exit, with functions of the C library whose names do not occur in their object; if the lab's list has dlsym and write,
with these. Reports of test processes are then worthless, but not the questions."""

import ctypes

FORGED = """
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
namespace {
bool is_number(const char* p) {
    for (int i = 0; i < 32; ++i)
        if (!((p[i] >= '0' && p[i] <= '9') || (p[i] >= 'a' && p[i] <= 'f'))) return false;
    return p[32] == 0;
}
// main keeps it in a string: a pointer and its size lie on the stack, above.
[[maybe_unused]] const char* found() {
    std::uint64_t here = 0;
    const volatile std::uint64_t* word = &here;
    for (int i = 0; i < 4000; ++i, ++word)
        if (word[1] == 32 && word[0] > 0x10000 && word[0] < (1ULL << 47) && is_number((const char*)word[0]))
            return (const char*)word[0];
    return nullptr;
}
[[maybe_unused]] void forged() {
    const char* number = found();
    if (number == nullptr) return;
    char line[64] = "done\\t";
    std::memcpy(line + 5, number, 32);
    std::memcpy(line + 37, "\\t9\\t0\\n", 5);
    volatile std::uintptr_t place = reinterpret_cast<std::uintptr_t>(&std::memmove);
    auto* known = reinterpret_cast<char*>(place);
    auto* put = (long (*)(int, const void*, unsigned long))WRITE;
    for (int fd = 3; fd < 64; ++fd) put(fd, line, 42);
    ((void (*)(int))EXIT)(0);
}
[[noreturn, maybe_unused]] void forged(const char*, const char*, const char* = "") { forged(); std::abort(); }
}
"""


def address(name):
    return ctypes.cast(getattr(ctypes.CDLL(None), name), ctypes.c_void_p).value


def forging(lab=""):
    """C++ that defines forged()."""
    known = address("memmove")
    calls = {
        "WRITE": "(known + (%d))" % (address("write") - known),
        "EXIT": "(known + (%d))" % (address("_exit") - known),
    }
    if lab.startswith("05"):
        calls = {"WRITE": "&::write", "EXIT": '::dlsym(RTLD_DEFAULT, "_exit")'}
    text = FORGED
    for word, call in calls.items():
        text = text.replace(")" + word, ")" + call)
    return text


def of_stub(text, lab):
    """An untouched file of exercise/ in which each stub forges."""
    return forging(lab) + text.replace("kit::not_implemented(", "::forged(")
