"""The catalogues of what is said (ROOM/zh.po), for programs in Python: English, and Chinese where the environment is."""

import json
import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOLE = re.compile(r"\{\d\}")
PAIR = re.compile(r'^msgid (".*")\nmsgstr (".+")$', re.MULTILINE)


def read_po(*files):
    """English to Chinese. Each text stands on one line (msgmerge --no-wrap); a fuzzy one is not said."""
    text = "\n".join(file.read_text(encoding="utf-8") for file in files if file.exists())
    said = re.sub(r"^#, .*fuzzy.*\nmsgid .*\nmsgstr .*\n", "", text, flags=re.MULTILINE)
    return {json.loads(english): json.loads(chinese) for english, chinese in PAIR.findall(said)}


def of_environment():
    """As ./lab: by LC_ALL, else LC_MESSAGES, else LANG."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, named), "").startswith("zh") else "en"


def columns(text):
    """How wide it is on a terminal: a Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


def padded(text, width):
    return text + " " * (width - columns(text))
