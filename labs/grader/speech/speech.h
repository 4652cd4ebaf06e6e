// The output of `check` in the student's language: the grader's texts, and messages from a lab's process.
#pragma once

#include <string>
#include <string_view>

#include "languages/say.h"

namespace fiberscope::grader {

/// Sets the language of all further output; initially English.
void set_language(Language language) noexcept;
Language language() noexcept;

/// A text of the grader with its values (languages/say.h).
template <class... Values>
std::string says(Text text, const Values&... values) {
    return say(language(), text, values...);
}

/// A message of a lab (languages/message.h): a sentence of a test or of the kit, a title, the task of a stub. Text that
/// is not in any catalogue is unchanged.
std::string sentence_in_words(std::string_view message);

/// The name of a test, with its number unchanged.
std::string name_in_words(std::string_view name);

/// The text of a failed assertion: `message` comes from labs/kit/testing/reporter.cpp. Of the notes in effect only the
/// nearest sentence is shown, because outer ones may be about another assertion, followed in parentheses by the notes
/// that identify the case (labs/kit/report/notes.h).
std::string failure_in_words(std::string_view message);

/// The display width of UTF-8 text: a Chinese character takes two columns.
std::size_t columns(std::string_view text) noexcept;

}  // namespace fiberscope::grader
