// The bytes of a JSON document, cut into values without building them: keeps only what is being read, whatever the
// layout of the document, and knows the line.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace fiberscope::trace {

/// Whether arrays and objects in `json` lie in each other more than `most` deep. What is built of such a text, and
/// taken down again, may need more stack than there is.
bool nests_deeper(std::string_view json, std::size_t most) noexcept;
inline constexpr std::size_t kDeepest = 64;

class Source {
  public:
    /// The longest value that is read whole, in bytes.
    static constexpr std::size_t kLongestValue = std::size_t{1} << 20;
    static constexpr int kEnd = -1;

    /// `size`: bytes of the document, 0 if it is not known.
    Source(std::istream& in, std::uint64_t size);

    /// The next byte that is no white space, not consumed; kEnd at the end.
    int peek();
    /// Consumes the byte that peek() answered.
    void skip() noexcept { ++pos_; }
    std::size_t line() const noexcept { return line_; }
    /// The bytes of the whole document by those consumed; 0 if that is not known.
    double whole() const noexcept { return static_cast<double>(size_) / static_cast<double>(consumed()); }
    /// Bytes.
    std::uint64_t consumed() const noexcept { return before_ + pos_; }

    /// The first bytes of the document, as far as they are read; before anything was consumed.
    std::string_view beginning() const noexcept { return buffer_; }
    /// If the rest of this line looks like one object: its text, not consumed. Else empty. Valid until the next call.
    std::string_view object_line();
    /// The text of the value that begins at the present byte, not consumed. `whole` is false if the document ends in
    /// it or if it is longer than kLongestValue (then the text is what there is of it). Valid until the next call.
    struct Value {
        std::string_view text;
        bool whole;
    };
    Value value();
    /// Consumes `text`, an answer of object_line() or value().
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
