"""What one command may take, what a submission may take in all, and how a command ended."""

from dataclasses import dataclass, field, replace


@dataclass
class Limits:
    processor: int = 10  # seconds, of all its processes
    wall: float = 60.0
    memory: int = 1 << 30  # bytes resident, of all its processes
    processes: int = 256
    file: int = 64 << 20  # bytes of one file
    output: int = 1 << 16  # bytes that are kept of its output, and of its report
    written: int = 4 << 20  # bytes that it may write there


@dataclass
class Outcome:
    status: int = 0  # as subprocess has it: negative for a signal
    output: str = ""
    report: str = ""
    why: str = ""  # which limit ended it; empty if none did
    slow: bool = False  # whether that was a limit of time


@dataclass
class Budget:
    """What a submission may take in all, from its first compiler to its last test: seconds. Memory, processes and
    output are limited at every moment, by Limits."""

    processor: float = 240.0
    wall: float = 1200.0
    processor_used: float = 0.0
    wall_used: float = 0.0

    def spent(self):
        """Why nothing more is run; empty while something is left."""
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
    """What the command sees besides the system's programs and libraries."""

    readable: list = field(default_factory=list)  # (place outside, place inside)
    writable: list = field(default_factory=list)
    workdir: str = "/tmp"
