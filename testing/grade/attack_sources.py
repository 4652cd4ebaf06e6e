"""What a source of a submission may not reach."""

from pathlib import Path

from support import LAB, ROOT, WALLED, Attack, needs_walls, without_walls


class TheirSources(Attack):
    """What a source may not reach."""

    def test_the_solution_included(self):
        self.refused(self.with_text('#include "labs/01_switch_asm/solution/context.cpp"'), "does not compile")
        self.refused(self.with_text('#include "../solution/context.cpp"'), "does not compile")

    def test_the_solution_included_by_its_whole_path(self):
        solution = ROOT / "labs" / LAB / "solution" / "context.cpp"
        self.refused(self.with_text('#include "%s"' % solution), "does not compile|context.cpp reads .*/solution/")

    @needs_walls
    def test_the_solution_quoted(self):
        solution = ROOT / "labs" / LAB / "solution" / "context.cpp"
        self.refused(self.with_text('asm(".incbin \\"%s\\"");' % solution), "does not compile")

    @needs_walls
    def test_a_secret_of_the_instructor(self):
        self.refused(self.with_text('asm(".incbin \\"/etc/passwd\\"");'), "does not compile")

    def test_nothing_is_written_outside(self):
        target = Path(self.work) / "written"
        self.mark(self.with_text('#include "%s/no/such"' % self.work))
        self.assertFalse(target.exists())

    def test_compile_error_and_the_next_mark(self):
        broken, right = self.mark(self.with_text("not C++"), self.right())
        self.assertRegex(broken.refused, "context.cpp does not compile")
        self.assertEqual((broken.points, right.points), (0, right.most))


if WALLED:
    SourcesWithoutWalls = without_walls(TheirSources)
