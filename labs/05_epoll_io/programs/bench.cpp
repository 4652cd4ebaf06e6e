// What an echo server costs, beside a bare epoll loop and Boost.Asio: the time of a message, the server in a process of
// its own on one processor and the load on another. `./lab bench 05` runs it in rounds.
#include <benchmark/benchmark.h>

#include <array>
#include <boost/asio.hpp>
#include <memory>
#include <thread>

#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/load.h"
#include "labs/kit/run/trace.h"
#include "testing/ratios.h"

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
                                   });
}
