"""What an object of a submission may not contain: one line of the table for each way that was thought of."""

import json
import subprocess
import tempfile
import types
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grading import objects
from grading.errors import Refused
from support import ARCH, ROOT

KIT = "namespace fiberscope::kit { %s }"
LAB = "namespace fiberscope::lab01 { %s }"
DONE = "void report_done(std::string_view, std::size_t, std::size_t) noexcept"
EARLY = "volatile int x;\n__attribute__((%s)) static void early() { x = 1; }"
STARTS, SECTION = "runs code before or after main", "a section that no compiler makes"
NOT_YOURS, LOADED = "not yours to define", "chosen while the program is loaded"


def section(name, flags="aw", kind="@progbits", more=""):
    """One with a pointer to a function in it, as assembler."""
    return f'asm(".section {name},\\"{flags}\\",{kind}{more}\\n.quad 0\\n.text");'


def call(header, expression, lab="01"):
    return "#include <%s>\nnamespace fiberscope::lab%s { auto f() { return %s; } }" % (header, lab, expression)


# name: (lab, C++, the reason)
ATTACKS = {
    # ---- code that runs before main
    "constructor": ("01", EARLY % "constructor", STARTS),
    "constructor_101": ("01", EARLY % "constructor(101)", STARTS),
    "destructor": ("01", EARLY % "destructor", STARTS),
    "object_at_namespace_scope": ("01", "#include <string>\nstatic std::string s(99, 'x');", STARTS),
    "inline_variable": ("01", "int g();\ninline int x = g();\nint* f() { return &x; }", STARTS),
    "template_static": (
        "01",
        "int g(); template <class T> struct A { static int x; }; template <class T> int A<T>::x = g();\n"
        "template struct A<int>;",
        STARTS,
    ),
    "init_array": ("01", section(".init_array", kind="@init_array"), STARTS),
    "init_array_as_bits": ("01", section(".init_array.5"), STARTS),
    "init_array_with_a_blank": ("01", section('\\".init_array.5 x\\"', kind="@init_array"), STARTS),
    "init_array_with_a_tab": ("01", section('\\".init_array\\t.5\\"', kind="@init_array"), STARTS),
    "init_array_with_a_newline": ("01", section('\\".init_array.\\\\n5\\"', kind="@init_array"), STARTS + "|compile"),
    "init_array_by_type_alone": ("01", section(".data.early", kind="@init_array"), STARTS),
    "init_array_by_number_of_type": ("01", section(".data.early", kind="@14"), STARTS),
    "init_array_in_a_group": (
        "01",
        section(".init_array.9", "awG", "@init_array", ",early,comdat"),
        STARTS,
    ),
    "init_array_empty": ("01", 'asm(".section .init_array,\\"aw\\",@init_array\\n.text");', STARTS),
    "preinit_array": ("01", section(".preinit_array", kind="@preinit_array"), STARTS),
    "fini_array": ("01", section(".fini_array.1", kind="@fini_array"), STARTS),
    "ctors": ("01", section(".ctors"), STARTS),
    "ctors_65535": ("01", section(".ctors.65535"), STARTS),
    "dtors": ("01", section(".dtors"), STARTS),
    "init": ("01", 'asm(".section .init,\\"ax\\"\\nnop\\n.text");', STARTS),
    "fini": ("01", 'asm(".section .fini,\\"ax\\"\\nnop\\n.text");', STARTS),
    "ifunc": (
        "01",
        'extern "C" { typedef void F(); static F* pick() { return nullptr; } '
        'void chosen() __attribute__((ifunc("pick"))); }',
        LOADED,
    ),
    "ifunc_of_its_own": (
        "01",
        'asm(".text\\n.type mine, @gnu_indirect_function\\nmine: ret\\n.data\\n.quad mine\\n.text");',
        LOADED,
    ),
    # ---- what speaks to the linker, the loader or the debugger
    "warning": ("01", section(".gnu.warning.x", "a"), SECTION),
    "warning_with_a_blank": ("01", section('\\".gnu.warning. x\\"', "a"), SECTION),
    "name_with_a_blank": ("01", section('\\".text x\\"', "ax"), SECTION),
    "name_that_is_empty": ("01", section('\\" \\"', "ax"), SECTION),
    "name_with_a_newline": ("01", section('\\".data\\\\nx\\"'), SECTION),
    "name_that_is_not_ascii": ("01", section('\\".data.é\\"'), SECTION),
    "name_of_a_set": ("01", section("my_set", "a"), SECTION),
    "linkonce": ("01", section(".gnu.linkonce.t.main", "ax"), SECTION),
    "intermediate_code": ("01", section(".gnu.lto_main", "e"), SECTION),
    "bitcode": ("01", section(".llvmbc", "e"), SECTION),
    "options_of_the_linker": ("01", section(".linker-options", "e"), SECTION),
    "libraries": ("01", section(".deplibs", "MS", "@progbits", ",1"), SECTION),
    "script_of_the_debugger": ("01", section(".debug_gdb_scripts", "MS", "@progbits", ",1"), SECTION),
    "note_of_the_loader": ("01", section(".note.ABI-tag", "a", "@note"), SECTION),
    "interpreter": ("01", section(".interp", "a"), SECTION),
    "dynamic": ("01", section(".dynamic", "aw"), SECTION),
    "offsets": ("01", section(".got.plt", "aw"), SECTION),
    "versions": ("01", section(".gnu.version", "a"), SECTION),
    "stack_that_runs": ("01", 'asm(".section .note.GNU-stack,\\"x\\",@progbits\\n.text");', SECTION),
    "data_that_runs": ("01", section(".data.x", "awx"), SECTION),
    "text_that_is_written": ("01", section(".text.x", "awx"), SECTION),
    "kept_by_force": ("01", section(".data.x", "awR"), SECTION),
    "version_of_a_name": (
        "01",
        'extern "C" int f();\nint g() { return f(); }\nasm(".symver f, write@GLIBC_2.2.5");',
        "calls|" + NOT_YOURS,
    ),
    # ---- names of others
    "main": ("01", "int main() {}", NOT_YOURS),
    "main_weak": ("01", "__attribute__((weak)) int main() {}", NOT_YOURS),
    "start": ("01", 'extern "C" void _start() {}', NOT_YOURS),
    "libc_start_main": ("01", 'extern "C" int __libc_start_main() { return 0; }', NOT_YOURS),
    "sigaction": ("01", 'extern "C" int sigaction(int, const void*, void*) { return 0; }', NOT_YOURS),
    "memcmp_weak": (
        "01",
        'extern "C" __attribute__((weak)) int memcmp(const void*, const void*, unsigned long) ' "{ return 0; }",
        NOT_YOURS,
    ),  # then strings are equal, for the tests too
    "strlen_unique": (
        "01",
        'asm(".globl strlen\\n.type strlen,@gnu_unique_object\\n.data\\nstrlen: .quad 0\\n.text");',
        NOT_YOURS,
    ),
    "malloc_weak": ("01", 'asm(".weak malloc\\nmalloc: ret");', NOT_YOURS),
    "write_common": ("01", 'asm(".comm write,8,8");', "defines write"),
    "exit_absolute": ("01", 'asm(".globl _exit\\n.set _exit, 0x1234");', NOT_YOURS),
    "alias": (
        "01",
        'extern "C" { static int f() { return 0; } int getpid() __attribute__((alias("f"))); }',
        NOT_YOURS + "|compile",
    ),
    "environ": ("01", "char** environ;", NOT_YOURS),
    "report_defined": ("01", "#include <string_view>\n" + KIT % (DONE + " {}"), NOT_YOURS),
    "report_called": (
        "01",
        "#include <string_view>\n" + KIT % (DONE + ";") + LAB % 'void f() { kit::report_done("x", 1, 0); }',
        "calls fiberscope::kit::report_done",
    ),
    "not_implemented_defined": ("01", KIT % "void not_implemented(const char*) noexcept {}", NOT_YOURS),
    "trace_defined": ("01", "namespace fiberscope::trace { int enabled() { return 0; } }", NOT_YOURS),
    "tests_defined": (
        "01",
        "namespace fiberscope::testing { inline int run_test() { return 0; } " "auto* p = &run_test; }",
        NOT_YOURS,
    ),
    "catch_defined": ("01", "namespace Catch { int reporter() { return 0; } }", NOT_YOURS),
    "name_of_the_lab": ("01", 'extern "C" const char fiberscope_lab_name[] = "x";', NOT_YOURS),
    "another_lab": ("05", "namespace fiberscope::lab04 { int run() { return 0; } }", NOT_YOURS),
    # ---- calls
    "exec": ("01", call("unistd.h", '::execl("/bin/true", "true", nullptr)'), "calls execl"),
    "fork": ("01", call("unistd.h", "::fork()"), "calls fork"),
    "fork_02": ("02", call("unistd.h", "::fork()", "02"), "calls fork"),
    "signal": ("01", call("csignal", "std::signal(11, SIG_IGN)"), "calls signal"),
    "atexit": ("02", call("cstdlib", "std::atexit(+[] {})", "02"), "calls atexit"),
    "exit": ("01", "#include <cstdlib>\n" + LAB % "void f() { std::_Exit(0); }", "calls _Exit"),
    "quick_exit": (
        "06",
        "#include <cstdlib>\nnamespace fiberscope::lab06 { void f() { std::quick_exit(0); } }",
        "calls quick_exit",
    ),
    "longjmp": ("02", "#include <csetjmp>\nstd::jmp_buf b;\nvoid f() { std::longjmp(b, 1); }", "calls longjmp|yours"),
    "environment": ("01", call("cstdlib", 'std::getenv("FIBERSCOPE_NONCE")'), "calls getenv"),
    "environment_05": ("05", call("cstdlib", 'std::getenv("FIBERSCOPE_NONCE")', "05"), "calls getenv"),
    "swapcontext": ("01", call("ucontext.h", "swapcontext(nullptr, nullptr)"), "calls swapcontext"),
    "ptrace": ("06", call("sys/ptrace.h", "ptrace(PTRACE_TRACEME)", "06"), "calls ptrace"),
    "others_memory": ("06", call("sys/uio.h", "process_vm_readv(1, 0, 0, 0, 0, 0)", "06"), "calls process_vm_readv"),
    "kill": ("04", call("csignal", "::kill(1, 9)", "04"), "calls kill"),
    "mprotect": ("03", call("sys/mman.h", "mprotect(0, 1, 7)", "03"), "calls mprotect"),
    "dlopen": ("05", call("dlfcn.h", 'dlopen("x", 1)', "05"), "calls dlopen"),
    "syscall": ("05", call("unistd.h", "::syscall(231, 0)", "05"), "calls syscall"),
    "write_06": ("06", call("unistd.h", '::write(1, "x", 1)', "06"), "calls write"),
    "stdio": ("01", call("cstdio", 'std::fopen("/proc/self/mem", "r+")'), "calls fopen"),
}

# A system call by itself, in the instruction's ways.
RAW = {
    "byte": ".byte 0x0f, 0x05",
    "mnemonic": "syscall",
    "sysenter": "sysenter",
    "interrupt": "int $0x80",
    "with_a_prefix": "data16 syscall",
    "with_more_prefixes": ".byte 0xf3, 0x48, 0x0f, 0x05",
    "in_a_section_of_its_own": '.section .text.x,\\"ax\\"\\nsyscall\\n.text',
    "after_no_instruction": ".byte 0x06, 0x07\\nsyscall",
}

# What a compiler makes of honest code, and is taken.
HONEST = {
    "thread_local": ("01", LAB % "thread_local int x; int* f() { return &x; }"),
    "static_local": (
        "01",
        "#include <string>\n" + LAB % "std::string& f() { static std::string s(9, 'x'); return s; }",
    ),
    "exceptions": ("01", "#include <stdexcept>\n" + LAB % 'void f() { throw std::runtime_error("x"); }'),
    "constants": ("01", LAB % "double f(double x) { return x * 1295.5; } unsigned g() { return 0x050f050f; }"),
    "containers": (
        "04",
        "#include <map>\n#include <string>\nnamespace fiberscope::lab04 { auto f() "
        '{ return std::map<std::string, std::string>{{"a", "b"}}; } }',
    ),
    "cold_and_hot": ("01", LAB % "[[gnu::cold]] void f() {} [[gnu::hot]] void g() {} void h() {}"),
    "breakpoint": ("01", LAB % 'void f() { asm("int3"); }' if ARCH == "x86_64" else ""),
}


def policy(lab):
    file = next(ROOT.glob("labs/%s_*/grade.json" % lab))
    return types.SimpleNamespace(number=lab, policy=json.loads(file.read_text()))


class TheirObjects(unittest.TestCase):
    """What an object may not contain."""

    def refusal(self, row):
        """Why the object of this text is refused; empty if it is not."""
        lab, text, *more = row
        with tempfile.TemporaryDirectory(prefix="fiberscope_objects_") as work:
            made = Path(work) / ("%s.exercise.context.cpp.o" % lab)
            command = ["c++", "-std=c++20", "-O1", "-g1", "-w", "-x", "c++", "-c", "-", "-o", made, *more[1:]]
            answer = subprocess.run(command, input=text, capture_output=True, text=True)
            if answer.returncode != 0:
                return "does not compile: " + answer.stderr
            try:
                objects.check(made, policy(lab))
                return ""
            except Refused as refusal:
                self.assertTrue(str(refusal).isprintable())
                return str(refusal)

    def all_refusals(self, rows):
        with ThreadPoolExecutor(2) as pool:
            return list(zip(rows, pool.map(self.refusal, rows.values())))

    def test_attacks(self):
        for name, why in self.all_refusals(ATTACKS):
            with self.subTest(name):
                self.assertRegex(why, ATTACKS[name][2])
                self.assertNotIn("does not compile", why) if "compile" not in ATTACKS[name][2] else None

    @unittest.skipUnless(ARCH == "x86_64", "its instruction has another name elsewhere")
    def test_raw_system_calls(self):
        rows = {name: ("01", LAB % ('void f() { asm volatile("%s"); }' % text)) for name, text in RAW.items()}
        for name, why in self.all_refusals(rows):
            with self.subTest(name):
                self.assertRegex(why, "makes a system call by itself")

    def test_honest_objects(self):
        for name, why in self.all_refusals(HONEST):
            with self.subTest(name):
                self.assertEqual(why, "")

    def test_what_is_no_object(self):
        with tempfile.TemporaryDirectory(prefix="fiberscope_objects_") as work:
            whole = Path(work) / "01.exercise.a.cpp.o"
            subprocess.run(["c++", "-x", "c++", "-c", "-", "-o", whole], input="int f;", text=True, check=True)
            data = whole.read_bytes()
            broken = [b"", b"\x7fELF", data[:100], data[:-200], data[:40] + b"\xff" * 8 + data[48:], b"!<arch>\n"]
            broken += [bytes(64) + data[64:], data[:16] + b"\2" + data[17:], data[:18] + b"\3" + data[19:]]
            for text in broken:
                whole.write_bytes(text)
                with self.subTest(text[:20]), self.assertRaisesRegex(Refused, "cannot be read|no compiler makes"):
                    objects.check(whole, policy("01"))
