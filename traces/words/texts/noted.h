// What the demos of the labs note in their traces, in Chinese. A trace has the English words, whatever the language of
// the environment: so a recording is the same to the byte, and is translated when it is shown.
#pragma once

#include <span>
#include <string_view>

namespace fiberscope {

/// "{0}" … "{3}" stand for what is filled in.
struct Noted {
    std::string_view english, chinese;
    bool of_numbers = false;  ///< what is filled in are numbers: else a student's own words would be taken for it
};

std::span<const Noted> noted() noexcept;

/// The names that the labs give their sets, and what they order them by.
std::span<const Noted> set_words() noexcept;

}  // namespace fiberscope
