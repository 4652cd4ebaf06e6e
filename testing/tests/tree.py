"""Helpers of the tests that read the source tree."""

import os
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from catalogue import read_po  # noqa: E402

LABS = sorted(steps.parent for steps in (ROOT / "labs").glob("*/steps.json"))


@cache
def files(*endings):
    """The files with these endings (default: all) as paths from the root, except built and hidden ones."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        built = {"__pycache__", "build"} if folder == str(ROOT) else {"__pycache__"}
        folders[:] = [name for name in folders if not name.startswith(".") and name not in built]
        here = os.path.relpath(folder, ROOT)
        chosen = [name for name in names if not name.startswith(".") and name.endswith(endings or "")]
        found += [os.path.normpath(os.path.join(here, name)) for name in chosen]
    return sorted(found)


@cache
def read(file):
    """The text of a file, by its path from the root; empty if it does not exist."""
    path = ROOT / file
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


@cache
def catalogue(file):
    """{English: Chinese} of a gettext catalogue."""
    return read_po(read(file))


@cache
def messages():
    """{English: Chinese} of all catalogues, without their contexts."""
    return {english.split("\4")[-1]: text for file in files("zh.po") for english, text in catalogue(file).items()}


def says(text, phrase):
    """Whether a text contains a phrase, in which "…" matches anything."""
    at = 0
    for part in phrase.split("…"):
        at = text.find(part.removesuffix(" ").removesuffix(":"), at)
        if at < 0:
            return False
    return True


@cache
def translations(phrase):
    """The Chinese texts of the messages that contain this English phrase."""
    return [chinese for english, chinese in messages().items() if " " in phrase and says(english, phrase)]
