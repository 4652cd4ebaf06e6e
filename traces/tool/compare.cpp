#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>

#include "traces/read/printable.h"
#include "traces/read/reader.h"
#include "traces/read/source.h"
#include "traces/tool/verbs.h"

namespace fiberscope::trace::tool {
namespace {

using Json = nlohmann::ordered_json;

/// A line without what depends on the compiler. Lines that are no event stay as they are.
std::string comparable(const std::string& line) {
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
    explicit Lines(const std::string& file) : file_(file), in_(file, std::ios::binary) {
        if (!in_) throw ReadError("cannot open " + file + ".");
    }
    bool next() {
        if (!std::getline(in_, text)) return false;
        ++number;
        return true;
    }
    std::string where() const { return file_ + ", line " + std::to_string(number) + ": "; }
    const std::string& file() const { return file_; }

    std::string text;
    std::size_t number = 0;

  private:
    std::string file_;
    std::ifstream in_;
};

int report_end(const Lines& shorter, const Lines& longer, std::ostream& out) {
    out << "The recordings differ: " << shorter.file() << " ends after line " << shorter.number << ", and "
        << longer.where() << printable(longer.text) << '\n';
    return 1;
}

}  // namespace

int compare_files(const Arguments& arguments, std::ostream& out) {
    for (const std::string& file : arguments.files) read(std::filesystem::path(file));  // both must be traces
    Lines a(arguments.files[0]), b(arguments.files[1]);
    for (;;) {
        const bool more_a = a.next(), more_b = b.next();
        if (!more_a && !more_b) break;
        if (!more_a || !more_b) return more_a ? report_end(b, a, out) : report_end(a, b, out);
        if (a.text == b.text || comparable(a.text) == comparable(b.text)) continue;
        out << "The recordings differ.\n  " << a.where() << printable(a.text) << "\n  " << b.where()
            << printable(b.text) << '\n';
        return 1;
    }
    out << a.file() << " and " << b.file() << " are the same (" << a.number
        << " lines), apart from what depends on the compiler.\n";
    return 0;
}

}  // namespace fiberscope::trace::tool
