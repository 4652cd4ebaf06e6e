// Compares a store with a simple model under random operations. The including file names the store: FIBERSCOPE_STORE
// (stores.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "labs/06_timers/tests/support.h"
#include "labs/kit/testing/child.h"
#include "labs/kit/testing/shrink.h"
#include "labs/kit/testing/shrink_failures.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {

using Store = FIBERSCOPE_STORE;

/// A random operation. Times are relative, so that a list stays meaningful when some operations are removed.
struct Operation {
    enum class What : std::uint8_t { set, cancel, pass } what;
    int timer;          ///< number of the timer to set or cancel
    std::int64_t time;  ///< ms: its deadline, from now; or the time that passes before due timers are taken

    std::string in_words() const {
        switch (what) {
        case What::set: return message("set timer {0} to now + {1} ms", timer, time);
        case What::cancel: return message("cancel timer {0}", timer);
        case What::pass: return message("{0} ms pass, and due timers are taken", time);
        }
        return {};
    }
};
using Operations = std::vector<Operation>;

/// Mostly near, so that many are equal; some in the past, some beyond a turn of the wheel, few beyond all levels.
inline std::int64_t some_deadline(std::mt19937_64& random) {
    const std::uint64_t away = random() % 100;
    const std::uint64_t reach = away < 60 ? 50 : away < 85 ? 5'000 : away < 97 ? 300'000 : 30'000'000'000;
    const auto ms = static_cast<std::int64_t>(random() % reach);
    return away == 0 ? -ms : ms;
}
inline std::int64_t some_time(std::mt19937_64& random) {
    const std::uint64_t how = random() % 1000;
    const std::uint64_t reach = how < 900 ? 20 : how < 990 ? 4'000 : how < 999 ? 200'000 : 40'000'000'000;
    return static_cast<std::int64_t>(random() % reach);
}

inline Operations some_operations(unsigned seed, int timers, int count) {
    using What = Operation::What;
    std::mt19937_64 random(seed);
    Operations all;
    for (int i = 0; i < count; ++i) {
        const auto timer = static_cast<int>(random() % static_cast<unsigned>(timers));
        const std::uint64_t what = random() % 100;
        if (what >= 70)
            all.push_back({What::pass, 0, some_time(random)});
        else if (what % 7 == 0)
            all.push_back({What::cancel, timer, 0});
        else
            all.push_back({What::set, timer, some_deadline(random)});
    }
    return all;
}

/// Applies the same operations to a store and to a model, and reports the first violated rule.
class Comparison {
  public:
    explicit Comparison(int timers) {
        for (int i = 0; i < timers; ++i) stand_.timers.emplace_back(i);
    }

    /// Returns false if a rule is violated; fault() then describes it.
    bool obeys(const Operation& operation) {
        if (trace::recording()) kit::note(operation.in_words());
        switch (operation.what) {
        case Operation::What::set: set(stand_.timers[static_cast<std::size_t>(operation.timer)], operation.time); break;
        case Operation::What::cancel: cancel(stand_.timers[static_cast<std::size_t>(operation.timer)]); break;
        case Operation::What::pass: pass(operation.time); break;
        }
        if (fault_.empty() && stand_.store.next_deadline() != next())
            fault_ = "next_deadline() returns " + moment(stand_.store.next_deadline()) +
                     ", but the first deadline is " + moment(next());
        return fault_.empty();
    }
    const std::string& fault() const noexcept { return fault_; }

  private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // deadline, order of insertion

    static std::string moment(std::uint64_t ns) {
        return ns == kNever ? "never" : std::to_string(ns / kMillisecond) + " ms";
    }
    std::uint64_t next() const { return model_.empty() ? kNever : model_.begin()->first.first; }

    void set(Numbered& timer, std::int64_t ms) {
        const std::uint64_t away = static_cast<std::uint64_t>(ms < 0 ? -ms : ms) * kMillisecond;
        const std::uint64_t deadline = ms >= 0 ? now_ + away : away < now_ ? now_ - away : now_;
        const bool anew = timer.store != nullptr;
        if (anew)
            stand_.store.refresh(timer, deadline);
        else
            stand_.store.add(timer, deadline);
        Key& key = keys_[timer.number];
        if (anew) model_.erase(key);
        key = {std::max(deadline, now_), ++order_};
        model_[key] = timer.number;
    }
    void cancel(Numbered& timer) {
        const auto there = model_.find(keys_[timer.number]);
        const bool expected = there != model_.end() && there->second == timer.number;
        if (stand_.store.cancel(timer) != expected) fault_ = "cancel returns true only for a timer that is set";
        if (expected) model_.erase(there);
    }
    void pass(std::int64_t ms) {
        now_ += static_cast<std::uint64_t>(ms) * kMillisecond;
        Numbers expected;
        for (; next() <= now_; model_.erase(model_.begin())) expected.push_back(model_.begin()->second);
        compare(stand_.expired(now_), expected);
    }
    void compare(const Numbers& expired, const Numbers& expected) {
        for (const int number : expired)
            if (std::find(expected.begin(), expected.end(), number) == expected.end())
                fault_ = "timer " + std::to_string(number) + " expires, but it is not due";
        for (const int number : expected)
            if (std::find(expired.begin(), expired.end(), number) == expired.end())
                fault_ = "timer " + std::to_string(number) + " is due, but does not expire";
        if (!fault_.empty() || expired == expected) return;
        const auto [first, should] = std::mismatch(expired.begin(), expired.end(), expected.begin(), expected.end());
        if (first == expired.end()) {
            fault_ = "a timer that is due is missing";
            return;
        }
        const bool equal = keys_[*first].first == keys_[*should].first;
        fault_ = "timer " + std::to_string(*first) + " expires before timer " + std::to_string(*should) +
                 (equal ? ", but of equal deadlines the first one set comes first" : ", whose deadline is earlier");
    }

    Stand<Store> stand_;
    std::map<Key, int> model_;
    std::map<int, Key> keys_;
    std::uint64_t now_ = 0, order_ = 0;
    std::string fault_;
};

/// Describes the rule that the operations violate; empty if none.
inline std::string broken_rule(const Operations& operations, int timers) {
    Comparison comparison(timers);
    for (const Operation& operation : operations)
        if (!comparison.obeys(operation)) return comparison.fault();
    return {};
}

/// Returns a few of the operations that also violate a rule; none if all operations together violate none.
inline Operations shortest(const Operations& all, int timers) {
    Comparison comparison(timers);
    std::size_t done = 0;
    while (done < all.size() && comparison.obeys(all[done])) ++done;
    if (done == all.size()) return {};
    const Operations until_it_fails(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(done) + 1);
    return kit::testing::shrink(until_it_fails,
                                [&](const Operations& part) { return !broken_rule(part, timers).empty(); });
}

/// Searches for a short list in a child process, so that only that list is recorded here; the child returns it as
/// bytes. If the child crashes or does not end, tries each list in a separate child.
inline Operations shortest_by_child(const Operations& all, int timers) {
    const kit::ChildAnswer answer = kit::answer_of_child([&] {
        const Operations few = shortest(all, timers);
        return std::string(reinterpret_cast<const char*>(few.data()), few.size() * sizeof(Operation));
    });
    if (!answer.text)
        return kit::testing::shrink_failures(all, [&](const Operations& some) { return broken_rule(some, timers); });
    Operations few(answer.text->size() / sizeof(Operation));
    if (!few.empty()) std::memcpy(few.data(), answer.text->data(), answer.text->size());
    return few;
}

inline std::string in_words(const Operations& operations) {
    return kit::testing::list_in_words(operations, [](const Operation& one) { return one.in_words(); });
}

}  // namespace
