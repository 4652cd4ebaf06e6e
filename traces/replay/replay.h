// The state of the traced program at event n: pure computation over a Trace; no screen, no clock, no global.
//
// The playhead `at()` is the number of events applied: 0 is before the first event, size() after the last. "The event
// at the playhead" is event at()-1, the last one applied.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "traces/read/slices.h"
#include "traces/read/trace.h"
#include "traces/replay/stretches.h"

namespace fiberscope::trace {

/// A coroutine at the playhead.
struct CoroutineNow {
    bool exists = false;  ///< spawned at or before the playhead
    State state = State::new_;
    CoKind kind = CoKind::task;
    std::uint32_t parent = kNone;  ///< the coroutine that spawned it
    std::uint32_t caller = kNone;  ///< its resumer, which waits (state `normal`) for it; kNone if not on a caller stack
    std::uint32_t machine = kNone;      ///< where it runs or last ran; kNone if it never ran
    std::uint64_t since = 0;            ///< ns: when it entered its state
    std::int64_t until = kAbsent;       ///< ns: deadline of a sleep or of a wait with a limit
    std::uint32_t reason = kNone;       ///< text of the switch that left it
    std::uint32_t last_event = kNone;   ///< number of the last event that named it
    std::uint32_t last_switch = kNone;  ///< number of the last switch away from it (its registers are `saved` there)
    std::uint64_t switches_in = 0;      ///< how often it was entered
    std::uint32_t stack = kNone;        ///< the shared stack that it is on, or that its image belongs to
    bool owns = false;                  ///< its bytes are on that stack now
    std::uint32_t last_copy = kNone;    ///< number of its last `copy`; kNone if it was never copied, or died
    /// Bytes at its last `copy`: of its saved image if that was `out`, of its part of the stack if it was `in`.
    std::int64_t copied = kAbsent;
    bool saved = false;               ///< its last `copy` was `out`: the image holds its bytes
    std::uint32_t frames = kNone;     ///< of an interpreter's coroutine: text of its last `frame`
    std::int64_t capacity = kAbsent;  ///< bytes of its image's buffer; kAbsent if it has none or that is unknown
};

/// A shared stack at the playhead: its owner, and copy statistics.
struct SharedStackNow {
    std::uint32_t owner = kNone;
    std::uint32_t last_copy = kNone;              ///< number of the last `copy` that concerned it
    std::uint64_t copies_out = 0, copies_in = 0;  ///< how often it was saved and restored
    std::uint64_t bytes_out = 0, bytes_in = 0;    ///< total bytes of those copies
};

/// One member of a set at the playhead.
struct Member {
    std::uint32_t co = kNone;        ///< a coroutine, or
    std::uint32_t timer = kNone;     ///< a timer
    std::uint32_t key = kNone;       ///< text
    std::int64_t at = kAbsent;       ///< place, slot or level
    std::uint32_t inserted = kNone;  ///< number of its `insert`
    std::uint32_t placed = kNone;    ///< number of the `insert` or `move` that set `at`
};
struct TreeNode {
    std::uint32_t id = kNone;  ///< coroutine or timer
    std::uint32_t left = kNone, right = kNone, parent = kNone;
    Color color = Color::none;
};
/// A set at the playhead. Members of a queue are in its order.
struct SetNow {
    std::uint32_t index = kNone;
    std::uint32_t name = kNone;  ///< text
    std::uint32_t key = kNone;   ///< text
    Role role = Role::ready;
    Structure structure = Structure::queue;
    std::int64_t owner = kAbsent;
    std::vector<Member> members;
    std::uint32_t root = kNone;  ///< of an rbtree
    /// For an rbtree, in key order, followed by nodes that are not linked in the middle of an operation.
    std::vector<TreeNode> nodes;
    /// Number of the `insert` or `remove` of an rbtree whose links are being written; kNone if the tree is consistent.
    std::uint32_t coming = kNone;
    /// The node that the last operation removed from an rbtree, with its old links; its id is kNone if there is none.
    TreeNode gone;
    /// The node whose links the event at the playhead wrote, with its old links; its id is kNone if there is none.
    TreeNode before;
    std::int64_t hand = kAbsent;   ///< of a wheel
    std::int64_t slots = kAbsent;  ///< slots of a wheel
};

class Replay {
  public:
    /// The trace must outlive the replay. Processes it several times.
    explicit Replay(const Trace& trace);
    /// Defers that work to `slices`, as `share` of theirs; no other member may be called until it is done.
    Replay(const Trace& trace, Slices& slices, double share);
    ~Replay();
    Replay(Replay&&) noexcept;

    const Trace& trace() const noexcept;
    std::size_t size() const noexcept;
    std::size_t at() const noexcept;
    std::uint64_t time() const noexcept;  ///< t of the event at the playhead (0 at the start), or the moment set below
    /// Sets the moment for durations to time t, after the event at the playhead and not after the end of the trace.
    /// Reset by kNoMoment to the event at the playhead.
    void look_at(std::uint64_t t) noexcept;
    static constexpr std::uint64_t kNoMoment = UINT64_MAX;

    bool forward();             ///< one event; false at the end
    bool backward();            ///< one event; false at the start
    void seek(std::size_t at);  ///< clamped to size()
    /// Moves the playhead after the last event whose time is at most t.
    std::size_t index_at_time(std::uint64_t t) const noexcept;
    /// The playhead of the next or previous event that names coroutine `co`; the current one if there is none.
    std::size_t next_of(std::uint32_t co, std::size_t from) const;
    std::size_t previous_of(std::uint32_t co, std::size_t from) const;

    /// All coroutines of the trace, by number 0..n-1 (`exists` is false before the spawn).
    std::size_t coroutines() const noexcept;
    const CoroutineNow& coroutine(std::uint32_t co) const noexcept;
    /// The coroutine that runs on machine m; kNone before its thread's spawn.
    std::uint32_t running(std::uint32_t m) const noexcept;
    /// The caller stack of machine m, the running coroutine first, its thread last.
    std::vector<std::uint32_t> caller_stack(std::uint32_t m) const;
    /// The sets declared at or before the playhead.
    std::span<const SetNow> sets() const noexcept;
    SharedStackNow shared_stack(std::uint32_t stack) const noexcept;
    /// The registers of `co` saved by its last switch away, in file order, symbolic; empty if none were recorded.
    std::vector<RegisterValue> registers(std::uint32_t co) const;

    using Stretch = trace::Stretch;
    /// The stretches of `co` over the whole trace, in order of time, independent of the playhead.
    Stretches stretches(std::uint32_t co) const noexcept;
    /// The numbers of the events that name `co`, ascending, independent of the playhead.
    std::span<const std::uint32_t> events_of(std::uint32_t co) const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace fiberscope::trace
