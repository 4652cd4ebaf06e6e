"""The output of `check` for deliberately broken programs: the next step, hangs, mistakes in lower labs. The choice
among several failures is tested in told_test.py."""

import os
import re
import subprocess
import tempfile
import unittest

from made_lab import BROKEN, Made, step

FAILS = r"printf 'failed\ta.cpp\t1\tx == 1\t0 == 1\tthe bread is sold\n' >&3"
BELOW = "Lab 08, which this lab uses: 0 of 1 tests of 1.3 pass."


class Answers(Made):
    def test_the_first_failure_and_what_to_do(self):
        self.steps("1.1", "1.2", "1.3", "1.11")
        status, said = self.grade("check")
        self.assertEqual(status, 1)
        self.assertGolden("check_failure", said)

    def test_the_next_step_when_nothing_failed(self):
        self.steps("1.1", "1.11")
        status, said = self.grade("check")
        self.assertEqual(status, 1)
        self.assertGolden("check_next", said)

    def test_every_file_of_a_step(self):
        self.broken("1.11")
        two = {"step": "1.11", "title": "two files", "file": ["exercise/a.cpp", "exercise/b.cpp"]}
        self.describe(two)
        self.assertGolden("check_files", self.check())

    def test_the_lab_is_solved_with_and_without_optional_steps(self):
        self.steps("1.1", "1.16")
        status, said = self.grade("check")
        self.assertEqual(status, 0)
        self.assertGolden("check_solved", said)
        hard = {"step": "1.11", "title": "the hard one", "file": "exercise/b.cpp", "challenge": True}
        self.describe({"step": "1.1", "title": "the one to do", "file": "exercise/a.cpp"}, hard)
        self.broken("1.1", "1.11")
        status, said = self.grade("check")
        self.assertEqual(status, 0)
        self.assertGolden("check_optional", said)

    def test_of_a_step_that_waits_for_an_earlier_one_the_earlier_one_is_next(self):
        self.steps("1.2", "1.12")
        said = self.check("--only", "1.12")
        self.assertIn("· 1.12 step 1.12  needs step 1.2 first\n", said)
        self.assertIn("\nNext: step 1.2, step 1.2\n", said)
        self.assertNotIn("Next: step 1.12", said)

    def test_a_step_is_not_a_part_of_the_name_of_another(self):
        self.steps("1.1", "1.16")
        said = self.check("--only", "1.1")
        self.assertIn("✓ 1.1 ", said)
        self.assertNotIn("✓ 1.16", said)

    def test_a_step_that_is_checked_alone_counts_in_the_report_and_the_others_stay_as_they_were(self):
        self.steps("1.1", "1.2", "1.11")
        one = ("--json", "report.json", "--only", "1.1")
        self.check(*one)
        self.assertEqual(self.report(), [("1.1 passes", "passed")])
        self.check("--json", "report.json")
        whole = self.report()
        self.check("--json", "report.json", "--only", "no test of a step")
        self.assertEqual(self.report(), whole)
        kept = '{"name": "1.2 as it was", "result": "passed"}'
        self.write("report.json", '{"tests": [{"name": "1.1 as it was", "result": "failed"}, %s]}' % kept)
        self.check(*one)
        self.assertEqual(self.report(), [("1.2 as it was", "passed"), ("1.1 passes", "passed")])
        # A lab that was handed out solved counts as solved until all of it is checked.
        (self.root / "report.json").unlink()
        self.write("solved_through", "9\n")
        self.check(*one)
        self.assertFalse((self.root / "report.json").exists())


class Sanitizers(Made):
    def test_the_report_of_a_sanitizer_is_shown_from_its_beginning(self):
        self.describe(step("2.1"))
        report = "echo '==7==ERROR: AddressSanitizer: heap-buffer-overflow'; seq 1000 1040"
        self.program(["2.1 an overflow"], f"{report}; echo SUMMARY: AddressSanitizer: x; exit 1")
        said = self.check()
        self.assertRegex(said, "It printed:\n +==7==ERROR: AddressSanitizer: heap-buffer-overflow\n +1000\n")
        self.assertNotIn("1040", said)


class Limits(Made):
    def test_the_processor_time_of_a_tests_child_counts_while_it_runs(self):
        self.describe(step("2.1"))
        self.program(["2.1 its child"], "(while :; do :; done) & wait")
        self.assertIn("did not end within 0.5 s of processor time", self.check("--time", "0.5"))

    def test_children_that_have_ended_do_not_count_a_test_may_try_many_short_ones(self):
        self.describe(step("2.1"))
        child = "i=0; while [ $i -lt 60000 ]; do i=$((i + 1)); done"
        self.program(["2.1 its children"], f"for n in 1 2 3 4 5 6; do sh -c '{child}'; done\n{FAILS}")
        said = self.check("--time", "0.3")
        self.assertNotIn("did not end", said)
        self.assertIn("the bread is sold", said)

    def test_what_a_test_has_left_in_the_directory_for_such_files_is_gone_when_it_has_ended(self):
        self.describe(step("1.1"))
        self.program(["1.1 leaves a file"], 'echo it >"$TMPDIR/left"; echo "there: $(cat "$TMPDIR/left") in $TMPDIR."')
        made = re.search(r"there: it in (/.*)\.$", self.check(), re.M)[1]
        self.assertNotEqual(made, tempfile.gettempdir())
        self.assertFalse(os.path.exists(made))

    def test_one_test_that_hangs_does_not_end_the_others_three_do(self):
        self.steps("1.1", "1.3", "1.5", "1.16")
        said = self.check("--time", "0.4", "--parallel", "1")
        self.assertNotIn("not tried", said)
        self.assertIn("✓ 1.16", said)
        self.steps("1.5", "1.8", "1.15", "1.16")
        said = self.check("--time", "0.3", "--parallel", "1")
        self.assertIn("– 1.16 step 1.16  not tried", said)
        self.assertIn("the same when it was rerun alone", said)

    def test_a_test_that_records_without_end_leaves_a_small_recording_and_the_story_says_where_it_stops(self):
        self.steps("1.29")
        said = self.check("--time", "0.3", FIBERSCOPE_TRACE_LIMIT="1500000")
        self.assertIn("The recording stops at 2 MiB: ", said)
        self.assertIn(" later events are not in it.", said)
        self.assertLess((self.root / "traces/1.29_notes_without_end.json").stat().st_size, 1_500_100)


class LabsBelow(Made):
    def below(self, number, run=None):
        """Lab 08 with one step and the broken test of that number, or a test that executes `run`."""
        self.describe(step(number, file="exercise/a.cpp"), lab="08_below")
        if run is None:
            self.broken(number, program="09_broken/lab08_tests")
        else:
            self.program([f"{number} x"], run, program="09_broken/lab08_tests")

    def test_what_a_lab_below_has_left_to_do_is_told_and_not_what_is_next_here(self):
        self.steps("1.12")
        said = self.check()
        self.assertIn("· 1.12 step 1.12  needs step 1.2 first\n", said)
        self.assertIn("its step 1.2 is open. Solve that first.\n  type  ./lab check 01\n", said)
        self.assertNotIn("Next:", said)

    def stand_in(self, run):
        self.script("09_broken/lab09_stand_in", f"exec {BROKEN} {run}")

    def test_a_failed_test_is_run_on_a_stand_in_which_tells_whose_mistake_it_is(self):
        self.steps("1.2")
        self.below("1.3", "exit 1")
        self.stand_in('"$@"')
        (self.lab / "lab08_tests").rename(self.lab / "hidden")  # no lab below is tried
        said = self.check("08_below")
        self.assertIn("this test fails too", said)
        self.assertGreater(said.find("Fix step 1.2"), said.find("the mistake is in this lab"))

        (self.lab / "hidden").rename(self.lab / "lab08_tests")
        self.stand_in("--one '1.1 passes'")
        status, said = self.grade("check", "08_below")
        self.assertEqual(status, 1)
        self.assertGreater(said.find(BELOW + " Fix that first.\n  type  ./lab check 08\n"), said.find("step 1.2"))
        self.assertNotIn("Fix step", said)

        self.below("1.1")
        said = self.check("08_below")
        self.assertIn("this test passes: the mistake is in your files of those labs, although", said)
        self.assertIn("Fix step 1.2", said)

    def test_a_stand_in_that_cannot_be_built_is_said_in_one_line_and_nothing_is_concluded(self):
        self.steps("1.2")
        self.below("1.1")
        fails = 'sh -c "echo ld: undefined reference to io_uring_queue_exit >&2; exit 1" VERBATIM'
        targets = f"add_custom_target(lab09_tests)\nadd_custom_target(lab09_stand_in COMMAND {fails})\n"
        targets += "add_custom_target(lab08_tests)\n"
        self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.22)\nproject(p NONE)\n{targets}")
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.root, "-B", self.root / "build"], capture_output=True)
        said = self.check("--build", "build", "08_below")
        self.assertEqual(re.findall(".*io_uring|.*linker|.*the mistake is in this lab[.]", said), [])
        self.assertEqual(len(re.findall("^lab09_stand_in could not be built", said, re.M)), 1)
        self.assertIn("Fix step 1.2", said)


if __name__ == "__main__":
    unittest.main()
