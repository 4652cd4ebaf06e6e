#!/usr/bin/env python3
"""testing/lines.py [COMMIT…]: the lines of ours in each room, for each of these commits (HEAD if none is named): what
is in git, without samples, goldens, pictures and handouts. Below, the lines of CMake and of shell among them."""

import re
import subprocess
import sys

NOT_OURS = re.compile(
    r"(^|/)(samples|golden|pictures|data|corpus|LICENSE)(/|$)|(^|/)package-lock\.json$"
    r"|^labs/\d\d_[^/]*/README.*\.md$|^docs/lab\d\d/"
)
ROOMS = {
    "two languages": r".*(zh\.po$|\.zh\.(txt|json)$)|languages/|(tools|.*grader)/(words|speech)/|traces/words/texts/",
    "labs: solutions": r"labs/\d\d_[^/]*/solution/",
    "labs: exercises": r"labs/\d\d_[^/]*/exercise/",
    "labs: tests": r"labs/\d\d_[^/]*/tests/",
    "labs: the rest": r"labs/\d\d_",
    "labs/kit": r"labs/kit/(?!gdb)",
    "labs/grader": r"labs/grader/(?!grade/)",
    "traces": r"traces/",
    "viewer": r"viewer/",
    "extras": r"extras/|labs/explore/|labs/kit/gdb/|labs/grader/grade/|adapters/|testing/(grade|debug)/|tools/autogr",
    "testing": r"testing/",
    "docs": r"docs/|README|CONTRIBUTING",
    "tools, cmake": r"",
}
KINDS = {"CMake": r"CMakeLists\.txt$|\.cmake$", "shell": r"\.sh$|^lab$|^\.ci/run$"}


def lines_of(commit):
    """{path: lines}; a file with a byte 0 is no text."""
    listing = subprocess.run(["git", "grep", "-Ic", "", commit], capture_output=True, text=True, check=True).stdout
    found = (line[len(commit) + 1 :].rsplit(":", 1) for line in listing.splitlines())
    return {path: int(count) for path, count in found if not NOT_OURS.search(path)}


def room_of(path):
    return next(room for room, pattern in ROOMS.items() if re.match(pattern, path))


def main(commits):
    columns = [lines_of(commit) for commit in commits]
    rows = {room: [sum(n for p, n in lines.items() if room_of(p) == room) for lines in columns] for room in ROOMS}
    rows["**all**"] = [sum(lines.values()) for lines in columns]
    for kind, pattern in KINDS.items():
        rows[f"of these {kind}"] = [sum(n for p, n in lines.items() if re.search(pattern, p)) for lines in columns]
    print("| room | " + " | ".join(commits) + " |\n|---|" + "---:|" * len(commits))
    for room, counts in rows.items():
        print(f"| {room} | " + " | ".join(f"{count:,}" for count in counts) + " |")


main(sys.argv[1:] or ["HEAD"])
