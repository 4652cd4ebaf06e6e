"""Messages of `./lab grade` in English and in Chinese. The test languages.update checks that all are translated."""

import unittest
from unittest import mock

from grading import formats, marks, say
from grading.judge import Verdict
from support import ROOT


def in_language(language):
    return mock.patch.object(say.catalogue, "LANGUAGE", language)


class Speaks(unittest.TestCase):
    @in_language("zh")
    def test_a_report_for_a_person(self):
        lab = say.Lab(ROOT / "labs" / "01_switch_asm")
        mark = marks.Mark("alice", [marks.Step("1.1", "make a context", 10.0)])
        mark.steps[0].total = 2
        name = "1.1 a new context begins at context_start with its entry and argument"
        mark.verdicts = [Verdict(name, False, "it was killed by signal 11")]
        mark.refused = "it took more than 50 MB of memory"
        mark.reviews = ["step 1.1: tests pass, but its question is not answered"]
        told = formats.text([mark], lab)
        for part in (
            "alice：0 分，满分 10",
            "不予评分：",
            "需人工复核：步骤 1.1：测试通过了，但没有答对这一步的问题",
            "✗ 1.1   构造上下文",
            "2 个测试中通过 0 个，10 分中得 0",
            "1.1 新的上下文从 context_start 开始，带有入口函数和参数：被信号 11 结束",
        ):
            self.assertIn(part, told)
        self.assertIn('"why": "it was killed by signal 11"', formats.as_json([mark], lab))
