// A store beside a simple model of one, under random operations. The file that includes it names the store:
// FIBERSCOPE_STORE (stores.h).
#pragma once

#include <algorithm>
#include <map>
#include <random>

#include "labs/06_timers/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {

using Store = FIBERSCOPE_STORE;

/// Does the same random operations to a store and to a model, and says where they differ first.
class Comparison {
  public:
    Comparison(unsigned seed, int timers) : random_(seed) {
        for (int i = 0; i < timers; ++i) stand_.timers.emplace_back(i);
    }

    /// Empty: they never differ.
    std::string run(int operations) {
        for (int i = 0; i < operations && fault_.empty(); ++i) {
            step();
            if (fault_.empty() && stand_.store.next_deadline() != next()) fault_ = "the next deadline is wrong";
            if (!fault_.empty()) fault_ += ", after " + std::to_string(i + 1) + " operations";
        }
        return fault_;
    }

  private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // deadline, order of insertion

    std::uint64_t next() const { return model_.empty() ? kNever : model_.begin()->first.first; }

    /// Mostly soon, so that many are equal; some in the past, some beyond a turn of a wheel, few beyond all turns.
    std::uint64_t some_deadline() {
        const std::uint64_t away = random_() % 100;
        const std::uint64_t reach = away < 60 ? 50 : away < 85 ? 5'000 : away < 97 ? 300'000 : 30'000'000'000;
        const std::uint64_t ms = random_() % reach;
        return away == 0 && now_ > ms * kMillisecond ? now_ - ms * kMillisecond : now_ + ms * kMillisecond;
    }
    std::uint64_t some_time_passes() {
        const std::uint64_t how = random_() % 1000;
        const std::uint64_t reach = how < 900 ? 20 : how < 990 ? 4'000 : how < 999 ? 200'000 : 40'000'000'000;
        return random_() % reach * kMillisecond;
    }

    void step() {
        Numbered& timer = stand_.timers[random_() % stand_.timers.size()];
        const std::uint64_t what = random_() % 100;
        if (what < 70)
            what % 7 == 0 ? cancel(timer) : set(timer, some_deadline());
        else
            expire();
    }

    void set(Numbered& timer, std::uint64_t deadline) {
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
        if (stand_.store.cancel(timer) != expected) fault_ = "cancel says the wrong thing";
        if (expected) model_.erase(there);
    }
    void expire() {
        now_ += some_time_passes();
        Numbers expected;
        for (; next() <= now_; model_.erase(model_.begin())) expected.push_back(model_.begin()->second);
        if (stand_.expired(now_) != expected) fault_ = "others have expired than should have, or in another order";
    }

    std::mt19937_64 random_;
    Stand<Store> stand_;
    std::map<Key, int> model_;
    std::map<int, Key> keys_;
    std::uint64_t now_ = 0, order_ = 0;
    std::string fault_;
};

}  // namespace
