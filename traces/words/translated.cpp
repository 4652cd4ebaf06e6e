#include "traces/words/translated.h"

#include "languages/said.h"
#include "traces/words/sets.h"

namespace fiberscope::trace {

std::string translated(std::string_view english, Language language) {
    return fiberscope::translated(english, language, {"traces/read", "traces/check", "traces/tool", "labs/explore"});
}

std::string translated_note(std::string_view english, Language language) {
    return translated_as("note", english, language);
}

std::string set_in(std::string_view name, Language language) { return translated_as("set", name, language); }

std::string order_in(std::string_view key, Language language) { return translated_as("order", key, language); }

std::string name_in(const Trace& trace, std::uint32_t co, Language language) {
    return translated_as("name", trace.name(co), language);
}

}  // namespace fiberscope::trace
