#include "labs/kit/sets/recorded_set.h"

#include "labs/kit/clock.h"
#include "labs/kit/transfer.h"

namespace fiberscope::kit {

std::uint32_t RecordedSet::index() {
    if (index_ == trace::kNone) index_ = trace::declare_set(now(), name_, role_, structure_, key_, owner_);
    return index_;
}

void RecordedSet::record(trace::Kind insert_or_remove, Core& member, std::string_view key) {
    const auto event = trace::set_event(insert_or_remove, index(), member.id());
    trace::record(now(), event, Transfer::touch(member), touch_, key);
}

void RecordedSet::linked(const trace::Event& event) { trace::record(now(), event, touch_); }

}  // namespace fiberscope::kit
