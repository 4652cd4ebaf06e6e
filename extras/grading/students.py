"""The list of students: a teacher's own CSV, or the file that a learning platform exports and imports again."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from .errors import Trouble, printable
from .say import say, translated
from .submission import ARCHIVE


@dataclass(frozen=True)
class Platform:
    id: str  # the column that identifies a student
    names: tuple  # the columns of a name
    needed: tuple  # other columns that the platform's importer needs
    submission: str  # the name of a downloaded submission, without its suffix; the group is the id


PLATFORMS = {
    None: Platform("id", ("name",), (), "(.+)"),
    "moodle": Platform(
        *("Identifier", ("Full name",), ("Grade", "Maximum grade", "Last modified (grade)")),
        r"[^_]+_(\d+)_assignsubmission_.*",
    ),
    "canvas": Platform("ID", ("Student", "FirstName", "LastName"), ("Section",), r".+?_(\d+)_\d+_.*"),
    "gradescope": Platform("Submission ID", ("Name", "First Name", "Last Name"), (), r"submission_(\d+)"),
}
OWN_ID = r"[\w@+-][\w.@+-]*"  # also the name of the student's feedback file


@dataclass(eq=False)
class Student:
    id: str
    submission: str  # the name of the submission, without its suffix
    name: str
    language: str  # "en", "zh", or "" for the language of the user
    row: list  # the cells of the list
    line: int
    file: str = ""  # the name of the submission that was handed in


def number(cell):
    """A number with a decimal point or comma; None for other texts."""
    return float(cell.replace(",", ".")) if re.fullmatch(r"\s*\d+([.,]\d+)?\s*", cell) else None


class Students:
    """`most`: the points of the lab. `assignment`: the name of a column of Canvas; None if there is only one."""

    def __init__(self, path, platform, most, assignment=None):
        self.path, self.platform, self.of, self.most = Path(path), platform, PLATFORMS[platform], most
        self.rows = [(line, row) for line, row in self.read() if any(row)]
        self.columns = {name.strip().casefold(): at for at, name in reversed([*enumerate(self.rows[0][1])])}
        missing = "missing column %s; a platform's file must be exported in English"
        for name in (self.of.id, *self.of.needed):
            self.check(name.casefold() in self.columns, 1, missing % name)
        self.all = []
        for one in filter(None, (self.student(line, row) for line, row in self.rows[1:])):
            same = [other for other in self.all if one.id and {one.id, one.submission} & {other.id, other.submission}]
            if same and platform == "gradescope":
                same[0].name += ", " + one.name  # members of a group
                continue
            self.check(not same, one.line, "it repeats the id or the submission of line %d" % (same or [one])[0].line)
            self.all.append(one)
        self.grade = self.column_of_canvas(assignment) if platform == "canvas" else self.columns.get("grade")

    def check(self, right, line, problem):
        if not right:
            raise Trouble(say("{0}, line {1}: {2}", self.path.name, line, translated(printable(problem))))

    def read(self):
        """(line, cells) of each row. Keeps the byte order mark, separator and line ends for text()."""
        try:
            text = self.path.read_bytes().decode()
        except UnicodeDecodeError:
            raise Trouble("%s is not in UTF-8; save it as CSV in UTF-8" % self.path.name)
        header = text.split("\n")[0]
        self.before, self.end = "\ufeff" * text.startswith("\ufeff"), "\r\n" if header.endswith("\r") else "\n"
        self.separator = ";" if header.count(";") > header.count(",") else ","
        cells = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=self.separator, strict=True)
        rows, line = [], 1
        try:
            for row in cells:
                rows.append((line, row))
                self.check(len(row) in (0, len(rows[0][1])), line, "it has not as many cells as line 1")
                line = cells.line_num + 1
        except csv.Error as error:
            self.check(False, line, "it is not CSV: %s" % error)
        self.check(any(any(row) for _, row in rows), 1, "the file is empty")
        return rows

    def student(self, line, row):
        """None for a row of Canvas that describes the assignments."""

        def cell(name):
            return row[self.columns[name.casefold()]].strip() if name.casefold() in self.columns else ""

        key, name = cell(self.of.id), " ".join(filter(None, map(cell, self.of.names)))
        if self.platform is None:
            language = cell("language")
            self.check(re.fullmatch(OWN_ID, key), line, "an id has letters, digits and . _ @ + -, not '%s'" % key)
            self.check(language in ("", "en", "zh"), line, "the language is en or zh, not '%s'" % language)
            return Student(key, cell("submission") or key, name, language, row, line)
        key = re.search(r"\d*$", key)[0]
        if self.platform == "moodle":
            self.check_most(line, cell("Maximum grade"))
        return Student(key, key, name, "", row, line) if key or self.platform == "gradescope" else None

    def check_most(self, line, cell):
        problem = "the assignment has at most %s points, but the lab %g; change it on the platform, and export again"
        self.check(number(cell) == self.most, line, problem % (cell or 0, self.most))

    def column_of_canvas(self, assignment):
        line, points = next(((line, row) for line, row in self.rows if "Points Possible" in row[0]), (1, None))
        self.check(points, line, "missing row Points Possible")
        named = {at: name for at, name in enumerate(self.rows[0][1]) if number(points[at]) is not None}
        fits = [at for at, name in named.items() if assignment in (None, name, re.sub(r" \(\d+\)$", "", name))]
        problem = "name one of these columns with --assignment: %s" % ", ".join(named.values())
        self.check(len(fits) == 1, 1, problem)
        self.check_most(line, points[fits[0]])
        return fits[0]

    def matched(self, paths):
        """The student of each submission."""
        known, found = {one.submission: one for one in self.all if one.id}, []
        for path in map(Path, paths):
            name = re.sub(ARCHIVE, "", path.name)
            fits = re.fullmatch(self.of.submission, name)
            student = known.get(fits[1] if fits else name)
            if student is None:
                remedy = "%s has no student for the submission %s; rename it, add the student, or leave it out"
                raise Trouble(remedy % (self.path.name, printable(path.name)))
            names = "%s and %s" % (student.file, path.name)
            self.check(student not in found, student.line, "there are two submissions, %s; leave one out" % names)
            student.file = printable(path.name)
            found.append(student)
        return found

    def text(self):
        """The file again, with the cells that have been changed."""
        out = io.StringIO(newline="")
        csv.writer(out, delimiter=self.separator, lineterminator=self.end).writerows(row for _, row in self.rows)
        return self.before + out.getvalue()
