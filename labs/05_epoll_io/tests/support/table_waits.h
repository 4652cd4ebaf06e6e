// The rows of the table for calls that wait for time or for several descriptors.
#pragma once

#include <poll.h>
#include <sys/select.h>

#include <climits>
#include <ctime>
#include <string>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_sockets.h"

namespace fiberscope::lab05::testing::table {

inline void add_time(std::vector<Row>& rows, const std::string& name, const std::function<long()>& call) {
    rows.push_back({name, [](World&) {}, [=](World&) { return told(call()); }});
}

inline constexpr time_t kMost = LONG_MAX;
inline constexpr timespec kTimes[] = {{0, 0},
                                      {0, 1},
                                      {0, 2'000'000},
                                      {-1, 0},
                                      {0, -1},
                                      {0, kSecond},
                                      {kMost, 0},
                                      {18'446'744'074, 0},
                                      {kMost, kSecond - 1},
                                      {kMost, kSecond}};

inline std::string in_words(const timespec& time) {
    return "{" + std::to_string(time.tv_sec) + ", " + std::to_string(time.tv_nsec) + "}";
}

inline std::vector<Row> sleeps() {
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
    add_time(rows, "nanosleep of nothing", [] { return nanosleep(static_cast<timespec*>(nowhere()), nullptr); });
    add_time(rows, "sleep 0", [] { return static_cast<long>(::sleep(0)); });
    add_time(rows, "sleep of the most", [] { return static_cast<long>(::sleep(UINT_MAX)); });
    for (const unsigned us : {0U, 1000U, UINT_MAX})
        add_time(rows, "usleep " + std::to_string(us), [=] { return ::usleep(us); });
    for (const int options : {0, WNOHANG, 12345})
        add_time(rows, "waitpid without a child, " + std::to_string(options),
                 [=] { return ::waitpid(-1, nullptr, options); });
    return rows;
}

inline std::vector<Row> polls() {
    std::vector<Row> rows;
    const std::vector<Kind> kinds = all_kinds(), none{{"no descriptor", [](World&) {}}};
    for (const int timeout : {0, 10, -1, INT_MIN, INT_MAX}) {
        const auto poll = [=](World& w) {
            pollfd one{w.fd, POLLIN | POLLPRI, 0};
            return told(::poll(&one, 1, timeout)) + " " + std::to_string(one.revents);
        };
        add_rows(rows, "poll " + std::to_string(timeout), poll, timeout == 10 || timeout == -1 ? kinds : none);
        add_rows(
            rows, "poll of none, " + std::to_string(timeout), [=](World&) { return told(::poll(nullptr, 0, timeout)); },
            none);
    }
    add_rows(
        rows, "poll of no list", [](World&) { return told(::poll(static_cast<pollfd*>(nowhere()), 1, 10)); }, none);
    add_rows(
        rows, "poll of more than there can be",
        [](World&) {
            std::vector<pollfd> many(static_cast<std::size_t>(getdtablesize()) + 1, pollfd{-1, 0, 0});
            return told(::poll(many.data(), many.size(), 10));
        },
        none);
    for (const timespec& time : kTimes)
        add_rows(
            rows, "ppoll " + in_words(time),
            [=](World& w) {
                pollfd one{w.fd, POLLIN, 0};
                return told(::ppoll(&one, 1, &time, nullptr));
            },
            none);
    return rows;
}

/// The descriptor in all three sets, and what is left of them.
inline std::string select_all(World& w, int count, timeval* limit) {
    fd_set sets[3];
    for (fd_set& set : sets) {
        FD_ZERO(&set);
        if (w.fd >= 0 && w.fd < FD_SETSIZE) FD_SET(w.fd, &set);
    }
    std::string words = told(::select(count, &sets[0], &sets[1], &sets[2], limit));
    for (fd_set& set : sets) words += w.fd >= 0 && w.fd < FD_SETSIZE && FD_ISSET(w.fd, &set) ? " set" : " clear";
    return words;
}

inline std::vector<Row> selects() {
    std::vector<Row> rows;
    const std::vector<Kind> kinds = all_kinds();
    add_rows(
        rows, "select 10 ms",
        [](World& w) {
            timeval limit{0, 10'000};
            return select_all(w, w.fd < FD_SETSIZE ? w.fd + 1 : FD_SETSIZE, &limit);
        },
        kinds);
    const std::vector<Kind> few{{"a pipe", [](World& w) { pipe_read(w, ""); }},
                                {"a pipe with bytes", [](World& w) { pipe_read(w, "hello"); }},
                                {"a closed number far away", [](World& w) { w.fd = 1000; }}};
    for (const int count : {-1, 0, 64, FD_SETSIZE, getdtablesize(), 1'000'000, INT_MAX})
        add_rows(
            rows, "select " + std::to_string(count),
            [=](World& w) {
                timeval limit{0, 10'000};
                return select_all(w, count, &limit);
            },
            few);
    for (const timeval& time : {timeval{-1, 0}, {0, -1}, {0, 0}, {kMost, 0}, {kMost, 2'000'000}})
        add_rows(
            rows, "select {" + std::to_string(time.tv_sec) + ", " + std::to_string(time.tv_usec) + "}",
            [=](World& w) {
                timeval limit = time;
                return select_all(w, FD_SETSIZE, &limit);
            },
            few);
    add_rows(
        rows, "select without a limit", [](World& w) { return select_all(w, FD_SETSIZE, nullptr); }, few);
    for (const timespec& time : kTimes)
        add_rows(rows, "pselect " + in_words(time),
                 [=](World&) { return told(::pselect(0, nullptr, nullptr, nullptr, &time, nullptr)); },
                 {{"no descriptor", [](World&) {}}});
    return rows;
}

}  // namespace fiberscope::lab05::testing::table
