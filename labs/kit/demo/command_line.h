// The command line of a lab's demos: a demo is a verb, with the options that all have and its own.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "labs/kit/demo/demo.h"

namespace fiberscope::kit::detail {

/// What was asked for. `options.strategy`, `.clock` and `.out` are views of the strings here, made by settle().
struct DemoCall {
    const Demo* demo = nullptr;
    std::string out;
    std::string clock;
    std::string strategy;  ///< "all": each of the demo's
    bool lists_knobs = false;
    DemoOptions options;

    /// Fills in what was not said, and lets `options` point at it: once the call lies where it stays.
    void settle();
};

/// What `NAME --knobs` prints: see demo_main.
std::string knobs_of(const Demo& demo);

/// Reads a command line, without the program's name. If there is nothing left to do (help, a list, a mistake, which is
/// told on stderr), returns nothing, and `status` is the exit status: 2 for a mistake.
std::optional<DemoCall> read_demo_call(std::span<char* const> words, std::span<const Demo> demos, int& status);

}  // namespace fiberscope::kit::detail
