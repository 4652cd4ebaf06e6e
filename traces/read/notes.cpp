#include "traces/read/notes.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "languages/message.h"
#include "traces/read/encoding.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/read/source.h"

namespace fiberscope::trace {
namespace {

using Json = nlohmann::json;

/// The maximum size of a file of notes, which is written by hand or note by note.
constexpr std::size_t kMostBytes = 1 << 20;
/// By trace::Answer.
constexpr std::array<std::string_view, 3> kAnswers{"aloud", "coroutine", "set"};

[[noreturn]] void refuse_notes(const std::filesystem::path& file, std::size_t line, const std::string& why) {
    throw ReadError(message("{0}, line {1}: {2}; expected {3}", printable(file.string()), line, Value::of(why),
                            R"({"notes": [{"event": 1, "text": "…"}]}.)"));
}

/// Wraps a text for a parser that does not report its position: `read` does.
struct Characters {
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    reference operator*() const noexcept { return *at; }
    Characters& operator++() noexcept {
        *read = ++at;
        return *this;
    }
    Characters operator++(int) noexcept {
        const Characters before = *this;
        ++*this;
        return before;
    }
    bool operator==(const Characters& other) const noexcept { return at == other.at; }
    bool operator!=(const Characters& other) const noexcept { return at != other.at; }

    const char* at;
    const char** read;
};

/// A file of notes as JSON, and the lines on which its notes begin.
struct Parsed {
    Json json;
    std::vector<std::size_t> lines;
};

std::size_t line_at(std::string_view text, std::size_t byte) {
    const std::string_view before = text.substr(0, byte);
    return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

Parsed parsed(std::string_view text, const std::filesystem::path& file) {
    Parsed out;
    const char* read = text.data();
    bool notes = false;
    const auto see = [&](int depth, Json::parse_event_t what, Json& value) {
        using What = Json::parse_event_t;
        if (what == What::key && depth == 1) notes = value == "notes";
        const bool begins = what == What::object_start || what == What::array_start || what == What::value;
        if (notes && depth == 2 && begins)
            out.lines.push_back(line_at(text, static_cast<std::size_t>(read - text.data()) - 1));
        return true;
    };
    try {
        out.json = Json::parse(Characters{text.data(), &read}, Characters{text.data() + text.size(), &read}, see);
    } catch (const Json::parse_error& error) {
        refuse_notes(file, line_at(text, error.byte == 0 ? 0 : error.byte - 1), message("is not JSON"));
    }
    return out;
}

/// The texts of a note, by the names of their fields.
constexpr std::array kTexts{std::pair{"says", &Note::says}, std::pair{"place", &Note::place},
                            std::pair{"question", &Note::question}, std::pair{"text", &Note::text}};

Note note_of(const Json& json, std::size_t line, const std::filesystem::path& file) {
    const auto refuse = [&](const std::string& why) { refuse_notes(file, line, why); };
    if (!json.is_object() || !json.contains("event") || !json["event"].is_number_unsigned() || !json.contains("text"))
        refuse(message("a note has no event or no text"));
    Note note;
    note.line = line;
    for (const auto& [key, value] : json.items()) {
        const auto text =
            std::find_if(kTexts.begin(), kTexts.end(), [&, &name = key](const auto& t) { return name == t.first; });
        const bool is_text = text != kTexts.end(), answers = key == "answer";
        if (key == "event") {
            note.event = value.get<std::size_t>();
            continue;
        }
        if (!is_text && !answers) refuse(message("a note has no field \"{0}\"", printable(key)));
        if (!value.is_string()) refuse(message("\"{0}\" of a note is not text", printable(key)));
        if (is_text) note.*text->second = ForeignText(value.get<std::string>());
        if (!answers) continue;
        const auto answer = std::find(kAnswers.begin(), kAnswers.end(), value.get<std::string>());
        if (answer == kAnswers.end()) refuse(message("\"answer\" of a note is neither \"coroutine\" nor \"set\""));
        note.answer = static_cast<Answer>(answer - kAnswers.begin());
    }
    return note;
}

}  // namespace

std::string json_text(std::string_view text) {
    return Json(std::string(text)).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void refuse_place(const std::filesystem::path& file, std::size_t line, std::string_view part) {
    refuse_notes(file, line, message("\"{0}\" in the \"place\" of a note has no effect", printable(part)));
}

std::filesystem::path notes_file(const std::filesystem::path& trace, std::string_view language) {
    const std::string name =
        trace.stem().string() + ".notes." + std::string(language) + (language.empty() ? "" : ".") + "json";
    std::error_code ignored;
    for (const std::filesystem::path& place : {trace.parent_path() / name, trace.parent_path() / ".." / "notes" / name})
        if (std::filesystem::is_regular_file(place, ignored)) return place;
    return {};
}

std::string bytes_of_notes(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) return {};
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

Notes read_notes(const std::filesystem::path& file) {
    if (!std::ifstream(file)) throw ReadError(message("cannot open {0}.", printable(file.string())));
    return parse_notes(bytes_of_notes(file), file);
}

Notes parse_notes(std::string_view text, const std::filesystem::path& file) {
    if (text.size() > kMostBytes) refuse_notes(file, 1, message("is larger than 1 MiB"));
    if (const std::string_view encoding = wide_encoding(text); !encoding.empty())
        refuse_notes(file, 1, message("is {0}, not UTF-8", encoding));
    if (nests_deeper(text, kDeepest)) refuse_notes(file, 1, message("is nested too deeply"));
    const auto [json, lines] = parsed(text, file);
    if (!json.is_object() || !json.contains("notes") || !json["notes"].is_array() ||
        lines.size() != json["notes"].size())
        refuse_notes(file, 1, message("is not a list of notes"));
    for (const auto& [key, value] : json.items())
        if (key != "notes" && !(key == "title" && value.is_string()))
            refuse_notes(file, 1, message("a list of notes has no field \"{0}\"", printable(key)));
    Notes out;
    if (json.contains("title")) out.title = ForeignText(json["title"].get<std::string>());
    for (std::size_t i = 0; i < lines.size(); ++i) out.notes.push_back(note_of(json["notes"][i], lines[i], file));
    return out;
}

std::string notes_as_json(const Notes& notes) {
    std::string out = "{\"title\": " + json_text(notes.title.bytes()) + ",\n \"notes\": [";
    for (const Note& note : notes.notes) {
        const bool first = &note == notes.notes.data();
        out += (first ? "\n" : ",\n") + std::string("  {\"event\": ") + std::to_string(note.event);
        if (!note.says.empty()) out += ", \"says\": " + json_text(note.says.bytes());
        if (!note.place.empty()) out += ",\n   \"place\": " + json_text(note.place.bytes());
        if (!note.question.empty()) out += ",\n   \"question\": " + json_text(note.question.bytes());
        if (note.answer != Answer::aloud)
            out += ",\n   \"answer\": " + json_text(kAnswers[static_cast<std::size_t>(note.answer)]);
        out += ",\n   \"text\": " + json_text(note.text.bytes()) + "}";
    }
    return out + "\n]}\n";
}

}  // namespace fiberscope::trace
