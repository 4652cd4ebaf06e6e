"""The headers of the labs: no cycles, and short ones for the first steps of lab 04. Prints the figures:
python3 testing/tests/headers_test.py"""

import graphlib
import re
import unittest

from tree import files, read
from includes_test import includes_of

STEPS_4_1_TO_4_3 = "labs/04_scheduler/scheduler.h"
TASK = "labs/04_scheduler/parts/task.h"


def headers_below(header):
    """The header and all headers of this tree that it includes, directly or not."""
    found, left = {header}, [header]
    while left:
        new = {name for name in includes_of(left.pop()) if name.startswith(("labs/", "traces/"))} - found
        found |= new
        left += new
    return found


def lines_of(headers):
    return sum(read(header).count("\n") for header in headers)


def fields_of(text, name):
    """The number of lines in a struct that do not declare a function."""
    body = re.search(rf"\nstruct {re.escape(name)}.*?\n}};", text, re.S)[0]
    return len(re.findall(r"\n    (?:alignas\(64\) )?[A-Za-z][^(\n]*;", body))


def circle_in(includes):
    try:
        graphlib.TopologicalSorter(includes).prepare()
    except graphlib.CycleError as error:
        return error.args[1]
    return []


class Headers(unittest.TestCase):
    def test_none_of_a_lab_leads_back_to_itself(self):
        headers = [name for name in files(".h") if name.startswith("labs/")]
        self.assertGreater(len(headers), 100)
        self.assertEqual(circle_in({header: includes_of(header) for header in headers}), [])

    def test_a_circle_is_found(self):
        self.assertEqual(circle_in({"a": ["b", "c"], "b": ["c"], "c": []}), [])
        self.assertEqual(set(circle_in({"a": ["b"], "b": ["c"], "c": ["a"]})), set("abc"))

    def test_those_of_steps_4_1_to_4_3_are_few_and_short_and_a_task_has_few_fields(self):
        headers = headers_below(STEPS_4_1_TO_4_3)
        self.assertLessEqual(len(headers), 12, headers)
        self.assertLessEqual(lines_of(headers), 1000)
        self.assertLessEqual(fields_of(read(TASK), "alignas(64) Task "), 12)
        for name in "scheduler sleep_tree wait_tree producer_consumer multi_state".split():
            for folder in ("exercise", "solution"):
                self.assertFalse("machines.h" in read(f"labs/04_scheduler/{folder}/{name}.cpp"), name)
        self.assertEqual(fields_of("\nstruct A {\n    int a;\n    int f();\n    int b = 0;  ///< b\n};\n", "A "), 2)


if __name__ == "__main__":
    below = headers_below(STEPS_4_1_TO_4_3)
    task = fields_of(read(TASK), "alignas(64) Task ")
    print(f"steps 4.1 to 4.3: {len(below)} headers, {lines_of(below)} lines; Task has {task} fields")
