"""The structure of the tree: files per folder, length of headers and lines, location of tests, names, the development
container, and the subjects of commits. Prints the lengths of functions and handouts:
python3 testing/tests/structure_test.py"""

import json
import re
import subprocess
import unittest

from tree import LABS, ROOT, files, read

ENTRIES, HEADER_LINES, COLUMNS, SUBJECT = 30, 200, 120, 72
BEFORE = "eb93b91"  # the first commit whose subject is checked is the one after this
DATA = re.compile(r"(.*/)?(samples|golden|corpus|data|pictures)(/.*)?")  # may have any number of files
FUNCTION = re.compile(r"^(?!class|struct|template)\w[^;{}#=(\n]*\([^;{}#=]*\{\n(.*?)^\}", re.M | re.S)
CODE = re.compile(r".*\.(cpp|h|S|c|sh|cmake|py|pml)|(.*/)?CMakeLists\.txt|lab")


def crowded(names):
    """The folders with too many entries; a page and its translation count as one."""
    entries = {}
    for name in (name.replace(".zh.md", ".md") for name in names):
        while name:
            folder, _, entry = name.rpartition("/")
            entries.setdefault(folder, set()).add(entry)
            name = folder
    return [folder for folder, found in entries.items() if len(found) > ENTRIES and not DATA.fullmatch(folder)]


def too_long(line):
    """Prose is checked by pages_test.py. A line with a URL cannot be wrapped."""
    return len(line) > COLUMNS and "://" not in line


def is_code(name):
    return CODE.fullmatch(name) and not DATA.fullmatch(name)


def misplaced(name, has_tests):
    return bool(re.fullmatch(r"(.*/)?tests/(hook/)?[^/]*_test\.cpp", name)) != has_tests


def is_wrong_subject(subject):
    """The subjects that do not follow docs/style.md."""
    first = re.split("[ ,:]", subject)[0]
    if len(subject) > SUBJECT or not re.match("[A-Z]", subject) or subject.endswith("."):
        return True
    if re.fullmatch("Embed|Feed|Heed|Need|Speed|Seed|Shed|Bring|String|Focus|Canvas", first):
        return False
    return bool(re.fullmatch("[A-Z][a-z]*(ed|ing)|[A-Z][a-z]*[^s]s", first))


class Structure(unittest.TestCase):
    def test_no_folder_has_more_than_30_entries(self):
        self.assertEqual(crowded(files()), [])

    def test_no_header_of_a_lab_has_more_than_200_lines(self):
        headers = [name for name in files(".h") if name.startswith("labs/")]
        self.assertEqual([name for name in headers if read(name).count("\n") > HEADER_LINES], [])

    def test_no_line_of_code_has_more_than_120_columns(self):
        for name in filter(is_code, files()):
            for number, line in enumerate(read(name).splitlines(), 1):
                self.assertFalse(too_long(line), f"{name}:{number}")

    def test_tests_stand_in_their_place_and_nothing_else_does(self):
        for name in files(".cpp"):
            # The grader's tests run a deliberately broken lab; a file may get its tests from a shared header.
            if name.endswith("/broken_lab.cpp") or "/behaviour" in name:
                continue
            has_tests = re.search(r"^(TEST_CASE|SCENARIO|TEMPLATE_TEST_CASE)\(", read(name), re.M)
            self.assertFalse(misplaced(name, bool(has_tests)), name)

    def test_the_subjects_of_commits_are_imperative_and_short(self):
        # A shallow clone has fewer commits to check, an archive none.
        log = ["git", "-C", ROOT, "log", "--no-merges", "--format=%s", f"{BEFORE}..HEAD"]
        subjects = subprocess.run(log, capture_output=True, text=True).stdout.splitlines()
        self.assertEqual([subject for subject in subjects if is_wrong_subject(subject)], [])

    def test_no_two_names_differ_by_capitals_alone_and_none_is_a_link(self):
        self.assertEqual(len({name.lower() for name in files()}), len(files()))
        self.assertEqual([name for name in files() if (ROOT / name).is_symlink()], [])

    def test_what_breaks_a_rule_is_found(self):
        self.assertEqual(crowded([f"a/b/{i}" for i in range(31)]), ["a/b"])
        self.assertEqual(crowded([f"traces/samples/{i}" for i in range(31)]), [])
        self.assertEqual([too_long("a" * 121), too_long("a" * 120), too_long("https://" + "a" * 121)], [1, 0, 0])
        self.assertTrue(is_code("labs/kit/run/core.h") and is_code("lab"))
        self.assertFalse(is_code("traces/samples/01_nested.json"))
        in_place = "labs/01_switch_asm/tests/switch_test.cpp"
        self.assertTrue(misplaced("labs/01_switch_asm/switch_test.cpp", True) and misplaced(in_place, False))
        self.assertFalse(misplaced(in_place, True) or misplaced("labs/01_switch_asm/tests/support.cpp", False))
        for right in ("Refuse a machine count of zero", "Pass the lock as an argument"):
            self.assertFalse(is_wrong_subject(right), right)
        for wrong in ("Fixed it", "Adds a test", "Fix it.", "add a test", "A" + "a" * 72):
            self.assertTrue(is_wrong_subject(wrong), wrong)


def lists_in(script):
    """{variable: packages} of the lists in cmake/packages.sh."""
    return {name: set(held.split()) for name, held in re.findall(r'^(packages_[a-z0-9_]+)="([^"]+)"', script, re.M)}


class Container(unittest.TestCase):
    def test_its_description_is_json_and_names_files_that_are_there(self):
        folder = ROOT / ".devcontainer"
        description = json.loads((folder / "devcontainer.json").read_text())
        self.assertTrue((folder / description["build"]["context"]).samefile(ROOT))
        self.assertEqual(description["remoteUser"], "student")
        dockerfile = (folder / description["build"]["dockerfile"]).read_text()
        self.assertIn("useradd --create-home --shell /bin/bash student", dockerfile)

    def test_the_packages_stand_in_one_file_and_all_are_installed(self):
        script, image = read("cmake/packages.sh"), read(".devcontainer/Dockerfile")
        self.assertIn("COPY cmake/packages.sh ", image)
        self.assertIn("&& install_everything", image)
        self.assertEqual(set().union(*lists_in(script).values()) & set(image.split()), set())
        everything = re.search(r"^install_everything\(\) \{.*?^\}", script, re.M | re.S)[0]
        self.assertGreaterEqual(len(lists_in(script)), 4)
        for name in lists_in(script):
            self.assertIn("$" + name, everything)


DOWNLOAD = r"(?:FetchContent_Declare|ExternalProject_Add|file)\s*\([^()]*\)"
URL = r"https?://\S+\.(?:tar\.\w+|tgz|zip|git)\b(\s+(?:URL_HASH SHA256=|SHA256 )[0-9a-f]{64}\b)?"


def unchecked_downloads(script):
    """The downloads without a hash in a CMake script."""
    calls = [call for call in re.findall(DOWNLOAD, script) if re.search(r"\b(URL|DOWNLOAD|GIT_REPOSITORY)\b", call)]
    return [call for call in calls if "_HASH SHA256=" not in call] + [
        url[0] for url in re.finditer(URL, script) if not url[1]
    ]


class Downloads(unittest.TestCase):
    def test_each_names_the_hash_of_what_it_downloads(self):
        scripts = [read(name) for name in (*files(".cmake"), *files("CMakeLists.txt"))]
        self.assertGreaterEqual(sum(len(re.findall(URL, script)) for script in scripts), 3)
        self.assertEqual([wrong for script in scripts for wrong in unchecked_downloads(script)], [])

    def test_a_download_without_a_hash_is_found(self):
        self.assertEqual(len(unchecked_downloads("FetchContent_Declare(a URL ${b})")), 1)
        self.assertEqual(len(unchecked_downloads("my_library(a\n  URL https://host/a.tar.gz)")), 1)
        self.assertEqual(len(unchecked_downloads("FetchContent_Declare(a GIT_REPOSITORY https://host/a.git)")), 2)
        self.assertEqual(unchecked_downloads(f"FetchContent_Declare(a URL ${{b}} URL_HASH SHA256={'0' * 64})"), [])


if __name__ == "__main__":
    lengths = [(m[1].count("\n"), f"{name}: {m[0].splitlines()[0]}") for name in files(".cpp", ".h")
               for m in FUNCTION.finditer(read(name))]  # fmt: skip
    print(f"{len(lengths)} functions, bar 40 lines; longer:")
    print(*(f"{lines:4} {name}" for lines, name in sorted(lengths, reverse=True) if lines > 40), sep="\n")
    for lab in LABS:
        print(f"{lab.name}/README.md: {len(read(lab / 'README.md').split()):,} words, bar 8,000")
