#include "viewer/model/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>

#include "languages/spoken_help.h"
#include "viewer/model/keys.h"

namespace fiberscope::viewer {
namespace {

constexpr int kOptionsLeastSide = 200, kOptionsMostSide = 16384;
constexpr auto kEnd = std::numeric_limits<std::size_t>::max();

/// The whole of `text` as a number from `least` to `most`.
template <class N>
N number(Language language, const std::string& option, std::string_view text, N least, N most) {
    N value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        throw CLI::ValidationError(option, say(language, "{0}: expected a number from {1} to {2}", text,
                                               std::to_string(least), std::to_string(most)));
    return value;
}

constexpr std::array<std::string_view, 12> kPanels{"sentence",  "card",   "lanes",  "legend", "sets",       "events",
                                                   "registers", "states", "stacks", "table",  "histograms", "matrix"};

void take_panel(Options& options, const std::string& text) {
    if (std::find(kPanels.begin(), kPanels.end(), text) == kPanels.end()) {
        std::string names;
        for (const std::string_view name : kPanels) names += (names.empty() ? "" : ", ") + std::string(name);
        throw CLI::ValidationError("--panel", say(options.language, "{0}: expected one of {1}", text, names));
    }
    options.panel = text;
}

void take_size(Options& options, const std::string& text) {
    options.sized = true;
    const auto cross = text.find('x');
    if (cross == std::string::npos)
        throw CLI::ValidationError("--size", say(options.language, "{0}: expected WIDTHxHEIGHT, as in 1600x900", text));
    const auto side = [&](std::string_view part) {
        return number(options.language, "--size", part, kOptionsLeastSide, kOptionsMostSide);
    };
    options.width = side(std::string_view(text).substr(0, cross));
    options.height = side(std::string_view(text).substr(cross + 1));
}

void take_at(Options& options, const std::string& text) {
    options.at = text == "end" ? kEnd : number<std::size_t>(options.language, "--at", text, 0, kEnd - 1);
}

/// The keys in `text`, by their labels, with spaces between them.
void take_press(Options& options, std::string_view text) {
    while (!text.empty()) {
        const std::string_view label = text.substr(0, text.find(' '));
        if (!label.empty()) {
            const auto action = action_of_label(label);
            if (!action)
                throw CLI::ValidationError(
                    "--press", say(options.language, "{0}: no such key; ? in the window lists them", label));
            options.press.push_back(*action);
        }
        text.remove_prefix(std::min(text.size(), label.size() + 1));
    }
}

/// An option whose value is one of a few words.
template <class Value, class Target>
void add_words(CLI::App& app, const Options& options, const std::string& name, Target& target,
               std::map<std::string, Value> words, Text help) {
    std::string names;
    for (const auto& [word, value] : words) names += (names.empty() ? "" : "|") + word;
    const auto take = [&target, words, name, names, language = options.language](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end())
            throw CLI::ValidationError(name, say(language, "{0}: expected one of {1}", text, names));
        target = found->second;
    };
    app.add_option_function<std::string>(name, take, say(options.language, help))->type_name(names);
}

void add_view(CLI::App& app, Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    app.add_option_function<std::string>(
           "--at", [&](const std::string& text) { take_at(options, text); },
           says("Put the playhead after this event, from 1; 0: before the first; or: end"))
        ->type_name("EVENT");
    app.add_option_function<std::string>(
           "--select",
           [&](const std::string& text) {
               options.chosen = number<std::uint32_t>(options.language, "--select", text, 0, trace::kNone - 1);
           },
           says("Choose a coroutine, by its number"))
        ->type_name("CO");
    app.add_flag("--side-by-side", options.side_by_side,
                 says("All files at once, under one playhead; --at is an event of the first"));
    app.add_flag("--matrix", options.matrix, says("All files in one table, with small pictures of each"));
    add_words<Lock>(app, options, "--lock", options.lock,
                    {{"time", Lock::time}, {"events", Lock::number}, {"part", Lock::part}, {"turn", Lock::turn}},
                    mark("Side by side: all at one time (the default), at one event number, at one part of the run, or "
                         "at the k-th turn of the same coroutine"));
    app.add_option_function<std::string>(
           "--press", [&](const std::string& text) { take_press(options, text); },
           says("Press these keys first, as in the window: 'O H', 'Ctrl+F'"))
        ->type_name("KEYS");
    app.add_flag("--present", options.present, says("As for a presentation: large text, lanes first"));
    add_words<bool>(app, options, "--sets", options.sets, {{"on", true}, {"off", false}},
                    mark("Draw queues, trees, heaps and wheels (on), or events and registers (off)"));
}

void add_picture(CLI::App& app, Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    app.add_option("--render", options.render,
                   says("Write a picture of the window instead of showing it: OUT.png or OUT.svg"))
        ->type_name("OUT.png");
    app.add_option_function<std::string>(
           "--size", [&](const std::string& text) { take_size(options, text); },
           says("The size of the window or the picture in pixels (1600x900)"))
        ->type_name("WIDTHxHEIGHT");
    app.add_option_function<std::string>(
           "--panel", [&](const std::string& text) { take_panel(options, text); },
           says("A picture of one panel: lanes, sets, events, states, table, …"))
        ->type_name("NAME");
    add_words<Language>(app, options, "--language", options.language,
                        {{"en", Language::english}, {"zh", Language::chinese}},
                        mark("The language of the window: English, Chinese (that of the environment: LANG)"));
    add_words<Theme>(app, options, "--theme", options.theme, {{"dark", Theme::dark}, {"light", Theme::light}},
                     mark("The colours (dark)"));
    app.add_option_function<std::string>(
           "--scale",
           [&](const std::string& text) { options.scale = number(options.language, "--scale", text, 0.5F, 4.0F); },
           says("The size of text, 0.5 to 4 (what the screen asks for)"))
        ->type_name("FACTOR");
}

void describe(CLI::App& app, Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    app.description(says("Replays traces in a window. Each file has a tab."));
    app.footer(says("In the window, ? shows the keys."));
    app.get_formatter()->column_width(34);
    app.add_option("FILE", options.files, says("The traces to show; without one the window offers some"))
        ->type_name("");
    add_view(app, options);
    add_picture(app, options);
    speak_help(app, options.language);
}

/// The language of messages about the command line: that of --language, wherever it stands in it.
Language language_of_line(const std::vector<std::string>& arguments) {
    constexpr std::string_view kName = "--language";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view word = arguments[i];
        std::string_view value;
        if (word == kName && i + 1 < arguments.size()) value = arguments[i + 1];
        if (word.starts_with(kName) && word.size() > kName.size() && word[kName.size()] == '=')
            value = word.substr(kName.size() + 1);
        if (const auto language = language_of(value)) return *language;
    }
    return language_of_environment();
}

/// In the language; what CLI11 says of rarer mistakes stays in English.
std::string words_of(const CLI::ParseError& error, const CLI::App& app, Language language) {
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !app.remaining().empty())
        return say(language, "{0}: there is no such option", app.remaining().front());
    const std::string english = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return say(language, "{0}: a value is missing", english.substr(0, english.find(':')));
    return english;
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    options.language = language_of_line(arguments);
    CLI::App app("", "fiberscope-viewer");
    describe(app, options);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        options.themed = app.count("--theme") > 0;
    } catch (const CLI::CallForHelp&) {
        options.help = true;
        return options;
    } catch (const CLI::ParseError& error) {
        throw UsageError(say(options.language, "{0}.", words_of(error, app, options.language)) + ' ' +
                         say(options.language, "Run with --help for more information."));
    }
    if (options.files.empty() && !options.render.empty())
        throw UsageError(say(options.language, "No trace is named.") + ' ' +
                         say(options.language, "Run with --help for more information."));
    return options;
}

std::string usage(Language language) {
    Options options;
    options.language = language;
    CLI::App app("", "fiberscope-viewer");
    describe(app, options);
    return app.help();
}

}  // namespace fiberscope::viewer
