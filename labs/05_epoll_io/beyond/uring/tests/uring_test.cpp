// Step 5.8: completions, on a ring without a kernel, under the virtual clock.
#include <utility>
#include <vector>

#include "labs/05_epoll_io/beyond/uring/tests/completions.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

TEST_CASE("5.8 a task parks until the kernel has completed its call, and the others run") {
    EXPECTS("perform submits and parks; wait enters the kernel once and reaps; the completion wakes the task");
    Completions stand;
    stand.ring.arrives(kSomeFd, "hello", 20 * kMicrosecond);
    Log log;
    go([&] { log.push_back("reader " + received(kSomeFd)); }, "reader");
    go("other", [&] {
        log.emplace_back("other");
        sleep_for(5 * kMicrosecond);
        log.emplace_back("other, later");
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"other", "other, later", "reader hello"});
    INFO("the kernel has no operation, and none is in flight");
    CHECK(stand.ring.has() == 0);
    CHECK(stand.source.in_flight() == 0);
}

TEST_CASE("5.8 a negative result is an errno: -1 with errno set, which does not change on success") {
    EXPECTS("a completion has no errno of its own: negate a negative result, and return -1");
    Completions stand;
    stand.ring.fails(kSomeFd, EPIPE);
    stand.ring.ends(kSomeFd + 1, kMicrosecond);
    stand.ring.arrives(kSomeFd + 2, "x", kMicrosecond);
    ssize_t failed = 0, ended = -2, got = 0;
    int error = 0, error_after = 0;
    CHECK(stand.run("calls", [&] {
        failed = uring::send(kSomeFd, "hello", 5);
        error = last_error();
        set_last_error(EDOM);
        char byte;
        ended = uring::recv(kSomeFd + 1, &byte, 1);
        got = uring::recv(kSomeFd + 2, &byte, 1);
        error_after = last_error();
    }) == "");
    CHECK(failed == -1);
    CHECK(error == EPIPE);
    CHECK(ended == 0);
    CHECK(got == 1);
    INFO("a call that succeeds leaves errno as it was");
    CHECK(error_after == EDOM);
}

TEST_CASE("5.8 each completion goes to its operation, in whatever order they come") {
    EXPECTS("user_data is the address of the operation: a descriptor may have several");
    Completions stand;
    Log log;
    for (int i = 0; i < 4; ++i) {
        stand.ring.arrives(kSomeFd + i, "for " + std::to_string(i),
                           static_cast<std::uint64_t>(40 - 10 * i) * kMicrosecond);
        go([&log, i] { log.push_back(std::to_string(i) + " gets " + received(kSomeFd + i)); }, "reader");
    }
    ssize_t sent = 0;
    CHECK(stand.run("writer", [&] { sent = uring::send(kSomeFd, "ab", 2); }) == "");
    CHECK(log == Log{"3 gets for 3", "2 gets for 2", "1 gets for 1", "0 gets for 0"});
    CHECK(sent == 2);
    CHECK(stand.ring.sent(kSomeFd) == "ab");
}

TEST_CASE("5.8 one system call submits the requests of all tasks, and also waits") {
    EXPECTS("submit makes no system call: the loop's wait hands all SQEs over, and reap takes all completions");
    Completions stand;
    ssize_t sent = 0;
    std::string order;
    for (int i = 0; i < 8; ++i)
        go(
            [&, i] {
                sent += uring::send(kSomeFd + i, "hello", 5);
                order += static_cast<char>('0' + i);
                lab04::yield();
                order += static_cast<char>('0' + i);
            },
            "sender");
    CHECK(stand.run() == "");
    CHECK(sent == 40);
    INFO(
        "eight sends of one turn are one io_uring_enter, and its completions are reaped right after it, not a turn "
        "later");
    CHECK(stand.ring.enters() == 1);
    CHECK(order == "0123456701234567");
}

TEST_CASE("5.8 a full ring is submitted, and then there is room") {
    EXPECTS("next_sqe of a full ring is null: call enter(0, 0) to submit it, and try again");
    Completions stand(2);
    ssize_t sent = 0;
    for (int i = 0; i < 9; ++i) go([&sent, i] { sent += uring::send(kSomeFd + i, "hello", 5); }, "sender");
    CHECK(stand.run() == "");
    CHECK(sent == 45);
}

TEST_CASE("5.8 a full ring is submitted without waiting for a completion") {
    EXPECTS("next_sqe: enter(0, 0) submits and returns; a call that waits stops all tasks until something comes");
    Completions stand(1);
    std::uint64_t ran = kNever;
    std::string got;
    for (int i = 0; i < 2; ++i) {
        stand.ring.arrives(kSomeFd + i, "late", kMillisecond);
        go([&got, i] { got += received(kSomeFd + i); }, "reader");
    }
    CHECK(stand.run("other", [&] { ran = kit::now(); }) == "");
    INFO("the other task has its turn long before the messages come");
    CHECK(ran < kMillisecond);
    CHECK(got == "latelate");
}

TEST_CASE("5.8 an SQE has all fields of the request") {
    EXPECTS("submit copies each field: for a send, flags has MSG_NOSIGNAL; for a connect, off has the address's size");
    struct Looks : SimulatedRing {
        io_uring_sqe* sqe = nullptr;
        std::vector<io_uring_sqe> got;
        io_uring_sqe* next_sqe() override { return sqe = SimulatedRing::next_sqe(); }
        void enter(unsigned at_least, std::uint64_t until) override {
            if (sqe != nullptr) got.push_back(*std::exchange(sqe, nullptr));
            SimulatedRing::enter(at_least, until);
        }
    } ring;
    UringSource source(ring);
    lab04::Scheduler sched(lab04::Settings{.strategy = "producer_consumer", .source = &source});
    go([&] {
        source.perform(
            {.op = "connect", .opcode = IORING_OP_CONNECT, .fd = 7, .address = 11, .size = 12, .off = 13, .flags = 14});
    });
    CHECK(sched.run().empty());
    REQUIRE(ring.got.size() == 1);
    const io_uring_sqe& sqe = ring.got[0];
    CHECK(sqe.opcode == IORING_OP_CONNECT);
    CHECK(sqe.fd == 7);
    CHECK(sqe.addr == 11);
    CHECK(sqe.len == 12);
    CHECK(sqe.off == 13);
    CHECK(sqe.msg_flags == 14);
}

TEST_CASE("5.8 requests are submitted even while other tasks are always ready") {
    EXPECTS("wait(0) is a look: it submits and reaps too, and does not wait");
    Completions stand;
    bool sent = false;
    int turns = 0;
    go("sender", [&] {
        uring::send(kSomeFd, "hello", 5);
        sent = true;
    });
    go("busy", [&] {
        for (; !sent && turns < 1000; ++turns) lab04::yield();
    });
    CHECK(stand.run() == "");
    INFO("the busy task has seen the send end after some turns: each look enters, even if nothing is submitted");
    CHECK(turns < 1000);
    CHECK(stand.ring.sent(kSomeFd) == "hello");
}

TEST_CASE("5.8 a sleeper wakes on time, though an operation is in flight") {
    EXPECTS("the wait in the kernel ends at `until`");
    Completions stand;
    stand.ring.arrives(kSomeFd, "late", kMillisecond);
    std::uint64_t woken = 0;
    go([&] { received(kSomeFd); }, "reader");
    later(30 * kMicrosecond, "sleeper", [&] { woken = kit::now(); });
    CHECK(stand.run() == "");
    CHECK(woken >= 30 * kMicrosecond);
    CHECK(woken < 40 * kMicrosecond);
}

TEST_CASE("5.8 a send continues until all is sent, and returns the sent length if it fails after a part") {
    EXPECTS("a completion may be for fewer bytes: send the rest, from where it ended");
    Completions stand;
    stand.ring.has_room(kSomeFd, 4);
    ssize_t sent = 0, empty = -2, part = 0, none = 0;
    go("sender", [&] {
        sent = uring::send(kSomeFd, "hello, world", 12);
        empty = uring::send(kSomeFd, "", 0);
    });
    stand.ring.has_room(kSomeFd + 1, 3);
    go("broken", [&] {
        part = uring::send(kSomeFd + 1, "hello, world", 12);
        none = uring::send(kSomeFd + 1, "", 0);
    });
    go("breaks it", [&] {
        sleep_for(5 * kMicrosecond / 2);  // two parts are sent
        stand.ring.fails(kSomeFd + 1, EPIPE);
    });
    CHECK(stand.run() == "");
    CHECK(sent == 12);
    CHECK(stand.ring.sent(kSomeFd) == "hello, world");
    CHECK(empty == 0);
    INFO("if a send fails after a part, the result is the length of that part");
    CHECK(part > 0);
    CHECK(part == static_cast<ssize_t>(stand.ring.sent(kSomeFd + 1).size()));
    INFO("a send of 0 bytes is a call too: an empty datagram, or an error");
    CHECK(none == -1);
}

TEST_CASE("5.8 a spuriously woken task keeps waiting for its completion") {
    EXPECTS("lab04::wake says nothing about the operation: only done() does");
    Completions stand;
    stand.ring.arrives(kSomeFd, "hello", 20 * kMicrosecond);
    std::string got;
    const Handle reader = go([&] { got = received(kSomeFd); }, "reader");
    later(5 * kMicrosecond, "wakes it", [&] { lab04::wake(reader); });
    CHECK(stand.run() == "");
    CHECK(got == "hello");
}
