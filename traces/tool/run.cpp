#include <algorithm>
#include <iostream>

#include "traces/tool/verbs.h"

namespace fiberscope::trace::tool {
namespace {

constexpr Option kEventOptions[] = {{"--from", "EVENT", "the first event to list, from 1"},
                                    {"--to", "EVENT", "the last event to list"},
                                    {"--co", "COROUTINE", "only events that name this one, by number or by name"}};
constexpr Option kStateOptions[] = {
    {"--at", "EVENT", "after this event, from 1; 0 is before the first; default: the end"},
    {"--time", "TIME", "at this time: 850ns, 1.2ms, 3s"},
    {"--co", "COROUTINE", "only this one, with its registers; by number or by name"}};
constexpr Option kExportOptions[] = {{"--out", "OUT.json", "the file to write; default: standard output"}};

struct Verb {
    std::string_view name;
    std::string_view files;   ///< for the help
    std::size_t least, most;  ///< how many files
    std::string_view help;
    std::span<const Option> options;
    int (*run)(const Arguments&, std::ostream&);
};
constexpr Verb kVerbs[] = {
    {"check",
     "FILE...",
     1,
     SIZE_MAX,
     "does the trace satisfy the invariants of the format? Names the first event that does not, and why",
     {},
     check_files},
    {"events", "FILE", 1, 1, "every event in words", kEventOptions, list_events},
    {"stats",
     "FILE",
     1,
     1,
     "figures for each coroutine: switches, time in each state, first and last event",
     {},
     print_stats},
    {"figures",
     "FILE...",
     1,
     SIZE_MAX,
     "how well the tasks were scheduled: a line for each recording, to be compared",
     {},
     print_figures},
    {"state", "FILE", 1, 1, "who runs, who waits and why, and what is in the sets, after an event or at a time",
     kStateOptions, print_state},
    {"export", "FILE", 1, 1, "the trace in Chrome's trace format, for Perfetto and speedscope", kExportOptions,
     export_chrome},
    {"compare",
     "A B",
     2,
     2,
     "are two recordings the same, apart from saved, loaded and bytes? Names the first line that differs",
     {},
     compare_files},
};

void print_help(std::ostream& out) {
    out << "fiberscope-trace: looks into the traces that the labs record\n\n";
    for (const Verb& verb : kVerbs) {
        const std::string call = std::string(verb.name) + " " + std::string(verb.files);
        out << "  fiberscope-trace " << call << std::string(16 - std::min<std::size_t>(15, call.size()), ' ')
            << verb.help << '\n';
    }
    out << "\nEvents are numbered from 1, in the order of time. \"fiberscope-trace VERB --help\" tells a verb's "
           "options.\n"
           "The exit status is 0 if all is well, 1 if a trace is broken, different or unreadable, 2 for a wrong "
           "call.\n";
}

void print_help(const Verb& verb, std::ostream& out) {
    out << "fiberscope-trace " << verb.name << ' ' << verb.files << (verb.options.empty() ? "" : " [options]") << "\n  "
        << verb.help << '\n';
    for (const Option& option : verb.options) {
        const std::string call = std::string(option.name) + " " + std::string(option.value);
        out << "  " << call << std::string(18 - std::min<std::size_t>(17, call.size()), ' ') << option.help << '\n';
    }
}

bool asks_help(std::string_view word) { return word == "--help" || word == "-h" || word == "help"; }

int run_verb(const Verb& verb, std::span<const std::string> words, std::ostream& out) {
    if (std::any_of(words.begin(), words.end(), [](const std::string& w) { return w == "--help" || w == "-h"; })) {
        print_help(verb, out);
        return 0;
    }
    const Arguments arguments = parse_arguments(words, verb.options);
    if (arguments.files.size() < verb.least || arguments.files.size() > verb.most)
        throw UsageError(std::string(verb.name) + " needs " +
                         (verb.least == 2  ? "two files."
                          : verb.most == 1 ? "one file."
                                           : "a file."));
    return verb.run(arguments, out);
}

}  // namespace

int run(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    if (words.empty() || asks_help(words[0])) {
        print_help(words.empty() ? err : out);
        return words.empty() ? 2 : 0;
    }
    const auto verb =
        std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == words[0]; });
    try {
        if (verb == std::end(kVerbs)) throw UsageError("there is no verb \"" + words[0] + "\".");
        const int status = run_verb(*verb, words.subspan(1), out);
        out.flush();
        if (!out) throw std::runtime_error("cannot write the output.");
        return status;
    } catch (const UsageError& error) {
        err << "fiberscope-trace: " << error.what() << " See \"fiberscope-trace "
            << (verb == std::end(kVerbs) ? "" : std::string(verb->name) + " ") << "--help\".\n";
        return 2;
    } catch (const std::exception& error) {
        err << "fiberscope-trace: " << error.what() << '\n';
        return 1;
    }
}

}  // namespace fiberscope::trace::tool
