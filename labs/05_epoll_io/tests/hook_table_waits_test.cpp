// Step 5.5: as hook_table_test.cpp, for calls that wait for time or for several descriptors, for connect, and for calls
// whose wait something ends.
#include <sys/select.h>
#include <sys/un.h>

#include <climits>

#include "labs/05_epoll_io/tests/support/table_calls.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

using table::Row;
using table::told;
using table::World;

void add_time(std::vector<Row>& rows, const std::string& name, const std::function<long()>& call) {
    rows.push_back({name, [](World&) {}, [=](World&) { return told(call()); }});
}

constexpr time_t kMost = LONG_MAX;
constexpr timespec kTimes[] = {{0, 0},
                               {0, 1},
                               {0, 2'000'000},
                               {-1, 0},
                               {0, -1},
                               {0, kSecond},
                               {kMost, 0},
                               {18'446'744'074, 0},
                               {kMost, kSecond - 1},
                               {kMost, kSecond}};

std::string in_words(const timespec& time) {
    return "{" + std::to_string(time.tv_sec) + ", " + std::to_string(time.tv_nsec) + "}";
}

std::vector<Row> sleeps() {
    std::vector<Row> rows;
    for (const timespec& time : kTimes) {
        add_time(rows, "nanosleep " + in_words(time), [=] { return nanosleep(&time, nullptr); });
        for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC, CLOCK_BOOTTIME, 77})
            for (const int flags : {0, TIMER_ABSTIME})
                add_time(
                    rows,
                    "clock_nanosleep " + std::to_string(clock) + " " + std::to_string(flags) + " " + in_words(time),
                    [=] { return clock_nanosleep(clock, flags, &time, nullptr); });
    }
    add_time(rows, "nanosleep of nothing", [] { return nanosleep(static_cast<timespec*>(table::nowhere()), nullptr); });
    add_time(rows, "sleep 0", [] { return static_cast<long>(::sleep(0)); });
    add_time(rows, "sleep of the most", [] { return static_cast<long>(::sleep(UINT_MAX)); });
    for (const unsigned us : {0U, 1000U, UINT_MAX})
        add_time(rows, "usleep " + std::to_string(us), [=] { return ::usleep(us); });
    for (const int options : {0, WNOHANG, 12345})
        add_time(rows, "waitpid without a child, " + std::to_string(options),
                 [=] { return ::waitpid(-1, nullptr, options); });
    return rows;
}

void add(std::vector<Row>& rows, const std::string& name, const table::Call& call,
         const std::vector<table::Kind>& kinds) {
    for (const table::Kind& kind : kinds) rows.push_back({name + ": " + kind.name, kind.make, call});
}

std::vector<Row> polls() {
    std::vector<Row> rows;
    const std::vector<table::Kind> kinds = table::all_kinds(), none{{"no descriptor", [](World&) {}}};
    for (const int timeout : {0, 10, -1, INT_MIN, INT_MAX}) {
        const auto poll = [=](World& w) {
            pollfd one{w.fd, POLLIN | POLLPRI, 0};
            return told(::poll(&one, 1, timeout)) + " " + std::to_string(one.revents);
        };
        add(rows, "poll " + std::to_string(timeout), poll, timeout == 10 || timeout == -1 ? kinds : none);
        add(
            rows, "poll of none, " + std::to_string(timeout), [=](World&) { return told(::poll(nullptr, 0, timeout)); },
            none);
    }
    add(
        rows, "poll of no list", [](World&) { return told(::poll(static_cast<pollfd*>(table::nowhere()), 1, 10)); },
        none);
    add(
        rows, "poll of more than there can be",
        [](World&) {
            std::vector<pollfd> many(static_cast<std::size_t>(getdtablesize()) + 1, pollfd{-1, 0, 0});
            return told(::poll(many.data(), many.size(), 10));
        },
        none);
    for (const timespec& time : kTimes)
        add(
            rows, "ppoll " + in_words(time),
            [=](World& w) {
                pollfd one{w.fd, POLLIN, 0};
                return told(::ppoll(&one, 1, &time, nullptr));
            },
            none);
    return rows;
}

/// The descriptor in all three sets, and what is left of them.
std::string select_all(World& w, int count, timeval* limit) {
    fd_set sets[3];
    for (fd_set& set : sets) {
        FD_ZERO(&set);
        if (w.fd >= 0 && w.fd < FD_SETSIZE) FD_SET(w.fd, &set);
    }
    std::string words = told(::select(count, &sets[0], &sets[1], &sets[2], limit));
    for (fd_set& set : sets) words += w.fd >= 0 && w.fd < FD_SETSIZE && FD_ISSET(w.fd, &set) ? " set" : " clear";
    return words;
}

std::vector<Row> selects() {
    std::vector<Row> rows;
    const std::vector<table::Kind> kinds = table::all_kinds();
    add(
        rows, "select 10 ms",
        [](World& w) {
            timeval limit{0, 10'000};
            return select_all(w, w.fd < FD_SETSIZE ? w.fd + 1 : FD_SETSIZE, &limit);
        },
        kinds);
    const std::vector<table::Kind> few{{"a pipe", [](World& w) { table::pipe_read(w, ""); }},
                                       {"a pipe with bytes", [](World& w) { table::pipe_read(w, "hello"); }},
                                       {"a closed number far away", [](World& w) { w.fd = 1000; }}};
    for (const int count : {-1, 0, 64, FD_SETSIZE, getdtablesize(), 1'000'000, INT_MAX})
        add(
            rows, "select " + std::to_string(count),
            [=](World& w) {
                timeval limit{0, 10'000};
                return select_all(w, count, &limit);
            },
            few);
    for (const timeval& time : {timeval{-1, 0}, {0, -1}, {0, 0}, {kMost, 0}, {kMost, 2'000'000}})
        add(
            rows, "select {" + std::to_string(time.tv_sec) + ", " + std::to_string(time.tv_usec) + "}",
            [=](World& w) {
                timeval limit = time;
                return select_all(w, FD_SETSIZE, &limit);
            },
            few);
    add(
        rows, "select without a limit", [](World& w) { return select_all(w, FD_SETSIZE, nullptr); }, few);
    for (const timespec& time : kTimes)
        add(rows, "pselect " + in_words(time),
            [=](World&) { return told(::pselect(0, nullptr, nullptr, nullptr, &time, nullptr)); },
            {{"no descriptor", [](World&) {}}});
    return rows;
}

// ---- connect --------------------------------------------------------------------------------------------------------

std::string connect_again(World& w) { return told(::connect(w.fd, w.where(), w.size)); }
std::string receive(World& w) {
    char byte;
    return told(::recv(w.fd, &byte, 1, MSG_DONTWAIT));
}

/// A port whose queue has no room: a connect there gets no answer.
void full_port(World& w) {
    w.beside = table::bound(w, SOCK_STREAM);
    listen(w.beside, 0);
    for (int i = 0; i < 2; ++i) {
        const int other = system_calls().socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        system_calls().connect(other, w.where(), w.size);
    }
    w.fd = table::inet(SOCK_STREAM);
}
void local_listener(World& w, int backlog) {
    w.beside = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un any{};
    any.sun_family = AF_UNIX;
    bind(w.beside, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family);
    w.size = sizeof w.address;
    getsockname(w.beside, reinterpret_cast<sockaddr*>(&w.address), &w.size);
    listen(w.beside, backlog);
    w.fd = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}
void full_local_listener(World& w) {
    local_listener(w, 0);
    const int other = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    system_calls().connect(other, w.where(), w.size);
}

std::vector<table::Kind> to_connect() {
    std::vector<table::Kind> all{{"to a port that refuses", table::refusing},
                                 {"to a listener", table::listening},
                                 {"to a full port", full_port},
                                 {"to a local listener", [](World& w) { local_listener(w, 4); }},
                                 {"to a full local listener", full_local_listener},
                                 {"a listener itself", table::listener},
                                 {"UDP", [](World& w) {
                                      w.beside = table::bound(w, SOCK_DGRAM);
                                      w.fd = table::inet(SOCK_DGRAM);
                                  }}};
    const std::vector<table::Kind> plain = all;
    const std::vector<std::string> names{"to a port that refuses", "to a listener", "to a full port",
                                         "to a full local listener"};
    for (const timeval limit : {timeval{0, 10'000}, {-1, 0}})
        table::add_to(all, table::changed(plain, names, limit.tv_sec < 0 ? "-1 s" : "10 ms",
                                          [=](int fd) { table::limit_by(fd, SO_SNDTIMEO, limit); }));
    table::add_to(all, table::changed(plain, names, "O_NONBLOCK", [](int fd) { ::fcntl(fd, F_SETFL, O_NONBLOCK); }));
    return all;
}

std::vector<Row> connects() {
    std::vector<Row> rows;
    const std::vector<table::Kind> kinds = to_connect();
    add(rows, "connect", connect_again, kinds);
    add(
        rows, "connect twice", [](World& w) { return connect_again(w) + ", " + connect_again(w); }, kinds);
    add(
        rows, "connect, then recv", [](World& w) { return connect_again(w) + ", " + receive(w); }, kinds);
    add(
        rows, "connect, then SO_ERROR",
        [](World& w) {
            int error = -1;
            socklen_t size = sizeof error;
            const std::string first = connect_again(w);
            ::getsockopt(w.fd, SOL_SOCKET, SO_ERROR, &error, &size);
            return first + ", " + std::to_string(error);
        },
        kinds);
    add(rows, "connect, and again when somebody listens",
        [](World& w) {
            const std::string first = connect_again(w);
            ::listen(w.beside, 4);
            return first + ", " + connect_again(w) + ", " + connect_again(w);
        },
        {kinds[0]});
    add(
        rows, "connect that was begun without waiting",
        [](World& w) {
            ::fcntl(w.fd, F_SETFL, O_NONBLOCK);
            const std::string first = connect_again(w);
            ::fcntl(w.fd, F_SETFL, 0);
            return first + ", " + connect_again(w) + ", " + connect_again(w);
        },
        kinds);
    add(
        rows, "connect, and away again",
        [](World& w) {
            sockaddr none{};
            none.sa_family = AF_UNSPEC;
            const std::string first = connect_again(w);
            return first + ", " + told(::connect(w.fd, &none, sizeof none)) + ", " + receive(w);
        },
        kinds);
    add(
        rows, "connect to nowhere",
        [](World& w) { return told(::connect(w.fd, static_cast<sockaddr*>(table::nowhere()), 16)); }, kinds);
    add(
        rows, "connect to an address of no bytes", [](World& w) { return told(::connect(w.fd, w.where(), 0)); }, kinds);
    add(
        rows, "connect of another kind",
        [](World& w) {
            const int fd = std::exchange(w.fd, w.fd);
            World there;
            table::listening(there);
            return told(::connect(fd, there.where(), there.size));
        },
        table::all_kinds());
    return rows;
}

// ---- waits that something ends --------------------------------------------------------------------------------------

template <class T>
void put_number(int fd, T value) {
    table::put(fd, {reinterpret_cast<const char*>(&value), sizeof value});
}

/// The writing end of the pipe that is the world's `beside`: of the child's one such row.
int pipe_in = -1;
void pipe_beside(World& w) {
    World pipe;
    table::pipe_read(pipe, "");
    w.beside = pipe.fd;
    pipe_in = pipe.peer;
}

std::vector<Row> ended_waits() {
    using namespace table;
    std::vector<Row> rows;
    const auto read = into_buffer([](int fd, char* buffer) { return ::read(fd, buffer, 8); });
    const auto all = into_buffer([](int fd, char* buffer) { return ::recv(fd, buffer, 8, MSG_WAITALL); });
    const auto look = into_buffer([](int fd, char* buffer) { return ::recv(fd, buffer, 8, MSG_WAITALL | MSG_PEEK); });
    const auto much = [](World& w) {
        const std::uint64_t number = 10;
        return told(::write(w.fd, &number, sizeof number));
    };
    const auto full = [](World& w) { w.fd = eventfd(0, EFD_CLOEXEC), put_number(w.fd, ~std::uint64_t{8}); };
    const auto drain = [](World& w) {
        std::uint64_t number;
        static_cast<void>(!system_calls().read(w.fd, &number, sizeof number));
    };
    rows.push_back({"an eventfd that is full is read", full, much, drain});
    rows.push_back(
        {"a pipe is written to", [](World& w) { pipe_read(w, ""); }, read, [](World& w) { table::put(w.peer, "hi"); }});
    rows.push_back({"a pipe loses its writer", [](World& w) { pipe_read(w, ""); }, read, close_peer});
    rows.push_back({"an eventfd is written to", [](World& w) { w.fd = eventfd(0, EFD_CLOEXEC); }, read,
                    [](World& w) { put_number(w.fd, std::uint64_t{3}); }});
    rows.push_back({"the rest comes", [](World& w) { connected(w), table::put(w.peer, "hello"); }, all,
                    [](World& w) { table::put(w.peer, " world"); }});
    rows.push_back({"the rest of what is looked at comes", [](World& w) { connected(w), table::put(w.peer, "hello"); },
                    look, [](World& w) { table::put(w.peer, " world"); }});
    rows.push_back({"no rest comes", [](World& w) { connected(w), table::put(w.peer, "hello"); }, look, close_peer});
    rows.push_back({"a reset comes", connected, read, reset_peer});
    rows.push_back({"a connection comes", listener,
                    [](World& w) { return told(::accept(w.fd, nullptr, nullptr) > 0 ? 1 : -1); },
                    [](World& w) { system_calls().connect(w.peer = inet(SOCK_STREAM), w.where(), w.size); }});
    rows.push_back({"a local queue gets room", full_local_listener, connect_again,
                    [](World& w) { w.peer = system_calls().accept4(w.beside, nullptr, nullptr, SOCK_CLOEXEC); }});
    rows.push_back({"a pipe gets bytes to splice", [](World& w) { local(w, SOCK_STREAM), pipe_beside(w); },
                    [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 100, 0)); },
                    [](World&) { table::put(pipe_in, "hello"); }});
    return rows;
}

}  // namespace

TEST_CASE("5.5 third: the sleeps give what they give a thread that blocks, for no time, for ever and for none at all") {
    WITHOUT_HOOK_NOTHING
    INFO("a time becomes ns in one place, and stays the largest there is where it does not fit");
    CHECK(table::differences(sleeps()) == "");
}

TEST_CASE("5.5 third: poll and ppoll of any kind of descriptor give what they give a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("look first (poll with no time-out), then wait, then look again");
    CHECK(table::differences(polls()) == "");
}

TEST_CASE("5.5 third: select and pselect of any kind of descriptor give what they give a thread that blocks") {
    WITHOUT_HOOK_NOTHING
    INFO("given: the kernel's own select looks, and the poller waits in between");
    CHECK(table::differences(selects()) == "");
}

TEST_CASE(
    "5.5 third: a connect leaves its socket as it leaves it to a thread that blocks: refused, connected, under way") {
    WITHOUT_HOOK_NOTHING
    INFO("ask by another connect(2): SO_ERROR tells the error and leaves the socket in the middle of its connect");
    CHECK(table::differences(connects()) == "");
}

TEST_CASE(
    "5.5 third: what ends the wait of a thread that blocks ends the wait of a hooked task, with the same result") {
    WITHOUT_HOOK_NOTHING
    INFO("try, wait and try again: the last attempt has the result");
    CHECK(table::differences(ended_waits()) == "");
}
