// The languages of the programs' output.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fiberscope {

enum class Language : std::uint8_t { english, chinese };

/// "en", "zh".
std::optional<Language> language_of(std::string_view word) noexcept;
/// The language of the environment: LC_ALL, else LC_MESSAGES, else LANG; Chinese if that begins with "zh".
Language language_of_environment();

}  // namespace fiberscope
