"""The catalogues of what is said (ROOM/zh.po), for programs in Python: English, and Chinese where the environment is."""

import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOLE = re.compile(r"\{\d\}")
ENTRY = re.compile(r'((?:#.*\n)*)(?:msgctxt "(.*)"\n)?msgid ((?:".*"\n)+)msgstr ((?:".*"\n?)+)')


def text_in(lines):
    return "".join(json.loads(line) for line in lines.splitlines())


def read_po(catalogue):
    """English to Chinese, of the text of a zh.po. What is fuzzy, or has no translation yet, is not said."""
    said = {}
    for comment, context, english, chinese in ENTRY.findall(catalogue):
        if "fuzzy" not in comment and text_in(chinese):
            said[(context + "\4" if context else "") + text_in(english)] = text_in(chinese)
    return said


def of_environment():
    """As ./lab: by LC_ALL, else LC_MESSAGES, else LANG."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, named), "").startswith("zh") else "en"


def columns(text):
    """How wide it is on a terminal: a Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


def padded(text, width):
    return text + " " * (width - columns(text))
