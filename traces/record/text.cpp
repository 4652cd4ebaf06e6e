#include "traces/record/text.h"

namespace fiberscope::trace::detail {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

constexpr bool continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

}  // namespace

void Text::hex(std::uint64_t value) noexcept {
    put("0x");
    const std::to_chars_result result = std::to_chars(at_, end_, value, 16);
    if (result.ec == std::errc()) at_ = result.ptr;
}

void Text::escape_character(unsigned char c) noexcept {
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

char* Text::escape(char* at, char* end, std::string_view bytes) noexcept {
    Text out(at, static_cast<std::size_t>(end - at));
    while (!bytes.empty()) {
        const std::size_t n = utf8_sequence(bytes);
        if (is_plain(bytes[0]))
            out.put(bytes[0]);
        else if (n == 1)
            out.escape_character(static_cast<unsigned char>(bytes[0]));
        else
            out.put(n == 0 ? std::string_view("\xef\xbf\xbd") : bytes.substr(0, n));
        bytes.remove_prefix(n == 0 ? 1 : n);
    }
    return out.at_;
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
