"""The grader on deliberately broken programs, invalid command lines and failing builds."""

import subprocess
import unittest

from made_lab import BROKEN, Made, step

# The options of each broken test; the tests that pass.
BROKEN_STEPS = {"1.5": "0.5", "1.8": "0.5", "1.15": "0.5", "1.18": "0.4", "1.22": "0.4", "1.24": "0.4"}
PASS = ("1.1", "1.14", "1.16", "1.18", "1.22", "1.24")


class Verdicts(Made):
    def test_each_way_of_breaking_costs_its_own_test_only_and_is_told_in_words(self):
        numbers = [*range(1, 7), *range(8, 19), *range(20, 26), 27, 28, 31]
        for number in (f"1.{n}" for n in numbers):
            with self.subTest(number):
                self.steps(number)
                status, said = self.grade("all", "--time", BROKEN_STEPS.get(number, "2"))
                self.assertEqual(status, 0 if number in PASS else 1)
                self.assertGolden(f"all_{number}", said)

    def test_broken_tests_beside_a_good_one_leave_the_good_one_its_pass(self):
        self.steps("1.1", "1.3", "1.4", "1.9")
        status, said = self.grade("all", "--json", "report.json")
        self.assertEqual(status, 1)
        self.assertIn("09_broken: 1 passed, 3 failed", said)
        self.assertEqual([result for _, result in self.report()][:2], ["passed", "crashed"])

    def test_what_the_system_refuses_is_left_out_neither_passed_nor_failed(self):
        self.steps("1.1", "1.32")
        status, said = self.grade("all", "--json", "report.json")
        self.assertEqual(status, 0)
        self.assertIn("– 1.32 is left out: left out: this kernel refuses it", said)
        self.assertIn("09_broken: 1 passed, 0 failed", said)
        self.assertEqual(self.report(), [("1.1 passes", "passed"), ("1.32 is left out", "left out")])
        done = subprocess.run([BROKEN, "--one", "1.32 is left out"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (78, "left out: this kernel refuses it\n"))

    def test_starter_accepts_only_tests_that_say_not_implemented_in_order(self):
        self.steps("1.2", "1.11", "1.12")
        self.broken("1.11", "1.12")
        self.assertEqual(self.grade("starter")[0], 2)  # step 1.2 has no test
        self.describe(step("1.11"), step("1.12"))
        status, said = self.grade("starter")
        self.assertEqual(status, 1)
        self.assertIn("which steps.json does not have", said)
        for number, expected in (("1.11", 0), ("1.1", 1), ("1.2", 1), ("1.3", 1), ("1.6", 1), ("1.13", 1)):
            self.steps(number)
            self.assertEqual(self.grade("starter")[0], expected, number)

    def test_a_step_without_a_test_and_a_test_without_a_step_are_errors(self):
        for steps, tests, why in (
            (("1.1", "1.2"), ("1.1",), "Step 1.2 (step 1.2) has no test"),
            (("1.1",), ("1.1", "1.2"), "belongs to no step"),
        ):
            self.steps(*steps)
            self.broken(*tests)
            status, said = self.grade("all")
            self.assertEqual(status, 2)
            self.assertIn(why, said)

    def test_a_program_that_cannot_be_run_is_said_so_and_is_no_pass(self):
        self.describe(step("1.1"))
        status, said = self.grade("all")
        self.assertEqual(status, 2)
        self.assertIn("cannot be started: No such file or directory", said)

    def test_a_trace_of_sets_alone_can_be_watched(self):
        self.steps("1.30")
        said = self.grade("all")[1]
        self.assertIn("./lab view ", said)
        self.assertNotIn("There is no trace to watch", said)

    def test_a_wrong_call_is_one_sentence_and_help_names_every_option(self):
        self.steps("1.1")
        usual = "--lab 09_broken --program 09_broken/tests"
        for call, why in (
            ("check --program 09_broken/tests", '--lab is required. See "grader --help"'),
            ("nonsense", 'See "grader --help"'),
            ("", 'See "grader --help"'),
            (f"starter {usual} --only 1.1", "--only"),
            (f"all {usual} --time soon", "--time"),
            (f"all {usual} --parallel 0", "--parallel"),
        ):
            status, said = self.ask(*call.split())
            self.assertEqual((status, said.count("\n")), (2, 1), call)
            self.assertIn(why, said)
        status, said = self.ask("check", "--help")
        self.assertEqual(status, 0)
        for option in "--lab --program --build --traces --time --parallel --only --json".split():
            self.assertIn(option, said)

    def test_a_program_that_a_person_starts_says_what_is_not_written_yet(self):
        done = subprocess.run([BROKEN, "--one", "1.11 is not implemented"], capture_output=True)
        said = (done.stdout + done.stderr).decode()
        self.assertIn("not implemented: step 1.11 resume(): enter the coroutine\n", said)


# Mistakes in exercise/, and the expected report.
MISTAKES = {
    "context.cpp": (
        ("int f( {", "error: expected"),
        ('#include "nowhere.h"', "nowhere.h: No such file or directory"),
        ("#if 1", "error: unterminated #if"),
        ("#include <vector>\nstd::vector<void> all(3);", "context.cpp:2:"),
        ("[[maybe_unused]] make_it();", "context.cpp:1:"),
        ('void f() { asm("moveq %rax, %rbx"); }', "Error: "),
        ("int g();\nint f() { return g(); }", "g()"),
        ('extern "C" int g();\nint f() { return g(); }', "g"),
        ("int main() { return 0; }", "main"),
    ),
    "switch.S": (
        ("mov 8(%rax), 8(%rbx)", "switch.S:1: Error: "),
        ("[mov]", "switch.S:1: Error: "),
        ("make -c here -o there", "switch.S:1: Error: "),
        ("/* no end", "unterminated comment"),
        (".macro m", "in macro `m' definition"),
        (".cfi_startproc", "open CFI at the end of file"),
        (".globl main\nmain: ret", "main"),
        (".globl start\nstart: jmp nowhere", "nowhere"),
    ),
}


class Builds(Made):
    def setUp(self):
        super().setUp()
        self.steps("1.1")

    def project(self, text):
        self.write("09_broken/CMakeLists.txt", "cmake_minimum_required(VERSION 3.22)\n" + text)
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.lab, "-B", self.lab / "build"], capture_output=True)

    def built(self, *options):
        return self.grade("check", "--build", "09_broken/build", *options)

    def test_what_is_wrong_is_told_in_the_words_of_the_compiler_the_assembler_and_the_linker(self):
        for file in MISTAKES:
            self.write(f"09_broken/exercise/{file}", "")
        self.write("09_broken/main.cpp", "int main() {}\n")
        self.project(
            "project(p CXX ASM)\nadd_executable(lab09_tests main.cpp exercise/context.cpp exercise/switch.S)\n"
        )
        for file, text, told in ((file, *row) for file, rows in MISTAKES.items() for row in rows):
            with self.subTest(text):
                self.write(f"09_broken/exercise/{file}", text + "\n")
                status, said = self.built()
                self.assertEqual(status, 1)
                self.assertIn(told, said)
                self.assertIn("exercise/" + file, said)
                self.assertNotRegex(said, "FAILED: |collect2")
                self.write(f"09_broken/exercise/{file}", "")

    def test_a_compile_error_and_a_warning_are_told_in_short(self):
        source = "09_broken/exercise/context.cpp"
        self.write(source, "int f() { return x; }\n")
        self.project("project(p CXX)\nadd_compile_options(-Wall)\nadd_library(lab09_tests exercise/context.cpp)\n")
        status, said = self.built()
        self.assertEqual(status, 1)
        self.assertIn("exercise/context.cpp does not compile", said)
        self.assertIn("was not declared", said)
        self.assertNotRegex(said, "FAILED| -o ")
        self.write(source, "int f() { return 0; }\n")
        self.assertEqual(self.built()[0], 0)

        self.write(source, "int f() {\n    int unused = 1;\n    return 0;\n}\n")
        status, said = self.built()
        self.assertEqual(status, 0)
        self.assertIn("Compiler warnings about your files:\n  ", said)
        self.assertIn("exercise/context.cpp:2:9: warning: unused variable", said)
        self.assertNotIn("warn", self.built()[1])  # nothing is compiled


if __name__ == "__main__":
    unittest.main()
