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
    std::uint32_t machine = kNone;      ///< where it runs, or ran last; kNone if it never ran
    std::uint64_t since = 0;            ///< ns: when it entered its state
    std::int64_t until = kAbsent;       ///< ns: when it sleeps or waits with a limit
    std::uint32_t reason = kNone;       ///< text of the switch that left it
    std::uint32_t last_event = kNone;   ///< number of the last event that named it
    std::uint32_t last_switch = kNone;  ///< number of the last switch away from it (its registers are `saved` there)
    std::uint64_t switches_in = 0;      ///< how often it was entered
    std::uint32_t stack = kNone;        ///< the shared stack that it lies on, or to which its image belongs
    bool owns = false;                  ///< its bytes lie on that stack now
    std::uint32_t last_copy = kNone;    ///< number of its last `copy`; kNone if it was never copied, or died
    /// Bytes at its last `copy`: of its saved image if that was `out`, of its part of the stack if it was `in`.
    std::int64_t copied = kAbsent;
    bool saved = false;               ///< its last `copy` was `out`: the image holds its bytes
    std::uint32_t frames = kNone;     ///< of an interpreter's coroutine: text of its last `frame`
    std::int64_t capacity = kAbsent;  ///< bytes of the buffer of its image; kAbsent if it has none, or none is known
};

/// A shared stack at the playhead: its owner, and what was copied so far.
struct SharedStackNow {
    std::uint32_t owner = kNone;
    std::uint32_t last_copy = kNone;              ///< number of the last `copy` that concerned it
    std::uint64_t copies_out = 0, copies_in = 0;  ///< how often it was saved and restored
    std::uint64_t bytes_out = 0, bytes_in = 0;    ///< the sum of the bytes of those copies
};

/// One member of a set at the playhead.
struct Member {
    std::uint32_t co = kNone;        ///< a coroutine, or
    std::uint32_t timer = kNone;     ///< a timer
    std::uint32_t key = kNone;       ///< text
    std::int64_t at = kAbsent;       ///< place, slot or level
    std::uint32_t inserted = kNone;  ///< number of its `insert`
    std::uint32_t placed = kNone;    ///< number of the `insert` or `move` that said where it is
};
struct TreeNode {
    std::uint32_t id = kNone;  ///< coroutine or timer
    std::uint32_t left = kNone, right = kNone, parent = kNone;
    Color color = Color::none;
};
/// A set at the playhead. Members of a queue stand in its order.
struct SetNow {
    std::uint32_t index = kNone;
    std::uint32_t name = kNone;  ///< text
    std::uint32_t key = kNone;   ///< text
    Role role = Role::ready;
    Structure structure = Structure::queue;
    std::int64_t owner = kAbsent;
    std::vector<Member> members;
    std::uint32_t root = kNone;  ///< of an rbtree
    /// Of an rbtree, from left to right; then those that hang loose in the middle of an operation.
    std::vector<TreeNode> nodes;
    /// Number of the `insert` or `remove` of an rbtree whose links are just being written; kNone if the tree is whole.
    std::uint32_t coming = kNone;
    /// What the last operation on an rbtree took out, with the links that it has kept; its id is kNone if none did.
    TreeNode gone;
    std::int64_t hand = kAbsent;   ///< of a wheel
    std::int64_t slots = kAbsent;  ///< of a wheel: how many it has
};

class Replay {
  public:
    /// The trace must outlive the replay. Runs through it a few times.
    explicit Replay(const Trace& trace);
    /// `slices` do that work later, as `share` of theirs; before they have, nothing may be asked.
    Replay(const Trace& trace, Slices& slices, double share);
    ~Replay();
    Replay(Replay&&) noexcept;

    const Trace& trace() const noexcept;
    std::size_t size() const noexcept;
    std::size_t at() const noexcept;
    std::uint64_t time() const noexcept;  ///< t of the event at the playhead (0 at the start), or the moment looked at
    /// The state is looked at at time t, after the event at the playhead and not after the end of the trace: durations
    /// are counted to then. Holds until it is called again; kNoMoment: at the event at the playhead.
    void look_at(std::uint64_t t) noexcept;
    static constexpr std::uint64_t kNoMoment = UINT64_MAX;

    bool forward();             ///< one event; false at the end
    bool backward();            ///< one event; false at the start
    void seek(std::size_t at);  ///< clamped to size()
    /// The playhead after the last event whose time is at most t.
    std::size_t index_at_time(std::uint64_t t) const noexcept;
    /// The next or previous event that names coroutine `co`, as a playhead; the present one if there is none.
    std::size_t next_of(std::uint32_t co, std::size_t from) const;
    std::size_t previous_of(std::uint32_t co, std::size_t from) const;

    /// All coroutines that the trace ever names, by number 0..n-1 (exists tells which are there yet).
    std::size_t coroutines() const noexcept;
    const CoroutineNow& coroutine(std::uint32_t co) const noexcept;
    /// The coroutine that runs on machine m; kNone before its thread's spawn.
    std::uint32_t running(std::uint32_t m) const noexcept;
    /// The caller stack of machine m, the running one first, its thread last.
    std::vector<std::uint32_t> caller_stack(std::uint32_t m) const;
    /// The sets declared at or before the playhead.
    std::span<const SetNow> sets() const noexcept;
    SharedStackNow shared_stack(std::uint32_t stack) const noexcept;
    /// The registers of `co` as its last switch away saved them, in file order, in words; empty if none were recorded.
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
