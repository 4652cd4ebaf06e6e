// Every call that the table in docs/lab05/limits.md names, made by a hooked task: does another task of the thread run
// meanwhile? No clock decides that. What the call waits for comes when the thread sleeps in the kernel, and the other
// task says whether it has run by then.
#pragma once

#include <time.h>

#include <functional>
#include <memory>
#include <span>

#include "labs/05_epoll_io/programs/limits.h"

namespace fiberscope::lab05::limits {

struct Trial {
    std::function<void()> call;          ///< in a hooked task
    std::function<void()> release = {};  ///< gives the call what it waits for; empty: it ends by itself
};

struct Row {
    const char* call;  ///< as the table names it
    Trial (*prepare)();
};
/// Those during which other tasks run, and those that stop the thread.
std::span<const Row> rows_that_are_hooked();
std::span<const Row> rows_that_stop();

/// What a call has returned is of no interest here.
template <class Number>
void ignore(Number) {}

/// How long calls wait that end by themselves.
inline constexpr timespec kAWhile{0, 20'000'000};

/// Both ends of a pipe (read from a, write to b), of two sockets or of a connection, closed when the last that knows
/// them is gone.
struct Ends {
    int a = -1, b = -1;
    ~Ends();
};
using Shared = std::shared_ptr<Ends>;

Shared a_pipe();
Shared sockets();
/// The next write to `b` would block.
Shared full(Shared ends);
std::function<void()> a_line_into(const Shared& ends);
/// Takes all that is there.
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
