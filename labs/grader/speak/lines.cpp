#include "labs/grader/speak/lines.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

/// A step that is not written yet, as kit::not_implemented tells it to a person; empty if the line is another.
std::string stub_line_in_words(std::string_view line) {
    constexpr std::string_view kBegins = "还没写：步骤 ";
    if (!line.starts_with(kBegins)) return "";
    const std::size_t end = std::min(line.find(' ', kBegins.size()), line.size() - 1);
    return std::string(line.substr(0, end + 1)) + sentence_in_words(line.substr(end + 1));
}

/// "turns: cannot open it": the name of what speaks, and what it says; empty if that is not known.
std::string behind_a_name_in_words(std::string_view line) {
    constexpr std::string_view kBehind = ": ";
    for (std::size_t at = line.find(kBehind); at != line.npos; at = line.find(kBehind, at + 1)) {
        const std::string_view told = line.substr(at + kBehind.size());
        if (std::string said = sentence_in_words(told); said != told)
            return std::string(line.substr(0, at)) + "：" + said;
    }
    return "";
}

/// Of an option's name and value, the words: "  --port UINT REQUIRED".
std::string option_in_words(std::string_view name) {
    constexpr std::pair<std::string_view, std::string_view> kWords[] = {{" REQUIRED", "（必须写）"},
                                                                        {" Excludes: ", "（不能同写）"}};
    std::string all(name);
    for (const auto& [english, chinese] : kWords)
        if (const std::size_t at = all.find(english); at != all.npos) all.replace(at, english.size(), chinese);
    return all;
}

std::string sentence_line_in_words(std::string_view line) {
    if (std::string said = sentence_in_words(line); said != line) return said;
    return behind_a_name_in_words(line);
}

}  // namespace

Demos read_demos(const std::filesystem::path& file) {
    Demos demos;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);)
        if (const std::size_t at = line.find(' '); at != line.npos) demos[line.substr(0, at)] = line.substr(at + 1);
    return demos;
}

std::string Lines::about_demo(std::string_view name) const {
    const auto found = demos_.find(speaker_.lab + "_" + std::string(name));
    return found == demos_.end() ? "" : found->second;
}

/// "  --seed N      Of what happens by chance": a name, and behind at least two blanks, or a tab, what it means.
std::string Lines::column_in_words(std::string_view line) const {
    const std::size_t begin = line.find_first_not_of(' ');
    std::size_t end = std::min(line.find("  ", begin), line.find('\t', begin));
    if (begin == line.npos || end == line.npos) return "";
    const std::size_t about = line.find_first_not_of(" \t", end);
    if (about == line.npos) return "";
    if (const std::string demo = about_demo(line.substr(begin, end - begin)); !demo.empty())
        return std::string(line.substr(0, about)) + demo;
    const std::string_view told = line.substr(about);
    const std::string said = sentence_in_words(told);
    return said == told ? "" : option_in_words(line.substr(0, about)) + said;
}

std::string Lines::in_words(std::string_view line) {
    const bool first = std::exchange(is_first_, false);
    if (language() != Language::chinese) return std::string(line);
    if (first && speaker_.shows_demo_first)
        if (std::string demo = about_demo(speaker_.demo); !demo.empty()) return demo;
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == line.npos) return std::string(line);
    for (std::string said : {stub_line_in_words(line), column_in_words(line)})
        if (!said.empty()) return said;
    if (line[begin] == '-') return option_in_words(line);
    const std::string said = sentence_line_in_words(line.substr(begin));
    return said.empty() ? std::string(line) : std::string(begin, ' ') + said;
}

}  // namespace fiberscope::grader
