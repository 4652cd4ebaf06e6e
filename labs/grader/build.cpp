// Builds the student's files and shows only the compiler's messages about them.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

constexpr std::string_view kFailed = "FAILED: ";  ///< Ninja's prefix for a failed target; the command follows

/// Ninja's and make's own lines (progress, summary), and the compiler's about its linker, whose messages precede it.
bool is_of_the_build_tool(std::string_view line) {
    if (line.starts_with('[')) return line.find('/') < line.find(']');
    for (const std::string_view start :
         {kFailed, std::string_view("ninja: "), std::string_view("gmake["), std::string_view("make["),
          std::string_view("collect2: "), std::string_view("-- ")})  // the last: CMake's, of a new list of files
        if (line.starts_with(start)) return true;
    return false;
}

std::string without(std::string line, const std::string& prefix) {
    for (std::size_t at; (at = line.find(prefix)) != line.npos;) line.erase(at, prefix.size());
    return line;
}

std::vector<std::string> words_of_the_compiler(const std::string& output, const std::filesystem::path& build) {
    const std::filesystem::path here = std::filesystem::current_path();
    // With ccache the compiler names files relative to the build directory; the student is at the top of the tree.
    const std::string from_build = std::filesystem::relative(here, build).string() + "/";
    std::vector<std::string> lines;
    bool is_command = false;
    std::istringstream said(output);
    for (std::string line; std::getline(said, line);) {
        const bool failed = line.starts_with(kFailed);
        if (!is_command && !is_of_the_build_tool(line))
            lines.push_back(without(without(std::move(line), here.string() + "/"), from_build));
        is_command = failed;
    }
    return lines;
}

/// The first target that Ninja could not build:
/// "labs/01_switch_asm/CMakeFiles/lab01_objects.dir/exercise/context.cpp.o", or a program. Empty if not reported.
std::string what_failed(std::string_view output) {
    const std::size_t at = output.find(kFailed);
    if (at == output.npos) return "";
    const std::string_view rest = output.substr(at + kFailed.size());
    return std::string(rest.substr(0, rest.find_first_of(" \n")));
}

/// The student's file that this object is made from; empty if there is none. The object's path ends with that of the
/// file, relative to the folder of the target or, in a student's tree, absolute.
std::string source_of(const std::string& object) {
    const std::size_t folder = object.find("CMakeFiles/"), at = object.find(".dir/");
    if (object.find("/exercise/") == object.npos || at == object.npos) return "";
    const std::string file = object.substr(at + 4, object.rfind('.') - at - 4);
    const std::string here = std::filesystem::current_path().string();
    return file.starts_with(here + "/") ? file.substr(here.size() + 1) : object.substr(0, folder) + file.substr(1);
}

void print_words(const std::vector<std::string>& lines) {
    const auto is_error = [](const std::string& line) { return line.find("rror: ") != line.npos; };
    const auto error = std::find_if(lines.begin(), lines.end(), is_error);
    constexpr std::ptrdiff_t kMostLines = 30;
    // For a header that is included indirectly only the error is shown.
    const auto first = error != lines.end() && error - lines.begin() >= kMostLines ? error : lines.begin();
    const auto last = first + std::min(kMostLines, lines.end() - first);
    for (auto line = first; line != last; ++line) std::printf("  %s\n", line->c_str());
    if (last != lines.end())
        std::printf("  %s\n",
                    says("… and {0} more lines; fix these first", std::to_string(lines.end() - last)).c_str());
}

/// The messages, after a line with their origin.
void print_failure(const std::string& output, const std::vector<std::string>& lines) {
    const std::string failed = what_failed(output);
    const bool links = !failed.empty() && !failed.ends_with(".o");
    const std::string file = links ? "" : source_of(failed);
    const std::string what = file.empty() ? says("The lab") : file;
    std::printf("%s\n\n", says(links ? mark("{0} does not link. The linker says:")
                                     : mark("{0} does not compile. The compiler says:"),
                               what)
                              .c_str());
    print_words(lines);
    if (lines.empty()) std::printf("%s", output.c_str());  // the build tool's output is better than none
}

/// The compiler's warnings about the student's files: an unchanged file is not compiled again.
void print_warnings(const std::vector<std::string>& lines) {
    const auto warns = [](const std::string& line) {
        return line.find("/exercise/") != line.npos && line.find("warning: ") != line.npos;
    };
    if (std::none_of(lines.begin(), lines.end(), warns)) return;
    std::printf("%s\n", says("Compiler warnings about your files:").c_str());
    print_words(lines);
    std::printf("\n");
}

}  // namespace

bool build(const Settings& settings, const std::string& target, bool quietly) {
    if (settings.build.empty()) return true;
    const Outcome outcome = run({{"cmake", "--build", settings.build.string(), "--target", target}, {}, Patience()});
    const std::vector<std::string> lines = words_of_the_compiler(outcome.output, settings.build);
    const bool built = outcome.signal == 0 && outcome.status == 0;
    if (quietly) return built;
    if (built)
        print_warnings(lines);
    else
        print_failure(outcome.output, lines);
    return built;
}

}  // namespace fiberscope::grader
