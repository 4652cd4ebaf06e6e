#include "labs/grader/speak/lines.h"

#include <algorithm>

#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

/// "  --seed N      Of what happens by chance": a name, and behind at least two blanks, or a tab, what it means. Empty
/// if the line is another.
std::string column_in_words(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t end = std::min(line.find("  ", begin), line.find('\t', begin));
    if (begin == line.npos || end == line.npos) return "";
    const std::size_t about = line.find_first_not_of(" \t", end);
    if (about == line.npos) return "";
    const std::string said = sentence_in_words(line.substr(about));
    return said == line.substr(about) ? "" : std::string(line.substr(0, about)) + said;
}

}  // namespace

std::string line_in_words(std::string_view line) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (language() == Language::english || begin == line.npos) return std::string(line);
    if (std::string columns = column_in_words(line); !columns.empty()) return columns;
    return std::string(begin, ' ') + sentence_in_words(line.substr(begin));
}

}  // namespace fiberscope::grader
