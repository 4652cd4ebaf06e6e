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

/// What a demo is given.
struct DemoOptions {
    std::uint64_t seed = 1;
    std::string_view strategy;                             ///< one of the demo's strategies; empty if it has none
    unsigned machines = 2;                                 ///< threads, where the strategy has several
    bool machines_given = false;                           ///< by --machines: a demo without several may refuse it
    std::uint64_t lock_ns = 0;                             ///< lock_cost.h: virtual time
    std::string_view clock;                                ///< "virtual" or "monotonic"
    std::string_view out;                                  ///< the file of the recording
    bool with_known_bug = false;                           ///< with a fault that the description has
    std::map<std::string, std::string, std::less<>> more;  ///< the demo's own options, as far as they were given

    std::string option(std::string_view name, std::string_view otherwise) const {
        const auto given = more.find(name);
        return given == more.end() ? std::string(otherwise) : given->second;
    }
};

/// An option that only one demo has: "port", "P[,P]", "where it listens" for `--port 9000`.
struct DemoOption {
    const char* name;
    const char* value;    ///< what stands after it, for the help
    const char* meaning;  ///< one line
};

/// Which of the options that all demos have change what this one does.
struct Acting {
    bool seed = false;
    /// The strategies that have several machines; kWithoutStrategy if the demo has several and no strategies. If it is
    /// empty, the demo does not take `--machines` and `--lock-ns`.
    std::span<const char* const> machines = {};
};
inline constexpr const char* kWithoutStrategy[] = {""};

/// What `--clock` may name; the first is the default.
inline constexpr const char* kVirtualFirst[] = {"virtual", "monotonic"};
inline constexpr const char* kMonotonicFirst[] = {"monotonic", "virtual"};
inline constexpr const char* kVirtualOnly[] = {"virtual"};
inline constexpr const char* kMonotonicOnly[] = {"monotonic"};

struct Demo {
    const char* name;
    const char* description;  ///< one line, for the list
    void (*run)(const DemoOptions&);
    /// The lab's own words for the states, as pairs of that word and the state here; null at the end.
    const char* const (*names)[2] = nullptr;
    /// What `--strategy` may name; the first is taken if nothing is said.
    std::span<const char* const> strategies = {};
    Acting acting = {};
    bool large = false;  ///< its trace is no sample, being too long or never the same: only `--list-all` names it
    /// A demo whose first clock is the monotonic one deals with the world outside: it has no knobs, and nothing to
    /// explore.
    std::span<const char* const> clocks = kVirtualFirst;
    std::span<const DemoOption> options = {};  ///< of its own
    /// Throws what run() would throw because of its options: called before the trace's file is touched. Null: takes
    /// all.
    void (*check)(const DemoOptions&) = nullptr;
};

/// Adds the demos of another file of the program than its main.
struct MoreDemos {
    explicit MoreDemos(std::initializer_list<Demo> demos);
};

/// `own`, and what other files have added.
std::vector<Demo> all_demos(std::span<const Demo> own);

/// `--list`, `--list-all`, `[NAME] --help`, or `NAME [--out FILE] [--clock virtual|monotonic] [--seed N] [--strategy
/// NAME|all] [--machines N] [--lock-ns N] [--with-known-bug]` and the demo's own options: runs the demo, writes its
/// trace, and prints the trace's path as the last line. With `all`, `--out` is a directory (by default the demo's
/// name), and each strategy runs in a process of its own and writes DIRECTORY/DEMO_STRATEGY.json. Returns the exit
/// status: 2 for a wrong command line, 1 for a demo that threw.
///
/// `NAME --knobs` lists the options that change what the demo does in virtual time, a line each, fields with tabs
/// between them: the name, `choice`, `number`, `time` or `file`, what it is if nothing is said, the choices with commas
/// between them, and the strategies with which it acts; an empty field says nothing, or all. A demo that deals with the
/// world outside has none.
int demo_main(int argc, char** argv, std::span<const Demo> demos);

}  // namespace fiberscope::kit
