// A lecture: notes at events of a trace, in a file beside it. What a teacher shows, asks and says, one after the other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/foreign.h"

namespace fiberscope::trace {

/// What answers a question: the class, aloud; the coroutine that runs next; the set into which the next one goes.
enum class Answer : std::uint8_t { aloud, coroutine, set };

struct Note {
    std::size_t event = 0;  ///< the playhead: so many events have happened
    ForeignText says;  ///< part of that event's sentence, by which a test sees that the note still fits; may be empty
    /// What else is shown, as a link of the viewer says it: "view=0..4800&with=other"; may be empty.
    ForeignText place;
    ForeignText question;  ///< asked before the text is shown; may be empty
    Answer answer = Answer::aloud;
    ForeignText text;
    std::size_t line = 0;  ///< of the file in which it begins; 0: it was not read from one
};
struct Notes {
    ForeignText title;
    std::vector<Note> notes;  ///< in the order of the lecture
};

/// Where the notes of `trace` are: FILE.notes.json for FILE.json, beside it or in a folder `notes` beside its folder;
/// an empty path if there are none. In another language than English FILE.notes.LANGUAGE.json, as in "zh".
std::filesystem::path notes_file(const std::filesystem::path& trace, std::string_view language = {});

/// Reads {"title"?: text, "notes": [{"event": number, "says"?: text, "place"?: text, "question"?: text,
/// "answer"?: "coroutine" or "set", "text": text}, …]}. Throws ReadError, which names the file and the line.
Notes read_notes(const std::filesystem::path& file);
/// The same of the text of a file.
Notes parse_notes(std::string_view text, const std::filesystem::path& file);
/// The bytes of a file of notes; empty if it cannot be opened.
std::string bytes_of_notes(const std::filesystem::path& file);
/// What read_notes() reads again.
std::string notes_as_json(const Notes& notes);
/// Returns `text` as a string of JSON; bytes that are no UTF-8 are replaced.
std::string json_text(std::string_view text);
/// Throws ReadError: this part of the place of a note, in this line of the file, says nothing.
[[noreturn]] void refuse_place(const std::filesystem::path& file, std::size_t line, std::string_view part);

}  // namespace fiberscope::trace
