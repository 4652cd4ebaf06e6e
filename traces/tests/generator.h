// Makes traces for tests, the bench and the fuzzer's corpus.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fiberscope::trace::testing {

/// A document with these event lines (each ends with a line feed, none with a comma).
std::string document(std::string_view event_lines, std::uint64_t dropped = 0);

struct Options {
    std::uint32_t seed = 1;
    std::size_t events = 1000;  ///< about how many
    std::uint32_t coroutines = 20;
    bool registers = true;
};

/// A trace of a program that keeps every invariant: a scheduler with a ready queue, a real red-black tree of sleepers
/// (rotations recorded), waits with a limit, a heap of timers, a wheel, locks, shared stacks, spawns and deaths.
std::string scheduler_trace(const Options& options);

/// Well-formed events of every kind with random contents, on several machines: they need not make sense.
std::string random_trace(const Options& options);

/// The events of the bench: 60 % switches without registers, 30 % set operations, 10 % others.
std::string mixed_trace(const Options& options);

/// Two coroutines a round that pass through a queue of `members` which stays full: the front leaves, the back enters,
/// and now and then one in the middle goes.
std::string large_queue_trace(std::size_t events, std::uint32_t members);

}  // namespace fiberscope::trace::testing
