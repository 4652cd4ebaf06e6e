"""What the verbs of ./lab say that need no build: tools/json.cmake, tools/usage.sh and what they are made of."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import ROOT

CHINESE = {"LC_ALL": "", "LANG": "zh_CN.UTF-8"}


def said(*command, cwd=ROOT, **environment):
    clean = {name: value for name, value in os.environ.items() if name != "LC_MESSAGES"}
    return subprocess.run(
        command,
        cwd=cwd,
        env={**clean, "LC_ALL": "C", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ).stdout.decode()


def lab(words, **environment):
    return said("./lab", *words.split(), **environment)


def shell(script, name, **environment):
    """What a script in bash says that has read tools/NAME."""
    return said("bash", "-c", f". {ROOT}/tools/{name}; {script}", **environment)


class Help(unittest.TestCase):
    def test_each_verb_says_what_it_does_when_it_is_asked_for_help_and_does_nothing(self):
        for verb in "progress watch hint reset run debug bench tool demo explore".split():
            text = lab(f"{verb} --help")
            self.assertIn(f"./lab {verb}", text)
            self.assertLess(text.count("\n"), 10)
        self.assertEqual(lab("debug 01 --help"), lab("debug --help"))
        self.assertIn("--strategy", lab("run 01 -h"))
        # What stands behind a demo is for the demo.
        self.assertEqual(shell("asks_for_help run 05 echo --help && echo for the lab", "usage.sh"), "")
        self.assertNotIn("./lab view", lab("hint --help"))

    def test_what_a_student_can_type_is_said_in_chinese_too_line_by_line_the_same_commands(self):
        for who, command in (("student", "./lab progress"), ("all", "./lab handout")):
            english, chinese = (
                re.findall("^ +(?:./lab [a-z]*|--[a-z]*)", shell(f"usage_of_{who}{end}", "usage.sh"), re.M)
                for end in ("", "_in_chinese")
            )
            self.assertIn(command, "\n".join(english))
            self.assertEqual(english, chinese)
        self.assertIn("学生自己的代码树", lab("", **CHINESE))
        self.assertIn("所有的 lab", shell("is_student=yes language=zh usage", "usage.sh"))

    def test_what_is_typed_wrong_is_said_in_the_language_of_the_reader(self):
        self.assertEqual(lab("check 07"), "lab: there is no lab 07; there are: 01 02 03 04 05 06\n")
        self.assertIn("lab：没有 lab 07；有：01 02 03 04 05 06\n", lab("check 07", **CHINESE))
        self.assertEqual(lab("hint 6.9"), "lab: lab 06 has no step 6.9\n")
        self.assertIn("check has no option --nonsense", lab("check 01 --nonsense"))
        self.assertIn('no verb "nonsense"', lab("nonsense"))
        self.assertIn("./lab demo", lab(""))
        self.assertIn("--time SECONDS", lab("check --help"))
        self.assertIn("处理器时间", lab("check --help", **CHINESE))


def stub(step, name):
    return f'void {name}() {{ kit::not_implemented("{step}", "{name}: do it"); }}\n'


class Made(unittest.TestCase):
    """Three labs: one of two steps and a challenge, two of one step each."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fiberscope_verbs_")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        bread = [{"step": f"1.{n}", "title": title} for n, title in enumerate(("bake", "sell", "fly"), 1)]
        bread[2]["challenge"] = True
        self.write("labs/01_bread/steps.json", json.dumps([{**step, "file": "a.cpp"} for step in bread]))
        self.write("labs/02_cake/steps.json", '[{"step": "2.1", "title": "eat", "file": "b.cpp"}]')
        self.write("labs/03_tea/steps.json", '[{"step": "3.1", "title": "drink", "file": "c.cpp"}]')

    def write(self, file, text):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def report(self, number, **results):
        """check_NN.json: s1="passed" of step N.1."""
        tests = [
            {"name": f"{int(number)}.{step[1:]} works", "result": result} for step, result in results.items()
        ]
        self.write(f"check_{number}.json", json.dumps({"tests": tests}))

    def progress(self, *options):
        asked = ["-DASK=progress", f"-DLABS={self.root}/labs", f"-DREPORTS={self.root}", *options]
        return said("cmake", *asked, "-P", f"{ROOT}/tools/json.cmake", LC_ALL="C.UTF-8")

    def test_progress_counts_a_challenge_beside_the_steps(self):
        begin = "01_bread          0 of 2 steps solved, and a challenge; now: 1.1 bake\n"
        self.assertTrue(self.progress().startswith("  → " + begin))
        self.report("01", s1="passed", s2="passed", s3="failed")
        self.assertTrue(self.progress().startswith("  ✓ 01_bread          solved, 2 steps, and a challenge\n"))
        self.report("01", s1="passed", s2="passed", s3="passed")
        self.assertTrue(self.progress().startswith("  ✓ 01_bread          solved, 2 steps, and its challenges\n"))
        self.assertIn("挑战题也解决了\n", self.progress("-DLANGUAGE=zh"))

    def test_progress_says_which_labs_a_tree_came_with(self):
        self.write("labs/solved_through", "2\n")
        self.assertEqual(
            self.progress(),
            "  ✓ 01_bread          solved for you, 2 steps\n"
            "  ✓ 02_cake           solved for you, 1 steps\n"
            "  → 03_tea            0 of 1 steps solved; now: 3.1 drink\n"
            "Next: step 3.1 drink. Type ./lab check 03\n",
        )
        self.report("02", s1="failed")  # what was checked since counts
        self.assertIn("→ 02_cake           0 of 1 steps solved; now: 2.1 eat", self.progress())

    def stubs(self, source, name="a.cpp"):
        self.write(name, source)
        return said("awk", "-f", f"{ROOT}/tools/stubs.awk", self.root / name)

    def test_a_stub_is_found_where_it_stands_and_not_where_it_is_commented_out(self):
        one = 'kit::not_implemented("1.1", "bake: put it in");'
        found = '1.1 kit::not_implemented("1.1","bake: put it in");}\n'
        after_if = f"1.1 if(hot){found[4:-2]}{found[4:]}"
        for source, expected in (
            (f"void bake() {{ {one} }}", found),
            (f"void bake() {{\n    // it's hot: \" {{\n    {one}\n}}\n", found),
            (f"void bake() {{ char c = '{{'; /* }} */ }}\nvoid b() {{ {one} }}", found),
            (f"void bake() {{\n    // {one}\n    oven.take(bread);\n}}\n", ""),
            (f"void bake() {{ /* {one} */ }}", ""),
            (f"void bake() {{ if (hot) {one} {one} }}", 2 * after_if),
        ):
            self.assertEqual(self.stubs(source), expected, source)
        self.assertNotEqual(self.stubs(f"void bake() {{ oven.take(bread); {one} }}"), found)
        text = 'not_written_yet:\n .string "1.2 _switch: save"\n'
        called = "/* 1.2 */\n_switch: call fiberscope_not_implemented@PLT\n"
        self.assertTrue(self.stubs(called + text, "b.S").startswith("1.2 "))
        self.assertEqual(self.stubs("_switch: ret\n" + text, "b.S"), "")

    def test_a_step_is_not_written_as_long_as_every_stub_that_it_was_given_stands_as_it_was(self):
        bake, sell, pay = stub("1.1", "bake"), stub("1.2", "sell"), stub("1.2", "pay")
        self.write("labs/01_bread/exercise/a.cpp", bake + sell + pay)
        self.write("tools/stubs.awk", (ROOT / "tools/stubs.awk").read_text())
        commit = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a"
        said("bash", "-c", commit, cwd=self.root)
        for source, counted in (
            (bake + sell + pay, "1.1 1 1\n1.2 2 2\n"),
            ("// it begins\n" + bake + sell + pay, "1.1 1 1\n1.2 2 2\n"),
            ("void bake() {}\n" + sell + pay, "1.1 1 0\n1.2 2 2\n"),
            (bake + "void sell() { take(); }\n" + pay, "1.1 1 1\n1.2 2 1\n"),
            ("", "1.1 1 0\n1.2 2 0\n"),
        ):
            self.write("labs/01_bread/exercise/a.cpp", source)
            count = "count_stubs 01_bread"
            self.assertEqual(shell(count, "written.sh", root=str(self.root), is_student="yes"), counted, source)

    def test_a_copy_that_reset_has_kept_is_no_file_of_the_exercise(self):
        for name in ("a.cpp", "a.cpp.kept-20260101-000000", "b.cpp"):
            self.write(f"labs/01_bread/exercise/{name}", "")
        self.assertEqual(shell("files_of_exercise 01_bread", "student.sh", root=str(self.root)), "a.cpp b.cpp")
