"""The choice of the failure to report if several tests fail."""

import re
import unittest

from made_lab import Made, step

HANGS = 'if echo "$*" | grep -q "%s"; then while :; do :; done; fi\nexit 1'


class Told(Made):
    def told(self, *options):
        """The test that is reported."""
        return re.search("^✗ (.*)$", self.check(*options), re.M)[1]

    def test_of_one_step_a_test_that_fails_rather_than_one_that_hangs_before_it(self):
        self.describe(step("2.1"))
        self.program(["2.1 the first", "2.1 the second"], HANGS % "first")
        said = self.check("--time", "0.3", "--only", "2.1")
        self.assertIn("✗ 2.1 the second\n", said)

    def test_a_pinpoint_test_first_then_a_story_then_one_of_very_many(self):
        other = {"file": "exercise/b.cpp", "what": "remove"}
        self.describe(step("2.1", file="exercise/a.cpp", **{"or": [other]}))
        self.program(["2.1 very many of them", "2.1 the order in the trace", "2.1 a sleeper wakes"])
        said = self.check("--json", "report.json")
        self.assertIn("✗ 2.1 a sleeper wakes\n", said)
        self.assertIn("  edit  09_broken/exercise/a.cpp\n  or    remove, 09_broken/exercise/b.cpp\n", said)
        told = [name for name, _ in self.report()]
        self.assertEqual(told[1:], ["2.1 the order in the trace", "2.1 very many of them"])

    def test_a_test_of_a_later_step_that_reaches_into_every_test_before_all_others(self):
        self.describe(step("2.1"), step("2.2", file="exercise/b.cpp", before_all=["2.2 finds the next one"]))
        self.program(["2.1 a sleeper wakes", "2.2 simple", "2.2 finds the next one"])
        said = self.check()
        self.assertIn("\n✗ 2.2 finds the next one\n", said)
        self.assertIn("  edit  09_broken/exercise/b.cpp\n", said)

    def test_the_one_that_the_step_lists_first_also_where_it_hangs_and_one_not_listed_at_last(self):
        for names, hangs, first, told in (
            (["exotic", "the next", "the simplest"], None, ["the simplest", "the next", "one that was once"], 0),
            (["exotic", "the next", "the simplest"], None, ["the next"], 0),
            (["exotic", "the first"], "first", ["the first"], 0),
            (["the next", "the first"], "first", ["the first", "the next"], 0),
        ):
            with self.subTest(first):
                self.describe(step("2.1", first=[f"2.1 {name}" for name in first]))
                self.program([f"2.1 {name}" for name in names], HANGS % hangs if hangs else "exit 1")
                self.assertEqual(self.told("--time", "0.3"), f"2.1 {first[told]}")

    def test_one_that_goes_on_after_a_failed_assertion_and_hangs_keeps_its_place(self):
        self.describe(step("2.1"))
        failed = r"printf 'failed\ta.cpp\t1\tx == 1\t0 == 1\tthe bread is sold\n' >&3"
        self.program(["2.1 the first", "2.1 the second"], (HANGS % "first").replace("then", f"then {failed};"))
        said = self.check("--time", "0.3")
        self.assertIn("\n✗ 2.1 the first\n", said)
        self.assertIn("the bread is sold", said)


if __name__ == "__main__":
    unittest.main()
