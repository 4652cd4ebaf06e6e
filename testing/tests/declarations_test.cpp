// A student meets the scheduler of lab 04 by one header. This test keeps it short.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace {

std::string without_comments(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string code;
    for (std::string line; std::getline(in, line);)
        if (!line.starts_with('#')) code += line.substr(0, line.find("//")) + '\n';
    return code;
}

/// What a header declares for its reader: at namespace level, and in the public part of class `of`. Each is the text
/// before its end or its body.
std::vector<std::string> declarations(const std::string& code, const std::string& of) {
    std::vector<std::string> all;
    std::vector<std::string> open;  // what stands before each brace that is open
    std::string text;
    bool is_public = false;
    for (const char c : code) {
        const bool counts = open.size() == 1 || (open.size() == 2 && open[1].starts_with("class " + of) && is_public);
        if (c == ';' || (c == '{' && !open.empty())) {
            if (counts && !text.empty() && text.front() != ')') all.push_back(text);  // not the end of a default `{}`
        } else if (c == ':' && (text == "public" || text == "private" || text == "protected")) {
            is_public = text == "public";
            text.clear();
            continue;
        }
        if (c == '{') open.push_back(text);
        if (c == '}') open.pop_back();
        if (c == ';' || c == '{' || c == '}')
            text.clear();
        else if (std::isspace(static_cast<unsigned char>(c)) == 0 || (!text.empty() && text.back() != ' '))
            text += std::isspace(static_cast<unsigned char>(c)) != 0 ? ' ' : c;
    }
    return all;
}

}  // namespace

TEST_CASE("lab 04: one header of at most 130 lines, with at most 25 declarations, is enough for steps 4.1 to 4.5") {
    const std::filesystem::path header = ROOT "/labs/04_scheduler/scheduler.h";
    std::ifstream in(header);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) ++lines;
    CHECK(lines <= 130);
    const std::vector<std::string> found = declarations(without_comments(header), "Scheduler");
    std::ostringstream names;
    for (const std::string& one : found) names << "  " << one << '\n';
    INFO(names.str());
    CHECK(found.size() >= 20);
    CHECK(found.size() <= 25);
}

TEST_CASE("lab 04: declarations are counted") {
    const std::string code =
        "namespace n {\nstruct A {\n  int x;\n};\nvoid f();\nclass Scheduler {\n  public:\n  Scheduler();\n"
        "  int g() { return 1; }\n  private:\n  int y_;\n};\n}\n";
    CHECK(declarations(code, "Scheduler") ==
          std::vector<std::string>{"struct A ", "void f()", "class Scheduler ", "Scheduler()", "int g() "});
}

TEST_CASE("lab 04: no header has more than 200 lines, and machines.h is first included by step 4.6") {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(ROOT "/labs/04_scheduler")) {
        if (entry.path().extension() != ".h" || entry.path().parent_path().filename() == "tests") continue;
        std::ifstream in(entry.path());
        std::size_t lines = 0;
        for (std::string line; std::getline(in, line);) ++lines;
        INFO(entry.path());
        CHECK(lines <= 200);
    }
    for (const char* file :
         {"scheduler.cpp", "sleep_tree.cpp", "wait_tree.cpp", "producer_consumer.cpp", "multi_state.cpp"})
        for (const char* folder : {"/exercise/", "/solution/"}) {
            std::ifstream in(std::string(ROOT "/labs/04_scheduler") + folder + file);
            std::stringstream text;
            text << in.rdbuf();
            INFO(folder << file);
            CHECK(text.str().find("machines.h") == std::string::npos);
        }
}
