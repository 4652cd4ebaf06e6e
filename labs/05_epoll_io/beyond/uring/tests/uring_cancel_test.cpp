// Step 5.8: ownership of the buffer when its task is cancelled, times out, or ends.
#include <algorithm>

#include "labs/05_epoll_io/beyond/uring/tests/completions.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

constexpr std::uint64_t kUntilItLetsGo = SimulatedRing::kCancelling + SimulatedRing::kLettingGo;

/// A reader that is cancelled at 5 µs; repeatedly, if requested.
struct Cancelled {
    std::string said;
    std::uint64_t back = 0;      ///< ns: when it returned
    std::size_t kernel_has = 0;  ///< number of operations at that moment
    std::string error;           ///< of the run
    char buffer[8] = {};         ///< not on its stack, so that a late write harms nothing
    bool written_into_late = false;
};

void read_and_look(Completions& stand, Cancelled& one, std::uint64_t deadline) {
    const ssize_t got = uring::recv(kSomeFd, one.buffer, sizeof one.buffer, 0, deadline);
    one.said = got >= 0 ? std::string(one.buffer, static_cast<std::size_t>(got)) : std::to_string(last_error());
    one.back = kit::now();
    one.kernel_has = stand.ring.has();
    std::fill_n(one.buffer, sizeof one.buffer, '-');
    sleep_for(50 * kMicrosecond);
    one.written_into_late = std::any_of(one.buffer, one.buffer + sizeof one.buffer, [](char c) { return c != '-'; });
}

Cancelled cancelled(Completions& stand, bool again = false) {
    Cancelled one;
    const Handle reader = go([&] { read_and_look(stand, one, kNever); }, "reader");
    later(5 * kMicrosecond, "cancels it", [&] {
        lab04::cancel(reader);
        for (int i = 0; again && i < 10; ++i) {
            sleep_for(kMicrosecond / 2);
            lab04::cancel(reader);
        }
    });
    one.error = stand.run();
    return one;
}

}  // namespace

TEST_CASE("5.8 a cancelled task returns when the kernel has released its buffer") {
    EXPECTS("until the completion the kernel owns the buffer: cancel the operation, and wait for both completions");
    Completions stand;
    const Cancelled one = cancelled(stand);
    CHECK(one.error == "");
    CHECK(one.said == std::to_string(ECANCELED));
    INFO("the kernel takes its time to cancel: the task does not return before that");
    CHECK(one.back >= 5 * kMicrosecond + kUntilItLetsGo);
    CHECK(one.kernel_has == 0);
}

TEST_CASE("5.8 bytes that arrive before the kernel has cancelled are not lost") {
    EXPECTS("the operation's own result says how it ended: it may have been faster than the cancel");
    Completions stand;
    stand.ring.arrives(kSomeFd, "hello", 6 * kMicrosecond);
    const Cancelled one = cancelled(stand);
    CHECK(one.error == "");
    CHECK(one.said == "hello");
    INFO("the kernel writes into the buffer while it owns it, and not after the task has it back");
    CHECK_FALSE(one.written_into_late);
    CHECK(one.kernel_has == 0);
}

TEST_CASE("5.8 an operation that is done when its task is cancelled is not cancelled") {
    EXPECTS("check done() first: there may be nothing to cancel any more");
    Completions stand;
    std::string said;
    std::uint64_t enters = 0;
    Handle reader = go([&] { said = received(kSomeFd); }, "reader");
    later(5 * kMicrosecond, "cancels it too late", [&] {
        stand.ring.arrives(kSomeFd, "hello", kit::now());
        stand.source.enter(0, 0);
        lab04::cancel(reader);  // it is now ready, with Wake::cancelled
        stand.source.reap();    // and its completion comes before its turn
        enters = stand.ring.enters();
    });
    CHECK(stand.run() == "");
    CHECK(said == "hello");
    INFO("no cancel went to the kernel");
    CHECK(stand.ring.enters() == enters);
}

TEST_CASE("5.8 a second cancel does not end the wait for the kernel") {
    EXPECTS("while the kernel has the buffer only the two completions end the wait");
    Completions stand;
    const Cancelled one = cancelled(stand, true);
    CHECK(one.error == "");
    CHECK(one.said == std::to_string(ECANCELED));
    CHECK(one.back >= 5 * kMicrosecond + kUntilItLetsGo);
    CHECK(one.kernel_has == 0);
}

TEST_CASE("5.8 at its deadline a call ends with ETIMEDOUT, not before, and the kernel has released the buffer") {
    EXPECTS("a park that ends by its deadline cancels too; the call then returns ETIMEDOUT");
    Completions stand;
    Cancelled one;
    CHECK(stand.run("reader", [&] { read_and_look(stand, one, 10 * kMicrosecond); }) == "");
    CHECK(one.said == std::to_string(ETIMEDOUT));
    CHECK(one.back >= 10 * kMicrosecond + kUntilItLetsGo);
    CHECK(one.kernel_has == 0);
}

TEST_CASE("5.8 a call that fails while its deadline passes has its own error") {
    EXPECTS("ETIMEDOUT is for an operation that was given up: one that has failed keeps its own error");
    Completions stand;
    stand.ring.fails(kSomeFd, EPIPE);
    int error = 0;
    go([&] {
        uring::send(kSomeFd, "hello", 5, 0, kit::now() + SimulatedRing::kSending / 2);
        error = last_error();
    });
    CHECK(stand.run() == "");
    CHECK(error == EPIPE);
}

TEST_CASE("5.8 a spuriously woken task keeps its deadline") {
    EXPECTS("each park of perform has the deadline, not only the first");
    Completions stand;
    stand.ring.arrives(kSomeFd, "hello", kMillisecond);
    std::string said;
    const Handle reader = go([&] { said = received(kSomeFd, 20 * kMicrosecond); }, "reader");
    later(5 * kMicrosecond, "wakes it", [&] { lab04::wake(reader); });
    CHECK(stand.run() == "");
    CHECK(said == "ETIMEDOUT");
}

TEST_CASE("5.8 a scheduler that ends unwinds no task before the kernel has released its buffer") {
    EXPECTS("an operation that is unwound is cancelled, and its completion awaited");
    SimulatedRing ring;
    UringSource source(ring);
    std::size_t kernel_has = 0, with_the_kernel = 0;
    {
        lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
        struct Looks {
            SimulatedRing& ring;
            std::size_t& kernel_has;
            ~Looks() { kernel_has += ring.has(); }
        };
        go("reader", [&] {
            const Looks looks{ring, kernel_has};
            char byte;
            uring::recv(kSomeFd, &byte, 1);
        });
        try {
            static_cast<void>(sched.run());
        } catch (const lab04::Stuck&) {
            with_the_kernel = ring.has();
        }
    }
    INFO("no event can occur, so the run ends; the recv is still in flight");
    CHECK(with_the_kernel == 1);
    INFO("it is no longer in flight when the task's locals are destroyed");
    CHECK(kernel_has == 0);
    CHECK(ring.has() == 0);
}

TEST_CASE("5.8 a task on a shared stack is refused: the kernel would write into other tasks' data") {
    EXPECTS("create the InFlight before anything else: it refuses a task on a shared stack");
    SimulatedRing ring;
    UringSource source(ring);
    lab04::Scheduler sched(lab04::Settings{.backend = &kit::shared_backend, .source = &source});
    go([&] { received(kSomeFd); }, "reader");
    const auto failures = sched.run();
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what.find("a stack of its own") != std::string::npos);
    CHECK(ring.enters() == 0);
}
