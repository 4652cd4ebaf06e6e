// The calls of the table that are made on a descriptor of any kind.
#pragma once

#include <limits.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include <string>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_sockets.h"

namespace fiberscope::lab05::testing::table {

struct NamedCall {
    std::string name;
    Call make;
};

/// `call(fd, buffer)`, and what came into the buffer.
template <class F>
Call into_buffer(F call) {
    return [=](World& w) {
        char buffer[256] = {};
        return told(call(w.fd, buffer), buffer);
    };
}

inline std::vector<NamedCall> reads() {
    std::vector<NamedCall> all;
    for (const std::size_t size : {0U, 1U, 4U, 7U, 8U, 100U})
        all.push_back({"read " + std::to_string(size),
                       into_buffer([=](int fd, char* buffer) { return ::read(fd, buffer, size); })});
    all.push_back({"read to nowhere", [](World& w) { return told(::read(w.fd, nowhere(), 8)); }});
    all.push_back({"read 100, and again", [](World& w) {
                       char buffer[100];
                       const std::string first = told(::read(w.fd, buffer, sizeof buffer), buffer);
                       return first + ", " + told(::read(w.fd, buffer, sizeof buffer), buffer);
                   }});
    for (const int count : {-1, 0, 2, IOV_MAX + 1})
        all.push_back({"readv of " + std::to_string(count) + " parts", into_buffer([=](int fd, char* buffer) {
                           std::vector<iovec> parts(IOV_MAX + 1, iovec{buffer, 0});
                           parts[0] = {buffer, 2};
                           parts[1] = {buffer + 2, 98};
                           return ::readv(fd, parts.data(), count);
                       })});
    all.push_back({"readv of parts of no bytes", into_buffer([](int fd, char* buffer) {
                       const iovec parts[2] = {{buffer, 0}, {buffer, 0}};
                       return ::readv(fd, parts, 2);
                   })});
    all.push_back(
        {"readv of no list", [](World& w) { return told(::readv(w.fd, static_cast<iovec*>(nowhere()), 2)); }});
    return all;
}

inline std::vector<NamedCall> receives() {
    std::vector<NamedCall> all;
    const std::pair<const char*, int> flags[] = {{"", 0},
                                                 {" PEEK", MSG_PEEK},
                                                 {" OOB", MSG_OOB},
                                                 {" TRUNC", MSG_TRUNC},
                                                 {" DONTWAIT", MSG_DONTWAIT},
                                                 {" WAITALL", MSG_WAITALL},
                                                 {" ERRQUEUE", MSG_ERRQUEUE},
                                                 {" PEEK WAITALL", MSG_PEEK | MSG_WAITALL}};
    for (const auto& [name, flag] : flags)
        all.push_back({std::string("recv 8") + name,
                       into_buffer([flag = flag](int fd, char* buffer) { return ::recv(fd, buffer, 8, flag); })});
    all.push_back({"recv 100, then OOB", [](World& w) {
                       char buffer[100];
                       const std::string first = told(::recv(w.fd, buffer, sizeof buffer, 0), buffer);
                       return first + ", " + told(::recv(w.fd, buffer, 1, MSG_OOB), buffer);
                   }});
    all.push_back({"recv 0", into_buffer([](int fd, char* buffer) { return ::recv(fd, buffer, 0, 0); })});
    all.push_back({"recvfrom", [](World& w) {
                       char buffer[100] = {};
                       sockaddr_storage from{};
                       socklen_t size = sizeof from;
                       const std::string got =
                           told(::recvfrom(w.fd, buffer, 100, 0, reinterpret_cast<sockaddr*>(&from), &size), buffer);
                       return got + " from " + std::to_string(from.ss_family) + ", " + std::to_string(size);
                   }});
    all.push_back({"recvmsg", [](World& w) {
                       char buffer[100] = {};
                       iovec parts[2] = {{buffer, 2}, {buffer + 2, 2}};
                       msghdr message{};
                       message.msg_iov = parts;
                       message.msg_iovlen = 2;
                       const std::string got = told(::recvmsg(w.fd, &message, 0), buffer);
                       return got + " flags " + std::to_string(message.msg_flags);
                   }});
    all.push_back({"recvmsg of no message", [](World& w) { return told(::recvmsg(w.fd, nullptr, 0)); }});
    return all;
}

struct Messages {
    char bytes[2][16] = {{'o', 'n', 'e'}, {'t', 'w', 'o'}};
    iovec parts[2] = {{bytes[0], 3}, {bytes[1], 3}};
    mmsghdr all[2] = {};
    Messages() {
        for (int i = 0; i < 2; ++i) {
            all[i].msg_hdr.msg_iov = &parts[i];
            all[i].msg_hdr.msg_iovlen = 1;
        }
    }
    std::string told_of(int count) {
        return told(count) + " of " + std::to_string(all[0].msg_len) + " and " + std::to_string(all[1].msg_len);
    }
};

inline std::vector<NamedCall> several_messages() {
    std::vector<NamedCall> all;
    const auto add = [&](const std::string& name, unsigned count, int flags, std::vector<timespec> limit) {
        all.push_back({name, [=](World& w) {
                           Messages messages;
                           timespec at_most = limit.empty() ? timespec{} : limit[0];
                           const std::string got = messages.told_of(
                               ::recvmmsg(w.fd, messages.all, count, flags, limit.empty() ? nullptr : &at_most));
                           return got;
                       }});
    };
    add("recvmmsg 2", 2, 0, {});
    add("recvmmsg 2 WAITFORONE", 2, MSG_WAITFORONE, {});
    add("recvmmsg 0", 0, 0, {});
    add("recvmmsg 2, limit 0", 2, 0, {{0, 0}});
    add("recvmmsg 2, limit -1", 2, 0, {{-1, 0}});
    add("recvmmsg 1, limit of 2e9 ns", 1, 0, {{0, 2'000'000'000}});
    add("recvmmsg 1, limit of a year", 1, 0, {{31'536'000, 0}});
    for (const unsigned count : {0U, 2U})
        all.push_back({"sendmmsg " + std::to_string(count), [=](World& w) {
                           Messages messages;
                           return messages.told_of(::sendmmsg(w.fd, messages.all, count, 0));
                       }});
    return all;
}

inline std::vector<NamedCall> accepts() {
    std::vector<NamedCall> all;
    const auto made = [](int fd) {
        return fd < 0 ? told(fd)
                      : "a connection, flags " + std::to_string(system_calls().fcntl(fd, F_GETFL)) + " " +
                            std::to_string(system_calls().fcntl(fd, F_GETFD));
    };
    all.push_back({"accept", [=](World& w) { return made(::accept(w.fd, nullptr, nullptr)); }});
    for (const int flags : {SOCK_NONBLOCK | SOCK_CLOEXEC, 12345})
        all.push_back({"accept4 " + std::to_string(flags),
                       [=](World& w) { return made(::accept4(w.fd, nullptr, nullptr, flags)); }});
    all.push_back({"accept with an address", [=](World& w) {
                       sockaddr_storage from{};
                       socklen_t size = sizeof from;
                       const std::string got = made(::accept(w.fd, reinterpret_cast<sockaddr*>(&from), &size));
                       return got + " from " + std::to_string(from.ss_family) + ", " + std::to_string(size);
                   }});
    return all;
}

}  // namespace fiberscope::lab05::testing::table
