// The command line of a lab's demos: a demo is a verb with common options and its own.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "labs/kit/demo/demo.h"

namespace fiberscope::kit::detail {

/// A parsed command line. `options.strategy`, `.clock` and `.out` are views of the strings here, set by settle().
struct DemoCall {
    const Demo* demo = nullptr;
    std::string out;
    std::string clock;
    std::string strategy;  ///< "all": each of the demo's
    bool lists_knobs = false;
    DemoOptions options;

    /// Fills in defaults, and sets the views in `options`; must be called again if the object is moved.
    void settle();
};

/// Returns the output of `NAME --knobs`; see demo_main.
std::string knobs_of(const Demo& demo);

/// Parses a command line, without the program's name. If there is nothing left to do (help, a list, or an error, which
/// is reported on stderr), returns no value and sets the exit status `status`: 2 for an error.
std::optional<DemoCall> read_demo_call(std::span<char* const> words, std::span<const Demo> demos, int& status);

}  // namespace fiberscope::kit::detail
