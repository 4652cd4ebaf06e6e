// Step 5.3: one task waits for many descriptors.
#include <cstdlib>
#include <new>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests_kit.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

/// Several pipes, and the pollfds that wait for their reading ends.
struct Pipes {
    std::vector<Pair> pairs;
    std::vector<pollfd> fds;

    explicit Pipes(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            pairs.push_back(Pair::pipe());
            fds.push_back({pairs.back().a, POLLIN, 0});
        }
    }
    int poll(int timeout) { return io::poll(fds.data(), fds.size(), timeout); }
    /// Which of them are ready, by their places.
    std::vector<std::size_t> ready() const {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < fds.size(); ++i)
            if (fds[i].revents != 0) places.push_back(i);
        return places;
    }
};

using Places = std::vector<std::size_t>;

}  // namespace

TEST_CASE("5.3 what is ready is told at once, and a look waits for nothing") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(3);
    pipes.pairs[1].write("x");
    int found = -1, after = -1;
    Places ready;
    go(
        [&] {
            found = pipes.poll(-1);
            ready = pipes.ready();
            char byte;
            static_cast<void>(system_calls().read(pipes.pairs[1].a, &byte, 1));
            after = pipes.poll(0);
        },
        "looks");
    const std::uint64_t before = call_counts().epoll_ctl;
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(ready == Places{1});
    CHECK(after == 0);
    INFO("neither needs the poller");
    CHECK(call_counts().epoll_ctl == before);
}

TEST_CASE("5.3 the first event ends the wait, and nothing stays registered") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(5);
    int found = 0;
    Places ready;
    std::size_t registered = 99;
    go(
        [&] {
            found = pipes.poll(-1);
            registered = stand.source.registered();
            ready = pipes.ready();
        },
        "waits");
    go(
        [&] {
            sleep_for(kMillisecond);
            registered = stand.source.registered();
            if (registered != 5) throw std::runtime_error("not all are registered");
            static_cast<void>(system_calls().write(pipes.pairs[3].b, "x", 1));
        },
        "writes");
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(ready == Places{3});
    CHECK(registered == 0);
}

TEST_CASE("5.3 two events that come together are told together") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(4);
    int found = 0;
    Places ready;
    go(
        [&] {
            found = pipes.poll(-1);
            ready = pipes.ready();
        },
        "waits");
    go(
        [&] {
            static_cast<void>(system_calls().write(pipes.pairs[3].b, "x", 1));
            static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1));
        },
        "writes");
    CHECK(stand.run() == "");
    CHECK(found == 2);
    CHECK(ready == Places{0, 3});
}

TEST_CASE("5.3 a time-out ends the wait, not before its time, and nothing stays registered") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(3);
    int found = -1;
    std::size_t registered = 99;
    std::uint64_t took = 0;
    go(
        [&] {
            const std::uint64_t before = kit::now();
            found = pipes.poll(20);
            took = kit::now() - before;
            registered = stand.source.registered();
        },
        "waits");
    CHECK(stand.run() == "");
    CHECK(found == 0);
    CHECK(pipes.ready().empty());
    CHECK(took >= 20 * kMillisecond);
    CHECK(took < 21 * kMillisecond);
    CHECK(registered == 0);
}

TEST_CASE("5.3 another one's registration of the same descriptor stays") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(2);
    Log log;
    go(
        [&] {
            char byte;
            log.emplace_back(system_calls().read(pipes.pairs[0].a, &byte, 1) < 0 ? "waits" : "?");
            lab04::wait_readable(pipes.pairs[0].a);
            log.emplace_back("reader");
        },
        "reader");
    go([&] { log.emplace_back(pipes.poll(1) == 0 ? "poll: time-out" : "poll: ?"); }, "polls");
    go(
        [&] {
            sleep_for(5 * kMillisecond);
            static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1));
        },
        "writes");
    CHECK(stand.run() == "");
    CHECK(log == Log{"waits", "poll: time-out", "reader"});
}

TEST_CASE("5.3 two tasks poll one descriptor: an event wakes both") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(1);
    int found = 0;
    for (int i = 0; i < 2; ++i)
        go(
            [&] {
                pollfd one{pipes.pairs[0].a, POLLIN, 0};
                found += io::poll(&one, 1, 100);
            },
            "polls");
    go([&] { static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1)); }, "writes");
    CHECK(stand.run() == "");
    CHECK(found == 2);
}

TEST_CASE("5.3 who finds that another was faster waits for the rest of the time") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(1);
    int found = -1;
    std::uint64_t took = 0;
    go(
        [&] {
            lab04::wait_readable(pipes.pairs[0].a);
            char byte;
            static_cast<void>(system_calls().read(pipes.pairs[0].a, &byte, 1));
        },
        "faster");
    go(
        [&] {
            found = pipes.poll(50);
            took = kit::now();
        },
        "polls");
    go(
        [&] {
            sleep_for(10 * kMillisecond);
            static_cast<void>(system_calls().write(pipes.pairs[0].b, "x", 1));
            lab04::yield();
            char byte;
            static_cast<void>(system_calls().read(pipes.pairs[0].a, &byte, 1));
        },
        "writes, and takes it away");
    CHECK(stand.run() == "");
    CHECK((found == 0 || found == 1));
    if (found == 0) CHECK(took >= 50 * kMillisecond);
}

TEST_CASE("5.3 reading and writing of one descriptor, and what is not asked for") {
    use_virtual_time();
    Stand stand;
    Pair pair = Pair::sockets();
    pair.fill();
    int first = 0, second = 0;
    pollfd fds[2] = {{pair.b, POLLIN | POLLOUT, 0}, {-1, POLLIN, 77}};
    pollfd hup{pair.b, 0, 0};
    go(
        [&] {
            first = io::poll(fds, 2, -1);
            second = io::poll(&hup, 1, -1);
        },
        "polls");
    go(
        [&] {
            std::string much(1 << 20, ' ');
            while (system_calls().read(pair.a, much.data(), much.size()) > 0) {
            }
            sleep_for(kMillisecond);
            pair.close_a();
        },
        "peer");
    CHECK(stand.run() == "");
    CHECK(first == 1);
    CHECK(fds[0].revents == POLLOUT);
    INFO("a negative descriptor is left out");
    CHECK(fds[1].revents == 0);
    INFO("without any wish one is still told of the end");
    CHECK(second == 1);
    CHECK((hup.revents & POLLHUP) != 0);
}

TEST_CASE("5.3 without descriptors poll is a sleep") {
    use_virtual_time();
    Stand stand;
    int found = -1;
    go([&] { found = io::poll(nullptr, 0, 7); }, "sleeps");
    CHECK(stand.run() == "");
    CHECK(found == 0);
    CHECK(kit::now() >= 7 * kMillisecond);
}

TEST_CASE("5.3 a cancelled poll says so, and a task destroyed in it leaves nothing behind") {
    use_virtual_time();
    Pipes pipes(3);
    EpollSource source;
    int found = 0, error = 0;
    {
        lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
        const Handle polls = go(
            [&] {
                found = pipes.poll(-1);
                error = last_error();
                pipes.poll(-1);
            },
            "polls");
        go([&] { lab04::cancel(polls); }, "canceller");
        CHECK_THROWS_AS(sched.run(), lab04::Stuck);
        CHECK(found == -1);
        CHECK(error == ECANCELED);
        CHECK(source.registered() == 3);
    }
    CHECK(source.registered() == 0);
}

TEST_CASE("5.3 on a shared stack, where others lie while one polls, the items stay where they are") {
    use_virtual_time();
    EpollSource source;
    lab04::Scheduler sched(
        lab04::Settings{.strategy = "producer_consumer", .backend = &kit::shared_backend, .source = &source});
    Pipes pipes(16);
    std::vector<int> found(8, -1);
    std::vector<char> read(8, '?');
    std::vector<std::uint64_t> woken(8);
    for (std::size_t i = 0; i < 8; ++i)
        go(
            [&, i] {
                pollfd two[2] = {{pipes.fds[2 * i].fd, POLLIN, 0}, {pipes.fds[2 * i + 1].fd, POLLIN, 0}};
                found[i] = io::poll(two, 2, 50);
                woken[i] = kit::now();
                if (two[1].revents != 0) static_cast<void>(!system_calls().read(two[1].fd, &read[i], 1));
            },
            "polls");
    go(
        [&] {
            for (std::size_t i = 0; i < 8; i += 2) {
                sleep_for(kMillisecond);
                static_cast<void>(!system_calls().write(pipes.pairs[2 * i + 1].b, "x", 1));
            }
        },
        "writes");
    CHECK(sched.run().empty());
    CHECK(found == std::vector<int>{1, 0, 1, 0, 1, 0, 1, 0});
    INFO("an item that lies where another one's is now wakes that one");
    for (std::size_t i = 0; i < 8; i += 2) CHECK(woken[i] < 10 * kMillisecond);
    CHECK(read == std::vector<char>{'x', '?', 'x', '?', 'x', '?', 'x', '?'});
    CHECK(source.registered() == 0);
}

TEST_CASE("5.3 a trace says that one who polls waits for descriptors, until when, and for which") {
    const trace::Trace recorded = trace_of("polls", [] {
        use_virtual_time();
        Stand stand;
        Pipes pipes(3);
        go([&] { pipes.poll(5); }, "polls with a limit");
        const Handle patient = go([&] { io::poll(pipes.fds.data(), 1, -1); }, "polls one");
        go(
            [&] {
                sleep_for(kMillisecond);
                lab04::cancel(patient);
            },
            "cancels");
        if (!stand.run().empty()) std::abort();
    });
    Log waits;
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        const trace::Event& event = recorded[i];
        if (event.kind != trace::Kind::switch_ || event.second<trace::State>() != trace::State::waiting) continue;
        const std::string text(recorded.text(event.text));
        waits.push_back(text.substr(text.find(' ', 3)) + (event.x > 5'000'000 ? ", until 5 ms" : ""));
        CHECK(text.starts_with("fd "));
    }
    CHECK(waits == Log{" readable and 2 more, until 5 ms", " readable"});
}

TEST_CASE("5.3 a descriptor that is closed while somebody polls it is told as no longer valid") {
    use_virtual_time();
    Stand stand;
    Pipes pipes(2);
    int found = 0;
    go([&] { found = pipes.poll(-1); }, "polls");
    go([&] { io::close(std::exchange(pipes.pairs[1].a, -1)); }, "closes");
    CHECK(stand.run() == "");
    CHECK(found == 1);
    CHECK(pipes.fds[1].revents == POLLNVAL);
}

namespace {
std::size_t allocations = 0;
}
// Sanitizers have an operator new of their own, and then nothing is counted.
#if !defined(FIBERSCOPE_ASAN) && !defined(FIBERSCOPE_TSAN)
void* operator new(std::size_t size) {
    ++allocations;
    if (void* memory = std::malloc(size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

TEST_CASE("5.3 one or two descriptors cost no allocation") {
    use_virtual_time();
    record_nothing();
    Stand stand;
    Pipes pipes(2), three(3);
    std::size_t few = 99, many = 99;
    go(
        [&] {
            pipes.poll(1);
            const std::size_t before = allocations;
            pipes.poll(1);
            few = allocations - before;
            three.poll(1);
            many = allocations - before;
        },
        "polls");
    CHECK(stand.run() == "");
    CHECK(few == 0);
    CHECK(many == (kit::kUnderSanitizer ? 0 : 1));
}
