// Text formatting for signal handlers: no allocation, no locale, no stdio.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fiberscope::kit {

class SignalText {
  public:
    SignalText& operator<<(std::string_view words) noexcept {
        for (const char c : words)
            if (size_ + 1 < sizeof text_) text_[size_++] = c;
        return *this;
    }
    SignalText& operator<<(std::uint64_t number) noexcept {
        char digits[20];
        std::size_t n = 0;
        do digits[n++] = static_cast<char>('0' + number % 10);
        while ((number /= 10) != 0);
        while (n > 0) *this << std::string_view(&digits[--n], 1);
        return *this;
    }
    std::string_view view() const noexcept { return {text_, size_}; }
    const char* c_str() noexcept {
        text_[size_] = '\0';
        return text_;
    }

  private:
    char text_[1024];
    std::size_t size_ = 0;
};

}  // namespace fiberscope::kit
