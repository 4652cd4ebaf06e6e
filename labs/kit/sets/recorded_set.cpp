#include "labs/kit/sets/recorded_set.h"

#include "labs/kit/machines/choice.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/details.h"
#include "labs/kit/run/transfer.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

Item item_of(Core& coroutine) { return {coroutine.id(), &Transfer::touch(coroutine)}; }
Value name_of(const Core& coroutine) { return "'" + coroutine.name() + "'"; }

namespace {
Value called(const std::string& set) { return Value::of("set\4" + set); }
}  // namespace

std::uint32_t RecordedSet::index() {
    if (index_ != trace::kNone) return index_;
    const bool unseen = structure_ == trace::Structure::rbtree && !records_details();
    index_ = trace::declare_set(now(), name_, role_, unseen ? trace::Structure::map : structure_, key_, owner_, slots_);
    return index_;
}

void RecordedSet::refuse_insert(const Value& member) const {
    abort_because(
        message("{0} is inserted into '{1}', but it is in it already: remove it first", member, called(name_)));
}
void RecordedSet::refuse_remove(const Value& member) const {
    abort_because(
        message("{0} is removed from '{1}', but it is not in it: ask contains() first", member, called(name_)));
}
void RecordedSet::refuse_next(const Value& member) const {
    abort_because(
        message("the successor of {0} in '{1}' is requested, but it is not in it: get it before you remove it", member,
                called(name_)));
}

void RecordedSet::check_lock() const {
    const int machine = explored_machine();
    if (lock_ == nullptr || machine < 0 || explorer()->holds(lock_, static_cast<unsigned>(machine))) return;
    explorer()->fail(message("machine {0} changes the set '{1}' without its lock", machine, called(name_)));
}

void RecordedSet::record(trace::Kind kind, Item member, std::string_view key, std::int64_t at) {
    if (explorer() != nullptr) check_lock();
    const auto event = member.is_timer ? trace::timer_in_set_event(kind, index(), member.id, at)
                                       : trace::set_event(kind, index(), member.id, at);
    if (in_order_)
        trace::record(now(), event, *member.touch, touch_, key);
    else
        trace::record(now(), event, *member.touch, key);
}

void RecordedSet::inserted(Item member, std::string_view key, std::int64_t at) {
    record(trace::Kind::insert, member, key, at);
}
void RecordedSet::removed(Item member, std::string_view key, std::int64_t at) {
    record(trace::Kind::remove, member, key, at);
}
void RecordedSet::moved(Item member, std::int64_t at) { record(trace::Kind::move, member, {}, at); }
void RecordedSet::linked(const trace::Event& event) { trace::record(now(), event, touch_); }
void RecordedSet::turned(std::int64_t at) { trace::record(now(), trace::hand_event(index(), at), touch_); }

}  // namespace fiberscope::kit
