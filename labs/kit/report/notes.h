// The INFOs around a failed assertion: distinguishes sentences from those that only identify the case.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "languages/message.h"

namespace fiberscope::kit {

/// "seed 7", "gs, 2 machines": not a sentence, but the current value of a loop. A value of many words is in
/// parentheses: "(the top of the stack is 0x7f0000000000)".
inline bool is_value(std::string_view message) {
    const std::string note = english_of(message);
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

/// The way a recorded run ended, or the invariant that its trace breaks (labs/kit/testing/recorded.h).
inline constexpr Text kEndedBySignal = mark("ended by signal {0}: {1}"),
                      kEndedWithStatus = mark("ended with status {0}: {1}"), kEventBreaks = mark("event {0}: {1}");

/// Whether a message is one of these, as opposed to a test's sentence.
constexpr bool is_fault(std::string_view note) noexcept {
    const std::string_view text = note.substr(0, note.find('\t'));
    return text == kEndedBySignal.english || text == kEventBreaks.english;
}

/// The English of a message, for an INFO or a comparison. In a failed assertion it is replaced by the message before it
/// is sent to the grader (message_told).
inline std::string told(const std::string& message);
/// The message whose English this is; other text is unchanged.
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
