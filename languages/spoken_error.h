// An error that can be said in each language.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope {

class SpokenError : public std::runtime_error {
  public:
    /// `sentence` with the values in its places; what() has it in English.
    template <class... Values>
    explicit SpokenError(Text sentence, const Values&... values)
        : std::runtime_error(in_english(sentence, values...)), sentence_(sentence), values_{Value(values)...} {}
    std::string in(Language language) const { return filled(text_of(sentence_, language), language, values_); }

  private:
    Text sentence_;
    std::vector<Value> values_;
};

}  // namespace fiberscope
