#include "viewer/layout/base/fitting.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

bool is_number(std::string_view word) {
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "03" of "worker 03", "B" of "task B", "(2)" of "worker (2)"; empty if the name does not end so.
std::string_view tail_of(std::string_view name) {
    const auto space = name.find_last_of(' ');
    if (space == std::string_view::npos || space + 1 == name.size()) return {};
    const std::string_view tail = name.substr(space + 1);
    const bool bracket = tail.size() > 2 && tail.front() == '(' && tail.back() == ')';
    return tail.size() == 1 || is_number(bracket ? tail.substr(1, tail.size() - 2) : tail) ? tail : std::string_view();
}

}  // namespace

std::string fitting_whole(const Metrics& metrics, float width, std::string_view text) {
    return metrics.width(text) + 0.3F * metrics.em <= width ? std::string(text) : std::string();
}

std::string fitting_name(const Metrics& metrics, float width, std::string_view name) {
    const float room = width - 0.2F * metrics.em;
    if (room < 0.6F * metrics.em) return {};
    if (metrics.width(name) <= room) return std::string(name);
    if (const std::string_view tail = tail_of(name); !tail.empty())
        return metrics.width(tail) <= room ? std::string(tail) : std::string();
    for (std::size_t length = name.size(); --length >= 2;) {
        const bool whole_character = (static_cast<unsigned char>(name[length]) & 0xC0U) != 0x80U;
        if (!whole_character || name[length - 1] == '.' || name[length - 1] == ' ') continue;
        std::string cut = std::string(name.substr(0, length)) + "…";
        if (metrics.width(cut) <= room) return cut;
    }
    return {};
}

std::string fitting_lane_name(const Metrics& metrics, float width, std::string_view name) {
    const float room = width - 0.2F * metrics.em;
    if (room < 0.6F * metrics.em) return {};
    if (metrics.width(name) <= room) return std::string(name);
    const std::string_view tail = tail_of(name);
    for (std::size_t length = name.size() - tail.size(); --length >= 1 && length < name.size();) {
        const bool whole_character = (static_cast<unsigned char>(name[length]) & 0xC0U) != 0x80U;
        if (!whole_character || name[length - 1] == '.' || name[length - 1] == ' ') continue;
        std::string cut = std::string(name.substr(0, length)) + "…" + std::string(tail);
        if (metrics.width(cut) <= room) return cut;
    }
    return {};
}

std::string fitting_key(const Metrics& metrics, float width, std::string_view key) {
    const float room = width - 0.2F * metrics.em;
    if (metrics.width(key) <= room) return std::string(key);
    const auto space = key.find(' ');
    const std::string_view before = key.substr(0, space);
    const std::string_view after = space == std::string_view::npos ? std::string_view() : key.substr(space + 1);
    for (const std::string_view part : {before, after})
        if (is_number(part) && metrics.width(part) <= room) return std::string(part);
    return {};
}

std::string first_fitting(const Metrics& metrics, float width, std::initializer_list<std::string> texts) {
    for (const std::string& text : texts)
        if (metrics.width(text) <= width) return text;
    return *(texts.end() - 1);
}

std::vector<std::string> wrapped(const Metrics& metrics, float first, float width, std::string_view text,
                                 std::size_t most) {
    std::vector<std::string> lines;
    std::string line;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        const std::string longer = line + (line.empty() ? "" : " ") + std::string(text.substr(0, end));
        if (metrics.width(longer) > (lines.empty() ? first : width)) {
            if (line.empty() || lines.size() + 1 == most) return {};
            lines.push_back(line);
            line.clear();
            continue;
        }
        line = longer;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    lines.push_back(line);
    return lines;
}

}  // namespace fiberscope::viewer
