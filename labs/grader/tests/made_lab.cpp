#include "labs/grader/tests/made_lab.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <sstream>

#include "testing/catch.h"

namespace fs = std::filesystem;

namespace fiberscope::grader::testing {

Answer run(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    const int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

Lab::Lab(const std::string& name) : dir_(fs::path(SCRATCH) / name / "09_broken") { fs::remove_all(dir_.parent_path()); }

Lab& Lab::steps(const std::vector<std::string>& numbers) {
    auto list = nlohmann::ordered_json::array();
    for (const std::string& n : numbers)
        list.push_back(
            {{"step", n}, {"title", "step " + n}, {"file", "exercise/" + n + ".cpp"}, {"read", {"README.md#" + n}}});
    return described(list);
}

Lab& Lab::described(const nlohmann::ordered_json& list) {
    write(dir_ / "steps.json", list.dump(1));
    return *this;
}

Lab& Lab::tests(const std::string& pattern) {
    script("tests", pattern);
    return *this;
}

Lab& Lab::program(const std::string& listing) {
    write(dir_ / "tests", "#!/bin/sh\nif [ \"$1\" = --names ]; then " + listing + "else exit 1; fi\n");
    fs::permissions(dir_ / "tests", fs::perms::owner_all);
    return *this;
}

void Lab::script(const std::string& name, const std::string& pattern) const {
    const fs::path file = dir_ / name;
    write(file, "#!/bin/sh\nif [ \"$1\" = --names ]; then " BROKEN_TESTS " --names | grep -E '" + pattern +
                    "'; else exec " BROKEN_TESTS " \"$@\"; fi\n");
    fs::permissions(file, fs::perms::owner_all);
}

Answer Lab::grade(const std::string& mode, const std::string& options) const {
    return run("cd " + dir_.string() + "/.. && " GRADER " " + mode + " --lab 09_broken --program 09_broken/tests " +
               "--traces traces --parallel 2 " + options);
}

namespace {

/// Without what differs from machine to machine: this tree's place, the compiler's and the line numbers.
std::string normalized(std::string text) {
    text = std::regex_replace(text, std::regex("\\.cpp:[0-9]+"), ".cpp:LINE");
    text = std::regex_replace(text, std::regex("[^ \"]*/grader/testing/"), "…/grader/testing/");
    // What a compiler inlines, it names in its own way.
    text = std::regex_replace(text, std::regex("\n *(called by|调用者)  [^\n]*"), "");
    text = std::regex_replace(text, std::regex("\n( *)in         [^\n]*  (labs/[^\n]*)"), "\n$1in FUNCTION  $2");
    text = std::regex_replace(text, std::regex("\n *in         [^\n]*"), "");  // of the C library
    // How fast it prints is the machine's matter, and so which limit it meets.
    text = std::regex_replace(text, std::regex("did not end within [^;]*"), "did not end within LIMIT");
    // The size of the main thread's stack is the system's choice.
    return std::regex_replace(text, std::regex("(stack of|栈) [0-9]+ (bytes|KiB|字节)"), "$1 SIZE");
}

}  // namespace

void compare_with_golden(const std::string& name, const std::string& text) {
    const fs::path file = fs::path(GOLDEN) / (name + ".txt");
    const std::string said = normalized(text);
    if (std::getenv("FIBERSCOPE_UPDATE_GOLDENS") != nullptr) write(file, said);
    INFO("what the grader says differs from " << file << "; it said:\n" << said);
    CHECK(said == read(file));
}

}  // namespace fiberscope::grader::testing
