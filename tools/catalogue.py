"""Translation of texts of Python programs with a zh.po, following gettext's rules. The English is in the source."""

import functools
import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENTRY = re.compile(r'((?:#.*\n)*)(?:msgctxt "(.*)"\n)?msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)')
HOLE = re.compile(r"\{(\d)[^{}]*\}")


def of_environment():
    """As in ./lab: from LC_ALL, else LC_MESSAGES, else LANG."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, named), "").startswith("zh") else "en"


LANGUAGE = of_environment()


def text_in(lines):
    return "".join(json.loads(line) for line in lines.splitlines())


def read_po(catalogue):
    """English to Chinese, from the text of a zh.po. Fuzzy and missing translations are skipped."""
    said = {}
    for comment, context, english, chinese in ENTRY.findall(catalogue):
        if "fuzzy" not in comment and text_in(chinese):
            said[(context + "\4" if context else "") + text_in(english)] = text_in(chinese)
    return said


def texts_of(file):
    """read_po() of a file; empty if it does not exist, cannot be read, or is not in UTF-8."""
    try:
        return read_po(Path(file).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def filled(text, values):
    """A placeholder without a value is left unchanged, since a translation may be wrong."""
    return HOLE.sub(lambda hole: str(values[int(hole[1])]) if int(hole[1]) < len(values) else hole[0], text)


class Catalogue:
    """The texts of some rooms ("extras/gdb")."""

    def __init__(self, *rooms):
        self.rooms = rooms

    @functools.cached_property
    def chinese(self):
        return {en: zh for room in self.rooms for en, zh in texts_of(ROOT / room / "zh.po").items()}

    @functools.cached_property
    def patterns(self):
        """Sorted by specificity."""
        by_words = sorted(self.chinese, key=lambda english: len(HOLE.sub("", english)), reverse=True)
        return [
            (re.compile("(.+)".join(map(re.escape, HOLE.split(english)[::2])), re.DOTALL), self.chinese[english])
            for english in by_words
            if re.search("[a-z]{2}", HOLE.sub("", english))
        ]

    def say(self, english, *values):
        return filled(self.chinese.get(english, english) if LANGUAGE == "zh" else english, values)

    def translated(self, sentence):
        """Translates a finished sentence, including its values; unknown sentences are unchanged."""
        if LANGUAGE != "zh":
            return sentence
        for pattern, chinese in self.patterns:
            if found := pattern.fullmatch(sentence):
                return filled(chinese, [self.translated(value) for value in found.groups()])
        return sentence


def columns(text):
    """Width on a terminal: a Chinese character has two columns."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


def padded(text, width):
    return text + " " * (width - columns(text))
