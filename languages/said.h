// Finds the text that an English sentence was made of, and says it again in the language of the reader. For what is
// English whatever the language: what stands in a recording, and what the rooms say that know no languages.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "languages/language.h"

namespace fiberscope {

/// `english`, a whole text of one of the rooms ("traces/read"; one that ends with '/' is all rooms in it) with values
/// in its places, in the language. The text whose own words are longest is taken. Nothing if there is none, and in
/// English.
///
/// What fits in a place: "{0:number}" digits; "{0:word}" no space; "{0:name}" anything; "{0:state}", or another word,
/// anything, which is said as a text of that context; "{0}" anything, which is said by the same rooms. A value has
/// "; " in it only at the end of a text. Of the rest it is as short as it can be.
std::optional<std::string> find_said(std::string_view english, Language language,
                                     std::initializer_list<std::string_view> rooms);

/// The same; what is not found stays as it is.
std::string translated(std::string_view english, Language language, std::initializer_list<std::string_view> rooms);

}  // namespace fiberscope
