// The main of every lab's demo program: lists the demos, opens the trace, runs one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fiberscope::kit {

/// The arguments of a demo.
struct DemoOptions {
    std::uint64_t seed = 1;
    std::string_view strategy;                             ///< one of the demo's strategies; empty if it has none
    unsigned machines = 2;                                 ///< number of threads, if the strategy has several
    bool machines_given = false;                           ///< whether --machines was given, which a demo may refuse
    std::uint64_t lock_ns = 0;                             ///< virtual cost of a lock (lock_cost.h)
    std::string_view clock;                                ///< "virtual" or "monotonic"
    std::string_view out;                                  ///< the file of the recording
    bool with_known_bug = false;                           ///< with the fault of the published description
    std::map<std::string, std::string, std::less<>> more;  ///< the demo's own options that were given

    std::string option(std::string_view name, std::string_view otherwise) const {
        const auto given = more.find(name);
        return given == more.end() ? std::string(otherwise) : given->second;
    }
};

/// An option that only one demo has: "port", "P[,P]", "where it listens" for `--port 9000`.
struct DemoOption {
    const char* name;
    const char* value;    ///< placeholder of the value, for the help
    const char* meaning;  ///< one line
};

/// The common options that have an effect on a demo.
struct Acting {
    bool seed = false;
    /// The strategies with several machines; kWithoutStrategy if the demo has several machines but no strategies. If
    /// empty, the demo does not accept `--machines` and `--lock-ns`.
    std::span<const char* const> machines = {};
};
inline constexpr const char* kWithoutStrategy[] = {""};

/// Values of `--clock`; the first is the default.
inline constexpr const char* kVirtualFirst[] = {"virtual", "monotonic"};
inline constexpr const char* kMonotonicFirst[] = {"monotonic", "virtual"};
inline constexpr const char* kVirtualOnly[] = {"virtual"};
inline constexpr const char* kMonotonicOnly[] = {"monotonic"};

struct Demo {
    const char* name;
    const char* description;  ///< one line, for the list
    void (*run)(const DemoOptions&);
    /// The lab's own names of the states, as pairs of that name and the state here; null at the end.
    const char* const (*names)[2] = nullptr;
    /// Values of `--strategy`; the first is the default.
    std::span<const char* const> strategies = {};
    Acting acting = {};
    bool large = false;  ///< its trace is too long or not reproducible for a sample; listed by `--list-all` only
    /// A demo whose first clock is the monotonic one depends on the outside world: it has no knobs and cannot be
    /// explored.
    std::span<const char* const> clocks = kVirtualFirst;
    std::span<const DemoOption> options = {};  ///< the demo's own options
    /// Checks the options before the trace's file is touched: throws what run() would throw. Null accepts everything.
    void (*check)(const DemoOptions&) = nullptr;
};

/// Prints messages for the terminal's user (kit::tell_person), including those about a crash, in the language of the
/// environment from now on.
void speak_language_of_environment();

/// Adds the demos of another file of the program than its main.
struct MoreDemos {
    explicit MoreDemos(std::initializer_list<Demo> demos);
};

/// `own`, and what other files have added.
std::vector<Demo> all_demos(std::span<const Demo> own);

/// `--list`, `--list-all`, `[NAME] --help`, or `NAME [--out FILE] [--clock virtual|monotonic] [--seed N] [--strategy
/// NAME|all] [--machines N] [--lock-ns N] [--with-known-bug]` and the demo's own options: runs the demo, writes its
/// trace, and prints the trace's path as the last line. With `all`, `--out` is a directory (by default the demo's
/// name), and each strategy runs in a separate process and writes DIRECTORY/DEMO_STRATEGY.json. Returns the exit
/// status: 2 for a wrong command line, 1 for a demo that threw.
///
/// `NAME --knobs` lists the options that change what the demo does in virtual time, one per line, with fields separated
/// by tabs: the name; `choice`, `number`, `time` or `file`; the default; the choices, separated by commas; and the
/// strategies with which it has an effect. An empty field means none, or all. A demo that depends on the outside world
/// has no knobs.
int demo_main(int argc, char** argv, std::span<const Demo> demos);

}  // namespace fiberscope::kit
