"""The system calls allowed to a submission's process: a libseccomp filter, which bubblewrap loads. All others fail with
ENOSYS, so that the C library falls back if it can: access to other processes' memory, tracing, namespaces, mounts, the
kernel's keys, modules and performance counters, io_uring, and new system calls."""

import contextlib
import errno
import os
import socket

try:
    import seccomp
except ImportError:
    seccomp = None

ALLOWED = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close close_range dup dup2 dup3 fcntl
open openat openat2 creat stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents
getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink
symlinkat chmod fchmod fchmodat chown fchown fchownat lchown truncate ftruncate fallocate fsync fdatasync
sync_file_range utime utimes utimensat futimesat umask statfs fstatfs fadvise64 readahead flock
sendfile splice tee vmsplice
copy_file_range
pipe pipe2 mknod mknodat poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait
epoll_pwait2 eventfd eventfd2 signalfd signalfd4 timerfd_create timerfd_settime timerfd_gettime inotify_init
inotify_init1 pidfd_open inotify_add_watch inotify_rm_watch
socketpair bind listen accept accept4 connect getsockname getpeername getsockopt setsockopt shutdown sendto recvfrom
sendmsg recvmsg sendmmsg recvmmsg
munmap mremap mprotect madvise msync mincore mlock mlock2 munlock brk membarrier
pkey_alloc pkey_free pkey_mprotect get_mempolicy set_mempolicy mbind
execve exit exit_group wait4 waitid vfork fork kill tkill tgkill getpid gettid getppid getpgid getpgrp setpgid getsid
setsid set_tid_address set_robust_list get_robust_list rseq futex futex_waitv sched_yield sched_getaffinity
sched_setaffinity sched_getparam sched_setparam sched_getscheduler sched_setscheduler sched_get_priority_max
sched_get_priority_min sched_rr_get_interval getcpu getpriority setpriority prlimit64 getrlimit setrlimit getrusage
times sysinfo uname prctl arch_prctl capget
rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigpending rt_sigtimedwait rt_sigqueueinfo rt_tgsigqueueinfo
sigaltstack pause alarm getitimer setitimer timer_create timer_settime timer_gettime timer_getoverrun timer_delete
restart_syscall
nanosleep clock_nanosleep clock_gettime clock_getres gettimeofday time
getuid geteuid getgid getegid getresuid getresgid getgroups getrandom
mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
msgget msgsnd msgrcv msgctl semget semop semtimedop semctl
""".split()

NEW_NAMESPACES = 0x7E020080  # CLONE_NEW*: also a new user, as which one would be root
FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
MAP_SHARED, MAP_ANONYMOUS = 1, 0x20  # the first is also in MAP_SHARED_VALIDATE
TIOCSTI = 0x5412  # simulates terminal input


def filter_of_calls():
    """The BPF program, in bytes."""
    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.ENOSYS))
    for name in ALLOWED:
        with contextlib.suppress(RuntimeError):  # unknown to this library version
            made.add_rule(seccomp.ALLOW, name)
    made.add_rule(seccomp.ALLOW, "clone", seccomp.Arg(0, seccomp.MASKED_EQ, NEW_NAMESPACES, 0))
    # Pages that no process has mapped are not counted: no memfd, no segment. (Anonymous shared memory is freed with its
    # last mapping; tests that explore schedules keep their journal in it.)
    made.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, MAP_SHARED, 0))
    made.add_rule(seccomp.ALLOW, "mmap", seccomp.Arg(3, seccomp.MASKED_EQ, MAP_ANONYMOUS, MAP_ANONYMOUS))
    made.add_rule(seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.NE, TIOCSTI))
    for family in FAMILIES:
        made.add_rule(seccomp.ALLOW, "socket", seccomp.Arg(0, seccomp.EQ, family))
    with os.fdopen(os.memfd_create("filter"), "w+b") as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
