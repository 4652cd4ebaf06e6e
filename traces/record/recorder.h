// Records events into per-thread buffers and writes them as a trace file. Timestamps are passed in; the recorder does
// not depend on clocks, coroutines or labs.
//
//     open ──▶ attach_machine (once a thread) ──▶ record … record ──▶ close
//
// The hot path takes no lock and allocates nothing. Text is written when a buffer fills, at close, and by
// write_from_signal when the process crashes. So a crash loses nothing, and `_exit` or SIGKILL at most one buffer per
// thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "traces/record/recording.h"
#include "traces/schema/schema.h"

namespace fiberscope::trace {

/// A place in the program's code: its purpose, and the section of a handout that describes it.
struct Code {
    std::string of;       ///< a word of docs/trace-format.md: "taken", "waiting", …
    std::string in;       ///< prefix of the set's name or of the reason; empty: any
    std::string step;     ///< "4.4"
    std::string handout;  ///< "labs/…/README.md", which has a heading with the step's number
    std::string file, function;
    std::string line;  ///< part of that line of the function; empty: no single line
};

/// Description of the program in the head of a trace. Empty strings are omitted.
struct Meta {
    std::string lab;
    std::string program;
    std::string strategy;
    std::string clock = "virtual";
    std::string files;     ///< "exercise": the student's own files ran; empty: the reference
    std::string workload;  ///< file name of a workload, without its folder; empty: the program has none
    std::uint64_t seed = 0;
    bool has_seed = false;
    std::map<std::string, std::string> names;  ///< the lab's own word for a state -> the state here
    std::string rule;                          ///< the rule of the strategy, in one sentence
    std::vector<Code> code;
};

/// A coroutine's registers at a switch: `values` in the order of kRegistersX86_64 or kRegistersAarch64 (a shorter span
/// has only the first ones), and the stack that they may point into, so that an address is written as an offset from
/// its top.
struct Registers {
    std::span<const std::uint64_t> values;
    std::uintptr_t stack_top = 0;  ///< one past the highest byte; 0 if not known
    std::size_t stack_size = 0;    ///< bytes; 0 if not known
};

namespace detail {
/// An event on its way to the recorder, in 8-byte words: loading in larger pieces what was just stored field by field
/// stalls (no store forwarding), and that would be most of an event's cost.
struct PackedEvent {
    std::uint64_t x, y, co_other, set, kinds;
};
static_assert(std::endian::native == std::endian::little && offsetof(Event, kind) == 42 && offsetof(Event, e3) == 45);
constexpr PackedEvent packed(const Event& e) noexcept {
    return {static_cast<std::uint64_t>(e.x), static_cast<std::uint64_t>(e.y),
            std::uint64_t{e.co} | std::uint64_t{e.other} << 32U, e.set,
            std::uint64_t{static_cast<std::uint8_t>(e.kind)} << 16U | std::uint64_t{e.e1} << 24U |
                std::uint64_t{e.e2} << 32U | std::uint64_t{e.e3} << 40U};
}
// Never inlined: these look up a thread-local, and a coroutine may be on another thread after the next switch.
void record(std::uint64_t now, const PackedEvent& event, std::string_view text) noexcept;
void record(std::uint64_t now, const PackedEvent& event, std::string_view text, CausalStamp& touch) noexcept;
void record(std::uint64_t now, const PackedEvent& event, std::string_view text, CausalStamp& touch,
            CausalStamp& other) noexcept;
}  // namespace detail

/// Begins a trace in `file`, creating its directory if necessary, and makes the calling thread machine 0. The events
/// are appended to `file` as they are written. An older recording in `file` is kept until the new one is certain to be
/// writable. Throws std::system_error (naming the file) if `file` cannot be written or another recorder is writing it,
/// and std::logic_error if a trace is already open.
void open(const std::filesystem::path& file, const Meta& meta);

/// Writes the rest of all buffers and the end. Other threads must have stopped recording. No-op without an open trace.
/// Throws std::system_error if the rest could not be written.
void close();

/// Registers the handlers for fork, and for exit, which ends a trace that is not closed. open() calls it. To be called
/// earlier by a program whose own handlers must be registered later; exit calls them in reverse order.
void handle_fork_and_exit() noexcept;

/// Limits the size of the open trace's file. Events that would exceed it are dropped, and counted as dropped at the end
/// of the file, which then holds a gapless beginning of each machine's events.
void limit_file(std::uint64_t bytes) noexcept;

/// The file of the open trace, or of the last one that was closed; empty if there was none.
const std::filesystem::path& file();

/// Makes the calling thread a machine of the open trace and returns its index. Idempotent. Throws std::logic_error
/// without an open trace, and std::system_error if the buffer cannot be allocated.
std::uint16_t attach_machine();

/// Starts a background thread that writes full buffers until the open trace is closed, and, a few times a second, what
/// all machines have recorded, with a mark of the time up to which that is complete (docs/trace-format.md). It blocks
/// all signals. If the thread cannot be created, or falls behind, threads write their own buffers as usual. To be
/// called after open() and before other threads record. The recorded times must come from one clock for all threads.
/// Not for recordings that must be reproducible byte by byte: the order in which the threads' events appear in the file
/// is not deterministic.
void write_in_background() noexcept;
/// Stops that thread; the other threads write their own buffers.
void stop_writing_in_background() noexcept;

/// Writes what the calling thread has recorded so far: before a step that the process may not survive, or before a
/// measurement. No-op without an open trace.
void flush() noexcept;

/// Records one event and sets its `t` and `m`: t is `now` (ns since the trace began), raised if necessary so that time
/// never runs backwards on this machine or before a touch. Attaches the thread if it is not yet a machine. `text` is
/// copied, and truncated after 8 KiB. Must not be called when recording() is false (a call that overlaps the end of the
/// trace is harmless). Uses 2 KiB of the caller's stack when a buffer is full. Not async-signal-safe.
inline void record(std::uint64_t now, const Event& event, std::string_view text = {}) noexcept {
    detail::record(now, detail::packed(event), text);
}
inline void record(std::uint64_t now, const Event& event, CausalStamp& touch, std::string_view text = {}) noexcept {
    detail::record(now, detail::packed(event), text, touch);
}
inline void record(std::uint64_t now, const Event& event, CausalStamp& touch, CausalStamp& other,
                   std::string_view text = {}) noexcept {
    detail::record(now, detail::packed(event), text, touch, other);
}

/// Records a switch together with the registers that it saves (of `from`) and loads (of `to`).
void record_switch(std::uint64_t now, const Event& event, CausalStamp& from, CausalStamp& to, std::string_view reason,
                   const Registers& saved, const Registers& loaded) noexcept;

/// Declares a set and returns its index, to be used as Event::set; kNone without an open trace. `key` describes the
/// order of the set ("deadline, ns"); `slots` is for a wheel. A set is identified by its name in the file, so a second
/// "ready" is written as "ready (2)".
std::uint32_t declare_set(std::uint64_t now, std::string_view name, Role role, Structure structure,
                          std::string_view key = {}, std::int64_t owner = kAbsent,
                          std::int64_t slots = kAbsent) noexcept;

/// Async-signal-safe: writes the rest of every thread's buffer, a `fault` event of coroutine `co` (or kNone) with
/// `text`, and the end. Nothing is recorded afterwards. No-op without an open trace, or when called a second time.
void write_from_signal(std::uint32_t co, std::string_view text) noexcept;

// ---- constructors of events -----------------------------------------------------------------------------------------

constexpr Event spawn_event(std::uint32_t co, CoKind kind, std::uint32_t parent = kNone,
                            Backend backend = Backend::none, std::int64_t stack_bytes = kAbsent,
                            std::int64_t reuses = kAbsent) noexcept {
    return event_of<Kind::spawn, "co", "kind", "parent", "backend", "stack", "reuses">(co, kind, parent, backend,
                                                                                       stack_bytes, reuses);
}
constexpr Event switch_event(std::uint32_t from, std::uint32_t to, Why why, State left,
                             std::int64_t until = kAbsent) noexcept {
    return event_of<Kind::switch_, "from", "to", "why", "left", "until">(from, to, why, left, until);
}
constexpr Event state_event(std::uint32_t co, State from, State to, Cause cause = Cause::none) noexcept {
    return event_of<Kind::state, "co", "from", "to", "cause">(co, from, to, cause);
}
constexpr Event set_event(Kind insert_or_remove, std::uint32_t set, std::uint32_t co,
                          std::int64_t at = kAbsent) noexcept {
    Event e = event_of<Kind::insert, "set", "co", "at">(set, co, at);
    e.kind = insert_or_remove;
    return e;
}
/// The same for a timer; also for Kind::move, with the new place.
constexpr Event timer_in_set_event(Kind insert_remove_or_move, std::uint32_t set, std::uint32_t timer,
                                   std::int64_t at = kAbsent) noexcept {
    Event e = event_of<Kind::insert, "set", "timer", "at">(set, timer, at);
    e.kind = insert_remove_or_move;
    return e;
}
/// A wheel's hand points to slot `at`.
constexpr Event hand_event(std::uint32_t set, std::int64_t at) noexcept {
    return event_of<Kind::hand, "set", "at">(set, at);
}
/// `deadline`, `period`: ns, or kAbsent. `co`: the coroutine that the timer belongs to, or kNone.
constexpr Event timer_event(std::uint32_t timer, TimerOp op, std::int64_t deadline = kAbsent,
                            std::int64_t period = kAbsent, std::uint32_t co = kNone) noexcept {
    return event_of<Kind::timer, "timer", "op", "deadline", "period", "co">(timer, op, deadline, period, co);
}
/// The name of the object is the event's text.
constexpr Event lock_event(std::uint32_t co, LockOp op, LockMode mode) noexcept {
    return event_of<Kind::lock, "co", "op", "mode">(co, op, mode);
}
/// A write to one field of a tree's node: `field` is link_field left, right or parent; `to` is a node or kNone.
constexpr Event link_event(std::uint32_t set, std::uint32_t node, std::uint8_t field, std::uint32_t to) noexcept {
    Event e = event_of<Kind::link, "set", "node">(set, node);
    e.e1 = field;
    if (field == link_field::left) detail::put<Kind::link, "left">(e, to);
    if (field == link_field::right) detail::put<Kind::link, "right">(e, to);
    if (field == link_field::parent) detail::put<Kind::link, "parent">(e, to);
    return e;
}
constexpr Event color_event(std::uint32_t set, std::uint32_t node, Color color) noexcept {
    Event e = event_of<Kind::link, "set", "node", "color">(set, node, color);
    e.e1 = link_field::color;
    return e;
}
constexpr Event root_event(std::uint32_t set, std::uint32_t root) noexcept {
    Event e = event_of<Kind::link, "set", "root">(set, root);
    e.e1 = link_field::root;
    return e;
}
/// One step of an IO call. `deadline` in ns.
constexpr Event io_event(std::uint32_t co, int fd, IoPhase phase, Want want = Want::none,
                         std::int64_t deadline = kAbsent, std::int64_t result = kAbsent,
                         std::uint32_t error = kNone) noexcept {
    return event_of<Kind::io, "co", "fd", "phase", "want", "deadline", "result", "errno">(co, fd, phase, want, deadline,
                                                                                          result, error);
}
/// `timeout` in ns, -1 means forever; `ready` is the number of events; `fd` is the descriptor that is added, modified
/// or deleted.
constexpr Event poll_event(PollPhase phase, std::int64_t timeout = kAbsent, std::uint32_t ready = kNone,
                           int fd = -1) noexcept {
    return event_of<Kind::poll, "phase", "timeout", "ready", "fd">(phase, timeout, ready, fd);
}
constexpr Event stack_event(std::uint32_t co, StackOp op, std::int64_t bytes) noexcept {
    return event_of<Kind::stack, "co", "op", "bytes">(co, op, bytes);
}
constexpr Event own_event(std::uint32_t stack, std::uint32_t co) noexcept {
    return event_of<Kind::own, "stack", "co">(stack, co);
}
constexpr Event copy_event(std::uint32_t co, Direction direction, std::int64_t bytes, std::int64_t capacity,
                           std::uint32_t stack) noexcept {
    return event_of<Kind::copy, "co", "dir", "bytes", "capacity", "stack">(co, direction, bytes, capacity, stack);
}
constexpr Event access_event(std::uint32_t co, std::uint32_t stack, std::int64_t offset, std::uint32_t owner) noexcept {
    return event_of<Kind::access, "co", "stack", "offset", "owner">(co, stack, offset, owner);
}
/// `victim`: the machine from which `count` tasks were stolen, or whose sets now belong to machine `to`. Text: the
/// lock, or what a parked thread waits for.
constexpr Event machine_event(MachineOp op, std::uint32_t victim = kNone, std::int64_t count = kAbsent,
                              std::int64_t to = kAbsent) noexcept {
    return event_of<Kind::machine, "op", "victim", "count", "to">(op, victim, count, to);
}
constexpr Event defer_event(std::uint32_t co, DeferOp op, std::int64_t n) noexcept {
    return event_of<Kind::defer, "co", "op", "n">(co, op, n);
}
/// The frames are the event's text.
constexpr Event frame_event(std::uint32_t co, FrameOp op) noexcept { return event_of<Kind::frame, "co", "op">(co, op); }
/// Choice point `n`, from 1: machine `next` runs. The event's text lists the machines that could have.
constexpr Event choice_event(std::int64_t n, Turn turn, std::uint32_t next) noexcept {
    return event_of<Kind::choice, "n", "turn", "next">(n, turn, next);
}
/// The name is the event's text.
constexpr Event name_event(std::uint32_t co) noexcept { return event_of<Kind::name, "co">(co); }
constexpr Event note_event(std::uint32_t co = kNone) noexcept { return event_of<Kind::note, "co">(co); }

}  // namespace fiberscope::trace
