// Text that comes out of a file: a name, a reason, a note. The author of the file chose every byte of it.
#pragma once

#include <string>
#include <string_view>

namespace fiberscope::trace {

/// Bytes of a file. It can be compared and measured, but not printed, joined or drawn: nothing takes it but the one
/// function that makes it fit to be seen, printable() (read/printable.h). What is printable is put into JSON, SVG and
/// HTML by the one function of each, which escapes what those obey. Lives as long as what it was got from.
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
    /// For comparing, ordering and choosing fonts. Text that is shown goes through printable().
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
