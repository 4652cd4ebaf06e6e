// The workloads mixed, fanout and pipeline of lab 04 for a library of stackful threads, with the same random numbers.
// The including file must define namespace library before:
//
//     class Thread;                                         a handle, moved
//     Thread begin(std::string name, std::function<void()> body);
//     void join(Thread&);  void yield();  void sleep(std::uint64_t ns);
//     class Condition { void wait(); bool wait_for(std::uint64_t ns); void notify(); };   wait_for: false on timeout
//     bool waits_in_vain(Condition&);                        true when it is cancelled
//     void cancel(Thread&, Condition&);
//
// All threads run on one thread of the system, so nothing is locked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "numbers.hpp"

namespace workloads {

/// Bytes that arrive for several descriptors at given times.
class Wires {
  public:
    void arrives(std::size_t fd, std::uint64_t at) {
        grow(fd);
        moments_.emplace_back(at, fd);
    }
    /// Delivers them in a separate thread.
    void deliver() {
        std::sort(moments_.begin(), moments_.end());
        for (const auto& [at, fd] : moments_) {
            const std::uint64_t now = since_begin();
            if (now < at) library::sleep(at - now);
            ++bytes_[fd];
            readable_[fd].notify();
        }
    }
    /// Waits for one, at most `limit` ns. Returns false if none arrived.
    bool read(std::size_t fd, std::uint64_t limit) {
        while (bytes_[fd] == 0)
            if (!readable_[fd].wait_for(limit)) return false;
        --bytes_[fd];
        return true;
    }
    void read(std::size_t fd) {
        while (bytes_[fd] == 0) readable_[fd].wait();
        --bytes_[fd];
    }

  private:
    void grow(std::size_t fd) {
        while (readable_.size() <= fd) readable_.emplace_back();
        bytes_.resize(readable_.size());
    }
    std::vector<std::pair<std::uint64_t, std::size_t>> moments_;
    std::vector<int> bytes_;
    std::deque<library::Condition> readable_;
};

inline void sleeps(std::uint64_t& result, Random random) {
    for (int i = 0; i < 5; ++i) {
        library::sleep(between(random, 5 * kMicrosecond, 40 * kMicrosecond));
        work(between(random, 1, 3) * kMicrosecond);
        result = blend(result, random());
    }
}

inline void computes(std::uint64_t& result, Random random) {
    for (int i = 0; i < 4; ++i) {
        work(between(random, 15 * kMicrosecond, 30 * kMicrosecond));
        result = blend(result, random());
        library::yield();
    }
}

inline void reads(Wires& wires, std::size_t fd, std::uint64_t& result, Random random) {
    for (int i = 0; i < 4; ++i) {
        wires.read(fd);
        work(between(random, 1, 4) * kMicrosecond);
        result = blend(result, random());
    }
}

inline void reads_impatiently(Wires& wires, std::size_t fd, std::uint64_t& result) {
    while (!wires.read(fd, 25 * kMicrosecond)) work(kMicrosecond);
    result = blend(result, fd);
}

inline Results mixed(std::uint64_t seed) {
    Random random(seed);
    Wires wires;
    Results results = {1, 2, 3, 1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 1};
    std::uint64_t* place = results.data();
    std::vector<library::Thread> all;
    for (int i = 1; i <= 3; ++i)
        all.push_back(
            library::begin("hog " + std::to_string(i), [at = place++, own = Random(random())] { computes(*at, own); }));
    for (int i = 1; i <= 5; ++i)
        all.push_back(library::begin("sleeper " + std::to_string(i),
                                     [at = place++, own = Random(random())] { sleeps(*at, own); }));
    for (std::size_t fd = 5; fd < 9; ++fd) {
        Random own(random());
        std::uint64_t at = 0;
        for (int i = 0; i < 4; ++i) wires.arrives(fd, at += between(own, 10, 60) * kMicrosecond);
        all.push_back(library::begin("reader of " + std::to_string(fd),
                                     [&wires, fd, at = place++, own] { reads(wires, fd, *at, own); }));
    }
    wires.arrives(9, 95 * kMicrosecond);
    all.push_back(library::begin("impatient", [&wires, at = place++] { reads_impatiently(wires, 9, *at); }));
    library::Condition never;
    library::Thread patient =
        library::begin("waits for nothing", [&, at = place++] { *at = library::waits_in_vain(never) ? 10 : 0; });
    all.push_back(library::begin("canceller", [&] {
        library::sleep(150 * kMicrosecond);
        library::cancel(patient, never);
        library::join(patient);
    }));
    all.push_back(library::begin("wires", [&] { wires.deliver(); }));
    for (library::Thread& one : all) library::join(one);
    return results;
}

inline void tree(const std::string& name, std::uint64_t number, int depth, std::uint64_t& result) {
    work((1 + number % 5) * kMicrosecond);
    std::uint64_t below[3] = {};
    std::vector<library::Thread> children;
    for (std::uint64_t i = 0; depth > 0 && i < 3; ++i) {
        const std::string child = name + "." + std::to_string(i + 1);
        children.push_back(library::begin(child, [child, number = blend(number, i), depth, &place = below[i]] {
            tree(child, number, depth - 1, place);
        }));
    }
    for (library::Thread& child : children) library::join(child);
    result = number;
    for (const std::uint64_t one : below) result = blend(result, one);
}

inline Results fanout(std::uint64_t seed) {
    Results results(1);
    library::Thread root = library::begin("1", [&] { tree("1", seed, 3, results[0]); });
    library::join(root);
    return results;
}

/// A buffer of two places between two stages.
class Basket {
  public:
    void put(std::uint64_t item) {
        while (items_.size() == 2) for_room_.wait();
        items_.push_back(item);
        for_items_.notify();
    }
    std::uint64_t take() {
        while (items_.empty()) for_items_.wait();
        const std::uint64_t item = items_.front();
        items_.pop_front();
        for_room_.notify();
        return item;
    }

  private:
    std::deque<std::uint64_t> items_;
    library::Condition for_items_, for_room_;
};

inline Results pipeline(std::uint64_t seed) {
    constexpr std::uint64_t kItems = 12, kStages = 4;
    Results results;
    for (std::uint64_t i = 0; i < kItems; ++i) results.push_back(i);
    std::uint64_t sum = 0;
    std::deque<Basket> baskets(kStages);
    std::vector<library::Thread> all;
    all.push_back(library::begin("source", [&, random = Random(seed)]() mutable {
        for (std::uint64_t i = 0; i < kItems; ++i) {
            work(between(random, 1, 4) * kMicrosecond);
            baskets[0].put(random());
        }
    }));
    for (std::uint64_t s = 1; s < kStages; ++s)
        all.push_back(library::begin("stage " + std::to_string(s), [&, s] {
            for (std::uint64_t i = 0; i < kItems; ++i) {
                const std::uint64_t item = baskets[s - 1].take();
                work((1 + item % (2 * s)) * kMicrosecond);
                baskets[s].put(blend(item, s));
            }
        }));
    all.push_back(library::begin("sink", [&] {
        for (std::uint64_t i = 0; i < kItems; ++i) sum = blend(sum, baskets[kStages - 1].take());
    }));
    for (library::Thread& one : all) library::join(one);
    results.push_back(sum);
    return results;
}

}  // namespace workloads
