#include "extras/explore/schedule.h"

#include <charconv>

#include "languages/spoken_error.h"

namespace fiberscope::explore {

namespace {

constexpr std::string_view kDefault = "default", kSeenLater = "later";

[[noreturn]] void refuse(std::string_view part) {
    throw SpokenError("--schedule: '{0}' is not STEP:MACHINE or STEP:later; a schedule looks like 17:1,31:0", part);
}

template <class Number>
Number number_of(std::string_view text, std::string_view part) {
    unsigned long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto number = static_cast<Number>(value);
    if (error != std::errc() || end != text.data() + text.size() || number != value) refuse(part);
    return number;
}

Deviation parse_part(std::string_view part) {
    const std::size_t colon = part.find(':');
    if (colon == std::string_view::npos) refuse(part);
    const std::string_view machine = part.substr(colon + 1);
    const auto step = number_of<std::uint32_t>(part.substr(0, colon), part);
    return {step, machine == kSeenLater ? Deviation::kLater : number_of<std::uint8_t>(machine, part)};
}

}  // namespace

std::string text_of(const Schedule& schedule) {
    if (schedule.empty()) return std::string(kDefault);
    std::string text;
    for (const Deviation& one : schedule) {
        if (!text.empty()) text += ',';
        text += std::to_string(one.step) + ':';
        text += one.machine == Deviation::kLater ? std::string(kSeenLater) : std::to_string(one.machine);
    }
    return text;
}

Schedule parse_schedule(std::string_view text) {
    Schedule schedule;
    if (text == kDefault) return schedule;
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        schedule.push_back(parse_part(text.substr(0, comma)));
        const bool in_order = schedule.size() < 2 || schedule[schedule.size() - 2].step < schedule.back().step;
        if (!in_order) throw SpokenError("--schedule: steps must be in order, each at most once");
        text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    }
    return schedule;
}

}  // namespace fiberscope::explore
