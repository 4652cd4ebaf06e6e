"""The steps of the labs: which are solved, which is next, and hints. See steps.py."""

import json
import os
import re
import sys
import unicodedata
from functools import cache
from pathlib import Path

from catalogue import filled, texts_of

root, template, home, language = Path(), Path(), Path(), "en"  # set by steps.py


@cache
def catalogue(folder):
    return texts_of(folder / "zh.po") if language == "zh" else {}


def phrase(english, *given):
    """Translates to the user's language and fills in {0}, {1} …."""
    return filled(catalogue(Path(__file__).parent).get(english, english), given)


def die(english, *given):
    print(phrase(english, *given), file=sys.stderr)
    sys.exit(2)


# ---- the labs


class Lab:
    def __init__(self, directory):
        self.directory, self.name, self.number = directory, directory.name, directory.name[:2]
        self.steps = json.loads((directory / "steps.json").read_text(encoding="utf-8"))
        self.report = root / "build" / f"check_{self.number}.json"

    def mandatory(self):
        return [step["step"] for step in self.steps if not step.get("challenge") and not step.get("optional")]

    def results(self):
        """The steps whose tests all passed at the last check; None without a check."""
        tests = json.loads(self.report.read_text(encoding="utf-8"))["tests"] if self.report.exists() else []
        passed = {}
        for test in tests:
            step = test["name"].split(" ")[0]
            passed[step] = passed.get(step, True) and test["result"] == "passed"
        return {step for step, all_passed in passed.items() if all_passed} if tests else None

    def says(self, english):
        return catalogue(home / "labs" / self.name).get(english, english)

    def files_of_steps(self):
        """Files that a student edits, for this processor, existing or not."""
        named = [step.get("file", []) for step in self.steps]
        names = [name for one in named for name in ([one] if isinstance(one, str) else one)]
        return [self.directory / name.replace("{arch}", os.uname().machine) for name in dict.fromkeys(names)]

    def files(self):
        """The existing ones."""
        kinds = ("*.cpp", f"*_{os.uname().machine}.S")
        return sorted(path for kind in kinds for path in self.directory.glob("**/exercise/" + kind))


def labs():
    return [Lab(folder) for folder in sorted((root / "labs").glob("[0-9][0-9]_*"))]


def lab_named(number, verb):
    if not re.fullmatch(r"\d{1,2}", number):
        die("lab: missing the number of a lab (usage: ./lab {0} 01)", verb)
    found = [lab for lab in labs() if int(lab.number) == int(number)]
    if not found:
        die("lab: there is no lab {0}; there are: {1}", number, " ".join(lab.number for lab in labs()))
    return found[0]


def solved_through():
    """The last lab that counts as solved by the reference (--from)."""
    file = root / "labs" / "solved_through"
    return int(file.read_text()) if file.exists() else 0


# ---- progress


def challenges(number, still_open):
    if number == 0:
        return ""
    if still_open == 0:
        return phrase(", and its challenges")
    return phrase(", and a challenge") if still_open == 1 else phrase(", and {0} challenges", still_open)


def next_step(lab):
    """The first mandatory step that is not solved: (step, line about the lab). None as the step if all are."""
    passed, mandatory = lab.results(), lab.mandatory()
    if passed is None and int(lab.number) <= solved_through():
        return None, phrase("solved for you, {0} steps", len(mandatory))
    passed = passed or set()
    others = [step["step"] for step in lab.steps if step["step"] not in mandatory]
    told = challenges(len(others), sum(step not in passed for step in others))
    unsolved = [step for step in lab.steps if step["step"] in mandatory and step["step"] not in passed]
    if not unsolved:
        return None, phrase("solved, {0} steps", len(mandatory)) + told
    return unsolved[0], (len(mandatory) - len(unsolved), len(mandatory), told)


def progress(last=""):
    if last not in ("", "last"):
        die("lab: unexpected argument '{0}'", last)
    now = None
    for lab in labs():
        step, about = next_step(lab)
        if step is None:
            line, mark = about, "✓"
        elif now is None:
            now, mark = (lab, "%s %s" % (step["step"], lab.says(step["title"]))), "→"
            line = phrase("{0} of {1} steps solved{3}; now: {2}", about[0], about[1], now[1], about[2])
        else:
            line, mark = phrase("{0} of {1} steps solved", about[0], about[1]) + about[2], "·"
        if not last:
            print("  %s %-18s%s" % (mark, lab.name, line))
    if now:
        print(phrase("Next: step {0}. Type ./lab check {1}", now[1], now[0].number))
    else:
        print(phrase("All labs are solved."))
    if not last and solved_through() == 0:
        print(phrase("To begin with a later lab now, with the labs below it solved for you: ./lab start --from 04"))


def next_lab():
    print(next((lab.number for lab in labs() if next_step(lab)[0] is not None), labs()[-1].number))


# ---- hints


def wide(character):
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text, width=100):
    """Wraps into lines of at most `width` columns, at blanks and after Chinese punctuation."""
    for paragraph in text.split("\n"):
        line = ""
        for part in re.findall(r"[^ ，。；：、？！]*[ ，。；：、？！]?", paragraph):
            if sum(map(wide, (line + part).rstrip())) > width and line:
                yield line.rstrip()
                line = ""
            line += part
        yield line.rstrip()


def hint(step="", level=""):
    if not re.fullmatch(r"[1-9]\.\d+", step):
        die("lab: missing STEP (usage: ./lab hint 1.3)")
    lab = lab_named(step.split(".")[0], "hint")
    file = lab.directory / "hints.json"
    if not file.exists():
        die("lab: lab {0} has no hints", lab.number)
    hints = json.loads(file.read_text(encoding="utf-8"))
    if step not in hints:
        die("lab: lab {0} has no step {1}", lab.number, step)
    seen = root / "build" / "hints" / step
    if level not in ("", "1", "2", "3"):
        die('lab: a hint\'s level is 1, 2 or 3, not "{0}"', level)
    level = int(level) if level else min(int(seen.read_text() if seen.exists() else 0) + 1, 3)
    print("\n".join(wrap(lab.says(hints[step][level - 1]))))
    if level < 3:
        print(phrase("(hint {0} of 3; ./lab hint {1} shows the next)", level, step))
    seen.parent.mkdir(parents=True, exist_ok=True)
    seen.write_text(f"{level}\n")
