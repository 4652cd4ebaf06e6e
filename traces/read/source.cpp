#include "traces/read/source.h"

#include <algorithm>
#include <cstring>
#include <istream>

namespace fiberscope::trace {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18;
constexpr std::size_t kLongestFastLine = 4096;
constexpr std::size_t kNotThere = std::string_view::npos;

bool is_space(char c) noexcept { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Finds the end of one JSON value, fed byte by byte. Brackets are counted, not matched: the parser checks that.
class ValueEnd {
  public:
    /// Whether the value ends before this byte (scalars) or at it; see consumed().
    bool feed(char c) noexcept {
        if (in_string_) return feed_string(c);
        switch (c) {
        case '"': in_string_ = true; return false;
        case '{':
        case '[': ++depth_; return false;
        case '}':
        case ']': return depth_ == 0 ? end(false) : --depth_ == 0 && end(true);
        case ',': return depth_ == 0 && end(false);
        default: return depth_ == 0 && is_space(c) && end(false);
        }
    }
    bool consumed() const noexcept { return consumed_; }

  private:
    bool feed_string(char c) noexcept {
        if (escaped_)
            escaped_ = false;
        else if (c == '\\')
            escaped_ = true;
        else if (c == '"') {
            in_string_ = false;
            return depth_ == 0 && end(true);
        }
        return false;
    }
    bool end(bool consumed) noexcept {
        consumed_ = consumed;
        return true;
    }
    std::size_t depth_ = 0;
    bool in_string_ = false, escaped_ = false, consumed_ = false;
};

}  // namespace

bool nests_deeper(std::string_view json, std::size_t most) noexcept {
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (in_string && c == '\\')
            ++i;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '[' || c == '{') && ++depth > most)
            return true;
        else if (!in_string && (c == ']' || c == '}') && depth > 0)
            --depth;
    }
    return false;
}

Source::Source(std::istream& in, std::uint64_t size) : in_(in), size_(size) {
    fill();
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (buffer_.starts_with(kByteOrderMark)) pos_ = kByteOrderMark.size();
}

bool Source::fill() {
    if (!in_) return false;
    buffer_.erase(0, pos_);
    before_ += pos_;
    pos_ = 0;
    const std::size_t had = buffer_.size();
    buffer_.resize(had + kChunk);
    in_.read(buffer_.data() + had, static_cast<std::streamsize>(kChunk));
    buffer_.resize(had + static_cast<std::size_t>(in_.gcount()));
    return buffer_.size() > had;
}

int Source::peek() {
    for (;;) {
        for (; pos_ < buffer_.size(); ++pos_) {
            const char c = buffer_[pos_];
            if (!is_space(c)) return static_cast<unsigned char>(c);
            if (c == '\n') ++line_;
        }
        if (!fill()) return kEnd;
    }
}

std::string_view Source::object_line() {
    if (buffer_.size() - pos_ < kLongestFastLine) fill();
    const char* begin = buffer_.data() + pos_;
    const void* newline = std::memchr(begin, '\n', std::min(kLongestFastLine, buffer_.size() - pos_));
    if (!newline) return {};
    std::string_view line(begin, static_cast<std::size_t>(static_cast<const char*>(newline) - begin));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.ends_with(',')) line.remove_suffix(1);
    return line.ends_with('}') ? line : std::string_view();
}

std::size_t Source::end_of_value() {
    ValueEnd end;
    for (std::size_t length = 0;; ++length) {
        if (length > kLongestValue) return kNotThere;
        if (pos_ + length == buffer_.size() && !fill()) return kNotThere;
        if (end.feed(buffer_[pos_ + length])) return end.consumed() ? length + 1 : length;
    }
}

Source::Value Source::value() {
    const std::size_t length = end_of_value();
    const std::string_view rest = std::string_view(buffer_).substr(pos_);
    if (length == kNotThere) return {rest.substr(0, kLongestValue + 1), false};
    return {rest.substr(0, length), true};
}

void Source::consume(std::string_view text) noexcept {
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    pos_ += text.size();
}

}  // namespace fiberscope::trace
