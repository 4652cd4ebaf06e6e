// The workloads by C++20 coroutines and a loop of 150 lines.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "cxx20_loop.hpp"

namespace {

using namespace workloads;
using loop::Task;

struct Wires {
    std::vector<std::pair<std::uint64_t, std::size_t>> moments;
    int bytes[10] = {};
    loop::Condition readable[10];
};

Task computes(std::uint64_t& result, Random random) {
    for (int i = 0; i < 4; ++i) {
        work(between(random, 15 * kMicrosecond, 30 * kMicrosecond));
        result = blend(result, random());
        co_await loop::yield();
    }
}

Task sleeps(std::uint64_t& result, Random random) {
    for (int i = 0; i < 5; ++i) {
        co_await loop::sleep{between(random, 5 * kMicrosecond, 40 * kMicrosecond)};
        work(between(random, 1, 3) * kMicrosecond);
        result = blend(result, random());
    }
}

Task reads(Wires& wires, std::size_t fd, std::uint64_t& result, Random random) {
    for (int i = 0; i < 4; ++i) {
        while (wires.bytes[fd] == 0) co_await wires.readable[fd].wait();
        --wires.bytes[fd];
        work(between(random, 1, 4) * kMicrosecond);
        result = blend(result, random());
    }
}

Task reads_impatiently(Wires& wires, std::size_t fd, std::uint64_t& result) {
    while (wires.bytes[fd] == 0) {
        const bool told = co_await wires.readable[fd].wait(25 * kMicrosecond);
        if (!told) work(kMicrosecond);
    }
    result = blend(result, fd);
}

Task delivers(Wires& wires) {
    std::sort(wires.moments.begin(), wires.moments.end());
    for (const auto& [at, fd] : wires.moments) {
        const std::uint64_t now = since_begin();
        if (now < at) co_await loop::sleep{at - now};
        ++wires.bytes[fd];
        wires.readable[fd].notify();
    }
}

Task waits_in_vain(loop::Condition& never, std::uint64_t& result) {
    const bool told = co_await never.wait();
    result = told ? 0 : 10;
}

Task cancels(const Task& patient) {
    co_await loop::sleep{150 * kMicrosecond};
    patient.cancel();
    co_await patient.join();
}

Results mixed(std::uint64_t seed) {
    Random random(seed);
    Wires wires;
    Results results = {1, 2, 3, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 1};
    std::uint64_t* place = results.data();
    std::deque<Task> all;
    for (int i = 0; i < 3; ++i) all.push_back(computes(*place++, Random(random())));
    for (int i = 0; i < 5; ++i) all.push_back(sleeps(*place++, Random(random())));
    for (std::size_t fd = 5; fd < 9; ++fd) {
        Random own(random());
        std::uint64_t at = 0;
        for (int i = 0; i < 4; ++i) wires.moments.emplace_back(at += between(own, 10, 60) * kMicrosecond, fd);
        all.push_back(reads(wires, fd, *place++, own));
    }
    wires.moments.emplace_back(95 * kMicrosecond, 9);
    all.push_back(reads_impatiently(wires, 9, *place++));
    loop::Condition never;
    const Task patient = waits_in_vain(never, *place++);
    all.push_back(cancels(patient));
    all.push_back(delivers(wires));
    loop::run();
    return results;
}

Task tree(std::uint64_t number, int depth, std::uint64_t& result) {
    work((1 + number % 5) * kMicrosecond);
    std::uint64_t below[3] = {};
    std::deque<Task> children;
    for (std::uint64_t i = 0; depth > 0 && i < 3; ++i) children.push_back(tree(blend(number, i), depth - 1, below[i]));
    for (const Task& child : children) co_await child.join();
    result = number;
    for (const std::uint64_t one : below) result = blend(result, one);
}

Results fanout(std::uint64_t seed) {
    Results results(1);
    const Task root = tree(seed, 3, results[0]);
    loop::run();
    return results;
}

constexpr std::uint64_t kItems = 12, kStages = 4;

/// A buffer of two places between two stages. Waiting is an await, so these are steps of the stages' own coroutines.
struct Basket {
    std::deque<std::uint64_t> items;
    loop::Condition for_items, for_room;
    bool is_full() const { return items.size() == 2; }
    void put(std::uint64_t item) {
        items.push_back(item);
        for_items.notify();
    }
    std::uint64_t take() {
        const std::uint64_t item = items.front();
        items.pop_front();
        for_room.notify();
        return item;
    }
};

Task source(Basket& to, Random random) {
    for (std::uint64_t i = 0; i < kItems; ++i) {
        work(between(random, 1, 4) * kMicrosecond);
        while (to.is_full()) co_await to.for_room.wait();
        to.put(random());
    }
}

Task stage(Basket& from, Basket& to, std::uint64_t s) {
    for (std::uint64_t i = 0; i < kItems; ++i) {
        while (from.items.empty()) co_await from.for_items.wait();
        const std::uint64_t item = from.take();
        work((1 + item % (2 * s)) * kMicrosecond);
        while (to.is_full()) co_await to.for_room.wait();
        to.put(blend(item, s));
    }
}

Task sink(Basket& from, std::uint64_t& sum) {
    for (std::uint64_t i = 0; i < kItems; ++i) {
        while (from.items.empty()) co_await from.for_items.wait();
        sum = blend(sum, from.take());
    }
}

Results pipeline(std::uint64_t seed) {
    Results results;
    for (std::uint64_t i = 0; i < kItems; ++i) results.push_back(i);
    results.push_back(0);
    Basket baskets[kStages];
    std::deque<Task> all;
    all.push_back(source(baskets[0], Random(seed)));
    for (std::uint64_t s = 1; s < kStages; ++s) all.push_back(stage(baskets[s - 1], baskets[s], s));
    all.push_back(sink(baskets[kStages - 1], results.back()));
    loop::run();
    return results;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments given = arguments(argc, argv);
    record(given, "C++20");
    fiberscope::this_thread("main");
    loop::ready_set() = fiberscope_declare("ready", FIBERSCOPE_ROLE_READY, FIBERSCOPE_QUEUE);
    const auto run = given.workload == "mixed" ? mixed : given.workload == "fanout" ? fanout : pipeline;
    return finish(given, run(given.seed));
}
