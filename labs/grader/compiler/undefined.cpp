#include "labs/grader/compiler/undefined.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOurs = "fiberscope::", kLab = "lab", kScope = "::";

/// "fiberscope::lab06::TreeStore::remove(…)" of a line of ld, gold, lld or mold; empty if it tells of none.
std::string symbol_in(std::string_view line) {
    for (const std::string_view before : {"undefined reference to ", "undefined symbol: "}) {
        const std::size_t at = line.find(before);
        if (at == line.npos) continue;
        line.remove_prefix(at + before.size());
        const bool quoted = line.starts_with('`') || line.starts_with('\'');
        const std::string_view name = quoted ? line.substr(1, line.find('\'', 1) - 1) : line;
        return name.starts_with(kOurs) ? std::string(name) : "";
    }
    return "";
}

void erase_all(std::string& text, std::string_view part) {
    for (std::size_t at; (at = text.find(part)) != text.npos;) text.erase(at, part.size());
}

struct Function {
    std::string lab;        ///< "06"
    std::string signature;  ///< "TreeStore::remove(Timer&)"
    std::string owner;      ///< "TreeStore"; empty of one that belongs to no class
    std::string name;       ///< "remove"
};

/// Where the last name begins in "TreeStore::remove".
std::size_t last_name(std::string_view qualified) {
    const std::size_t at = qualified.rfind(kScope);
    return at == qualified.npos ? 0 : at + kScope.size();
}

Function function_of(std::string symbol) {
    Function function;
    const std::size_t lab = kOurs.size();
    if (symbol.compare(lab, kLab.size(), kLab) == 0) {
        function.lab = symbol.substr(lab + kLab.size(), 2);
        erase_all(symbol, std::string(kOurs) + std::string(kLab) + function.lab + std::string(kScope));
    }
    erase_all(symbol, kOurs);
    function.signature = symbol;
    const std::string qualified = symbol.substr(0, symbol.find('('));
    const std::size_t name = last_name(qualified);
    function.name = qualified.substr(name);
    if (name > kScope.size()) function.owner = qualified.substr(0, name - kScope.size());
    return function;
}

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::size_t count_in(const fs::path& file, const std::string& part) {
    const std::string text = text_in(file);
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++count;
    return count;
}

/// The student's file that defines the other functions of the class; of a function without one, that which is called as
/// the header that declares it. Empty if there is none.
fs::path file_of(const Function& function, const fs::path& lab) {
    fs::path best;
    std::size_t most = 0;
    std::error_code error;
    for (const auto& file : fs::directory_iterator(lab / "exercise", error)) {
        if (file.path().extension() != ".cpp") continue;
        const fs::path header = (lab / file.path().filename()).replace_extension(".h");
        const std::size_t count = function.owner.empty() ? count_in(header, " " + function.name + "(")
                                                         : count_in(file.path(), function.owner + "::");
        if (count > most) best = file.path();
        most = std::max(most, count);
    }
    return best;
}

fs::path folder_of(const std::string& number, const fs::path& labs) {
    std::error_code error;
    for (const auto& lab : fs::directory_iterator(labs, error))
        if (lab.path().filename().string().starts_with(number + "_")) return lab.path();
    return {};
}

}  // namespace

std::vector<std::string> undefined_functions(const std::vector<std::string>& lines, const fs::path& labs) {
    std::vector<std::string> told;
    for (const std::string& line : lines) {
        const std::string symbol = symbol_in(line);
        if (symbol.empty()) continue;
        const Function function = function_of(symbol);
        const fs::path lab = function.lab.empty() ? fs::path() : folder_of(function.lab, labs);
        const fs::path file = lab.empty() ? fs::path() : file_of(function, lab);
        std::string sentence =
            file.empty() ? says("{0} is declared and used, but no file defines it.", function.signature)
                         : says("{0} is declared and used, but no file defines it: {1} lacks it.", function.signature,
                                (fs::path("labs") / lab.filename() / "exercise" / file.filename()).string());
        if (std::find(told.begin(), told.end(), sentence) == told.end()) told.push_back(std::move(sentence));
    }
    return told;
}

}  // namespace fiberscope::grader
