"""What an object of a submission may contain. Everything else is refused before it runs."""

import re
import subprocess

from .errors import Refused, printable

# The compiler's own runtime, which any C++ function may call.
RUNTIME = re.compile(
    r"""^(_GLOBAL_OFFSET_TABLE_|_Unwind_Resume|__gxx_personality_v0|__dso_handle|__stack_chk_fail|__cxa_\w+|
    _Zn[wa].*|_Zd[la].*|_ZT[ISV].*|_ZNK?S[tabiosd].*|_ZS[tabiosd].*|_ZNK?9__gnu_cxx.*|_ZNK?10__cxxabiv1.*|
    mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp)|__errno_location|__libc_single_threaded|abort|printf|puts|putchar|
    __printf_chk|__assert_fail|__tls_get_addr|_ZNK?10fiberscope\w+|_ZTHN10fiberscope\w+|_ZTWN10fiberscope\w+|
    fiberscope_\w+)$""",
    re.X,
)
# The channel by which a test's process tells how it went.
NEVER_CALLED = re.compile(r"^_ZN10fiberscope3kit(\d+report_|21set_report_descriptor|13set_exit_hook)")
# A name that only the kit, the tests or the grader's channel may define.
NEVER_DEFINED = re.compile(
    r"^(main|_start|__libc_start_main|fiberscope_(?!lab\d)|_ZNK?10fiberscope(3kit|5trace|7testing)|_ZN5Catch)"
)
RAW_CALL = re.compile(r"\t(syscall|sysenter|int +\$0x80|svc\b)")


def check(file, part, given=None):
    """`part`: the lab that it belongs to. `given`: the object that the tree itself makes of the same file, for a given
    file that includes one of the student's; what it defines is not the student's doing."""
    policy = part.policy
    kept = {name for _, name in symbols(given)[1]} if given is not None else set()
    sections(file)
    undefined, defined = symbols(file)
    mine = re.compile(
        "|".join([r"^_ZT?[A-Z]*N?K?10fiberscope5lab%s" % part.number] + policy.get("defines", [])) or "^$"
    )
    allowed = re.compile("|".join(policy.get("calls", []) + policy.get("defines", [])) or "^$")
    if policy.get("waits_on_atomics", False) and "syscall" in undefined:
        undefined.remove("syscall")
        tool(["objcopy", "--redefine-sym", "syscall=fiberscope_futex", str(file)])  # see futex.c
    for name in undefined:
        if NEVER_CALLED.match(name) or not RUNTIME.match(name) and not allowed.match(name):
            raise Refused("%s calls %s, which lab %s does not need" % (source(file), readable(name), part.number))
    for kind, name in defined:
        if name not in kept:
            check_definition(file, kind, name, mine)
    if not policy.get("system_calls", False):
        raw_calls(file)


def check_definition(file, kind, name, mine):
    if kind == "i":
        raise Refused("%s defines %s, which is chosen while the program is loaded" % (source(file), readable(name)))
    weak = kind in "WVu"
    if weak and not NEVER_DEFINED.match(name) or weak and name.startswith(("_ZTI", "_ZTS", "_ZTV")):
        return
    if (
        weak
        and kind in "Wu"
        and name.startswith(("_ZN10fiberscope3kit", "_ZNK10fiberscope3kit", "_ZN10fiberscope5trace"))
    ):
        return  # an inline function of a header: the kit's own copy is linked first
    if NEVER_DEFINED.match(name) or not mine.match(name):
        raise Refused("%s defines %s, which is not yours to define" % (source(file), readable(name)))


def source(file):
    """The student's name of it: build.py calls it NN.exercise.NAME.o."""
    return file.name.split(".", 2)[2][:-2]


def tool(arguments):
    answer = subprocess.run(arguments, capture_output=True, text=True, errors="replace")
    if answer.returncode != 0:
        raise Refused("an object cannot be read: %s" % printable(answer.stderr))
    return answer.stdout


def symbols(file):
    """(undefined names, [(kind, name)] of the global ones that it defines)."""
    undefined, defined = set(), []
    for line in tool(["nm", "-g", str(file)]).splitlines():
        words = line.split()
        if len(words) == 2:
            undefined.add(words[1])
        elif len(words) == 3:
            defined.append((words[1], words[2]))
    return undefined, defined


def readable(name):
    text = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip() or name
    return printable(text, 160)


STARTERS = (".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors", ".init", ".fini")
# What a compiler makes. Others would speak to the linker: intermediate code that it compiles, options, warnings.
USUAL = re.compile(
    r"\.(text|data|bss|rodata|tdata|tbss|eh_frame|gcc_except_table|group|rela?|debug_\w+|comment|note|symtab|strtab|"
    r"shstrtab|symtab_shndx|gdb_index|llvm_addrsig|debug_gdb_scripts)(\.|$)"
)


def sections(file):
    for line in tool(["readelf", "-SW", str(file)]).splitlines():
        match = re.search(r"\] (\S+) +(\S+) +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) ", line)
        if match and match[1].startswith(".") and not match[1].startswith(STARTERS) and not USUAL.match(match[1]):
            raise Refused("%s has a section that no compiler makes: %s" % (source(file), printable(match[1])))
        if match and match[1].startswith(STARTERS) and int(match[3], 16) > 0:
            raise Refused(
                "%s runs code before or after main (%s): make the object when it is first used"
                % (source(file), printable(match[1]))
            )


def raw_calls(file):
    for line in tool(["objdump", "-d", "--no-show-raw-insn", str(file)]).splitlines():
        if RAW_CALL.search(line):
            raise Refused("%s makes a system call by itself" % source(file))
