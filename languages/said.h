// Finds the text that an English sentence was made of, and says it again in the language of the reader. For what is
// English whatever the language: what stands in a recording, and what the rooms say that know no languages.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "languages/language.h"

namespace fiberscope {

/// `english`, a whole text of one of the rooms ("traces/read"; one that ends with '/' is all rooms in it) with values
/// in its places, in the language. The text whose own words are longest is taken; if there is none, `english` stays.
///
/// What fits in a place: "{0:number}" digits; "{0:word}" no space; "{0:state}", or another word, anything, which is
/// said by translated_as("state"); "{0}" anything, which is said by the same rooms; "{0:each}" several of that, as in
/// "'a' sleeps, 'b' is ready, and 2 more". Only the last has "; " in it. Of several texts with "; " between them each
/// is said. Each value is as short as it can be.
std::string translated(std::string_view english, Language language, std::initializer_list<std::string_view> rooms);

/// The same by the texts of all rooms that are marked with this context, as in mark("ready", "state"). The others have
/// none.
std::string translated_as(std::string_view context, std::string_view english, Language language);

}  // namespace fiberscope
