"""What the pages say: links, words (docs/style.md, docs/glossary.zh.md), and that every file, name, sample and report
that a page names is there."""

import re
import unicodedata
import unittest

from tree import LABS, ROOT, files, read

COLUMNS = 120
BLOCK = re.compile(r"^ *```.*?\n *```", re.M | re.S)
PAGES = [name for name in files(".md") if not name.endswith("style.md")]


# ---- links


def anchors(page):
    """Those that the headings make, as GitHub and most others form them; and those that the page names itself, as a
    handout in another language does before each heading, so that a link holds for both: <a id="how-to-work"></a>"""
    found, is_code = set(), False
    for line in page.splitlines():
        is_code ^= line.startswith("```")
        named = re.fullmatch(r'<a id="([^"]+)"></a>', line)
        if not is_code and named:
            found.add(named[1])
        if not is_code and line.startswith("#"):
            anchor = re.sub(r"[^\w\x80-\U0010ffff -]", "", line.lstrip("#")[1:]).lower().replace(" ", "-")
            unique = anchor
            while unique in found:
                unique = f"{anchor}-{int(unique[len(anchor) + 1 :] or 0) + 1}"
            found.add(unique)
    return found


def is_broken(page, target):
    """Whether the target of a link on a page leads nowhere."""
    if "://" in target or target.startswith("mailto:"):
        return False
    file, _, anchor = target.partition("#")
    named = (ROOT / page).parent / file if file else ROOT / page
    if not named.exists():
        return True
    return bool(anchor) and named.suffix == ".md" and anchor not in anchors(named.read_text(encoding="utf-8"))


def links(page):
    """The targets of the links and pictures of a page, those in code left out."""
    return re.findall(r"\]\(([^)\s]+)[^)]*\)", re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page)))


class Links(unittest.TestCase):
    def test_every_link_leads_somewhere(self):
        for page in files(".md"):
            self.assertEqual([target for target in links(read(page)) if is_broken(page, target)], [], page)

    def test_a_broken_link_and_a_broken_anchor_are_found(self):
        page = 'see [a](b.md#c) and ![p](d.png "title") but not `[x](y)`\n```\n[z](w)\n```\n'
        self.assertEqual(links(page), ["b.md#c", "d.png"])
        page = "# One\n## Step 1.2: `_switch`, raw\n```\n# no heading\n```\n# One\n# One\n"
        self.assertEqual(anchors(page), {"one", "step-12-_switch-raw", "one-1", "one-2"})
        self.assertIn("how-to-work", anchors('<a id="how-to-work"></a>\n\n## 怎样工作\n'))
        self.assertNotIn("how-to-work", anchors('```\n<a id="how-to-work"></a>\n```\n'))
        self.assertTrue(is_broken("LICENSE", "no_such_file.md") and is_broken("README.md", "#no-such-heading"))
        self.assertFalse(is_broken("LICENSE", "LICENSE"))

    def test_every_page_of_docs_is_in_the_reading_order_and_in_the_site(self):
        names = [page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md"]
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertIn(f"({name}", read("docs/README.md"))
            self.assertIn(f"docs/{name}\n", read("docs/site.sh"))


# ---- words

TO_AVOID = re.compile(
    r"\b(for ever|may well|[Nn]obody|[Ss]omebody|[Ee]verybody|[Ww]hoever|[Hh]e|[Hh]is|[Hh]im)\b"
    r"|(^|[.:;] |\*\*)Who [a-z]+[^?]*$"
)
# Turns that leave open what happens, and a task as a person: each stood in what a student is told.
RIDDLES = re.compile(r"\b(by a sentence|came out of it|in its turn|the lives of|whom?)\b")
WRONG_ONCE = (  # each stood on a page of this tree
    "`rip` is a function of the kit",  # it is the coroutine's own code, where the switch is a tail call
    "belong to the labs to come",  # all six are there
    "The state changes in two places",  # in three
    "Go 1.0 had a queue for each machine",  # one global queue under one lock
    "Parked: nowhere",  # with a deadline it is in the sleep tree
    "does not put back what is not due",  # the published listing of libco's loop does
)
# What is told in English: tables with the Chinese below each line, two columns in, and the literals of sources.
TOLD = """tools/words/en.txt labs/grader/words/words.cpp labs/kit/report/stubs.zh.txt labs/*/sentences.zh.txt
    labs/*/names.zh.txt labs/*/testing/*.zh.txt labs/*/programs/demo.cpp traces/words/texts/noted.cpp
    traces/words/texts/english/*.cpp labs/kit/fault/*.cpp labs/kit/run/*.cpp""".split()


def found(pattern, text):
    return [match[0] for match in pattern.finditer(text)]


def without_code(text):
    return re.sub(r"`[^`]*`?", "`", text)


def width(line):
    """In columns: a character of Chinese takes two, and so does the punctuation of that script."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def prose(page):
    """(number, line) of what is in no block."""
    block = False
    for number, line in enumerate(page.splitlines(), 1):
        fence = line.startswith("```")
        block ^= fence
        if not block and not fence and not line.startswith("    "):
            yield number, line


def wrong_with(page):
    """(line, what is wrong) of a page."""
    for number, line in prose(page):
        yield from ((number, word) for word in found(TO_AVOID, without_code(line)))
        if width(line) > COLUMNS and not line.startswith("|"):
            yield number, "more than 120 columns"


def told_in(file):
    if file.endswith(".cpp"):
        return "\n".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', read(file)))
    return "\n".join(line for line in read(file).splitlines() if not line.startswith("  "))


def forbidden_terms():
    """{a Chinese word that the glossary does not want: the one to write}."""
    words = {}
    page = read("docs/glossary.zh.md")
    for line in page[page.index("## 一个词一个译法") :].splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 5 and cells[3] != "不用" and not cells[3].startswith("---"):
            words |= {word.strip(): cells[2] for word in cells[3].split("、")}
    return words


def is_chinese(file):
    return ".zh." in file and not file.endswith("glossary.zh.md") or "texts/chinese/" in file or file.endswith(
        (".po", "words/zh.txt", "tools/usage.sh", "grader/words/words.cpp", "grader/words/translation.cpp")
    )


def wrong_terms(text):
    return [f"{word}, write {instead}" for word, instead in forbidden_terms().items() if word in text]


class Words(unittest.TestCase):
    def test_the_pages_keep_to_the_words_and_the_columns_of_style(self):
        self.assertGreater(len(PAGES), 20)
        for page in PAGES:
            self.assertEqual(list(wrong_with(read(page))), [], page)
            self.assertEqual([wrong for wrong in WRONG_ONCE if wrong in read(page)], [], page)

    def test_what_a_student_is_told_keeps_to_the_words_of_style(self):
        for lab in LABS:
            for name in ("steps.json", "hints.json"):
                self.assertEqual(found(TO_AVOID, without_code(read(lab / name))), [], lab / name)

    def test_what_a_program_tells_keeps_to_the_words_of_style_and_is_no_riddle(self):
        told = [str(file.relative_to(ROOT)) for pattern in TOLD for file in ROOT.glob(pattern)]
        self.assertGreater(len(told), 25)
        for file in told:
            text = without_code(told_in(file))
            self.assertEqual(found(TO_AVOID, text) + found(RIDDLES, text), [], file)

    def test_a_word_to_avoid_and_a_line_that_is_too_long_are_found(self):
        for page, wrong in (
            ("It waits forever.\n", []),
            ("It waits for every task that somebody-else names.\n", [(1, "somebody")]),
            ("one\nIt waits for ever.\n", [(2, "for ever")]),
            ("Who reads waits.\n", [(1, "Who reads waits.")]),
            ("Who reads?\n", []),
            ("```\nnobody\n```\n`nobody can ever run`\n", []),
            ("a" * 121 + "\n| " + "a" * 121 + "\n", [(1, "more than 120 columns")]),
        ):
            self.assertEqual(list(wrong_with(page)), wrong)
        self.assertEqual(width("栈，a"), 5)
        self.assertEqual(found(RIDDLES, "the given queue ends the program by a sentence"), ["by a sentence"])
        self.assertEqual(found(RIDDLES, "wakes who has begun; the task whose limit is over"), ["who"])

    def test_a_thing_has_one_chinese_word_that_of_the_glossary(self):
        chinese = [file for file in files() if is_chinese(file)]
        self.assertGreater(len(chinese), 20)
        self.assertGreater(len(forbidden_terms()), 20)
        for file in chinese:
            self.assertEqual(wrong_terms(read(file)), [], file)
        self.assertEqual(wrong_terms("树的节点"), ["节点, write 结点"])
        self.assertEqual(wrong_terms("树的结点"), [])


# ---- what is named

OF_THE_TREE = re.compile(r"`((?:labs|traces|viewer|testing|docs|cmake|extras)/[A-Za-z0-9_./-]+\.[A-Za-z]+)`")
OF_A_LAB = re.compile(r"`((?:exercise|given|solution|programs|tests)/[A-Za-z0-9_./-]+\.[A-Za-z]+)`")
SOURCE = (".h", ".cpp", ".S", ".json", ".sh", ".py", ".txt", ".cmake", ".pml")
FOREIGN = """
    __cxa_allocate_exception __start_context __fpregs_mem co_await EPOLLEXCLUSIVE SA_RESTART close_range epoll_pwait2
    timer_create pthread_getspecific pthread_setspecific get_id busy_poll Slab EVFILT_PROC EVFILT_SIGNAL EVFILT_TIMER
    EVFILT_USER EV_CLEAR EV_ONESHOT ADD DEL MOD
    event_base_init_common_timeout setInterval InheritableThreadLocal co_cond_broadcast MainFunc coWrapFunc mainCtx_
    coctx_t Gwaiting DecompressionStream
    nty_coroutine_wait_cmp sleep_usecs nty_ BUSY EXITED WAIT_READ WAIT_WRITE WAIT_MULTI t_thread_fiber
    CO_READY CO_RUNNING CO_WAITING CO_DEAD RVM_CallInfo RVM_RuntimeStack resume_pc G_STATUS_RUNNABLE G_STATUS_RUNNING
    G_STATUS_SUSPENDED G_STATUS_DEAD
    lab05_bench overshoot_p50 overshoot_p99 overshoot_loaded_p50 overshoot_loaded_p99
    errno_here upgrade try_upgrade shared_asm_N private_asm_N labNN_mutant_ _2 _4
"""  # of the C and C++ libraries, the kernel and other systems; made up of parts; and names that examples propose


def words_of(text):
    return set(re.findall(r"\w+", text, re.A))


def known_words():
    """Of the names and texts of the sources, and of docs/names.md."""
    names = [name for name in files() if not name.startswith("traces/samples/")]
    known = words_of(FOREIGN + read("docs/names.md") + " ".join(names))
    known |= {sample.stem for sample in (ROOT / "traces/samples").iterdir()}
    for name in names:
        base = name.rpartition("/")[2]
        if (base.endswith(SOURCE) or "." not in base) and base != "pages_test.py":
            known |= words_of(read(name))
    return known


def symbols(page):
    """The last word of each piece of code on a page that is a name: with a capital, an underscore, "::" or "("."""
    names = re.findall(r"`((?:\w+::)*~?(\w+)(?:\([^()`\n]*\))?)`", BLOCK.sub("", page), re.A)
    return {last for whole, last in names if re.search("[A-Z_(]|::", whole)}


def is_there(page, file):
    parts = page.split("/")
    return (ROOT / file).exists() or parts[0] == "labs" and (ROOT / "labs" / parts[1] / file).exists()


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


# ---- docs/names.md: what the six descriptions name, and where it is here


def rows(page):
    """(theirs, ours, files, step, why it differs) of the tables of a page, without their headings."""
    found = []
    for line in page.splitlines():
        if line.startswith("|---"):
            found = found[:-1]
        elif line.startswith("|"):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def code(cell):
    return re.findall("`([^`]+)`", cell)


def wrong_with_row(row, root):
    """What is wrong; empty if nothing is. Below `root` are the files that it names."""
    if len(row) != 5:
        return "not five cells"
    _, ours, named, _, differs = row
    if ours == "–":
        return "" if differs else "is not here, and no reason is given"
    paths = [root / name for name in code(named)]
    if not paths or not all(path.exists() for path in paths):
        return "names no file that is there"
    text = words_of(" ".join(path.read_text() for path in paths if path.is_file()))
    missing = {word for name in code(ours) for word in re.findall("[A-Za-z_][A-Za-z_0-9]*", name)} - text
    return f"not in {named}: {missing}" if missing else ""


def below(text, marks):
    """{heading: what stands below it}."""
    parts = re.split(rf"^{marks} (.+)\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def missing_in(page, listed):
    """(system, identifier) of those that the page does not explain in the part of their system."""
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
        self.assertGreater(len(listed.split()), 600)

    def test_what_is_missing_is_found(self):
        head = "| name | here | file | step | differs, because |\n|---|---|---|---|---|\n"
        page = f"# N\n\n## one\n\n{head}| `a`, `b` | – | – | – | no |\n\n## two\n\n{head}| `c` | – | – | – | no |\n\n"
        page += f"## Used as they are\n\n{head}| `read` | – | – | – | of POSIX |\n"
        self.assertEqual(missing_in(page, "about it\n\n# one\na b\nread\n\n# two\nc\n"), set())
        self.assertEqual(missing_in(page, "# one\na c\n# two\nb\n# 3\na\n"), {("one", "c"), ("two", "b"), ("3", "a")})
        for row, wrong in (
            ("| `a` | `rows` | `pages_test.py` | – |  |", ""),
            ("| `a` | – | – | – | not built |", ""),
            ("| `a` | – | – | – |  |", "no reason"),
            ("| `a` | `b` | `no.cpp` | – |  |", "no file"),
            (f"| `a` | `{'x' * 9}` | `pages_test.py` | – |  |", "not in"),
            ("| `a` | `b` | – | – |  |", "no file"),
        ):
            self.assertRegex(wrong_with_row(rows(row)[0], ROOT / "testing/tests"), wrong or "^$")


# ---- what a report says, and what step 5.5 says of calls


def phrases(page):
    """What stands as code in the first column of the tables about crashes, if it is more than one word."""
    parts = below(page, "##")
    cells = [row[0] for title in ("When it crashes", "When it goes wrong") for row in rows(parts.get(title, ""))]
    return [phrase for cell in cells for phrase in re.findall("`([^`]* [^`]*)`", cell)]


def says(text, phrase):
    """"…" stands for anything."""
    at = 0
    for part in phrase.split("…"):
        at = text.find(part.removesuffix(" ").removesuffix(":"), at)
        if at < 0:
            return False
    return True


class Reports(unittest.TestCase):
    # That a mutant's verdict really says it is checked where mutants run (testing/student/steps.py).
    def test_what_the_report_says_of_a_mutant_stands_in_the_handouts(self):
        looked_at = 0
        for lab in LABS:
            for said in re.findall('"says": "([^"]*)"', read(lab / "mutants.json")):
                looked_at += 1
                for page in ("README.md", "README.zh.md"):
                    self.assertIn(f"`{said}`", read(lab / page))
        self.assertGreater(looked_at, 12)

    def test_what_a_handout_says_of_a_report_is_what_the_report_says(self):
        sources = "".join(read(name) for name in files(".cpp", ".h") if name.startswith("labs/"))
        sources = re.sub(r'"\s*\n\s*"', "", sources)  # a literal that goes on in the next line is one
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
NOT_TRIED = {"std::cin", "SO_LINGER", "getaddrinfo", "fsync"}  # no calls, or they wait for what no test can give


def tried(program):
    return set(re.findall(r'\{"(\w+)", by_\w+\}', read(f"{LIMITS}programs/{program}")))


def said_of(page, kind):
    """The calls of the rows whose second column begins with `kind`."""
    lines = [line.split(" | ") for line in page.splitlines() if line.startswith("| ") and " | " in line]
    return {name for cells in lines if cells[1].startswith(kind) for name in re.findall(r"`([\w:]+)`", cells[0])}


class Limits(unittest.TestCase):
    def test_the_table_of_what_stops_the_thread_says_what_the_program_tries(self):
        for name, hooked, stops in (("README.md", "hooked", "stops the thread"), ("README.zh.md", "已 hook", "停住线程")):
            page = read(LIMITS + name)
            self.assertLessEqual(tried("limits_rows.cpp"), said_of(page, hooked))
            self.assertLessEqual(tried("limits_stops.cpp"), said_of(page, stops))
            self.assertLessEqual(said_of(page, stops), tried("limits_stops.cpp") | NOT_TRIED)
            self.assertGreater(len(said_of(page, stops)), 20)

    def test_each_demo_that_the_table_names_is_there(self):
        programs = "".join(read(str(file.relative_to(ROOT))) for file in (ROOT / LIMITS / "programs").glob("limits_*"))
        demos = set(re.findall(r'\{"(\w+)", "[^"]+",\s+\w+\}', programs))
        row = r"^\|[^|\n]+\| (?:hooked|stops|shared|the|已|停|共|同|第|属)[^|\n]*\|[^|\n]*\| `(\w+)` \|"
        for page in ("README.md", "README.zh.md"):
            named = set(re.findall(row, read(LIMITS + page), re.M))
            self.assertLessEqual(named, demos)
            self.assertGreater(len(named), 12)
