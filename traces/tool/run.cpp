// The command line of fiberscope-trace: verbs, their options, help and errors.
#include <algorithm>
#include <iostream>

#include "languages/command_line.h"
#include "traces/read/printable.h"
#include "traces/tool/verbs.h"

namespace fiberscope::trace::tool {
namespace {

struct Option {
    const char* name;   ///< "--at"
    const char* value;  ///< placeholder of its value in the help: "EVENT"
    Text help;
};

constexpr Option kLanguage = {"--language", "en|zh",
                              mark("English or Chinese; default: that of the environment (LANG)")};
constexpr Option kEventOptions[] = {{"--from", "EVENT", mark("The first event to list, from 1")},
                                    {"--to", "EVENT", mark("The last event to list")},
                                    {"--co", "COROUTINE", mark("Only events that name this one, by number or by name")},
                                    kLanguage};
constexpr Option kStateOptions[] = {
    {"--at", "EVENT", mark("After this event, from 1; 0 is before the first; default: the end")},
    {"--time", "TIME", mark("At this time: 850ns, 1.2ms, 3s")},
    {"--co", "COROUTINE", mark("Only this one, with its registers; by number or by name")},
    kLanguage};
constexpr Option kLanguageOptions[] = {kLanguage};
constexpr Option kFiguresOptions[] = {
    {"--as", "text|medians|csv",
     mark("A line for each recording; medians of the recordings STRATEGY_MACHINES_SEED.json; everything that is "
          "measured, for programs; default: text")},
    {"--measures", "NAME,…", mark("Figures to print, by their CSV names; default: all that apply")},
    kLanguage};
constexpr Option kExportOptions[] = {{"--out", "OUT.json", mark("The file to write; default: standard output")}};

struct Verb {
    const char* name;
    int least, most;  ///< number of files
    Text help;
    std::span<const Option> options;
    int (*run)(const Arguments&, std::ostream&);
};
constexpr int kAny = 1 << 20;
constexpr Verb kVerbs[] = {
    {"check", 1, kAny,
     mark("Does the trace satisfy the invariants of the format? Names the first event that does not, and why."),
     kLanguageOptions, check_files},
    {"events", 1, 1, mark("Every event in words."), kEventOptions, list_events},
    {"figures", 1, kAny, mark("How well the tasks were scheduled: a line for each recording, to be compared."),
     kFiguresOptions, print_figures},
    {"state", 1, 1,
     mark("Prints what runs, what waits and why, and the members of the sets, after an event or at a time."),
     kStateOptions, print_state},
    {"export", 1, 1, mark("The trace in Chrome's trace format, for Perfetto and speedscope."), kExportOptions,
     export_chrome},
    {"compare", 2, 2,
     mark("Are two recordings the same, apart from saved, loaded, bytes and capacity? Names the first line that "
          "differs."),
     kLanguageOptions, compare_files},
};

void add_verb(CommandLine& line, const Verb& verb, Language language, Arguments& arguments) {
    CommandLine& own = line.verb(verb.name, say(language, verb.help));
    own.files(say(language, "The recordings"), arguments.files);
    for (const Option& option : verb.options)
        own.option(option.name, option.value, say(language, option.help),
                   [&arguments, name = option.name](const std::string& value) { arguments.options[name] = value; });
}

void describe_to(CommandLine& line, Language language, Arguments& arguments) {
    line.footer(say(
        language,
        "Events are numbered from 1, in the order of time.\n\"fiberscope-trace VERB --help\" shows the options of "
        "a verb.\nThe exit status is 0 if all is well, 1 if a recording is broken, different or unreadable, 2 for a "
        "wrong call."));
    for (const Verb& verb : kVerbs) add_verb(line, verb, language, arguments);
}

void check_files_given(const Verb& verb, const Arguments& arguments) {
    const auto files = static_cast<int>(std::min<std::size_t>(arguments.files.size(), kAny));
    if (files >= verb.least && files <= verb.most) return;
    throw UsageError(verb.least == 2  ? mark("{0} needs two files.")
                     : verb.most == 1 ? mark("{0} needs one file.")
                                      : mark("{0} needs a file."),
                     verb.name);
}

int parse_and_run(CommandLine& line, const Arguments& arguments, std::span<const std::string> words,
                  std::ostream& out) {
    try {
        if (!line.read(words)) {
            out << line.help();
            return 0;
        }
    } catch (const SpokenError& error) {
        throw UsageError(error);
    }
    const std::string name = line.verb_read();
    const auto* const found =
        std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == name; });
    if (found == std::end(kVerbs)) throw UsageError("missing verb.");
    const Verb& verb = *found;
    check_files_given(verb, arguments);
    const int status = verb.run(arguments, out);
    out.flush();
    if (!out) throw SpokenError("cannot write the output.");
    return status;
}

}  // namespace

int run(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    Arguments arguments;
    const Language language = language_of_environment();
    CommandLine line("fiberscope-trace", say(language, "Inspects recordings of coroutines."), language);
    describe_to(line, language, arguments);
    if (words.empty()) {
        err << line.help();
        return 2;
    }
    try {
        return parse_and_run(line, arguments, words, out);
    } catch (const UsageError& error) {
        err << "fiberscope-trace: " << printable(error.in(language))
            << say(language, " See \"{0} --help\".", line.call()) << '\n';
        return 2;
    } catch (const std::exception& error) {
        err << "fiberscope-trace: " << printable(formatted(message_of(error), language)) << '\n';
        return 1;
    }
}

}  // namespace fiberscope::trace::tool
