// The command line of fiberscope-trace: verbs, their options, help, errors and completions.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "traces/read/printable.h"
#include "traces/tool/completion.h"
#include "traces/tool/verbs.h"
#include "traces/words/texts/spoken_help.h"
#include "traces/words/translated.h"

namespace fiberscope::trace::tool {
namespace {

struct Option {
    const char* name;   ///< "--at"
    const char* value;  ///< what stands after it, for the help: "EVENT"
    TypedText help;
};

constexpr Option kLanguage = {"--language", "en|zh", TypedText::h_language};
constexpr Option kEventOptions[] = {{"--from", "EVENT", TypedText::h_from},
                                    {"--to", "EVENT", TypedText::h_to},
                                    {"--co", "COROUTINE", TypedText::h_events_co},
                                    kLanguage};
constexpr Option kStateOptions[] = {{"--at", "EVENT", TypedText::h_at},
                                    {"--time", "TIME", TypedText::h_time},
                                    {"--co", "COROUTINE", TypedText::h_state_co},
                                    kLanguage};
constexpr Option kLanguageOptions[] = {kLanguage};
constexpr Option kExportOptions[] = {{"--out", "OUT.json", TypedText::h_out}};

struct Verb {
    const char* name;
    int least, most;  ///< how many files
    TypedText help;
    std::span<const Option> options;
    int (*run)(const Arguments&, std::ostream&);
};
constexpr int kAny = 1 << 20;
constexpr Verb kVerbs[] = {
    {"check", 1, kAny, TypedText::h_check, kLanguageOptions, check_files},
    {"events", 1, 1, TypedText::h_events, kEventOptions, list_events},
    {"stats", 1, 1, TypedText::h_stats, kLanguageOptions, print_stats},
    {"figures", 1, kAny, TypedText::h_figures, kLanguageOptions, print_figures},
    {"state", 1, 1, TypedText::h_state, kStateOptions, print_state},
    {"export", 1, 1, TypedText::h_export, kExportOptions, export_chrome},
    {"compare", 2, 2, TypedText::h_compare, kLanguageOptions, compare_files},
};

void add_verb(CLI::App& app, const Verb& verb, Language language, Arguments& arguments) {
    CLI::App& sub = *app.add_subcommand(verb.name, say(language, verb.help));
    sub.footer("");
    sub.add_option("FILE", arguments.files, say(language, TypedText::h_files))->type_name("");
    for (const Option& option : verb.options)
        sub.add_option_function<std::vector<std::string>>(
               option.name,
               [&arguments, name = option.name](const std::vector<std::string>& values) {
                   if (values.size() > 1) throw UsageError(std::string(name) + " is given twice.");
                   arguments.options[name] = values[0];
               },
               say(language, option.help))
            ->type_name(option.value)
            ->expected(1)
            ->allow_extra_args(false)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void describe_to(CLI::App& app, Language language, Arguments& arguments) {
    app.description(say(language, TypedText::h_about));
    app.footer(say(language, TypedText::h_footer));
    app.get_formatter()->column_width(26);
    for (const Verb& verb : kVerbs) add_verb(app, verb, language, arguments);
    speak_help(app, language);
}

void check_files_given(const Verb& verb, const Arguments& arguments) {
    const auto files = static_cast<int>(std::min<std::size_t>(arguments.files.size(), kAny));
    if (files >= verb.least && files <= verb.most) return;
    throw UsageError(std::string(verb.name) + " needs " +
                     (verb.least == 2  ? "two files."
                      : verb.most == 1 ? "one file."
                                       : "a file."));
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
        throw UsageError(sentence_of(app, error));
    }
    const std::string name = app.get_subcommands().at(0)->get_name();
    const Verb& verb =
        *std::find_if(std::begin(kVerbs), std::end(kVerbs), [&](const Verb& v) { return v.name == name; });
    check_files_given(verb, arguments);
    const int status = verb.run(arguments, out);
    out.flush();
    if (!out) throw std::runtime_error("cannot write the output.");
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
        err << "fiberscope-trace: " << printable(translated_call(error.what(), language))
            << say(language, TypedText::u_see, call_of(app)) << '\n';
        return 2;
    } catch (const std::exception& error) {
        err << "fiberscope-trace: " << printable(translated(translated_call(error.what(), language), language)) << '\n';
        return 1;
    }
}

}  // namespace fiberscope::trace::tool
