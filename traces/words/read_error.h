// What the reader of files says, in the language of the reader of the screen.
#pragma once

#include <string>
#include <string_view>

#include "traces/words/texts/say.h"

namespace fiberscope::trace {

/// The reader knows no languages: it says what is wrong with a file in English. This finds its sentence, and what
/// stands in it, among the texts of the English table. What is not there stays as it is.
std::string read_error(std::string_view english, Language language);

}  // namespace fiberscope::trace
