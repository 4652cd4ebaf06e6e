// The words of the trace format, except the kinds of events (events.h), and the legal transitions between states.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace fiberscope::trace {

/// Absent value of the 32-bit members of Event: no coroutine, no set, no text.
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
/// Absent value of the 64-bit members of Event.
inline constexpr std::int64_t kAbsent = std::numeric_limits<std::int64_t>::min();

enum class CoKind : std::uint8_t { thread, scheduler, idle, task };
enum class Backend : std::uint8_t { none, asm_, ucontext, shared, interpreter, stackless };
enum class State : std::uint8_t { new_, ready, running, normal, suspended, sleeping, waiting, dead };
enum class Why : std::uint8_t { start, resume, yield, exit, swap, jump };
enum class Cause : std::uint8_t { none, spawned, event, deadline, signal, cancel, stop, unlocked };
enum class Role : std::uint8_t { ready, sleep, wait, lock, channel, buffer, timer, removed, pool };
enum class Structure : std::uint8_t { queue, rbtree, heap, wheel, map };
enum class Color : std::uint8_t { none, red, black };
enum class Direction : std::uint8_t { out, in };
enum class StackOp : std::uint8_t { alloc, free, reuse };
enum class IoPhase : std::uint8_t { call, block, ready, done, timeout, cancel, error };
enum class Want : std::uint8_t { none, read, write };
enum class PollPhase : std::uint8_t { enter, leave, add, mod, del };
enum class TimerOp : std::uint8_t { add, refresh, cancel, fire };
enum class MachineOp : std::uint8_t { start, park, unpark, steal, stop, call, return_, give, wait, take };
enum class LockOp : std::uint8_t { acquire, block, release, wait, signal, broadcast, timeout };
enum class LockMode : std::uint8_t { mutex, read, write, cond };
enum class DeferOp : std::uint8_t { push, run };
enum class FrameOp : std::uint8_t { call, return_, fail, at };
enum class Turn : std::uint8_t { free, preemption, seen_later, seen_at_once };

/// The words of an enumeration as written in the file, in the order of its enumerators.
template <class E>
inline constexpr std::array<std::string_view, 0> kWords{};
template <>
inline constexpr std::array kWords<CoKind> = std::to_array<std::string_view>({"thread", "scheduler", "idle", "task"});
template <>
inline constexpr std::array kWords<Backend> = std::to_array<std::string_view>({"", "asm", "ucontext", "shared",
                                                                               "interpreter", "stackless"});
template <>
inline constexpr std::array kWords<State> =
    std::to_array<std::string_view>({"new", "ready", "running", "normal", "suspended", "sleeping", "waiting", "dead"});
template <>
inline constexpr std::array kWords<Why> = std::to_array<std::string_view>({"start", "resume", "yield", "exit", "swap",
                                                                           "jump"});
template <>
inline constexpr std::array kWords<Cause> = std::to_array<std::string_view>({"", "spawned", "event", "deadline",
                                                                             "signal", "cancel", "stop", "unlocked"});
template <>
inline constexpr std::array kWords<Role> = std::to_array<std::string_view>({"ready", "sleep", "wait", "lock", "channel",
                                                                            "buffer", "timer", "removed", "pool"});
template <>
inline constexpr std::array kWords<Structure> = std::to_array<std::string_view>({"queue", "rbtree", "heap", "wheel",
                                                                                 "map"});
template <>
inline constexpr std::array kWords<Color> = std::to_array<std::string_view>({"", "red", "black"});
template <>
inline constexpr std::array kWords<Direction> = std::to_array<std::string_view>({"out", "in"});
template <>
inline constexpr std::array kWords<StackOp> = std::to_array<std::string_view>({"alloc", "free", "reuse"});
template <>
inline constexpr std::array kWords<IoPhase> = std::to_array<std::string_view>({"call", "block", "ready", "done",
                                                                               "timeout", "cancel", "error"});
template <>
inline constexpr std::array kWords<Want> = std::to_array<std::string_view>({"", "read", "write"});
template <>
inline constexpr std::array kWords<PollPhase> = std::to_array<std::string_view>({"enter", "leave", "add", "mod",
                                                                                 "del"});
template <>
inline constexpr std::array kWords<TimerOp> = std::to_array<std::string_view>({"add", "refresh", "cancel", "fire"});
template <>
inline constexpr std::array kWords<MachineOp> = std::to_array<std::string_view>({"start", "park", "unpark", "steal",
                                                                                 "stop", "call", "return", "give",
                                                                                 "wait", "take"});
template <>
inline constexpr std::array kWords<LockOp> = std::to_array<std::string_view>({"acquire", "block", "release", "wait",
                                                                              "signal", "broadcast", "timeout"});
template <>
inline constexpr std::array kWords<LockMode> = std::to_array<std::string_view>({"mutex", "read", "write", "cond"});
template <>
inline constexpr std::array kWords<DeferOp> = std::to_array<std::string_view>({"push", "run"});
template <>
inline constexpr std::array kWords<FrameOp> = std::to_array<std::string_view>({"call", "return", "fail", "at"});
template <>
inline constexpr std::array kWords<Turn> = std::to_array<std::string_view>({"free", "preemption", "seen_later",
                                                                            "seen_at_once"});

/// The word of an enumerator as written in the file; empty if the field is omitted.
template <class E>
constexpr std::string_view word(E e) noexcept {
    return kWords<E>[static_cast<std::size_t>(e)];
}
/// The enumerator of a word, or nothing for an unknown word.
template <class E>
constexpr std::optional<E> from_word(std::string_view text) noexcept {
    if (text.empty()) return std::nullopt;
    for (std::size_t i = 0; i < kWords<E>.size(); ++i)
        if (kWords<E>[i] == text) return static_cast<E>(i);
    return std::nullopt;
}

namespace detail {
constexpr unsigned bit(State s) noexcept { return 1U << static_cast<unsigned>(s); }
inline constexpr unsigned kParked = bit(State::suspended) | bit(State::sleeping) | bit(State::waiting);
/// Indexed by the state being entered (a constant at each call site): the states it may be entered from.
inline constexpr std::array<unsigned, 8> kLegalSteps{
    0,                                                                     // new
    bit(State::new_) | bit(State::running) | kParked,                      // ready
    bit(State::new_) | bit(State::ready) | bit(State::normal) | kParked,   // running
    bit(State::running),                                                   // normal
    bit(State::running),                                                   // suspended
    bit(State::running),                                                   // sleeping
    bit(State::running),                                                   // waiting
    bit(State::new_) | bit(State::ready) | bit(State::running) | kParked,  // dead
};
}  // namespace detail
/// Whether a transition between the two states is legal. The single definition: the kit and the checker use it.
constexpr bool legal_step(State from, State to) noexcept {
    return ((detail::kLegalSteps[static_cast<std::size_t>(to)] >> static_cast<unsigned>(from)) & 1U) != 0;
}

}  // namespace fiberscope::trace
