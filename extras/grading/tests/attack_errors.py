"""What a student is told of a file that does not compile, assemble or link: what the compiler, the assembler or the
linker says is wrong, in the mark as by ./lab check."""

import shutil
import tempfile
from pathlib import Path

from grading import build, sandbox
from grading.errors import Refused
from support import ARCH, FILES, LAB, ROOT, Attack

SWITCH, CONTEXT = "switch_%s.S" % ARCH, "context.cpp"
PLACE = sandbox.claim_place()


def tearDownModule():
    sandbox.release_place(PLACE)


# name: (file, what is added to it, what the student must read)
ERRORS = {
    # ---- the compiler
    "syntax": (CONTEXT, "int f( {", r"context.cpp:\d+:\d+: error: expected"),
    "name": (CONTEXT, "int f() { return nowhere; }", "'nowhere' was not declared"),
    "type": (CONTEXT, 'int f() { return "x"; }', "error: invalid conversion"),
    "header": (CONTEXT, '#include "nowhere.h"', "fatal error: nowhere.h: No such file"),
    "brace": (CONTEXT, "namespace a {", "error: expected '}'"),
    "directive": (CONTEXT, "#error not yet", "error: #error not yet$"),
    "unfinished_condition": (CONTEXT, "#if 1", "error: unterminated"),
    "template": (
        CONTEXT,
        "#include <vector>\nauto f() { return std::vector<void>(3); }",
        r"exercise/context.cpp:\d+:\d+: +required from here \\| .*error: .*void",
    ),
    "static_assertion": (
        CONTEXT,
        'static_assert(sizeof(int) == 3, "three");',
        "error: static assertion failed: three",
    ),
    "twice_in_one_file": (CONTEXT, "int f() { return 1; }\nint f() { return 2; }", "error: redefinition of"),
    "not_as_declared": (
        CONTEXT,
        '#include "labs/01_switch_asm/context.h"\nint fiberscope::lab01::make_context() { return 1; }',
        "error: .*make_context",
    ),
    "bytes": (CONTEXT, "\x01\x02", r"error: stray '\\1'"),
    # ---- the assembler
    "instruction": (SWITCH, "  moveq %rax, %rbx", r"switch_\w+.S:\d+: Error: (no such|unknown mnemonic)"),
    "register": (SWITCH, "  mov %rxx, %rbx", r"S:\d+: Error: (bad register|unexpected|operand)"),
    "operands": (SWITCH, "  mov 8(%rax), 8(%rbx)", r"S:\d+: Error: "),
    "label_twice": (SWITCH, "here: nop\nhere:", r"S:\d+: Error: symbol .here. is already defined"),
    "directive_of_assembler": (SWITCH, "  .nowhere", r"S:\d+: Error: unknown pseudo-op"),
    "comment": (SWITCH, "/* no end", r"error: unterminated comment"),
    "macro": (SWITCH, "  .macro m", r"Error: .*(macro|\.endm)|end of file"),
    "inside_cpp": (CONTEXT, 'void f() { asm("moveq %rax, %rbx"); }', r"Error: (no such|unknown)"),
    "unwind": (SWITCH, "  .cfi_startproc\nn:", r"Error: open CFI|\.cfi_endproc"),
    # ---- the linker
    "undefined": (CONTEXT, "namespace fiberscope::lab01 { void gone(); void f() { gone(); } }", "undef.*lab01::gone"),
    "twice": (
        CONTEXT,
        'namespace fiberscope::lab01 { void a() {} }\nasm(".globl _switch\\n_switch:");',
        r"(multiple definition of|duplicate symbol).*_switch",
    ),
    "out_of_reach": (CONTEXT, 'asm(".text\\njmp _switch\\n.byte _switch - .");', "relocation"),
}


class TheirErrors(Attack):
    """Only the file that is wrong is compiled again."""

    def test_what_is_told(self):
        place, box = Path(tempfile.mkdtemp(dir=self.work)), sandbox.Sandbox(PLACE, self.walled)
        place.chmod(0o755)
        solution = {name: (ROOT / "labs" / LAB / "solution" / name).read_bytes() for name in FILES}
        build.prepare(self.ground, {LAB: solution}, place, box)
        part = self.ground.part(LAB)
        commands = {Path(source).name: (source, command) for source, command in part.compiles.items()}

        def compiled(file):
            return build.compile_one(self.ground, part, *commands[file], place, box)

        (place / "right").mkdir()  # an object that is made in vain is gone
        right = {file: shutil.copy(compiled(file), place / "right") for file in commands}
        for name, (file, text, pattern) in ERRORS.items():
            box.budget = sandbox.Budget()
            edited = place / "labs" / LAB / "exercise" / file
            edited.write_bytes(solution[file] + text.encode() + b"\n")
            with self.subTest(name):
                told = self.refusal(lambda: {part: [*{**right, file: compiled(file)}.values()]}, place)
                self.assertRegex(told, pattern)
                self.assertNotRegex(told, "Assembler messages|collect2|%s|%s" % (ROOT, self.work))
            edited.write_bytes(solution[file])

    def refusal(self, parts, place):
        try:
            build.link(self.ground, "tests", parts(), place / "tests")
            return ""
        except Refused as refusal:
            return str(refusal)
