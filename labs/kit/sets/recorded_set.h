// A set of coroutines as a trace knows it: its declaration, and who enters and leaves.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "labs/kit/core.h"
#include "traces/recorder.h"

namespace fiberscope::kit {

class RecordedSet {
  public:
    /// The words of `key` must outlive it. It says what orders the members ("deadline, ns"), if anything does.
    RecordedSet(std::string name, trace::Role role, trace::Structure structure, const char* key = "")
        : name_(std::move(name)), key_(key), role_(role), structure_(structure) {}

    /// These record; call them only while trace::recording(). The set is declared when it is first used.
    void inserted(Core& member, std::string_view key = {}) { record(trace::Kind::insert, member, key); }
    void removed(Core& member, std::string_view key = {}) { record(trace::Kind::remove, member, key); }
    /// Before its first use: it is that of one machine, and called so.
    void belongs_to(unsigned machine, std::string name) {
        name_ = std::move(name);
        owner_ = machine;
    }
    /// A field of a node was written: a link event of this set.
    void linked(const trace::Event& event);
    std::uint32_t index();

  private:
    void record(trace::Kind insert_or_remove, Core& member, std::string_view key);

    std::string name_;
    const char* key_;
    trace::Role role_;
    trace::Structure structure_;
    std::int64_t owner_ = trace::kAbsent;
    std::uint32_t index_ = trace::kNone;
    trace::Touch touch_;
};

}  // namespace fiberscope::kit
