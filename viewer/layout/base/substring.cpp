#include "viewer/layout/base/substring.h"

#include <algorithm>

namespace fiberscope::viewer {
namespace {

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool has_substring(std::string_view text, std::string_view what) noexcept {
    const auto same = [](char a, char b) { return lower(a) == lower(b); };
    return std::search(text.begin(), text.end(), what.begin(), what.end(), same) != text.end() || what.empty();
}

}  // namespace fiberscope::viewer
