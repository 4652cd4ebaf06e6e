// Step 6.7: an echo server that drops idle connections.
#include "labs/06_timers/idle.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/socket.h>

#include <cerrno>

#include "labs/04_scheduler/tests/running.h"
#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/socket.h"
#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/loop.h"
#include "labs/06_timers/tests/support.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;
namespace io = lab05::io;

namespace {

constexpr std::uint64_t kLimit = 40 * kMillisecond;
/// Allowance, under the virtual clock, for the switches between a message and its alarm.
constexpr std::uint64_t kSwitches = 10 * kMicrosecond;

/// A server on lab 05's epoll. The scheduler is destroyed first.
struct Stage : lab04::testing::Runs<Stage> {
    explicit Stage(kit::ClockKind clock = kVirtualTime) { kit::choose_clock(clock); }

    HeapStore store;
    TimerManager manager{store};
    TimerService service{manager};
    lab05::EpollSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};
    IdleServer server{manager, kLimit};
    std::size_t ends = 0;

    /// Returns the client's end of a served connection.
    int connect() {
        int made[2];
        INFO("the system gives the test no pair of sockets; your code is not at fault");
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, made) == 0);
        server.begin(made[1], "connection " + std::to_string(++ends));
        return made[0];
    }
};

/// Sends a message and waits for the answer; returns whether it came.
bool talk(int fd) {
    char answer[8];
    return io::send(fd, "hello", 5, 0) == 5 && io::recv(fd, answer, 5, MSG_WAITALL) == 5;
}
/// Sends a message before the limit and works past it, so that the alarm is called before the message is read. Returns
/// whether the answer came.
bool talk_late(int fd) {
    lab04::sleep_for(kLimit - 2 * kMillisecond);
    io::send(fd, "hello", 5, 0);
    kit::work(5 * kMillisecond);
    char answer[8];
    return io::recv(fd, answer, 5, MSG_WAITALL) == 5;
}
/// Waits until the server closes the connection; returns the time.
std::uint64_t ended_at(int fd) {
    char byte;
    while (io::recv(fd, &byte, 1, 0) > 0) {
    }
    return kit::now();
}

}  // namespace

TEST_CASE("6.7 a client that is silent for the limit is dropped, then and not before") {
    Stage stage;
    const int fd = stage.connect();
    std::uint64_t ended = 0;
    lab04::go([&] {
        ended = ended_at(fd);
        io::close(fd);
    });
    INFO("begin_limit sets an alarm for the limit; silent() shuts the connection down");
    CHECK(stage.run().empty());
    CHECK(ended >= kLimit);
    CHECK(ended <= kLimit + kSwitches);
    CHECK(stage.server.figures().dropped == 1);
    CHECK(stage.server.figures().open == 0);
}

TEST_CASE("6.7 each message puts the limit off, and is answered") {
    Stage stage;
    const int fd = stage.connect();
    int answers = 0;
    std::uint64_t last = 0, ended = 0;
    lab04::go([&] {
        for (int i = 0; i < 8; ++i) {
            lab04::sleep_for(kLimit - kMillisecond);
            answers += talk(fd) ? 1 : 0;
        }
        last = kit::now();
        ended = ended_at(fd);
        io::close(fd);
    });
    INFO("each message refreshes the alarm: it limits the idle time, not the length of the connection");
    CHECK(stage.run().empty());
    CHECK(answers == 8);
    CHECK(stage.server.figures().messages == 8);
    CHECK(ended >= last + kLimit - kSwitches);
    CHECK(ended <= last + kLimit + kSwitches);
}

TEST_CASE("6.7 one connection is dropped, the others are not") {
    Stage stage;
    int answers = 0;
    std::uint64_t silent = 0;
    for (int i = 0; i < 3; ++i)
        lab04::go([&, fd = stage.connect(), i] {
            for (int message = 0; i != 1 && message < 4; ++message) {
                lab04::sleep_for(kLimit / 2);
                answers += talk(fd) ? 1 : 0;
            }
            if (i == 1) silent = ended_at(fd);
            io::close(fd);
        });
    INFO("each connection has its own alarm");
    CHECK(stage.run().empty());
    CHECK(answers == 8);
    CHECK(silent >= kLimit);
    CHECK(silent <= kLimit + kSwitches);
    CHECK(stage.server.figures().dropped == 1);
}

TEST_CASE("6.7 a connection that has ended leaves no alarm behind") {
    INFO("the end of a connection cancels its alarm");
    Stage stage;
    std::size_t set = 1;
    for (int i = 0; i < 5; ++i)
        lab04::go([&, fd = stage.connect()] {
            talk(fd);
            io::close(fd);
            lab04::sleep_for(kMillisecond);
            set = stage.manager.size();
        });
    CHECK(stage.run().empty());
    CHECK(stage.server.figures().messages == 5);
    CHECK(stage.server.figures().dropped == 0);
    INFO("an alarm that was not cancelled keeps the scheduler running until its deadline");
    CHECK(set == 0);
    CHECK(kit::now() < kLimit);
}

TEST_CASE("6.7 a client that reads no answers is dropped too, while the task waits in send") {
    Stage stage;
    const int fd = stage.connect();
    std::uint64_t refused = 0;
    lab04::go([&] {
        const std::string much(1U << 16U, 'x');
        while (io::send(fd, much.data(), much.size(), 0) > 0) {
        }
        refused = kit::now();
        io::close(fd);
    });
    lab04::go([&] {
        lab04::sleep_for(4 * kLimit);  // the longest wait for a server that never drops it
        if (refused == 0) io::close(fd);
    });
    INFO("while the task waits in send, unread data does not prove that the client is alive");
    CHECK(stage.run().empty());
    CHECK(stage.server.figures().messages > 0);
    CHECK(stage.server.figures().dropped == 1);
    CHECK(refused >= kLimit);
    CHECK(refused <= 2 * kLimit);
}

TEST_CASE("6.7 the descriptor of a connection is open until serve returns") {
    Stage stage;
    lab04::go([fd = stage.connect()] {
        talk(fd);
        io::close(fd);
    });
    EXPECTS("serve calls begin_limit before it reads: until then the connection has no alarm to refresh or cancel");
    CHECK(stage.run().empty());
    CHECK(stage.server.figures().messages == 1);
    INFO(
        "serve has closed the descriptor: begin() closes it again after serve, when it may belong to another "
        "connection");
    CHECK(stage.server.figures().closed_early == 0);
}

TEST_CASE("6.7 a dropped connection is shut down, and its descriptor stays open for its task") {
    Stage stage;
    lab04::go([fd = stage.connect()] {
        ended_at(fd);
        io::close(fd);
    });
    {
        INFO("serve begins with begin_limit, and silent() calls shut_down: then recv returns 0, and the task ends");
        CHECK(stage.run().empty());
        CHECK(stage.server.figures().dropped == 1);
    }
    INFO(
        "silent() has closed a descriptor that the connection's task still uses: the next connection reuses its "
        "number, "
        "and that task closes it again; call shut_down, which ends the conversation and leaves the descriptor open");
    CHECK(stage.server.figures().closed_early == 0);
}

TEST_CASE("6.7 data received in time counts, even if the server was too busy to read it") {
    Stage stage;
    const int late = stage.connect();
    bool answered = false;
    lab04::go([&] {
        answered = talk_late(late);
        io::close(late);
    });
    EXPECTS(
        "unread data when the alarm comes: the message came in time and the server is late, so restart the limit, "
        "with one alarm: the old one must not recur");
    CHECK(stage.run().empty());
    CHECK(answered);
    CHECK(stage.server.figures().dropped == 0);
}

TEST_CASE("6.7 the limit is an alarm in the trace: set once, put off by each message, fired once") {
    const trace::Trace recorded = trace_of("idle", [] {
        Stage stage;
        const int fd = stage.connect();
        lab04::go([fd] {
            for (int i = 0; i < 3; ++i) talk(fd);
            ended_at(fd);
            io::close(fd);
        });
        stage.run();
    });
    INFO("one alarm for the connection, refreshed by each of three messages");
    CHECK(count(recorded, trace::TimerOp::add) == 1);
    CHECK(count(recorded, trace::TimerOp::refresh) == 3);
    CHECK(count(recorded, trace::TimerOp::fire) == 1);
}

TEST_CASE("6.7 the server's own work is not the client's silence") {
    INFO("each message is answered; refresh the limit before sending the answer");
    Stage stage;
    stage.server.set_work(2 * kLimit);
    const int fd = stage.connect();
    int answers = 0;
    lab04::go([&] {
        for (int i = 0; i < 2; ++i) {
            answers += talk(fd) ? 1 : 0;
            lab04::sleep_for(kLimit / 2);
        }
        io::close(fd);
    });
    CHECK(stage.run().empty());
    INFO("the limit starts when the server has finished its work on a message: until then the client can only wait");
    CHECK(answers == 2);
    CHECK(stage.server.figures().dropped == 0);
}

TEST_CASE("6.7 a limit restarted because of unread data ends the connection if it is silent afterwards") {
    INFO("check for silence when the alarm is called: unread data counts as a sign of life");
    Stage stage;
    const int fd = stage.connect();
    std::uint64_t ended = 0;
    lab04::go([&] {
        talk_late(fd);
        ended = ended_at(fd);
    });
    lab04::go([&] {
        lab04::sleep_for(10 * kLimit);  // the longest wait for a server that never drops it
        if (ended == 0) ::shutdown(fd, SHUT_RDWR);
    });
    CHECK(stage.run().empty());
    INFO("an alarm that has been called is no longer set: refresh does nothing, so the limit needs a new alarm");
    CHECK(stage.server.figures().dropped == 1);
    CHECK(ended < 4 * kLimit);
    io::close(fd);
}

TEST_CASE("6.7 data received in time counts after an answer, too") {
    INFO("a message that came before the limit is answered, even if the alarm was called before it was read");
    Stage stage;
    const int fd = stage.connect();
    bool first = false, answered = false;
    lab04::go([&] {
        first = talk(fd);
        answered = talk_late(fd);
        io::close(fd);
    });
    CHECK(stage.run().empty());
    CHECK(first);
    INFO("after sending the answer the task waits for the next message: it is no longer answering");
    CHECK(answered);
    CHECK(stage.server.figures().dropped == 0);
}

TEST_CASE("6.7 nothing is left of connections that have ended") {
    INFO("an alarm whose callback owns the connection, which owns the alarm, lives forever");
    record_nothing();
    constexpr int kConnections = 200;
    Stage stage;
    int answered = 0;
    const auto serve_some = [&stage, &answered] {
        for (int i = 0; i < kConnections; ++i) {
            const int fd = stage.connect();
            answered += talk(fd) ? 1 : 0;
            io::close(fd);
            lab04::yield();
        }
        lab04::sleep_for(2 * kLimit);
        return mallinfo2().uordblks;
    };
    std::size_t before = 0, after = 0;
    lab04::go([&] {
        before = serve_some();  // caches and pools have grown
        after = serve_some();
    });
    CHECK(stage.run() == "");
    CHECK(answered == 2 * kConnections);
    CHECK(after < before + 64 * kConnections);
}

TEST_CASE("6.7 a connection whose answer cannot be sent leaves no alarm behind") {
    INFO("a send that fails ends the connection too: cancel the alarm on every way out");
    Stage stage;
    std::size_t set = 1;
    lab04::go([&, fd = stage.connect()] {
        io::send(fd, "hello", 5, 0);
        io::close(fd);
        lab04::sleep_for(kMillisecond);
        set = stage.manager.size();
    });
    CHECK(stage.run().empty());
    CHECK(stage.server.figures().messages == 1);
    CHECK(set == 0);
}

TEST_CASE("6.7 the answer is the received data, and no byte more") {
    Stage stage;
    std::string answer(100, ' ');
    lab04::go([&, fd = stage.connect()] {
        io::send(fd, "hello", 5, 0);
        lab04::sleep_for(kMillisecond);
        answer.resize(static_cast<std::size_t>(std::max<ssize_t>(0, io::recv(fd, answer.data(), answer.size(), 0))));
        io::close(fd);
    });
    INFO("send back as many bytes as were read: the rest of the buffer is old content");
    CHECK(stage.run().empty());
    CHECK(answer == "hello");
}

TEST_CASE("6.7 a connection reset by the client ends, and that is not a message") {
    Stage stage;
    std::size_t open = 1, set = 1;
    lab04::go([&, fd = stage.connect()] {
        io::send(fd, "hello", 5, 0);
        lab04::sleep_for(kMillisecond);
        io::close(fd);  // with the answer unread: recv fails with ECONNRESET
        lab04::sleep_for(kMillisecond);
        open = stage.server.figures().open;
        set = stage.manager.size();
    });
    INFO("recv returns -1 if it fails: that ends the connection like 0, leaves no alarm, and is not a message");
    CHECK(stage.run().empty());
    CHECK(stage.server.figures().messages == 1);
    CHECK(open + set == 0);
}
