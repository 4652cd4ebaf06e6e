"""The output of the verbs of ./lab that need no build: tools/steps.py and tools/usage.sh."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import written  # noqa: E402


def said(*command, cwd=ROOT, **environment):
    environment = {**{k: v for k, v in os.environ.items() if k not in ("LC_MESSAGES", "LANG")}, **environment}
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.run(command, cwd=cwd, text=True, env=environment, **streams).stdout


def lab(words, **environment):
    return said("bash", "-c", "./lab " + words, **{"LC_ALL": "C", **environment})


def usage(call):
    return said("bash", "-c", "home=$PWD root=$PWD; . tools/say.sh; . tools/usage.sh; " + call)


def test(name, result):
    return {"name": f"{name} works", "result": result}


def stub(step, name):
    return f'void {name}() {{ kit::not_implemented("{step}", "{name}: do it"); }}\n'


class MadeLabs(unittest.TestCase):
    """Three labs: one of two steps and a challenge, two of one step each."""

    def setUp(self):
        self.place = tempfile.TemporaryDirectory()
        self.addCleanup(self.place.cleanup)
        self.root = Path(self.place.name)
        for step in "01_bread 1.1 bake", "01_bread 1.2 sell", "01_bread 1.3 fly", "02_cake 2.1 eat", "03_tea 3.1 drink":
            name, number, title = step.split()
            file = self.root / f"labs/{name}/steps.json"
            before = json.loads(file.read_text()) if file.exists() else []
            self.write(file, json.dumps([*before, {"step": number, "title": title, "challenge": number == "1.3"}]))

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def given(self):
        """Commits the current tree as the one handed out to the student."""
        shutil.copytree(self.root / "labs", self.root / "template/labs")

    def report(self, number, *tests):
        self.write(f"build/check_{number}.json", json.dumps({"tests": tests}))

    def steps(self, *words, language="en"):
        places = [str(self.root), str(self.root / "template"), str(ROOT)]
        return said("python3", "-B", str(ROOT / "tools/steps.py"), *places, language, *words)

    def test_progress_counts_a_challenge_beside_the_steps(self):
        line = "  → 01_bread          0 of 2 steps solved, and a challenge; now: 1.1 bake\n"
        self.assertTrue(self.steps("progress").startswith(line))
        self.report("01", test("1.1", "passed"), test("1.2", "passed"), test("1.3", "failed"))
        self.assertTrue(self.steps("progress").startswith("  ✓ 01_bread          solved, 2 steps, and a challenge\n"))
        self.report("01", test("1.1", "passed"), test("1.2", "passed"), test("1.3", "passed"))
        solved = "  ✓ 01_bread          solved, 2 steps, and its challenges\n"
        self.assertTrue(self.steps("progress").startswith(solved))
        self.assertIn("挑战题也解决了\n", self.steps("progress", language="zh"))

    def test_progress_says_which_labs_a_tree_came_with(self):
        self.write("labs/solved_through", "2\n")
        self.assertEqual(
            self.steps("progress"),
            "  ✓ 01_bread          solved for you, 2 steps\n"
            "  ✓ 02_cake           solved for you, 1 steps\n"
            "  → 03_tea            0 of 1 steps solved; now: 3.1 drink\n"
            "Next: step 3.1 drink. Type ./lab check 03\n",
        )
        self.report("02", test("2.1", "failed"))  # checked since then
        self.assertIn("→ 02_cake           0 of 1 steps solved; now: 2.1 eat", self.steps("progress"))
        self.assertEqual(self.steps("next"), "02\n")

    def test_a_step_is_not_written_as_long_as_every_stub_that_it_was_given_stands_as_it_was(self):
        given = stub("1.1", "bake") + stub("1.2", "sell") + stub("1.2", "pay")
        file = self.write("labs/01_bread/exercise/a.cpp", given)
        self.given()
        written.plan.root, written.plan.template = self.root, self.root / "template"

        def counted(source):
            file.write_text(source)
            return written.count_stubs(written.plan.labs()[0])

        self.assertEqual(counted(given), {"1.1": [1, 1], "1.2": [2, 2]})
        self.assertEqual(counted("// it begins\n" + given), {"1.1": [1, 1], "1.2": [2, 2]})
        self.assertEqual(counted("void bake() {}\n" + given.split("\n", 1)[1]), {"1.1": [1, 0], "1.2": [2, 2]})
        begun = stub("1.1", "bake") + "void sell() { take(); }\n" + stub("1.2", "pay")
        self.assertEqual(counted(begun), {"1.1": [1, 1], "1.2": [2, 1]})
        self.assertEqual(counted(""), {"1.1": [1, 0], "1.2": [2, 0]})
        file.write_text(given)
        self.assertIn("not implemented yet", self.steps("unwritten", "01", "1.1"))
        file.write_text(begun.replace('"1.1"', '"1.2"'))
        self.assertEqual(self.steps("unwritten", "01", "1.1"), "")

    def test_reset_brings_the_stub_back_and_keeps_what_was_there(self):
        file = self.write("labs/01_bread/exercise/a.cpp", stub("1.1", "bake"))
        self.given()
        file.write_text("mine\n")
        self.assertIn("a.cpp.kept-", self.steps("reset", "01", "a.cpp"))
        self.assertEqual(file.read_text(), stub("1.1", "bake"))
        kept = list(file.parent.glob("a.cpp.kept-*"))
        self.assertEqual([one.read_text() for one in kept], ["mine\n"])
        self.assertIn("; there are: a.cpp\n", self.steps("reset", "01", "none.cpp"))

    def test_a_file_that_was_deleted_is_named_by_check_and_restored_by_reset(self):
        steps = [{"step": "1.1", "title": "bake", "file": "exercise/a.cpp"}]
        steps += [{"step": "1.2", "title": "sell", "file": ["exercise/b.cpp", "exercise/switch_{arch}.S"]}]
        self.write("labs/01_bread/steps.json", json.dumps(steps))
        machine = os.uname().machine
        files = [f"labs/01_bread/exercise/{name}" for name in ("a.cpp", "b.cpp", f"switch_{machine}.S")]
        for name in files:
            self.write(name, stub("1.1", "bake"))
        self.given()
        self.assertNotIn("missing", self.steps("unwritten", "01"))
        for name in files:
            (self.root / name).unlink()
            command = f"./lab reset 01 {Path(name).name}"
            told = f"lab: {name} is missing; to restore it: {command}\n"
            self.assertEqual(self.steps("unwritten", "01"), told)
            self.assertNotIn("missing", self.steps("unwritten", "02"))
            self.assertEqual(self.steps("reset", *command.split()[2:]), f"{name} is restored\n")
            self.assertEqual((self.root / name).read_text(), stub("1.1", "bake"))
        shutil.rmtree(self.root / "labs/01_bread/exercise")
        self.assertEqual(self.steps("unwritten", "01").count("is missing"), 3)
        self.assertIn("; there are: a.cpp b.cpp switch_", self.steps("reset", "01", ".."))
        self.assertIn("is restored", self.steps("reset", "01", "b.cpp"))

    def own(self):
        """The lists of labs that are compiled: (complete, unfinished)."""
        self.steps("own")
        text = (self.root / "build/own.cmake").read_text()
        return tuple(re.findall(r'"labs/(.*?)"', part) for part in text.split("fiberscope_unfinished"))

    def test_only_files_that_differ_are_compiled_and_with_a_mandatory_stub_only_for_their_own_lab(self):
        bread = self.write("labs/01_bread/exercise/a.cpp", stub("1.1", "bake") + stub("1.3", "fly"))
        self.write("labs/02_cake/exercise/b.cpp", stub("2.1", "eat"))
        self.given()
        self.assertEqual(self.own(), ([], []))
        bread.write_text("// begun\n" + bread.read_text())
        self.assertEqual(self.own(), ([], ["01_bread/exercise/a.cpp"]))
        bread.write_text("void bake() {}\n" + stub("1.3", "fly"))  # a challenge may be unwritten
        self.write("labs/02_cake/exercise/new.cpp", "")
        self.assertEqual(self.own(), (["01_bread/exercise/a.cpp", "02_cake/exercise/new.cpp"], []))

    def test_an_edit_of_what_comes_compiled_is_named(self):
        header = self.write("labs/01_bread/oven.h", "int hot;\n")
        self.write("labs/01_bread/exercise/a.cpp", "void bake() {}\n")
        self.given()
        self.assertEqual(self.steps("unwritten", "01"), "")
        header.write_text("long hot;\n")
        told = "lab: edits of labs/01_bread/oven.h have no effect: it is precompiled\n"
        self.assertEqual(self.steps("unwritten", "01"), told)

    def test_labs_below_the_one_to_begin_with_count_as_solved(self):
        steps = [{"step": "2.1", "title": "eat", "needs": ["1.1"]}]
        self.write("labs/02_cake/steps.json", json.dumps(steps))
        self.write("labs/01_bread/exercise/a.cpp", stub("1.1", "bake"))
        self.write("labs/02_cake/exercise/b.cpp", "void eat() {}\n")
        self.given()
        self.assertIn("./lab start --from 02", self.steps("unwritten", "02"))
        self.steps("begin", "--from", "02")
        self.assertEqual(self.steps("unwritten", "02"), "")
        self.assertIn("✓ 01_bread          solved for you", self.steps("progress"))

    def test_an_unexpected_argument_is_named(self):
        for words, told in (("progress 01", "01"), ("hint 1.1 1 2", "2"), ("reset 01 a.cpp b.cpp", "b.cpp")):
            self.assertEqual(self.steps(*words.split()), f"lab: unexpected argument '{told}'\n")


class Stubs(unittest.TestCase):
    STUB = 'kit::not_implemented("1.1", "bake: put it in");'
    CODE = [("1.1", 'kit::not_implemented("1.1","bake: put it in");}')]

    def test_a_stub_is_found_where_it_stands_and_not_where_it_is_commented_out(self):
        block, of = self.STUB + " }", written.stubs_in
        self.assertEqual(of("void bake() { " + block), self.CODE)
        self.assertEqual(of("void bake() {\n    // it's hot: \" {\n    " + self.STUB + "\n}\n"), self.CODE)
        self.assertEqual(of("void bake() { char c = '{'; /* } */ }\nvoid b() { " + block), self.CODE)
        self.assertEqual(of("void bake() {\n    // " + self.STUB + "\n    oven.take(bread);\n}\n"), [])
        self.assertEqual(of("void bake() { /* " + self.STUB + " */ }"), [])
        self.assertNotEqual(of("void bake() { oven.take(bread); " + block), self.CODE)
        both = "if(hot)" + self.CODE[0][1][:-1] + self.CODE[0][1]
        self.assertEqual(of("void bake() { if (hot) " + self.STUB + " " + block), [("1.1", both)] * 2)
        text = 'not_written_yet:\n .string "1.2 _switch: save"\n'
        self.assertEqual(of("/* 1.2 */\n_switch: call fiberscope_not_implemented@PLT\n" + text)[0][0], "1.2")
        self.assertEqual(of("_switch: ret\n" + text), [])


class Told(unittest.TestCase):
    def test_each_verb_says_what_it_does_when_it_is_asked_for_help_and_does_nothing(self):
        for verb in "progress hint reset run debug bench demo explore".split():
            text = lab(verb + " --help")
            self.assertIn("./lab " + verb, text)
            self.assertLess(text.count("\n"), 10)
        self.assertEqual(lab("debug 01 --help"), lab("debug --help"))
        for first in lab(""), usage("is_student=yes first_usage"):
            self.assertLessEqual(first.count("\n"), 16)
            self.assertIn("./lab help", first)
        self.assertIn("--strategy", lab("run 01 -h"))
        # Arguments after the name of a demo belong to the demo.
        self.assertEqual(usage("asks_for_help run 05 echo --help && echo for the lab"), "")
        self.assertNotIn("./lab view", lab("hint --help"))

    def test_the_english_and_the_chinese_usage_list_the_same_commands(self):
        def commands(tree):
            return re.findall(r"^ +(\./lab [a-z]*|--[a-z]*)", usage(tree + " usage_by_line"), re.M)

        for tree, command in ("is_student=yes", "./lab progress"), ("is_student=", "./lab start"):
            self.assertIn(command, commands(tree + " language=en"))
            self.assertEqual(commands(tree + " language=en"), commands(tree + " language=zh"))
        self.assertIn("学生自己的代码树", lab("", LC_ALL="", LANG="zh_CN.UTF-8"))
        self.assertIn("所有的 lab", usage("is_student=yes language=zh usage"))

    def test_without_a_display_a_few_pictures_are_named_and_of_many_the_first(self):
        with tempfile.TemporaryDirectory() as place:
            Path(place, "fiberscope-viewer").symlink_to("/bin/echo")
            begin = f". tools/programs.sh; bin={place}; mine=mine; has_display() {{ false; }}; "
            pictures = [f"{place}/build/pictures/{number}.png" for number in range(20)]

            def view(count):
                files = " ".join(f"{number}.json" for number in range(count))
                return usage(f"{begin} root={place}; view {files}").splitlines()[1:]

            self.assertEqual(view(2), pictures[:2])
            self.assertEqual(view(20), ["lab: 20 pictures are in build/pictures; begin with 0.png"])

    def test_what_is_typed_wrong_is_said_in_the_language_of_the_reader(self):
        self.assertEqual(lab("check 07"), "lab: there is no lab 07; there are: 01 02 03 04 05 06\n")
        chinese = {"LC_ALL": "", "LANG": "zh_CN.UTF-8"}
        self.assertIn("lab：没有 lab 07；有：01 02 03 04 05 06\n", lab("check 07", **chinese))
        self.assertEqual(lab("hint 6.9"), "lab: lab 06 has no step 6.9\n")
        self.assertIn("处理器时间", lab("check --help", **chinese))
        self.assertIn("check has no option --nonsense", lab("check 01 --nonsense"))
        self.assertIn('unknown command "nonsense"', lab("nonsense"))
        self.assertIn("./lab demo", lab(""))
        self.assertIn("--time SECONDS", lab("check --help"))

    def test_what_cannot_be_is_refused_before_anything_is_built_and_says_what_can(self):
        labs = "; there are: 01 02 03 04 05 06\n"
        demos = 'lab: lab {0} has no demo "{1}"; there are:\n'.format
        for words, told in (
            ("check 6.9", "lab: lab 06 has no step 6.9\n"),
            ("check 7.1", "lab: there is no lab 7" + labs),
            ("check 06 6.1 again", "lab: unexpected argument 'again'; put a test's name in quotation marks\n"),
            ("hint 6.1 9", 'lab: a hint\'s level is 1, 2 or 3, not "9"\n'),
            ("hint 6.1 0", 'lab: a hint\'s level is 1, 2 or 3, not "0"\n'),
            ("start nowhere --from 07", "lab: there is no lab 07" + labs),
            ("start nowhere --from 0", "lab: there is no lab 0" + labs),
            ("view nothing.json", "lab: nothing.json does not exist\n"),
            ("view nothing --at 3", "lab: nothing does not exist\n"),
            ("trace check nothing.json", "lab: nothing.json does not exist\n"),
            ("trace compare traces/samples/01_nested.json nothing", "lab: nothing does not exist\n"),
            ("web nothing.json --out class.html", "lab: nothing.json does not exist\n"),
            ("chek", 'lab: unknown command "chek"; did you mean "check"?\n'),
            ("progres", 'lab: unknown command "progres"; did you mean "progress"?\n'),
            ("run 06 three_store", demos("06", "three_store")),
            ("run 04 file", demos("04", "file")),
            ("explore 04 mixed_og", demos("04", "mixed_og")),
            ("debug 01 --demo neste", demos("01", "neste")),
            ("compare 04 nonsense", demos("04", "nonsense")),
        ):
            with self.subTest(words):
                self.assertTrue(lab(words).startswith(told), lab(words))
        self.assertFalse((ROOT / "nowhere").exists())
        self.assertIn(" three_stores", lab("run 06 three_store"))

    def test_the_demos_that_are_known_without_a_build_are_those_with_a_sample_and_more(self):
        samples = {file.stem for file in (ROOT / "traces/samples").iterdir()}
        for folder in sorted((ROOT / "labs").glob("[0-9]*_*")):
            names = usage(f"kit=none; . tools/programs.sh; names_of_demos {folder.name}").split()
            self.assertGreaterEqual({f"{folder.name[:2]}_{name}" for name in names},
                                    {name for name in samples if name.startswith(folder.name[:2])})  # fmt: skip


if __name__ == "__main__":
    unittest.main()
