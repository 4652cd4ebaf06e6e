// A whole trace in memory, as columns. The reader fills it; replay, checker, words and viewer ask it.
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

/// The head of a trace, as it stands in the file; fields that it does not have are empty.
struct Head {
    ForeignText lab, program, strategy, clock, arch;
    ForeignText files;                   ///< "exercise": a student's own files ran; else those of the reference
    ForeignText workload;                ///< the name of the file of a workload that ran; empty: none
    ForeignText seed;                    ///< as written
    std::map<ForeignText, State> names;  ///< the lab's own word for a state -> the state here
    ForeignText rule;                    ///< by which the strategy decides
    std::vector<CodePlace> code;
};

/// One register as a switch saved or loaded it: its name and its value in words ("top-0x58", "ping+0x1f", "0x2a").
struct RegisterValue {
    std::uint32_t name;   ///< index into Trace::strings
    std::uint32_t value;  ///< index into Trace::strings
};

/// The coroutines of an `access`, besides the one that used the address: the one that lies there now, and the owner of
/// the address, which lay there when an access first used it.
struct Access {
    std::uint32_t lies = kNone, whose = kNone;
    /// The bytes there belong to another coroutine than the owner of the address, or to none.
    bool hazard() const noexcept { return whose != kNone && lies != whose; }
};

/// A whole trace in memory. Immutable after reading. Events are merged over the machines, stably by time.
class Trace {
  public:
    std::filesystem::path file;
    Head head;
    bool complete = false;                   ///< the file has its `end`
    Condition condition = Condition::whole;  ///< whole, live or cut
    std::string missing;  ///< what is missing of a file that is live or was cut short, a message; else empty
    std::int64_t reached =
        kAbsent;                ///< ns: up to where the recorder's last mark says that every machine's part is here
    std::uint64_t dropped = 0;  ///< events that the recorder had to drop, from `end`

    std::size_t size() const noexcept { return events_.size(); }
    Event operator[](std::size_t n) const noexcept { return events_[n]; }
    /// Of event n only the time, ns, or the kind: both cost less than the event.
    std::uint64_t time(std::size_t n) const noexcept { return events_.time(n); }
    Kind kind(std::size_t n) const noexcept { return events_.kind(n); }
    /// The line of the file on which event n stands, from 1.
    std::size_t line(std::size_t n) const noexcept { return lines_[n]; }
    /// A string by its index; the empty string for kNone. Of a long one the beginning.
    Foreign text(std::uint32_t index) const noexcept;
    /// All strings, one after another: for a reader that must know which characters there are.
    std::string_view texts() const noexcept { return characters_; }
    /// What the switch at event n saved and loaded; empty if it recorded no registers.
    std::vector<RegisterValue> saved(std::size_t n) const;
    std::vector<RegisterValue> loaded(std::size_t n) const;
    std::uint32_t machines() const noexcept { return machines_; }
    /// Bytes of memory that the trace takes, by its own count.
    std::size_t memory() const noexcept;
    /// Name of coroutine `co` from its spawn, printable, or "coroutine N".
    std::string name(std::uint32_t co) const;
    /// Returns whether coroutine `co` has a name from its spawn.
    bool has_name(std::uint32_t co) const noexcept;
    /// From now on coroutines of one name are numbered: "worker", "worker (2)", "worker (3)".
    void number_namesakes();
    /// One more than the largest number of a coroutine, timer or shared stack that any event names.
    std::uint32_t coroutines() const noexcept { return coroutines_; }
    std::uint32_t timers() const noexcept { return timers_; }
    std::uint32_t shared_stacks() const noexcept { return shared_stacks_; }
    /// How many sets the events name, declared or not, and the name of one of them: a message, if it was declared with
    /// a title.
    std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(set_names_.size()); }
    Foreign set_name(std::uint32_t set) const noexcept;
    /// The access at event n; n must be an `access`.
    Access access(std::size_t n) const noexcept;
    /// What the lab calls a state, from `names` of the head, printable; empty if it has no word of its own. Several
    /// words for one state are joined by "/".
    std::string lab_word(State state) const;

  private:
    friend class TraceBuilder;
    std::string_view bytes_of(std::uint32_t index) const noexcept;
    /// The registers of one coroutine at one switch, as changes to an earlier snapshot of the same coroutine.
    struct Snapshot {
        std::uint32_t previous;  ///< the snapshot that it changes; kNone: it holds every register
        std::uint32_t shape;     ///< index into shapes_
        std::uint32_t first;     ///< its changes are changes_[first, first + count)
        std::uint32_t count;
    };
    struct Change {
        std::uint32_t position;  ///< place in the shape
        std::uint32_t value;     ///< index of a string
    };
    struct SwitchRegisters {
        std::uint32_t event, saved, loaded;  ///< indices of snapshots, or kNone
    };
    struct AddressOf {
        std::uint32_t access, whose;  ///< number of an `access`, and whose address it used
    };
    const SwitchRegisters* registers_of(std::size_t n) const noexcept;
    std::vector<RegisterValue> whole(std::uint32_t snapshot) const;

    Columns events_;
    EventLines lines_;
    std::uint32_t machines_ = 0, coroutines_ = 0, timers_ = 0, shared_stacks_ = 0;
    std::string characters_;                  // all strings, one after another
    std::vector<std::uint32_t> string_ends_;  // where string i ends in characters_
    std::vector<std::uint32_t> spawn_names_;  // by coroutine; index of a string
    std::vector<std::uint32_t> set_names_;    // by set; index of a string
    std::vector<SwitchRegisters> switches_;   // those that recorded registers, by event
    std::vector<AddressOf> addresses_;        // one for each `access`, by event
    std::vector<Snapshot> snapshots_;
    std::vector<Change> changes_;
    std::vector<std::vector<std::uint32_t>> shapes_;  // names of registers, in file order
};

}  // namespace fiberscope::trace
