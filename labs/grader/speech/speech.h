// What `check` says to a student, in one language: its own texts, and the messages of a lab's process.
#pragma once

#include <string>
#include <string_view>

#include "languages/say.h"

namespace fiberscope::grader {

/// The language of all that is said from now on; English before.
void set_language(Language language) noexcept;
Language language() noexcept;

/// A text of the grader with its values (languages/say.h).
template <class... Values>
std::string says(Text text, const Values&... values) {
    return say(language(), text, values...);
}

/// A message of a lab (languages/message.h): a sentence of a test or of the kit, a title, what a stub shall do. What no
/// catalogue has stays as it is.
std::string sentence_in_words(std::string_view message);

/// The name of a test: its number stays.
std::string name_in_words(std::string_view name);

/// What a failed assertion says: `message` is what labs/kit/testing/reporter.cpp sends. Of the notes that hold there,
/// the nearest sentence is said, for one around it may be about another assertion; and the cases, in brackets:
/// those that are values (labs/kit/report/notes.h).
std::string failure_in_words(std::string_view message);

/// The columns that UTF-8 text takes on a terminal: two for a Chinese character.
std::size_t columns(std::string_view text) noexcept;

}  // namespace fiberscope::grader
