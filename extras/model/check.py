#!/usr/bin/env python3
"""Verifies park.pml with spin: the protocol must hold; without any one of its parts spin must find a machine that
sleeps although there is work. Exits with 77 if spin is not installed."""

import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "testing"), str(ROOT / "tools")]
from catalogue import Catalogue  # noqa: E402
from expect import leave_out, results, run  # noqa: E402

say = Catalogue("extras/model").say
FOUND = {"errors: 0": "holds", "assertion violated": "fails", "": "cannot be checked"}

if not shutil.which("spin"):
    leave_out(say("spin is not installed (Debian's package spin)"))
for part in "", "NO_LOOK", "NO_ANNOUNCEMENT", "NO_FENCE", "NO_TOKEN":
    with tempfile.TemporaryDirectory() as work:
        model = ["-run", "-safety", ROOT / "extras/model/park.pml"]
        report = run("spin", [f"-D{part}"] if part else [], model, cwd=work).said
    found = next(found for words, found in FOUND.items() if words in report)
    print(f"{part or 'park.pml':16} {say(found)}", report * (found == "cannot be checked"))
    results.append(found == ("fails" if part else "holds"))
print(say("the model of parking: {0} passed, {1} failed", results.count(True), results.count(False)))
sys.exit(not all(results))
