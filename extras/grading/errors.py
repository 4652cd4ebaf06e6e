class Refused(Exception):
    """A submission that cannot be graded, in one sentence for the student and the instructor. It has no points."""


class Trouble(Exception):
    """An error of the grader itself, not of a submission. Nothing is graded."""


def printable(text, most=400):
    """Escapes control characters in untrusted names and output, for terminals and reports."""
    clean = "".join(
        c if c.isprintable() else "\\x%02x" % ord(c) if ord(c) < 256 else "?" for c in text.replace("\n", " ")
    )
    return clean if len(clean) <= most else clean[:most] + "…"
