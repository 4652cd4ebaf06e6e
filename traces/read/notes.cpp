#include "traces/read/notes.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/read/source.h"

namespace fiberscope::trace {
namespace {

using Json = nlohmann::json;

/// A file of notes is written by hand; a larger one is none.
constexpr std::size_t kMostBytes = 1 << 20;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
    throw ReadError(in_english("{0:file}: {1}; expected {2}", printable(file.string()), why,
                               R"({"notes": [{"event": 1, "text": "…"}]}.)"));
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) throw ReadError(in_english("cannot open {0:file}.", printable(file.string())));
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostBytes) refuse(file, in_english("is larger than 1 MiB"));
    return text;
}

Note note_of(const Json& json, const std::filesystem::path& file) {
    const bool whole = json.is_object() && json.contains("event") && json["event"].is_number_unsigned() &&
                       json.contains("text") && json["text"].is_string();
    if (!whole) refuse(file, in_english("a note has no event or no text"));
    const bool says = json.contains("says") && json["says"].is_string();
    return {json["event"].get<std::size_t>(), ForeignText(json["text"].get<std::string>()),
            ForeignText(says ? json["says"].get<std::string>() : std::string())};
}

}  // namespace

std::filesystem::path notes_file(const std::filesystem::path& trace, std::string_view language) {
    const std::string name =
        trace.stem().string() + ".notes." + std::string(language) + (language.empty() ? "" : ".") + "json";
    std::error_code ignored;
    for (const std::filesystem::path& place : {trace.parent_path() / name, trace.parent_path() / ".." / "notes" / name})
        if (std::filesystem::is_regular_file(place, ignored)) return place;
    return {};
}

Notes read_notes(const std::filesystem::path& file) {
    const std::string text = text_of(file);
    if (nests_deeper(text, kDeepest)) refuse(file, in_english("is nested too deeply"));
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains("notes") || !json["notes"].is_array())
        refuse(file, in_english("is no list of notes"));
    Notes out;
    if (json.contains("title") && json["title"].is_string()) out.title = ForeignText(json["title"].get<std::string>());
    for (const Json& note : json["notes"]) out.notes.push_back(note_of(note, file));
    std::stable_sort(out.notes.begin(), out.notes.end(),
                     [](const Note& a, const Note& b) { return a.event < b.event; });
    return out;
}

}  // namespace fiberscope::trace
