// What an echo server costs, beside a bare epoll loop and Boost.Asio: the time of a message, the server in a process of
// its own on one processor and the load on another. `./lab bench 05` runs it in rounds.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <boost/asio.hpp>
#include <memory>
#include <string>
#include <thread>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/load.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/run/trace.h"
#include "testing/measure/apart.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
using namespace fiberscope::lab05;

namespace {

constexpr std::size_t kMessage = 64;
constexpr std::size_t kRequests = 30'000;  // an iteration

// ---- Boost.Asio -----------------------------------------------------------------------------------------------------

namespace asio = boost::asio;
using asio::ip::tcp;

class AsioSession : public std::enable_shared_from_this<AsioSession> {
  public:
    explicit AsioSession(tcp::socket socket) : socket_(std::move(socket)) { socket_.set_option(tcp::no_delay(true)); }
    void read() {
        socket_.async_read_some(asio::buffer(buffer_),
                                [self = shared_from_this()](const boost::system::error_code& error, std::size_t size) {
                                    if (!error) self->write(size);
                                });
    }

  private:
    void write(std::size_t size) {
        asio::async_write(socket_, asio::buffer(buffer_.data(), size),
                          [self = shared_from_this()](const boost::system::error_code& error, std::size_t) {
                              if (!error) self->read();
                          });
    }

    tcp::socket socket_;
    std::array<char, 16 * 1024> buffer_;
};

void accept_by_asio(tcp::acceptor& acceptor) {
    acceptor.async_accept([&](const boost::system::error_code& error, tcp::socket socket) {
        if (!error) std::make_shared<AsioSession>(std::move(socket))->read();
        if (acceptor.is_open()) accept_by_asio(acceptor);
    });
}

void serve_by_asio(int listener, int stop) {
    asio::io_context context(1);
    tcp::acceptor acceptor(context, tcp::v4(), dup(listener));
    asio::posix::stream_descriptor end(context, dup(stop));
    end.async_wait(asio::posix::stream_descriptor::wait_read,
                   [&](const boost::system::error_code&) { context.stop(); });
    accept_by_asio(acceptor);
    context.run();
}

// ---- the measurement ------------------------------------------------------------------------------------------------

/// The server on the first processor, the load on the second, if there is one.
void serve(benchmark::State& state, const char* way, ServerProcess::Other other, std::size_t connections) {
    const bool two = std::thread::hardware_concurrency() > 1;
    const ServerProcess server(way, {}, two ? 0 : -1, other);
    if (two) stay_on(1);
    LoadOptions options{.ip = "127.0.0.1", .ports = {server.port()}, .connections = connections, .size = kMessage};
    options.warm_up = 10 * connections;  // stacks are there, tables have grown
    options.requests = kRequests;
    std::uint64_t answered = 0;
    for (auto _ : state) {
        const LoadResult result = run_load(options);
        if (result.errors > 0) state.SkipWithError(result.first_error.c_str());
        answered += result.requests;
        state.SetIterationTime(result.seconds);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(answered));
    stay_on(-1);
}

#define SERVER(name, way, other)                                                                               \
    BENCHMARK_CAPTURE(serve, name##_100, way, other, 100)->Name(#name "_100")->UseManualTime()->Iterations(1); \
    BENCHMARK_CAPTURE(serve, name##_1000, way, other, 1000)->Name(#name "_1000")->UseManualTime()->Iterations(1)

// ---- the hook: pipes with and without RWF_NOWAIT, and what it costs to count numbers --------------------------------

constexpr std::size_t kThroughPipe = std::size_t{256} << 20U;

/// So much from one hooked task to another, in pieces of 64 KiB; whether all of it came. `asks`: as where the kernel
/// has no RWF_NOWAIT for pipes: each attempt asks first, and writes PIPE_BUF bytes.
bool move_through_pipe(bool asks) {
    constexpr std::size_t kPiece = 64 * 1024;
    kit::choose_clock(kit::ClockKind::monotonic);
    EpollSource source;
    lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
    int ends[2];
    if (::pipe(ends) != 0) return false;
    std::size_t came = 0;
    const auto begin = [asks](int fd) {
        static_cast<void>(hooked_descriptor(fd));
        if (asks) note_no_nowait(fd);
    };
    go_hooked(
        [&] {
            begin(ends[1]);
            const std::string piece(kPiece, 'x');
            for (std::size_t sent = 0; sent < kThroughPipe; sent += kPiece)
                if (::write(ends[1], piece.data(), kPiece) != static_cast<ssize_t>(kPiece)) break;
            ::close(ends[1]);
        },
        "writes");
    go_hooked(
        [&] {
            begin(ends[0]);
            std::string piece(kPiece, '\0');
            for (ssize_t n; (n = ::read(ends[0], piece.data(), kPiece)) > 0;) came += static_cast<std::size_t>(n);
            ::close(ends[0]);
        },
        "reads");
    return sched.run().empty() && came == kThroughPipe;
}

/// In a process of its own: a server that is to be recorded is forked out of this one, which must have no coroutines.
void measure_pipe(benchmark::State& state, bool asks) {
    for (auto _ : state) {
        const double seconds = testing::seconds_apart([asks] { return move_through_pipe(asks); });
        if (seconds < 0) return state.SkipWithError("bytes were lost");
        state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kThroughPipe >> 20U));  // MiB
}
BENCHMARK_CAPTURE(measure_pipe, nowait, false)->Name("pipe_nowait")->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(measure_pipe, asking, true)->Name("pipe_asking")->UseManualTime()->Iterations(1);

/// A number that is given out and closed: by the C library alone, and by the names that raise its generation.
void dup_and_close(benchmark::State& state, bool counted) {
    for (auto _ : state) {
        const int fd = counted ? ::dup(0) : system_calls().dup(0);
        static_cast<void>(counted ? ::close(fd) : system_calls().close(fd));
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK_CAPTURE(dup_and_close, plain, false)->Name("dup_close_plain");
BENCHMARK_CAPTURE(dup_and_close, counted, true)->Name("dup_close_counted");

SERVER(bare_loop, "loop", nullptr);
SERVER(asio, "asio", serve_by_asio);
SERVER(per_connection, "per_connection", nullptr);
SERVER(pool, "pool", nullptr);
SERVER(hooked, "hooked", nullptr);
SERVER(traced, "traced", nullptr);
SERVER(by_tree, "by_tree", nullptr);

}  // namespace

int main(int argc, char** argv) {
    raise_descriptor_limit();
    return testing::run_benchmarks(argc, argv,
                                   {
                                       {"per_connection_100", "bare_loop_100", 1 / 0.92},
                                       {"pool_100", "bare_loop_100", 1 / 0.92},
                                       {"hooked_100", "bare_loop_100", 1 / 0.85},
                                       {"per_connection_1000", "bare_loop_1000", 1 / 0.92},
                                       {"pool_1000", "bare_loop_1000", 1 / 0.92},
                                       {"hooked_1000", "bare_loop_1000", 1 / 0.85},
                                       {"asio_100", "bare_loop_100", {}},
                                       {"asio_1000", "bare_loop_1000", {}},
                                       {"traced_100", "per_connection_100", 1.25},
                                       {"traced_1000", "per_connection_1000", 1.25},
                                       {"by_tree_100", "per_connection_100", {}},
                                       {"by_tree_1000", "per_connection_1000", {}},
                                       {"pipe_nowait", "pipe_asking", {}},
                                       {"dup_close_counted", "dup_close_plain", {}},
                                   });
}
