// Writes JSON text into memory that the caller owns. Everything here is async-signal-safe: no allocation, no locale, no
// stdio, and little stack, since a buffer may fill on a small coroutine stack.
#pragma once

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <system_error>

namespace fiberscope::trace::detail {

/// A cursor over a caller's buffer. Output that does not fit is discarded; callers provide enough room (kMostLine) to
/// prevent that. Forced inline where events are formatted, so that a local cursor is kept in registers: if it were in
/// memory, every byte written might alias it.
class Text {
  public:
    Text(char* begin, std::size_t size) noexcept : begin_(begin), at_(begin), end_(begin + size) {}

    [[gnu::always_inline]] void put(std::string_view bytes) noexcept {
        const std::size_t n = bytes.size() < room() ? bytes.size() : room();
        if (n <= kShort)
            copy_short(at_, bytes.data(), n);
        else
            std::memcpy(at_, bytes.data(), n);
        at_ += n;
    }
    /// A literal, whose size is a compile-time constant.
    template <std::size_t N>
    [[gnu::always_inline]] void put(const char (&literal)[N]) noexcept {
        if (room() < N - 1) return put(std::string_view(literal, N - 1));
        std::memcpy(at_, literal, N - 1);
        at_ += N - 1;
    }
    [[gnu::always_inline]] void put(char c) noexcept {
        if (at_ != end_) *at_++ = c;
    }
    /// Writes all of it, or nothing if it does not fit.
    template <std::integral Number>
    [[gnu::always_inline]] void number(Number value) noexcept {
        const std::to_chars_result result = std::to_chars(at_, end_, value);
        if (result.ec == std::errc()) at_ = result.ptr;
    }
    /// "0x2a", without quotes.
    void hex(std::uint64_t value) noexcept;
    /// `bytes` as the inside of a JSON string: escaped, with U+FFFD for invalid UTF-8.
    [[gnu::always_inline]] void escaped(std::string_view bytes) noexcept {
        const std::size_t n = bytes.size() < room() ? bytes.size() : room();
        for (std::size_t i = 0; i < n; ++i) {
            if (!is_plain(bytes[i])) [[unlikely]] {
                at_ = escape(at_ + i, end_, bytes.substr(i));
                return;
            }
            at_[i] = bytes[i];
        }
        at_ += n;
    }
    void quoted(std::string_view bytes) noexcept {
        put('"');
        escaped(bytes);
        put('"');
    }

    /// The position of the next byte; after writing there directly, call move_to(end).
    char* at() const noexcept { return at_; }
    void move_to(char* at) noexcept { at_ = at; }

    std::string_view view() const noexcept { return {begin_, size()}; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
    std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    /// Discards everything after the first `size` bytes.
    void shorten(std::size_t size) noexcept { at_ = begin_ + size; }

  private:
    static constexpr std::size_t kShort = 16;
    /// At most kShort bytes, in two pieces that may overlap: most texts in a trace are so short that a call would cost
    /// more.
    static void copy_short(char* to, const char* from, std::size_t n) noexcept {
        if (n >= 8)
            copy_ends<8>(to, from, n);
        else if (n >= 4)
            copy_ends<4>(to, from, n);
        else if (n >= 2)
            copy_ends<2>(to, from, n);
        else if (n == 1)
            *to = *from;
    }
    template <std::size_t Piece>
    static void copy_ends(char* to, const char* from, std::size_t n) noexcept {
        std::memcpy(to, from, Piece);
        std::memcpy(to + n - Piece, from + n - Piece, Piece);
    }

    static constexpr bool is_plain(char c) noexcept {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
    }
    // For text that needs escaping from its first byte on; returns the end of its output.
    static char* escape(char* at, char* end, std::string_view bytes) noexcept;
    void escape_character(unsigned char c) noexcept;

    char* begin_;
    char* at_;
    char* end_;
};

/// Bytes of the valid UTF-8 sequence that begins `bytes` (not empty): 1 to 4, or 0 if it is not valid.
std::size_t utf8_sequence(std::string_view bytes) noexcept;

/// The longest beginning of `bytes` of at most `most` bytes that does not cut a UTF-8 sequence.
std::string_view utf8_prefix(std::string_view bytes, std::size_t most) noexcept;

}  // namespace fiberscope::trace::detail
