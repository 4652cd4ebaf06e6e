// The demo of step 5.8.
#include <cerrno>
#include <stdexcept>
#include <string>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/beyond/uring/uring.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/demo/demo.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

namespace {

using kit::kMicrosecond;
using lab04::go;
using lab04::sleep_for;

constexpr int kListener = 100, kFirst = 101, kSilent = 110, kTooLate = 111;

/// Reads once, and notes how the read ended.
void read_once(int fd, std::uint64_t deadline = kit::kNever) {
    char buffer[64];
    if (uring::recv(fd, buffer, sizeof buffer, 0, deadline) > 0)
        kit::note("bytes came before the kernel could cancel: they are not lost");
    else if (last_error() == ETIMEDOUT)
        kit::note("nothing came in 30 us, and the kernel has let go of the buffer");
    else
        kit::note("cancelled, and the kernel has let go of the buffer");
}

void serve(int fd) {
    char buffer[64];
    for (ssize_t n; (n = uring::recv(fd, buffer, sizeof buffer)) > 0;) {
        kit::work(2 * kMicrosecond);
        uring::send(fd, buffer, static_cast<std::size_t>(n));
    }
}

void accept_three() {
    for (int i = 0; i < 3; ++i) {
        const int fd = uring::accept(kListener);
        go([fd] { serve(fd); }, "connection " + std::to_string(fd));
    }
}

/// Plans the clients' messages.
void arrange(SimulatedRing& ring) {
    for (int i = 0; i < 3; ++i) {
        const std::uint64_t at = static_cast<std::uint64_t>(i + 1) * 3 * kMicrosecond;
        const int fd = kFirst + i;
        ring.connects(kListener, fd, at);
        // At the same time, so that one io_uring_enter submits the three answers.
        for (std::uint64_t round = 1; round <= 3; ++round) ring.arrives(fd, "hello", round * 20 * kMicrosecond);
        ring.ends(fd, 90 * kMicrosecond);
    }
    ring.has_room(kFirst + 2, 3);                          // its answers are sent in two parts
    ring.arrives(kTooLate, "in time", 52 * kMicrosecond);  // during the cancel
}

/// Three echo connections by completions, on a simulated ring: one has a deadline, one is cancelled while the kernel
/// owns its buffer, and one cancel comes too late.
void completions(const kit::DemoOptions&) {
    SimulatedRing ring;
    arrange(ring);
    UringSource source(ring);
    lab04::Scheduler scheduler(lab04::Settings{.strategy = "producer_consumer", .source = &source});
    go(accept_three, "acceptor");
    go([] { read_once(kSilent, 30 * kMicrosecond); }, "impatient");
    const lab04::Handle silent = go([] { read_once(kSilent); }, "is cancelled");
    const lab04::Handle too_late = go([] { read_once(kTooLate); }, "is cancelled too late");
    go(
        [&] {
            sleep_for(50 * kMicrosecond);
            lab04::cancel(silent);
            lab04::cancel(too_late);
        },
        "cancels two");
    for (const lab04::Failure& failure : scheduler.run())
        throw Spoken<std::runtime_error>(message("task '{0}' ended by: {1}", failure.task, Value::of(failure.message)));
    kit::note("io_uring_enter was called {0} times", ring.enters());
}

const kit::MoreDemos known({
    {.name = "uring",
     .description = "completions: echo connections, a deadline, two cancels; no kernel needed",
     .run = completions},
});

}  // namespace

}  // namespace fiberscope::lab05
