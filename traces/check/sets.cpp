// The checker's rules for sets, locks and shared stacks.
#include <algorithm>
#include <charconv>

#include "traces/check/state.h"
#include "traces/read/printable.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

std::uint32_t item_of(const Event& e) noexcept { return e.co != kNone ? e.co : e.other; }
std::uint64_t item_key(const Event& e) noexcept { return (std::uint64_t{item_of(e)} << 1) | (e.co == kNone ? 1U : 0U); }

}  // namespace

Value Checker::item_name(const Event& e) const { return e.co != kNone ? name(e.co) : timer_value(e.other); }

void Checker::declare(const Event& e) {
    Set& set = sets_[e.set];
    if (set.declared) fail(1, message("the set {0} is declared a second time", set_name(e.set)));
    set.declared = true;
    set.role = e.first<Role>();
    set.structure = e.second<Structure>();
    if (set.structure == Structure::rbtree) set.tree = std::make_unique<TreeCheck>(trace_, set.role == Role::timer);
    if (set.role == Role::ready) has_ready_set_ = true;
}

// A coroutine that is ready but in no set of role ready is in the list of one machine, which must insert it into such a
// set.
void Checker::update_unlisted(std::uint32_t co, std::uint32_t machine) {
    Coroutine& c = coroutines_[co];
    if (c.ready_on != kNone) unlisted_[c.ready_on].erase(co);
    const bool unlisted = c.state == State::ready && c.ready_sets == 0;
    c.ready_on = unlisted ? machine : kNone;
    if (unlisted) unlisted_[machine].insert(co);
}

void Checker::count_membership(const Event& e, const Set& set, bool in) {
    if (e.co == kNone) return;
    Coroutine& c = coroutines_[e.co];
    const auto count = [in](std::uint32_t& n) { n += in ? 1U : ~0U; };
    if (set.role == Role::ready) count(c.ready_sets);
    if (!may_hold_the_dead(set.role)) count(c.living_sets);
    update_unlisted(e.co, e.m);
    if (in && c.ready_sets > 1) fail(4, message("{0} is in two sets of role ready", name(e.co)));
    if (in && c.state == State::dead && !may_hold_the_dead(set.role))
        fail(4, message("{0} is dead, but enters the set {1}", name(e.co), set_name(e.set)));
}

void Checker::insert(const Event& e) {
    Set& set = sets_[e.set];
    if (!set.members.emplace(item_key(e), e.text).second)
        fail(3, e.text == kNone
                    ? message("{0} is inserted into {1}, where it is already", item_name(e), set_name(e.set))
                    : message("{0} is inserted into {1}, where it is already under {2}", item_name(e), set_name(e.set),
                              printable(trace_.text(e.text))));
    count_membership(e, set, true);
    note_key(e, set);
    if (!set.tree) return;
    if (std::string why = set.tree->insert(item_of(e), e.text); !why.empty())
        fail(8, message("in {0}, {1}", set_name(e.set), Value::of(why)));
}

void Checker::remove(const Event& e) {
    Set& set = sets_[e.set];
    if (set.members.erase({item_key(e), e.text}) == 0)
        fail(3, e.text == kNone ? message("{0} is removed from {1}, where it is not", item_name(e), set_name(e.set))
                                : message("{0} is removed from {1}, where it is not under {2}", item_name(e),
                                          set_name(e.set), printable(trace_.text(e.text))));
    count_membership(e, set, false);
    if (!set.tree) return;
    if (std::string why = set.tree->remove(item_of(e)); !why.empty())
        fail(8, message("in {0}, {1}", set_name(e.set), Value::of(why)));
}

void Checker::timer(const Event& e) {
    Timer& timer = timers_[e.other];
    const Value name = timer_value(e.other);
    const TimerOp op = e.first<TimerOp>();
    if (op != TimerOp::add && !timer.added)
        fail(5, message(op == TimerOp::fire     ? mark("{0} fires, but was never added")
                        : op == TimerOp::cancel ? mark("{0} is cancelled, but was never added")
                                                : mark("{0} is refreshed, but was never added"),
                        name));
    if (op == TimerOp::fire) return fire(e, timer);
    timer.added = true;
    timer.armed = op != TimerOp::cancel;
    if (e.x != kAbsent) timer.deadline = e.x;
    if (e.y != kAbsent) timer.period = e.y;
}

// A store may keep a timer under a key other than its deadline, as libco's wheel does beyond one turn. That is a limit
// of the store, not an error in the recording.
void Checker::note_key(const Event& e, const Set& set) {
    if (e.co != kNone || set.role != Role::timer) return;
    const std::string_view key = trace_.text(e.text).bytes();
    std::int64_t ns = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ns);
    const bool in_ns = error == std::errc() && key.substr(static_cast<std::size_t>(end - key.data())) == " ns";
    timers_[e.other].kept_until = in_ns ? ns : kAbsent;
}

void Checker::fire(const Event& e, Timer& timer) {
    const Value name = timer_value(e.other);
    if (!timer.armed) fail(5, message("{0} fires, but is not set any more", name));
    const bool kept_shorter = timer.kept_until != kAbsent && timer.kept_until < timer.deadline;
    const std::int64_t due = e.x != kAbsent ? e.x : kept_shorter ? timer.kept_until : timer.deadline;
    if (due != kAbsent && static_cast<std::int64_t>(e.t) < due)
        fail(5, message("{0} fires {1} before its deadline", name, exactly(static_cast<std::uint64_t>(due) - e.t)));
    timer.armed = timer.period != kAbsent && timer.period > 0;
    if (timer.armed && timer.deadline != kAbsent) timer.deadline += timer.period;
}

void Checker::acquire(const Event& e, Lock& lock) {
    const auto object = [&] { return printable(trace_.text(e.text)); };
    if (lock.exclusive == e.co) fail(6, message("{0} takes {1}, which it holds already", name(e.co), object()));
    if (lock.exclusive != kNone)
        fail(6, message("{0} takes {1}, which {2} holds alone", name(e.co), object(), name(lock.exclusive)));
    const bool alone = e.second<LockMode>() != LockMode::read;
    const std::uint32_t other = alone ? another_holder(lock, e.co) : kNone;
    if (other != kNone) fail(6, message("{0} takes {1} alone, while {2} holds it", name(e.co), object(), name(other)));
    ++lock.holders[e.co];
    if (alone) lock.exclusive = e.co;
}

std::uint32_t Checker::another_holder(const Lock& lock, std::uint32_t co) {
    auto holder = lock.holders.begin();
    if (holder != lock.holders.end() && holder->first == co) ++holder;
    return holder == lock.holders.end() ? kNone : holder->first;
}

void Checker::lock(const Event& e) {
    const bool is_condition = e.second<LockMode>() == LockMode::cond;
    Lock& lock = locks_[std::uint64_t{e.text} << 1U | (is_condition ? 1U : 0U)];
    switch (e.first<LockOp>()) {
    case LockOp::acquire:
        if (!leave_line(lock, e.co) && is_condition)
            fail(6, message("{0} takes a signal of {1}, but does not wait for it", name(e.co),
                            printable(trace_.text(e.text))));
        if (!is_condition) acquire(e, lock);
        return;
    case LockOp::release:
        if (!is_condition) release(e, lock);
        return;
    case LockOp::block:
    case LockOp::wait: return stand_in_line(e, lock);
    case LockOp::timeout:
        if (!leave_line(lock, e.co))
            fail(6, message("{0} gives up waiting for {1}, but does not wait for it", name(e.co),
                            printable(trace_.text(e.text))));
        return;
    case LockOp::signal: return signal(e, lock);
    case LockOp::broadcast:
        while (!lock.line.empty()) leave_line(lock, lock.line.front());
        return;
    }
}

void Checker::release(const Event& e, Lock& lock) {
    const auto held = lock.holders.find(e.co);
    if (held == lock.holders.end())
        fail(6, message("{0} releases {1}, which it does not hold", name(e.co), printable(trace_.text(e.text))));
    if (--held->second > 0) return;
    lock.holders.erase(held);
    if (lock.exclusive == e.co) lock.exclusive = kNone;
}

void Checker::stand_in_line(const Event& e, Lock& lock) {
    if (std::find(lock.line.begin(), lock.line.end(), e.co) != lock.line.end())
        fail(6, message("{0} waits for {1} already", name(e.co), printable(trace_.text(e.text))));
    lock.line.push_back(e.co);
    ++coroutines_[e.co].lines;
}

bool Checker::leave_line(Lock& lock, std::uint32_t co) {
    if (std::erase(lock.line, co) == 0) return false;
    --coroutines_[co].lines;
    return true;
}

void Checker::signal(const Event& e, Lock& lock) {
    if (lock.line.empty()) return;
    const std::uint32_t first = lock.line.front();
    if (coroutines_[first].state == State::ready)
        fail(6, message("{0} is first in the queue of {1}, but has already been woken", name(first),
                        printable(trace_.text(e.text))));
    leave_line(lock, first);
}

void Checker::own(const Event& e) {
    std::uint32_t& owner = owners_[e.set];
    if (owner != kNone) --coroutines_[owner].owned_stacks;
    owner = e.co;
    if (owner != kNone) ++coroutines_[owner].owned_stacks;
}

void Checker::copy(const Event& e) {
    std::int64_t& waiting = coroutines_[e.co].copied_out;
    if (e.first<Direction>() == Direction::out) {
        waiting = e.x;
        return;
    }
    if (waiting == kAbsent) fail(7, message("{0} is copied in, but was not copied out before", name(e.co)));
    if (waiting != e.x)
        fail(7, message("{0} bytes of {1} are copied in, but {2} were copied out", e.x, name(e.co), waiting));
    waiting = kAbsent;
}

}  // namespace fiberscope::trace
