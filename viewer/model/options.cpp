#include "viewer/model/options.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>

#include "languages/command_line.h"
#include "viewer/model/keys.h"

namespace fiberscope::viewer {
namespace {

constexpr int kOptionsLeastSide = 200, kOptionsMostSide = 16384;
constexpr auto kEnd = std::numeric_limits<std::size_t>::max();

constexpr std::array<std::string_view, 12> kPanels{"sentence",  "card",   "lanes",  "legend", "sets",  "events",
                                                   "registers", "states", "stacks", "table",  "matrix"};

void take_panel(Options& options, const std::string& text) {
    if (std::find(kPanels.begin(), kPanels.end(), text) == kPanels.end()) {
        std::string names;
        for (const std::string_view name : kPanels) names += (names.empty() ? "" : ", ") + std::string(name);
        throw SpokenError("{0}: expected one of {1}, not {2}.", "--panel", names, text);
    }
    options.panel = text;
}

void take_size(Options& options, const std::string& text) {
    options.sized = true;
    const auto cross = text.find('x');
    if (cross == std::string::npos) throw SpokenError("--size: expected WIDTHxHEIGHT, as in 1600x900, not {0}.", text);
    const auto side = [](std::string_view part) {
        return number_in("--size", part, kOptionsLeastSide, kOptionsMostSide);
    };
    options.width = side(std::string_view(text).substr(0, cross));
    options.height = side(std::string_view(text).substr(cross + 1));
}

void take_at(Options& options, const std::string& text) {
    options.at = text == "end" ? kEnd : number_in<std::size_t>("--at", text, 0, kEnd - 1);
}

/// Parses `text`: key labels separated by spaces.
void take_press(Options& options, std::string_view text) {
    while (!text.empty()) {
        const std::string_view label = text.substr(0, text.find(' '));
        if (!label.empty()) {
            const auto action = action_of_label(label);
            if (!action) throw SpokenError("--press: {0}: no such key; ? in the window lists them.", label);
            options.press.push_back(*action);
        }
        text.remove_prefix(std::min(text.size(), label.size() + 1));
    }
}

/// Adds an option with a fixed set of values.
template <class Value, class Target>
void add_words(CommandLine& line, const Options& options, const std::string& name, Target& target,
               std::map<std::string, Value> words, Text help) {
    std::string names;
    for (const auto& [word, value] : words) names += (names.empty() ? "" : "|") + word;
    line.option(name, names, say(options.language, help), [&target, words, name, names](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end()) throw SpokenError("{0}: expected one of {1}, not {2}.", name, names, text);
        target = found->second;
    });
}

void add_view(CommandLine& line, Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    line.option("--at", "EVENT", says("Playhead after this event, from 1; 0: before the first; or: end"),
                [&](const std::string& text) { take_at(options, text); });
    line.option("--select", "CO", says("Choose a coroutine, by its number"), [&](const std::string& text) {
        options.chosen = number_in<std::uint32_t>("--select", text, 0, trace::kNone - 1);
    });
    line.flag("--side-by-side", says("All files at once, with a common playhead; --at is an event of the first"),
              options.side_by_side);
    line.flag("--matrix", says("All files in one table, with small pictures of each"), options.matrix);
    add_words<Lock>(line, options, "--lock", options.lock, {{"time", Lock::time}, {"events", Lock::number}},
                    mark("Side by side: all at one time (the default), or at one event number"));
    line.option("--press", "KEYS", says("Press these keys first, as in the window: 'O H', 'Ctrl+F'"),
                [&](const std::string& text) { take_press(options, text); });
    line.flag("--present", says("Presentation: large text, lanes first"), options.present);
    add_words<bool>(line, options, "--sets", options.sets, {{"on", true}, {"off", false}},
                    mark("Draw queues, trees, heaps and wheels (on), or events and registers (off)"));
}

void add_picture(CommandLine& line, Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    line.option("--render", "OUT.png", says("Write a picture of the window instead of opening it"),
                [&](const std::string& file) { options.render = file; });
    line.option("--size", "WIDTHxHEIGHT", says("The size of the window or the picture in pixels (default: 1600x900)"),
                [&](const std::string& text) { take_size(options, text); });
    line.option("--panel", "NAME", says("A picture of one panel: lanes, sets, events, states, table, …"),
                [&](const std::string& text) { take_panel(options, text); });
    add_words<Language>(line, options, "--language", options.language,
                        {{"en", Language::english}, {"zh", Language::chinese}},
                        mark("The language of the window: English, Chinese (default: from LANG)"));
    add_words<Theme>(line, options, "--theme", options.theme, {{"dark", Theme::dark}, {"light", Theme::light}},
                     mark("The colours (default: dark)"));
    line.option("--scale", "FACTOR", says("The text size, 0.5 to 4 (default: that of the display)"),
                [&](const std::string& text) { options.scale = number_in("--scale", text, 0.5F, 4.0F); });
}

CommandLine described(Options& options) {
    const auto says = [&](Text key) { return say(options.language, key); };
    CommandLine line("fiberscope-viewer", says("Replays traces in a window. Each file has a tab."), options.language);
    line.footer(says("In the window, ? shows the keys."));
    line.files(says("The traces to show; without one the window offers a choice"), options.files);
    add_view(line, options);
    add_picture(line, options);
    return line;
}

/// The language for messages about the command line: that of --language, wherever it is given.
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

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    options.language = language_of_line(arguments);
    CommandLine line = described(options);
    try {
        options.help = !line.read(arguments);
        options.themed = line.given("--theme");
    } catch (const SpokenError& error) {
        throw UsageError(error.in(options.language) + ' ' +
                         say(options.language, "Run with --help for more information."));
    }
    if (options.help) return options;
    if (options.files.empty() && !options.render.empty())
        throw UsageError(say(options.language, "No trace given.") + ' ' +
                         say(options.language, "Run with --help for more information."));
    return options;
}

std::string usage(Language language) {
    Options options;
    options.language = language;
    return described(options).help();
}

}  // namespace fiberscope::viewer
