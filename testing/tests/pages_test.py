"""The pages: links, width, Chinese terms (docs/glossary.zh.md). Names on the pages: named_test.py."""

import re
import unicodedata
import unittest

from tree import ROOT, files, read

COLUMNS = 120
BLOCK = re.compile(r"^ *```.*?\n *```", re.M | re.S)
PAGES = files(".md")


# ---- links


def anchor_of(heading):
    return re.sub(r"[^\w\x80-\U0010ffff -]", "", heading.lstrip("#")[1:]).lower().replace(" ", "-")


def anchors(page):
    """The anchors of the headings, as GitHub derives them, and explicit ones such as <a id="how-to-work"></a>, which
    translations have before each heading, so that links are the same in all languages."""
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
    """Whether the target of a link on a page does not exist."""
    if "://" in target or target.startswith("mailto:"):
        return False
    file, _, anchor = target.partition("#")
    named = (ROOT / page).parent / file if file else ROOT / page
    if not named.exists():
        return True
    return bool(anchor) and named.suffix == ".md" and anchor not in anchors(named.read_text(encoding="utf-8"))


def links(page):
    """The targets of the links and pictures of a page, except in code."""
    return re.findall(r"\]\(([^)\s]+)[^)]*\)", re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page)))


QUOTED = re.compile(r"\[[^]]*?(\d[\d.,]*) ?(?:bytes|字节|ns|µs|ms|MiB|%)[^]]*\]\(([^)#\s]+\.md)[^)]*\)")


def misquoted(page, text):
    """The figures with a unit in the text of links that do not occur on the linked page."""
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
            english = name.replace(".zh.md", ".md")
            self.assertTrue(f"({english}" in read("docs/README.md"), f"{name} is not in the reading order")
            self.assertTrue(re.search(rf"docs/{re.escape(name)}\b", contents), f"{name} is not in mkdocs.yml")


class FirstPage(unittest.TestCase):
    def test_the_code_of_the_readme_is_that_of_the_demo_in_both_languages(self):
        demo = [line.strip() for line in read("labs/01_switch_asm/programs/demo.cpp").splitlines()]
        pages = map(read, ("README.md", "README.zh.md"))
        blocks = [re.search(r"^```cpp\n(.*?)^```", page, re.M | re.S)[1] for page in pages]
        self.assertEqual(blocks[0], blocks[1])
        lines = [line.strip() for line in blocks[0].splitlines()]
        at = demo.index(lines[0])
        self.assertEqual(demo[at : at + len(lines)], lines)

    def test_the_readme_has_at_most_80_lines(self):
        for page in ("README.md", "README.zh.md"):
            self.assertLessEqual(read(page).count("\n"), 80, page)


# ---- words

def width(line):
    """The width in columns: Chinese characters and punctuation take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def prose(page):
    """(number, line) of the lines outside code blocks."""
    block = False
    for number, line in enumerate(page.splitlines(), 1):
        fence = line.startswith("```")
        block ^= fence
        if not block and not fence and not line.startswith("    "):
            yield number, line


def too_long(page):
    """The numbers of the lines with more than 120 columns."""
    return [number for number, line in prose(page) if width(line) > COLUMNS and not line.startswith("|")]


def forbidden_terms():
    """{a Chinese term that the glossary rejects: its replacement}."""
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
    def test_no_line_of_a_page_has_more_than_120_columns(self):
        self.assertGreater(len(PAGES), 20)
        self.assertEqual([page for page in PAGES if too_long(read(page))], [])
        page = "short\n" + "a" * 121 + "\n| " + "a" * 121 + "\n```\n" + "a" * 121 + "\n```\n" + "栈" * 61
        self.assertEqual(too_long(page), [2, 7])

    def test_a_thing_has_one_chinese_word_that_of_the_glossary(self):
        chinese = [file for file in files() if is_chinese(file)]
        self.assertGreater(len(chinese), 20)
        self.assertGreater(len(forbidden_terms()), 20)
        for file in chinese:
            self.assertEqual(wrong_terms(read(file)), [], file)
        self.assertEqual(wrong_terms("树的节点"), ["节点, write 结点"])
        self.assertEqual(wrong_terms("树的结点"), [])
