#!/usr/bin/env python3
"""Information about the labs that needs no build: their steps, and which are written.

    steps.py ROOT TEMPLATE HOME LANGUAGE VERB …

ROOT is the tree, TEMPLATE the tree as given, HOME the directory of fiberscope's own texts. The verbs:

    progress [last]      one line per lab, and the next step; or only the latter
    next                 the number of the first lab that is not solved, or of the last
    hint N.M [LEVEL]     the next of three hints to a step
    reset NN FILE        restores the given file in exercise/; the old file is saved next to it
    begin --from NN      lower labs count as solved: missing files come from the reference
    unwritten NN [STEP]  status 1, with instructions, if a required lab, or the step, or all of the lab is not
                         written; 2 if a file is missing. Else as own
    own                  writes the lists of files that differ from TEMPLATE: build/own.cmake
    closest WORD NAME…   the name most similar to the word; nothing if there is none"""

import difflib
import inspect
import signal
import sys
from pathlib import Path

import plan
import written


def closest(word, *names):
    print(*difflib.get_close_matches(word, names, 1))


VERBS = {
    "closest": closest,
    "progress": plan.progress,
    "next": plan.next_lab,
    "hint": plan.hint,
    "reset": written.reset,
    "begin": written.begin,
    "unwritten": written.unwritten,
    "own": written.write_own,
}

if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # the default, for pipes such as | head
    root, template, home, plan.language, verb, *words = sys.argv[1:]
    plan.root, plan.template, plan.home = Path(root), Path(template), Path(home)
    most = len(inspect.signature(VERBS[verb]).parameters)
    if verb not in ("closest", "begin") and len(words) > most:
        plan.die("lab: unexpected argument '{0}'", words[most])
    VERBS[verb](*words)
