class Refused(Exception):
    """A submission that cannot be graded, in one sentence for the student and the instructor. It has no points."""


class Trouble(Exception):
    """The grader itself cannot work; no submission is to blame. Nothing is marked."""


def printable(text, most=400):
    """Names and output come from outside: no control character reaches a terminal or a report."""
    clean = "".join(
        c if c.isprintable() else "\\x%02x" % ord(c) if ord(c) < 256 else "?" for c in text.replace("\n", " ")
    )
    return clean if len(clean) <= most else clean[:most] + "…"
