// Every call in the table of docs/lab05/limits.md, made by a hooked task: does another task of the thread run in the
// meantime? This does not depend on a clock: the event that the call waits for is caused when the thread sleeps in the
// kernel, and the other task records whether it has run by then.
#pragma once

#include <time.h>

#include <functional>
#include <memory>
#include <span>

#include "labs/05_epoll_io/programs/limits.h"

namespace fiberscope::lab05::limits {

struct Trial {
    std::function<void()> call;          ///< in a hooked task
    std::function<void()> release = {};  ///< causes the event that the call waits for; empty: the call ends by itself
};

struct Row {
    const char* call;  ///< as named in the table
    Trial (*prepare)();
};
/// Calls during which other tasks run, and calls that stop the thread.
std::span<const Row> rows_that_are_hooked();
std::span<const Row> rows_that_stop();

/// Ignores a call's result.
template <class Number>
void ignore(Number) {}

/// Duration of calls that end by themselves.
inline constexpr timespec kAWhile{0, 20'000'000};

/// Both ends of a pipe (read from a, write to b), of a socket pair or of a connection; closed with the last reference.
struct Ends {
    int a = -1, b = -1;
    ~Ends();
};
using Shared = std::shared_ptr<Ends>;

Shared a_pipe();
Shared sockets();
/// Fills the buffer, so that the next write to `b` would block.
Shared full(Shared ends);
std::function<void()> a_line_into(const Shared& ends);
/// Reads all available data.
std::function<void()> all_out_of(const Shared& ends);
/// A child that waits for a signal; `call` waits for its end.
Trial for_a_child(const std::function<void(pid_t)>& call);

template <class Call>
Trial reading(Shared ends, Call call) {
    return {[=] { call(ends->a); }, a_line_into(ends)};
}
template <class Call>
Trial writing(Shared ends, Call call) {
    return {[=] { call(ends->b); }, all_out_of(ends)};
}

}  // namespace fiberscope::lab05::limits
