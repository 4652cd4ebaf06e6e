"""student_tree.py ROOT DIR: writes the tree that ./lab start copies, from the last commit of ROOT, or from the files of
ROOT if it has no history. It contains the labs' handouts, headers, exercises, given code, tests and hints, and
tools/student/. Links to files outside become plain text. Writes nothing, and exits with 1, if the tree would contain a
line of a solution that is not in the exercise; handout_known.txt lists harmless lines."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

LABS = re.compile(
    r"labs/\d\d_[^/]+/(beyond/[^/]+/)?(README(\.zh)?\.md|steps\.json|hints\.json"
    r"|(exercise|given|tests)/(?!.*\bexplored)[^.].*|(?!solution|programs|tests)([^/]+/)?[^/]+\.h)$"
)
DOCS = re.compile(r"docs/(lab\d\d/[^/]+|(glossary|names|errata)(\.zh)?|trace-format)(\.md)?$")
LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)")
SHORTEST = 24  # characters without blanks: shorter lines are not significant


def committed(root, to):
    """All files of the last commit, in `to`."""
    has_history = ["git", "-C", root, "rev-parse", "-q", "--verify", "HEAD"]
    if (root / ".git").exists() and subprocess.run(has_history, capture_output=True).returncode == 0:
        archive = subprocess.run(["git", "-C", root, "archive", "HEAD"], capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", to], input=archive, check=True)
        return
    for folder in ("labs", "docs", "tools"):
        shutil.copytree(root / folder, to / folder, ignore=shutil.ignore_patterns("__pycache__", "*.kept-*"))


def pictures_of(page):
    return [(page.parent / link[2]).resolve() for link in LINK.finditer(page.read_text()) if link[2].endswith(".png")]


def chosen(whole):
    """The files that a student's tree has, relative to `whole`."""
    names = sorted(str(path.relative_to(whole)) for path in whole.rglob("*") if path.is_file())
    kept = [name for name in names if LABS.match(name) or DOCS.match(name)]
    pictures = {picture for name in kept if name.endswith(".md") for picture in pictures_of(whole / name)}
    return kept + sorted(str(picture.relative_to(whole)) for picture in pictures if picture.is_file())


def without_dead_links(page, tree):
    def plain(link):
        target = (page.parent / link[3]).resolve()
        is_there = ":" in link[3] or target.exists() and tree in target.parents
        return link[0] if is_there else link[2]

    text = page.read_text()
    if (plainer := LINK.sub(plain, text)) != text:
        page.write_text(plainer)


def said(line):
    """A line's code without comments and blanks."""
    return re.sub(r"\s+", "", re.sub(r"(^|\s)(//|#).*$", "", line))


def lines_of(folder):
    return [
        (path, number, line)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".png"
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
    ]


def leaks(whole, tree):
    """ "FILE:LINE: text" of each line that reveals a solution."""
    known = {said(line) for line in (whole / "tools/handout_known.txt").read_text().splitlines()}
    for exercise in (whole / "labs").glob("[0-9]*/**/exercise"):
        known |= {said(line) for _, _, line in lines_of(exercise)}
    secret = {said(line) for folder in (whole / "labs").glob("[0-9]*/**/solution") for _, _, line in lines_of(folder)}
    secret = {line for line in secret - known if len(line) >= SHORTEST and not line.startswith("usingnamespace")}
    return [f"{path.relative_to(tree)}:{n}: {line}" for path, n, line in lines_of(tree) if said(line) in secret]


def write(root, to):
    with tempfile.TemporaryDirectory() as work:
        whole, tree = Path(work).resolve() / "whole", Path(work).resolve() / "tree"
        whole.mkdir()
        committed(root, whole)
        shutil.copytree(whole / "tools/student", tree)
        (tree / "gitignore").rename(tree / ".gitignore")
        for name in chosen(whole):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(whole / name, tree / name)
        for page in tree.rglob("*.md"):
            without_dead_links(page, tree)
        if found := leaks(whole, tree):
            print(*found[:20], sep="\n", file=sys.stderr)
            sys.exit("lab: nothing was written: these lines are of a solution and not of the exercise")
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(tree, to)


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve(), Path(sys.argv[2]))
