"""What the commands say, in the language of the reader: English, or Chinese where the environment is."""

import os

CHINESE = {
    # commands.py
    """Coroutines of a program on fiberscope's kit.
  info coroutines      number, name, state, why it is not running, and where it is
  coroutine N          show the frames of coroutine N (a number, a name or an address); up, down, info locals work
  coroutine off        show the thread's own frames again
  coroutine N bt       the frames of N, once
  coroutine all bt     the frames of all
  info sets            ready queue, sleep tree and wait set of each scheduler""": """用 fiberscope 的 kit 写的程序的协程。
  info coroutines      编号、名字、状态、为什么没有运行、在什么地方
  coroutine N          显示协程 N（编号、名字或地址）的栈帧；可以用 up、down、info locals
  coroutine off        重新显示线程自己的栈帧
  coroutine N bt       N 的栈帧，只显示一次
  coroutine all bt     所有协程的栈帧
  info sets            每个调度器的就绪队列、睡眠树和等待集合""",
    "info coroutines: number, name, state, why it is not running, and where it is.": (
        "info coroutines：编号、名字、状态、为什么没有运行、在什么地方。"
    ),
    "coroutine N: show its frames (up, down and info locals work); coroutine off; coroutine N bt; coroutine all bt.": (
        "coroutine N：显示它的栈帧（可以用 up、down 和 info locals）；coroutine off；coroutine N bt；coroutine all bt。"
    ),
    "info sets: the ready queue, the sleep tree and the wait set of each scheduler.": (
        "info sets：每个调度器的就绪队列、睡眠树和等待集合。"
    ),
    "%s.": "%s。",
    "The program's memory cannot be read: %s.": "读不了程序的内存：%s。",
    "damaged": "已损坏",
    "no": "编号",
    "name": "名字",
    "state": "状态",
    "why": "原因",
    "where": "位置",
    "no program runs here: type `run`, or load a core dump": "这里没有程序在运行：请输入 `run`，或者打开一个 core dump",
    "this program has no coroutines yet, or it does not stand on fiberscope's kit": (
        "这个程序还没有协程，或者它不是用 fiberscope 的 kit 写的"
    ),
    "coroutine %s %s: %s%s": "协程 %s %s：%s%s",
    "  it runs: see `thread %d`, then `bt`": "  它正在运行：见 `thread %d`，然后 `bt`",
    ", %s": "，%s",
    "[%s is shown from frame 1 on; `coroutine off` ends that]": "[从 1 号帧起显示 %s；`coroutine off` 结束]",
    "there is no scheduler on any thread": "没有线程有调度器",
    "scheduler %d": "调度器 %d",
    "coroutine %s %s, %s": "协程 %s %s，%s",
    "task: ": "任务：",
    "handle on no task": "没有任务的句柄",
    "handle on ": "句柄，指向",
    "queue": "队列",
    # kit.py
    "new": "新建",
    "ready": "就绪",
    "running": "运行",
    "normal": "normal",
    "suspended": "挂起",
    "sleeping": "睡眠",
    "waiting": "等待",
    "dead": "死亡",
    "coroutine %s": "协程 %s",
    "there is no coroutine %s; `info coroutines` lists them.%s": "没有协程 %s；`info coroutines` 列出所有的。%s",
    " (Only threads, callers and tasks of schedulers are known: the program was started without %s=1.)": (
        "（只知道线程、调用者和调度器的任务：程序启动时没有 %s=1。）"
    ),
    # reasons.py
    ", until %s at most": "，最迟到 %s",
    "waits for fd %d to be readable%s": "在等 fd %d 可读%s",
    "waits for fd %d to be writable%s": "在等 fd %d 可写%s",
    "waits for %s%s": "在等 %s%s",
    "waits until it is woken%s": "等着被唤醒%s",
    "resumed %s and waits for it": "恢复了 %s，在等它",
    "another": "另一个",
    "still runs on thread %d: a switch is about to leave it": "还在线程 %d 上运行：一次切换正要离开它",
    "sleeps until %s": "睡到 %s",
    "on thread %d": "在线程 %d 上",
    "on no thread: this is a fault": "不在任何线程上：这是一个错误",
    "on a thread whose variables gdb cannot read": "在一个线程上，gdb 读不了它的变量",
    "has not started": "还没有启动",
    "can run": "可以运行",
    "yielded to its resumer": "让出到了它的恢复者",
    "has ended": "已经结束",
    # sets.py
    "(a wrong link)": "（错误的链接）",
    "%s, no deadline": "%s，没有截止时间",
    "%s, until %s": "%s，到 %s",
    "%s, fd %d": "%s，fd %d",
    "sleeping (a wheel, slot by slot)": "睡眠（时间轮，逐个槽）",
    "sleeping (a heap, in the order of its array)": "睡眠（堆，按数组的次序）",
    "sleeping (● red, ○ black; the left end of the tree is below)": "睡眠（● 红，○ 黑；树的左端在下面）",
    "empty": "空",
    "  %s: %s": "  %s：%s",
    # values.py
    "there is no debug information for %s: build the program with ./lab debug": (
        "没有 %s 的调试信息：请用 ./lab debug 编译程序"
    ),
    "(a damaged name)": "（名字已损坏）",
    # frames.py
    "%s has not started, so it has no frames": "%s 还没有启动，所以没有栈帧",
    "%s has ended, so it has no frames": "%s 已经结束，所以没有栈帧",
    "the saved registers of %s do not point to its stack: they are damaged": (
        "%s 保存的寄存器不指向它自己的栈：它们已损坏"
    ),
    "the frames of %s lie in its image (%d bytes), not on the stack: `coroutine N bt` shows them": (
        "%s 的栈帧在它的镜像里（%d 字节），不在栈上：`coroutine N bt` 会显示"
    ),
    "the frames of %s lie in its image: a core dump cannot show them": (
        "%s 的栈帧在它的镜像里：core dump 显示不了"
    ),
    "%s at %s:%d": "%s，在 %s:%d",
    "(%s)": "（%s）",
}


def of_environment():
    """As ./lab: by LC_ALL, else LC_MESSAGES, else LANG."""
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, named), "").startswith("zh") else "en"


LANGUAGE = of_environment()


def say(english, *values):
    """A text of the table with its values, in the language of the reader."""
    text = CHINESE[english] if LANGUAGE == "zh" else english
    return text % values if values else text


def columns(text):
    """How wide it is on a terminal: a Chinese character takes two columns."""
    return sum(2 if "\u2e80" <= c <= "\uffef" else 1 for c in text)


def padded(text, width):
    return text + " " * (width - columns(text))
