// Notes at events of a trace, in a file beside it: what a teacher says at each, one after the other.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/foreign.h"

namespace fiberscope::trace {

struct Note {
    std::size_t event = 0;  ///< the playhead: so many events have happened
    ForeignText text;
    ForeignText says;  ///< part of that event's sentence, by which a test sees that the note still fits; may be empty
};
struct Notes {
    ForeignText title;
    std::vector<Note> notes;  ///< by event, ascending
};

/// Where the notes of `trace` are: FILE.notes.json for FILE.json, beside it or in a folder `notes` beside its folder;
/// an empty path if there are none. In another language than English FILE.notes.LANGUAGE.json, as in "zh".
std::filesystem::path notes_file(const std::filesystem::path& trace, std::string_view language = {});

/// Reads {"title": text, "notes": [{"event": number, "text": text, "says"?: text}, …]}. Throws ReadError, which names
/// the file.
Notes read_notes(const std::filesystem::path& file);

}  // namespace fiberscope::trace
