// The calls of the table that write to a descriptor of any kind, or move bytes between two.
#pragma once

#include <limits.h>
#include <sys/sendfile.h>
#include <sys/uio.h>

#include <string>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/tests/support/table_calls.h"

namespace fiberscope::lab05::testing::table {

inline std::vector<NamedCall> writes() {
    static const std::string much(300'000, 'y'), ones(8, '\xff'), ones_but_one = "\xfe" + std::string(7, '\xff');
    std::vector<NamedCall> all;
    for (const std::size_t size : {0U, 1U, 7U, 8U, 100U})
        all.push_back(
            {"write " + std::to_string(size), [=](World& w) { return told(::write(w.fd, much.data(), size)); }});
    all.push_back({"write of ones", [](World& w) { return told(::write(w.fd, ones.data(), 8)); }});
    all.push_back({"write of ones but one", [](World& w) { return told(::write(w.fd, ones_but_one.data(), 8)); }});
    all.push_back({"write from nowhere", [](World& w) { return told(::write(w.fd, nowhere(), 8)); }});
    all.push_back({"write 300,000", [](World& w) { return told(::write(w.fd, much.data(), much.size())); }});
    for (const int count : {-1, 0, 2, IOV_MAX + 1})
        all.push_back({"writev of " + std::to_string(count) + " parts", [=](World& w) {
                           std::vector<iovec> parts(IOV_MAX + 1, iovec{const_cast<char*>(much.data()), 4});
                           return told(::writev(w.fd, parts.data(), count));
                       }});
    all.push_back({"writev of a part of no bytes", [](World& w) {
                       const iovec part{const_cast<char*>(much.data()), 0};
                       return told(::writev(w.fd, &part, 1));
                   }});
    all.push_back(
        {"writev of no list", [](World& w) { return told(::writev(w.fd, static_cast<iovec*>(nowhere()), 2)); }});
    return all;
}

inline std::vector<NamedCall> sends() {
    std::vector<NamedCall> all;
    const std::pair<const char*, int> flags[] = {{"", 0},
                                                 {" OOB", MSG_OOB},
                                                 {" DONTWAIT", MSG_DONTWAIT},
                                                 {" NOSIGNAL", MSG_NOSIGNAL},
                                                 {" FASTOPEN", MSG_FASTOPEN}};
    for (const auto& [name, flag] : flags)
        all.push_back({std::string("send 8") + name,
                       [flag = flag](World& w) { return told(::send(w.fd, "12345678", 8, flag)); }});
    all.push_back({"send 0", [](World& w) { return told(::send(w.fd, "", 0, 0)); }});
    all.push_back(
        {"sendto its own address", [](World& w) { return told(::sendto(w.fd, "hello", 5, 0, w.where(), w.size)); }});
    all.push_back({"sendmsg", [](World& w) {
                       Messages messages;
                       return told(::sendmsg(w.fd, &messages.all[0].msg_hdr, 0));
                   }});
    all.push_back({"sendmsg of no message", [](World& w) { return told(::sendmsg(w.fd, nullptr, 0)); }});
    return all;
}

/// The world's `beside` is what the call moves from or to.
inline std::vector<NamedCall> transfers() {
    std::vector<NamedCall> all;
    const auto with = [&](const std::string& name, const std::function<void(World&)>& other, const Call& call) {
        all.push_back({name, [=](World& w) {
                           World more;
                           other(more);
                           w.beside = more.fd;
                           return call(w);
                       }});
    };
    const auto to_pipe = [](World& w) { pipe_write(w); };
    const auto from_pipe = [](World& w) { pipe_read(w, "hello"); };
    const auto from_file = [](World& w) { w.fd = file_of("0123456789"); };
    with("splice to a pipe", to_pipe,
         [](World& w) { return told(::splice(w.fd, nullptr, w.beside, nullptr, 100, 0)); });
    with(
        "splice to a full pipe", [](World& w) { pipe_write(w), fill_up(w.fd); },
        [](World& w) { return told(::splice(w.fd, nullptr, w.beside, nullptr, 100, 0)); });
    with("splice to a pipe from an offset", to_pipe, [](World& w) {
        off64_t at = 2;
        return told(::splice(w.fd, &at, w.beside, nullptr, 4, 0)) + " at " + std::to_string(at);
    });
    with("splice with unknown flags", to_pipe,
         [](World& w) { return told(::splice(w.fd, nullptr, w.beside, nullptr, 100, 0x100)); });
    with("splice to a pipe's reading end", from_pipe,
         [](World& w) { return told(::splice(w.fd, nullptr, w.beside, nullptr, 100, 0)); });
    with("splice to a file", from_file,
         [](World& w) { return told(::splice(w.fd, nullptr, w.beside, nullptr, 100, 0)); });
    with("splice from a pipe", from_pipe,
         [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 100, 0)); });
    with(
        "splice from an empty pipe", [](World& w) { pipe_read(w, ""); },
        [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 100, 0)); });
    with("splice from a file", from_file,
         [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 4, 0)); });
    with("splice of 0 bytes", from_pipe,
         [](World& w) { return told(::splice(w.beside, nullptr, w.fd, nullptr, 0, 0)); });
    with("tee", to_pipe, [](World& w) { return told(::tee(w.fd, w.beside, 100, 0)); });
    with("sendfile from a file", from_file, [](World& w) { return told(::sendfile(w.fd, w.beside, nullptr, 4)); });
    with("sendfile from an offset", from_file, [](World& w) {
        off_t at = 2;
        return told(::sendfile(w.fd, w.beside, &at, 100)) + " at " + std::to_string(at);
    });
    with("sendfile from a negative offset", from_file, [](World& w) {
        off_t at = -1;
        return told(::sendfile(w.fd, w.beside, &at, 100));
    });
    with("sendfile of 0 bytes", from_file, [](World& w) { return told(::sendfile(w.fd, w.beside, nullptr, 0)); });
    with("sendfile from a pipe", from_pipe, [](World& w) { return told(::sendfile(w.fd, w.beside, nullptr, 4)); });
    with(
        "sendfile from a stream", [](World& w) { local(w, SOCK_STREAM, "hello"); },
        [](World& w) { return told(::sendfile(w.fd, w.beside, nullptr, 4)); });
    with(
        "sendfile to a stream", [](World& w) { local(w, SOCK_STREAM); },
        [](World& w) { return told(::sendfile(w.beside, w.fd, nullptr, 4)); });
    with("sendfile to a pipe", to_pipe, [](World& w) { return told(::sendfile(w.beside, w.fd, nullptr, 4)); });
    with("sendfile to a file", from_file, [](World& w) { return told(::sendfile(w.beside, w.fd, nullptr, 4)); });
    return all;
}

/// Both ends named by the descriptor and its peer: one file, or the two ends of one pipe.
inline std::vector<NamedCall> transfers_to_itself() {
    const std::pair<const char*, long (*)(int, int)> ways[] = {
        {"splice", [](int from, int to) -> long { return ::splice(from, nullptr, to, nullptr, 4, 0); }},
        {"tee", [](int from, int to) -> long { return ::tee(from, to, 4, SPLICE_F_NONBLOCK); }},
        {"sendfile", [](int from, int to) -> long { return ::sendfile(to, from, nullptr, 4); }},
        {"copy_file_range",
         [](int from, int to) -> long { return ::copy_file_range(from, nullptr, to, nullptr, 4, 0); }}};
    std::vector<NamedCall> all;
    for (const auto& [name, call] : ways) {
        all.push_back({std::string(name) + " to itself", [call = call](World& w) { return told(call(w.fd, w.fd)); }});
        all.push_back(
            {std::string(name) + " to its peer", [call = call](World& w) { return told(call(w.fd, w.peer)); }});
        all.push_back(
            {std::string(name) + " from its peer", [call = call](World& w) { return told(call(w.peer, w.fd)); }});
    }
    return all;
}
/// One FIFO, opened twice.
inline void fifo(World& w) {
    const std::string path = "/tmp/fiberscope-fifo-" + std::to_string(gettid()) + "-" + std::to_string(getpid());
    static_cast<void>(!mkfifo(path.c_str(), 0600));
    w.fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    w.peer = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    unlink(path.c_str());
}

/// Every call on every kind.
inline std::vector<Row> rows_of(const std::vector<NamedCall>& calls, const std::vector<Kind>& kinds) {
    std::vector<Row> all;
    for (const NamedCall& call : calls)
        for (const Kind& kind : kinds) all.push_back({call.name + ": " + kind.name, kind.make, call.make});
    return all;
}

}  // namespace fiberscope::lab05::testing::table
