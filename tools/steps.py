#!/usr/bin/env python3
"""What ./lab knows without building anything: the steps of the labs, and what is written of them.

    steps.py ROOT LANGUAGE progress [last]   a line a lab, and the step that is next; or this alone
    steps.py ROOT LANGUAGE next              the number of the first lab that is not solved, or of the last
    steps.py ROOT LANGUAGE hint N.M [LEVEL]  the next of three hints to a step
    steps.py ROOT LANGUAGE reset NN FILE     the stub back in exercise/; the old file is kept beside it
    steps.py ROOT LANGUAGE begin --from NN   in a student's tree: what is not written of the labs below becomes the
                                             reference's; what was begun is kept beside it
    steps.py ROOT LANGUAGE unwritten NN [STEP] [MINE]   status 1, and what is to be done, if a lab that this one needs,
                                             or the step, or all of the lab, is not written"""

import json
import os
import re
import signal
import subprocess
import sys
import unicodedata
from pathlib import Path

WORDS = Path(__file__).with_name("words")
root, language = Path(), "en"


def phrase(name, *given):
    """The line `name` of tools/words, with {1}, {2} … filled in."""
    lines = (WORDS / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    text = next(line[len(name) + 1 :] for line in lines if line.startswith(name + " "))
    return re.sub(r"\{(\d)\}", lambda place: str(given[int(place[1]) - 1]), text)


def die(name, *given):
    print(phrase(name, *given), file=sys.stderr)
    sys.exit(2)


def git(*words):
    """What git says in this tree; None where it fails."""
    call = ["git", f"--git-dir={root}/.git", f"--work-tree={root}", *words]
    answer = subprocess.run(call, capture_output=True, text=True)
    return answer.stdout.rstrip("\n") if answer.returncode == 0 else None


# ---- the labs


class Lab:
    def __init__(self, directory):
        self.directory, self.name, self.number = directory, directory.name, directory.name[:2]
        self.steps = json.loads((directory / "steps.json").read_text(encoding="utf-8"))
        self.report = root / "build" / f"check_{self.number}.json"

    def mandatory(self):
        return [step["step"] for step in self.steps if not step.get("challenge") and not step.get("optional")]

    def results(self):
        """The steps whose tests all passed at the last check; None if it was never checked."""
        tests = json.loads(self.report.read_text(encoding="utf-8"))["tests"] if self.report.exists() else []
        passed = {}
        for test in tests:
            step = test["name"].split(" ")[0]
            passed[step] = passed.get(step, True) and test["result"] == "passed"
        return {step for step, all_passed in passed.items() if all_passed} if tests else None

    def title(self, step):
        """In Chinese that of README.zh.md, where there is one."""
        page = self.directory / "README.zh.md"
        found = None
        if language == "zh" and page.exists():
            found = re.search(r"^## 步骤 %s：(.*)$" % re.escape(step["step"]), page.read_text("utf-8"), re.M)
        return found[1].replace("`", "") if found else step["title"]

    def files(self):
        """What a student edits, for this processor."""
        found = [*self.directory.glob("exercise/*.cpp"), *self.directory.glob(f"exercise/*_{os.uname().machine}.S")]
        return sorted(found)


def labs():
    return [Lab(folder) for folder in sorted((root / "labs").glob("[0-9][0-9]_*"))]


def lab_named(number, verb):
    if not re.fullmatch(r"\d{1,2}", number):
        die("which_lab", verb)
    found = [lab for lab in labs() if int(lab.number) == int(number)]
    return found[0] if found else die("no_lab", number, " ".join(lab.number for lab in labs()))


def solved_through():
    """The last lab that the tree came with, or was given, solved."""
    file = root / "labs" / "solved_through"
    return int(file.read_text()) if file.exists() else 0


# ---- progress


def can_be_given():
    """Whether the tree that this one was made of is at hand."""
    whole, commit = git("config", "fiberscope.whole"), git("config", "fiberscope.commit")
    call = ["git", "-C", str(whole), "cat-file", "-e", f"{commit}^{{commit}}"]
    return bool(whole and commit) and subprocess.run(call, capture_output=True).returncode == 0


def challenges(number, still_open):
    if number == 0:
        return ""
    if still_open == 0:
        return phrase("no_challenge")
    return phrase("challenge") if still_open == 1 else phrase("challenges", still_open)


def next_step(lab):
    """The first mandatory step that is not solved: (step, line about the lab). None as the step if all are."""
    passed, mandatory = lab.results(), lab.mandatory()
    if passed is None and int(lab.number) <= solved_through():
        return None, phrase("given", len(mandatory))
    passed = passed or set()
    others = [step["step"] for step in lab.steps if step["step"] not in mandatory]
    told = challenges(len(others), sum(step not in passed for step in others))
    unsolved = [step for step in lab.steps if step["step"] in mandatory and step["step"] not in passed]
    if not unsolved:
        return None, phrase("solved", len(mandatory)) + told
    return unsolved[0], (len(mandatory) - len(unsolved), len(mandatory), told)


def progress(last=""):
    now = None
    for lab in labs():
        step, about = next_step(lab)
        if step is None:
            line, mark = about, "✓"
        elif now is None:
            now, mark = (lab, "%s %s" % (step["step"], lab.title(step))), "→"
            line = phrase("now", about[0], about[1], now[1], about[2])
        else:
            line, mark = phrase("some", about[0], about[1]) + about[2], "·"
        if not last:
            print("  %s %-18s%s" % (mark, lab.name, line))
    print(phrase("next", now[1], now[0].number) if now else phrase("all"))
    if not last and solved_through() == 0 and can_be_given():
        print(phrase("begin_later"))


def next_lab():
    print(next((lab.number for lab in labs() if next_step(lab)[0] is not None), labs()[-1].number))


# ---- hints


def wide(character):
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def wrap(text, width=100):
    """In lines of at most `width` columns, broken at blanks and behind Chinese punctuation."""
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
        die("which_step")
    lab = lab_named(step.split(".")[0], "hint")
    file = lab.directory / "hints.json"
    if language == "zh" and (lab.directory / "hints.zh.json").exists():
        file = lab.directory / "hints.zh.json"
    if not file.exists():
        die("no_hints", lab.number)
    hints = json.loads(file.read_text(encoding="utf-8"))
    if step not in hints:
        die("no_step", lab.number, step)
    seen = root / "build" / "hints" / step
    level = level or str(int(seen.read_text() if seen.exists() else 0) + 1)
    if not level.isdecimal() or level == "0":
        die("which_level", level)
    level = min(int(level), 3)
    print("\n".join(wrap(hints[step][level - 1])))
    if level < 3:
        print(phrase("hint", level, step))
    seen.parent.mkdir(parents=True, exist_ok=True)
    seen.write_text(f"{level}\n")


def main(arguments):
    global root, language
    root, language, verb, *words = arguments
    root = Path(root)
    if verb in ("reset", "begin", "unwritten"):
        import written

        getattr(written, verb)(*words)
    else:
        {"progress": progress, "next": next_lab, "hint": hint}[verb](*words)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as other programs: | head ends it
    sys.modules["steps"] = sys.modules["__main__"]
    main(sys.argv[1:])
