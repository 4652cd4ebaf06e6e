"""The language of the grader's and the labs' output, and requirements that a step's tests cannot check."""

import unittest

from made_lab import Made, step

CHINESE = ("--language", "zh")


class Languages(Made):
    def test_it_is_chosen_by_an_option_or_by_the_environment(self):
        self.steps("1.1", "1.2", "1.11")
        self.write("09_broken/README.zh.md", "# Lab\n")
        steps = self.lab / "steps.json"
        steps.write_text(steps.read_text().replace("step 1.2", "resume and yield"))
        chosen = self.check(*CHINESE)
        self.assertGolden("check_chinese", chosen)
        self.assertIn("✗ 1.2  恢复与让出 ", self.grade("all", *CHINESE)[1])
        by_environment = {"LC_ALL": "", "LC_MESSAGES": ""}
        self.assertEqual(self.check(LANG="zh_CN.UTF-8", **by_environment), chosen)
        self.assertEqual(self.check(LANG="de_DE.UTF-8", **by_environment), self.check("--language", "en"))
        self.assertEqual(self.grade("check", "--language", "fr")[0], 2)
        (self.lab / "README.zh.md").unlink()
        self.steps("1.3")
        self.assertGolden("check_chinese_crash", self.check(*CHINESE))

    def test_a_test_is_chosen_by_words_of_its_name_in_chinese_too(self):
        self.describe(step("1.3"))
        self.program(["1.3 yield outside a coroutine is a typed error"])
        self.assertIn("✗ 1.3 在协程之外让出", self.check(*CHINESE, "--only", "在协程之外"))
        self.assertEqual(self.grade("check", "--language", "en", "--only", "在协程之外")[0], 2)

    def test_what_a_solved_step_asks_for_and_its_tests_cannot_see_is_listed_when_it_is_checked_alone(self):
        later = "insert_by_state: a task that waits for a descriptor, into the wait set"
        self.describe(step("1.1", unseen=[{"text": later, "from": "1.11"}, {"text": "it is fast"}]))
        self.broken("1.1")
        told = f"Required by step 1.1, but not checked by its tests:\n  {later} (checked from 1.11 on)\n"
        self.assertIn(told + "  it is fast (no test checks it)\n", self.check("--only", "1.1"))
        self.assertNotIn(told, self.check())
        self.assertIn("（从 1.11 起检查）\n", self.check(*CHINESE, "--only", "1.1"))
        self.describe(step("1.1", unseen=[{"from": "1.16"}]), step("1.16"))
        self.assertEqual(self.grade("check")[0], 2)


if __name__ == "__main__":
    unittest.main()
