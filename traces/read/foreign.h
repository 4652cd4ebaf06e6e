// Untrusted text from a file: a name, a reason, a note. Every byte of it may be chosen by the author of the file.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::trace {

/// Bytes of a file. They can be compared and measured, but not printed, concatenated or drawn: the only function that
/// converts them to displayable text is printable() (read/printable.h). Printable text is put into JSON, SVG and HTML
/// by one escaping function for each. Valid as long as its source.
class Foreign {
  public:
    constexpr Foreign() = default;
    explicit constexpr Foreign(std::string_view bytes) noexcept : bytes_(bytes) {}

    constexpr bool empty() const noexcept { return bytes_.empty(); }
    constexpr std::size_t size() const noexcept { return bytes_.size(); }
    constexpr bool starts_with(std::string_view text) const noexcept { return bytes_.starts_with(text); }
    constexpr bool contains(std::string_view text) const noexcept { return bytes_.find(text) != bytes_.npos; }
    constexpr bool operator==(const Foreign&) const noexcept = default;
    constexpr bool operator==(std::string_view text) const noexcept { return bytes_ == text; }
    /// For comparing, ordering and choosing fonts. Text to be shown goes through printable().
    constexpr std::string_view bytes() const noexcept { return bytes_; }

  private:
    std::string_view bytes_;
};

/// Foreign text that owns its bytes.
class ForeignText {
  public:
    ForeignText() = default;
    explicit ForeignText(std::string bytes) noexcept : bytes_(std::move(bytes)) {}

    operator Foreign() const noexcept { return Foreign(bytes_); }
    bool empty() const noexcept { return bytes_.empty(); }
    bool operator==(const ForeignText&) const noexcept = default;
    bool operator<(const ForeignText& other) const noexcept { return bytes_ < other.bytes_; }
    bool operator==(std::string_view text) const noexcept { return bytes_ == text; }
    std::string_view bytes() const noexcept { return bytes_; }

  private:
    std::string bytes_;
};

}  // namespace fiberscope::trace
