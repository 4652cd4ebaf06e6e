"""Attacks by sources: files that they must not read, and excessive compile costs."""

import re
from unittest import mock

from grading import build
from grading.sandbox import Limits
from support import LAB, ROOT, Attack

SOLUTION = ROOT / "labs" / LAB / "solution" / "context.cpp"
THERE = '#if __has_include("%s")\n#error it is there\n#endif'

# Appended to a right file; the included file must not be found.
READS = {
    "solution": '#include "labs/01_switch_asm/solution/context.cpp"',
    "solution_by_its_whole_path": '#include "%s"' % SOLUTION,
    "solution_quoted": 'asm(".incbin \\"%s\\"");' % SOLUTION,
    "solution_through_proc": '#include "/proc/self/root%s"' % SOLUTION,
    "answer_of_the_reference": 'asm(".incbin \\"%s/build/exercise/bin/lab01_proof_reference\\"");' % ROOT,
    "secret": 'asm(".incbin \\"/etc/passwd\\"");',
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
    "bytes_without_end": 'asm(".incbin \\"/dev/zero\\"");',
    "terabyte": 'asm(".fill 1 << 40, 1, 1");',
    "template_without_end": "template <int N> struct A { A<N + 1> x; A<N + 2> y; }; A<0> a;",
    "constant_without_end": "constexpr int f(long n) { while (n) ++n; return 0; } constexpr int x = f(1);",
    "macros": "\n".join("#define M%d M%d M%d M%d M%d" % (i, *[i + 1] * 4) for i in range(20))
    + "\nint x = sizeof M0;",
}
CHEAP = Limits(processor=2, wall=60, memory=600 << 20, file=64 << 20)


class TheirSources(Attack):
    """Files that a source must not read."""

    def test_what_is_read(self):
        for name, text in READS.items():
            with self.subTest(name):
                self.refused(self.with_text(text), "does not compile")

    def test_what_it_costs(self):
        with mock.patch.object(build, "COMPILING", CHEAP):
            for name, text in COSTS.items():
                with self.subTest(name):
                    mark = self.mark(self.with_text(text))
                    self.assertRegex(mark.refused, "does not compile|compilation was stopped|is larger than|links?:")
                    self.assertEqual(mark.points, 0)
                    self.assertLess(mark.processor, 20)

    def test_what_is_probed_and_the_next_mark(self):
        broken, probed = self.mark(self.with_text("not C++"), self.with_text(PROBES))
        self.assertRegex(broken.refused, "context.cpp does not compile")
        self.assertEqual((broken.points, probed.refused, probed.points), (0, "", probed.most))
