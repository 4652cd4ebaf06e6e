// The INFOs around a failed assertion: which of them are sentences, and which only say which case it is.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "languages/message.h"

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

/// How a recorded run ended, or what its trace breaks (labs/kit/testing/recorded.h).
inline constexpr Text kEndedBySignal = mark("ended by signal {0}: {1}"),
                      kEndedWithStatus = mark("ended with status {0}: {1}"), kEventBreaks = mark("event {0}: {1}");

/// Whether a message is one of these: told, and no test's sentence.
constexpr bool is_fault(std::string_view note) noexcept {
    const std::string_view text = note.substr(0, note.find('\t'));
    return text == kEndedBySignal.english || text == kEventBreaks.english;
}

/// The English of a message, for an INFO or a comparison: what a failed assertion has of it is sent to the grader as
/// the message (message_told).
inline std::string told(const std::string& message);
/// The message of which this English was told; other words stay as they are.
inline std::string message_told(const std::string& english);

namespace detail {
inline std::map<std::string, std::string>& told_messages() {
    static std::map<std::string, std::string> all;
    return all;
}
}  // namespace detail

std::string told(const std::string& message) {
    std::string english = english_of(message);
    if (english != message) detail::told_messages()[english] = message;
    return english;
}
std::string message_told(const std::string& english) {
    const auto& all = detail::told_messages();
    const auto found = all.find(english);
    return found == all.end() ? english : found->second;
}

}  // namespace fiberscope::kit
