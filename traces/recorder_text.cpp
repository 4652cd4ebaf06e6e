#include "traces/recorder_text.h"

#include <array>

namespace fiberscope::trace::detail {
namespace {

constexpr std::array<char, 16> kHexDigits{'0', '1', '2', '3', '4', '5', '6', '7',
                                          '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

constexpr bool plain(unsigned char c) noexcept { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }
constexpr bool continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

void Text::number(std::uint64_t value) noexcept {
    std::array<char, 20> digits;
    std::size_t first = digits.size();
    do {
        digits[--first] = static_cast<char>('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(std::string_view(digits.data() + first, digits.size() - first));
}

void Text::number(std::int64_t value) noexcept {
    if (value >= 0) return number(static_cast<std::uint64_t>(value));
    put('-');
    number(0 - static_cast<std::uint64_t>(value));
}

void Text::hex(std::uint64_t value) noexcept {
    std::array<char, 16> digits;
    std::size_t first = digits.size();
    do {
        digits[--first] = kHexDigits[value % 16];
        value /= 16;
    } while (value != 0);
    put("0x");
    put(std::string_view(digits.data() + first, digits.size() - first));
}

void Text::escape(unsigned char c) noexcept {
    switch (c) {
    case '"': return put("\\\"");
    case '\\': return put("\\\\");
    case '\n': return put("\\n");
    case '\r': return put("\\r");
    case '\t': return put("\\t");
    default: break;
    }
    put("\\u00");
    put(kHexDigits[c / 16]);
    put(kHexDigits[c % 16]);
}

void Text::escaped(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        std::size_t n = 0;
        while (n < bytes.size() && plain(static_cast<unsigned char>(bytes[n]))) ++n;
        put(bytes.substr(0, n));
        bytes.remove_prefix(n);
        if (bytes.empty()) return;
        n = utf8_sequence(bytes);
        if (n == 1)
            escape(static_cast<unsigned char>(bytes[0]));
        else
            put(n == 0 ? std::string_view("\xef\xbf\xbd") : bytes.substr(0, n));
        bytes.remove_prefix(n == 0 ? 1 : n);
    }
}

std::size_t utf8_sequence(std::string_view bytes) noexcept {
    const auto lead = static_cast<unsigned char>(bytes[0]);
    if (lead < 0x80) return 1;
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || bytes.size() < n) return 0;
    for (std::size_t i = 1; i < n; ++i)
        if (!continuation(bytes[i])) return 0;
    const auto second = static_cast<unsigned char>(bytes[1]);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool no_character = (lead == 0xed && second >= 0xa0) || (lead == 0xf4 && second >= 0x90);
    return overlong || no_character ? 0 : n;
}

std::string_view utf8_prefix(std::string_view bytes, std::size_t most) noexcept {
    if (bytes.size() <= most) return bytes;
    std::size_t n = most;
    while (n > 0 && most - n < 3 && continuation(bytes[n])) --n;
    return bytes.substr(0, n);
}

}  // namespace fiberscope::trace::detail
