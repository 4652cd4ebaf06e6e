"""What the commands say, in the language of the reader."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from catalogue import LANGUAGE, Catalogue, columns, padded  # noqa: E402, F401

say = Catalogue("extras/gdb").say
