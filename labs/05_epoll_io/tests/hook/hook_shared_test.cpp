// Step 5.5, given: descriptors that other threads and processes use too. What was ready may be taken between a look and
// the call, and flags may be changed by another process.
#include <sys/wait.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "labs/05_epoll_io/tests/support/blocking.h"
#include "labs/05_epoll_io/tests/support/replaced.h"
#include "labs/05_epoll_io/tests/support/table_connects.h"
#include "labs/05_epoll_io/tests/support/table_writes.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;
using table::World;

namespace {

// ---- taken between the look and the call ----------------------------------------------------------------------------

using Polls = Replaced<&SystemCalls::poll>;

/// What another thread or process takes after poll has found it. One at a time.
struct Theft {
    int fd;
    std::function<void()> take;
    std::atomic<bool> taken{false};
};
Theft* theft = nullptr;

int poll_then_lose(pollfd* fds, nfds_t count, int timeout) {
    const int ready = Polls::before()(fds, count, timeout);
    const bool found = ready > 0 && count == 1 && fds->fd == theft->fd && (fds->revents & POLLIN) != 0;
    if (found && !theft->taken.exchange(true)) theft->take();
    return ready;
}

void in_thread(const std::function<void()>& call) { std::thread(call).join(); }
void in_process(const std::function<void()>& call) {
    const pid_t child = fork();
    if (child == 0) {
        call();
        _exit(0);
    }
    system_calls().waitpid(child, nullptr, 0);
}

void dial(World& w) {
    const int client = table::inet(SOCK_STREAM);
    system_calls().connect(client, w.where(), w.size);
}
void take_connection(World& w) { system_calls().close(system_calls().accept4(w.fd, nullptr, nullptr, 0)); }
void take_bytes(World& w) {
    char bytes[64];
    static_cast<void>(!system_calls().read(w.fd, bytes, sizeof bytes));
}

struct Race {
    const char* name;
    void (*make)(World&);
    void (*give)(World&);  ///< makes it ready
    void (*take)(World&);
    long (*call)(World&);
};

constexpr Race kRaces[] = {
    {"accept", table::listener, dial, take_connection,
     [](World& w) -> long { return ::accept(w.fd, nullptr, nullptr); }},
    {"read of a terminal", [](World& w) { table::terminal(w); }, [](World& w) { table::put(w.peer, "hi\n"); },
     take_bytes,
     [](World& w) -> long {
         char bytes[8];
         return ::read(w.fd, bytes, sizeof bytes);
     }},
    {"splice from TCP",
     [](World& w) {
         table::connected(w);
         table::pipe_beside(w);
     },
     [](World& w) { table::put(w.peer, "hello"); }, take_bytes,
     [](World& w) -> long { return ::splice(w.fd, nullptr, table::pipe_in, nullptr, 5, 0); }},
};

/// Whether another task runs while the call waits for the second connection, line or byte.
bool other_runs(const Race& race, void (*by_another)(const std::function<void()>&)) {
    INFO("the run ends, and the descriptor blocks as before");
    World w;
    race.make(w);
    race.give(w);
    Theft lost{w.fd, [&] { by_another([&] { race.take(w); }); }};
    theft = &lost;
    Stand stand(kRealTime);
    std::atomic<bool> other_ran{false}, over{false};
    long result = -2;
    int flags = -1;
    // Ends the wait of a thread that stands still; no verdict depends on when.
    std::thread helper([&, watch = table::Watch(gettid())]() mutable {
        while (!over && !other_ran && !watch.sleeps_for_good())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!over && !other_ran) race.give(w);
    });
    {
        const Polls stolen(poll_then_lose);
        go_hooked("caller", [&] {
            result = race.call(w);
            if (!other_ran) result = -3;
            flags = system_calls().fcntl(w.fd, F_GETFL);
            over = true;
        });
        go("other", [&] {
            while (!lost.taken) lab04::yield();
            other_ran = true;
            race.give(w);
        });
        CHECK(stand.run() == "");
    }
    helper.join();
    CHECK((flags & O_NONBLOCK) == 0);
    return result > 0;
}

}  // namespace

TEST_CASE("5.5 third: what another thread or process takes after it was found ready stops a task, and not its thread") {
    WITHOUT_HOOK_NOTHING
    record_nothing();
    for (const Race& race : kRaces) {
        INFO(race.name);
        INFO("given: the attempt after poll must not block either");
        CHECK(other_runs(race, in_thread));
        CHECK(other_runs(race, in_process));
    }
}

namespace {

// ---- several that accept --------------------------------------------------------------------------------------------

constexpr int kConnections = 400;
constexpr int kWrong = 100'000;

/// Accepts by two hooked tasks until a connection brings a 'q'. How many it accepted, or more if an accept failed.
int accept_all(int listener) {
    int accepted = 0;
    bool over = false;
    Stand stand(std::nullopt);
    const auto serve = [&] {
        while (!over) {
            const int taken = ::accept(listener, nullptr, nullptr);
            if (taken < 0) return static_cast<void>((accepted = kWrong, over = true));
            char byte = 0;
            over = ::read(taken, &byte, 1) != 1 || byte == 'q';
            ++accepted;
            ::close(taken);
        }
    };
    go_hooked("accepts", serve);
    if (!stand.run().empty()) accepted = kWrong;
    return accepted;
}

/// One after the other, then one 'q' for each of those that accept. All have room in the backlog: a full one drops a
/// SYN, which is sent again after a second only.
void dial_all(World& w, int enders) {
    CHECK(::listen(w.fd, kConnections + enders) == 0);
    for (int i = 0; i < kConnections + enders; ++i) {
        const int client = table::inet(SOCK_STREAM);
        system_calls().connect(client, w.where(), w.size);
        table::put(client, i < kConnections ? "x" : "q");
        system_calls().close(client);
    }
}

int accepted_by_threads(World& w) {
    std::atomic<int> accepted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; ++i) threads.emplace_back([&] { accepted += accept_all(w.fd); });
    dial_all(w, 2);
    for (std::thread& thread : threads) thread.join();
    return accepted;
}
int accepted_by_processes(World& w) {
    const Pair report = Pair::pipe();
    pid_t children[2];
    for (pid_t& child : children) {
        child = fork();
        if (child != 0) continue;
        const int accepted = accept_all(w.fd);
        static_cast<void>(!system_calls().write(report.b, &accepted, sizeof accepted));
        _exit(0);
    }
    dial_all(w, 2);
    for (const pid_t child : children) system_calls().waitpid(child, nullptr, 0);
    int sum = 0;
    for (int one = 0; system_calls().read(report.a, &one, sizeof one) > 0;) sum += one;
    return sum;
}

}  // namespace

TEST_CASE("5.5 third: two threads, and two processes, accept from one listener without losing or failing a call") {
    WITHOUT_HOOK_NOTHING
    INFO("given: the flags of a listener are changed for an attempt, and restored, as if there were one caller");
    record_nothing();
    use_real_time();
    for (int (*const way)(World&) : {accepted_by_threads, accepted_by_processes}) {
        World w;
        table::listener(w);
        CHECK(way(w) == kConnections + 2);
        CHECK((system_calls().fcntl(w.fd, F_GETFL) & O_NONBLOCK) == 0);
        system_calls().close(w.fd);
    }
}

// ---- changed by others ----------------------------------------------------------------------------------------------

TEST_CASE("5.5 third: O_NONBLOCK that a child process sets or clears is obeyed by the next call") {
    WITHOUT_HOOK_NOTHING
    INFO("given: the flags belong to the open file, which processes share");
    Stand stand;
    const Pair pair = blocking_pair();
    Log log;
    const auto set_by_child = [&](int flags) { in_process([&] { system_calls().fcntl(pair.a, F_SETFL, flags); }); };
    go_hooked("reader", [&] {
        log.push_back(read_text(pair.a));
        set_by_child(O_NONBLOCK);
        log.push_back(read_text(pair.a));
        log.push_back(read_text(pair.a));
        set_by_child(0);
        log.push_back(read_text(pair.a));
    });
    go_hooked("writer", [&] {
        for (const char* text : {"one", "two"}) {
            ::usleep(1000);
            static_cast<void>(!::write(pair.b, text, 3));
        }
    });
    CHECK(stand.run() == "");
    const std::string again = std::string("error ") + std::strerror(EAGAIN);
    CHECK(log == Log{"one", again, again, "two"});
}

TEST_CASE("5.5 third: a stream that freopen has opened on a FIFO is a FIFO to the hook") {
    WITHOUT_HOOK_NOTHING
    INFO("given: freopen closes and opens within the C library");
    Stand stand;
    World w;
    table::fifo(w);
    const std::string path = "/proc/self/fd/" + std::to_string(w.fd);
    std::string got;
    go_hooked("reader", [&] {
        std::FILE* stream = std::fopen("/proc/self/exe", "re");
        char byte;
        static_cast<void>(!::read(fileno(stream), &byte, 1));
        stream = std::freopen(path.c_str(), "r+e", stream);
        got = read_text(fileno(stream));
        std::fclose(stream);
    });
    go_hooked("writer", [&] { static_cast<void>(!::write(w.peer, "x", 1)); });
    CHECK(stand.run() == "");
    CHECK(got == "x");
    for (const int fd : {w.fd, w.peer}) system_calls().close(fd);
}
