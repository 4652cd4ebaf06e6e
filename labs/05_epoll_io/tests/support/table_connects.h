// The rows of the table for connect, and for calls whose wait something ends.
#pragma once

#include <sys/un.h>

#include <string>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_calls.h"

namespace fiberscope::lab05::testing::table {

// ---- connect --------------------------------------------------------------------------------------------------------

inline std::string connect_again(World& w) { return told(::connect(w.fd, w.where(), w.size)); }
inline std::string receive(World& w) {
    char byte;
    return told(::recv(w.fd, &byte, 1, MSG_DONTWAIT));
}

/// A port whose queue has no room: a connect there gets no answer.
inline void full_port(World& w) {
    w.beside = bound(w, SOCK_STREAM);
    listen(w.beside, 0);
    for (int i = 0; i < 2; ++i) {
        const int other = system_calls().socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        system_calls().connect(other, w.where(), w.size);
    }
    w.fd = inet(SOCK_STREAM);
}
inline void local_listener(World& w, int backlog) {
    w.beside = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un any{};
    any.sun_family = AF_UNIX;
    bind(w.beside, reinterpret_cast<const sockaddr*>(&any), sizeof any.sun_family);
    w.size = sizeof w.address;
    getsockname(w.beside, reinterpret_cast<sockaddr*>(&w.address), &w.size);
    listen(w.beside, backlog);
    w.fd = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
}
inline void full_local_listener(World& w) {
    local_listener(w, 0);
    const int other = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    system_calls().connect(other, w.where(), w.size);
}

inline std::vector<Kind> to_connect() {
    std::vector<Kind> all{{"to a port that refuses", refusing},
                          {"to a listener", listening},
                          {"to a full port", full_port},
                          {"to a local listener", [](World& w) { local_listener(w, 4); }},
                          {"to a full local listener", full_local_listener},
                          {"a listener itself", listener},
                          {"UDP", [](World& w) {
                               w.beside = bound(w, SOCK_DGRAM);
                               w.fd = inet(SOCK_DGRAM);
                           }}};
    const std::vector<Kind> plain = all;
    const std::vector<std::string> names{"to a port that refuses", "to a listener", "to a full port",
                                         "to a full local listener"};
    const auto limited = [&](const std::vector<std::string>& which, const char* words, timeval limit) {
        add_to(all, changed(plain, which, words, [=](int fd) { limit_by(fd, SO_SNDTIMEO, limit); }));
    };
    limited({"to a port that refuses", "to a listener"}, "60 s", {60, 0});
    limited({"to a full port", "to a full local listener"}, "10 ms", {0, 10'000});
    limited(names, "-1 s", {-1, 0});
    add_to(all, changed(plain, names, "O_NONBLOCK", [](int fd) { ::fcntl(fd, F_SETFL, O_NONBLOCK); }));
    return all;
}

inline std::vector<Row> connects() {
    std::vector<Row> rows;
    const std::vector<Kind> kinds = to_connect();
    add_rows(rows, "connect", connect_again, kinds);
    add_rows(
        rows, "connect twice", [](World& w) { return connect_again(w) + ", " + connect_again(w); }, kinds);
    add_rows(
        rows, "connect, then recv", [](World& w) { return connect_again(w) + ", " + receive(w); }, kinds);
    add_rows(
        rows, "connect, then SO_ERROR",
        [](World& w) {
            int error = -1;
            socklen_t size = sizeof error;
            const std::string first = connect_again(w);
            ::getsockopt(w.fd, SOL_SOCKET, SO_ERROR, &error, &size);
            return first + ", " + std::to_string(error);
        },
        kinds);
    add_rows(rows, "connect, and again when somebody listens",
             [](World& w) {
                 const std::string first = connect_again(w);
                 ::listen(w.beside, 4);
                 return first + ", " + connect_again(w) + ", " + connect_again(w);
             },
             {kinds[0]});
    add_rows(
        rows, "connect that was begun without waiting",
        [](World& w) {
            ::fcntl(w.fd, F_SETFL, O_NONBLOCK);
            const std::string first = connect_again(w);
            ::fcntl(w.fd, F_SETFL, 0);
            return first + ", " + connect_again(w) + ", " + connect_again(w);
        },
        kinds);
    add_rows(
        rows, "connect, and away again",
        [](World& w) {
            sockaddr none{};
            none.sa_family = AF_UNSPEC;
            const std::string first = connect_again(w);
            return first + ", " + told(::connect(w.fd, &none, sizeof none)) + ", " + receive(w);
        },
        kinds);
    add_rows(
        rows, "connect to nowhere",
        [](World& w) { return told(::connect(w.fd, static_cast<sockaddr*>(nowhere()), 16)); }, kinds);
    add_rows(
        rows, "connect to an address of no bytes", [](World& w) { return told(::connect(w.fd, w.where(), 0)); }, kinds);
    add_rows(
        rows, "connect of another kind",
        [](World& w) {
            const int fd = std::exchange(w.fd, w.fd);
            World there;
            listening(there);
            return told(::connect(fd, there.where(), there.size));
        },
        all_kinds());
    return rows;
}

// ---- waits that something ends --------------------------------------------------------------------------------------

template <class T>
void put_number(int fd, T value) {
    put(fd, {reinterpret_cast<const char*>(&value), sizeof value});
}

/// The writing end of the pipe that is the world's `beside`: of the child's one such row.
inline int pipe_in = -1;
inline void pipe_beside(World& w) {
    World pipe;
    pipe_read(pipe, "");
    w.beside = pipe.fd;
    pipe_in = pipe.peer;
}

inline std::vector<Row> ended_waits() {
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
        {"a pipe is written to", [](World& w) { pipe_read(w, ""); }, read, [](World& w) { put(w.peer, "hi"); }});
    rows.push_back({"a pipe loses its writer", [](World& w) { pipe_read(w, ""); }, read, close_peer});
    rows.push_back({"an eventfd is written to", [](World& w) { w.fd = eventfd(0, EFD_CLOEXEC); }, read,
                    [](World& w) { put_number(w.fd, std::uint64_t{3}); }});
    rows.push_back({"the rest comes", [](World& w) { connected(w), put(w.peer, "hello"); }, all,
                    [](World& w) { put(w.peer, " world"); }});
    rows.push_back({"the rest of what is looked at comes", [](World& w) { connected(w), put(w.peer, "hello"); }, look,
                    [](World& w) { put(w.peer, " world"); }});
    rows.push_back({"no rest comes", [](World& w) { connected(w), put(w.peer, "hello"); }, look, close_peer});
    rows.push_back({"urgent data comes", [](World& w) { connected(w), put(w.peer, "hello"); }, all,
                    [](World& w) { static_cast<void>(!system_calls().sendto(w.peer, "!", 1, MSG_OOB, nullptr, 0)); }});
    for (const bool tcp : {false, true})
        rows.push_back({std::string("the rest of SO_RCVLOWAT comes, ") + (tcp ? "TCP" : "local"),
                        [=](World& w) {
                            tcp ? connected(w) : local(w, SOCK_STREAM);
                            low_water(w.fd, 5);
                            put(w.peer, "abc");
                        },
                        read, [](World& w) { put(w.peer, "defgh"); }});
    rows.push_back({"a reset comes", connected, read, reset_peer});
    rows.push_back({"a connection comes", listener,
                    [](World& w) { return told(::accept(w.fd, nullptr, nullptr) > 0 ? 1 : -1); },
                    [](World& w) { system_calls().connect(w.peer = inet(SOCK_STREAM), w.where(), w.size); }});
    rows.push_back({"a local queue gets room", full_local_listener, connect_again,
                    [](World& w) { w.peer = system_calls().accept4(w.beside, nullptr, nullptr, SOCK_CLOEXEC); }});
    rows.push_back({"a pipe gets bytes to splice", [](World& w) { local(w, SOCK_STREAM), pipe_beside(w); },
                    [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 100, 0)); },
                    [](World&) { put(pipe_in, "hello"); }});
    return rows;
}

}  // namespace fiberscope::lab05::testing::table
