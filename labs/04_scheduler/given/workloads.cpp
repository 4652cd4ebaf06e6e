#include "labs/04_scheduler/given/workloads.h"

#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

namespace {

using Random = std::mt19937_64;
using kit::work;

constexpr std::uint64_t kMicrosecond = 1000;

/// Hash that depends on every bit of both.
std::uint64_t blend(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15U + (a << 6U) + (a >> 2U))) * 0xbf58476d1ce4e5b9U;
    return x ^ (x >> 31U);
}

std::uint64_t between(Random& random, std::uint64_t low, std::uint64_t high) {
    return low + random() % (high - low + 1);
}

std::string numbered(const char* name, std::size_t number) { return std::string(name) + " " + std::to_string(number); }

void run_all() {
    const std::vector<Failure> failures = Scheduler::of_this_thread().run();
    if (!failures.empty())
        throw Spoken<std::runtime_error>(
            message("task '{0}' ended by: {1}", failures.front().task, Value::of(failures.front().message)));
}

/// Allocates the places of results, which do not move while tasks write into them.
class Sheet {
  public:
    std::uint64_t& place(std::uint64_t first) {
        places_.push_back(first);
        return places_.back();
    }
    Results results() const { return {places_.begin(), places_.end()}; }

  private:
    std::deque<std::uint64_t> places_;
};

// ---- tasks that several workloads are made of -----------------------------------------------------------------------

/// Works in long stretches, and yields between them.
void go_hog(std::string name, std::uint64_t& result, Random random, int stretches, std::uint64_t longest) {
    go(
        [&result, random, stretches, longest]() mutable {
            for (int i = 0; i < stretches; ++i) {
                work(between(random, longest / 2, longest));
                result = blend(result, random());
                yield();
            }
        },
        std::move(name));
}

void go_sleeper(std::string name, std::uint64_t& result, Random random, int times, std::uint64_t longest) {
    go(
        [&result, random, times, longest]() mutable {
            for (int i = 0; i < times; ++i) {
                sleep_for(between(random, longest / 8, longest));
                work(between(random, 1, 3) * kMicrosecond);
                result = blend(result, random());
            }
        },
        std::move(name));
}

/// Waits for `times` events of `fd`, which occur at random times.
void go_reader(Stage& stage, int fd, std::uint64_t& result, Random random, int times) {
    std::uint64_t at = 0;
    for (int i = 0; i < times; ++i)
        stage.io.becomes_ready(fd, Want::read, at += between(random, 10, 60) * kMicrosecond);
    go(
        [&result, random, fd, times]() mutable {
            for (int i = 0; i < times; ++i) {
                wait_readable(fd);
                work(between(random, 1, 4) * kMicrosecond);
                result = blend(result, random());
            }
        },
        numbered("reader of", static_cast<std::size_t>(fd)));
}

/// Waits with a limit, times out sometimes, and retries.
void go_impatient(Stage& stage, int fd, std::uint64_t& result) {
    stage.io.becomes_ready(fd, Want::read, 95 * kMicrosecond);
    go(
        [&result, fd] {
            while (wait_readable(fd, 25 * kMicrosecond) != Wake::event) work(kMicrosecond);
            result = blend(result, static_cast<std::uint64_t>(fd));
        },
        "impatient");
}

// ---- mixed, storm, hog ----------------------------------------------------------------------------------------------

Results mixed(Stage& stage) {
    Sheet sheet;
    Random random(stage.seed);
    for (std::size_t i = 1; i <= 3; ++i)
        go_hog(numbered("hog", i), sheet.place(i), Random(random()), 4, 30 * kMicrosecond);
    for (std::size_t i = 1; i <= 5; ++i)
        go_sleeper(numbered("sleeper", i), sheet.place(i), Random(random()), 5, 40 * kMicrosecond);
    for (int fd = 5; fd < 9; ++fd)
        go_reader(stage, fd, sheet.place(static_cast<std::uint64_t>(fd)), Random(random()), 4);
    go_impatient(stage, 9, sheet.place(9));
    const Handle patient =
        go([&result = sheet.place(1)] { result = wait_readable(10) == Wake::cancelled ? 10 : 0; }, "waits for nothing");
    go(
        [patient] {
            sleep_for(150 * kMicrosecond);
            while (!cancel(patient)) sleep_for(kMicrosecond);  // on another machine it may not be waiting yet
            join(patient);
        },
        "canceller");
    run_all();
    return sheet.results();
}

void short_life(std::uint64_t& result, Random& random) {
    work(between(random, 500, 3000));
    switch (random() % 4) {
    case 0: yield(); break;
    case 1: sleep_for(between(random, 1, 200) * kMicrosecond); break;
    default: break;
    }
    result = blend(result, random());
}

Results storm(Stage& stage) {
    constexpr std::size_t kTasks = 10'000;
    constexpr std::size_t kStack = 16 * 1024;
    Sheet sheet;
    for (std::size_t i = 0; i < kTasks; ++i)
        go([&result = sheet.place(i), random = Random(blend(stage.seed, i))]() mutable { short_life(result, random); },
           {.name = numbered("task", i), .stack_size = kStack});
    run_all();
    return sheet.results();
}

Results hog(Stage& stage) {
    Sheet sheet;
    Random random(stage.seed);
    go(
        [&result = sheet.place(0), numbers = Random(random()), long_work = stage.long_work]() mutable {
            for (int i = 0; i < 3; ++i) {
                kit::note("will not give way for 400 µs");
                long_work(400 * kMicrosecond);
                result = blend(result, numbers());
                yield();
            }
        },
        "hog");
    for (std::size_t i = 1; i <= 3; ++i)
        go_hog(numbered("polite", i), sheet.place(i), Random(random()), 10, 8 * kMicrosecond);
    for (std::size_t i = 1; i <= 4; ++i)
        go_sleeper(numbered("sleeper", i), sheet.place(i), Random(random()), 5, 50 * kMicrosecond);
    run_all();
    return sheet.results();
}

// ---- fanout ---------------------------------------------------------------------------------------------------------

/// A task that starts `kChildren` others and waits for them, down to `depth`.
Handle go_tree(std::string name, std::uint64_t number, int depth, std::uint64_t& result) {
    constexpr std::uint64_t kChildren = 3;
    std::string words = name;
    return go(
        [name = std::move(words), number, depth, &result] {
            work((1 + number % 5) * kMicrosecond);
            std::uint64_t below[kChildren] = {};
            std::vector<Handle> children;
            for (std::uint64_t i = 0; depth > 0 && i < kChildren; ++i)
                children.push_back(go_tree(name + "." + std::to_string(i + 1), blend(number, i), depth - 1, below[i]));
            for (const Handle& child : children) join(child);
            result = number;
            for (const std::uint64_t one : below) result = blend(result, one);
        },
        std::move(name));
}

Results fanout(Stage& stage) {
    Sheet sheet;
    go_tree("1", stage.seed, 3, sheet.place(0));
    run_all();
    return sheet.results();
}

// ---- pipeline -------------------------------------------------------------------------------------------------------

/// A bounded buffer between two stages: a task that finds it full or empty parks, and the other one wakes it.
class Basket {
  public:
    void put(std::uint64_t item) {
        lock_.lock();
        while (items_.size() == kPlaces) wait(for_room_, "room in the basket");
        items_.push_back(item);
        const Handle first = first_of(for_items_);
        lock_.unlock();
        if (first) wake(first);
    }
    std::uint64_t take() {
        lock_.lock();
        while (items_.empty()) wait(for_items_, "something in the basket");
        const std::uint64_t item = items_.front();
        items_.pop_front();
        const Handle first = first_of(for_room_);
        lock_.unlock();
        if (first) wake(first);
        return item;
    }

  private:
    static constexpr std::size_t kPlaces = 2;

    void wait(std::deque<Handle>& waiting, const char* reason) KIT_REQUIRES(lock_) {
        waiting.emplace_back(running_task());
        park(reason, lock_);
        lock_.lock();
    }
    Handle first_of(std::deque<Handle>& waiting) KIT_REQUIRES(lock_) {
        if (waiting.empty()) return {};
        Handle first = std::move(waiting.front());
        waiting.pop_front();
        return first;
    }

    kit::Lock lock_;  // the stages may run on several machines
    std::deque<std::uint64_t> items_ KIT_GUARDED_BY(lock_);
    std::deque<Handle> for_items_ KIT_GUARDED_BY(lock_), for_room_ KIT_GUARDED_BY(lock_);
};

Results pipeline(Stage& stage) {
    constexpr std::size_t kItems = 12;
    constexpr std::size_t kStages = 4;
    Sheet sheet;
    std::vector<std::unique_ptr<Basket>> baskets;
    for (std::size_t i = 0; i < kStages; ++i) baskets.push_back(std::make_unique<Basket>());
    go(
        [&first = *baskets.front(), random = Random(stage.seed)]() mutable {
            for (std::size_t i = 0; i < kItems; ++i) {
                work(between(random, 1, 4) * kMicrosecond);
                first.put(random());
            }
        },
        "source");
    for (std::size_t s = 1; s < kStages; ++s)
        go(
            [&from = *baskets[s - 1], &to = *baskets[s], s] {
                for (std::size_t i = 0; i < kItems; ++i) {
                    const std::uint64_t item = from.take();
                    work((1 + item % (2 * s)) * kMicrosecond);
                    to.put(blend(item, s));
                }
            },
            numbered("stage", s));
    for (std::size_t i = 0; i < kItems; ++i) sheet.place(i);
    std::uint64_t& sum = sheet.place(0);
    go(
        [&last = *baskets.back(), &sum] {
            for (std::size_t i = 0; i < kItems; ++i) sum = blend(sum, last.take());
        },
        "sink");
    run_all();
    return sheet.results();
}

// ---- readers_writers ------------------------------------------------------------------------------------------------

/// A value with several copies that must agree. A task that reads or writes it yields in the middle.
class Table {
  public:
    void add(std::uint64_t amount) {
        const WriteGuard guard(lock_);
        for (std::uint64_t& cell : cells_) {
            cell += amount;
            work(kMicrosecond);
            yield();
        }
        ++version_;
    }
    /// Whether all copies agree during a slow read.
    bool agrees(std::uint64_t& version) {
        const ReadGuard guard(lock_);
        version = version_;
        for (const std::uint64_t& cell : cells_) {
            if (cell != cells_[0]) return false;
            work(kMicrosecond);
            yield();
        }
        return version == version_;
    }
    std::uint64_t sum() const { return blend(cells_[0], version_); }

  private:
    RWMutex lock_{"table"};
    std::uint64_t cells_[3] = {};
    std::uint64_t version_ = 0;
};

void go_table_reader(std::string name, Table& table, std::uint64_t& result, Random random) {
    go(
        [&table, &result, random]() mutable {
            std::uint64_t before = 0, version = 0;
            for (int i = 0; i < 4; ++i, before = version) {
                if (random() % 2 == 0) sleep_for(between(random, 1, 12) * kMicrosecond);
                if (!table.agrees(version)) throw std::runtime_error("read while another task wrote");
                if (version < before) throw std::runtime_error("read an older value than before");
                result = blend(result, random());
            }
        },
        std::move(name));
}

void go_table_writer(std::string name, Table& table, std::uint64_t& result, Random random) {
    go(
        [&table, &result, random]() mutable {
            for (int i = 0; i < 3; ++i) {
                sleep_for(between(random, 1, 20) * kMicrosecond);
                const std::uint64_t amount = random();
                table.add(amount);
                result += amount;
            }
        },
        std::move(name));
}

Results readers_writers(Stage& stage) {
    Sheet sheet;
    Random random(stage.seed);
    Table table;
    for (std::size_t i = 1; i <= 5; ++i)
        go_table_reader(numbered("reader", i), table, sheet.place(i), Random(random()));
    for (std::size_t i = 1; i <= 3; ++i)
        go_table_writer(numbered("writer", i), table, sheet.place(0), Random(random()));
    run_all();
    sheet.place(table.sum());
    return sheet.results();
}

constexpr Workload kWorkloads[] = {
    {"mixed", "some that compute, some that sleep, some that wait for input", mixed},
    {"hog", "one task that does not yield for long, among tasks that do, and sleepers", hog},
    {"fanout", "a tree of tasks, each of which starts others and waits for them", fanout},
    {"pipeline", "pipeline stages with small buffers between them", pipeline},
    {"storm", "10,000 short lives", storm},
    {"readers_writers", "readers together and writers alone, with one lock", readers_writers},
};

}  // namespace

std::span<const Workload> workloads() noexcept { return kWorkloads; }

const Workload& workload(std::string_view name) {
    for (const Workload& one : kWorkloads)
        if (name == one.name) return one;
    throw Spoken<std::invalid_argument>(message("there is no workload '{0}'", name));
}

}  // namespace fiberscope::lab04
