// What the calls of the table are made on: sockets in their states, and all kinds in other ways (O_NONBLOCK, limits).
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_kinds.h"

namespace fiberscope::lab05::testing::table {

// ---- sockets --------------------------------------------------------------------------------------------------------

inline void local(World& w, int type, const std::string& text = "") {
    int ends[2];
    static_cast<void>(!system_calls().socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends));
    w.fd = ends[0];
    w.peer = ends[1];
    if (!text.empty()) put(w.peer, text);
}

/// A socket bound to a port of 127.0.0.1 that the kernel chose.
inline int bound(World& w, int type) {
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int fd = system_calls().socket(AF_INET, type | SOCK_CLOEXEC, 0);
    bind(fd, reinterpret_cast<const sockaddr*>(&here), sizeof here);
    w.size = sizeof w.address;
    getsockname(fd, reinterpret_cast<sockaddr*>(&w.address), &w.size);
    return fd;
}
inline int inet(int type) { return system_calls().socket(AF_INET, type | SOCK_CLOEXEC, 0); }
/// A port that no socket listens at: it is bound.
inline void refusing(World& w) {
    w.beside = bound(w, SOCK_STREAM);
    w.fd = inet(SOCK_STREAM);
}
inline void listening(World& w) {
    w.beside = bound(w, SOCK_STREAM);
    listen(w.beside, 8);
    w.fd = inet(SOCK_STREAM);
}
inline void listener(World& w) {
    listening(w), std::swap(w.fd, w.beside), system_calls().close(std::exchange(w.beside, -1));
}
inline void connected(World& w) {
    listening(w);
    system_calls().connect(w.fd, w.where(), w.size);
    w.peer = system_calls().accept4(w.beside, nullptr, nullptr, SOCK_CLOEXEC);
    system_calls().close(std::exchange(w.beside, -1));
}
inline void reset_peer(World& w) {
    const linger now{1, 0};
    system_calls().setsockopt(w.peer, SOL_SOCKET, SO_LINGER, &now, sizeof now);
    close_peer(w);
}

inline std::vector<Kind> local_sockets() {
    return {
        {"a stream", [](World& w) { local(w, SOCK_STREAM); }},
        {"a stream with bytes", [](World& w) { local(w, SOCK_STREAM, "hello"); }},
        {"a full stream", [](World& w) { local(w, SOCK_STREAM), fill_up(w.fd); }},
        {"a stream whose peer is closed", [](World& w) { local(w, SOCK_STREAM), close_peer(w); }},
        {"a stream with bytes whose peer is closed", [](World& w) { local(w, SOCK_STREAM, "hello"), close_peer(w); }},
        {"a stream whose peer sends no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.peer, SHUT_WR); }},
        {"a stream that reads no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.fd, SHUT_RD); }},
        {"a stream that sends no more", [](World& w) { local(w, SOCK_STREAM), shutdown(w.fd, SHUT_WR); }},
        {"a stream that is not connected",
         [](World& w) { w.fd = system_calls().socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }},
        {"local datagrams", [](World& w) { local(w, SOCK_DGRAM); }},
        {"a local datagram", [](World& w) { local(w, SOCK_DGRAM, "hello"); }},
        {"local datagrams, full", [](World& w) { local(w, SOCK_DGRAM), fill_up(w.fd); }},
        {"local messages", [](World& w) { local(w, SOCK_SEQPACKET); }},
        {"a local message", [](World& w) { local(w, SOCK_SEQPACKET, "hello"); }},
        {"local messages whose peer is closed", [](World& w) { local(w, SOCK_SEQPACKET), close_peer(w); }},
    };
}

inline std::vector<Kind> inet_sockets() {
    return {
        {"TCP", [](World& w) { connected(w); }},
        {"TCP with bytes", [](World& w) { connected(w), put(w.peer, "hello"); }},
        {"TCP whose peer is closed", [](World& w) { connected(w), close_peer(w); }},
        {"TCP that was reset", [](World& w) { connected(w), reset_peer(w); }},
        {"TCP that is not connected", [](World& w) { w.fd = inet(SOCK_STREAM); }},
        {"TCP that was refused", [](World& w) { refusing(w), system_calls().connect(w.fd, w.where(), w.size); }},
        {"a listener", [](World& w) { listener(w); }},
        {"a listener with a connection",
         [](World& w) { listener(w), system_calls().connect(w.peer = inet(SOCK_STREAM), w.where(), w.size); }},
        {"UDP", [](World& w) { w.fd = inet(SOCK_DGRAM); }},
        {"UDP with a datagram",
         [](World& w) {
             w.fd = bound(w, SOCK_DGRAM);
             w.peer = inet(SOCK_DGRAM);
             system_calls().connect(w.peer, w.where(), w.size);
             put(w.peer, "hello");
         }},
        {"UDP that was refused",
         [](World& w) {
             w.beside = bound(w, SOCK_DGRAM);  // takes datagrams of its own only; its port stays its own
             system_calls().connect(w.beside, w.where(), w.size);
             w.fd = inet(SOCK_DGRAM);
             system_calls().connect(w.fd, w.where(), w.size);
             put(w.fd, "x");
         }},
    };
}

/// In these a receive that waits for several bytes decides as the kernel does.
inline void reset_after_bytes(World& w) { connected(w), put(w.peer, "hello"), reset_peer(w); }
inline void with_urgent(World& w, const std::string& before, const std::string& behind = "") {
    connected(w), put(w.peer, before);
    static_cast<void>(!system_calls().sendto(w.peer, "!", 1, MSG_OOB, nullptr, 0));
    if (!behind.empty()) put(w.peer, behind);
}
inline void with_descriptors(World& w, int type) {
    local(w, type);
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    iovec part{const_cast<char*>("hey"), 3};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* const along = CMSG_FIRSTHDR(&message);
    along->cmsg_level = SOL_SOCKET, along->cmsg_type = SCM_RIGHTS, along->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(along), &w.peer, sizeof(int));
    static_cast<void>(!system_calls().sendmsg(w.peer, &message, 0));
    put(w.peer, "more");
}
inline std::vector<Kind> streams_with_little() {
    std::vector<Kind> all{
        {"a stream with 3 bytes", [](World& w) { local(w, SOCK_STREAM, "abc"); }},
        {"a stream with 9 bytes", [](World& w) { local(w, SOCK_STREAM, "abcdefghi"); }},
        {"a stream with 3 bytes whose peer is closed", [](World& w) { local(w, SOCK_STREAM, "abc"), close_peer(w); }},
        {"a stream with descriptors", [](World& w) { with_descriptors(w, SOCK_STREAM); }},
        {"local datagrams, the first with descriptors", [](World& w) { with_descriptors(w, SOCK_DGRAM); }},
        {"TCP with 3 bytes", [](World& w) { connected(w), put(w.peer, "abc"); }},
        {"TCP with 9 bytes", [](World& w) { connected(w), put(w.peer, "abcdefghi"); }},
        {"TCP with 3 bytes whose peer is closed", [](World& w) { connected(w), put(w.peer, "abc"), close_peer(w); }},
        {"TCP with bytes that was reset", reset_after_bytes},
        {"TCP with 3 bytes and an urgent one", [](World& w) { with_urgent(w, "abc"); }},
        {"TCP with an urgent byte between others", [](World& w) { with_urgent(w, "abc", "defghi"); }},
        {"TCP with an urgent byte first", [](World& w) { with_urgent(w, "", "defghi"); }},
    };
    return all;
}

// ---- in other ways --------------------------------------------------------------------------------------------------

inline void add_to(std::vector<Kind>& all, const std::vector<Kind>& more) {
    all.insert(all.end(), more.begin(), more.end());
}

/// Those of `kinds` with these names, changed.
inline std::vector<Kind> changed(const std::vector<Kind>& kinds, std::vector<std::string> names, const std::string& how,
                                 const std::function<void(int)>& change) {
    std::vector<Kind> all;
    for (const Kind& kind : kinds)
        for (const std::string& name : names)
            if (kind.name == name) all.push_back({name + ", " + how, [=](World& w) { kind.make(w), change(w.fd); }});
    return all;
}
inline void low_water(int fd, int bytes) { ::setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &bytes, sizeof bytes); }
inline void limit_by(int fd, int option, timeval limit) { ::setsockopt(fd, SOL_SOCKET, option, &limit, sizeof limit); }

inline void add_rows(std::vector<Row>& rows, const std::string& name, const Call& call,
                     const std::vector<Kind>& kinds) {
    for (const Kind& kind : kinds) rows.push_back({name + ": " + kind.name, kind.make, call});
}

inline std::vector<Kind> all_kinds() {
    std::vector<Kind> all = files_and_pipes();
    for (const auto& more : {made_by_linux(), terminals(), local_sockets(), inet_sockets()}) add_to(all, more);
    const std::vector<Kind> plain = all;
    add_to(all, changed(plain,
                        {"a pipe", "a full pipe", "eventfd 0", "a stream", "a full stream", "TCP", "a listener", "UDP"},
                        "O_NONBLOCK", [](int fd) { ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK); }));
    const std::pair<const char*, timeval> limits[] = {{"10 ms", {0, 10'000}},
                                                      {"-1 s", {-1, 0}},
                                                      {"-1 µs", {0, -1}},
                                                      {"forever", {std::numeric_limits<time_t>::max(), 0}}};
    for (const auto& [words, limit] : limits)
        add_to(all, changed(plain, {"a stream", "a full stream", "a listener", "UDP", "TCP"}, words,
                            [limit = limit](int fd) {
                                limit_by(fd, SO_RCVTIMEO, limit);
                                limit_by(fd, SO_SNDTIMEO, limit);
                            }));
    return all;
}

}  // namespace fiberscope::lab05::testing::table
