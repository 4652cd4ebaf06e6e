"""Tests steps.json, the Chinese contracts of the steps, and the tree made by ./lab start."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from tree import LABS, ROOT, files, read
from pages_test import is_broken

sys.path.insert(0, str(ROOT / "testing/student"))
import mutants  # noqa: E402

ARCHS = ("x86_64", "aarch64")


def steps_of(lab):
    return json.loads(read(lab / "steps.json"))


def edited_in(step):
    """The files of a step, for each machine."""
    named = step["file"] if isinstance(step["file"], list) else [step["file"]]
    return {file.replace("{arch}", arch) for file in named for arch in ARCHS}


def all_steps():
    return [(lab, step) for lab in LABS for step in steps_of(lab)]


def known_mistakes():
    """(lab, name, file in exercise/, step whose test finds it) of each mutant."""
    for lab in LABS:
        for mutant in json.loads(read(lab / "mutants.json") or "[]"):
            file, = lab.glob(f"**/exercise/{Path(mutant['file']).name}")
            yield lab, mutant["name"], str(file.relative_to(lab)), mutant["killed_by"].split()[0]


def unseen(step):
    return step.get("unseen", [])


SOURCES = "".join(read(file) for file in files(".cpp", ".h") if re.search("/tests/|/kit/testing/", file))


def is_test(name):
    """Whether a test has this name; that of a shared test follows the step."""
    shared = name.split(" ", 1)[1]
    return any(f'"{one}"' in SOURCES for one in (name, " " + shared, shared))


class Steps(unittest.TestCase):
    def test_each_file_that_a_student_edits_belongs_to_a_step(self):
        for lab in LABS:
            edited = set().union(*map(edited_in, steps_of(lab)))
            self.assertEqual(edited, {str(file.relative_to(lab)) for file in lab.glob("**/exercise/*")})

    def test_what_a_step_tells_to_edit_and_to_read_is_there(self):
        for lab, step in all_steps():
            self.assertEqual([file for file in edited_in(step) if not (lab / file).exists()], [])
            self.assertTrue(step["read"], step["step"])
            self.assertEqual([to for to in step["read"] if is_broken(lab / "steps.json", to)], [], step["step"])

    def test_where_a_mistake_may_be_as_well_there_is_the_function_that_is_named(self):
        for lab, step in all_steps():
            for other in step.get("or", []):
                self.assertTrue(other["what"] + "(" in read(lab / other["file"]), (step["step"], other))
                self.assertTrue("test" not in other or is_test(other["test"]), other)

    def test_each_test_to_be_told_first_is_there_is_of_this_step_and_is_listed_once(self):
        listed = 0
        for _, step in all_steps():
            first = step.get("first", [])
            listed += len(first)
            self.assertEqual(len(set(first)), len(first))
            for name in first:
                self.assertEqual(name.split(" ")[0], step["step"])
                self.assertTrue(is_test(name), name)
        self.assertGreater(listed, 200)

    def test_what_a_steps_tests_cannot_see_is_seen_by_a_later_step_or_by_none(self):
        said = 0
        for lab in LABS:
            numbers = [step["step"] for step in steps_of(lab)]
            for at, step in enumerate(steps_of(lab)):
                for one in unseen(step):
                    said += 1
                    self.assertTrue("from" not in one or one["from"] in numbers[at + 1 :], one)
        self.assertGreaterEqual(said, 5)

    def test_where_a_mistake_dies_by_a_later_step_only_the_step_says_what_it_cannot_see(self):
        for lab, name, file, dies in known_mistakes():
            of_file = [step for step in steps_of(lab) if file in edited_in(step)]
            told = {one.get("from") for step in of_file for one in unseen(step)}
            self.assertIn(dies, {step["step"] for step in of_file} | told, name)

    def test_a_known_mistake_is_in_a_file_that_the_step_whose_test_finds_it_names(self):
        for lab, name, file, dies in known_mistakes():
            step = next(step for step in steps_of(lab) if step["step"] == dies)
            self.assertIn(file, edited_in(step) | {other["file"] for other in step.get("or", [])}, name)


# ---- contracts: quoted ("> …") in the Chinese handout; in English they are comments of headers and exercise/


def contracts_in(page):
    """{step: its quotations}."""
    parts = re.split(r"^## (?:步骤 ([0-9.]+)：)?.*\n", page, flags=re.M)
    quoted = {step: re.findall("^>.*$", part, re.M) for step, part in zip(parts[1::2], parts[2::2]) if step}
    return {step: "\n".join(lines) for step, lines in quoted.items() if lines}


def stubs_in(source):
    """(step, function) of each stub: "finish" of not_implemented("1.4", "Coroutine::finish: …")."""
    stub = r'(?:not_implemented\(\s*"([0-9.]+)",\s*"|\.string\s+"([0-9.]+) )(?:[\w~]+::)*~?(\w+)'
    return sorted((one or other, name) for one, other, name in re.findall(stub, source))


def given_in(source):
    """The names listed at the beginning of a file, as `//     code   description`, separated by two spaces or more."""
    head = re.split("^#include", source, flags=re.M)[0]
    listed = [re.sub('"[^"]*"', "", line) for line in re.findall(r"^//     ([^ ].*?)(?:  .*)?$", head, re.M)]
    return {name for line in listed for name in re.findall(r"\w*[a-z]_\w*|\w+(?=\()", line)}


def missing_of(source, contracts):
    """(step, name) of each name of a file in exercise/ that is missing in a page's contracts."""
    steps = [step for step, _ in stubs_in(source)]
    named = {step: set(re.findall(r"[A-Za-z_]\w*", contracts.get(step, ""), re.A)) for step in steps}
    missing = [(step, function) for step, function in stubs_in(source) if function not in named[step]]
    return missing + [(steps[0], name) for name in sorted(given_in(source) - set().union(*named.values()))]


OF_THE_LANGUAGE = set("""
    if for while switch return sizeof catch alignas noexcept defined static_cast reinterpret_cast const_cast
    resize pop_back push_back pop_front emplace_back insert erase try_emplace c_str compare_exchange_strong
""".split())  # and of the standard library's containers, strings and atomics; names after std:: are known


def used_in(source):
    """The functions that a file in solution/ calls but does not define, and the causes that it names."""
    code = re.sub(r'//[^\n]*|"(?:[^"\\]|\\.)*"', "", source)
    called = set(re.findall(r"\b(?:\w+::)*([a-z]\w*[a-z])\(", code)) - set(re.findall(r"std::(?:\w+::)*(\w+)", code))
    called -= set(re.findall(r"^ *(?:\[\[.*\]\] )?(?!return)(?:[\w:<>*&]+ )+[*&]?(\w+)\(", code, re.M))  # a definition
    called -= set(re.findall(r"auto\S* (\w+) = \[", code))
    return called - OF_THE_LANGUAGE | set(re.findall(r"Cause::(\w+)", code))


class Mutants(unittest.TestCase):
    def test_the_text_of_each_occurs_once_in_its_solution(self):
        for lab in LABS:
            self.assertTrue(mutants.read(lab))


class Contracts(unittest.TestCase):
    def test_all_that_a_solution_uses_is_named_to_its_student(self):
        headers, looked_at = "", 0
        for lab in LABS:
            folder = f"labs/{lab.name}/"
            own = [file for file in files(".h", ".md") if file.startswith(folder)]
            headers += "".join(map(read, own))  # including those of the lower labs
            heads = "".join(re.split("^#include", read(file), flags=re.M)[0] for file in lab.glob("**/exercise/*"))
            known = set(re.findall(r"\w+", headers + heads))
            for file in sorted(lab.glob("**/solution/*.cpp")):
                used = used_in(read(file))
                looked_at += len(used)
                exercise = set(re.findall(r"\w+", read(file.parents[1] / "exercise" / file.name)))
                self.assertEqual(used - known - exercise, set(), file)
        self.assertGreater(looked_at, 300)
        source = "void ff() {\n    a.gg(std::move(x), Cause::stop);\n    ff(hh()); // ii()\n}"
        self.assertEqual(used_in(source), {"gg", "hh", "stop"})

    def test_that_of_each_step_stands_in_the_chinese_handout(self):
        stubs = 0
        for lab in LABS:
            for file in lab.glob("**/exercise/*"):
                contracts = contracts_in(read(file.parents[1] / "README.zh.md"))
                stubs += len(stubs_in(read(file)))
                self.assertEqual(missing_of(read(file), contracts), [], f"README.zh.md must quote these (> …): {file}")
        self.assertGreater(stubs, 150)

    def test_no_english_handout_quotes_as_nothing_compares_what_is_quoted(self):
        for lab in LABS:
            for page in lab.glob("**/README.md"):
                self.assertFalse("\n>" in read(page), page)

    def test_a_function_and_a_given_name_that_a_contract_does_not_name_are_found(self):
        contracts = contracts_in("## 步骤 9.1：一\n> `first`\n> `helper(task)`\n## 别的\n> `second`\n")
        head = '//     helper(task, "name")   helps, with patience\n//     other_one or two   more\n#include <a>\n'
        self.assertEqual(missing_of('not_implemented("9.1", "A::first: do")', contracts), [])
        missing = missing_of(head + 'not_implemented("9.1",\n "A::second: do")', contracts)
        self.assertEqual(missing, [("9.1", "second"), ("9.1", "other_one")])
        self.assertEqual(missing_of('not_implemented("9.2", "~A: do")', contracts), [("9.2", "A")])
        self.assertEqual(missing_of('.string "9.3 _switch: do"', contracts), [("9.3", "_switch")])


# ---- the tree for students (tools/student_tree.py)

TREE = ROOT / "tools/student_tree.py"


class Handout(unittest.TestCase):
    def setUp(self):
        if subprocess.run(["git", "-C", ROOT, "rev-parse", "-q", "--verify", "HEAD"], capture_output=True).returncode:
            self.skipTest("not a git clone")
        work = tempfile.TemporaryDirectory(prefix="fiberscope_handout_")
        self.addCleanup(work.cleanup)
        self.work = Path(work.name)

    def written(self, name, root=ROOT):
        answer = subprocess.run(["python3", "-B", TREE, root, self.work / name], capture_output=True, text=True)
        what = "add the line to tools/handout_known.txt unless it reveals a solution"
        self.assertEqual(answer.returncode, 0, f"{what}: {answer.stdout}{answer.stderr}")
        return self.work / name

    def test_the_same_commit_gives_the_same_bytes_and_so_does_a_tree_without_a_history(self):
        tree = self.written("one")
        script = (
            f"mkdir zip; git -C {ROOT} archive HEAD | tar -x -C zip; mkdir -p zip/tools/__pycache__; "
            "touch zip/tools/__pycache__/x zip/labs/01_switch_asm/exercise/context.cpp.kept-1"
        )
        subprocess.run(["bash", "-ec", script], cwd=self.work, check=True)
        for other in self.written("two"), self.written("three", self.work / "zip"):
            self.assertEqual(subprocess.run(["diff", "-r", tree, other], capture_output=True, text=True).stdout, "")

    def test_a_tree_has_what_a_student_reads_and_edits_and_no_more(self):
        tree = self.written("tree")
        files = [path for path in tree.rglob("*") if path.is_file()]
        names = {str(path.relative_to(tree)) for path in files}
        self.assertLessEqual({"lab", ".gitignore", "labs/01_switch_asm/given/start_x86_64.S"}, names)
        self.assertEqual({name.split("/")[0] for name in names if "/" in name}, {"labs", "docs"})
        self.assertLessEqual(len(files), 450)
        self.assertEqual([name for name in names if re.search("solution|mutants|explored|/kit/", name)], [])
        for page in (path for path in files if path.suffix == ".md"):
            targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
            self.assertEqual([to for to in targets if not (page.parent / to).exists()], [], page)

    def test_a_line_of_a_solution_is_refused(self):
        lab = "zip/labs/01_switch_asm"
        script = f"mkdir zip; git -C {ROOT} archive HEAD | tar -x -C zip; "
        script += f"cat {lab}/solution/context.cpp >>{lab}/given/backend.cpp"
        subprocess.run(["bash", "-ec", script], cwd=self.work, check=True)
        command = ["python3", "-B", TREE, self.work / "zip", self.work / "tree"]
        answer = subprocess.run(command, capture_output=True, text=True)
        self.assertIn("labs/01_switch_asm/given/backend.cpp:", answer.stderr)
        self.assertEqual((answer.returncode, (self.work / "tree").exists()), (1, False))
