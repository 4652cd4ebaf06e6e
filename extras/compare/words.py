"""What a comparison says to a person, in the language of the reader."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import catalogue  # noqa: E402
from catalogue import columns  # noqa: E402, F401

OWN = catalogue.Catalogue("extras/compare")
say, translated = OWN.say, OWN.translated
LANGUAGE = catalogue.LANGUAGE


class Trouble(Exception):
    """A sentence for a person, already in the person's language."""
