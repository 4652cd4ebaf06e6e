"""Translation of reports.

The grader's sentences are English. They are translated where they are printed, so that the files of --state are
independent of the language."""

import contextlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import catalogue  # noqa: E402
from catalogue import padded  # noqa: E402, F401

OWN = catalogue.Catalogue("extras/grading")
say, translated = OWN.say, OWN.translated


@contextlib.contextmanager
def in_language(language):
    """Of the texts; "" for that of the user."""
    before, catalogue.LANGUAGE = catalogue.LANGUAGE, language or catalogue.LANGUAGE
    try:
        yield
    finally:
        catalogue.LANGUAGE = before


class Lab:
    """The titles of a lab's steps and the names of its tests, in the user's language."""

    def __init__(self, folder):
        self.number = folder.name[:2]
        self.said = catalogue.Catalogue("labs/" + folder.name, "labs/kit")

    def title(self, english):
        return self.said.say(english)

    def name(self, test):
        number, _, name = test.partition(" ")
        before, _, rest = name.partition(": ")
        known = self.said.chinese if catalogue.LANGUAGE == "zh" else {}
        if name not in known and before in known and rest in known:
            return "%s %s：%s" % (number, known[before], known[rest])
        return "%s %s" % (number, known.get(name, translated(name)))
