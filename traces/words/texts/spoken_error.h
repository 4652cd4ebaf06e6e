// An error that can be said in each language.
#pragma once

#include <stdexcept>
#include <string>

#include "traces/words/texts/say.h"

namespace fiberscope {

class SpokenError : public std::runtime_error {
  public:
    /// `sentence`: a text of the table, with `value` in its place; what() has it in English.
    explicit SpokenError(TypedText sentence, const Value& value = "")
        : std::runtime_error(say(Language::english, sentence, value)), sentence_(sentence), value_(value) {}
    std::string in(Language language) const { return say(language, sentence_, value_); }

  private:
    TypedText sentence_;
    Value value_;
};

}  // namespace fiberscope
