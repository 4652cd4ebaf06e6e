// The calls of the table that receive, for sockets that wait for several bytes.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_calls.h"

namespace fiberscope::lab05::testing::table {

/// Every way to receive, of 8 bytes at most, with these flags.
inline std::string receive_by_message(World& w, int flags) {
    char buffer[8] = {};
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    iovec parts[2] = {{buffer, 2}, {buffer + 2, 6}};
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = 2;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const std::string got = told(::recvmsg(w.fd, &message, flags), buffer);
    return got + " flags " + std::to_string(message.msg_flags) + " along " + std::to_string(message.msg_controllen);
}
inline std::string receive_two_messages(World& w, int flags) {
    char buffer[16] = {};
    iovec parts[2] = {{buffer, 4}, {buffer + 4, 4}};
    mmsghdr all[2] = {};
    for (int i = 0; i < 2; ++i) all[i].msg_hdr.msg_iov = &parts[i], all[i].msg_hdr.msg_iovlen = 1;
    const std::string got = told(::recvmmsg(w.fd, all, 2, flags, nullptr));
    return got + " of " + std::to_string(all[0].msg_len) + " and " + std::to_string(all[1].msg_len) + " " + buffer;
}
inline std::vector<NamedCall> ways_to_receive() {
    std::vector<NamedCall> all{{"read", into_buffer([](int fd, char* buffer) { return ::read(fd, buffer, 8); })},
                               {"readv", into_buffer([](int fd, char* buffer) {
                                    const iovec parts[2] = {{buffer, 2}, {buffer + 2, 6}};
                                    return ::readv(fd, parts, 2);
                                })},
                               {"recv, and again without waiting", [](World& w) {
                                    char buffer[8] = {};
                                    const std::string first = told(::recv(w.fd, buffer, 8, 0), buffer);
                                    return first + ", " + told(::recv(w.fd, buffer, 8, MSG_DONTWAIT), buffer);
                                }}};
    const std::pair<const char*, int> flags[] = {{"", 0},
                                                 {" PEEK", MSG_PEEK},
                                                 {" WAITALL", MSG_WAITALL},
                                                 {" PEEK WAITALL", MSG_PEEK | MSG_WAITALL},
                                                 {" TRUNC WAITALL", MSG_TRUNC | MSG_WAITALL},
                                                 {" DONTWAIT WAITALL", MSG_DONTWAIT | MSG_WAITALL},
                                                 {" OOB WAITALL", MSG_OOB | MSG_WAITALL}};
    for (const auto& [name, flag] : flags) {
        all.push_back({std::string("recvfrom") + name, [flag = flag](World& w) {
                           char buffer[8] = {};
                           sockaddr_storage from{};
                           socklen_t size = sizeof from;
                           const ssize_t got =
                               ::recvfrom(w.fd, buffer, 8, flag, reinterpret_cast<sockaddr*>(&from), &size);
                           return told(got, buffer) + (got < 0 ? "" : " from " + std::to_string(size));
                       }});
        all.push_back({std::string("recvmsg") + name, [flag = flag](World& w) { return receive_by_message(w, flag); }});
        all.push_back(
            {std::string("recvmmsg") + name, [flag = flag](World& w) { return receive_two_messages(w, flag); }});
    }
    all.push_back({"recvmmsg WAITFORONE", [](World& w) { return receive_two_messages(w, MSG_WAITFORONE); }});
    return all;
}

}  // namespace fiberscope::lab05::testing::table
