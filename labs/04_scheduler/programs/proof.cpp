// The grader's questions for lab 04: the results of the workloads for a seed, with each strategy. See
// labs/kit/testing/proof.h.
#include "labs/04_scheduler/given/workloads.h"

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/proof.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::testing::answer;
using kit::testing::Numbers;

namespace {

constexpr std::uint64_t kMicrosecond = 1000;

// ---- 4.1 to 4.3: the scheduler's sets, with a loop by hand, because the strategies come later -----------------------

void run_ready(Scheduler& sched) {
    while (!sched.ready().empty()) sched.resume(*sched.ready().pop());
}

/// Tasks that yield, start others, and are made ready although they already are.
void ready(Numbers& numbers) {
    kit::testing::use_virtual_time();
    Scheduler& sched = Scheduler::of_this_thread();
    auto& tasks = *new std::deque<Handle>;
    const auto begin = [&](auto& again) -> void {
        const std::size_t which = tasks.size();
        tasks.push_back(go([&, which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(6); left > 0; --left) {
                answer("runs", which, own.next());
                if (tasks.size() < 60 && own.below(3) == 0) again(again);
                yield();
            }
        }));
    };
    for (int i = 0; i < 15; ++i) begin(begin);
    while (!sched.ready().empty()) {
        sched.resume(*sched.ready().pop());
        const unsigned other = numbers.below(static_cast<unsigned>(tasks.size()));
        answer("made ready", other, sched.make_ready(tasks[other].task(), trace::Cause::event));
        answer("are ready", sched.alive(), sched.ready().size());
    }
    answer("mine", 0, &sched == &Scheduler::of_this_thread());
}

/// Sleeping tasks; the clock advances by random steps.
void sleepers(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& sched = *new Scheduler;
    for (unsigned which = 0; which < 40; ++which)
        go([which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(5) + 1; left > 0; --left) {
                // Many fall asleep at the same time for the same duration: they wake in that order.
                const std::uint64_t ns = (1 + own.below(8)) * 100 * kMicrosecond;
                const std::uint64_t until = kit::now() + ns;
                sleep_for(ns);
                answer("slept", which, kit::now() >= until);
            }
        });
    while (sched.alive() > 0) {
        run_ready(sched);
        kit::idle_until(kit::now() + numbers.below(200) * kMicrosecond);
        while (Task* task = sched.expired(kit::now())) {
            sched.remove(*task, Wake::timeout);
            answer("sleep", sched.sleeping().size(), sched.make_ready(*task, trace::Cause::deadline));
        }
    }
}

/// Tasks that wait for events, with and without a limit, and are woken by events and by other tasks.
void waiters(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& io = *new SimulatedSource;
    const WaitBy by = numbers.below(2) == 0 ? WaitBy::tree : WaitBy::table;
    auto& sched = *new Scheduler(Settings{.strategy = "producer_consumer", .source = &io, .wait_by = by});
    std::vector<Handle> tasks;
    for (unsigned which = 0; which < 30; ++which)
        tasks.push_back(go([which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(6) + 1; left > 0; --left) {
                const int fd = static_cast<int>(own.below(6)) + 3;
                const std::uint64_t limit = own.below(2) == 0 ? kNever : own.below(2'000) * kMicrosecond;
                const Wake woken = wait_for(fd, own.below(2) == 0 ? Want::read : Want::write, limit);
                answer("woken", which, static_cast<std::uint64_t>(woken));
            }
        }));
    for (int step = 0; step < 400; ++step) {
        run_ready(sched);
        kit::idle_until(kit::now() + numbers.below(80) * kMicrosecond);
        while (Task* task = sched.expired(kit::now()))
            answer("late", 0, sched.wake(*task, Wake::timeout, trace::Cause::deadline));
        const Event event{.fd = static_cast<int>(numbers.below(7)) + 3,
                          .want = numbers.below(2) == 0 ? Want::read : Want::write,
                          .order = sched.next_order()};
        Task* found = sched.waiter(event);
        if (found != nullptr) {
            sched.remove(*found, Wake::event);
            sched.make_ready(*found, trace::Cause::event);
        }
        answer("event", static_cast<std::uint64_t>(event.fd), found != nullptr);
        const unsigned other = numbers.below(30);
        if (numbers.below(4) == 0) answer("cancelled", other, cancel(tasks[other]));
        answer("wait", sched.waiting().size(), sched.sleeping().size());
    }
}

// ---- 4.10 -----------------------------------------------------------------------------------------------------------

/// Readers and writers that arrive and leave at random times; some are cancelled.
void readers_writers(Numbers& numbers) {
    kit::testing::use_virtual_time();
    auto& sched = *new Scheduler;
    auto& table = *new RWMutex("table");
    std::vector<Handle> tasks;
    for (unsigned which = 0; which < 30; ++which)
        tasks.push_back(go([&table, which, own = Numbers(numbers.next())]() mutable {
            for (unsigned left = own.below(4) + 1; left > 0; --left) {
                const bool writes = own.below(3) == 0;
                sleep_for(own.below(2'000'000));
                if ((writes ? table.wlock() : table.rlock()) == Wake::cancelled) {
                    answer("gives up", which, writes);
                    continue;
                }
                answer("has it", which, writes);
                sleep_for(own.below(200'000));
                answer("goes", which, writes);
                writes ? table.wunlock() : table.runlock();
            }
        }));
    go([&tasks, &numbers] {
        for (int left = 40; left > 0; --left) {
            sleep_for(numbers.below(300'000));
            const Handle& one = tasks[numbers.below(30)];
            if (one.task().reason != nullptr) cancel(one);
        }
    });
    answer("failures", 0, sched.run().size());
}

// ---- 4.11 -----------------------------------------------------------------------------------------------------------

/// Values under keys that are created and deleted, and environment variables, in tasks that take turns.
class Own {
  public:
    explicit Own(Numbers& numbers) : numbers_(numbers) {}

    void run() {
        kit::testing::use_virtual_time();
        own_environment(kNames);
        for (Key& key : keys_) key = create_key(&Own::destroy);
        for (unsigned task = 0; task < 12; ++task)
            go([this, task] {
                for (int left = 20; left > 0; --left) {
                    act(task, numbers_.below(8));
                    if (numbers_.below(2) == 0) yield();
                }
            });
        run_ready(Scheduler::of_this_thread());
    }

  private:
    static constexpr const char* kNames[] = {"FIBERSCOPE_A", "FIBERSCOPE_B", "FIBERSCOPE_C"};
    static void destroy(void* value) {
        const std::unique_ptr<std::uint64_t> owned(static_cast<std::uint64_t*>(value));
        answer("destroyed", 0, *owned);
    }
    static const char* name(unsigned i) { return kNames[i % 3]; }

    void act(unsigned task, unsigned what) {
        const unsigned which = numbers_.below(5);
        if (what == 0) {
            delete_key(keys_[which]);
            keys_[which] = create_key(&Own::destroy);
        } else if (what < 4) {
            const std::unique_ptr<std::uint64_t> before(static_cast<std::uint64_t*>(get_specific(keys_[which])));
            answer("had", task, before ? *before : 0);
            set_specific(keys_[which], new std::uint64_t(numbers_.next()));
        } else if (what == 4) {
            task_unsetenv(name(which));
        } else if (what == 5) {
            task_setenv(name(which), std::to_string(numbers_.next()).c_str(), numbers_.below(2) == 0);
        } else {
            const char* value = task_getenv(name(which));
            answer("reads", task, value == nullptr ? 0 : std::strtoull(value, nullptr, 10));
        }
    }

    Numbers& numbers_;
    Key keys_[5] = {};
};

void own(Numbers& numbers) { (new Own(numbers))->run(); }

// ---- 4.4 to 4.9, 4.12: the same work by each strategy ---------------------------------------------------------------

void run(const char* name, const char* strategy, unsigned machines, Numbers& numbers) {
    kit::testing::use_virtual_time();
    SimulatedSource io;
    Settings settings;
    settings.strategy = strategy;
    settings.source = &io;
    settings.machines = machines;
    settings.seed = numbers.next();
    Scheduler scheduler(settings);
    Stage stage{io, numbers.next()};
    const Results results = workload(name).run(stage);
    for (std::size_t i = 0; i < results.size(); ++i) kit::testing::answer(name, i, results[i]);
}

void by(const char* strategy, unsigned machines, Numbers& numbers) {
    for (const char* name : {"mixed", "fanout", "pipeline"}) run(name, strategy, machines, numbers);
}

void producer_consumer(Numbers& numbers) { by("producer_consumer", 1, numbers); }
void multi_state(Numbers& numbers) { by("multi_state", 1, numbers); }
void libco(Numbers& numbers) { by("libco", 1, numbers); }
void sylar(Numbers& numbers) { by("sylar", 2, numbers); }
void netco(Numbers& numbers) { by("netco", 2, numbers); }
void by_go(Numbers& numbers) { by("go", 3, numbers); }
void hand_off(Numbers& numbers) { by("hand_off", 1, numbers); }

constexpr kit::testing::Question kQuestions[] = {{"producer_consumer", producer_consumer},
                                                 {"multi_state", multi_state},
                                                 {"libco", libco},
                                                 {"sylar", sylar},
                                                 {"netco", netco},
                                                 {"go", by_go},
                                                 {"ready", ready},
                                                 {"sleepers", sleepers},
                                                 {"waiters", waiters},
                                                 {"readers_writers", readers_writers},
                                                 {"own", own},
                                                 {"hand_off", hand_off}};

}  // namespace

int main(int argc, char** argv) { kit::testing::answer_question(argc, argv, kQuestions); }
