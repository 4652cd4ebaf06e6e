"""The permitted includes between folders (docs/architecture.md)."""

import json
import re
import unittest
from functools import cache

from tree import LABS as FOLDERS, files, read

# All rules that match a file apply: (files, forbidden includes, exceptions, reason). \1 is the first group of the
# file's pattern.
RULES = [
    ("viewer/.*", "labs/.*|traces/record/.*", "", "the viewer reads files of any origin"),
    (r"viewer/(?!panels/|window/|tests/|main\.cpp).*", r"(.*/)?imgui.*\.h|GL/.*", "",
     "only panels and the window draw; the rest is computed without a screen"),
    ("viewer/layout/.*", "viewer/.*|GLFW/.*|thread|fstream|filesystem", "viewer/layout/.*",
     "layout is computed from a trace alone: no window, no thread, no file"),
    ("viewer/layout/base/.*", "viewer/.*", "viewer/layout/base/.*", "the base is the lowest layer of the layout"),
    ("viewer/layout/trace_facts/.*", "viewer/.*", "viewer/layout/(base|trace_facts)/.*", "facts only use the base"),
    ("viewer/layout/(stacks|sets|tables|timeline)/.*", "viewer/.*", r"viewer/layout/(base|trace_facts|\1)/.*",
     "drawings are independent of each other"),
    ("viewer/model/.*", "viewer/.*", "viewer/(layout|model)/.*", "panels call the model, it does not call them"),
    ("viewer/panels/.*", "viewer/.*", "viewer/(layout|model|panels)/.*", "panels do not depend on the window"),
    ("(traces|labs|testing|extras)/.*", r"(.*/)?(imgui.*|glfw3)\.h|viewer/.*", "",
     "the viewer is at the end of the flow"),
    ("traces/(?!bench/).*", "labs/.*", "", "traces do not depend on labs"),
    ("traces/bench/.*", "labs/.*", r"labs/kit/time/cycle_clock\.h",
     "the recorder is given the time: its bench takes the kit's clock"),
    ("extras/adapters/.*", "labs/.*", r"labs/kit/time/cycle_clock\.h", "adapters do not depend on labs"),
    ("extras/adapters/.*", "traces/.*", r"traces/record/recorder\.h", "adapters record, they do not read"),
    ("extras/record/.*", "(labs|traces)/.*", r"traces/record/.*", "it records, and does not depend on labs"),
    ("languages/(?!tests/).*", "(extras|labs|testing|traces|viewer)/.*", "", "used by all folders"),
    ("traces/(schema|record|replay)/.*", "languages/.*", r"languages/(message|spoken_error)\.h",
     "they print nothing"),
    ("traces/schema/.*", "traces/.*", "traces/schema/.*", "the schema is the lowest layer"),
    ("traces/record/.*", "traces/.*", "traces/(schema|record)/.*", "the recorder only uses the schema"),
    ("traces/record/.*", "nlohmann/.*", "", "the recorder allocates nothing and writes its text itself"),
    ("traces/read/.*", "traces/.*", "traces/(schema|read)/.*", "the reader does not check or apply events"),
    ("traces/replay/.*", "traces/.*", "traces/(schema|read|replay)/.*", "the replay applies events and prints nothing"),
    ("traces/words/.*", "traces/.*", "traces/(schema|read|replay|words)/.*", "words describe the replay's state"),
    ("traces/check/.*", "traces/.*", "traces/(schema|read|replay|words|check)/.*",
     "the checker judges, and serves no tool"),
    ("traces/tool/.*", "traces/.*", "traces/(schema|read|replay|words|check|tool)/.*",
     "a tool reads files, it records none"),
    ("traces/(replay|words|check)/.*", "nlohmann/.*", "", "only the reader parses"),
    ("labs/kit/(?!testing/|tests/).*", "traces/.*", r"traces/(schema/(schema|words)|record/(recorder|recording))\.h",
     "the kit records, it does not read"),
    ("labs/kit/.*", "labs/.*", "labs/kit/.*", "labs depend on the kit, not the kit on labs"),
    ("extras/explore/.*", "labs/.*", "labs/kit/.*", "the explorer does not depend on labs"),
    ("extras/explore/(?!tests/).*", "traces/.*", r"traces/(read/reader|check/checker|words/.*)\.h",
     "an explorer judges traces, and says what it finds"),
    ("(?!extras/|labs/[0-9]{2}_.*/tests/explored).*", "extras/.*", "", "a student's tree has no extras"),
    ("(?!labs/[0-9]{2}_.*/tests/explored).*", ".*/explored[^/]*", "",
     "a student's tree has no explored*: tools/student_tree.py leaves them out by that name"),
    ("labs/kit/report/.*", "labs/.*", "labs/kit/report/.*",
     "used in signal handlers: it has no dependencies"),
    ("labs/kit/memory/.*", "labs/.*", "labs/kit/memory/.*", "stacks do not depend on coroutines"),
    ("labs/kit/time/.*", "labs/.*", "labs/kit/time/.*", "clocks do not depend on coroutines"),
    ("labs/kit/run/.*", "labs/.*", "labs/kit/(report|memory|time|run)/.*",
     "coroutines know no machines and no programs"),
    ("labs/kit/machines/.*", "labs/.*", "labs/kit/(time|run|machines)/.*", "machines use threads and clocks"),
    ("labs/kit/sets/.*", "labs/.*", r"labs/kit/((time|run|sets)/.*|machines/choice\.h|report/abort\.h)",
     "sets are recorded, and nothing runs in them"),
    ("labs/kit/fault/.*", "labs/.*", "labs/kit/(report|memory|run|fault)/.*", "a fault report reads coroutines"),
    ("labs/kit/(?!demo/|testing/|tests/).*", "labs/kit/(demo|testing|tests)/.*", "",
     "only a main knows demos and tests"),
    ("labs/grader/(?!tests/).*", "labs/.*", "labs/(grader|kit/report)/.*",
     "the grader knows of the kit the report only"),
    ("labs/[0-9]{2}_.*", "labs/grader/.*", "", "labs do not depend on the grader"),
    ("labs/[0-9]{2}_(?!.*/tests/).*", "traces/.*", r"traces/(schema/(schema|words)|record/(recorder|recording))\.h",
     "a lab records; only its tests look at the trace"),
    ("labs/[0-9]{2}_(?!.*/tests/).*", "labs/[0-9]{2}_.*/tests/.*", "",
     "tests look at a lab, not a lab at its tests"),
    (r"labs/[0-9]{2}_[^/]*/([^/]*|parts/.*|beyond/[^/]*/[^/]*)\.h", "labs/.*/given/.*", "",
     "headers included by an interface belong in parts/"),
    ("labs/[0-9]{2}_.*/(exercise|solution)/.*", "traces/.*|.*/(exercise|solution|programs)/.*", "",
     "students' files do not record, and only include headers"),
]
LABS = {"01": "", "02": "01", "03": "01 02", "04": "", "05": "04", "06": "04"}  # other labs that a lab may include
# Step 6.7 combines timers and connections; nothing else in lab 06 uses real descriptors, except its tests.
BOTH = re.compile(r".*/(programs/(demo|proof)\.cpp|tests/.*|.*idle\.(cpp|h))")


def forbidden(file, name):
    """The reason why a file must not include `name`; empty if it may."""
    for of, names, unless, why in RULES:
        of_it = re.fullmatch(of, file)
        if of_it and re.fullmatch(names, name) and not (unless and re.fullmatch(of_it.expand(unless), name)):
            return why
    lab, other = (re.match(r"labs/(\d\d)_", path) for path in (file, name))
    if not lab or not other or lab[1] == other[1] or other[1] in LABS.get(lab[1], ""):
        return ""
    if (lab[1], other[1]) == ("06", "05") and BOTH.fullmatch(file):
        return ""
    return f"lab {lab[1]} does not depend on lab {other[1]}"


@cache
def includes_of(file):
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', read(file), re.M)


class Unknown(unittest.TestCase):
    def test_nothing_that_reads_a_trace_names_a_lab_a_step_or_a_strategy(self):
        strategies = {name for file in files(".cpp") if "/given/" in file
                      for name in re.findall(r"^KnownStrategy fiberscope_strategy_(\w{3,})", read(file), re.M)}
        labs = {path.split("/")[1] for path in files("README.md") if re.match(r"labs/\d\d_", path)}
        self.assertTrue(len(strategies) > 5 and len(labs) > 5)
        known = re.compile(r'\b(%s)\b|"(%s)"|step \d' % ("|".join(labs), "|".join(strategies)))
        of_readers = [file for file in files(".cpp", ".h", ".po") if re.match("(viewer|traces)/(?!.*tests/)", file)]
        self.assertEqual([(file, found[0]) for file in of_readers for found in known.finditer(read(file))], [])


class Includes(unittest.TestCase):
    def test_no_file_includes_what_it_must_not_know(self):
        names = files(".h", ".cpp", ".S")
        self.assertGreater(len(names), 500)
        wrong = [(file, name, forbidden(file, name)) for file in names for name in includes_of(file)]
        self.assertEqual([one for one in wrong if one[2]], [])

    def test_the_core_of_a_lab_includes_nothing_of_its_challenges(self):
        beyond = re.compile(r"labs/\d\d_[^/]*/beyond/.*")
        of_beyond = {(file, name) for file in files(".h", ".cpp") for name in includes_of(file) if beyond.match(name)}
        self.assertGreater(len(of_beyond), 20)
        self.assertEqual(sorted(one for one in of_beyond if not beyond.match(one[0])), [])

    def test_every_rule_is_of_files_that_there_are_and_refuses_what_others_include(self):
        names = files(".h", ".cpp", ".S")
        included = {name for file in names for name in includes_of(file)}
        for of, others, _, why in RULES:
            file = next((file for file in names if re.fullmatch(of, file)), "")
            refused = [name for name in included if re.fullmatch(others, name) and forbidden(file, name)]
            self.assertTrue(file and refused, (of, others, why))
        self.assertTrue(forbidden("labs/01_switch_asm/tests/switch_test.cpp", "labs/02_ucontext/coroutine.h"))
        self.assertTrue(forbidden("labs/05_epoll_io/tests/epoller_test.cpp", "labs/06_timers/timers.h"))
        self.assertFalse(forbidden("labs/06_timers/programs/demo.cpp", "labs/05_epoll_io/poller.h"))
