// Checks the fields of an event against the table of events, and puts them where the table says.
#pragma once

#include <string>

#include "languages/spoken_error.h"
#include "traces/read/raw_event.h"
#include "traces/schema/schema.h"

namespace fiberscope::trace {

/// What an event should have said, as the end of a sentence: "expected a number in "to"".
class FieldError : public SpokenError {
    using SpokenError::SpokenError;
};

/// The texts of an event, which the reader interns.
struct EventTexts {
    const std::string* text = nullptr;    ///< Event::text
    const std::string* values = nullptr;  ///< behind a tab in Event::text
    const std::string* other = nullptr;   ///< Event::other of a `set` event: the words of its key
    const std::string* set = nullptr;     ///< name of the set; Event::set
};

/// Fills `event` and `texts` from `raw`. False if its kind is one that this version does not know. Throws FieldError.
bool convert(const RawEvent& raw, Event& event, EventTexts& texts);

}  // namespace fiberscope::trace
