"""What `./lab grade` says, in English and in Chinese: each sentence that it raises or judges by stands in both."""

import ast
import re
import unittest
from pathlib import Path
from unittest import mock

from grading import formats, marks, words
from grading.judge import Verdict
from support import ROOT

GRADE = Path(words.__file__).parent


def sentences():
    """(file, sentence) of each Refused and Trouble, and of each "why" of a verdict, with a 7 for what is filled in."""
    for file in sorted(GRADE.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            of_error = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Refused", "Trouble")
            of_limit = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "stop" and node.args
            for part in ast.walk(node) if of_error or of_limit or isinstance(node, ast.Return) else []:
                if isinstance(part, ast.Constant) and isinstance(part.value, str) and " " in part.value.strip():
                    yield file.name, re.sub(r"%[sdg]", "7", part.value)


def in_chinese(test):
    return mock.patch.object(words, "LANGUAGE", "zh")(test)


class Speaks(unittest.TestCase):
    @in_chinese
    def test_every_sentence_is_said_in_chinese(self):
        # Of the tree and its tests, not of a submission; and frames of a report, which are said with their values.
        inner = (
            *("ninja does not", "names no tests", "have one name", "has no tests", "has tests or questions"),
            *("points for", "the reference of lab", "7: 7", "refused: 7"),
        )
        unknown, known = [], 0
        for file, sentence in sentences():
            if file == "words.py" or any(words_of in sentence for words_of in inner) or sentence in words.CHINESE:
                continue
            known += 1
            if words.translated(sentence) == sentence:
                unknown.append("%s: %s" % (file, sentence))
        self.assertEqual(unknown, [])
        self.assertGreater(known, 30)

    def test_values_have_the_same_places(self):
        for english, chinese in words.CHINESE.items():
            holes = [sorted(re.findall(r"\{\d\}", text)) for text in (english, chinese)]
            self.assertLessEqual(set(holes[1]), set(holes[0]), english)

    @in_chinese
    def test_a_report_for_a_person(self):
        lab = words.Lab(ROOT / "labs" / "01_switch_asm")
        mark = marks.Mark("alice", [marks.Step("1.1", "make a context", 10.0)])
        mark.steps[0].total = 2
        name = "1.1 a new context begins at context_start and knows its entry and argument"
        mark.verdicts = [Verdict(name, False, "it was ended by signal 11")]
        mark.refused = "context.cpp calls fork, which lab 01 does not need"
        told = formats.text([mark], lab)
        for part in (
            "alice：0 分，满分 10",
            "不予评分：context.cpp 调用了 fork，而 lab 01 用不到它",
            "✗ 1.1   构造上下文",
            "2 个测试中通过 0 个，10 分中得 0",
            "1.1 新的上下文从 context_start 开始，知道自己的入口和参数：被信号 11 结束",
        ):
            self.assertIn(part, told)
        self.assertIn('"why": "it was ended by signal 11"', formats.as_json([mark], lab))

    def test_in_english_a_report_is_as_it_was(self):
        mark = marks.Mark("bob", [marks.Step("1.1", "make a context", 10.0, 10.0, 2, 2)])
        with mock.patch.object(words, "LANGUAGE", "en"):
            told = formats.text([mark], words.Lab(ROOT / "labs" / "01_switch_asm"))
        self.assertEqual(told, "bob: 10 of 10 points\n  ✓ 1.1   %-32s 2 of 2 tests, 10 of 10\n" % "make a context")
