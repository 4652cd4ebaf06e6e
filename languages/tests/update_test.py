#!/usr/bin/env python3
"""Every text of the tree has a translation that was looked at; and rewording a text breaks nothing: the old translation
is fuzzy, and the program says the English until a person has looked at it."""

import sys
import tempfile
from pathlib import Path
from shutil import copytree, ignore_patterns

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))
from expect import ROOT, end, expect, tells, works  # noqa: E402

LAB, PO = "labs/01_switch_asm", '\n\nmsgid "the moon is full tonight"\nmsgstr "今晚是满月"\n\nmsgid "gone"\nmsgstr "没有了"\n'


def update(room, file, source, found):
    """Writes a source of a room, and brings its catalogue up to date, which says `found`: the catalogue."""
    (copy / room / file).write_text(source + "\n")
    tells("update.sh", [copy / "languages/update.sh", [room]], found, status=0)
    return (copy / room / "zh.po").read_text()


with tempfile.TemporaryDirectory() as work:
    copy = Path(work) / "tree"
    copytree(ROOT, copy, ignore=ignore_patterns(".*", "build", "samples", "*.md", "*.png"))
    what = "write these translations: languages/update.sh, then the zh.po"
    tells(what, [copy / "languages/update.sh"], never="fuzzy|untranslated", status=0)
    for file in copy.rglob("zh.po"):
        same = file.read_text() == (ROOT / file.relative_to(copy)).read_text()
        expect(same, f"{file} is not what the sources say; type languages/update.sh")

    # A text is reworded, one is new, one is gone. In a test a sentence has a value.
    sentence = 'void f(int machine) {{ INFO("machine " << machine << " has found nothing in its {}"); }}'
    text = update(LAB, "tests/a.h", sentence.format("own queue"), "1 untranslated")
    new = 'msgid "machine {0} has found nothing in its own queue"\nmsgstr "'
    (copy / LAB / "zh.po").write_text(text.replace(new, new + "机器{0}在自己的队列里什么也没找到"))
    fuzzy = update(LAB, "tests/a.h", sentence.format("queue"), "1 fuzzy translation").split("\n#, fuzzy\n")[-1]
    expect('msgid "machine {0} has found nothing in its queue"' in fuzzy.splitlines()[:3], "it is found", fuzzy)
    po = copy / "room/zh.po"
    po.parent.mkdir()
    po.write_text((copy / "languages/zh.po").read_text().split("\n\n")[0] + PO)
    source = 'a = say(language, "the moon is quite full tonight"), mark("new");'
    text = update("room", "a.cpp", source, "1 fuzzy translation, 1 untranslated")
    expect("\n#, fuzzy\n" in text and 'msgstr "今晚是满月"\n' in text, "it is marked, and keeps its translation", text)
    expect("没有了" not in text, "a text that is gone is gone", text)
    settings = [f"-DROOT={copy}", f"-DTRANSLATIONS={po}", f"-DOUT={work}/embedded.cpp", "-DMSGFMT=msgfmt"]
    works("a reworded text breaks no build", "cmake", settings, "-P", ROOT / "languages/embed.cmake")
    tells("a fuzzy translation is not said", ["msgfmt -o -", po], never="moon", status=0)
end("texts and their translations")
