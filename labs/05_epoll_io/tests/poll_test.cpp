// Step 5.3: one task waits for many descriptors.
#include "labs/05_epoll_io/tests/support/poll.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.3 ready descriptors are reported at once, and a poll with time-out 0 does not wait") {
    INFO("call the system's poll with a time-out of 0 before you register anything");
    Stand stand;
    Pipes pipes(3);
    pipes.pairs[1].write("x");
    int found = -1, after = -1;
    Places ready;
    go("looks", [&] {
        found = pipes.poll(-1);
        ready = pipes.ready();
        char byte;
        static_cast<void>(system_calls().read(pipes.pairs[1].a, &byte, 1));
        after = pipes.poll(0);
    });
    const std::uint64_t before = call_counts().epoll_ctl;
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(ready == Places{1});
    CHECK(after == 0);
    INFO("neither needs the poller");
    CHECK(call_counts().epoll_ctl == before);
}

TEST_CASE("5.3 the first event ends the wait, and no descriptor stays registered") {
    INFO("all descriptors are registered for the wait, and removed at its end");
    Stand stand;
    Pipes pipes(5);
    int found = 0;
    Places ready;
    std::size_t registered = 99;
    go("waits", [&] {
        found = pipes.poll(-1);
        registered = stand.source.registered();
        ready = pipes.ready();
    });
    later(kMillisecond, "writes", [&] {
        registered = stand.source.registered();
        if (registered != 5) throw std::runtime_error("not all are registered");
        static_cast<void>(system_calls().write(pipes.pairs[3].b, "x", 1));
    });
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(ready == Places{3});
    CHECK(registered == 0);
}

TEST_CASE("5.3 two simultaneous events are reported together") {
    INFO("after the wait call the system's poll again: it reports all that is ready");
    Stand stand;
    Pipes pipes(4);
    int found = 0;
    Places ready;
    go("waits", [&] {
        found = pipes.poll(-1);
        ready = pipes.ready();
    });
    go("writes", [&] {
        static_cast<void>(system_calls().write(pipes.pairs[3].b, "x", 1));
        static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1));
    });
    CHECK(stand.run() == "");
    CHECK(found == 2);
    CHECK(ready == Places{0, 3});
}

TEST_CASE("5.3 a time-out ends the wait, not before its time, and no descriptor stays registered") {
    INFO("the time-out is in milliseconds; the items are removed at its end as well");
    Stand stand;
    Pipes pipes(3);
    int found = -1;
    std::size_t registered = 99;
    std::uint64_t took = 0;
    CHECK(stand.run("waits", [&] {
        const std::uint64_t before = kit::now();
        found = pipes.poll(20);
        took = kit::now() - before;
        registered = stand.source.registered();
    }) == "");
    CHECK(found == 0);
    CHECK(pipes.ready().empty());
    CHECK(took >= 20 * kMillisecond);
    CHECK(took < 21 * kMillisecond);
    CHECK(registered == 0);
}

TEST_CASE("5.3 the longest time-out is not shortened") {
    INFO("milliseconds times a million overflow an int: convert to 64 bits before you multiply");
    Stand stand;
    Pipes pipes(1);
    std::vector<std::uint64_t> took;
    CHECK(stand.run("waits", [&] {
        for (const int ms : {3'000, 5'000, 2'000'000'000}) {
            const std::uint64_t before = kit::now();
            pipes.poll(ms);
            took.push_back((kit::now() - before) / kMillisecond);
        }
    }) == "");
    CHECK(took == std::vector<std::uint64_t>{3'000, 5'000, 2'000'000'000});
}

TEST_CASE("5.3 a registration of the same descriptor by another task stays") {
    INFO("count the registrations of each descriptor: remove only your own");
    Stand stand;
    Pipes pipes(2);
    Log log;
    go("reader", [&] {
        char byte;
        log.emplace_back(system_calls().read(pipes.pairs[0].a, &byte, 1) < 0 ? "waits" : "?");
        lab04::wait_readable(pipes.pairs[0].a);
        log.emplace_back("reader");
    });
    go("polls", [&] {
        const std::uint64_t before = kit::now();
        const bool none = pipes.poll(1) == 0 && kit::now() >= before + kMillisecond;
        log.emplace_back(none ? "poll: time-out" : "poll: ?");
    });
    later(5 * kMillisecond, "writes", [&] { static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1)); });
    CHECK(stand.run() == "");
    CHECK(log == Log{"waits", "poll: time-out", "reader"});
}

TEST_CASE("5.3 two tasks poll one descriptor: an event wakes both") {
    INFO("an event wakes every item of its descriptor");
    Stand stand;
    Pipes pipes(1);
    int found = 0;
    for (int i = 0; i < 2; ++i)
        go("polls", [&] {
            pollfd one{pipes.pairs[0].a, POLLIN, 0};
            found += io::poll(&one, 1, 100) == 1 && one.revents == POLLIN ? 1 : 0;
        });
    CHECK(stand.run("writes", [&] { static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1)); }) == "");
    CHECK(found == 2);
}

TEST_CASE("5.3 a task that loses the race for the data waits for the rest of the time") {
    INFO("nothing is ready any more: keep waiting, until the deadline computed at the beginning");
    Stand stand;
    Pipes pipes(1);
    int found = -1;
    std::uint64_t took = 0;
    go("faster", [&] {
        lab04::wait_readable(pipes.pairs[0].a);
        char byte;
        static_cast<void>(system_calls().read(pipes.pairs[0].a, &byte, 1));
    });
    go("polls", [&] {
        found = pipes.poll(50);
        took = kit::now();
    });
    later(10 * kMillisecond, "writes, and reads it back", [&] {
        static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1));
        lab04::yield();
        char byte;
        static_cast<void>(system_calls().read(pipes.pairs[0].a, &byte, 1));
    });
    CHECK(stand.run() == "");
    CHECK(found == 0);
    CHECK(took >= 50 * kMillisecond);
    CHECK(took < 51 * kMillisecond);
}

TEST_CASE("5.3 reading and writing of one descriptor, and events that were not requested") {
    INFO("revents has the requested events, and errors and hang-ups in any case");
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();
    int first = 0, second = 0;
    pollfd fds[2] = {{pair.b, POLLIN | POLLOUT, 0}, {-1, POLLIN, 77}};
    pollfd hup{pair.b, 0, 0};
    go("polls", [&] {
        first = io::poll(fds, 2, -1);
        second = io::poll(&hup, 1, -1);
    });
    go("peer", [&] {
        std::string much(1 << 20, ' ');
        while (system_calls().read(pair.a, much.data(), much.size()) > 0) {
        }
        sleep_for(kMillisecond);
        pair.close_a();
    });
    CHECK(stand.run() == "");
    CHECK(first == 1);
    CHECK(told_by(fds[0].revents) == "POLLOUT");
    INFO("a negative descriptor is ignored");
    CHECK(told_by(fds[1].revents) == "nothing");
    INFO("without any requested event the end is still reported");
    CHECK(second == 1);
    CHECK_THAT(told_by(hup.revents), Catch::Matchers::ContainsSubstring("POLLHUP"));
}

TEST_CASE("5.3 without descriptors poll is a sleep") {
    INFO("with no descriptor poll waits for its time-out");
    Stand stand;
    int found = -1;
    CHECK(stand.run("sleeps", [&] { found = io::poll(nullptr, 0, 7); }) == "");
    CHECK(found == 0);
    CHECK(kit::now() >= 7 * kMillisecond);
}

TEST_CASE("5.3 a cancelled poll fails with ECANCELED, and a task destroyed in it leaves no registration") {
    INFO("cancelled is -1 with ECANCELED; the items are removed also when the task is unwound");
    Pipes pipes(3);
    EpollSource source;
    int found = 0, error = 0;
    {
        lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
        const Handle polls = go("polls", [&] {
            found = pipes.poll(-1);
            error = last_error();
            pipes.poll(-1);
        });
        go([&] { lab04::cancel(polls); }, "canceller");
        CHECK_THROWS_AS(sched.run(), lab04::Stuck);
        CHECK(found == -1);
        CHECK(error == ECANCELED);
        CHECK(source.registered() == 3);
    }
    CHECK(source.registered() == 0);
}

TEST_CASE("5.3 a descriptor that is closed while a task polls it is reported as no longer valid") {
    INFO("a close wakes the items of that number with POLLNVAL");
    Stand stand;
    Pipes pipes(2);
    int found = 0;
    go([&] { found = pipes.poll(-1); }, "polls");
    go([&] { io::close(std::exchange(pipes.pairs[1].a, -1)); }, "closes");
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(told_by(pipes.fds[1].revents) == "POLLNVAL");
}

TEST_CASE("5.3 a reused number is not polled in place of the closed descriptor") {
    INFO("a close wakes the items of that number with POLLNVAL, whatever gets the number next");
    Stand stand;
    Pipes pipes(3);
    const Pair other = Pair::pipe();
    other.write("for another");
    const int fd = pipes.pairs[1].a;
    int found = 0;
    go([&] { found = pipes.poll(-1); }, "polls");
    go("closes", [&] {
        io::close(std::exchange(pipes.pairs[1].a, -1));
        system_calls().dup2(other.a, fd);
    });
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(pipes.ready() == Places{1});
    CHECK(told_by(pipes.fds[1].revents) == "POLLNVAL");
    CHECK(stand.source.registered() == 0);
    system_calls().close(fd);
}

TEST_CASE("5.3 a negative descriptor, and one polled only for the end of the peer") {
    INFO("one event of one descriptor is what the poll returns");
    Stand stand;
    Pair pair = Pair::sockets();
    Pair other = Pair::sockets();
    pollfd fds[] = {{-1, POLLIN, 7}, {pair.a, POLLRDHUP, 0}, {other.a, POLLIN, 0}};
    int found = 0, found_closed = 0;
    std::uint64_t when = 0;
    short skipped = -1, told = 0;
    go("polls", [&] {
        found = io::poll(fds, 3, 100);
        when = kit::now();
        skipped = fds[0].revents;
        told = fds[1].revents;
        fds[1].events = 0;
        fds[1].fd = -1;
        found_closed = io::poll(fds, 3, 100);
    });
    later(kMillisecond, "ends", [&] {
        ::shutdown(pair.b, SHUT_WR);
        sleep_for(kMillisecond);
        io::close(std::exchange(other.a, -1));
    });
    CHECK(stand.run() == "");
    INFO("a negative number is skipped: continue with the entries after it, and watch them too");
    CHECK(found_closed == 1);
    CHECK(found == 1);
    INFO("POLLRDHUP is an event too: request it from the poller, or only the time-out ends the wait");
    CHECK(when < 50 * kMillisecond);
    CHECK_THAT(told_by(told), Catch::Matchers::ContainsSubstring("POLLRDHUP"));
    INFO("a negative number is ignored: it has no item");
    CHECK(told_by(skipped) == "nothing");
    CHECK(told_by(fds[2].revents) == "POLLNVAL");
}
