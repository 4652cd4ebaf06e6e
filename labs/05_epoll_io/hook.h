// Step 5.5: the hook. Functions with the C library's names intercept its calls. In a hooked task, a call that would
// block parks the task, so the program can be written with blocking calls. libco's co_hook_sys_call, sylar's hook.
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

/// Whether this program has the hook. Not under ThreadSanitizer, which intercepts the same functions.
inline constexpr bool kHookBuilt = !kit::kUnderTsan;

/// The environment of one task, which getenv and setenv consult before that of the process. libco's pvEnv.
using Environment = std::map<std::string, std::string, std::less<>>;

/// A scope on a task's stack within which the task's calls are hooked (`on`) or not. The innermost scope applies.
/// libco's co_enable_hook_sys and co_disable_hook_sys, as RAII.
class alignas(16) HookScope {
  public:
    /// `environment`: the task's environment in this scope, not owned. Null: keeps that of the task or the process.
    /// Throws Misuse outside of tasks.
    explicit HookScope(bool on, Environment* environment = nullptr);
    ~HookScope();
    HookScope(const HookScope&) = delete;
    HookScope& operator=(const HookScope&) = delete;

    /// The innermost scope of the running task; null if it has none, if that one is off, or outside of tasks.
    static HookScope* here() noexcept;
    Environment* environment() const noexcept { return environment_; }

  private:
    lab04::Task& task_;
    void* outer_;  ///< previous value of the task's `io`
    Environment* environment_;
};

/// Starts a task whose calls are hooked. Aborts with a message if interpose.cpp does not intercept the C library.
lab04::Handle go_hooked(lab04::Body body, std::string name = {});

// ---- given ----------------------------------------------------------------------------------------------------------

/// What the hook knows about a descriptor: how to call without blocking, and the program's time limits.
struct HookedDescriptor {
    enum class Kind : std::uint8_t {
        unknown,
        socket,  ///< accepts MSG_DONTWAIT
        pipe,    ///< pipes, terminals and similar: poll before the call
        passes,  ///< refused by epoll (files, /dev/null), or not a descriptor: called directly
    };
    Kind kind = Kind::unknown;
    bool takes_nowait = false;  ///< RWF_NOWAIT may work: the kernel has not refused it yet
    std::size_t least = 0;  ///< minimum size in bytes; a smaller buffer fails immediately (eventfd, timerfd, signalfd)
    std::size_t at_least = 1;            ///< of a stream: a receive waits for this many bytes (SO_RCVLOWAT)
    bool nonblocking = false;            ///< the program has set O_NONBLOCK: a call that would block returns EAGAIN
    std::uint64_t read_limit = kNever;   ///< ns: SO_RCVTIMEO
    std::uint64_t write_limit = kNever;  ///< ns: SO_SNDTIMEO

    std::uint64_t limit(Want want) const noexcept { return want == Want::read ? read_limit : write_limit; }
};
/// Returns the entry of `fd`, querying the kernel on first use. Changes no flags.
HookedDescriptor hooked_descriptor(int fd);
/// Invalidates the entry of `fd`, whose flags or options have changed or whose number has been reused: the next call
/// queries the kernel again.
void look_again(int fd) noexcept;
/// Invalidates the entries of all numbers of the same open file. Once this process has duplicated a descriptor
/// (note_copy) these are unknown, so all entries are invalidated.
void look_again_at_copies(int fd) noexcept;
/// Notes that a descriptor was duplicated: the copy shares its flags and options.
void note_copy() noexcept;
/// Links given/hook_names.cpp into the calling program, and checks that it defines read and write itself.
void names_of_the_hook();
/// The same for given/hook_made.cpp.
void names_that_make_descriptors() noexcept;
/// Notes that the kernel has refused RWF_NOWAIT for `fd`.
void note_no_nowait(int fd) noexcept;

/// Returns -1 with EAGAIN if `fd` is not ready, else the result of `attempt`; for calls without MSG_DONTWAIT. Do not
/// use it for a call that returns immediately whether `fd` is ready or not. A write to a pipe without a reader returns
/// EPIPE and raises no SIGPIPE. Another thread or process may consume the data between the check and the attempt: `fd`
/// is therefore nonblocking during the attempt, which may also return -1 with EAGAIN.
long if_ready(int fd, Want want, Attempt attempt);
/// Sets O_NONBLOCK for the attempt and restores the flags. Hooked attempts of this process exclude each other; a call
/// by another owner of the open file may return EAGAIN if it begins in the meantime.
long without_waiting(int fd, Attempt attempt);
/// Returns the result of `attempt`; a write without a reader returns EPIPE and raises no SIGPIPE.
long without_sigpipe(Attempt attempt);
/// Returns -1 with EAGAIN after a pause. For descriptors that epoll would report ready at once, so that waiting for
/// them would spin.
long pause_and_try_again();
/// One attempt to read or write a pipe, terminal or similar: what is available, or as much as fits; -1 with EAGAIN if
/// it would block. Uses RWF_NOWAIT where the kernel supports it; otherwise polls first (if_ready), and writes at most
/// PIPE_BUF bytes. A read of a FIFO without a writer returns although it is not readable.
ssize_t read_now(int fd, void* buffer, std::size_t size);
ssize_t write_now(int fd, const void* buffer, std::size_t size);
ssize_t read_now(int fd, const iovec* parts, int count);
ssize_t write_now(int fd, const iovec* parts, int count);

// ---- written by the student -----------------------------------------------------------------------------------------

using ReadFunction = ssize_t (*)(int, void*, std::size_t);
using WriteFunction = ssize_t (*)(int, const void*, std::size_t);

/// First stage, in interpose.cpp. The C library's read and write, which this program's functions of the same names
/// hide. Looked up once by dlsym(RTLD_NEXT, …), which starts the search after this program. libco's g_sys_read_func,
/// sylar's read_f. The `extern "C"` read and write in the same file call these outside of hooked tasks, and hook::read
/// and hook::write in hooked tasks.
ReadFunction next_read() noexcept;
WriteFunction next_write() noexcept;

/// Implementations of the C library's functions for hooked tasks. Signatures, results and errno are those of the
/// functions of the same name, for a blocking descriptor.
namespace hook {

/// First stage. For a socket with `at_least` larger than 1, return the result of the given recv, which waits for
/// several bytes.
ssize_t read(int fd, void* buffer, std::size_t size);
ssize_t write(int fd, const void* buffer, std::size_t size);

/// Second stage. Repeats the attempt until one succeeds or the descriptor's limit (SO_RCVTIMEO, SO_SNDTIMEO) has
/// passed: then returns -1 with EAGAIN. Makes a single attempt if the program has made the descriptor nonblocking.
long blocking(IoCall call, Attempt attempt);

/// Third stage. connect: returns -1 with EINPROGRESS when SO_SNDTIMEO has passed. Waits for a connect that the program
/// began itself while the descriptor was nonblocking (EALREADY); after the limit the error is then EALREADY. Returns
/// kQueueFull if io::begin_connect does; the given code then retries after a pause. For a socket that the program made
/// nonblocking, only the system call is made, as without a hook. As in C, errno is set by a failed call and unspecified
/// after a successful one. sleep: returns the remaining ns if a cancel wakes it early; preserves errno.
int connect(int fd, const sockaddr* address, socklen_t length);
std::uint64_t sleep(std::uint64_t ns);

}  // namespace hook

/// Given. Makes a call of several parts within one `blocking`, so that the descriptor's limit applies to the whole
/// call, as in the kernel. `part(done)` attempts the rest after the first `done` bytes, until everything is done, or
/// end of file (0), or an error. After a partial success the result is the number of bytes done.
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
