// Checks the fields of an event against the table of events, and stores them in the members that the table names.
#pragma once

#include <string>

#include "languages/spoken_error.h"
#include "traces/read/raw_event.h"
#include "traces/schema/schema.h"

namespace fiberscope::trace {

/// The end of an error message: "expected a number in "to"".
class FieldError : public SpokenError {
    using SpokenError::SpokenError;
};

/// The texts of an event, which the reader interns.
struct EventTexts {
    const std::string* text = nullptr;    ///< Event::text
    const std::string* values = nullptr;  ///< after a tab in Event::text
    const std::string* other = nullptr;   ///< Event::other of a `set` event: the description of its key
    const std::string* set = nullptr;     ///< name of the set; Event::set
};

/// Fills `event` and `texts` from `raw`. Returns false for an unknown kind. Throws FieldError.
bool convert(const RawEvent& raw, Event& event, EventTexts& texts);

}  // namespace fiberscope::trace
