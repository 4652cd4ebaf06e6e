#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "languages/say.h"
#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/read/source.h"
#include "traces/tool/verbs.h"
#include "traces/words/words.h"

namespace fiberscope::trace::tool {
namespace {

using Json = nlohmann::ordered_json;

/// The line of the head, without `files`.
std::string comparable_head(const std::string& line) {
    Json head = Json::parse("{" + line.substr(0, line.find_last_not_of(", \r") + 1) + "}", nullptr, false);
    if (!head.is_object() || !head["meta"].is_object()) return line;
    head["meta"].erase("files");
    return head.dump();
}

/// A line without the parts that depend on the compiler. Lines that are not events are unchanged.
std::string comparable(const std::string& line) {
    if (line.starts_with("\"meta\":") && !nests_deeper(line, kDeepest)) return comparable_head(line);
    if (!line.starts_with('{')) return line;
    const bool comma = line.ends_with(',');
    if (nests_deeper(line, kDeepest)) return line;
    Json event = Json::parse(line.begin(), line.end() - (comma ? 1 : 0), nullptr, false);
    if (!event.is_object()) return line;
    for (const char* field : {"saved", "loaded", "bytes", "capacity"}) event.erase(field);
    return event.dump() + (comma ? "," : "");
}

class Lines {
  public:
    /// Throws ReadError if the file is not a trace.
    explicit Lines(const std::string& file)
        : trace_(read_events_of(std::filesystem::path(file))), file_(file), in_(file, std::ios::binary) {
        if (!in_) throw ReadError(message("cannot open {0}.", printable(file)));
    }
    bool next() {
        if (!std::getline(in_, text)) return false;
        ++number;
        return true;
    }
    std::string file() const { return printable(file_); }
    /// The event on this line in words; for other lines the line itself.
    std::string happens(Language language) const {
        for (std::size_t n = 0; n < trace_.size(); ++n)
            if (trace_.line(n) == number)
                return say(language, "event {0}, at {1}: {2}", n + 1, in_words(trace_[n].t),
                           describe(trace_, n, language));
        return printable(text);
    }
    std::string at(const std::string& what, Language language) const {
        return say(language, "{0}, line {1}: {2}", file(), number, what);
    }

    std::string text;
    std::size_t number = 0;

  private:
    Trace trace_;
    std::string file_;
    std::ifstream in_;
};

int report_end(const Lines& shorter, const Lines& longer, Language language, std::ostream& out) {
    out << say(language, "The recordings differ: {0} ends after line {1}, and {2}", shorter.file(), shorter.number,
               longer.at(longer.happens(language), language))
        << '\n';
    return 1;
}

/// In words if these differ, else as in the files.
int report_difference(const Lines& a, const Lines& b, Language language, std::ostream& out) {
    const std::string in_a = a.happens(language), in_b = b.happens(language);
    const bool tells = in_a != in_b;
    out << say(language, "The recordings differ.") << "\n  " << a.at(tells ? in_a : printable(a.text), language)
        << "\n  " << b.at(tells ? in_b : printable(b.text), language) << '\n';
    return 1;
}

}  // namespace

int compare_files(const Arguments& arguments, std::ostream& out) {
    const Language language = arguments.language();
    Lines a(arguments.files[0]), b(arguments.files[1]);
    for (;;) {
        const bool more_a = a.next(), more_b = b.next();
        if (!more_a && !more_b) break;
        if (!more_a || !more_b) return more_a ? report_end(b, a, language, out) : report_end(a, b, language, out);
        if (a.text == b.text || comparable(a.text) == comparable(b.text)) continue;
        return report_difference(a, b, language, out);
    }
    out << say(language, "{0} and {1} are the same ({2} lines), apart from what depends on the compiler.", a.file(),
               b.file(), a.number)
        << '\n';
    return 0;
}

}  // namespace fiberscope::trace::tool
