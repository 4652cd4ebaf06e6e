#!/usr/bin/env python3
"""Every text has a reviewed translation. After a text is reworded, its translation is fuzzy, and the program prints the
English."""

import sys
import tempfile
from pathlib import Path
from shutil import copytree, ignore_patterns

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "testing"))
from expect import ROOT, end, expect, tells, works  # noqa: E402

LAB, PO = "labs/01_switch_asm", '\n\nmsgid "the moon is full tonight"\nmsgstr "今晚是满月"\n\nmsgid "gone"\nmsgstr "没有了"\n'


def update(room, file, source, found):
    """Writes a source file and updates the room's catalogue, which must print `found`. Returns the catalogue."""
    (copy / room / file).write_text(source + "\n")
    tells("update.sh", [copy / "languages/update.sh", [room]], found, status=0)
    return (copy / room / "zh.po").read_text()


with tempfile.TemporaryDirectory() as work:
    copy = Path(work) / "tree"
    copytree(ROOT, copy, ignore=ignore_patterns(".*", "build", "samples", "*.md", "*.png"))
    what = "missing translations: run languages/update.sh, then edit the zh.po"
    tells(what, [copy / "languages/update.sh"], never="fuzzy|untranslated", status=0)
    for file in copy.rglob("zh.po"):
        same = file.read_text() == (ROOT / file.relative_to(copy)).read_text()
        expect(same, f"{file} is out of date; run languages/update.sh")

    # A reworded, a new and an obsolete text; and a sentence of a test, with a value.
    sentence = 'void f(int machine) {{ INFO("machine " << machine << " has found nothing in its {}"); }}'
    text = update(LAB, "tests/a.h", sentence.format("own queue"), "1 untranslated")
    new = 'msgid "machine {0} has found nothing in its own queue"\nmsgstr "'
    (copy / LAB / "zh.po").write_text(text.replace(new, new + "机器{0}在自己的队列里什么也没找到"))
    fuzzy = update(LAB, "tests/a.h", sentence.format("queue"), "1 fuzzy translation").split("\n#, fuzzy\n")[-1]
    expect('msgid "machine {0} has found nothing in its queue"' in fuzzy.splitlines()[:3], "a sentence is found", fuzzy)
    po = copy / "room/zh.po"
    po.parent.mkdir()
    po.write_text((copy / "languages/zh.po").read_text().split("\n\n")[0] + PO)
    source = 'a = say(language, "the moon is quite full tonight"), mark("new");'
    text = update("room", "a.cpp", source, "1 fuzzy translation, 1 untranslated")
    expect("\n#, fuzzy\n" in text and 'msgstr "今晚是满月"\n' in text, "a reworded text is fuzzy", text)
    expect("没有了" not in text, "an obsolete text is removed", text)
    settings = [f"-DROOT={copy}", f"-DTRANSLATIONS={po}", f"-DOUT={work}/embedded.cpp", "-DMSGFMT=msgfmt"]
    works("a fuzzy catalogue can be built", "cmake", settings, "-P", ROOT / "languages/embed.cmake")
    tells("a fuzzy translation is not used", ["msgfmt -o -", po], never="moon", status=0)
end("texts and their translations")
