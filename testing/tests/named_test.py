"""Checks that everything the pages name exists: files, identifiers, samples and reports."""

import re
import unittest
from pathlib import Path

from tree import LABS, ROOT, files, read, says, translations
from pages_test import BLOCK, PAGES

OF_THE_TREE = re.compile(r"`((?:labs|traces|viewer|testing|docs|cmake|extras)/[A-Za-z0-9_./-]+\.[A-Za-z]+)`")
OF_A_LAB = re.compile(r"`((?:exercise|given|solution|programs|tests)/[A-Za-z0-9_./-]+\.[A-Za-z]+)`")
SOURCE = (".h", ".cpp", ".S", ".json", ".sh", ".py", ".txt", ".cmake", ".pml")
FOREIGN = """
    __errno_location __cxa_allocate_exception __start_context __fpregs_mem co_await EPOLLEXCLUSIVE SA_RESTART
    close_range epoll_pwait2 context_spmc_queue pthread_getspecific pthread_setspecific get_id busy_poll Slab
    EVFILT_PROC EVFILT_SIGNAL EVFILT_TIMER EVFILT_USER F_SETLKW EV_CLEAR EV_ONESHOT ADD DEL MOD IORING_FEAT_NODROP
    IORING_OP_LINK_TIMEOUT setInterval InheritableThreadLocal co_cond_broadcast MainFunc coWrapFunc mainCtx_ coctx_t
    DecompressionStream nty_coroutine_wait_cmp sleep_usecs nty_ BUSY EXITED WAIT_READ WAIT_WRITE WAIT_MULTI CO_READY
    CO_RUNNING CO_WAITING CO_DEAD RVM_CallInfo RVM_RuntimeStack resume_pc G_STATUS_RUNNABLE G_STATUS_RUNNING
    G_STATUS_SUSPENDED G_STATUS_DEAD AT_MINSIGSTKSZ errno_here upgrade try_upgrade shared_N _2 _4
"""  # of the C and C++ libraries, the kernel and other systems; composed names; and names in examples


def words_of(text):
    return set(re.findall(r"\w+", text, re.A))


def known_words():
    """The identifiers and string literals in the sources and in docs/names.md."""
    names = [name for name in files() if not name.startswith("traces/samples/")]
    known = words_of(FOREIGN + read("docs/names.md") + " ".join(names))
    known |= {sample.stem for sample in (ROOT / "traces/samples").iterdir()}
    for name in names:
        base = name.rpartition("/")[2]
        if (base.endswith(SOURCE) or "." not in base) and base != "named_test.py":
            known |= words_of(read(name))
    return known


def symbols(page):
    """The last word of each inline code that is an identifier: with a capital, an underscore, "::" or "("."""
    names = re.findall(r"`((?:\w+::)*~?(\w+)(?:\([^()`\n]*\))?)`", BLOCK.sub("", page), re.A)
    return {last for whole, last in names if re.search("[A-Z_(]|::", whole)}


def is_there(page, file):
    return any((ROOT / folder / file).exists() for folder in Path(page).parents)


def named_files(page, text):
    of_a_lab = OF_A_LAB.findall(text) if page.startswith("labs/") else []
    return [file for file in OF_THE_TREE.findall(text) + of_a_lab if "NN_" not in file]


class Named(unittest.TestCase):
    def test_every_file_that_a_page_names_is_there(self):
        for page in PAGES:
            self.assertEqual([file for file in named_files(page, read(page)) if not is_there(page, file)], [], page)
        text = "see `labs/kit/run/core.h`, `labs/*/x.h`, `given/a_{arch}.S`, `core.h`, `given/a.S`"
        self.assertEqual(named_files("labs/01/README.md", text), ["labs/kit/run/core.h", "given/a.S"])
        self.assertEqual(named_files("docs/README.md", text), ["labs/kit/run/core.h"])

    def test_every_name_that_a_page_gives_as_code_is_in_the_tree(self):
        known, looked_at = known_words(), 0
        for page in files(".md"):
            named = symbols(read(page))
            looked_at += len(named)
            self.assertEqual(named - known, set(), page)
        self.assertGreater(looked_at, 500)
        page = "`make_ready(task)` `kit::Core` `word` `two words` `~Coroutine` `rbx` `done()`\n```\n`in_a_block`\n```\n"
        self.assertEqual(symbols(page), {"Core", "Coroutine", "done", "make_ready"})

    def test_the_page_for_instructors_says_what_to_show_with_every_sample(self):
        page = read("docs/instructors.md")
        samples = [sample.stem for sample in (ROOT / "traces/samples").iterdir()]
        self.assertEqual([name for name in samples if f"`{name}`" not in page], [])


# ---- docs/names.md: the identifiers of the six descriptions and their equivalents here


def rows(page):
    """(theirs, ours, files, step, why it differs) of the rows of a page's tables."""
    found = []
    for line in page.splitlines():
        if line.startswith("|---"):
            found = found[:-1]
        elif line.startswith("|"):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def code(text):
    return re.findall("`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def wrong_with_row(row, root):
    """An error message; empty if valid. `root` contains the files that the page names."""
    if len(row) != 5:
        return "a row must have five cells"
    _, ours, named, _, differs = row
    if ours == "–":
        return "" if differs else "has no equivalent and gives no reason"
    paths = [root / name for name in code(named)]
    if not paths or not all(path.exists() for path in paths):
        return "names no file that exists"
    text = words_of(" ".join(path.read_text() for path in paths if path.is_file()))
    missing = {word for name in code(ours) for word in re.findall("[A-Za-z_][A-Za-z_0-9]*", name)} - text
    return f"not in {named}: {missing}" if missing else ""


def below(text, marks):
    """{heading: section}"""
    parts = re.split(rf"^{marks} (.+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def missing_in(page, listed):
    """(system, identifier) of those missing in the page's section of the system."""
    explained = {name: words_of(" ".join(row[0] for row in rows(part))) for name, part in below(page, "##").items()}
    common = explained.get("Used as they are", set())
    named = {system: words_of(part) for system, part in below(listed, "#").items()}
    return {(one, word) for one, words in named.items() for word in words - explained.get(one, set()) - common}


class TheSix(unittest.TestCase):
    def test_every_file_and_every_name_of_the_page_is_there(self):
        wrong = {row[0]: wrong_with_row(row, ROOT / "labs") for row in rows(read("docs/names.md"))}
        self.assertGreater(len(rows(read("docs/names.md"))), 200)
        self.assertEqual({name: why for name, why in wrong.items() if why}, {})

    def test_no_identifier_of_the_six_descriptions_is_missing(self):
        listed = read("testing/tests/names_of_the_six.txt")
        self.assertEqual(missing_in(read("docs/names.md"), listed), set())
        self.assertEqual(len(below(listed, "#")), 6)
        self.assertGreater(len(listed.split()), 500)

    def test_what_is_missing_is_found(self):
        head = "| name | here | file | step | differs, because |\n|---|---|---|---|---|\n"
        page = f"# N\n\n## one\n\n{head}| `a`, `b` | – | – | – | no |\n\n## two\n\n{head}| `c` | – | – | – | no |\n\n"
        page += f"## Used as they are\n\n{head}| `read` | – | – | – | of POSIX |\n"
        self.assertEqual(missing_in(page, "about it\n\n# one\na b\nread\n\n# two\nc\n"), set())
        self.assertEqual(missing_in(page, "# one\na c\n# two\nb\n# 3\na\n"), {("one", "c"), ("two", "b"), ("3", "a")})
        for row, wrong in (
            ("| `a` | `rows` | `named_test.py` | – |  |", ""),
            ("| `a` | – | – | – | not built |", ""),
            ("| `a` | – | – | – |  |", "no reason"),
            ("| `a` | `b` | `no.cpp` | – |  |", "no file"),
            (f"| `a` | `{'x' * 9}` | `named_test.py` | – |  |", "not in"),
            ("| `a` | `b` | – | – |  |", "no file"),
        ):
            self.assertRegex(wrong_with_row(rows(row)[0], ROOT / "testing/tests"), wrong or "^$")


# ---- quotations of reports, and the calls in docs/lab05/limits.md


def phrases(page, titles=("When it crashes", "When it goes wrong")):
    """Inline code of several words in the first column of the tables about crashes."""
    parts = below(page, "##")
    cells = [row[0] for title in titles for row in rows(parts.get(title, ""))]
    return [phrase for cell in cells for phrase in re.findall("`([^`]* [^`]*)`", cell)]


class Reports(unittest.TestCase):
    # testing/student/steps.py checks that the verdicts on mutants contain these texts.
    def test_what_the_report_says_of_a_mutant_stands_in_the_handouts(self):
        looked_at = 0
        for lab in LABS:
            for said in re.findall('"says": "([^"]*)"', read(lab / "mutants.json")):
                looked_at += 1
                english, chinese = read(lab / "README.md"), read(lab / "README.zh.md")
                self.assertTrue(f"`{said}`" in english, f"{lab} has no symptom `{said}`")
                quoted = any(says(text, quote) for quote in code(chinese) for text in translations(said))
                self.assertTrue(quoted, f"{lab} has no symptom `{said}` in Chinese")
        self.assertGreater(looked_at, 12)

    def test_what_a_handout_says_of_a_report_is_what_the_report_says(self):
        sources = "".join(read(name) for name in files(".cpp", ".h") if name.startswith("labs/"))
        sources = re.sub(r'"\s*\n\s*"', "", sources)  # joins literals that continue on the next line
        named = [phrase for lab in LABS for phrase in phrases(read(lab / "README.md"))]
        self.assertGreater(len(named), 20)
        self.assertEqual([phrase for phrase in named if not says(sources, phrase)], [])

    def test_a_phrase_that_no_report_says_is_found(self):
        page = "## When it crashes\n| `a null pointer` was used, `x` | `not this` |\n## Other\n| `nor this` | |\n"
        self.assertEqual(phrases(page), ["a null pointer"])
        self.assertTrue(says("it is a null pointer", "a null pointer"))
        self.assertFalse(says("it is a null pointer", "a wild pointer"))
        self.assertTrue(says("no task can ever run again: a, b", "no task can ever run again: …"))


LIMITS = "labs/05_epoll_io/"
# Not calls, or calls that a test cannot make block, or variants of tested calls.
NOT_TRIED = set(
    """std::cin SO_LINGER getaddrinfo fsync fdatasync sync syncfs msync F_SETLKW F_OFD_SETLKW lockf epoll_pwait2
    sigpause pwritev2 tcdrain msgsnd mq_timedreceive mq_send mq_timedsend semtimedop lio_listio gai_suspend
    pthread_mutex_lock mtx_lock mtx_timedlock pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_join
    thrd_join pthread_cond_wait pthread_cond_timedwait cnd_wait cnd_timedwait sem_wait sem_timedwait
    pthread_barrier_wait sendfile splice recvmmsg sendmmsg select pselect clock_nanosleep wait waitpid system
    pclose""".split()
)


def tried(program):
    return set(re.findall(r'\{"(\w+)", by_\w+\}', read(f"{LIMITS}programs/{program}")))


def said_of(page, kind):
    """The calls of the rows whose second column begins with `kind`."""
    lines = [line.split(" | ") for line in page.splitlines() if line.startswith("| ") and " | " in line]
    return {name for cells in lines if cells[1].startswith(kind) for name in re.findall(r"`([\w:]+)`", cells[0])}


class Limits(unittest.TestCase):
    def test_the_table_of_what_stops_the_thread_says_what_the_program_tries(self):
        for name, hooked, stops in (("limits.md", "hooked", "stops the thread"), ("limits.zh.md", "已 hook", "停住线程")):
            page = read(f"docs/lab05/{name}")
            self.assertLessEqual(tried("limits_rows.cpp"), said_of(page, hooked))
            self.assertLessEqual(tried("limits_stops.cpp"), said_of(page, stops))
            self.assertLessEqual(said_of(page, stops), tried("limits_stops.cpp") | NOT_TRIED)
            self.assertGreater(len(said_of(page, stops)), 20)

    def test_each_demo_that_the_table_names_is_there(self):
        programs = "".join(read(str(file.relative_to(ROOT))) for file in (ROOT / LIMITS / "programs").glob("limits_*"))
        demos = set(re.findall(r'\{"(\w+)", "[^"]+",\s+\w+\}', programs))
        row = r"^\|[^|\n]+\| (?:hooked|stops|shared|the|已|停|共|同|第|属)[^|\n]*\|[^|\n]*\| `(\w+)` \|"
        for page in ("limits.md", "limits.zh.md"):
            named = set(re.findall(row, read(f"docs/lab05/{page}"), re.M))
            self.assertLessEqual(named, demos)
            self.assertGreater(len(named), 12)
