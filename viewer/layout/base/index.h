// Lookup tables for a trace, built once when the file is opened, so that no frame iterates over all events.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "traces/replay/idle.h"
#include "traces/replay/replay.h"
#include "viewer/layout/base/lane_marks.h"
#include "viewer/layout/base/lane_times.h"
#include "viewer/layout/base/length_steps.h"

namespace fiberscope::viewer {

/// Constant properties of a set.
struct SetFacts {
    bool declared = false;
    trace::Role role = trace::Role::ready;
    trace::Structure structure = trace::Structure::queue;
    std::int64_t owner = trace::kAbsent;  ///< machine
    std::uint32_t most = 0;               ///< maximum number of members
    std::int64_t slots = 0;               ///< of a wheel: number of slots, or of those that are named
    std::int64_t turn = 0;                ///< of a wheel: number of slots drawn as one turn
};

class TraceIndex {
  public:
    /// Iterates over the trace once.
    explicit TraceIndex(const trace::Trace& trace);
    /// Adds the work to `slices` as `share` of their total; the index must not be used until they have finished.
    TraceIndex(const trace::Trace& trace, trace::Slices& slices, double share);
    TraceIndex(const TraceIndex&) = delete;
    TraceIndex& operator=(const TraceIndex&) = delete;

    /// A row of the spawn tree: children follow their parent, indented by one, in order of their numbers.
    struct TreeRow {
        std::uint32_t co;
        std::uint32_t depth;
    };

    /// The switch events, ascending.
    std::span<const std::uint32_t> switches() const noexcept { return switches_; }
    /// The switch events that are decisions (trace::is_decision), ascending.
    std::span<const std::uint32_t> decisions() const noexcept { return decisions_; }
    /// The events that begin a row of the event list, ascending. Consecutive link writes by one machine to one set
    /// share a row.
    std::span<const std::uint32_t> rows() const noexcept { return rows_; }
    /// The events after which another coroutine runs on machine m, ascending.
    std::span<const std::uint32_t> runs(std::uint32_t m) const noexcept { return runs_[m]; }
    /// Notes, faults, memory accesses, copies and waits for locks.
    const LaneMarks& marks() const noexcept { return lane_marks_; }
    /// The choice points of an explorer, ascending.
    std::span<const std::uint32_t> choices() const noexcept { return choices_; }
    /// The copies into and out of shared stacks, ascending.
    std::span<const std::uint32_t> copies() const noexcept { return copies_; }
    /// Number of shared stacks in the trace.
    std::uint32_t shared_stacks() const noexcept { return static_cast<std::uint32_t>(tenants_.size()); }
    /// The coroutines that ever use shared stack `stack`, in order of first use.
    std::span<const std::uint32_t> tenants(std::uint32_t stack) const noexcept { return tenants_[stack]; }
    /// Bytes of the largest image or buffer in the trace; 0 if nothing is copied.
    std::uint64_t largest_image() const noexcept { return largest_image_; }
    /// Whether any address is used while another coroutine's bytes occupy it.
    bool has_hazards() const noexcept { return has_hazards_; }
    bool has_notes() const noexcept { return has_notes_; }
    bool has_faults() const noexcept { return has_faults_; }
    bool has_accesses() const noexcept { return has_accesses_; }
    /// Number of sets that the trace declares or names.
    std::uint32_t sets() const noexcept { return static_cast<std::uint32_t>(set_facts_.size()); }
    const SetFacts& set(std::uint32_t index) const noexcept { return set_facts_[index]; }
    /// Total length of the ready queues of all machines.
    const LengthSteps& ready() const noexcept { return ready_; }
    /// Whether a queue is ever handed from one machine to another.
    bool has_gives() const noexcept { return has_gives_; }
    /// Steals and handed-over queues; lock events. Ascending.
    std::span<const std::uint32_t> steals() const noexcept { return steals_; }
    std::span<const std::uint32_t> locks() const noexcept { return locks_; }
    /// Number of locks and conditions in the trace.
    std::uint32_t lock_objects() const noexcept { return static_cast<std::uint32_t>(lock_texts_.size()); }
    /// Times in which the machines ran no task.
    const trace::IdleTime& idle() const noexcept { return idle_; }
    /// Cache owned by LaneClock.
    LaneTimesKept& lane_times() const noexcept { return lane_times_; }
    /// Share of the whole time in which machine m was busy, 0 to 1.
    double busy_share(std::uint32_t m) const noexcept;
    std::span<const TreeRow> tree() const noexcept { return tree_; }
    /// The event that spawned `co`; kNone if it is not in the trace.
    std::uint32_t spawn(std::uint32_t co) const noexcept { return spawns_[co]; }
    std::uint32_t machines() const noexcept { return static_cast<std::uint32_t>(runs_.size()); }
    std::uint32_t coroutines() const noexcept { return static_cast<std::uint32_t>(spawns_.size()); }
    /// Time of the last event, ns.
    std::uint64_t duration() const noexcept { return duration_; }
    /// Whether any coroutine is ever in this state.
    bool uses(trace::State state) const noexcept { return (states_ >> static_cast<unsigned>(state) & 1U) != 0; }
    /// Whether any switch recorded registers.
    bool has_registers() const noexcept { return has_registers_; }

  private:
    TraceIndex(const trace::Trace& trace, trace::Slices&& all);  ///< runs all slices
    void add_to(trace::Slices& slices, double share, const trace::Trace& trace);
    void end(const trace::Trace& trace);
    void use(trace::State state) noexcept { states_ |= 1U << static_cast<unsigned>(state); }
    void take(const trace::Trace& trace, std::uint32_t n);
    void take_set(const trace::Event& event, std::uint32_t n);
    void take_place(const trace::Event& event);
    void take_copy(const trace::Event& event, std::uint32_t n);
    void add_tenant(std::uint32_t stack, std::uint32_t co);
    void take_machine(trace::MachineOp op, std::uint32_t n);
    void take_switch(const trace::Trace& trace, const trace::Event& event, std::uint32_t n);
    void take_spawn(const trace::Event& event, std::uint32_t n);
    void take_mark(const trace::Trace& trace, std::uint32_t n);
    void take_row(const trace::Trace& trace, std::uint32_t n);
    void build_tree(const trace::Trace& trace);

    trace::IdleTime idle_;
    mutable LaneTimesKept lane_times_;
    std::vector<std::uint32_t> decisions_, rows_;
    std::vector<std::uint32_t> switches_, marks_, choices_, copies_, spawns_, steals_, locks_;
    std::vector<std::vector<std::uint32_t>> runs_, tenants_;
    std::vector<std::uint32_t> last_stack_;  // by coroutine: the last stack for which it was added to tenants_
    std::vector<TreeRow> tree_;
    std::uint64_t duration_ = 0, largest_image_ = 0;
    std::vector<SetFacts> set_facts_;
    LengthSteps ready_;
    LaneMarks lane_marks_;  // from marks_, which exists only while the trace is read
    std::unordered_set<std::uint32_t> lock_texts_;
    struct SetSoFar {
        std::uint32_t size = 0;
        std::int64_t hand = 0;
        std::vector<std::int64_t> distances;  // of members inserted into a wheel, from its hand
    };
    std::vector<SetSoFar> sets_so_far_;  // only while the trace is read
    unsigned states_ = 0;
    bool has_registers_ = false, has_hazards_ = false, has_notes_ = false, has_faults_ = false, has_accesses_ = false;
    bool has_gives_ = false;
};

/// Number of slots to draw as one turn of a wheel with `slots` slots, given the distances from the hand at which
/// members are inserted: enough to show all but a few of them.
std::int64_t turn_of(std::int64_t slots, std::vector<std::int64_t> distances);

/// How the machine that runs `co` is idle at the playhead; none if `co` runs on no machine or the machine is busy.
trace::Idle idle_now(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co) noexcept;

/// The coroutine that runs on the machine after `event` (a switch, or the spawn of a thread).
std::uint32_t runs_after(const trace::Event& event) noexcept;

}  // namespace fiberscope::viewer
