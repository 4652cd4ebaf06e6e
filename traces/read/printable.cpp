#include "traces/read/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace fiberscope::trace {
namespace {

struct Character {
    std::uint32_t code = 0;
    std::size_t bytes = 0;  ///< 0: invalid UTF-8
};

/// Decodes the first character of `text`, which is not empty.
Character first_of(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t n = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < n) return {};
    std::uint32_t code = lead & (0x7fU >> n);
    for (std::size_t i = 1; i < n; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return {};
        code = code << 6U | (byte(i) & 0x3fU);
    }
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code < kLeast[n] || code > 0x10ffff || surrogate ? Character{} : Character{code, n};
}

bool turns_direction(std::uint32_t code) {
    return (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0x200e || code == 0x200f;
}

bool is_plain(std::uint32_t code) {
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
    return !control && !turns_direction(code);
}

void put_hex(std::string& out, std::uint32_t value, int digits) {
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += "0123456789abcdef"[value >> shift & 0xfU];
}

void put_escaped(std::string& out, std::uint32_t code) {
    if (code == '\n') {
        out += "\\n";
    } else if (code == '\t') {
        out += "\\t";
    } else if (code == '\r') {
        out += "\\r";
    } else {
        out += code < 0x100 ? "\\x" : "\\u";
        put_hex(out, code, code < 0x100 ? 2 : 4);
    }
}

}  // namespace

std::string printable(Foreign text) { return printable(text.bytes()); }

std::string printable(std::string_view text) {
    const bool simple = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    if (simple) return std::string(text);
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const Character c = first_of(text);
        if (c.bytes != 0 && is_plain(c.code))
            out += text.substr(0, c.bytes);
        else
            put_escaped(out, c.bytes != 0 ? c.code : static_cast<unsigned char>(text[0]));
        text.remove_prefix(c.bytes != 0 ? c.bytes : 1);
    }
    return out;
}

}  // namespace fiberscope::trace
