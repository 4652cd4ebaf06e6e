// What the programs of the labs print to a person stands in the catalogue of its room (languages/README.md), from where
// labs/grader/speak has it in Chinese, or is looked up there, in what is measured.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "testing/tests/text.h"

namespace fs = std::filesystem;

namespace {

using fiberscope::testing::read;

/// The parts of a literal that stand between what is filled in, if they have at least two words.
void add_sentences(const std::string& literal, std::vector<std::string>& found) {
    static const std::regex kHole("%[-.*0-9]*(?:ll|l|z)?[a-z]|\\\\n|\\\\t"), kWords("[A-Za-z,]{2,} [A-Za-z]{2,}");
    const std::string parted = std::regex_replace(literal, kHole, "\n");
    for (std::size_t from = 0; from < parted.size();) {
        const std::size_t to = std::min(parted.find('\n', from), parted.size());
        const std::string part = parted.substr(from, to - from);
        if (!part.starts_with("./") && std::regex_search(part, kWords))
            found.push_back(std::regex_replace(part, std::regex(R"(\\(.))"), "$1"));
        from = to + 1;
    }
}

/// The sentences of the statements of a source that print, refuse, or describe an option.
std::vector<std::string> sentences_of(const std::string& source) {
    static const std::regex kStatement(
        R"(\b(?:throw|f?printf|f?puts|mistake|refuse|fail|add_(?:option|flag|subcommand)\w*)"
        R"(|parse_number|sentence|CLI::App app|DemoOption k\w*\[\])\b[^;]*;)"),
        kLiteral(R"re("((?:[^"\\]|\\.)*)")re"), kBetween(R"re("\s*")re");
    std::vector<std::string> found;
    const std::string joined = std::regex_replace(source, kBetween, "");
    for (std::sregex_iterator it(joined.begin(), joined.end(), kStatement), end; it != end; ++it) {
        const std::string statement = it->str();
        for (std::sregex_iterator at(statement.begin(), statement.end(), kLiteral); at != end; ++at)
            add_sentences(at->str(1), found);
    }
    return found;
}

std::string trimmed(const std::string& text) {
    const std::size_t from = text.find_first_not_of(" :;"), to = text.find_last_not_of(" :;");
    return from == text.npos ? "" : text.substr(from, to + 1 - from);
}

std::vector<fs::path> programs() {
    const fs::path root = ROOT;
    std::vector<fs::path> files{root / "labs/kit/demo/command_line.cpp", root / "labs/kit/demo/demo.cpp",
                                root / "labs/05_epoll_io/given/socket.cpp", root / "labs/05_epoll_io/given/load.cpp"};
    for (const auto& lab : fs::directory_iterator(root / "labs")) {
        if (!fs::is_directory(lab.path() / "programs")) continue;
        for (const auto& entry : fs::directory_iterator(lab.path() / "programs")) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with("demo") || name == "tools.cpp") files.push_back(entry.path());
        }
    }
    return files;
}

}  // namespace

TEST_CASE("programs: what a lab's programs print to a person stands in a catalogue") {
    std::string english, missing;
    for (const auto& lab : fs::directory_iterator(fs::path(ROOT) / "labs")) english += read(lab.path() / "zh.po");
    std::size_t sentences = 0;
    for (const fs::path& program : programs())
        for (const std::string& sentence : sentences_of(read(program))) {
            ++sentences;
            if (english.find(trimmed(sentence)) == english.npos)
                missing += program.lexically_relative(ROOT).string() + ": " + sentence + "\n";
        }
    INFO("write these into the zh.po of their room:\n" << missing);
    CHECK(missing.empty());
    CHECK(sentences > 60);
}

TEST_CASE("programs: what a demo shows is the first line of its help, and does not send the reader there") {
    std::string found;
    std::size_t looked_at = 0;
    const std::vector<fs::path> files = programs();
    for (const fs::path& file : files) {
        if (file.parent_path().filename() == "demo") continue;  // the kit's own, which prints the help
        ++looked_at;
        if (read(file).find("--help") != std::string::npos) found += file.string() + "\n";
    }
    INFO(found);
    CHECK(found.empty());
    CHECK(looked_at > 10);
}

TEST_CASE("programs: what is measured is printed in both languages") {
    static const std::regex kSpoken(R"re(spoken\((?:[^()"]|"(?:[^"\\]|\\.)*")*\))re");
    std::string found;
    for (const char* file :
         {"testing/ratios.cpp", "testing/bench_rounds.cpp", "testing/quiet.cpp",
          "labs/03_shared_stack/programs/bench_memory.cpp", "labs/04_scheduler/programs/bench_memory.cpp"}) {
        const std::string source = read(fs::path(ROOT) / file), rest = std::regex_replace(source, kSpoken, "0");
        CHECK(rest.size() < source.size());
        for (const std::string& sentence : sentences_of(rest)) found += std::string(file) + ": " + sentence + "\n";
    }
    INFO(found);
    CHECK(found.empty());
}

TEST_CASE("programs: the sentences of a source are found, and no name of a file or of an option is one") {
    const auto all = [](const std::string& source) {
        std::string text;
        for (const std::string& one : sentences_of(source)) text += one + "|";
        return text;
    };
    CHECK(all("throw mistake(\"it has \" \"no \" + name + \" here, by chance\");") == "it has no | here, by chance|");
    CHECK(all("std::printf(\"%zu of them in %.2f s, so many\\n\", n);").find("of them in") != std::string::npos);
    CHECK(all("kit::note(\"not for a person\"); puts(\"a.json\");").empty());
}
