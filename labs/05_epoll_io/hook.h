// Step 5.5: the hook. Functions with the names of the C library's stand in front of the C library's own. In a task that
// asks for it, a call that would block parks the task; the program is written as for calls that block. libco's
// co_hook_sys_call, sylar's hook.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {

/// Whether this program has the hook: not under ThreadSanitizer, which puts functions of its own in front of the C
/// library's.
inline constexpr bool kHookBuilt = !kit::kUnderTsan;

/// The environment of one task: what getenv and setenv see there before that of the process. libco's pvEnv.
using Environment = std::map<std::string, std::string, std::less<>>;

/// An object on a task's stack: as long as it lives, the task's calls are hooked (`on`), or are not. The innermost
/// scope counts. libco's co_enable_hook_sys and co_disable_hook_sys, with an end.
class alignas(16) HookScope {
  public:
    /// `environment`: the task's own from now on, not owned. Null: the one that the task had, or that of the process.
    /// Throws Misuse outside of tasks.
    explicit HookScope(bool on, Environment* environment = nullptr);
    ~HookScope();
    HookScope(const HookScope&) = delete;
    HookScope& operator=(const HookScope&) = delete;

    /// The innermost of the task that runs here; null if there is none, if it is off, or outside of tasks.
    static HookScope* here() noexcept;
    Environment* environment() const noexcept { return environment_; }

  private:
    lab04::Task& task_;
    void* outer_;  ///< what stood in the task's `io` before
    Environment* environment_;
};

/// A task whose calls are hooked. Ends the program with a sentence if interpose.cpp does not stand before the C
/// library.
lab04::Handle go_hooked(lab04::Body body, std::string name = {});

// ---- what is given --------------------------------------------------------------------------------------------------

/// What the hook must know of a descriptor: how to call without waiting, and how long the program is ready to wait.
struct HookedDescriptor {
    enum class Kind : std::uint8_t {
        unknown,
        socket,  ///< takes MSG_DONTWAIT
        pipe,    ///< pipes, terminals and the like: ask before the call
        passes,  ///< what epoll refuses (files, /dev/null), and what is no descriptor: straight through
    };
    Kind kind = Kind::unknown;
    bool takes_nowait = false;           ///< RWF_NOWAIT may work: the kernel has not refused it yet
    std::size_t least = 0;               ///< bytes: fewer are an error at once (eventfd, timerfd, signalfd)
    std::size_t at_least = 1;            ///< of a stream: a receive waits for so many bytes (SO_RCVLOWAT)
    bool nonblocking = false;            ///< the program has set O_NONBLOCK: a call that would block returns EAGAIN
    std::uint64_t read_limit = kNever;   ///< ns: SO_RCVTIMEO
    std::uint64_t write_limit = kNever;  ///< ns: SO_SNDTIMEO

    std::uint64_t limit(Want want) const noexcept { return want == Want::read ? read_limit : write_limit; }
};
/// Asks the kernel at the first call for a number. Changes no descriptor's flags.
HookedDescriptor hooked_descriptor(int fd);
/// The descriptor's flags or options have changed, or its number is given out anew: the next call asks the kernel
/// again.
void look_again(int fd) noexcept;
/// The same for every number of the same open file. Once this process has copied a descriptor (note_copy), these are
/// not known, so all are asked again.
void look_again_at_copies(int fd) noexcept;
/// A descriptor was copied: the copy shares its flags and options.
void note_copy() noexcept;
/// Links the given names into the program that calls it, and checks that read and write are this program's.
void names_of_the_hook();
/// The same for those in given/hook_made.cpp.
void names_that_make_descriptors() noexcept;
/// The kernel has refused RWF_NOWAIT for it.
void note_no_nowait(int fd) noexcept;

/// -1 with EAGAIN if `fd` is not ready, else what `attempt` returns: for calls that take no MSG_DONTWAIT. What the
/// kernel tells at once, ready or not, is no reason to ask: see first that the call could wait. A write to a pipe
/// without a reader returns EPIPE and raises no SIGPIPE.
/// Between the question and the attempt another thread or process may take what was there: so for the attempt `fd` does
/// not block, and -1 with EAGAIN is the result then too.
long if_ready(int fd, Want want, Attempt attempt);
/// O_NONBLOCK is set for the attempt, and the flags are restored. Hooked attempts of this process exclude each other; a
/// call by another owner of the open file may return EAGAIN if it begins meanwhile.
long without_waiting(int fd, Attempt attempt);
/// What `attempt` returns; one that has written to what has no reader returns EPIPE and raises no SIGPIPE.
long without_sigpipe(Attempt attempt);
/// -1 with EAGAIN, after a pause: where epoll would call `fd` ready at once, so that a wait for it would turn at full
/// speed.
long pause_and_try_again();
/// One attempt to read or write a pipe, a terminal or the like: what is there, or as much as has room; -1 with EAGAIN
/// if it would wait. By RWF_NOWAIT where the kernel has it; else it asks first (if_ready), and writes PIPE_BUF bytes at
/// most. A read of a FIFO that has no writer returns without being readable.
ssize_t read_now(int fd, void* buffer, std::size_t size);
ssize_t write_now(int fd, const void* buffer, std::size_t size);
ssize_t read_now(int fd, const iovec* parts, int count);
ssize_t write_now(int fd, const iovec* parts, int count);

// ---- what the student writes ----------------------------------------------------------------------------------------

using ReadFunction = ssize_t (*)(int, void*, std::size_t);
using WriteFunction = ssize_t (*)(int, const void*, std::size_t);

/// First stage, in interpose.cpp. The C library's read and write, which this program's functions of the same names
/// hide. Found once, by dlsym(RTLD_NEXT, …): the search begins behind this program. libco's g_sys_read_func, sylar's
/// read_f. `extern "C"` read and write, beside them, call these outside of hooked tasks, and hook::read and hook::write
/// in them.
ReadFunction next_read() noexcept;
WriteFunction next_write() noexcept;

/// What the C library's names do in a hooked task. Signatures, results and errno are those of the functions of the same
/// name, for a descriptor that blocks.
namespace hook {

/// First stage. The given recv knows how to wait for several bytes: return its result for a socket with `at_least`
/// larger than 1.
ssize_t read(int fd, void* buffer, std::size_t size);
ssize_t write(int fd, const void* buffer, std::size_t size);

/// Second stage: one attempt after the other, until one succeeds or the descriptor's limit (SO_RCVTIMEO, SO_SNDTIMEO)
/// has passed: then -1 with EAGAIN. For a descriptor that the program made non-blocking, one attempt.
long blocking(IoCall call, Attempt attempt);

/// Third stage. connect: -1 with EINPROGRESS when SO_SNDTIMEO has passed. One that the program has begun itself, while
/// the descriptor did not block (EALREADY), is waited for; when the limit passes, the error is EALREADY then.
/// kQueueFull where io::begin_connect returns it: return it, and the given code calls this again after a while. A
/// socket that the program made non-blocking is connected by the system call alone, as without a hook. As in C, errno
/// is told by a call that has failed, and may be anything after one that succeeds. sleep: how much is left when it is
/// woken before its time, by a cancel, ns; errno is as it was before.
int connect(int fd, const sockaddr* address, socklen_t length);
std::uint64_t sleep(std::uint64_t ns);

}  // namespace hook

/// Given. A call of several parts, in one `blocking`, so that the descriptor's limit is for the whole call, as in the
/// kernel. `part(done)` tries what comes after the first `done` bytes, until all is done, or at an end (0), or at an
/// error. If a part was done before the error, its size is the result.
template <class Part>
ssize_t in_parts(const IoCall& call, std::size_t size, Part part) {
    const int error_before = last_error();
    std::size_t done = 0;
    const long result = hook::blocking(call, [&]() -> long {
        for (;;) {
            const long more = part(done);
            if (more < 0) return more;
            done += static_cast<std::size_t>(more);
            if (more == 0 || done >= size) return static_cast<long>(done);
        }
    });
    if (result >= 0 || done == 0) return result;
    set_last_error(error_before);
    return static_cast<ssize_t>(done);
}

}  // namespace fiberscope::lab05
