"""What an object of a submission may not contain."""

import unittest

from support import ARCH, Attack

REPORT_DONE = (
    "#include <string_view>\nnamespace fiberscope::kit { "
    "void report_done(std::string_view, std::size_t, std::size_t) noexcept "
)


def function(expression):
    """A function of the lab that makes this call."""
    return "namespace fiberscope::lab01 { auto f() { return %s; } }" % expression


class TheirObjects(Attack):
    """What an object may not contain."""

    def test_not_implemented_redefined(self):
        self.refused(
            self.with_text(
                "namespace fiberscope::kit { void not_implemented(const char*, const char*, const char*) noexcept {} }"
            ),
            "defines fiberscope::kit::not_implemented",
        )

    def test_the_report_redefined(self):
        text = REPORT_DONE + "{} }"
        self.refused(self.with_text(text), "defines fiberscope::kit::report_done")

    def test_the_report_called(self):
        text = (
            REPORT_DONE + "; }\n"
            'namespace fiberscope::lab01 { void f() { fiberscope::kit::report_done("x", 1, 0); } }'
        )
        self.refused(self.with_text(text), "calls fiberscope::kit::report_done")

    def test_a_constructor_that_answers_names(self):
        text = '#include <cstdio>\n__attribute__((constructor)) static void early() { puts("1.1 mine"); }'
        self.refused(self.with_text(text), "runs code before or after main")

    def test_the_environment_read(self):
        self.refused(
            self.with_text("#include <cstdlib>\n" + function('std::getenv("FIBERSCOPE_NONCE")')),
            "calls getenv",
        )

    def test_another_program_started(self):
        text = "#include <unistd.h>\n" + function('::execl("/bin/true", "true", nullptr)')
        self.refused(self.with_text(text), "calls execl")

    def test_a_fork(self):
        self.refused(
            self.with_text("#include <unistd.h>\nnamespace fiberscope::lab01 { int f() { return ::fork(); } }"),
            "calls fork",
        )

    def test_a_signal_handler(self):
        self.refused(
            self.with_text(
                "#include <csignal>\nnamespace fiberscope::lab01 { auto f() { return std::signal(11, SIG_IGN); } }"
            ),
            "calls signal",
        )

    def test_sigaction_interposed(self):
        self.refused(
            self.with_text('extern "C" int sigaction(int, const void*, void*) { return 0; }'), "defines sigaction"
        )

    def test_libc_start_main(self):
        self.refused(self.with_text('extern "C" int __libc_start_main() { return 0; }'), "defines __libc_start_main")

    def test_a_weak_main(self):
        self.refused(self.with_text('extern "C" __attribute__((weak)) int main() { return 0; }'), "defines main")

    def test_a_helper_of_the_tests(self):
        self.refused(
            self.with_text("namespace fiberscope::testing { int run_test() { return 0; } }"),
            "defines fiberscope::testing::run_test",
        )

    def test_an_ifunc(self):
        text = (
            'extern "C" { typedef void F(); static F* pick() { return nullptr; } '
            'void chosen() __attribute__((ifunc("_ZL4pickv"))); }'
        )
        self.refused(self.with_text(text), "defines|chosen while|does not compile")

    def test_swapcontext_instead_of_the_switch(self):
        self.refused(
            self.with_text("#include <ucontext.h>\n" + function("swapcontext(nullptr, nullptr)")),
            "calls swapcontext",
        )

    def test_the_c_library_ends_the_process(self):
        self.refused(
            self.with_text("#include <cstdlib>\nnamespace fiberscope::lab01 { void f() { std::_Exit(0); } }"),
            "calls _Exit",
        )

    @unittest.skipUnless(ARCH == "x86_64", "its instruction has another name elsewhere")
    def test_a_raw_system_call(self):
        self.refused(
            self.with_text('namespace fiberscope::lab01 { void f() { asm volatile(".byte 0x0f, 0x05"); } }'),
            "makes a system call by itself",
        )
