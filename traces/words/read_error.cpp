#include "traces/words/read_error.h"

#include <array>
#include <optional>

namespace fiberscope::trace {
namespace {

constexpr std::size_t kMostPieces = 3;
using Pieces = std::array<std::string_view, kMostPieces>;

/// Where "{0}", "{1}" or "{2}" begins in `pattern`; npos if there is none.
std::size_t place_in(std::string_view pattern) noexcept {
    for (std::size_t at = 0; at + 2 < pattern.size(); ++at)
        if (pattern[at] == '{' && pattern[at + 1] >= '0' && pattern[at + 1] <= '2' && pattern[at + 2] == '}') return at;
    return std::string_view::npos;
}

/// What stands in the places of `pattern` in `text`, each as short as it can be; nothing if it is another sentence.
std::optional<Pieces> values_in(std::string_view pattern, std::string_view text) {
    Pieces values;
    while (true) {
        const std::size_t place = place_in(pattern);
        const std::string_view before = pattern.substr(0, place);
        if (!text.starts_with(before)) return std::nullopt;
        text.remove_prefix(before.size());
        if (place == std::string_view::npos) return text.empty() ? std::optional(values) : std::nullopt;
        const auto number = static_cast<std::size_t>(pattern[place + 1] - '0');
        pattern.remove_prefix(place + 3);
        const std::string_view next = pattern.substr(0, place_in(pattern));
        const bool last = next.size() == pattern.size();
        if (last && !text.ends_with(next)) return std::nullopt;
        const std::size_t end = last ? text.size() - next.size() : text.find(next);
        if (end == std::string_view::npos) return std::nullopt;
        values[number] = text.substr(0, end);
        text.remove_prefix(end);
    }
}

}  // namespace

std::string read_error(std::string_view english, Language language) {
    if (language == Language::english) return std::string(english);
    for (auto key = T::r_line; key <= T::r_machines; key = static_cast<T>(static_cast<int>(key) + 1))
        if (const auto values = values_in(text_of(key, Language::english), english))
            return say(language, key, read_error((*values)[0], language), read_error((*values)[1], language),
                       read_error((*values)[2], language));
    return std::string(english);
}

}  // namespace fiberscope::trace
