// The main of every lab's demo program: lists the demos, opens the trace, runs one.
#pragma once

#include <cstdint>
#include <random>
#include <span>

namespace fiberscope::kit {

/// What a demo is given.
struct DemoOptions {
    std::uint64_t seed = 1;
};

struct Demo {
    const char* name;
    const char* description;  ///< one line, for the list
    void (*run)(const DemoOptions&);
    /// The lab's own words for the states, as pairs of that word and the state here; null at the end.
    const char* const (*names)[2] = nullptr;
};

/// `--list`, or `NAME [--out FILE] [--clock virtual|monotonic] [--seed N]`: runs the demo, writes its trace, and prints
/// the trace's path as the last line. Returns the exit status: 2 for a wrong command line, 1 for a demo that threw.
int demo_main(int argc, char** argv, std::span<const Demo> demos);

}  // namespace fiberscope::kit
