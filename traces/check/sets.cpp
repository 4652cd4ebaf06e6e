// The part of the checker that judges sets, locks and shared stacks.
#include "traces/check/state.h"

namespace fiberscope::trace {
namespace {

std::uint32_t item_of(const Event& e) noexcept { return e.co != kNone ? e.co : e.other; }
std::uint64_t item_key(const Event& e) noexcept { return (std::uint64_t{item_of(e)} << 1) | (e.co == kNone ? 1U : 0U); }

}  // namespace

std::string Checker::item_name(const Event& e) const {
    return e.co != kNone ? name(e.co) : "timer " + std::to_string(e.other);
}

void Checker::declare(const Event& e) {
    Set& set = sets_[e.set];
    if (set.declared) fail(1, "the set " + std::string(trace_.set_name(e.set)) + " is declared a second time");
    set.declared = true;
    set.role = e.first<Role>();
    set.structure = e.second<Structure>();
    if (set.structure == Structure::rbtree) set.tree = std::make_unique<TreeCheck>(trace_, set.role == Role::timer);
    if (set.role == Role::ready) has_ready_set_ = true;
}

// A coroutine that is ready and in no set of role ready is on the list of one machine, the one that must publish it.
void Checker::update_unpublished(std::uint32_t co, std::uint32_t machine) {
    Coroutine& c = coroutines_[co];
    if (c.ready_on != kNone) unpublished_[c.ready_on].erase(co);
    const bool unpublished = c.state == State::ready && c.ready_sets == 0;
    c.ready_on = unpublished ? machine : kNone;
    if (unpublished) unpublished_[machine].insert(co);
}

void Checker::count_membership(const Event& e, const Set& set, bool in) {
    if (e.co == kNone) return;
    Coroutine& c = coroutines_[e.co];
    const auto count = [in](std::uint32_t& n) { n += in ? 1U : ~0U; };
    if (set.role == Role::ready) count(c.ready_sets);
    if (set.role != Role::removed && set.role != Role::pool) count(c.living_sets);
    update_unpublished(e.co, e.m);
    if (in && c.ready_sets > 1) fail(4, name(e.co) + " is in two sets of role ready");
    if (in && c.state == State::dead && set.role != Role::removed && set.role != Role::pool)
        fail(4, name(e.co) + " is dead, but enters the set " + std::string(trace_.set_name(e.set)));
}

void Checker::insert(const Event& e) {
    Set& set = sets_[e.set];
    if (!set.members.emplace(item_key(e), e.text).second)
        fail(3, item_name(e) + " is inserted into " + std::string(trace_.set_name(e.set)) + ", where it is already" +
                    (e.text == kNone ? "" : " under " + std::string(trace_.text(e.text))));
    count_membership(e, set, true);
    if (!set.tree) return;
    if (std::string why = set.tree->insert(item_of(e), e.text); !why.empty())
        fail(8, "in " + std::string(trace_.set_name(e.set)) + ", " + why);
}

void Checker::remove(const Event& e) {
    Set& set = sets_[e.set];
    if (set.members.erase({item_key(e), e.text}) == 0)
        fail(3, item_name(e) + " is removed from " + std::string(trace_.set_name(e.set)) + ", where it is not" +
                    (e.text == kNone ? "" : " under " + std::string(trace_.text(e.text))));
    count_membership(e, set, false);
    if (!set.tree) return;
    if (std::string why = set.tree->remove(item_of(e)); !why.empty())
        fail(8, "in " + std::string(trace_.set_name(e.set)) + ", " + why);
}

void Checker::acquire(const Event& e, Lock& lock) {
    const std::string object(trace_.text(e.text));
    if (lock.exclusive != kNone && lock.exclusive != e.co)
        fail(6, name(e.co) + " takes " + object + ", which " + name(lock.exclusive) + " holds alone");
    const bool alone = e.second<LockMode>() != LockMode::read;
    for (const auto& [holder, count] : lock.holders)
        if (alone && holder != e.co)
            fail(6, name(e.co) + " takes " + object + " alone, while " + name(holder) + " holds it");
    ++lock.holders[e.co];
    if (alone) lock.exclusive = e.co;
}

void Checker::lock(const Event& e) {
    if (e.second<LockMode>() == LockMode::cond) return;
    Lock& lock = locks_[e.text];
    if (e.first<LockOp>() == LockOp::acquire) return acquire(e, lock);
    if (e.first<LockOp>() != LockOp::release) return;
    const auto held = lock.holders.find(e.co);
    if (held == lock.holders.end() || --held->second > 0) return;
    lock.holders.erase(held);
    if (lock.exclusive == e.co) lock.exclusive = kNone;
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
    if (waiting == kAbsent) fail(7, name(e.co) + " is copied in, but was not copied out before");
    if (waiting != e.x)
        fail(7, std::to_string(e.x) + " bytes of " + name(e.co) + " are copied in, but " + std::to_string(waiting) +
                    " were copied out");
    waiting = kAbsent;
}

}  // namespace fiberscope::trace
