"""Messages to students: every assertion in a lab's tests has an INFO with an explanation, and every printed text has a
Chinese translation."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from tree import ROOT, catalogue, files, read

from catalogue import filled, texts_of  # tree adds tools/ to the path

# ---- sentences: an INFO before an assertion, in its block or an enclosing one

OTHER = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"\((.*?)\)"|"(?:[^"\\\n]|\\.)*"' r"|'(?:[^'\\\n]|\\.)'", re.S
)  # comments and literals
WORD = re.compile(r"[{}\n]|\b(INFO|EXPECTS|CHECK|REQUIRE)[A-Z_]*\(")


def without_sentence(source):
    """The line numbers of assertions without an INFO."""
    code = OTHER.sub(lambda other: "\n" * other[0].count("\n"), source)
    said, found, line = [False], [], 1  # said: for each enclosing block, whether it has an INFO so far
    for match in WORD.finditer(code):
        word = match[0]
        line += word == "\n"
        if word == "{":
            said.append(said[-1])
        elif word == "}":
            said = said[:-1] or [False]
        elif word in ("INFO(", "EXPECTS("):
            said[-1] = True
        elif word != "\n" and not said[-1]:
            found.append(line)
    return found


class Sentences(unittest.TestCase):
    def test_every_assertion_of_a_labs_tests_has_a_sentence(self):
        tests = [file for file in files(".cpp", ".h") if re.match(r"labs/(\d\d_\w+/tests|kit/testing)/[^/]+$", file)]
        self.assertGreater(len(tests), 80)
        for file in tests:
            self.assertEqual(without_sentence(read(file)), [], f"{file}: no INFO before it in a block around it")

    def test_an_assertion_without_one_is_found(self):
        for source, lines in (
            ('void f() {\n    CHECK(a);\n    INFO("b");\n    REQUIRE_FALSE(b);\n}\n', [2]),
            ('void f() {\n    { INFO("{"); }\n    CHECK(a);\n}\n', [3]),
            ('void f() {\n    EXPECTS("a");\n    CHECK(a);\n}\n', []),
            ('void f() {\n    INFO("a");\n    for (;;) {\n        CHECK(a);\n    }\n}\n', []),
            ('void f() {\n    INFO("a");\n}\nvoid g() {\n    CHECK(a);\n}\n', [5]),
            ('// CHECK(a)\nconst char* text = "CHECK(a)";\n', []),
        ):
            self.assertEqual(without_sentence(source), lines, source)


# ---- programs: the literal parts of printed texts, error messages and descriptions of options

STATEMENT = re.compile(
    r"\b(?:throw|f?printf|f?puts|mistake|refuse|fail|add_(?:option|flag|subcommand)\w*"
    r"|parse_number|sentence|CLI::App app|DemoOption k\w*\[\])\b[^;]*;"
)
HOLE = re.compile(r"%[-.*0-9]*(?:ll|l|z)?[a-z]|\\n|\\t")
SPOKEN = re.compile(r'spoken\((?:[^()"]|"(?:[^"\\]|\\.)*")*\)')
MEASURED = "testing/measure/ratios.cpp testing/measure/apart.cpp".split()


def sentences_of(source):
    joined = re.sub(r'"\s*"', "", source)
    for statement in STATEMENT.findall(joined):
        for literal in re.findall(r'"((?:[^"\\]|\\.)*)"', statement):
            for part in HOLE.sub("\n", literal).split("\n"):
                if not part.startswith("./") and re.search("[A-Za-z,]{2,} [A-Za-z]{2,}", part):
                    yield re.sub(r"\\(.)", r"\1", part)


def programs():
    kit = ["labs/kit/demo/command_line.cpp", "labs/kit/demo/demo.cpp"]
    given = ["labs/05_epoll_io/given/socket.cpp", "labs/05_epoll_io/given/load.cpp"]
    own = [file for file in files(".cpp") if re.match(r"labs/\d\d_\w+/programs/(demo\w*|tools)\.cpp$", file)]
    return kit + given + own


class Programs(unittest.TestCase):
    def test_what_a_labs_programs_print_to_a_person_stands_in_chinese_too(self):
        known = "\n".join(text for file in files("zh.po") if file.startswith("labs/") for text in catalogue(file))
        looked_at = 0
        for program in programs():
            said = list(sentences_of(read(program)))
            looked_at += len(said)
            self.assertEqual([one for one in said if one.strip(" :;") not in known], [], program)
        self.assertGreater(looked_at, 40)

    def test_what_is_measured_is_printed_in_both_languages(self):
        for file in MEASURED:
            rest = SPOKEN.sub("0", read(file))
            self.assertNotEqual(rest, read(file))
            self.assertEqual(list(sentences_of(rest)), [], file)

    def test_the_sentences_of_a_source_are_found_and_no_name_of_a_file_is_one(self):
        source = 'throw mistake("it has " "no " + name + " here, by chance");'
        self.assertEqual(list(sentences_of(source)), ["it has no ", " here, by chance"])
        source = 'std::printf("%zu of them in %.2f s, so many\\n", n);'
        self.assertIn(" of them in ", list(sentences_of(source)))
        self.assertEqual(list(sentences_of('kit::note("not for a person"); puts("a.json");')), [])


class WithoutTranslation(unittest.TestCase):
    """With a missing, unreadable or invalid catalogue programs run untranslated."""

    def texts_of(self, data):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "zh.po"
            if data is not None:
                file.write_bytes(data)
            return texts_of(file)

    def test_a_catalogue_that_cannot_be_read_has_no_texts(self):
        self.assertEqual(self.texts_of(b'msgid "a"\nmsgstr "b"\n'), {"a": "b"})
        self.assertEqual(self.texts_of(None), {})
        self.assertEqual(self.texts_of(b'msgid "a"\nmsgstr "\xff"\n'), {})
        self.assertEqual(self.texts_of(b'msgid "\\q"\nmsgstr "b"\n'), {})
        self.assertEqual(texts_of(ROOT), {})  # a directory

    def test_a_placeholder_without_a_value_stays(self):
        self.assertEqual(filled("{0} of {2}", ["one"]), "one of {2}")

    def test_the_verbs_of_lab_work_beside_a_broken_catalogue(self):
        with tempfile.TemporaryDirectory() as folder:
            for part in ("tools", "labs/01_switch_asm"):
                subprocess.run(["cp", "-r", "--parents", part, folder], cwd=ROOT, check=True)
            (Path(folder) / "tools/zh.po").write_bytes(b"\xff")
            programs = [f"{folder}/tools/{name}.py" for name in ("program", "steps")]
            command = ["python3", "-I", *programs, folder, folder, folder, "zh", "hint", "1.1"]
            result = subprocess.run(command, capture_output=True, text=True)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
