"""Limits of a command and of a whole submission, and the outcome of a command."""

from dataclasses import dataclass, field, replace


@dataclass
class Limits:
    processor: int = 10  # seconds, of all its processes
    wall: float = 60.0
    memory: int = 1 << 30  # resident bytes, of all its processes
    processes: int = 256
    file: int = 64 << 20  # bytes of one file
    output: int = 1 << 16  # bytes kept of its output, and of its report
    written: int = 4 << 20  # bytes that it may write there


@dataclass
class Outcome:
    status: int = 0  # as in subprocess: negative for a signal
    output: str = ""
    report: str = ""
    why: str = ""  # the exceeded limit; empty if none
    slow: bool = False  # whether that was a time limit


@dataclass
class Budget:
    """Total seconds for a submission, from its first compiler to its last test. Memory, processes and
    output are limited at every moment, by Limits."""

    processor: float = 240.0
    wall: float = 1200.0
    processor_used: float = 0.0
    wall_used: float = 0.0

    def spent(self):
        """Why nothing more is run; empty while the budget is not exhausted."""
        if self.processor_used >= self.processor:
            return "the submission has used its %g s of processor time" % self.processor
        if self.wall_used >= self.wall:
            return "the submission has used its %g s" % self.wall
        return ""

    def within(self, limits):
        return replace(
            limits,
            processor=max(1, min(limits.processor, round(self.processor - self.processor_used))),
            wall=min(limits.wall, self.wall - self.wall_used),
        )


@dataclass
class View:
    """Files visible to the command besides the system's programs and libraries."""

    readable: list = field(default_factory=list)  # (path outside, path inside)
    writable: list = field(default_factory=list)
    workdir: str = "/tmp"
