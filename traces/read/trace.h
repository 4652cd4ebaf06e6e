// A whole trace in memory, as columns. Filled by the reader; used by replay, checker, words and viewer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/columns.h"
#include "traces/read/condition.h"
#include "traces/read/foreign.h"
#include "traces/schema/schema.h"

namespace fiberscope::trace {

/// A place in the code of the program that was recorded.
struct CodePlace {
    ForeignText of, in, step, handout, file, function, line;
};

/// The head of a trace as in the file; missing fields are empty.
struct Head {
    ForeignText lab, program, strategy, clock, arch;
    ForeignText files;                   ///< "exercise": the student's own files ran; else the reference
    ForeignText workload;                ///< file name of the workload; empty if there is none
    ForeignText seed;                    ///< as written
    std::map<ForeignText, State> names;  ///< the lab's own word for a state -> the state here
    ForeignText rule;                    ///< the rule of the strategy
    std::vector<CodePlace> code;
};

/// One register as saved or loaded by a switch: its name and its symbolic value ("top-0x58", "ping+0x1f", "0x2a").
struct RegisterValue {
    std::uint32_t name;   ///< index into Trace::strings
    std::uint32_t value;  ///< index into Trace::strings
};

/// Two coroutines of an `access`, besides the one that used the address: the one whose bytes are there now, and the
/// owner of the address, whose bytes were there when an access first used it.
struct Access {
    std::uint32_t lies = kNone, whose = kNone;
    /// The bytes there belong to another coroutine than the owner of the address, or to no coroutine.
    bool hazard() const noexcept { return whose != kNone && lies != whose; }
};

/// A whole trace in memory. Immutable after reading. Events are merged over the machines, stably by time.
class Trace {
  public:
    std::filesystem::path file;
    Head head;
    bool complete = false;                   ///< the file has its `end`
    Condition condition = Condition::whole;  ///< whole, live or cut
    std::string missing;                     ///< for a live or cut file a message about what is missing; else empty
    std::int64_t reached =
        kAbsent;                ///< ns: time of the recorder's last mark, up to which every machine's events are here
    std::uint64_t dropped = 0;  ///< events that the recorder had to drop, from `end`

    std::size_t size() const noexcept { return events_.size(); }
    Event operator[](std::size_t n) const noexcept { return events_[n]; }
    /// Only the time (ns) or the kind of event n: cheaper than the whole event.
    std::uint64_t time(std::size_t n) const noexcept { return events_.time(n); }
    Kind kind(std::size_t n) const noexcept { return events_.kind(n); }
    /// The line of the file that contains event n, from 1.
    std::size_t line(std::size_t n) const noexcept { return lines_[n]; }
    /// The string with this index; empty for kNone. Long strings are truncated.
    Foreign text(std::uint32_t index) const noexcept;
    /// All strings, concatenated: for finding out which characters are used.
    std::string_view texts() const noexcept { return characters_; }
    /// The registers that the switch at event n saved and loaded; empty if none were recorded.
    std::vector<RegisterValue> saved(std::size_t n) const;
    std::vector<RegisterValue> loaded(std::size_t n) const;
    std::uint32_t machines() const noexcept { return machines_; }
    /// Estimated memory use of the trace, bytes.
    std::size_t memory() const noexcept;
    /// Name of coroutine `co` from its spawn, printable, or "coroutine N".
    std::string name(std::uint32_t co) const;
    /// Whether coroutine `co` has a name from its spawn.
    bool has_name(std::uint32_t co) const noexcept;
    /// Numbers coroutines that share a name: "worker", "worker (2)", "worker (3)".
    void number_namesakes();
    /// One more than the largest number of a coroutine, timer or shared stack in any event.
    std::uint32_t coroutines() const noexcept { return coroutines_; }
    std::uint32_t timers() const noexcept { return timers_; }
    std::uint32_t shared_stacks() const noexcept { return shared_stacks_; }
    /// The number of sets in the events, declared or not, and the name of one of them: a message, if it was declared
    /// with a title.
    std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(set_names_.size()); }
    Foreign set_name(std::uint32_t set) const noexcept;
    /// The access at event n; n must be an `access`.
    Access access(std::size_t n) const noexcept;
    /// The lab's name for a state, from `names` of the head, printable; empty if it has none. Several names for one
    /// state are joined by "/".
    std::string lab_word(State state) const;

  private:
    friend class TraceBuilder;
    std::string_view bytes_of(std::uint32_t index) const noexcept;
    /// The registers of one coroutine at one switch, as a delta to an earlier snapshot of the same coroutine.
    struct Snapshot {
        std::uint32_t previous;  ///< the base of the delta; kNone: it contains every register
        std::uint32_t shape;     ///< index into shapes_
        std::uint32_t first;     ///< its changes are changes_[first, first + count)
        std::uint32_t count;
    };
    struct Change {
        std::uint32_t position;  ///< index in the shape
        std::uint32_t value;     ///< index of a string
    };
    struct SwitchRegisters {
        std::uint32_t event, saved, loaded;  ///< indices of snapshots, or kNone
    };
    struct AddressOf {
        std::uint32_t access, whose;  ///< number of an `access`, and the owner of its address
    };
    const SwitchRegisters* registers_of(std::size_t n) const noexcept;
    std::vector<RegisterValue> whole(std::uint32_t snapshot) const;

    Columns events_;
    EventLines lines_;
    std::uint32_t machines_ = 0, coroutines_ = 0, timers_ = 0, shared_stacks_ = 0;
    std::string characters_;                  // all strings, concatenated
    std::vector<std::uint32_t> string_ends_;  // end of string i in characters_
    std::vector<std::uint32_t> spawn_names_;  // by coroutine; index of a string
    std::vector<std::uint32_t> set_names_;    // by set; index of a string
    std::vector<SwitchRegisters> switches_;   // switches with registers, by event
    std::vector<AddressOf> addresses_;        // one for each `access`, by event
    std::vector<Snapshot> snapshots_;
    std::vector<Change> changes_;
    std::vector<std::vector<std::uint32_t>> shapes_;  // names of registers, in file order
};

}  // namespace fiberscope::trace
