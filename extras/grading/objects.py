"""What an object of a submission may contain, read by pyelftools and capstone: sections, symbols, relocations and
instructions as compilers make them for the labs. What is not on the list is refused before it runs, and so is what
cannot be read. It keeps mistakes out, and the easy ways to credit; the sandbox and the questions are the wall."""

import re
import subprocess

import capstone
from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.relocation import RelocationSection
from elftools.elf.sections import SymbolTableSection

from .errors import Refused, printable

MOST_BYTES = 8 << 20
FLAGS = re.ASCII | re.VERBOSE
# The compiler's own runtime, which any C++ function may call.
RUNTIME = re.compile(
    r"""_GLOBAL_OFFSET_TABLE_|_Unwind_Resume|__gxx_personality_v0|__dso_handle|__stack_chk_fail|__cxa_\w+|
    _Zn[wa]\w+|_Zd[la]\w+|_ZT[ISV]\w+|_ZNK?S[tabiosd]\w+|_ZS[tabiosd]\w+|_ZNK?9__gnu_cxx\w+|_ZNK?10__cxxabiv1\w+|
    mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp)|__errno_location|__libc_single_threaded|abort|printf|puts|putchar|
    __printf_chk|__assert_fail|__tls_get_addr|_ZNK?10fiberscope\w+|_ZTHN10fiberscope\w+|_ZTWN10fiberscope\w+|
    fiberscope_\w+""",
    FLAGS,
)
# The channel by which a test's process tells how it went.
NEVER_CALLED = re.compile(r"_ZN10fiberscope3kit(\d+report_|21set_report_descriptor|13set_exit_hook)")
# A name that only the kit, the tests or the grader's channel may define.
NEVER_DEFINED = re.compile(r"fiberscope_(?!lab\d)|_ZNK?10fiberscope(3kit|5trace|7testing)|_ZN5Catch")
# What the compiler puts into each object that uses it; the linker takes the first. C's names are not among them: a weak
# memcmp of the student's would stand before the library's, for the tests as well.
SHARED = re.compile(r"_Z\w[\w.]*|DW\.ref\.\w+|__clang_call_terminate", FLAGS)
SHARED_OF_KIT = re.compile(r"_ZNK?10fiberscope(3kit|5trace)")  # inline: the kit's own copy is linked first

# Sections by name: the flags that they may have, and the types. M: merged, S: strings, G: of a group, T: of a thread.
SECTIONS = [
    (re.compile(name, FLAGS), set(flags), set(types.split()))
    for name, flags, types in (
        (r"\.text(\.[\w.]+)?", "AXG", "SHT_PROGBITS"),
        (r"\.data(\.[\w.]+)?", "AWG", "SHT_PROGBITS"),
        (r"\.bss(\.[\w.]+)?", "AWG", "SHT_NOBITS"),
        (r"\.rodata(\.[\w.]+)?", "AMSG", "SHT_PROGBITS"),
        (r"\.tdata(\.[\w.]+)?", "AWTG", "SHT_PROGBITS"),
        (r"\.tbss(\.[\w.]+)?", "AWTG", "SHT_NOBITS"),
        (r"\.gcc_except_table(\.[\w.]+)?", "AGO", "SHT_PROGBITS"),
        (r"\.eh_frame", "A", "SHT_PROGBITS SHT_AMD64_UNWIND SHT_X86_64_UNWIND"),
        (r"\.debug_(?!gdb_scripts)\w+", "MSGC", "SHT_PROGBITS"),
        (r"\.comment", "MS", "SHT_PROGBITS"),
        (r"\.note\.GNU-stack", "", "SHT_PROGBITS"),
        (r"\.note\.gnu\.property", "A", "SHT_NOTE"),
        (r"\.llvm_addrsig", "E", "1879002115"),
        (r"\.group", "", "SHT_GROUP"),
        (r"\.rela\.[\w.]+", "IG", "SHT_RELA"),
        (r"\.symtab", "", "SHT_SYMTAB"),
        (r"\.symtab_shndx", "", "SHT_SYMTAB_SHNDX"),
        (r"\.strtab|\.shstrtab", "", "SHT_STRTAB"),
        (r"", "", "SHT_NULL"),
    )
]
BITS = {"W": 1, "A": 2, "X": 4, "M": 0x10, "S": 0x20, "I": 0x40, "O": 0x80, "G": 0x200, "T": 0x400, "C": 0x800}
BITS["E"] = 0x80000000
STARTERS = {"SHT_INIT_ARRAY", "SHT_FINI_ARRAY", "SHT_PREINIT_ARRAY"}
STARTERS_NAME = re.compile(r"\.(init|fini|preinit|ctors|dtors)")

SYMBOLS = {"STT_NOTYPE", "STT_OBJECT", "STT_FUNC", "STT_SECTION", "STT_FILE", "STT_TLS"}
BINDINGS = {"STB_LOCAL", "STB_GLOBAL", "STB_WEAK", "STB_LOOS"}  # the last is GNU's: one for the whole process
GLOBAL_NAME = re.compile(r"[A-Za-z_][\w.]*", FLAGS)
MACHINES = {  # relocations that a compiler leaves to the linker; none that the loader would obey
    "EM_X86_64": ({*range(1, 5), *range(9, 12), *range(17, 30), 31, *range(32, 37), 41, 42}, capstone.CS_ARCH_X86),
    "EM_AARCH64": ({*range(256, 574)}, capstone.CS_ARCH_ARM64),
}
RAW_CALLS = re.compile(r"\b(syscall|sysenter|int|svc|hvc|smc|sysret\w*|iret\w*)$")


def check(file, part, given=None):
    """`part`: the lab that it belongs to. `given`: the object that the tree itself makes of the same file, for a given
    file that includes one of the student's; what it defines is not the student's doing. Throws Refused."""
    if file.stat().st_size > MOST_BYTES:
        raise Refused("%s becomes an object of more than %d MB" % (source(file), MOST_BYTES >> 20))
    try:
        with open(file, "rb") as stream:
            ObjectFile(ELFFile(stream), source(file), part).check(names_in(given) if given is not None else set())
    except (
        ELFError,
        UnicodeError,
        ValueError,
        KeyError,
        IndexError,
        AttributeError,
        TypeError,
        OverflowError,
    ) as error:
        raise Refused("an object cannot be read: %s" % printable(str(error)))
    if part.policy.get("waits_on_atomics", False):  # see futex.c
        subprocess.run(["objcopy", "--redefine-sym", "syscall=fiberscope_futex", str(file)], check=True)


def source(file):
    """The student's name of it: build.py calls it NN.exercise.NAME.o."""
    return file.name.split(".", 2)[2][:-2]


def names_in(file):
    with open(file, "rb") as stream:
        return {symbol.name for symbol in symbols_of(ELFFile(stream)) if symbol["st_shndx"] != "SHN_UNDEF"}


def symbols_of(elf):
    return [
        one for table in elf.iter_sections() if isinstance(table, SymbolTableSection) for one in table.iter_symbols()
    ]


def either(patterns):
    return re.compile("|".join("(?:%s)" % one for one in patterns) or r"(?!)", re.ASCII)


class ObjectFile:
    def __init__(self, elf, name, part):
        self.elf, self.name, self.part = elf, name, part
        policy = part.policy
        mine = [r"_ZT?[A-Z]*N?K?10fiberscope5lab%s\w*" % part.number, *policy.get("defines", [])]
        calls = [*policy.get("calls", []), *policy.get("defines", [])]
        self.mine = either(mine)
        self.allowed = either(calls + (["syscall"] if policy.get("waits_on_atomics", False) else []))

    def check(self, kept):
        machine = self.elf["e_machine"]
        if self.elf["e_type"] != "ET_REL" or self.elf.elfclass != 64 or machine not in MACHINES:
            raise Refused("an object cannot be read: %s" % "it is not one of this computer")
        for section in self.elf.iter_sections():
            self.check_section(section)
            if section.name.startswith((".debug_", ".rela.debug_")):
                continue  # no program loads them, and they are most of it
            if isinstance(section, RelocationSection):
                self.check_relocations(section, MACHINES[machine][0])
            elif section["sh_flags"] & BITS["X"]:
                self.check_instructions(section, MACHINES[machine][1])
        for symbol in symbols_of(self.elf):
            self.check_symbol(symbol, kept)

    def check_section(self, section):
        name, kind, flags = section.name, str(section["sh_type"]), section["sh_flags"]
        if kind in STARTERS or STARTERS_NAME.match(name):
            raise Refused(
                "%s runs code before or after main (%s): make the object when it is first used"
                % (self.name, printable(name))
            )
        if any(
            pattern.fullmatch(name) and kind in types and not flags & ~sum(BITS[letter] for letter in letters)
            for pattern, letters, types in SECTIONS
        ):
            return
        raise Refused("%s has a section that no compiler makes: %s" % (self.name, printable(name)))

    def check_relocations(self, section, known):
        for relocation in section.iter_relocations():
            if relocation["r_info_type"] not in known:
                number = relocation["r_info_type"]
                raise Refused("%s has a relocation that no compiler makes: %d" % (self.name, number))

    def check_symbol(self, symbol, kept):
        name, kind, binding = symbol.name, symbol["st_info"]["type"], symbol["st_info"]["bind"]
        if kind not in SYMBOLS or binding not in BINDINGS or symbol["st_shndx"] == "SHN_COMMON":
            raise Refused("%s defines %s, which is chosen while the program is loaded" % (self.name, readable(name)))
        if binding == "STB_LOCAL" or name in kept:
            return
        if symbol["st_shndx"] == "SHN_UNDEF":
            self.check_call(name)
        elif not GLOBAL_NAME.fullmatch(name) or not self.may_define(name, binding != "STB_GLOBAL"):
            raise Refused("%s defines %s, which is not yours to define" % (self.name, readable(name)))

    def check_call(self, name):
        if NEVER_CALLED.match(name) or not RUNTIME.fullmatch(name) and not self.allowed.fullmatch(name):
            raise Refused("%s calls %s, which lab %s does not need" % (self.name, readable(name), self.part.number))

    def may_define(self, name, weak):
        if weak and SHARED.fullmatch(name):
            return not NEVER_DEFINED.match(name) or SHARED_OF_KIT.match(name)
        return not NEVER_DEFINED.match(name) and self.mine.fullmatch(name)

    def check_instructions(self, section, machine):
        """What a disassembler sees from the begin of the section: code that jumps into the middle of an instruction is
        another's matter, the sandbox's."""
        mode = capstone.CS_MODE_64 if machine == capstone.CS_ARCH_X86 else capstone.CS_MODE_ARM
        reader = capstone.Cs(machine, mode)
        reader.skipdata = True
        for _, _, mnemonic, operands in reader.disasm_lite(section.data(), 0):
            if RAW_CALLS.search(mnemonic) and not (mnemonic == "int" and operands != "0x80"):
                raise Refused("%s makes a system call by itself" % self.name)


def readable(name):
    text = subprocess.run(["c++filt", name], capture_output=True, text=True).stdout.strip() or name
    return printable(text, 160)
