// The help of a command line that CLI11 reads, and what is wrong with a call, in the language of the reader. For
// programs that link CLI11.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "traces/words/texts/say.h"

namespace fiberscope {

/// Headings, and the line of --help, of `app` and its verbs; for when all its options and verbs are there.
inline void speak_help(CLI::App& app, Language language) {
    const std::string options = say(language, TypedText::o_options);
    app.set_help_flag("-h,--help", say(language, TypedText::o_help));
    for (CLI::Option* option : app.get_options({}))
        if (option->get_group() == "Options") option->group(options);
    const auto formatter = app.get_formatter();
    for (const auto& [label, key] :
         {std::pair{"Usage", TypedText::o_usage}, std::pair{"Positionals", TypedText::o_positionals},
          std::pair{"OPTIONS", TypedText::o_options}, std::pair{"SUBCOMMAND", TypedText::o_verb}})
        formatter->label(label, say(language, key));
    for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) {
        verb->group(say(language, TypedText::o_verbs));
        speak_help(*verb, language);
    }
}

/// What CLI11 found wrong, as a sentence of ours in English: translated_call (traces/words/translated.h) knows it.
inline std::string sentence_of(const CLI::App& app, const CLI::ParseError& error) {
    const std::string text = error.what(), name = text.substr(0, text.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return say(Language::english, RefusedText::u_value, name);
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr)
        return say(Language::english, RefusedText::u_convert, text.substr(std::min(text.size(), name.size() + 2)));
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return text + ".";
    const auto extras = app.remaining(true);
    const std::string extra = extras.empty() ? "" : extras.front();
    if (extra.starts_with("-"))
        return say(Language::english, RefusedText::u_no_option, extra.substr(0, extra.find('=')));
    const bool has_verbs = !app.get_subcommands([](const CLI::App*) { return true; }).empty();
    const bool wants_verb = has_verbs && app.get_subcommands().empty();
    return say(Language::english, wants_verb ? RefusedText::u_no_verb : RefusedText::u_no_use, extra);
}

}  // namespace fiberscope
