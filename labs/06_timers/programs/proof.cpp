// The grader's questions for lab 06: which timers expire when, in each store. See labs/kit/testing/proof.h.
#include <poll.h>
#include <sys/socket.h>

#include <deque>
#include <memory>
#include <vector>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/io.h"
#include "labs/06_timers/condition.h"
#include "labs/06_timers/descriptor.h"
#include "labs/06_timers/idle.h"
#include "labs/06_timers/loop.h"
#include "labs/06_timers/timer.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/proof.h"

using namespace fiberscope;
using kit::testing::answer;
using kit::testing::kMillisecond;
using kit::testing::Numbers;
using lab06::kNever;

namespace {

struct Numbered : lab06::Timer {
    unsigned number = 0;
};

class Stand {
  public:
    Stand(const char* store, Numbers& numbers) : numbers_(numbers), store_(lab06::make_store(store)) {
        for (unsigned i = 0; i < timers_.size(); ++i) timers_[i].number = i;
    }

    void run() {
        for (unsigned i = 0; i < 2000; ++i) numbers_.below(4) == 0 ? expire() : change(timers_[numbers_.below(100)]);
    }

  private:
    void change(Numbered& timer) {
        if (timer.store == nullptr)
            store_->add(timer, deadline());
        else if (numbers_.below(2) == 0)
            store_->refresh(timer, deadline());
        else
            answer("cancels", timer.number, store_->cancel(timer));
    }
    std::uint64_t deadline() { return now_ + numbers_.below(numbers_.below(3) == 0 ? 100'000 : 100) * kMillisecond; }
    void expire() {
        now_ += numbers_.below(60) * kMillisecond;
        std::vector<lab06::Timer*> out;
        store_->take_expired(now_, out);
        for (const lab06::Timer* timer : out) answer("expires", static_cast<const Numbered*>(timer)->number, now_);
        answer("next", store_->size(), store_->next_deadline());
    }

    Numbers& numbers_;
    std::unique_ptr<lab06::TimerStore> store_;
    std::vector<Numbered> timers_ = std::vector<Numbered>(100);
    std::uint64_t now_ = 0;
};

void of(const char* store, Numbers& numbers) {
    kit::testing::use_virtual_time();
    (new Stand(store, numbers))->run();  // kept: a timer must not be destroyed in a store
}
void tree(Numbers& numbers) { of("tree", numbers); }
void heap(Numbers& numbers) { of("heap", numbers); }
void wheel(Numbers& numbers) { of("wheel", numbers); }
void levels(Numbers& numbers) { of("levels", numbers); }

// ---- 6.4 ------------------------------------------------------------------------------------------------------------

/// Random adds and cancels of distant timers on one descriptor; prints the time for which it is set.
void far_timers(Numbers& numbers) {
    kit::testing::use_virtual_time();
    const std::unique_ptr<lab06::TimerStore> store = lab06::make_store("tree");
    lab06::TimerDescriptor timers(*store);
    std::vector<Numbered> all(20);
    for (int step = 0; step < 200; ++step) {
        const unsigned i = numbers.below(20);
        const std::uint64_t ns = (200'000 + numbers.below(100'000)) * kMillisecond;
        if (all[i].store != nullptr)
            answer("cancels", i, timers.cancel(all[i]));
        else if (numbers.below(2) == 0)
            timers.run_after(all[i], ns);
        else
            timers.run_at(all[i], kit::now() + ns);
        answer("set for", timers.times_set(), timers.set_for());
    }
    for (Numbered& timer : all) timers.cancel(timer);
}

/// Near timers under the real clock; prints the order in which they expire, and that none is early.
void near_timers(Numbers& numbers) {
    kit::testing::use_real_time();
    const std::unique_ptr<lab06::TimerStore> store = lab06::make_store("tree");
    lab06::TimerDescriptor timers(*store);
    std::vector<Numbered> all(20);
    const std::uint64_t begin = kit::now();
    for (unsigned i = 0; i < all.size(); ++i) {
        all[i].number = i;
        timers.run_at(all[i], begin + numbers.below(60'000) * (kMillisecond / 1000));
    }
    for (int i = 0; i < 6; ++i) timers.cancel(all[numbers.below(20)]);
    pollfd readable{timers.fd(), POLLIN, 0};
    while (!store->empty() && poll(&readable, 1, 5000) == 1) {
        std::vector<lab06::Timer*> expired;
        timers.take_expired(expired);
        const std::uint64_t now = kit::now();
        for (const lab06::Timer* one : expired)
            answer("expires", static_cast<const Numbered*>(one)->number, one->deadline <= now);
    }
    answer("left", store->size(), timers.set_for());
}

void descriptor(Numbers& numbers) {
    far_timers(numbers);
    near_timers(numbers);
}

// ---- 6.5, 6.6 -------------------------------------------------------------------------------------------------------

/// A scheduler on step 6.5's source, whose alarms a TimerService serves. Never destroyed: the process just ends.
struct Served {
    std::unique_ptr<lab06::TimerStore> store = lab06::make_store("tree");
    lab06::TimerManager manager{*store};
    lab06::TimerService service{manager};
    lab06::TimedSource source;
    lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};

    void run() { answer("failures", 0, sched.run().size()); }
};

void loop(Numbers& numbers) {
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t now = numbers.next() >> 20, ns = numbers.next() >> numbers.below(64);
        const std::uint64_t until = numbers.below(20) == 0  ? kNever
                                    : numbers.below(5) == 0 ? now - ns % (now + 1)
                                                            : now + ns;
        answer("waits", until > now, static_cast<std::uint64_t>(lab06::timeout_for(now, until)));
    }
    kit::testing::use_virtual_time();
    auto& served = *new Served;
    for (unsigned which = 0; which < 12; ++which)
        lab04::go([&served, which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(5) + 1; left > 0; --left) {
                const std::uint64_t ns = own.below(30'000'000), until = kit::now() + ns;
                const lab04::Wake woken = served.service.sleep_for(ns);
                answer("woken", which, static_cast<std::uint64_t>(woken));
                answer("in time", which, kit::now() >= until && kit::now() < until + kMillisecond);
            }
        });
    served.run();
}

/// Tasks that wait with and without a limit for a signal of another task. Events rarely coincide, so that an extra
/// switch in a correct solution changes nothing.
void condition(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& served = *new Served;
    auto& sign = *new lab06::Condition(served.manager, "a sign");
    for (unsigned which = 0; which < 15; ++which)
        lab04::go([&sign, which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(6) + 1; left > 0; --left) {
                const std::uint64_t limit = own.below(3) == 0 ? kNever : own.below(20'000'000);
                answer("woken", which, static_cast<std::uint64_t>(sign.wait(limit)));
            }
        });
    lab04::go([&sign, own = Numbers(numbers.next())]() mutable {
        for (int left = 150; left > 0; --left) {
            lab04::sleep_for(own.below(4'000'000));
            own.below(8) == 0 ? answer("all", 0, sign.broadcast()) : answer("one", sign.waiting(), sign.signal());
        }
        while (sign.broadcast() > 0) lab04::yield();
    });
    served.run();
}

// ---- 6.7 ------------------------------------------------------------------------------------------------------------

/// The answers that a client received, and when it was dropped.
struct Client {
    Numbers numbers;
    int fd = -1;
    std::vector<std::uint64_t> heard = {};
    std::uint64_t dropped = 0;

    /// Alternates between messages and silences whose length is never close to the limit.
    void live() {
        for (unsigned left = numbers.below(8); left > 0; --left) {
            lab04::sleep_for((numbers.below(6) == 0 ? 60 : numbers.below(30)) * kMillisecond);
            const std::uint64_t sent = numbers.next();
            std::uint64_t got = 0;
            const bool out = lab05::io::send(fd, &sent, sizeof sent, MSG_NOSIGNAL) > 0;
            heard.push_back(out && lab05::io::recv(fd, &got, sizeof got, MSG_WAITALL) > 0 ? got : 0);
        }
        if (numbers.below(2) == 0) wait_for_the_end();
        lab05::io::close(fd);
    }
    void wait_for_the_end() {
        char byte;
        while (lab05::io::recv(fd, &byte, 1, 0) > 0) {
        }
        dropped = kit::now() / kMillisecond;
    }
};

/// Clients that talk and are silent at random; the server drops those that are silent too long.
void idle(Numbers& numbers) {
    kit::testing::use_virtual_time();
    struct Dropping {
        std::unique_ptr<lab06::TimerStore> store = lab06::make_store("tree");
        lab06::TimerManager manager{*store};
        lab06::TimerService service{manager};
        lab05::EpollSource source;
        lab04::Scheduler sched{lab04::Settings{.strategy = "producer_consumer", .source = &source}};
        lab06::IdleServer server{manager, 40 * kMillisecond};
        std::deque<Client> clients;
    };
    auto& stand = *new Dropping;
    for (int i = 0; i < 10; ++i) {
        int ends[2];
        static_cast<void>(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends));
        stand.server.begin(ends[1]);
        Client& client = stand.clients.emplace_back(Client{Numbers(numbers.next()), ends[0]});
        lab04::go([&client] { client.live(); });
    }
    answer("failures", 0, stand.sched.run().size());
    for (std::size_t i = 0; i < stand.clients.size(); ++i) {
        for (const std::uint64_t heard : stand.clients[i].heard) answer("hears", i, heard);
        answer("dropped at", i, stand.clients[i].dropped);
    }
    answer("messages", stand.server.figures().open, stand.server.figures().messages);
    answer("dropped in all", stand.server.figures().accepted, stand.server.figures().dropped);
}

constexpr kit::testing::Question kQuestions[] = {
    {"tree", tree}, {"heap", heap},           {"wheel", wheel}, {"levels", levels}, {"descriptor", descriptor},
    {"loop", loop}, {"condition", condition}, {"idle", idle}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
