#include "viewer/options.h"

#include <charconv>
#include <limits>

namespace fiberscope::viewer {
namespace {

constexpr int kLeastSide = 200, kMostSide = 16384;

/// The whole of `text` as a number from `least` to `most`.
template <class N>
N number(const std::string& option, std::string_view text, N least, N most) {
    N value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < least || value > most)
        throw UsageError(option + " " + std::string(text) + ": expected a number from " + std::to_string(least) +
                         " to " + std::to_string(most) + ".");
    return value;
}

void take_size(Options& options, const std::string& text) {
    const auto cross = text.find('x');
    if (cross == std::string::npos) throw UsageError("--size " + text + ": expected WIDTHxHEIGHT, as in 1600x900.");
    options.width = number("--size", std::string_view(text).substr(0, cross), kLeastSide, kMostSide);
    options.height = number("--size", std::string_view(text).substr(cross + 1), kLeastSide, kMostSide);
}

void take_theme(Options& options, const std::string& text) {
    if (text == "dark")
        options.theme = Theme::dark;
    else if (text == "light")
        options.theme = Theme::light;
    else
        throw UsageError("--theme " + text + ": expected dark or light.");
}

void take_lock(Options& options, const std::string& text) {
    if (text != "time" && text != "events") throw UsageError("--lock " + text + ": expected time or events.");
    options.lock = text == "time" ? Lock::time : Lock::number;
}

void take_sets(Options& options, const std::string& text) {
    if (text != "on" && text != "off") throw UsageError("--sets " + text + ": expected on or off.");
    options.sets = text == "on";
}

void take_at(Options& options, const std::string& text) {
    constexpr auto kEnd = std::numeric_limits<std::size_t>::max();
    options.at = text == "end" ? kEnd : number<std::size_t>("--at", text, 0, kEnd - 1);
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
    Options options;
    bool only_files = false;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& argument = arguments[i];
        if (only_files || argument.empty() || argument[0] != '-' || argument == "-") {
            options.files.push_back(argument);
            continue;
        }
        const auto value = [&]() -> const std::string& {
            if (i + 1 >= arguments.size()) throw UsageError(argument + " needs a value; --help shows which.");
            return arguments[++i];
        };
        if (argument == "--")
            only_files = true;
        else if (argument == "--help" || argument == "-h")
            options.help = true;
        else if (argument == "--render")
            options.render = value();
        else if (argument == "--size")
            take_size(options, value());
        else if (argument == "--at")
            take_at(options, value());
        else if (argument == "--theme")
            take_theme(options, value());
        else if (argument == "--scale")
            options.scale = number("--scale", value(), 0.5F, 4.0F);
        else if (argument == "--side-by-side")
            options.side_by_side = true;
        else if (argument == "--lock")
            take_lock(options, value());
        else if (argument == "--sets")
            take_sets(options, value());
        else if (argument == "--select")
            options.chosen = number<std::uint32_t>("--select", value(), 0, trace::kNone - 1);
        else
            throw UsageError(argument + " is no option; --help shows them.");
    }
    if (options.files.empty() && !options.help) throw UsageError("No trace is named; --help shows how.");
    return options;
}

std::string usage() {
    return "fiberscope-viewer FILE… [options]    replays traces; each file has a tab\n"
           "  --render OUT.png      write a picture of the window instead of showing it\n"
           "  --size 1600x900       size of the window or the picture, in pixels\n"
           "  --at EVENT            put the playhead after this event, by its number from 1 (0: before the first); or: "
           "end\n"
           "  --select CO           choose a coroutine, by its number\n"
           "  --side-by-side        all files at once, under one playhead; --at is an event of the first\n"
           "  --lock time|events    side by side: all at one time (time), or all at one event number\n"
           "  --sets on|off         queues and shapes, or events and registers (on); side by side: or states (off)\n"
           "  --theme dark|light    colours (dark)\n"
           "  --scale F             size of text, 0.5 to 4 (what the screen asks for)\n"
           "In the window, ? shows the keys.\n";
}

}  // namespace fiberscope::viewer
