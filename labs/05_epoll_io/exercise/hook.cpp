// Step 5.5: the hook. The contracts are in ../hook.h. Given:
//
//     hooked_descriptor(fd)             its kind, whether the program made it nonblocking, and its limits
//     recv(fd, buffer, size, 0)         for sockets with `at_least` larger than 1: waits for that many bytes
//     read_now(fd, buffer, size)        one attempt, or EAGAIN: for pipes, which do not support MSG_DONTWAIT
//     write_now(fd, buffer, size)       the same for a write, possibly partial
//     in_parts(call, size, part)        one call of `blocking` in several parts, until all `size` bytes are done
//     perform(call, attempt)            step 5.2: retries until done, or ETIMEDOUT at the call's deadline. If you set
//                                       the size of a read, the next one waits first when no data can be left
//     io::begin_connect, ended_connect  step 5.2
//     kit::time_left(deadline)          ns from now until then; 0 if it has passed
//     system_calls()                    the C library's functions. Never call ::read here: that is the one in your
//                                       interpose.cpp, which calls this file
//
// In a hooked task read, write, connect and the sleeps are handled here; poll calls io::poll, all others call
// `blocking` (../given/hook_names.cpp and the files beside it). Your read, write and connect must use `blocking` too:
// only it implements the limits and O_NONBLOCK.
#include "labs/05_epoll_io/hook.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05::hook {

// ---- first stage: read and write ------------------------------------------------------------------------------------

ssize_t read(int, void*, std::size_t) {
    kit::not_implemented("5.5", "hook::read: as read(2), without blocking the thread");
}

ssize_t write(int, const void*, std::size_t) {
    // The limit applies to the whole write, however many parts it has.
    kit::not_implemented("5.5", "hook::write: as write(2): write everything, without blocking the thread");
}

// ---- second stage: time-outs, and the illusion of blocking ----------------------------------------------------------

// In the first stage: perform(call, attempt).
long blocking(IoCall, Attempt) {
    kit::not_implemented("5.5", "hook::blocking: retry until done, or until the descriptor's limit has passed");
}

// ---- third stage: the rest ------------------------------------------------------------------------------------------

int connect(int, const sockaddr*, socklen_t) {
    kit::not_implemented("5.5", "hook::connect: as connect(2) for a blocking descriptor, without blocking the thread");
}

std::uint64_t sleep(std::uint64_t) {
    kit::not_implemented("5.5", "hook::sleep: put the task to sleep, not the thread");
}

}  // namespace fiberscope::lab05::hook
