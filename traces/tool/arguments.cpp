#include "traces/tool/arguments.h"

#include <charconv>
#include <cmath>
#include <cstdint>

namespace fiberscope::trace::tool {
namespace {

bool parse_whole(std::string_view text, auto& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

double unit_in_ns(std::string_view unit) {
    if (unit.empty() || unit == "ns") return 1;
    if (unit == "us" || unit == "µs") return 1e3;
    if (unit == "ms") return 1e6;
    return unit == "s" ? 1e9 : 0;
}

}  // namespace

std::uint64_t Arguments::number(std::string_view option, std::uint64_t least) const {
    const std::string& text = options.find(option)->second;
    std::uint64_t number = 0;
    if (!parse_whole(text, number) || number < least)
        throw UsageError("{0} needs a number from {1}, not \"{2}\".", option, least, text);
    return number;
}

std::uint64_t Arguments::time(std::string_view option) const {
    const std::string& text = options.find(option)->second;
    std::string_view digits = text;
    digits = digits.substr(0, digits.find_first_not_of("0123456789."));
    std::string_view unit = std::string_view(text).substr(digits.size());
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    double number = 0;
    if (digits.empty() || !parse_whole(digits, number) || unit_in_ns(unit) == 0 || number * unit_in_ns(unit) > 9e18)
        throw UsageError("{0} needs a time such as 850ns, 1.2ms or 3s, not \"{1}\".", option, text);
    return static_cast<std::uint64_t>(std::llround(number * unit_in_ns(unit)));
}

Language Arguments::language() const {
    const auto given = options.find("--language");
    if (given == options.end()) return language_of_environment();
    const auto language = language_of(given->second);
    if (!language) throw UsageError("--language: en or zh, not \"{0}\".", given->second);
    return *language;
}

}  // namespace fiberscope::trace::tool
