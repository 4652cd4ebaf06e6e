"""What a report says to a person, in the language of the reader: English, or Chinese where the environment is.

The grader's sentences are English. They are translated where they are printed, by their patterns, so that what --state
remembers is the same in both languages."""

import os
import re

CHINESE = {
    # formats.py, progress.py, course.py
    "{0}: {1} of {2} points": "{0}：{1} 分，满分 {2}",
    "  refused: {0}": "  不予评分：{0}",
    "refused: {0}": "不予评分：{0}",
    "  note: {0}": "  备注：{0}",
    "note: {0}": "备注：{0}",
    "  {0} {1} {2} {3} of {4} tests, {5} of {6}": "  {0} {1} {2} {4} 个测试中通过 {3} 个，{6} 分中得 {5}",
    "      {0}: {1}": "      {0}：{1}",
    "  on its own earlier labs: {0}": "  用它自己前面的各个 lab：{0}",
    "{0} of {1} tests pass": "{1} 个测试中通过 {0} 个",
    "These marks are not trustworthy: bubblewrap does not work here, "
    "so a submission can read and change what its user can.": (
        "这些分数不可信：bubblewrap 在这里不能用，所以提交的程序能读能改它的用户所能读、能改的一切。"
    ),
    "grade: {0} {1} of {2}{3}": "grade：{0} {2} 份中的第 {1} 份{3}",
    ", about {0} left": "，大约还要 {0}",
    "grade: {0} graded{1}": "grade：评了 {0} 份{1}",
    ", {0} of them before the interruption": "，其中 {0} 份在中断之前",
    "grade: {0}": "grade：{0}",
    "warning: {0}": "警告：{0}",
    "interrupted; with --state the same command goes on from here": "被中断；有 --state 时，同样的命令从这里继续",
    # judge.py, sandbox.py, served.py: why a test did not pass
    "not implemented yet": "还没写",
    "an assertion failed: {0}": "断言失败：{0}",
    "it was ended by signal {0}": "被信号 {0} 结束",
    "it ended with status {0}": "以状态 {0} 结束",
    "the test did not come to its end": "测试没有走到结尾",
    "it reported its end {0} times": "它报告了 {0} 次结束",
    "its report is not one of a test that passed": "它的报告不是通过了的测试的报告",
    "{0} answers a question that only the grader knows": "{0} 回答一个只有评分器知道的问题",
    "the answer to {0} is wrong": "对 {0} 的回答不对",
    "it took more than {0} s": "它用的时间超过 {0} s",
    "it took more than {0} s of processor time": "它用的处理器时间超过 {0} s",
    "it took more than {0} MB of memory": "它用的内存超过 {0} MB",
    "it wrote more than {0} MB": "它写出的内容超过 {0} MB",
    "the submission has used its {0} s of processor time": "这份提交用完了它的 {0} s 处理器时间",
    "the submission has used its {0} s": "这份提交用完了它的 {0} s",
    "a client's connection failed: {0}": "一个客户的连接失败：{0}",
    "what came back to a client is not what it sent (piece {0})": "回到客户的不是它所发送的（第 {0} 段）",
    "a client that ended got more than it had sent": "一个结束了的客户收到的比它发送的多",
    # submission.py, build.py, objects.py: why a submission is refused
    "{0} is no directory, zip or tar": "{0} 不是目录、zip 或 tar",
    "it has more than {0} entries": "它的条目多于 {0} 个",
    "it has two files {0}": "它有两个文件叫 {0}",
    "{0} is larger than {1} bytes": "{0} 大于 {1} 字节",
    "{0} is larger than it says": "{0} 比它所说的大",
    "it has none of the files {0}": "它没有这些文件中的任何一个：{0}",
    "the name {0} climbs out": "名字 {0} 指到了外面",
    "left out, because it is no file that you hand in: {0}": "没有采用，因为不是要交的文件：{0}",
    "{0} cannot be read: {1}": "{0} 读不了：{1}",
    "{0} is no plain file": "{0} 不是普通文件",
    "{0} is encrypted": "{0} 是加密的",
    "the zip is damaged: {0}": "zip 损坏了：{0}",
    "the tar is damaged: {0}": "tar 损坏了：{0}",
    "{0}: compiling was ended: {1}": "{0}：编译被结束：{1}",
    "{0} does not compile: {1}": "{0} 不能编译：{1}",
    "the compiler says nothing": "编译器什么也没有说",
    "{0} reads {1}": "{0} 读了 {1}",
    "it does not link: {0}": "它不能链接：{0}",
    "{0} calls {1}, which lab {2} does not need": "{0} 调用了 {1}，而 lab {2} 用不到它",
    "{0} defines {1}, which is chosen while the program is loaded": "{0} 定义了 {1}，它在装入程序时才选定",
    "{0} defines {1}, which is not yours to define": "{0} 定义了 {1}，它不该由你定义",
    "{0} runs code before or after main ({1}): make the object when it is first used": (
        "{0} 在 main 之前或之后运行代码（{1}）：请在第一次使用时才创建对象"
    ),
    "an object cannot be read: {0}": "一个目标文件读不了：{0}",
    "it is not one of this computer": "它不是这台计算机的",
    "its method of packing is not known": "不认识它的压缩方法",
    "{0} becomes an object of more than {1} MB": "{0} 编译出的目标文件大于 {1} MB",
    "{0} has a relocation that no compiler makes: {1}": "{0} 有一个编译器不会生成的重定位：{1}",
    "the grader stumbled over it: {0}": "评分器处理它时出错：{0}",
    "{0} has a section that no compiler makes: {1}": "{0} 有一个编译器不会生成的节：{1}",
    "{0} makes a system call by itself": "{0} 自己做了系统调用",
    # __main__.py and what cannot be graded at all
    "{0} is missing; the packages python3-pyelftools and python3-capstone are needed": (
        "缺少 {0}；需要软件包 python3-pyelftools 和 python3-capstone"
    ),
    "there is no lab {0}": "没有 lab {0}",
    "--partial is a number from 0 to 1, --parallel at least 1": "--partial 是 0 到 1 之间的数，--parallel 至少是 1",
    "Gradescope's results.json is of one submission": "Gradescope 的 results.json 只写一份提交",
    "one submission is named twice: {0}": "一份提交写了两次：{0}",
    "{0} is no file that may be replaced": "{0} 不是可以替换的文件",
    "the tree was changed while it was made ready; grade again when it stays as it is": (
        "准备的时候代码树变了；等它不再变时再评一次"
    ),
    "the tree itself does not build; all of it: {0}": "代码树本身不能编译；全部输出：{0}",
    "too many graders are at work; their places are in {0}": "正在工作的评分器太多；它们的位置在 {0}",
    "the sandbox cannot be made: {0}": "沙箱建不起来：{0}",
    "processes of a submission cannot be ended: {0}": "一份提交的进程结束不了：{0}",
    # the command line
    "usage: ": "用法：",
    "what is given": "参数",
    "options": "选项",
    "Marks for submissions: folders, zips or tars.": "给提交评分：目录、zip 或 tar。",
    "the lab's number, as in 01": "lab 的编号，例如 01",
    "a folder, a zip or a tar with the files of exercise/": "目录、zip 或 tar，里面是 exercise/ 的文件",
    "print this help and exit": "打印这份说明，然后退出",
    "a table for a person (text), csv, json, or Gradescope's results.json": (
        "给人看的（text）、csv、json，或者 Gradescope 的 results.json"
    ),
    "write the report there; else it is printed": "报告写到这里；不写就打印",
    "part of a step's points for the tests that pass (0 to 1)": "没有解决的步骤，按通过的测试给多少分（0 到 1）",
    "submissions at a time": "同时评几份",
    "a folder that remembers what is done, so that an interrupted run goes on there": (
        "记住做完了什么的目录，中断之后从那里继续"
    ),
    "the following arguments are required: {0}": "必须写：{0}",
    "unrecognized arguments: {0}": "不认识：{0}",
    "argument {0}: invalid choice: {1} (choose from {2})": "{0}：不能是 {1}（可以是 {2}）",
    "argument {0}: invalid {1} value: {2}": "{0}：不能是 {2}",
    "argument {0}: expected one argument": "{0} 要有一个值",
}


def of_environment():
    """As ./lab: by LC_ALL, else LC_MESSAGES, else LANG."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, named), "").startswith("zh") else "en"


LANGUAGE = of_environment()


def filled(text, values):
    return re.sub(r"\{(\d)\}", lambda hole: str(values[int(hole[1])]), text)


def say(english, *values):
    """A text of the table with its values, in the language of the reader."""
    return filled(CHINESE[english] if LANGUAGE == "zh" else english, values)


def pattern_of(english):
    parts = re.split(r"\{\d\}", english)
    return re.compile("(.+)".join(re.escape(part) for part in parts), re.DOTALL)


# Of what is raised or judged, and not of the frames around it. Those that say most of a sentence come first.
FRAMES = ("grade: ", "warning: ", "refused: {0}", "note: {0}", " ", ",")
SENTENCES = [english for english in CHINESE if not english.startswith(FRAMES)]
PATTERNS = [(pattern_of(english), CHINESE[english]) for english in sorted(SENTENCES, key=len, reverse=True)]


def translated(sentence):
    """A sentence of the grader, with what is filled in; another stands as it is."""
    if LANGUAGE != "zh":
        return sentence
    for pattern, chinese in PATTERNS:
        found = pattern.fullmatch(sentence)
        if found:
            return filled(chinese, [translated(value) for value in found.groups()])
    return sentence


def columns(text):
    """How wide it is on a terminal: a Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


def padded(text, width):
    return text + " " * (width - columns(text))


def found_in(file, pair):
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return dict(re.findall(pair, text, re.MULTILINE))


class Lab:
    """The titles of a lab's steps and the names of its tests, in the language of the reader."""

    def __init__(self, folder):
        self.titles, self.names = {}, {}
        if LANGUAGE != "zh":
            return
        self.titles = found_in(folder / "README.zh.md", r"^## 步骤 (\d+\.\d+)：(.+)$")
        for file in (folder.parent / "kit/testing/names.zh.txt", folder / "names.zh.txt"):
            self.names.update(found_in(file, r"^(?![#\s])(.+)\n  (.+)$"))

    def title(self, step, english):
        return self.titles.get(step, english).replace("`", "")

    def name(self, test):
        number, _, rest = test.partition(" ")
        chinese = self.names.get(rest)
        return "%s %s" % (number, chinese) if chinese else translated(test)
