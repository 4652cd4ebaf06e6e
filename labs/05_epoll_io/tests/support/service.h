// The echo servers of step 5.6, with clients in tasks of the same scheduler.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support/net.h"

namespace fiberscope::lab05::testing {

/// One kind of server, in a scheduler that ends when `act`, which runs as a task, has ended.
struct Service {
    Stand stand{std::nullopt};
    EchoServer server;

    explicit Service(const char* kind, ServerOptions options = {}) : server(kind, std::move(options)) {}

    template <class Act>
    std::string run(Act act) {
        server.start();
        go("act", [&] {
            act();
            server.stop();
        });
        return stand.run();
    }
    Socket client(std::size_t port = 0) {
        Socket socket;
        if (socket.connect(kHere, server.port(port)) != 0) throw std::runtime_error("cannot connect");
        return socket;
    }
};

/// Returns the answer to `text`.
inline std::string echoed(Socket& socket, const std::string& text) {
    socket.send(text.data(), text.size());
    std::string back(text.size(), '?');
    const ssize_t n = io::recv(socket.fd(), back.data(), back.size(), MSG_WAITALL);
    back.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return back;
}

/// Every kind, under the real clock, and without a trace, which would be long.
inline std::vector<const char*> kinds_in_real_time() {
    record_nothing();
    use_real_time();
    std::vector<const char*> all;
    for (const char* kind : EchoServer::kinds())
        if (kHookBuilt || std::string_view(kind) != "hooked") all.push_back(kind);
    return all;
}

}  // namespace fiberscope::lab05::testing
