"""What the pages say: links, and words (docs/style.md, docs/glossary.zh.md). What they name is in named_test.py."""

import re
import unicodedata
import unittest

from tree import LABS, ROOT, files, read

COLUMNS = 120
BLOCK = re.compile(r"^ *```.*?\n *```", re.M | re.S)
PAGES = [name for name in files(".md") if not name.endswith("style.md")]


# ---- links


def anchor_of(heading):
    return re.sub(r"[^\w\x80-\U0010ffff -]", "", heading.lstrip("#")[1:]).lower().replace(" ", "-")


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
            anchor = unique = anchor_of(line)
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


QUOTED = re.compile(r"\[[^]]*?(\d[\d.,]*) ?(?:bytes|字节|ns|µs|ms|MiB|%)[^]]*\]\(([^)#\s]+\.md)[^)]*\)")


def misquoted(page, text):
    """The figures with a unit in the links of a page that do not stand on the page to which the link leads."""
    there = {target: (ROOT / page).parent.joinpath(target).read_text(encoding="utf-8")
             for _, target in QUOTED.findall(text)}  # fmt: skip
    return [figure for figure, target in QUOTED.findall(text)
            if not re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d]|[.,]\d)", there[target])]  # fmt: skip


class Links(unittest.TestCase):
    def test_a_figure_that_links_to_its_page_stands_there(self):
        quoted = 0
        for page in files(".md"):
            text = read(page)
            quoted += len(QUOTED.findall(text))
            self.assertEqual(misquoted(page, text), [], page)
        self.assertGreater(quoted, 0)

    def test_a_figure_that_is_quoted_wrongly_is_found(self):
        text = "a coroutine takes [38.7 ns](benchmarks.md), or [587 bytes](benchmarks.md#x), see [5.8](benchmarks.md)"
        self.assertEqual(misquoted("docs/README.md", text), ["587"])

    def test_every_link_leads_somewhere(self):
        for page in files(".md"):
            place = page.removeprefix("tools/student/")  # copied to the top of a student's tree
            self.assertEqual([target for target in links(read(page)) if is_broken(place, target)], [], page)

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
        contents = read("docs/site/mkdocs.yml")
        self.assertGreater(len(names), 10)
        for name in names:
            self.assertTrue(f"({name}" in read("docs/README.md"), f"{name} is not in the reading order")
            self.assertTrue(re.search(rf"docs/{re.escape(name)}\b", contents), f"{name} is not in the site")


# ---- words

TO_AVOID = re.compile(
    r"\b(for ever|may well|[Nn]obody|[Ss]omebody|[Ee]verybody|[Ww]hoever|[Hh]e|[Hh]is|[Hh]im)\b"
    r"|(^|[.:;] |\*\*)Who [a-z]+[^?]*$"
)
# Turns that leave open what happens, and a task as a person: each stood in what a student is told.
RIDDLES = re.compile(r"\b(by a sentence|came out of it|in its turn|the lives of|whom?)\b")
# What is told in English: the literals of these sources, and the catalogues of gettext.
TOLD = ("labs/kit/fault/*.cpp", "labs/kit/run/*.cpp")


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
    told = "^msgid (.*)" if file.endswith(".po") else r'"(?:[^"\\\n]|\\.)*"'
    return "\n".join(re.findall(told, read(file), re.M))


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
    return ".zh." in file and not file.endswith("glossary.zh.md") or file.endswith(".po")


def wrong_terms(text):
    return [f"{word}, write {instead}" for word, instead in forbidden_terms().items() if word in text]


class Words(unittest.TestCase):
    def test_the_pages_keep_to_the_words_and_the_columns_of_style(self):
        self.assertGreater(len(PAGES), 20)
        for page in PAGES:
            self.assertEqual(list(wrong_with(read(page))), [], page)

    def test_what_a_student_is_told_keeps_to_the_words_of_style(self):
        for lab in LABS:
            for name in ("steps.json", "hints.json"):
                self.assertEqual(found(TO_AVOID, without_code(read(lab / name))), [], lab / name)

    def test_what_a_program_tells_keeps_to_the_words_of_style_and_is_no_riddle(self):
        told = [str(file.relative_to(ROOT)) for pattern in TOLD for file in ROOT.glob(pattern)] + files("zh.po")
        self.assertGreater(len(told), 20)
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
