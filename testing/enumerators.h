// Prints the names of enumerators in failed assertions: "State::ready == State::suspended", not "1 == 4". Included by
// testing/catch.h, after Catch2.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace fiberscope::testing {

/// "State::ready"; empty if no enumerator of E has that value.
template <class E, E value>
constexpr std::string_view enumerator() noexcept {
    // "… [with E = trace::State; E value = fiberscope::trace::State::ready; …]", or "(fiberscope::trace::State)9"
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("value = ") + 8);
    text = text.substr(0, text.find_first_of(";]"));
    if (text.starts_with("(") && !text.starts_with("(anonymous namespace)::")) return "";
    const std::size_t last = text.rfind("::");
    const std::size_t before = text.substr(0, last).rfind("::");
    return before == text.npos ? text : text.substr(before + 2);
}

inline constexpr std::size_t kMostEnumerators = 32;

template <class E, std::size_t... values>
constexpr auto enumerators(std::index_sequence<values...>) noexcept {
    return std::array{enumerator<E, static_cast<E>(values)>()...};
}

template <class E>
std::string enumerator_in_words(E value) {
    static constexpr auto kNames = enumerators<E>(std::make_index_sequence<kMostEnumerators>());
    const auto number = static_cast<std::size_t>(value);
    if (number < kNames.size() && !kNames[number].empty()) return std::string(kNames[number]);
    return std::to_string(static_cast<std::underlying_type_t<E>>(value));
}

}  // namespace fiberscope::testing

template <class E>
requires(std::is_enum_v<E> && !std::is_convertible_v<E, std::underlying_type_t<E>>) struct Catch::StringMaker<E> {
    static std::string convert(E value) { return fiberscope::testing::enumerator_in_words(value); }
};
