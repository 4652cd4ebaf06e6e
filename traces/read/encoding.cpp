#include "traces/read/encoding.h"

#include <algorithm>

namespace fiberscope::trace {
namespace {

using namespace std::string_view_literals;

/// The byte order mark, or without one the pattern of zero bytes in the first two characters, which are ASCII.
struct Encoding {
    std::string_view mark, zeros, name;
};
constexpr Encoding kEncodings[] = {{"\xFF\xFE\0\0"sv, "x000", "UTF-32LE"},
                                   {"\0\0\xFE\xFF"sv, "000x", "UTF-32BE"},
                                   {"\xFF\xFE"sv, "x0x0", "UTF-16LE"},
                                   {"\xFE\xFF"sv, "0x0x", "UTF-16BE"}};

bool has_zeros(std::string_view text, std::string_view zeros) noexcept {
    return text.size() >= zeros.size() && std::equal(zeros.begin(), zeros.end(), text.begin(),
                                                     [](char zero, char c) { return (zero == '0') == (c == '\0'); });
}

}  // namespace

std::string_view wide_encoding(std::string_view json) noexcept {
    for (const Encoding& one : kEncodings)
        if (json.starts_with(one.mark) || has_zeros(json, one.zeros)) return one.name;
    return {};
}

}  // namespace fiberscope::trace
