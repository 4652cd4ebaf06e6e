// A set of coroutines as a trace knows it: its declaration, and who enters and leaves.
#pragma once

#include <cstdint>
#include <string_view>

#include "labs/kit/core.h"
#include "traces/recorder.h"

namespace fiberscope::kit {

class RecordedSet {
  public:
    /// The words must outlive it. `key` says what orders the members ("deadline, ns"), if anything does.
    RecordedSet(const char* name, trace::Role role, trace::Structure structure, const char* key = "") noexcept
        : name_(name), key_(key), role_(role), structure_(structure) {}

    /// These record; call them only while trace::recording(). The set is declared when it is first used.
    void inserted(Core& member, std::string_view key = {}) { record(trace::Kind::insert, member, key); }
    void removed(Core& member, std::string_view key = {}) { record(trace::Kind::remove, member, key); }
    /// A field of a node was written: a link event of this set.
    void linked(const trace::Event& event);
    std::uint32_t index();

  private:
    void record(trace::Kind insert_or_remove, Core& member, std::string_view key);

    const char* name_;
    const char* key_;
    trace::Role role_;
    trace::Structure structure_;
    std::uint32_t index_ = trace::kNone;
    trace::Touch touch_;
};

}  // namespace fiberscope::kit
