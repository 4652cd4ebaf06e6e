// The help of a command line that CLI11 reads, and what is wrong with a call, in the language of the reader. For
// programs that link CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "languages/spoken_error.h"

namespace fiberscope {

/// Headings, and the line of --help, of `app` and its verbs; for when all its options and verbs are there.
inline void speak_help(CLI::App& app, Language language) {
    const std::string options = say(language, mark("Options"));
    app.set_help_flag("-h,--help", say(language, mark("Print this and exit")));
    for (CLI::Option* option : app.get_options({}))
        if (option->get_group() == "Options") option->group(options);
    const auto formatter = app.get_formatter();
    for (const auto& [label, key] : {std::pair{"Usage", mark("Usage")}, std::pair{"Positionals", mark("Positionals")},
                                     std::pair{"OPTIONS", mark("Options")}, std::pair{"SUBCOMMAND", mark("VERB")}})
        formatter->label(label, say(language, key));
    for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        verb->group(say(language, mark("Verbs")));
        speak_help(*verb, language);
    }
}

/// What CLI11 found wrong, as a sentence of ours; what it says of rarer mistakes stays in English.
inline SpokenError spoken(const CLI::App& app, const CLI::ParseError& error) {
    const std::string text = error.what(), name = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return SpokenError("{0} needs a value.", name);
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
        return SpokenError("{0} is no value that can be taken.", text.substr(std::min(text.size(), name.size() + 2)));
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return SpokenError("{0}.", text);
    const auto extras = app.remaining(true);
    const std::string extra = extras.empty() ? "" : extras.front();
    if (extra.starts_with("-")) return SpokenError("there is no option {0} here.", extra.substr(0, extra.find('=')));
    const bool has_verbs = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
    const bool wants_verb = has_verbs && app.get_subcommands().empty();
    return SpokenError(wants_verb ? mark("there is no verb \"{0}\".") : mark("there is no use for \"{0}\" here."),
                       extra);
}

}  // namespace fiberscope
