// Questions of lab 05's grader; see labs/kit/testing/proof.h.
#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/experiment.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/io_manager.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/proof.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using kit::testing::answer;
using kit::testing::Numbers;
using lab04::go;

namespace {

struct Pair {
    int ends[2];
    explicit Pair(int flags = SOCK_NONBLOCK) { static_cast<void>(!socketpair(AF_UNIX, SOCK_STREAM | flags, 0, ends)); }
    void put(char byte) const { static_cast<void>(!system_calls().write(ends[1], &byte, 1)); }
    void take() const {
        char byte;
        static_cast<void>(!system_calls().read(ends[0], &byte, 1));
    }
};

/// A scheduler on epoll that is never destroyed: the process exits.
struct Stand {
    EpollSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};

    void run() {
        const auto failures = sched.run();
        answer("failures", 0, failures.size());
    }
};

// ---- 5.1 ------------------------------------------------------------------------------------------------------------

void change(Epoller& poller, const Pair& pair, unsigned i, unsigned what, unsigned bits) {
    const std::uint32_t events = (bits & 1U ? EPOLLIN : 0U) | (bits & 2U ? EPOLLOUT : 0U) | (bits == 0 ? EPOLLIN : 0U);
    const Trigger trigger = (bits & 4U) != 0 ? Trigger::edge : Trigger::level;
    switch (what) {
    case 0: return answer("add", i, poller.add(pair.ends[0], events, trigger));
    case 1: return answer("modify", i, poller.modify(pair.ends[0], events, trigger));
    case 2: return answer("remove", i, poller.remove(pair.ends[0]));
    case 3: return pair.take();
    default: return pair.put('x');
    }
}

void look(Epoller& poller, const std::vector<Pair>& pairs) {
    std::vector<std::pair<std::size_t, std::uint32_t>> seen;
    for (const epoll_event& event : poller.wait(0))
        for (std::size_t i = 0; i < pairs.size(); ++i)
            if (pairs[i].ends[0] == event.data.fd) seen.emplace_back(i, event.events);
    std::sort(seen.begin(), seen.end());
    for (const auto& [i, events] : seen) answer("ready", i, events);
    answer("room", 0, poller.room());
}

void poller(Numbers& numbers) {
    Epoller poller;
    const std::vector<Pair> pairs(40);
    for (unsigned step = 0; step < 400; ++step) {  // the answer must fit into the grader's buffer
        const unsigned i = numbers.below(40), what = numbers.below(6);
        change(poller, pairs[i], i, what, numbers.below(8));
        if (numbers.below(8) == 0) poller.wake();
        if (numbers.below(4) == 0) look(poller, pairs);
    }
}

// ---- 5.2, 5.5: tasks that exchange data in pieces, some of them delayed ---------------------------------------------

using Send = void (*)(int fd, const std::vector<unsigned char>& bytes);
using Receive = std::size_t (*)(int fd, unsigned char* bytes, std::size_t size);
using Begin = void (*)(lab04::Body body);

struct Talk {
    Numbers numbers;
    Pair pair;
    std::uint64_t heard[2] = {};
};

/// Sends and receives `kTurns` pieces; the other end does the reverse.
void speak(Talk& talk, unsigned me, Send send, Receive receive) {
    Numbers pieces(talk.numbers);
    for (unsigned turn = 0; turn < 20; ++turn) {
        std::vector<unsigned char> piece(1 + pieces.below(3000));
        for (unsigned char& byte : piece) byte = static_cast<unsigned char>(pieces.next());
        if (turn % 2 == me) {
            if (pieces.below(3) == 0) lab04::sleep_for(1000);
            send(talk.pair.ends[me], piece);
            continue;
        }
        pieces.below(3);
        std::vector<unsigned char> got(piece.size());
        for (std::size_t n = 0; n < got.size();) {
            const std::size_t more = receive(talk.pair.ends[me], got.data() + n, got.size() - n);
            if (more == 0) return;
            n += more;
        }
        for (const unsigned char byte : got) talk.heard[me] = Numbers::mixed(talk.heard[me] ^ byte);
    }
}

void talks(Numbers& numbers, int flags, Begin begin, Send send, Receive receive) {
    kit::testing::use_virtual_time();
    auto& stand = *new Stand;
    std::vector<std::unique_ptr<Talk>> all;
    for (unsigned i = 0; i < 20; ++i) all.push_back(std::make_unique<Talk>(Talk{Numbers(numbers.next()), Pair(flags)}));
    for (const auto& talk : all)
        for (unsigned me = 0; me < 2; ++me)
            begin([one = talk.get(), me, send, receive] { speak(*one, me, send, receive); });
    stand.run();
    for (std::size_t i = 0; i < all.size(); ++i)
        for (const std::uint64_t heard : all[i]->heard) answer("heard", i, heard);
}

void calls(Numbers& numbers) {
    talks(
        numbers, SOCK_NONBLOCK, [](lab04::Body body) { go(std::move(body)); },
        [](int fd, const std::vector<unsigned char>& bytes) { io::send(fd, bytes.data(), bytes.size(), 0); },
        [](int fd, unsigned char* bytes, std::size_t size) {
            return static_cast<std::size_t>(std::max<ssize_t>(0, io::recv(fd, bytes, size, 0)));
        });
}

// Blocking descriptors: without the hook the first read stops the whole process.
void hooked(Numbers& numbers) {
    names_of_the_hook();
    talks(
        numbers, 0, [](lab04::Body body) { go_hooked(std::move(body)); },
        [](int fd, const std::vector<unsigned char>& bytes) {
            static_cast<void>(!::write(fd, &bytes[0], bytes.size()));
        },
        [](int fd, unsigned char* bytes, std::size_t size) {
            return static_cast<std::size_t>(std::max<ssize_t>(0, ::read(fd, bytes, size)));
        });
}

// ---- 5.3 ------------------------------------------------------------------------------------------------------------

void polls(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& stand = *new Stand;
    const std::vector<Pair> pairs(12);
    go([&] {
        for (unsigned round = 0; round < 60; ++round) {
            std::vector<pollfd> asked;
            for (unsigned i = 0; i < 12; ++i)
                if (numbers.below(2) == 0)
                    asked.push_back(
                        {pairs[i].ends[0], static_cast<short>(numbers.below(2) == 0 ? POLLIN : POLLOUT), 0});
            const int found = io::poll(asked.data(), asked.size(), static_cast<int>(numbers.below(3)));
            answer("found", round, static_cast<std::uint64_t>(found));
            for (std::size_t i = 0; i < asked.size(); ++i)
                answer("of", i, static_cast<std::uint64_t>(asked[i].revents));
            const unsigned next = numbers.below(12);
            numbers.below(2) == 0 ? pairs[next].put('x') : pairs[next].take();
        }
    });
    stand.run();
}

// ---- 5.4 ------------------------------------------------------------------------------------------------------------

void manager(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& stand = *new Stand;
    auto& manager = *new IOManager(stand.source);
    const std::vector<Pair> pairs(10);
    std::vector<std::uint64_t> called(10);
    go([&] {
        for (unsigned step = 0; step < 300; ++step) {
            const unsigned i = numbers.below(10);
            const int fd = pairs[i].ends[0];
            switch (numbers.below(5)) {
            case 0:
                answer("added", i, manager.add_event(fd, Want::read, [&called, &pairs, i] {
                    ++called[i];
                    pairs[i].take();
                }));
                break;
            case 1: answer("deleted", i, manager.delete_event(fd, Want::read)); break;
            case 2: answer("cancelled", i, manager.cancel_event(fd, Want::read)); break;
            case 3: pairs[i].put('x'); break;
            default: lab04::sleep_for(1000); break;
            }
        }
        for (const Pair& pair : pairs) manager.cancel_all(pair.ends[0]);
        manager.stop();
    });
    stand.run();
    for (std::size_t i = 0; i < called.size(); ++i) answer("called", i, called[i]);
    answer("pending", 0, manager.pending());
}

constexpr kit::testing::Question kQuestions[] = {
    {"poller", poller}, {"calls", calls}, {"polls", polls}, {"manager", manager}, {"hooked", hooked}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
