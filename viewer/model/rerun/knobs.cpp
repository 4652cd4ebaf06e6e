#include "viewer/model/rerun/knobs.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostKnobs = 16, kLongestWord = 200;  // knobs; bytes of a word
constexpr std::pair<std::string_view, KnobKind> kKnobKinds[] = {
    {"choice", KnobKind::choice}, {"number", KnobKind::number}, {"time", KnobKind::time}, {"file", KnobKind::file}};

std::vector<std::string> knob_parts(std::string_view text, char between) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(between), text.size());
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// Whether `text` is valid as an option's name or value, which is shown and passed to a program.
bool is_knob_word(std::string_view text) {
    constexpr std::string_view kMore = "_-.";
    return !text.empty() && text.size() <= kLongestWord && text.front() != '-' &&
           std::all_of(text.begin(), text.end(), [&](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      kMore.find(c) != std::string_view::npos;
           });
}

std::optional<Knob> read_knob(std::string_view line) {
    std::vector<std::string> fields = knob_parts(line, '\t');
    fields.resize(5);
    Knob knob{fields[0], KnobKind::number, fields[2], knob_parts(fields[3], ','), knob_parts(fields[4], ',')};
    const auto* kind = std::find_if(std::begin(kKnobKinds), std::end(kKnobKinds),
                                    [&](const auto& known) { return known.first == fields[1]; });
    if (kind == std::end(kKnobKinds) || !is_knob_word(knob.name) || (!knob.value.empty() && !is_knob_word(knob.value)))
        return std::nullopt;
    knob.kind = kind->second;
    if (!std::all_of(knob.choices.begin(), knob.choices.end(), is_knob_word)) return std::nullopt;
    if (knob.kind == KnobKind::choice && knob.choices.empty()) return std::nullopt;
    return knob;
}

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<Knob> read_knobs(std::string_view printed) {
    std::vector<Knob> knobs;
    for (const std::string& line : knob_parts(printed, '\n'))
        if (auto knob = read_knob(line); knob && knobs.size() < kMostKnobs) knobs.push_back(std::move(*knob));
    return knobs;
}

AsRecorded as_recorded(const trace::Trace& trace) {
    return {std::string(trace.head.strategy.bytes()), std::string(trace.head.seed.bytes()), trace.machines()};
}

void turn_to(std::vector<Knob>& knobs, const AsRecorded& recorded) {
    for (Knob& knob : knobs) {
        const auto& all = knob.choices;
        if (knob.name == "strategy" && std::find(all.begin(), all.end(), recorded.strategy) != all.end())
            knob.value = recorded.strategy;
        if (knob.name == "seed" && is_digits(recorded.seed) && is_knob_word(recorded.seed)) knob.value = recorded.seed;
    }
    for (Knob& knob : knobs)
        if (knob.name == "machines" && acts(knob, knobs) && recorded.machines > 0)
            knob.value = std::to_string(recorded.machines);
}

bool acts(const Knob& knob, const std::vector<Knob>& knobs) {
    const auto strategy = std::find_if(knobs.begin(), knobs.end(), [](const Knob& k) { return k.name == "strategy"; });
    return knob.only_with.empty() || strategy == knobs.end() ||
           std::find(knob.only_with.begin(), knob.only_with.end(), strategy->value) != knob.only_with.end();
}

std::string wrong_with(const Knob& knob, Language language) {
    if (knob.value.empty()) return {};
    const bool wrong = knob.kind == KnobKind::file     ? knob.value.front() == '-'
                       : knob.kind == KnobKind::number ? !is_digits(knob.value)
                                                       : !is_knob_word(knob.value);
    if (!wrong) return {};
    if (knob.kind == KnobKind::number) return say(language, "{0}: expected a whole number.", knob.name);
    if (knob.kind == KnobKind::time) return say(language, "{0}: expected a time, as in 10us.", knob.name);
    return say(language, "{0}: invalid value.", knob.name);
}

std::vector<std::string> arguments_of(const std::vector<Knob>& knobs) {
    std::vector<std::string> all;
    for (const Knob& knob : knobs)
        if (!knob.value.empty() && acts(knob, knobs)) all.insert(all.end(), {"--" + knob.name, knob.value});
    return all;
}

}  // namespace fiberscope::viewer
