#include "languages/language.h"

#include <cstdlib>

namespace fiberscope {

std::optional<Language> language_of(std::string_view word) noexcept {
    if (word == "en") return Language::english;
    if (word == "zh") return Language::chinese;
    return std::nullopt;
}

Language language_of_environment() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
        if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
            return std::string_view(value).starts_with("zh") ? Language::chinese : Language::english;
    return Language::english;
}

}  // namespace fiberscope
