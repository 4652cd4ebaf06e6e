// Step 5.5: the hook. The contracts are in ../hook.h; what you are given:
//
//     hooked_descriptor(fd)             its kind, whether the program made it non-blocking, and its limits
//     recv(fd, buffer, size, 0)         for sockets with `at_least` larger than 1: waits for so many bytes
//     read_now(fd, buffer, size)        one attempt, or EAGAIN: for pipes, which know no MSG_DONTWAIT
//     write_now(fd, buffer, size)       the same: as much as has room
//     in_parts(call, size, part)        one call of `blocking` for several parts, until all `size` bytes are done
//     perform(call, attempt)            step 5.2: until it is done; a deadline in the call ends it with ETIMEDOUT.
//                                       If you set the size of a read, the next one waits first when it would come too
//                                       early
//     io::begin_connect, ended_connect  step 5.2
//     kit::time_left(deadline)          ns from now until then; 0 if it has passed
//     system_calls()                    the C library's own. Never call ::read here: that is your interpose.cpp, which
//                                       calls this file
//
// In a hooked task read, write, connect and the sleeps come here; poll goes to io::poll, all the others to `blocking`
// (../given/hook_names.cpp and files beside it). Your read, write and connect go through `blocking` too: only there
// are limits and O_NONBLOCK obeyed.
#include "labs/05_epoll_io/hook.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05::hook {

// ---- first stage: read and write ------------------------------------------------------------------------------------

ssize_t read(int, void*, std::size_t) {
    kit::not_implemented("5.5", "hook::read: as read(2), without blocking the thread");
}

ssize_t write(int, const void*, std::size_t) {
    // One write has one limit, however many parts it has.
    kit::not_implemented("5.5", "hook::write: as write(2): all of it, without blocking the thread");
}

// ---- second stage: time-outs, and the illusion of blocking ----------------------------------------------------------

// For the first stage: perform(call, attempt).
long blocking(IoCall, Attempt) {
    kit::not_implemented("5.5", "hook::blocking: until it is done, or the descriptor's limit has passed");
}

// ---- third stage: the rest ------------------------------------------------------------------------------------------

int connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.5",
                         "hook::connect: as connect(2) for a descriptor that blocks, without blocking the thread");
}

std::uint64_t sleep(std::uint64_t) { kit::not_implemented("5.5", "hook::sleep: the task sleeps, not the thread"); }

}  // namespace fiberscope::lab05::hook
