// A lecture: notes at events of a trace, stored beside it. Each shows something, may ask a question, and explains it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/foreign.h"

namespace fiberscope::trace {

/// How a question is answered: aloud by the class; the coroutine that runs next; the set that the next one enters.
enum class Answer : std::uint8_t { aloud, coroutine, set };

struct Note {
    std::size_t event = 0;  ///< the playhead: number of events that have happened
    ForeignText says;  ///< part of that event's sentence, by which a test checks that the note still fits; may be empty
    /// Further settings of the view, as in a link of the viewer: "view=0..4800&with=other"; may be empty.
    ForeignText place;
    ForeignText question;  ///< asked before the text is shown; may be empty
    Answer answer = Answer::aloud;
    ForeignText text;
    std::size_t line = 0;  ///< line of the file on which it begins; 0 if it was not read from a file
};
struct Notes {
    ForeignText title;
    std::vector<Note> notes;  ///< in the order of the lecture
};

/// The path of the notes of `trace`: FILE.notes.json for FILE.json, in the same folder or in a folder `notes` beside
/// that; empty if there are none. For languages other than English FILE.notes.LANGUAGE.json, as in "zh".
std::filesystem::path notes_file(const std::filesystem::path& trace, std::string_view language = {});

/// Reads {"title"?: text, "notes": [{"event": number, "says"?: text, "place"?: text, "question"?: text, "answer"?:
/// "coroutine" or "set", "text": text}, …]}. Throws ReadError with the file and the line.
Notes read_notes(const std::filesystem::path& file);
/// Reads the text of such a file.
Notes parse_notes(std::string_view text, const std::filesystem::path& file);
/// The content of a file of notes; empty if it cannot be opened.
std::string bytes_of_notes(const std::filesystem::path& file);
/// Serializes notes in the format of read_notes().
std::string notes_as_json(const Notes& notes);
/// Returns `text` as a JSON string; invalid UTF-8 is replaced.
std::string json_text(std::string_view text);
/// Throws ReadError: this part of a note's `place`, on this line of the file, is invalid.
[[noreturn]] void refuse_place(const std::filesystem::path& file, std::size_t line, std::string_view part);

}  // namespace fiberscope::trace
