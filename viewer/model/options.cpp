#include "viewer/model/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

#include "viewer/model/keys.h"

namespace fiberscope::viewer {
namespace {

constexpr int kLeastSide = 200, kMostSide = 16384;
constexpr auto kEnd = std::numeric_limits<std::size_t>::max();

/// The whole of `text` as a number from `least` to `most`.
template <class N>
N number(const std::string& option, std::string_view text, N least, N most) {
    N value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        throw CLI::ValidationError(option, std::string(text) + ": expected a number from " + std::to_string(least) +
                                               " to " + std::to_string(most));
    return value;
}

constexpr std::array<std::string_view, 11> kPanels{"sentence", "lanes",  "legend", "sets",    "events",    "registers",
                                                   "states",   "stacks", "table",  "figures", "histograms"};

void take_panel(Options& options, const std::string& text) {
    if (std::find(kPanels.begin(), kPanels.end(), text) == kPanels.end()) {
        std::string names;
        for (const std::string_view name : kPanels) names += (names.empty() ? "" : ", ") + std::string(name);
        throw CLI::ValidationError("--panel", text + ": expected one of " + names);
    }
    options.panel = text;
}

void take_size(Options& options, const std::string& text) {
    options.sized = true;
    const auto cross = text.find('x');
    if (cross == std::string::npos)
        throw CLI::ValidationError("--size", text + ": expected WIDTHxHEIGHT, as in 1600x900");
    options.width = number("--size", std::string_view(text).substr(0, cross), kLeastSide, kMostSide);
    options.height = number("--size", std::string_view(text).substr(cross + 1), kLeastSide, kMostSide);
}

void take_at(Options& options, const std::string& text) {
    options.at = text == "end" ? kEnd : number<std::size_t>("--at", text, 0, kEnd - 1);
}

/// The keys in `text`, by their labels, with spaces between them.
void take_press(Options& options, std::string_view text) {
    while (!text.empty()) {
        const std::string_view label = text.substr(0, text.find(' '));
        if (!label.empty()) {
            const auto action = action_of_label(label);
            if (!action)
                throw CLI::ValidationError("--press", std::string(label) + ": no such key; ? in the window lists them");
            options.press.push_back(*action);
        }
        text.remove_prefix(std::min(text.size(), label.size() + 1));
    }
}

/// An option whose value is one of a few words.
template <class Value, class Target>
void add_words(CLI::App& app, const std::string& name, Target& target, std::map<std::string, Value> words,
               const std::string& help) {
    std::string names;
    for (const auto& [word, value] : words) names += (names.empty() ? "" : "|") + word;
    const auto take = [&target, words, name, names](const std::string& text) {
        const auto found = words.find(text);
        if (found == words.end()) throw CLI::ValidationError(name, text + ": expected one of " + names);
        target = found->second;
    };
    app.add_option_function<std::string>(name, take, help)->type_name(names);
}

void add_view(CLI::App& app, Options& options) {
    app.add_option_function<std::string>(
           "--at", [&](const std::string& text) { take_at(options, text); },
           "Put the playhead after this event, from 1; 0: before the first; or: end")
        ->type_name("EVENT");
    app.add_option_function<std::string>(
           "--select",
           [&](const std::string& text) {
               options.chosen = number<std::uint32_t>("--select", text, 0, trace::kNone - 1);
           },
           "Choose a coroutine, by its number")
        ->type_name("CO");
    app.add_flag("--side-by-side", options.side_by_side,
                 "All files at once, under one playhead; --at is an event of the first");
    add_words<Lock>(
        app, "--lock", options.lock,
        {{"time", Lock::time}, {"events", Lock::number}, {"part", Lock::part}, {"turn", Lock::turn}},
        "Side by side: all at one time (the default), at one event number, at one part of the run, or at the "
        "k-th turn of the same coroutine");
    app.add_option_function<std::string>(
           "--press", [&](const std::string& text) { take_press(options, text); },
           "Press these keys first, as in the window: 'O H', 'Ctrl+F'")
        ->type_name("KEYS");
    app.add_flag("--present", options.present, "As for a presentation: large text, lanes first");
    add_words<bool>(app, "--sets", options.sets, {{"on", true}, {"off", false}},
                    "Draw queues, trees, heaps and wheels (on), or events and registers (off)");
}

void add_picture(CLI::App& app, Options& options) {
    app.add_option("--render", options.render,
                   "Write a picture of the window instead of showing it; OUT.svg: of the lanes of the first file")
        ->type_name("OUT.png");
    app.add_option_function<std::string>(
           "--size", [&](const std::string& text) { take_size(options, text); },
           "The size of the window or the picture in pixels (1600x900)")
        ->type_name("WIDTHxHEIGHT");
    app.add_option_function<std::string>(
           "--panel", [&](const std::string& text) { take_panel(options, text); },
           "A picture of one panel: lanes, sets, events, states, table, …; OUT.svg: of the lanes or the sets")
        ->type_name("NAME");
    add_words<Language>(app, "--language", options.language, {{"en", Language::english}, {"zh", Language::chinese}},
                        "The language of the window: English, Chinese (that of the environment: LANG)");
    add_words<Theme>(app, "--theme", options.theme, {{"dark", Theme::dark}, {"light", Theme::light}},
                     "The colours (dark)");
    app.add_option_function<std::string>(
           "--scale", [&](const std::string& text) { options.scale = number("--scale", text, 0.5F, 4.0F); },
           "The size of text, 0.5 to 4 (what the screen asks for)")
        ->type_name("FACTOR");
}

void describe(CLI::App& app, Options& options) {
    app.description("Replays traces in a window. Each file has a tab.");
    app.footer("In the window, ? shows the keys.");
    app.get_formatter()->column_width(34);
    app.add_option("FILE", options.files, "The traces to show")->type_name("");
    add_view(app, options);
    add_picture(app, options);
}

}  // namespace

std::span<const std::string_view> panel_names() noexcept { return kPanels; }

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    options.language = language_of_environment();
    CLI::App app("", "fiberscope-viewer");
    describe(app, options);
    try {
        app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        options.themed = app.count("--theme") > 0;
    } catch (const CLI::CallForHelp&) {
        options.help = true;
        return options;
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what() + std::string(".\nRun with --help for more information."));
    }
    if (options.files.empty()) throw UsageError("No trace is named.\nRun with --help for more information.");
    return options;
}

std::string usage() {
    Options options;
    CLI::App app("", "fiberscope-viewer");
    describe(app, options);
    return app.help();
}

}  // namespace fiberscope::viewer
