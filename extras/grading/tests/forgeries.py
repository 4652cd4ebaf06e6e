"""Submissions of lab 01 that forge the reports of tests instead of solving the steps: each is rejected, fails its
steps, or is left for review by a person; other marks are unaffected."""

import os

from forger import forging
from grading import judge, sandbox
from support import ARCH, LAB, ROOT, WALLED, Attack, without_walls

MAKE = """
#include "labs/01_switch_asm/context.h"
namespace fiberscope::lab01 {
void make_context(Context&, std::byte*, std::size_t, Entry, void*) { %s }
}
"""
# Using only names of the C++ library: /proc files of a process, and its report as a file.
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
DONE = "void report_done(std::string_view, unsigned long, unsigned long)"
STARTS = "__attribute__((constructor)) static void early() { %s }"


def c_function(text):
    return 'extern "C" __attribute__((weak)) ' + text


# Code that replaces or follows the untouched context.cpp.
FORGERIES = {
    "number_in_memory": forging() + MAKE % "forged();",
    "number_in_files": BY_FILES + MAKE % "by_files();",
    "exit_with_success": "#include <cstdlib>\n" + MAKE % "std::_Exit(0);",
    "exit_of_a_process": "#include <unistd.h>\n" + MAKE % "if (::fork() > 0) ::_exit(0);",
    "report_of_its_own": "#include <string_view>\nnamespace fiberscope::kit { %s; }\n" % DONE
    + MAKE % 'kit::report_done("x", 1, 0);',
    "signals_ignored": "#include <csignal>\n" + MAKE % "std::signal(11, SIG_IGN);",
}
ADDED = {
    "before_main": forging() + STARTS % "forged();",
    "exit_before_main": "#include <unistd.h>\n" + STARTS % "::_exit(0);",
    "chosen_while_loaded": 'extern "C" { typedef void F(); static F* pick() { _Exit(0); } '
    'void chosen() __attribute__((ifunc("pick"))); void (*kept)() = chosen; }',
    "main": "int main() {}",
    "weak_main": c_function("int main(int, char**) { return 0; }"),
    "start_of_the_library": c_function("int __libc_start_main() { return 0; }"),
    "memory_is_equal": c_function("int memcmp(const void*, const void*, unsigned long) { return 0; }"),
    "texts_are_empty": c_function("unsigned long strlen(const char*) { return 0; }"),
    "report_defined": "#include <string_view>\nnamespace fiberscope::kit { %s {} }" % DONE,
    "steps_always_written": "namespace fiberscope::kit { void not_implemented(const char*, const char*, const char*) "
    "noexcept {} }",
    "intermediate_code": 'asm(".section .gnu.lto_main,\\"e\\",@progbits\\n.byte 0\\n.text");',
    "system_call": 'asm(".globl abort\\nabort: mov $231, %eax\\nxor %edi, %edi\\nsyscall");' * (ARCH == "x86_64"),
}


class Forgeries(Attack):
    """Two tests of each step suffice."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        steps = [name.split()[0] for name in cls.setup.tests]
        cls.setup.tests = [name for at, name in enumerate(cls.setup.tests) if steps[:at].count(steps[at]) < 2]

    def forger(self, name, text, kept=""):
        folder = self.right(name)
        if kept:
            for file in folder.iterdir():
                file.write_bytes((ROOT / "labs" / LAB / "exercise" / file.name).read_bytes())
        (folder / "context.cpp").write_text(kept + text)
        return folder

    def test_no_forgery_is_a_plain_pass(self):
        stub = (ROOT / "labs" / LAB / "exercise" / "context.cpp").read_text()
        folders = [self.forger(name, text) for name, text in FORGERIES.items()]
        folders += [self.forger(name, "\n" + text, stub) for name, text in ADDED.items()]
        *marks, right = self.mark(*folders, self.right(), parallel=os.cpu_count())
        self.assertEqual((right.points, right.reviews), (right.most, []))
        for mark in marks:
            with self.subTest(mark.name):
                self.assertEqual([one.number for one in mark.steps if one.solved], [], mark.refused)
                self.assertEqual(mark.points, 0)
        forged = marks[0]
        self.assertGreater(len([one for one in forged.verdicts if one.passed]), 5)  # otherwise the attack did not work
        self.assertIn("step 1.2: tests pass, but its question is not answered", forged.reviews)

    def test_only_one_end_with_the_nonce_counts(self):
        def verdict(report, status=0):
            return judge.verdict_on(sandbox.Outcome(status, "", report), "secret")[0]

        done = "done\tsecret\t3\t0\n"
        self.assertTrue(verdict(done))
        for report in (
            *("", "done\tguess\t3\t0\n", "done\tsecret\t0\t0\n", "done\tsecret\t3\t1\n", "done\tsecret\t3\n"),
            *(done + done, "failed\tf\t1\ta\tb\tc\n" + done, "not-implemented\t1.1\tx\ty\n" + done),
            "fault\t11\tx\t-\tm\t0\t1\tcrash\n" + done,
        ):
            self.assertFalse(verdict(report), report)
        self.assertFalse(verdict(done, status=1))
        self.assertFalse(verdict(done, status=-11))


if WALLED:
    ForgeriesWithoutWalls = without_walls(Forgeries)
