"""The commands' texts, in the user's language."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "tools"))

from catalogue import LANGUAGE, ROOT, Catalogue, columns, padded  # noqa: E402, F401

LABS = sorted(po.parent.relative_to(ROOT).as_posix() for po in ROOT.glob("labs/*/zh.po"))
say = Catalogue(*LABS, "extras/gdb").say
