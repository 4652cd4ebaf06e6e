// The INFOs around a failed assertion: which of them are sentences, and which only say which case it is.
#pragma once

#include <string_view>

namespace fiberscope::kit {

/// "seed 7", "gs, 2 machines": no sentence, but a value that a loop has reached. One of many words stands in brackets:
/// "(the top of the stack is 0x7f0000000000)".
constexpr bool is_value(std::string_view note) noexcept {
    if (note.starts_with('(') && note.ends_with(')')) return true;
    constexpr int kFew = 4;
    int words = 0;
    bool inside = false;
    for (const char c : note) {
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter && !inside) ++words;
        inside = letter;
    }
    return words < kFew;
}

/// How a recorded run ended, or what its trace breaks (labs/kit/testing/recorded.h): told, and no test's sentence.
constexpr bool is_fault(std::string_view note) noexcept {
    constexpr std::string_view kEvent = "event ";
    if (note.starts_with("ended by signal ")) return true;
    return note.starts_with(kEvent) && note.substr(kEvent.size()).find(": ") < note.substr(kEvent.size()).find(' ');
}

}  // namespace fiberscope::kit
