// Writes JSON text into memory that the caller owns. Everything here is async-signal-safe: no allocation, no locale, no
// stdio, and little stack, since a buffer may fill on a small coroutine stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace fiberscope::trace::detail {

/// A cursor over a caller's buffer. What does not fit is left out; callers keep enough room (kMostLine) to prevent it.
class Text {
  public:
    Text(char* begin, std::size_t size) noexcept : begin_(begin), at_(begin), end_(begin + size) {}

    void put(std::string_view bytes) noexcept {
        const std::size_t n = bytes.size() < room() ? bytes.size() : room();
        std::memcpy(at_, bytes.data(), n);
        at_ += n;
    }
    void put(char c) noexcept {
        if (at_ != end_) *at_++ = c;
    }
    void number(std::uint64_t value) noexcept;
    void number(std::int64_t value) noexcept;
    /// "0x2a", without quotes.
    void hex(std::uint64_t value) noexcept;
    /// `bytes` as the inside of a JSON string: escaped, and U+FFFD for what is not valid UTF-8.
    void escaped(std::string_view bytes) noexcept;
    void quoted(std::string_view bytes) noexcept {
        put('"');
        escaped(bytes);
        put('"');
    }

    std::string_view view() const noexcept { return {begin_, size()}; }
    std::size_t size() const noexcept { return static_cast<std::size_t>(at_ - begin_); }
    std::size_t room() const noexcept { return static_cast<std::size_t>(end_ - at_); }
    /// Takes back what was written beyond the first `size` bytes.
    void shorten(std::size_t size) noexcept { at_ = begin_ + size; }

  private:
    void escape(unsigned char c) noexcept;

    char* begin_;
    char* at_;
    char* end_;
};

/// Bytes of the valid UTF-8 sequence that begins `bytes` (not empty): 1 to 4, or 0 if it is not valid.
std::size_t utf8_sequence(std::string_view bytes) noexcept;

/// The longest beginning of `bytes` of at most `most` bytes that does not cut a UTF-8 sequence.
std::string_view utf8_prefix(std::string_view bytes, std::size_t most) noexcept;

}  // namespace fiberscope::trace::detail
