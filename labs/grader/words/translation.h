// What a lab's process says of itself comes in English, from a signal handler or an exception. In another language the
// grader translates what it knows; the rest stands as it is.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace fiberscope::grader {

/// A sentence of the kit; "{0}", "{1}" … stand for what is filled in.
struct Translation {
    std::string_view english, chinese;
};

/// All that are known.
std::span<const Translation> translations() noexcept;

/// `english` in the language of say(); as it is if no translation fits.
std::string translated(std::string_view english);

/// The name of a task; one that has none is called by its number, "coroutine 3".
std::string waiter_in_words(std::string_view name);

/// The word of a state: "suspended".
std::string state_in_words(std::string_view state);

/// The same for several sentences with "; " between them, the first of which is one of the kit's.
std::string translated_beginning(std::string_view english);

/// Whether `text` is of a pattern in which "{0}", "{1}" … stand for anything.
bool fits(std::string_view text, std::string_view pattern);

/// What `text` says by the pattern `english`, said by the pattern `chinese`. `text` must fit.
std::string filled_in(std::string_view text, std::string_view english, std::string_view chinese);

}  // namespace fiberscope::grader
