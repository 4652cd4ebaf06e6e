// The command line of fiberscope-trace: verbs, their options, help, errors and completions.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "languages/spoken_help.h"
#include "traces/read/printable.h"
#include "traces/tool/completion.h"
#include "traces/tool/verbs.h"
#include "traces/words/translated.h"

namespace fiberscope::trace::tool {
namespace {

struct Option {
    const char* name;   ///< "--at"
    const char* value;  ///< what stands after it, for the help: "EVENT"
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
    {"--as", "text|json", mark("A table, or everything that is measured, in ns; default: text")}, kLanguage};
constexpr Option kExportOptions[] = {
    {"--out", "OUT.json[.gz]",
     mark("The file to write, compressed if its name ends in .gz; default: standard output")}};

struct Verb {
    const char* name;
    int least, most;  ///< how many files
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
    {"stats", 1, 1, mark("Figures for each coroutine: switches, time in each state, first and last event."),
     kLanguageOptions, print_stats},
    {"figures", 1, kAny, mark("How well the tasks were scheduled: a line for each recording, to be compared."),
     kFiguresOptions, print_figures},
    {"state", 1, 1, mark("What runs, what waits and why, and what is in the sets, after an event or at a time."),
     kStateOptions, print_state},
    {"export", 1, 1, mark("The trace in Chrome's trace format, for Perfetto and speedscope."), kExportOptions,
     export_chrome},
    {"compare", 2, 2,
     mark("Are two recordings the same, apart from saved, loaded, bytes and capacity? Names the first line that "
          "differs."),
     kLanguageOptions, compare_files},
};

void add_verb(CLI::App& app, const Verb& verb, Language language, Arguments& arguments) {
    CLI::App& sub = *app.add_subcommand(verb.name, say(language, verb.help));
    sub.footer("");
    sub.add_option("FILE", arguments.files, say(language, "The recordings"))->type_name("");
    for (const Option& option : verb.options)
        sub.add_option_function<std::vector<std::string>>(
               option.name,
               [&arguments, name = option.name](const std::vector<std::string>& values) {
                   if (values.size() > 1) throw UsageError("{0} is given twice.", name);
                   arguments.options[name] = values[0];
               },
               say(language, option.help))
            ->type_name(option.value)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void describe_to(CLI::App& app, Language language, Arguments& arguments) {
    app.description(say(language, "Looks into the recordings of coroutines."));
    app.footer(
        say(language,
            "Events are numbered from 1, in the order of time.\n\"fiberscope-trace VERB --help\" shows the options of "
            "a verb, \"fiberscope-trace --completion\" prints\nwhat makes bash complete this command.\nThe exit status "
            "is 0 if all is well, 1 if a recording is broken, different or unreadable, 2 for a wrong call."));
    app.get_formatter()->column_width(26);
    for (const Verb& verb : kVerbs) add_verb(app, verb, language, arguments);
    speak_help(app, language);
}

void check_files_given(const Verb& verb, const Arguments& arguments) {
    const auto files = static_cast<int>(std::min<std::size_t>(arguments.files.size(), kAny));
    if (files >= verb.least && files <= verb.most) return;
    throw UsageError(verb.least == 2  ? mark("{0} needs two files.")
                     : verb.most == 1 ? mark("{0} needs one file.")
                                      : mark("{0} needs a file."),
                     verb.name);
}

/// The program's name, with the verb that was given.
std::string call_of(const CLI::App& app) {
    std::string call = "fiberscope-trace ";
    for (const CLI::App* verb : app.get_subcommands()) call += verb->get_name() + " ";
    return call;
}

int parse_and_run(CLI::App& app, const Arguments& arguments, std::span<const std::string> words, std::ostream& out) {
    try {
        app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::CallForHelp&) {
        const auto verbs = app.get_subcommands();
        out << (verbs.empty() ? app.help() : verbs[0]->help("fiberscope-trace"));
        return 0;
    } catch (const CLI::ParseError& error) {
        throw UsageError(spoken(app, error));
    }
    const std::string name = app.get_subcommands().at(0)->get_name();
    const Verb& verb =
        *std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == name; });
    check_files_given(verb, arguments);
    const int status = verb.run(arguments, out);
    out.flush();
    if (!out) throw SpokenError("cannot write the output.");
    return status;
}

}  // namespace

int run(std::span<const std::string> words, std::ostream& out, std::ostream& err) {
    CLI::App app("", "fiberscope-trace");
    Arguments arguments;
    const Language language = language_of_environment();
    describe_to(app, language, arguments);
    if (words.empty()) {
        err << app.help();
        return 2;
    }
    if (complete(app, words, out)) return 0;
    try {
        return parse_and_run(app, arguments, words, out);
    } catch (const UsageError& error) {
        err << "fiberscope-trace: " << printable(error.in(language))
            << say(language, " See \"{0}--help\".", call_of(app)) << '\n';
        return 2;
    } catch (const SpokenError& error) {
        err << "fiberscope-trace: " << error.in(language) << '\n';
        return 1;
    } catch (const std::exception& error) {
        err << "fiberscope-trace: " << printable(translated(error.what(), language)) << '\n';
        return 1;
    }
}

}  // namespace fiberscope::trace::tool
