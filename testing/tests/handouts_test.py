"""Compares each handout, and its hints, with its translation: headings, their order and anchors, commands, tables,
lists, links and inline code must be the same."""

import json
import re
import sys
import unittest
from collections import Counter
from functools import cache

from tree import LABS, ROOT, catalogue, files, messages, read, says, translations
from named_test import phrases
from pages_test import BLOCK, anchor_of, width

sys.path.insert(0, str(ROOT / "tools"))
import plan  # noqa: E402


# ---- messages: a Chinese page quotes the Chinese text


CHINESE = re.compile("[\u3400-\u9fff]")


@cache
def filled_texts():
    """Patterns of the messages with placeholders, in both languages, except those with hardly any other text."""
    texts = [re.split(r"\{[^}]*\}|%[-.*0-9]*[a-z]+", text) for both in messages().items() for text in both]
    is_enough = re.compile("(?:[\u3400-\u9fff][^\u3400-\u9fff]*){3}|[a-z]{4}[a-z ]* [a-z]{2}")
    said = [parts for parts in texts if len(parts) > 1 and is_enough.search("".join(parts))]
    return [re.compile(".+".join(map(re.escape, parts))) for parts in said]


def is_filled(code):
    return any(pattern.fullmatch(code) for pattern in filled_texts())


def quotes(page):
    """The Chinese texts that a page quotes as output of a program."""
    return [code for code in re.findall("`([^`\n]+)`", BLOCK.sub("", page)) if CHINESE.search(code) and "(" not in code]


def is_printed(quote):
    return any(says(text, quote) for text in messages().values()) or is_filled(quote)


@cache
def is_message(code):
    return bool(CHINESE.search(code) or code.startswith("≠") or translations(code) or " " in code and is_filled(code))


# ---- sections


def sections_of(page):
    """[(anchor, {kind: elements that must be the same})] for each heading. Quotations ("> …") are ignored: only the
    translation has them, in place of the headers' English comments (labs_test.py)."""
    sections, named, language, block = [], "", None, []
    for line in page.splitlines():
        fence = re.match(" *```(.*)", line)
        if fence and language is None:
            language, block = fence[1], []
        elif fence:
            if sections:  # commands (sh, console) must be the same; pictures and listings may differ
                is_command = language in ("sh", "console")
                sections[-1][1]["block"].append("\n".join([language, *block] if is_command else [language]))
            language = None
        elif language is not None:
            block.append(line)
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            sections.append(("#" * level + " " + (named or anchor_of(line)), {"block": [], "lines": []}))
            named = ""
        else:
            anchor = re.fullmatch('<a id="([^"]+)"></a>', line)
            named = anchor[1] if anchor else named
            if sections and not line.startswith(">"):
                sections[-1][1]["lines"].append(line)
    return [(heading, elements_of(**parts)) for heading, parts in sections]


def elements_of(block, lines):
    joined = re.sub(r"\n *", " ", "\n".join(lines))  # inline code may contain a line break
    targets = re.findall(r"\]\(([^)\s]+)[^)]*\)", joined)
    own = ("README.md", "README.zh.md")
    tables = re.findall(r"(?:^\|.*\n?)+", "\n".join(lines), re.M)
    return {
        "block": Counter(block),
        "code": Counter(code for code in re.findall("`([^`]+)`", joined) if not is_message(code)),
        "link": Counter(target.replace(".zh.md", ".md") for target in targets if target not in own),
        "table": [table.count("|") - table.count("\n") for table in tables],
        "list": len([line for line in lines if re.match(r" *([-*]|[0-9]+\.) ", line)]),
    }


def differences(page, translation):
    """(heading, kind, the page's elements, the translation's) of each difference."""
    left, right = sections_of(page), sections_of(translation)
    headings = [[heading for heading, _ in sections] for sections in (left, right)]
    if headings[0] != headings[1]:
        return [("", "heading", *(sorted(set(one) - set(other)) or one for one, other in (headings, headings[::-1])))]
    return [
        (heading, what, one[what], other[what])
        for (heading, one), (_, other) in zip(left, right)
        for what in one
        if one[what] != other[what]
    ]


def wrong_behind(lab, page):
    """An error message about a page of docs/labNN, which the handout must link to; empty if valid."""
    if f"(../../{page.relative_to(ROOT)}" not in read(lab / "README.md"):
        return "no link in the handout"
    twin = page.with_suffix(".zh.md")
    return differences(read(page), read(twin)) if twin.exists() else "no twin in Chinese"


class Handouts(unittest.TestCase):
    def test_every_lab_has_its_handout_in_chinese_and_it_says_the_same(self):
        self.assertEqual(len(LABS), 6)
        for lab in LABS:
            for page in lab.glob("**/README.md"):
                self.assertEqual(differences(read(page), read(page.with_suffix(".zh.md"))), [], page)

    def test_so_does_the_life_of_a_coroutine(self):
        story = ROOT / "docs" / "story"
        self.assertEqual(differences(read(story / "README.md"), read(story / "README.zh.md")), [])

    def test_a_page_behind_a_handout_is_linked_there_and_says_the_same_in_chinese(self):
        looked_at = 0
        for lab in LABS:
            for page in (ROOT / "docs" / f"lab{lab.name[:2]}").glob("*.md"):
                if not page.name.endswith(".zh.md"):
                    looked_at += 1
                    self.assertFalse(wrong_behind(lab, page), page)
        self.assertGreater(looked_at, 7)
        self.assertEqual(wrong_behind(LABS[3], ROOT / "docs/style.md"), "no link in the handout")

    def test_what_differs_is_found(self):
        page, translation = (read(LABS[0] / name) for name in ("README.md", "README.zh.md"))
        for part, other, what in (
            (r'"step-11[-\w]*"', '"step-19"', "heading"),
            ("\n./lab check 01", "\n./lab check 02", "block"),
            (r"\n\|-+\|", "\n|", "table"),
            (r"\n- ", "\n", "list"),
            (r"\(#the-picture", "(#a-picture", "link"),
            ("`resume`", "`yield`", "code"),
            ("```text", "```cpp", "block"),
            ("(?s).*", "", "heading"),
        ):
            self.assertRegex(translation, part)
            found = differences(page, re.sub(part, other, translation, count=1))
            self.assertEqual([kind for _, kind, _, _ in found], [what])
        self.assertEqual(sections_of("# a\nsee `x_1\n  y_2` here\n")[0][1]["code"], {"x_1 y_2": 1})

    def test_the_title_of_a_step_is_that_of_its_heading_in_the_chinese_handout(self):
        for lab in LABS:
            pages = "".join(read(page).replace("`", "") for page in lab.glob("**/README.zh.md"))
            titles = dict(re.findall("^## 步骤 ([0-9.]+)：(.*)", pages, re.M))
            for step in json.loads(read(lab / "steps.json")):
                chinese = catalogue(lab / "zh.po")[step["title"]]
                self.assertTrue(titles[step["step"]].startswith(chinese), step["step"])


class Messages(unittest.TestCase):
    """A Chinese page quotes messages, panels and test names in their Chinese translation."""

    def test_what_a_chinese_page_quotes_is_what_a_program_prints(self):
        looked_at = 0
        for page in files(".zh.md"):
            quoted = quotes(read(page))
            looked_at += len(quoted)
            self.assertEqual([quote for quote in quoted if not is_printed(quote)], [], page)
        self.assertGreater(looked_at, 30)
        self.assertTrue(is_printed("使用了空指针，偏移是 16"))
        self.assertFalse(is_printed("指针为空"))

    def test_the_tables_of_crashes_quote_the_translation_where_there_is_one(self):
        for lab in LABS:
            quoted = phrases(read(lab / "README.zh.md"), ("崩溃时怎么办", "出错时怎么办"))
            quoted = [phrase for phrase in quoted if not phrase.startswith("no task can ever")]  # of Stuck
            self.assertEqual([phrase for phrase in quoted if translations(phrase)], [], lab)

    def test_the_tests_that_a_chinese_page_shows_have_these_names(self):
        shown = [(page, name) for page in files(".zh.md") for name in re.findall(r"^✗ [\d.]+ (.*)", read(page), re.M)]
        self.assertTrue(shown)
        self.assertEqual([(page, name) for page, name in shown if name not in messages().values()], [])


class Hints(unittest.TestCase):
    def hints(self):
        for lab in LABS:
            yield lab, json.loads(read(lab / "hints.json"))

    def test_every_step_has_three_hints_and_none_is_empty(self):
        steps = 0
        for lab, hints in self.hints():
            for step in json.loads(read(lab / "steps.json")):
                steps += 1
                self.assertEqual(list(map(bool, hints[step["step"]])), [True] * 3, step["step"])
        self.assertGreater(steps, 25)

    def test_a_hint_is_printed_in_lines_of_100_columns_and_no_character_is_cut_in_two(self):
        english = [(lab, hint) for lab, hints in self.hints() for three in hints.values() for hint in three]
        whole = "\n".join(f"{hint}\n{catalogue(lab / 'zh.po')[hint]}" for lab, hint in english)
        shown = list(plan.wrap(whole))
        self.assertEqual(re.sub(r"\s", "", "".join(shown)), re.sub(r"\s", "", whole))
        for line in shown:
            self.assertFalse(width(line) > 100 or line.endswith(" "), line)
