#include "labs/grader/compiler/compiler.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

namespace fs = std::filesystem;

/// "fiberscope::lab06::TreeStore::remove(…)" of a line of ld, gold, lld or mold; empty if it tells of none.
std::string symbol_in(std::string_view line) {
    for (const std::string_view before : {"undefined reference to ", "undefined symbol: "}) {
        const std::size_t at = line.find(before);
        if (at == line.npos) continue;
        line.remove_prefix(at + before.size());
        const bool quoted = line.starts_with('`') || line.starts_with('\'');
        return std::string(quoted ? line.substr(1, line.find('\'', 1) - 1) : line);
    }
    return "";
}

void erase_all(std::string& text, std::string_view part) {
    for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
}

std::size_t count_in(const fs::path& file, const std::string& part) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
    return count;
}

/// The student's file that defines the other functions of the class of "TreeStore::remove"; of a function without one,
/// that which is called as the header that declares it. Empty if there is none.
fs::path file_of(const std::string& function, const fs::path& lab) {
    const std::size_t scope = function.rfind("::");
    fs::path best;
    std::size_t most = 0;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(lab / "exercise", error)) {
        if (file.path().extension() != ".cpp") continue;
        const fs::path header = (lab / file.path().filename()).replace_extension(".h");
        const std::size_t count = scope == function.npos ? count_in(header, " " + function + "(")
                                                         : count_in(file.path(), function.substr(0, scope + 2));
        if (count > most) best = file.path();
        most = std::max(most, count);
    }
    return best;
}

/// "labs/06_timers" of "lab06::"; empty of what is of no lab.
fs::path folder_of(std::string_view scope, const fs::path& labs) {
    std::error_code error;
    for (const auto& lab : fs::directory_iterator(labs, error))
        if (scope.starts_with("lab" + lab.path().filename().string().substr(0, 2) + "::")) return lab.path();
    return {};
}

}  // namespace

std::vector<std::string> undefined_functions(const std::vector<std::string>& lines, const fs::path& labs) {
    constexpr std::string_view kOurs = "fiberscope::";
    std::vector<std::string> told;
    for (const std::string& line : lines) {
        std::string function = symbol_in(line);
        if (!function.starts_with(kOurs)) continue;
        erase_all(function, kOurs);
        const fs::path lab = folder_of(function, labs);
        if (!lab.empty()) erase_all(function, function.substr(0, function.find("::") + 2));
        const fs::path file = lab.empty() ? lab : file_of(function.substr(0, function.find('(')), lab);
        std::string sentence = file.empty()
                                   ? says("{0} is declared and used, but no file defines it.", function)
                                   : says("{0} is declared and used, but no file defines it: {1} lacks it.", function,
                                          (fs::path("labs") / lab.filename() / "exercise" / file.filename()).string());
        if (std::find(told.begin(), told.end(), sentence) == told.end()) told.push_back(std::move(sentence));
    }
    return told;
}

}  // namespace fiberscope::grader
