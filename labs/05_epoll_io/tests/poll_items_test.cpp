// Step 5.3: the memory of the items of a poll.
#include <cstdlib>

#include "labs/05_epoll_io/socket.h"
#include "labs/05_epoll_io/tests/support/poll.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/allocations.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;
using kit::testing::allocations;

TEST_CASE("5.3 number 0 is a descriptor like any other: poll waits for it too") {
    INFO("poll ignores only negative numbers; 0 is the standard input");
    Stand stand;
    const Pair pair = Pair::pipe();
    const int standard = system_calls().dup(0);
    REQUIRE(system_calls().dup2(pair.a, 0) == 0);
    int found = -1;
    pollfd input{0, POLLIN, 0};
    go([&] { found = io::poll(&input, 1, 50); }, "polls");
    later(kMillisecond, "writes", [&] { pair.write("x"); });
    const std::string failed = stand.run();
    standard < 0 ? system_calls().close(0) : system_calls().dup2(standard, 0);
    if (standard >= 0) system_calls().close(standard);
    CHECK(failed == "");
    CHECK(found == 1);
    CHECK(input.revents == POLLIN);
    CHECK(kit::now() < 2 * kMillisecond);
}

TEST_CASE("5.3 on a shared stack the items stay in place while other tasks use the stack") {
    EXPECTS("the poller has pointers to its items: on a shared stack they must not be on the stack of the task");
    EpollSource source;
    lab04::Scheduler sched(
        lab04::Settings{.strategy = "producer_consumer", .backend = &kit::shared_backend, .source = &source});
    Pipes pipes(16);
    std::vector<int> found(8, -1);
    std::vector<char> read(8, '?');
    std::vector<std::uint64_t> woken(8);
    for (std::size_t i = 0; i < 8; ++i)
        go("polls", [&, i] {
            pollfd two[2] = {{pipes.fds[2 * i].fd, POLLIN, 0}, {pipes.fds[2 * i + 1].fd, POLLIN, 0}};
            found[i] = io::poll(two, 2, 50);
            woken[i] = kit::now();
            if (two[1].revents != 0) static_cast<void>(!system_calls().read(two[1].fd, &read[i], 1));
        });
    go("writes", [&] {
        for (std::size_t i = 0; i < 8; i += 2) {
            sleep_for(kMillisecond);
            static_cast<void>(!system_calls().write(pipes.pairs[2 * i + 1].b, "x", 1));
        }
    });
    CHECK(sched.run().empty());
    CHECK(found == std::vector<int>{1, 0, 1, 0, 1, 0, 1, 0});
    INFO(
        "the poller wakes an item at an address that another one has now: on a shared stack they must not be on "
        "the stack of the task");
    for (std::size_t i = 0; i < 8; i += 2) CHECK(woken[i] < 10 * kMillisecond);
    CHECK(read == std::vector<char>{'x', '?', 'x', '?', 'x', '?', 'x', '?'});
    CHECK(source.registered() == 0);
}

TEST_CASE("5.3 one or two descriptors cost no allocation") {
    INFO("the task has room for two items; only more of them need memory");
    record_nothing();
    Stand stand;
    Pipes pipes(2), three(3);
    std::size_t few = 99, many = 99;
    CHECK(stand.run("polls", [&] {
        three.poll(1);  // the state per descriptor has grown
        const std::size_t before = allocations();
        pipes.poll(1);
        few = allocations() - before;
        three.poll(1);
        many = allocations() - before;
    }) == "");
    CHECK(few == 0);
    CHECK(many == (kit::kUnderSanitizer ? 0 : 1));
}

TEST_CASE("5.3 events that occurred before a poll returns are reported, even if its limit has passed") {
    INFO("the limit passed while another task worked: the last look finds the event");
    Stand stand;
    Pipes pipes(1);
    int found = -1;
    Places ready;
    go("polls", [&] {
        found = pipes.poll(5);
        ready = pipes.ready();
    });
    later(kMillisecond, "writes, and works past the limit", [&] {
        pipes.pairs[0].write("x");
        kit::work(10 * kMillisecond);
    });
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(ready == Places{0});
}

TEST_CASE("5.3 a descriptor that is twice in a poll is watched for each of its entries") {
    INFO("each entry is an item of its own, with its own events, whatever precedes it");
    Stand stand;
    const Pair pair = Pair::pipe();
    int told = -1;
    std::uint64_t ended = 0;
    bool expects = true;
    go([&] {
        pollfd both[2] = {{pair.a, 0, 0}, {pair.a, POLLIN, 0}};
        told = io::poll(both, 2, 200);
        ended = kit::now();
        expects = stand.source.expects_any();
    });
    later(kMillisecond, "writes", [&] { pair.write("x"); });
    CHECK(stand.run() == "");
    CHECK(told == 1);
    CHECK(ended >= kMillisecond);
    CHECK(ended < 200 * kMillisecond);
    CHECK_FALSE(expects);
}

TEST_CASE("5.3 urgent data ends a poll for POLLPRI") {
    INFO("pass every possible event to the poller: POLLIN, POLLOUT, POLLPRI, POLLRDHUP");
    Stand stand;
    int found = -1;
    short told = 0;
    std::uint64_t took = 0;
    CHECK(stand.run("waits", [&] {
        Socket listener = Socket::listener("127.0.0.1", 0);
        Socket client;
        client.connect("127.0.0.1", listener.port());
        Socket server = listener.accept();
        later(kMillisecond, "calls", [&] { system_calls().sendto(client.fd(), "!", 1, MSG_OOB, nullptr, 0); });
        pollfd one{server.fd(), POLLPRI, 0};
        const std::uint64_t before = kit::now();
        found = io::poll(&one, 1, 1000);
        took = kit::now() - before;
        told = one.revents;
    }) == "");
    CHECK(found == 1);
    CHECK_THAT(told_by(told), Catch::Matchers::ContainsSubstring("POLLPRI"));
    CHECK(took < 500 * kMillisecond);
}
