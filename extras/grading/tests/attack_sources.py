"""Attacks by sources: files that they must not read, and excessive compile costs."""

import re
from pathlib import Path
from unittest import mock

from grading import build
from grading.sandbox import Limits
from support import LAB, ROOT, WALLED, Attack, needs_walls, without_walls

SOLUTION = ROOT / "labs" / LAB / "solution" / "context.cpp"
THERE = '#if __has_include("%s")\n#error it is there\n#endif'

# Appended to a right file; the included file must not be found.
READS = {
    "solution": '#include "labs/01_switch_asm/solution/context.cpp"',
    "solution_beside": '#include "../solution/context.cpp"',
    "solution_by_its_whole_path": '#include "%s"' % SOLUTION,
    "mutants": 'asm(".incbin \\"%s/labs/01_switch_asm/mutants.json\\"");' % ROOT,
    "solution_quoted": 'asm(".incbin \\"%s\\"");' % SOLUTION,
    "solution_through_proc": '#include "/proc/self/root%s"' % SOLUTION,
    "answer_of_the_reference": 'asm(".incbin \\"%s/build/exercise/bin/lab01_proof_reference\\"");' % ROOT,
    "secret": 'asm(".incbin \\"/etc/passwd\\"");',
    "secret_as_assembler": 'asm(".include \\"/etc/passwd\\"");',
    "secret_as_header": "#include </etc/shadow>",
    "depends_on": '#pragma GCC dependency "%s"\n#include "nowhere"' % SOLUTION,
}
# The probed files do not exist, so the file remains right.
LEFT_OUT = re.compile("|".join((ROOT / "extras/grading/left_out.txt").read_text().split()))
KEPT_FROM_STUDENTS = [
    name for path in sorted(ROOT.glob("labs/**/*.*")) if LEFT_OUT.search(name := str(path.relative_to(ROOT)))
]
PLACES = [*KEPT_FROM_STUDENTS, *(ROOT / name for name in KEPT_FROM_STUDENTS)]
PLACES += ["../solution/context.cpp", "/etc/passwd", "/proc/1/root/etc/passwd"]
PROBES = "\n".join(THERE % name for name in PLACES)

# Code that would not terminate, or exhaust the computer.
COSTS = {
    "file_without_end": '#include "/dev/zero"',
    "bytes_without_end": 'asm(".incbin \\"/dev/zero\\"");',
    "terabyte": 'asm(".fill 1 << 40, 1, 1");',
    "includes_itself": "#include __FILE__",
    "template_without_end": "template <int N> struct A { A<N + 1> x; A<N + 2> y; }; A<0> a;",
    "templates_without_number": "template <int N> struct B : B<N - 1>, B<N - 2 * (N > 1)>::template C<N> {};\n"
    "template <unsigned long N, class... T> struct D : D<N - 1, T..., T..., int> {}; template <class... T> "
    "struct D<0, T...> {}; D<40, int> d;",
    "constant_without_end": "constexpr int f(long n) { while (n) ++n; return 0; } constexpr int x = f(1);",
    "macros": "\n".join("#define M%d M%d M%d M%d M%d" % (i, *[i + 1] * 4) for i in range(20))
    + "\nint x = sizeof M0;",
    "waits": '#include "/dev/tty"\n#include "/dev/stdin"\n#error it went on',
    "repeats": 'asm(".rept 1 << 30\\nnop\\n.endr");',
}
CHEAP = Limits(processor=2, wall=60, memory=600 << 20, file=64 << 20)


class TheirSources(Attack):
    """Files that a source must not read."""

    @needs_walls
    def test_what_is_read(self):
        for name, text in READS.items():
            with self.subTest(name):
                self.refused(self.with_text(text), "does not compile")

    def test_the_solution_by_its_whole_path(self):
        self.refused(self.with_text('#include "%s"' % SOLUTION), "does not compile|must not read .*/solution/")

    @needs_walls
    def test_what_it_costs(self):
        with mock.patch.object(build, "COMPILING", CHEAP):
            for name, text in COSTS.items():
                with self.subTest(name):
                    mark = self.mark(self.with_text(text))
                    self.assertRegex(mark.refused, "does not compile|compilation was stopped|is larger than|links?:")
                    self.assertEqual(mark.points, 0)
                    self.assertLess(mark.processor, 20)

    @needs_walls
    def test_what_is_probed_and_the_next_mark(self):
        broken, probed = self.mark(self.with_text("not C++"), self.with_text(PROBES))
        self.assertRegex(broken.refused, "context.cpp does not compile")
        self.assertEqual((broken.points, probed.refused, probed.points), (0, "", probed.most))

    def test_nothing_is_written_outside(self):
        target = Path(self.work) / "written"
        self.mark(self.with_text('#include "%s/no/such"' % self.work))
        self.assertFalse(target.exists())


if WALLED:
    SourcesWithoutWalls = without_walls(TheirSources)
