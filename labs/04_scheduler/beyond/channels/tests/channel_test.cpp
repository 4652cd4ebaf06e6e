// Step 4.13: channels, on the loops of steps 4.4 and 4.5.
#include <memory>
#include <string>

#include "labs/04_scheduler/beyond/channels/tests/channels.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

std::optional<kit::MisuseKind> misuse_kind_of(const std::function<void()>& act) {
    const auto misuse = misuse_of(act);
    return misuse ? std::optional(misuse->kind()) : std::nullopt;
}

}  // namespace

// ---- handing over ---------------------------------------------------------------------------------------------------

TEST_CASE("4.13 a receiver waits for a sender, and has its value when it continues") {
    INFO("try_send claims the first receiver, hands the value over, and completes it");
    Port port;
    Channel<int> channel("jobs");
    port.receives("r", channel, 1);
    port.sends("s", channel, 7, 5);
    CHECK(port.run() == Log{"s sent 7", "r has 7"});
}

TEST_CASE("4.13 a sender waits for a receiver, which takes the value from it") {
    INFO("try_receive claims the first sender, takes its value, and completes it");
    Port port;
    Channel<int> channel("jobs");
    port.sends("s", channel, 7, 1);
    port.at(3, [&] { port.log.push_back("3 µs"); });
    port.receives("r", channel, 5);
    CHECK(port.run() == Log{"3 µs", "r has 7", "s sent 7"});
}

TEST_CASE("4.13 waiting tasks are served in the order in which they came") {
    INFO("the task that came first is first in its queue");
    Port port;
    Channel<int> channel("jobs");
    for (const char* name : {"r1", "r2", "r3"}) port.receives(name, channel, 1);
    for (int value = 1; value <= 3; ++value) port.at(5, [&, value] { CHECK(channel.send(value) == Outcome::done); });
    CHECK(port.run() == Log{"r1 has 1", "r2 has 2", "r3 has 3"});
    port.sends("s1", channel, 4, 1);
    port.sends("s2", channel, 5, 2);
    port.at(5, [&] {
        port.receive("r", channel);
        port.receive("r", channel);
    });
    CHECK(port.run() == Log{"r has 4", "r has 5", "s1 sent 4", "s2 sent 5"});
}

TEST_CASE("4.13 a value belongs to the receiver that waited, not to a task that comes before it runs") {
    INFO("hand the value to the receiver itself; any other task could take it from the buffer");
    Port port;
    Channel<int> channel("jobs", 1);
    port.receives("waits", channel, 1);
    port.at(5, [&] {
        port.send("s", channel, 7);
        port.receive("late", channel);
    });
    port.sends("s2", channel, 8, 9);
    CHECK(port.run() == Log{"s sent 7", "waits has 7", "s2 sent 8", "late has 8"});
}

// ---- the buffer -----------------------------------------------------------------------------------------------------

TEST_CASE("4.13 a buffer takes values up to its capacity, and then a sender waits") {
    INFO("a sender waits only when the buffer is full");
    Port port;
    Channel<int> channel("jobs", 2);
    port.at(1, [&] {
        for (int value = 1; value <= 3; ++value) port.send("s", channel, value);
    });
    port.receives("r", channel, 5);
    CHECK(port.run() == Log{"s sent 1", "s sent 2", "r has 1", "s sent 3"});
}

TEST_CASE("4.13 a full buffer yields the oldest value, and the first sender's takes the free slot") {
    INFO("fetch, then store the value of the first waiting sender, so that the order is kept");
    Port port;
    Channel<int> channel("jobs", 2);
    for (int value = 1; value <= 5; ++value)
        port.sends("s" + std::to_string(value), channel, value, static_cast<std::uint64_t>(value));
    std::vector<int> got;
    port.at(10, [&] {
        for (int i = 0; i < 5; ++i) got.push_back(*channel.receive());
    });
    static_cast<void>(port.run());
    CHECK(got == std::vector{1, 2, 3, 4, 5});
}

TEST_CASE("4.13 a sender whose value has been put into the buffer continues at once") {
    INFO("the free slot is the first sender's: complete it");
    Port port;
    Channel<int> channel("jobs", 1);
    port.at(1, [&] {
        for (int value = 1; value <= 2; ++value) port.send("s", channel, value);
    });
    port.receives("r", channel, 5);
    port.at(9, [&] { port.log.push_back("9 µs"); });
    CHECK(port.run() == Log{"s sent 1", "r has 1", "s sent 2", "9 µs"});
}

// ---- closing --------------------------------------------------------------------------------------------------------

TEST_CASE("4.13 close wakes all waiting receivers without a value") {
    INFO("close completes every receiver with Outcome::closed");
    Port port;
    Channel<int> channel("jobs");
    for (const char* name : {"r1", "r2", "r3"}) port.receives(name, channel, 1);
    port.at(5, [&] {
        port.send("s", channel, 7);
        channel.close();
    });
    port.receives("late", channel, 6);
    CHECK(port.run() == Log{"s sent 7", "r1 has 7", "r2 closed", "r3 closed", "late closed"});
}

TEST_CASE("4.13 a closed channel's buffered values are received before it reports closed") {
    INFO("report closed only if the buffer is empty");
    Port port;
    Channel<int> channel("jobs", 3);
    port.at(1, [&] {
        port.send("s", channel, 1);
        port.send("s", channel, 2);
        channel.close();
        for (int i = 0; i < 3; ++i) port.receive("r", channel);
    });
    CHECK(port.run() == Log{"s sent 1", "s sent 2", "r has 1", "r has 2", "r closed"});
}

TEST_CASE("4.13 sending to a closed channel, closing it again, and use outside of tasks are refused") {
    INFO("try_send checks closed_ first, whether there is room or not");
    Port port;
    Channel<int> channel("jobs", 1), full("full", 1);
    std::string words;
    port.at(1, [&] {
        channel.close();
        port.send("s", channel, 1);
        try {
            channel.close();
        } catch (const ClosedChannel& refused) {
            words = refused.what();
        }
        port.receive("r", channel);
        port.send("s", full, 1);
        full.close();
        port.send("s", full, 2);
    });
    CHECK(port.run() == Log{"s refused", "r closed", "s sent 1", "s refused"});
    CHECK(words == "close() is called for the channel 'jobs', which is closed");
    CHECK(misuse_kind_of([&] { static_cast<void>(channel.send(1)); }) == kit::MisuseKind::not_a_task);
    CHECK(misuse_kind_of([&] { static_cast<void>(channel.receive()); }) == kit::MisuseKind::not_a_task);
}

TEST_CASE("4.13 close refuses all waiting senders") {
    INFO(
        "close completes every sender with Outcome::closed, even if the buffer is full: otherwise it keeps "
        "waiting, or concludes that its value was sent");
    const auto run = [](std::size_t capacity) {
        Port port;
        Channel<int> channel("jobs", capacity);
        for (int value = 1; value <= 3; ++value) port.sends("s" + std::to_string(value), channel, value, 1);
        port.at(5, [&] {
            port.receive("r", channel);
            channel.close();
            port.receive("r", channel);
        });
        return port.run();
    };
    CHECK(run(0) == Log{"r has 1", "r closed", "s1 sent 1", "s2 refused", "s3 refused"});
    CHECK(run(1) == Log{"s1 sent 1", "r has 1", "r has 2", "s2 sent 2", "s3 refused"});
}

// ---- waits that end early -------------------------------------------------------------------------------------------

TEST_CASE("4.13 a spuriously woken task keeps waiting, at its place") {
    INFO(
        "check again after every wake: the wait is over only if the operation was claimed; until then it keeps its "
        "place");
    Port port;
    Channel<int> channel("jobs");
    const Handle woken = port.receives("r1", channel, 1);
    port.receives("r2", channel, 2);
    port.at(4, [woken] { wake(woken); });
    port.at(6, [&] {
        for (const int value : {1, 2}) CHECK(channel.send(value) == Outcome::done);
    });
    CHECK(port.run() == Log{"r1 has 1", "r2 has 2"});
}

TEST_CASE("4.13 a cancelled task gets Wake::cancelled, and nothing was sent or received") {
    EXPECTS("wait returns cancelled, and a cancelled task leaves its queue: no value comes from it or goes to it");
    Port port;
    Channel<int> channel("jobs");
    const Handle sender = port.sends("s1", channel, 1, 1);
    port.sends("s2", channel, 2, 2);
    port.at(4, [sender] { cancel(sender); });
    port.receives("r", channel, 6);
    CHECK(port.run() == Log{"s1 cancelled", "r has 2", "s2 sent 2"});
    const Handle receiver = port.receives("r1", channel, 1);
    port.receives("r2", channel, 2);
    port.at(4, [receiver] { cancel(receiver); });
    port.sends("s", channel, 3, 6);
    CHECK(port.run() == Log{"r1 cancelled", "s sent 3", "r2 has 3"});
}

TEST_CASE("4.13 a cancel after a value was handed over has no effect") {
    for (const bool cancelled_first : {false, true}) {
        Port port;
        Channel<int> channel("jobs");
        const Handle receiver = port.receives("r", channel, 1);
        port.at(5, [&] {
            if (cancelled_first) cancel(receiver);
            port.send("s", channel, 7);
            if (!cancelled_first) cancel(receiver);
        });
        INFO("a claimed operation is done, cancelled or not: otherwise the value would be lost");
        CHECK(port.run() == Log{"s sent 7", "r has 7"});
    }
}

// ---- values ---------------------------------------------------------------------------------------------------------

TEST_CASE("4.13 values are moved from task to task, and a cancelled sender keeps its own") {
    INFO("given: a value is moved from only when it is sent");
    Port port;
    Channel<std::unique_ptr<int>> channel("jobs", 1);
    std::vector<int> got;
    auto kept = std::make_unique<int>(9);
    const Handle sender = port.at(1, [&] {
        for (int i = 1; i <= 3; ++i) CHECK(channel.send(std::make_unique<int>(i)) == Outcome::done);
        CHECK(channel.send(std::make_unique<int>(4)) == Outcome::done);
        CHECK(channel.send(std::move(kept)) == Outcome::cancelled);
    });
    port.at(2, [&] {
        for (int i = 0; i < 3; ++i) got.push_back(**channel.receive());
    });
    port.at(9, [&] { cancel(sender); });
    static_cast<void>(port.run());
    CHECK(got == std::vector{1, 2, 3});
    REQUIRE(kept != nullptr);
    CHECK(*kept == 9);
}

// ---- words, misuse --------------------------------------------------------------------------------------------------

// ---- in a trace -----------------------------------------------------------------------------------------------------
