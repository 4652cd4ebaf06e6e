"""Hooks of mkdocs for building the site (docs/site.sh): each sample gets a page in both languages, a picture of the
viewer becomes a figure that live/live.js can make interactive, and a page links to its translation.

Environment: FIBERSCOPE_ROOT is the directory of the tree; FIBERSCOPE_LIVE, if set, enables interactive figures.
"""

import html
import json
import os
import re
import subprocess
import sys
import unicodedata
from pathlib import Path
from urllib.parse import quote

from mkdocs.utils import get_relative_url

ROOT = Path(os.environ["FIBERSCOPE_ROOT"])
sys.path.insert(0, str(ROOT / "tools"))
import catalogue  # noqa: E402
LIVE = "FIBERSCOPE_LIVE" in os.environ
VIEWER = ROOT / "build/default/bin/fiberscope-viewer"
STEPPED = ("docs/story/README.md", "docs/story/README.zh.md")  # have the notes of the lecture below their pictures
TEXTS = {
    "en": {
        "samples": "Samples", "sample": "recording", "shows": "shows", "command": "record it", "window": "open it",
        "handout": "read", "strategy": "strategy", "events": "events", "notes": "The lecture, step by step",
        "all": "Recordings of all demos of the labs. Click a picture to turn it into the viewer.", "lab": "lab {}",
        "lanes": "The lanes of {}", "beside": "compare with", "answer": "the answer",
    },
    "zh": {
        "samples": "示例", "sample": "示例", "shows": "内容", "command": "记录", "window": "打开",
        "handout": "阅读", "strategy": "策略", "events": "事件数", "notes": "讲解，一步一步",
        "all": "各个实验的每个演示都有一个 trace。点击图片，它就变成查看器。", "lab": "实验 {}",
        "lanes": "{} 的泳道", "beside": "并排看", "answer": "答案",
    },
}
PLACES = {"--at": "at", "--select": "select", "--theme": "theme", "--language": "lang", "--press": "press"}


# ---- places: options of the viewer converted to links


def place_of(words):
    """(recordings, {"at": …}, (width, height)) of a line of docs/pictures.sh."""
    files, options = words[: words.index("--")], iter(words[words.index("--") + 1 :])
    place, shown, size = {}, [], (1600, 900)
    for option in options:
        if option in PLACES:
            place[PLACES[option]] = next(options)
        elif option == "--size":
            size = tuple(map(int, next(options).split("x")))
        elif option == "--sets":
            shown.append({"on": "sets", "off": "no-sets"}[next(options)])
        elif option == "--present":
            shown.append("present")
        elif option != "--side-by-side":
            raise ValueError(f"docs/pictures.sh: a link cannot express {option}")
    if shown:
        place["show"] = ",".join(shown)
    return files, place, size


def pictures():
    """{name of a picture: its words in the list of docs/pictures.sh}"""
    listed = subprocess.run([ROOT / "docs/pictures.sh", "--list"], capture_output=True, text=True, check=True).stdout
    rows = (line.split("\t") for line in listed.splitlines())
    return {name: words for name, *words in rows}


def draw_in_chinese(name, words, folder):
    """Draws a picture for the Chinese pages."""
    at = words.index("--")
    files = [ROOT / f"traces/samples/{file}.json" for file in words[:at]]
    draw = [VIEWER, *files, *words[at + 1 :], "--language", "zh", "--render", folder / f"{name}.zh.png"]
    subprocess.run(draw, stdout=subprocess.DEVNULL, check=True)


def figure(image, files, place, size):
    at = place.get("at", 0)
    more = "&".join(f"{key}={quote(value, safe=',')}" for key, value in place.items() if key != "at")
    return (
        f'<figure class="live" data-trace="{" ".join(files)}" data-at="{at}" data-place="{html.escape(more)}"'
        f' style="--ratio: {size[0]} / {size[1]}; --files: {len(files)}">{image}</figure>'
    )


# ---- the samples


def demo_texts():
    """Descriptions of the demos, by lab and name: (English, Chinese)."""
    demo = re.compile(r'\{(?:\.name = )?"(\w+)",\s*(?:\.description = )?"((?:[^"\\]|\\.|"\s*")*)",')
    found = {}
    for source in ROOT.glob("labs/0*/**/programs/demo*.cpp"):
        lab = source.relative_to(ROOT).parts[1]
        chinese = catalogue.read_po((ROOT / "labs" / lab / "zh.po").read_text())
        for name, text in demo.findall(source.read_text()):
            english = re.sub(r'"\s*"', "", text)
            texts = {"en": english, "zh": chinese.get(english, english)}
            shown = {language: re.sub(r" ?[(（]--.*", "", said) for language, said in texts.items()}
            found[f"{lab[:2]}_{name}"] = shown
    return found


def handout_of(meta):
    """The number of the step, and the page with its section, as in the viewer's title."""
    row = next(row for row in meta["code"] if row["of"] == "program")
    heading = re.search(rf"^#+ (Step {re.escape(row['step'])}:.*)$", (ROOT / row["handout"]).read_text(), re.M)[1]
    return row["step"], f"{row['handout']}#{re.sub(r'[^a-z0-9_ -]', '', heading.lower()).replace(' ', '-')}"


def notes_of(name, language):
    file = ROOT / f"traces/notes/{name}.notes{'.zh' if language == 'zh' else ''}.json"
    return json.loads(file.read_text()) if file.exists() else None


def step(note, words):
    """A note as a step: the viewer's place, and its text, after the question if there is one."""
    text, question, place = html.escape(note["text"]), html.escape(note.get("question", "")), note.get("place", "")
    if question:
        text = f'{question}<details class="answer"><summary>{words["answer"]}</summary>{text}</details>'
    return f'<li data-at="{note["event"]}" data-place="{html.escape(place)}">{text}</li>'


def steps(notes, language):
    return f'<ol class="steps">{"".join(step(note, TEXTS[language]) for note in notes["notes"])}</ol>'


def twin(path, language):
    return path.replace(".md", ".zh.md") if language == "zh" else path


def relatives(name, names):
    """The recordings of the same demo: 04_mixed, 04_mixed_go, …"""
    first = min((other for other in names if name.startswith(other)), key=len)
    return [other for other in names if other.startswith(first) and other != name]


def sample_page(name, names, trace, shows, language):
    words, notes = TEXTS[language], notes_of(name, language)
    meta, (number, page) = trace["meta"], handout_of(trace["meta"])
    step = f"{'步骤' if language == 'zh' else 'step'} {number}"
    place = {"at": str(notes["notes"][0]["event"] if notes else len(trace["events"]) // 2)}
    if language == "zh":
        place["lang"], page = "zh", page.replace("README.md", "README.zh.md")
    render = f"{name}.{language}.png"
    rows = [
        (words["shows"], shows), (words["command"], f"`./lab run {name[:2]} {name[3:]}`"),
        (words["window"], f"`./lab view traces/samples/{name}.json`"),
        (words["handout"], f"[{words['lab'].format(name[:2])}, {step}](../{page})"),
        *([(words["strategy"], meta["strategy"])] if "strategy" in meta else []),
        (words["events"], len(trace["events"])),
    ]
    if LIVE and (others := relatives(name, names)):
        link = '<a href="../viewer/index.html#trace={}&amp;with={}&amp;lang={}">{}</a>'
        links = (link.format(quote(name), quote(other), language, html.escape(other)) for other in others)
        rows.append((words["beside"], ", ".join(links)))
    rows.insert(1, ("---", "---"))
    table = "\n".join(f"| {left} | {right} |" for left, right in rows)
    image = f'<img alt="{words["lanes"].format(name)}" src="{render}">'
    drawn = figure(image, [name], place, (1280, 720)) if LIVE else image
    lecture = f'\n## {words["notes"]}\n\n{html.escape(notes["title"])}\n\n{steps(notes, language)}\n' if notes else ""
    return f"# {name}\n\n{drawn}\n\n{table}\n{lecture}", render, place


def write_samples(folder):
    """A page and a picture for each sample, and their indexes."""
    shown = demo_texts()
    lists = {language: [] for language in TEXTS}
    samples = sorted((ROOT / "traces/samples").glob("*.json"))
    for file in samples:
        name, trace = file.stem, json.loads(file.read_text())
        for language, lines in lists.items():
            shows = shown[name][language]
            text, picture, place = sample_page(name, [s.stem for s in samples], trace, shows, language)
            (folder / twin(f"{name}.md", language)).write_text(text)
            draw = [VIEWER, file, "--render", folder / picture, "--size", "1280x720", "--at", place["at"]]
            subprocess.run([*draw, "--language", language], stdout=subprocess.DEVNULL, check=True)
            lines.append(f"| [{name}]({twin(f'{name}.md', language)}) | {shows} |")
    for language, lines in lists.items():
        words = TEXTS[language]
        head = f"# {words['samples']}\n\n{words['all']}\n\n| {words['sample']} | {words['shows']} |\n|---|---|\n"
        (folder / twin("README.md", language)).write_text(head + "\n".join(lines) + "\n")


# ---- functions called by mkdocs


def expanded(item, pages):
    """The existing pages of this part of the contents, since a student's tree has fewer. Expands *."""
    if isinstance(item, list):
        return [page for part in item for page in expanded(part, pages)]
    if isinstance(item, str):
        found = sorted(path.relative_to(pages).as_posix() for path in pages.glob(item))
        return sorted(found, key=lambda path: "samples/README" not in path)
    (title, part), = item.items()
    found = expanded(part, pages)
    one = isinstance(part, str) and "*" not in part
    return [{title: found[0] if one else found}] if found else []


def on_config(config):
    pages = Path(config["docs_dir"])
    (pages / "samples").mkdir()
    write_samples(pages / "samples")
    config["nav"] = expanded(config["nav"], pages)
    listed = pictures()
    for name, words in listed.items():
        if "--language" not in words:
            draw_in_chinese(name, words, pages / "docs/pictures")
    config["pictures"] = {name: place_of(words) for name, words in listed.items()}
    config["samples"] = {path.relative_to(pages).as_posix() for path in pages.glob("samples/*.md")}
    return config


def indented_by_four(markdown):
    """Indents the contents of list items by four columns, as required by Python's Markdown, instead of two or three."""
    lines, more, fenced = [], 0, False
    for line in markdown.splitlines():
        text = line.lstrip()
        if not fenced:
            more = {2: 2, 3: 1}.get(len(line) - len(text), 0)
        fenced ^= text.startswith("```")
        lines.append(" " * more + line if text else line)
    return "\n".join(lines)


def on_files(files, config):
    config["urls"] = {file.src_uri: file.url for file in files.documentation_pages()}
    return files


def on_page_markdown(markdown, page, config, files):
    if page.file.src_uri.endswith(".zh.md"):  # an anchor may precede the title
        page.title = re.search("^# (.*)", markdown, re.M)[1].replace("`", "")
    return indented_by_four(markdown)


def is_chinese(text):
    return re.search("[\u3400-\u9fff]", text) is not None


PRE = re.compile("(<pre.*?</pre>)", re.S)
STOP = "，。；：！？、（）《》"
HAN = STOP + "“”…\u3400-\u9fff"
TAGS = r"((?:<{}(?:a|code|em|strong)\b[^>]*>)*)"
BREAK = re.compile(f"([{HAN}]){TAGS.format('/')}\n *{TAGS.format('')}(?=[{HAN}])|([{STOP}]){TAGS.format('/')}\n *"
                   f"|\n *(?=[{STOP}])")  # fmt: skip


def without_breaks(content):
    """Joins the lines of Chinese text: a browser shows a space for the end of a line."""
    parts = PRE.split(content)
    parts[::2] = [BREAK.sub(lambda match: "".join(filter(None, match.groups())), part) for part in parts[::2]]
    return "".join(parts)


def in_cells(content):
    """Gives the characters of a listing with Chinese text widths of one or two columns, whatever the fonts."""

    def cell(match):
        wide = unicodedata.east_asian_width(match[0]) in "WF"
        return f'<span class="cell{" wide" if wide else ""}">{match[0]}</span>'

    def listing(match):
        return re.sub("[^\\0-\x7f]", cell, match[0]) if is_chinese(match[0]) else match[0]

    return PRE.sub(listing, content)


def on_page_content(content, page, config, files):
    language = "zh" if page.file.src_uri.endswith(".zh.md") else "en"

    def alive(match):
        image, name = match[1], match[2]
        if not LIVE or name not in config["pictures"]:
            return match[0]
        traces, place, size = config["pictures"][name]
        notes = notes_of(traces[0], language) if page.file.src_uri in STEPPED else None
        told = notes and steps(notes, language)
        below = f"<details><summary>{TEXTS[language]['notes']}</summary>{told}</details>" if told else ""
        return figure(image, traces, place | ({"lang": "zh"} if language == "zh" else {}), size) + below

    def to_sample(match):
        known = f"samples/{match[1]}.md" in config["samples"]
        url = get_relative_url(f"samples/{match[1]}{'.zh' if language == 'zh' else ''}.html", page.url)
        return f'<a href="{url}">{match[0]}</a>' if known else match[0]

    def in_chinese(match):
        is_drawn = (Path(config["docs_dir"]) / f"docs/pictures/{match[2]}.zh.png").exists()
        return f"{match[1]}.zh.png" if is_drawn else match[0]

    content = re.sub(r'(?<!">)<code>(\w+)</code>', to_sample, content)
    content = in_cells(without_breaks(content))
    content = re.sub(r'<p>(<img [^>]*pictures/(\w+)\.(?:png|gif)"[^>]*>)</p>', alive, content)
    return re.sub(r"(pictures/(\w+))\.(?:png|gif)", in_chinese, content) if language == "zh" else content


def on_page_context(context, page, config, nav):
    """Sets contents and theme texts in the page's language; links to its translation, else to the first page."""
    path = page.file.src_uri
    chinese = path.endswith(".zh.md")
    config["theme"]["language"] = "zh" if chinese else "en"
    whole = config["whole_nav"] = config.get("whole_nav") or nav.items
    untold = config["extra"]["only_english"] if chinese else []
    nav.items = [item for item in whole if is_chinese(item.title) == chinese or item.title in untold]
    urls, english = config["urls"], path.replace(".zh.md", ".md")
    first = {language: urls[twin("README.md", language)] for language in TEXTS}
    config["extra"]["homepage"] = get_relative_url(first["zh" if chinese else "en"], page.url)
    config["extra"]["alternate"] = [
        {"name": name, "lang": language, "link": urls.get(twin(english, language), first[language])}
        for name, language in (("English", "en"), ("中文", "zh"))
    ]
    return context


def on_post_build(config):
    """Separates Chinese characters in the search index; writes the index also as a script, for file://."""
    site = Path(config["site_dir"])
    file = site / "search/search_index.json"
    index = json.loads(file.read_text())
    for part in index["docs"]:
        for key in ("title", "text"):
            part[key] = re.sub("[\u3400-\u9fff]", "\u200b\\g<0>\u200b", part[key]).replace("\u200b\u200b", "\u200b")
    apart = json.dumps(index)
    file.write_text(apart)
    worker = next(site.glob("assets/javascripts/workers/search.*.js")).read_text()
    (site / "search/offline.js").write_text(
        f"__search.index = Promise.resolve(__search.ofPage({apart}));\n"
        f"__search.worker = URL.createObjectURL(new Blob([{json.dumps(worker)}]));\n"
    )
