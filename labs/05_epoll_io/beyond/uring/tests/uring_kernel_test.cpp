// Step 5.8 with the kernel's own ring: skipped if the kernel refuses it.
#include <sys/eventfd.h>

#include <algorithm>
#include <thread>

#include "labs/05_epoll_io/beyond/uring/given/uring_server.h"
#include "labs/05_epoll_io/beyond/uring/tests/completions.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/servers.h"
#include "labs/05_epoll_io/tests/support/net.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/left_out.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

bool kernel_refuses() {
    const std::string why = why_no_ring();
    if (!why.empty()) kit::testing::leave_out(why);
    use_real_time();
    return !why.empty();
}

/// A scheduler on the kernel's ring.
struct Kernel : Runs<Kernel> {
    std::unique_ptr<Ring> ring;
    UringSource source{*ring};
    lab04::Scheduler sched{lab04::Settings{.strategy = "multi_state", .source = &source}};

    explicit Kernel(unsigned entries = 64) : ring(kernel_ring(entries)) {}
};

/// Two blocking ends, as io_uring wants them.
struct Ends {
    Pair pair = Pair::sockets();
    Ends() {
        for (const int fd : {pair.a, pair.b}) fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    }
};

}  // namespace

TEST_CASE("5.8 in the kernel: a recv completes when the peer has sent, and the end is 0") {
    if (kernel_refuses()) return;
    EXPECTS("the SQE's fields are what the kernel reads: opcode, descriptor, address, size, flags, user_data");
    Kernel kernel;
    Ends ends;
    Log log;
    go("reader", [&] {
        log.push_back(received(ends.pair.a));
        log.push_back(received(ends.pair.a));
    });
    later(2 * kMillisecond, "writer", [&] {
        log.push_back("sent " + std::to_string(uring::send(ends.pair.b, "hello", 5)));
        sleep_for(2 * kMillisecond);
        ends.pair.close_b();
    });
    CHECK(kernel.run() == "");
    CHECK(std::find(log.begin(), log.end(), "hello") != log.end());
    CHECK(std::find(log.begin(), log.end(), "sent 5") != log.end());
    CHECK(log.back() == "the end");
}

TEST_CASE("5.8 in the kernel: a call that is cancelled or times out ends, and later data is not lost") {
    if (kernel_refuses()) return;
    EXPECTS("user_data names the operation to cancel; then both completions come");
    Kernel kernel;
    Ends ends;
    Log log;
    const Handle patient = go("patient", [&] {
        log.push_back(received(ends.pair.a));
        log.push_back(received(ends.pair.a, kit::now() + 2 * kMillisecond));
        log.push_back(received(ends.pair.a));
    });
    later(2 * kMillisecond, "acts", [&] {
        lab04::cancel(patient);
        sleep_for(20 * kMillisecond);
        uring::send(ends.pair.b, "hello", 5);
    });
    CHECK(kernel.run() == "");
    CHECK(log == Log{"ECANCELED", "ETIMEDOUT", "hello"});
}

TEST_CASE("5.8 in the kernel: all of a large send, while the peer reads slowly") {
    if (kernel_refuses()) return;
    EXPECTS("a send may take less than all: continue with the rest");
    constexpr std::size_t kSize = 4 << 20;
    Kernel kernel;
    Ends ends;
    const std::string much(kSize, 'x');
    ssize_t sent = 0;
    std::size_t came = 0;
    go([&] { sent = uring::send(ends.pair.b, much.data(), much.size()); }, "writer");
    go("reader", [&] {
        std::string piece(64 * 1024, '\0');
        while (came < kSize) {
            const ssize_t n = uring::recv(ends.pair.a, piece.data(), piece.size());
            if (n <= 0) break;
            came += static_cast<std::size_t>(n);
        }
    });
    CHECK(kernel.run() == "");
    CHECK(sent == static_cast<ssize_t>(kSize));
    CHECK(came == kSize);
}

TEST_CASE("5.8 in the kernel: connect and accept, and an error with its errno") {
    if (kernel_refuses()) return;
    EXPECTS("for a connect the SQE has the address, and its size in off");
    Kernel kernel;
    Socket listener = Socket::listener(kHere, 0);
    fcntl(listener.fd(), F_SETFL, 0);
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener.fd(), reinterpret_cast<sockaddr*>(&address), &size);
    const auto connected = [&] {
        const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const int result = uring::connect(fd, reinterpret_cast<const sockaddr*>(&address), size);
        const int error = result < 0 ? last_error() : 0;
        system_calls().close(fd);
        return error;
    };
    int first = -1, second = -1, accepted = -1;
    go("server", [&] {
        accepted = uring::accept(listener.fd());
        system_calls().close(accepted);
        listener.close();
    });
    go("client", [&] {
        first = connected();
        sleep_for(2 * kMillisecond);
        second = connected();
    });
    CHECK(kernel.run() == "");
    CHECK(accepted >= 0);
    CHECK(first == 0);
    INFO("the listener is gone");
    CHECK(second == ECONNREFUSED);
}

TEST_CASE("5.8 in the kernel: an echo server answers fifty clients, each correctly") {
    if (kernel_refuses()) return;
    EXPECTS("every message comes back whole, and the server ends with connections open");
    kit::testing::record_nothing(kRealTime);
    Kernel kernel;
    EchoServer server("uring", {.accept = accept_by_uring});
    server.start();
    LoadResult result;
    const int done = eventfd(0, EFD_CLOEXEC);
    std::thread load([&] {
        result = run_load(
            {.ip = kHere, .ports = {server.port()}, .connections = 50, .size = 64, .requests = 3000, .warm_up = 500});
        const std::uint64_t one = 1;
        static_cast<void>(!system_calls().write(done, &one, sizeof one));
    });
    CHECK(kernel.run("act", [&] {
        uring::poll_readable(done);
        server.stop();
    }) == "");
    load.join();
    system_calls().close(done);
    CHECK(result.first_error == "");
    CHECK(result.requests == 3000);
    CHECK(server.figures().accepted == 50);
    CHECK(server.figures().open == 0);
}
