// Splits a JSON document into values without building them. Buffers only the current value, whatever the layout of the
// document, and counts lines.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace fiberscope::trace {

/// Whether arrays and objects in `json` are nested deeper than `most`. Building or destroying a deeper document may
/// overflow the stack.
bool nests_deeper(std::string_view json, std::size_t most) noexcept;
inline constexpr std::size_t kDeepest = 64;

class Source {
  public:
    /// The maximum length of a value that is read whole, in bytes.
    static constexpr std::size_t kLongestValue = std::size_t{1} << 20;
    static constexpr int kEnd = -1;

    /// `size`: bytes of the document, 0 if unknown.
    Source(std::istream& in, std::uint64_t size);

    /// The next byte that is not white space, not consumed; kEnd at the end.
    int peek();
    /// Consumes the byte that peek() returned.
    void skip() noexcept { ++pos_; }
    std::size_t line() const noexcept { return line_; }
    /// The size of the whole document divided by the bytes consumed; 0 if unknown.
    double whole() const noexcept { return static_cast<double>(size_) / static_cast<double>(consumed()); }
    /// Bytes.
    std::uint64_t consumed() const noexcept { return before_ + pos_; }

    /// The first bytes of the document, as far as they are buffered; to be called before anything is consumed.
    std::string_view beginning() const noexcept { return buffer_; }
    /// If the rest of this line looks like one object, its text, not consumed; else empty. Valid until the next call.
    std::string_view object_line();
    /// The text of the value that begins at the current byte, not consumed. `whole` is set to false if the document
    /// ends within the value or if it exceeds kLongestValue (then the text is incomplete). Valid until the next call.
    struct Value {
        std::string_view text;
        bool whole;
    };
    Value value();
    /// Consumes `text`, a result of object_line() or value().
    void consume(std::string_view text) noexcept;

  private:
    bool fill();
    std::size_t end_of_value();

    std::istream& in_;
    std::uint64_t size_, before_ = 0;  // of the document; of it before the buffer
    std::string buffer_;
    std::size_t pos_ = 0;
    std::size_t line_ = 1;
};

}  // namespace fiberscope::trace
