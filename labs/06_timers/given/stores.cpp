// Given parts of the stores: the common code, and the recorded structures.
#include <algorithm>
#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>

#include "labs/06_timers/heap_store.h"
#include "labs/06_timers/tree_store.h"
#include "labs/06_timers/wheel_store.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab06 {

namespace {
std::uint32_t next_id() noexcept {
    static std::atomic<std::uint32_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

kit::Item Timer::item() {
    if (id_ == trace::kNone) id_ = next_id();
    return {id_, &touch_, true};
}

std::string deadline_in_words(const Timer& timer) { return std::to_string(timer.deadline) + " ns"; }

// ---- common to all stores -------------------------------------------------------------------------------------------

std::uint64_t TimerStore::rounded(std::uint64_t deadline) const noexcept {
    if (resolution_ == 1) return deadline;
    if (deadline > kNever - resolution_) return kNever;
    return (deadline + resolution_ - 1) / resolution_ * resolution_;
}

void TimerStore::record(Timer& timer, What what, std::uint64_t due) const {
    constexpr trace::TimerOp kOps[] = {trace::TimerOp::add, trace::TimerOp::refresh, trace::TimerOp::cancel,
                                       trace::TimerOp::fire};
    const bool sets = what == What::add || what == What::refresh;
    const std::uint64_t until = sets ? timer.deadline : due;
    if (timer.co_ == trace::kNone) timer.co_ = kit::this_thread().current->id();
    // A test may pass the store a time ahead of the clock.
    const std::uint64_t now = std::max(kit::now(), static_cast<std::uint64_t>(kit::in_trace(time_)));
    trace::record(
        now,
        trace::timer_event(timer.item().id, kOps[static_cast<std::size_t>(what)],
                           until != kNever ? kit::in_trace(until) : trace::kAbsent,
                           sets && timer.period != 0 ? kit::in_trace(timer.period) : trace::kAbsent, timer.co_),
        timer.touch_);
}

void TimerStore::put_in(Timer& timer, std::uint64_t deadline, What what) {
    timer.deadline = rounded(std::max(deadline, time_));
    timer.order = ++order_;
    timer.store = this;
    ++size_;
    if (next_known_) next_ = std::min(next_, timer.deadline);
    if (trace::recording()) [[unlikely]]
        record(timer, what);
    insert(timer);
}

void TimerStore::remove_and_count(Timer& timer) {
    if (timer.deadline == next_) next_known_ = false;
    remove(timer);
    timer.store = nullptr;
    --size_;
}

void TimerStore::add(Timer& timer, std::uint64_t deadline) {
    if (timer.store != nullptr) [[unlikely]]
        throw std::logic_error("a timer that is set already cannot be added again; refresh() gives it a new deadline");
    put_in(timer, deadline, What::add);
}

bool TimerStore::cancel(Timer& timer) {
    if (timer.store != this) return false;
    remove_and_count(timer);
    if (trace::recording()) [[unlikely]]
        record(timer, What::cancel);
    return true;
}

bool TimerStore::refresh(Timer& timer, std::uint64_t deadline) {
    if (timer.store != this) return false;
    remove_and_count(timer);
    put_in(timer, deadline, What::refresh);
    return true;
}

std::uint64_t TimerStore::next_deadline() const {
    if (!next_known_) next_ = empty() ? kNever : first_deadline();
    next_known_ = true;
    return next_;
}

void TimerStore::take_until(std::uint64_t limit, Expired&& expired) {
    const std::size_t before = size_;
    take(limit, expired);
    if (size_ != before) next_known_ = false;
}

void TimerStore::take_expired(std::uint64_t now, std::vector<Timer*>& out) {
    time_ = std::max(time_, now);
    take_until(time_, Expired(*this, out));
    if (trace::recording()) [[unlikely]]
        record_rest();
}

// Records them as due by the clock that was set back, since none has reached its own deadline.
void TimerStore::take_all(std::uint64_t now, std::vector<Timer*>& out) {
    time_ = now;
    take_until(kNever, Expired(*this, out, now));
    set_time(now);
    if (trace::recording()) [[unlikely]]
        record_rest();
}

void Expired::push(Timer& timer) {
    timer.store = nullptr;
    --store_.size_;
    if (trace::recording()) [[unlikely]]
        store_.record(timer, TimerStore::What::fire, due_);
    out_.push_back(&timer);
}

std::unique_ptr<TimerStore> make_store(std::string_view name) {
    if (name == "tree") return std::make_unique<TreeStore>();
    if (name == "heap") return std::make_unique<HeapStore>();
    if (name == "wheel") return std::make_unique<WheelStore>();
    if (name == "levels") return std::make_unique<LevelStore>();
    throw Spoken<std::invalid_argument>(
        message("there is no timer store '{0}'; there are: tree, heap, wheel, levels", name));
}

// ---- the heap's array -----------------------------------------------------------------------------------------------

void HeapArray::append(Timer& timer) {
    timer.place = entries_.size();
    entries_.push_back({timer.deadline, timer.order, &timer});
    if (trace::recording()) [[unlikely]]
        set_.inserted(timer.item(), deadline_in_words(timer), static_cast<std::int64_t>(timer.place));
}

HeapArray::Entry HeapArray::shrink(Timer& leaving) {
    if (trace::recording()) [[unlikely]]
        set_.removed(leaving.item(), deadline_in_words(leaving), static_cast<std::int64_t>(leaving.place));
    const Entry last = entries_.back();
    entries_.pop_back();
    return last;
}

void HeapArray::abort_no_place(std::size_t place) const {
    kit::abort_because(message(
        "HeapArray::put into place {0}, but there are {1}: when the last one itself leaves, none takes its place",
        place, size()));
}

// ---- the slots of a wheel -------------------------------------------------------------------------------------------

namespace {

void set_bit(std::vector<std::uint64_t>& bits, std::size_t i) noexcept { bits[i / 64] |= std::uint64_t{1} << i % 64; }
void clear_bit(std::vector<std::uint64_t>& bits, std::size_t i) noexcept {
    bits[i / 64] &= ~(std::uint64_t{1} << i % 64);
}

/// Returns the first set bit from `from` on; 64 times the size if there is none.
std::size_t next_bit(const std::vector<std::uint64_t>& bits, std::size_t from) noexcept {
    std::size_t word = from / 64;
    if (word >= bits.size()) return 64 * bits.size();
    std::uint64_t rest = bits[word] >> from % 64 << from % 64;
    while (rest == 0 && ++word < bits.size()) rest = bits[word];
    return 64 * word + static_cast<std::size_t>(rest == 0 ? 0 : std::countr_zero(rest));
}

}  // namespace

Slots::Slots(const char* name, std::size_t count)
    : slots_(count),
      bits_((count + 63) / 64),
      words_((bits_.size() + 63) / 64),
      set_(name, trace::Role::timer, trace::Structure::wheel, "deadline, ns") {
    set_.has_slots(count);
}

void Slots::append(std::size_t slot, Timer& timer) {
    Slot& list = slots_[slot];
    timer.place = slot;
    timer.before = list.last;
    timer.behind = nullptr;
    (list.last == nullptr ? list.first : list.last->behind) = &timer;
    list.last = &timer;
    set_bit(bits_, slot);
    set_bit(words_, slot / 64);
    if (trace::recording()) [[unlikely]]
        set_.inserted(timer.item(), deadline_in_words(timer), static_cast<std::int64_t>(slot));
}

void Slots::remove(Timer& timer) {
    Slot& list = slots_[timer.place];
    if (trace::recording()) [[unlikely]] {
        record_hand();
        set_.removed(timer.item(), deadline_in_words(timer), static_cast<std::int64_t>(timer.place));
    }
    (timer.before == nullptr ? list.first : timer.before->behind) = timer.behind;
    (timer.behind == nullptr ? list.last : timer.behind->before) = timer.before;
    timer.before = timer.behind = nullptr;  // a walk that has reached this timer ends here
    if (list.first != nullptr) return;
    clear_bit(bits_, timer.place);
    if (bits_[timer.place / 64] == 0) clear_bit(words_, timer.place / 64);
}

std::size_t Slots::next_occupied(std::size_t from) const noexcept {
    const std::uint64_t rest = bits_[from / 64] >> from % 64;
    if (rest != 0) return from + static_cast<std::size_t>(std::countr_zero(rest));
    const std::size_t word = next_bit(words_, from / 64 + 1);
    return word < bits_.size() ? next_bit(bits_, 64 * word) : slots_.size();
}

std::uint64_t Slots::occupied(std::uint64_t from, std::uint64_t end) const noexcept {
    ++slots_looked_at;
    while (from < end) {
        const std::size_t slot = from % slots_.size();
        const std::size_t found = next_occupied(slot);
        from += found - slot;
        if (found < slots_.size()) return std::min(from, end);
    }
    return end;
}

void Slots::record_hand() {
    if (hand_ == recorded_hand_) return;
    recorded_hand_ = hand_;
    set_.turned(static_cast<std::int64_t>(hand_));
}

LevelStore::LevelStore()
    : TimerStore(kTick),
      levels_{Slots("ticks", kSlots), Slots("turns of 256", kSlots), Slots("turns of 65,536", kSlots),
              Slots("turns of 16,777,216", kSlots)},
      beyond_("beyond", 1) {}

void LevelStore::record_rest() {
    for (Slots& level : levels_) level.record_hand();
}

namespace {

constexpr kit::CodeRow kStoresCode[] = {
    {"program", "", "6.3", "exercise/wheel_store.cpp"},
    {"program", "", "6.1", "exercise/tree_store.cpp", "", "", "tree"},
    {"program", "", "6.2", "exercise/heap_store.cpp", "", "", "heap"},
    {"program", "", "6.6", "exercise/condition.cpp", "", "", "producer_consumer"},
    {"program", "", "6.7", "exercise/idle.cpp", "", "", "idle_timeouts"},
};
const kit::KnownCode stores_code("06_timers", kStoresCode);

}  // namespace

}  // namespace fiberscope::lab06
