// Step 5.5: the hook. Functions of the C library's names stand in front of the C library's own; in a task that has
// asked for it a call that would block parks the task, and the program, written to block, is none the wiser. libco's
// co_hook_sys_call, sylar's hook.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/sanitizer.h"

namespace fiberscope::lab05 {

/// Whether this program has the hook at all: ThreadSanitizer puts functions of its own in front of the C library's.
inline constexpr bool kHookBuilt = !kit::kUnderTsan;

/// The environment of one task: what getenv and setenv see there before that of the process. libco's pvEnv.
using Environment = std::map<std::string, std::string, std::less<>>;

/// Lies on a task's stack: as long as it lives, the task's calls are hooked, or are not. The innermost one counts.
/// libco's co_enable_hook_sys and co_disable_hook_sys, with an end.
class Hooking {
  public:
    /// `environment`: the task's own from now on; not owned; null: the one that it had, or that of the process. Throws
    /// Misuse outside of tasks.
    explicit Hooking(bool on, Environment* environment = nullptr);
    ~Hooking();
    Hooking(const Hooking&) = delete;
    Hooking& operator=(const Hooking&) = delete;

    /// The innermost of the task that runs here; null if there is none, if it is off, or outside of tasks.
    static Hooking* here() noexcept;
    Environment* environment() const noexcept { return environment_; }

  private:
    lab04::Task& task_;
    void* outer_;  ///< what stood in the task's `io` before
    Environment* environment_;
};

/// A task whose calls are hooked.
lab04::Handle go_hooked(lab04::Body body, std::string name = {});

// ---- what is given --------------------------------------------------------------------------------------------------

/// What the hook must know of a descriptor: how to call without waiting, and how long its user is ready to wait.
struct HookedDescriptor {
    enum class Kind : std::uint8_t {
        unknown,
        socket,  ///< takes MSG_DONTWAIT
        pipe,    ///< pipes, terminals and the like: has to be asked before the call
        passes,  ///< what epoll refuses (files, /dev/null), and what is no descriptor: straight through
    };
    Kind kind = Kind::unknown;
    bool nonblocking = false;            ///< the user has set O_NONBLOCK: a call that would block shall say so
    std::uint64_t read_limit = kNever;   ///< ns: SO_RCVTIMEO
    std::uint64_t write_limit = kNever;  ///< ns: SO_SNDTIMEO

    std::uint64_t limit(Want want) const noexcept { return want == Want::read ? read_limit : write_limit; }
};
/// Asks the kernel when it is first asked itself. Nobody's flags are ever changed.
HookedDescriptor hooked_descriptor(int fd);
/// The descriptor's flags or options have changed, or its number is given out anew: the kernel is to be asked again.
void look_again(int fd) noexcept;
/// The same for all that name the same open file: if this process has copied descriptors (note_copy), nobody knows
/// which these are, and all are asked again.
void look_again_at_copies(int fd) noexcept;
/// A descriptor was copied: its flags and options are those of the copy too.
void note_copy() noexcept;
/// Does nothing. Whoever calls it has the C library's names from here.
void names_of_the_hook() noexcept;
/// The same, of those in given/hook_made.cpp.
void names_that_make_descriptors() noexcept;
/// -1 with EAGAIN if `fd` is not ready; else what `attempt` returns. For those that know no MSG_DONTWAIT. One who
/// writes gets EPIPE where nobody can read any more, and no SIGPIPE.
long if_ready(int fd, Want want, Attempt attempt);

// ---- what the student writes ----------------------------------------------------------------------------------------

/// What stands behind the C library's names in a hooked task. Signatures, results and errno are those of the namesakes
/// for a descriptor that blocks.
namespace hook {

/// First stage.
ssize_t read(int fd, void* buffer, std::size_t size);
ssize_t write(int fd, const void* buffer, std::size_t size);

/// Second stage: one attempt after the other, until it is done or the descriptor's limit (SO_RCVTIMEO, SO_SNDTIMEO) has
/// passed: then -1 with EAGAIN. For a descriptor that the user made non-blocking, one attempt.
long blocking(IoCall call, Attempt attempt);

/// Third stage. connect: -1 with EINPROGRESS when SO_SNDTIMEO has passed; kQueueFull as io::begin_connect. sleep: how
/// much is left when it is cancelled, ns.
int connect(int fd, const sockaddr* address, socklen_t length);
std::uint64_t sleep(std::uint64_t ns);

}  // namespace hook

/// Given. A call of several parts, in one `blocking`, so that the descriptor's limit is for the whole call, as the
/// kernel has it: `part(done)` tries what lies behind the first `done` bytes, until it is all, or an end (0), or an
/// error. What was done before an error counts more than the error.
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
