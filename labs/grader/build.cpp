// Builds the student's files and shows only the compiler's messages about them.
#include <algorithm>
#include <cstdio>
#include <sstream>

#include "labs/grader/modes.h"
#include "labs/grader/speech/speech.h"

namespace fiberscope::grader {
namespace {

constexpr std::size_t kMostLines = 30;

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
    for (std::size_t at; !prefix.empty() && (at = line.find(prefix)) != line.npos;) line.erase(at, prefix.size());
    return line;
}

// With ccache the compiler names files relative to the build directory; the student is at the top of the tree.
std::string seen_from_here(std::string line, const std::filesystem::path& build) {
    for (std::size_t at = 0, end = 0; (at = line.find("../", end)) != line.npos;) {
        end = std::min(line.find_first_of(" \t:,()'", at), line.size());
        if (at > 0 && std::string_view(" \t(`'").find(line[at - 1]) == std::string_view::npos) continue;
        const std::string file = (build / line.substr(at, end - at)).lexically_normal().string();
        line.replace(at, end - at, file);
        end = at + file.size();
    }
    return line;
}

std::vector<std::string> words_of_the_compiler(const std::string& output, const std::filesystem::path& build) {
    const std::string here = std::filesystem::current_path().string() + "/";
    std::vector<std::string> lines;
    bool is_command = false;
    std::istringstream said(output);
    for (std::string line; std::getline(said, line);) {
        const bool failed = line.starts_with(kFailed);
        if (!is_command && !is_of_the_build_tool(line))
            lines.push_back(without(seen_from_here(std::move(line), build), here));
        is_command = failed;
    }
    return lines;
}

/// The first target that Ninja could not build:
/// "labs/01_switch_asm/CMakeFiles/lab01_objects.dir/exercise/context.cpp.o", or a program. Empty if not reported.
std::string what_failed(std::string_view output) {
    std::size_t at = output.find(kFailed);
    if (at == output.npos) return "";
    at += kFailed.size();
    return std::string(output.substr(at, output.find_first_of(" \n", at) - at));
}

/// The first of the student's files that the compiler names, else the source of the failed object; empty if there is
/// none.
std::string named_file(const std::vector<std::string>& lines, const std::string& object) {
    constexpr std::string_view kFolder = "/exercise/";
    for (const std::string& line : lines) {
        const std::size_t at = line.find(kFolder);
        if (at == line.npos) continue;
        const std::size_t begin = line.find_last_of(" \t(`'", at);
        const std::size_t from = begin == line.npos ? 0 : begin + 1;
        return line.substr(from, line.find_first_of(":( ", at) - from);
    }
    const std::size_t at = object.find(kFolder);
    if (at == object.npos) return "";
    const std::size_t begin = std::min(object.find("beyond/"), at + 1);
    return object.substr(0, object.find("CMakeFiles/")) + object.substr(begin, object.rfind('.') - begin);
}

void print_words(const std::vector<std::string>& lines) {
    const auto is_error = [](const std::string& line) { return line.find("rror: ") != line.npos; };
    const auto error = std::find_if(lines.begin(), lines.end(), is_error);
    const auto most = static_cast<std::ptrdiff_t>(kMostLines);
    // For a header that is included indirectly only the error is shown.
    const auto first = error != lines.end() && error - lines.begin() >= most ? error : lines.begin();
    const auto last = first + std::min(most, lines.end() - first);
    for (auto line = first; line != last; ++line) std::printf("  %s\n", line->c_str());
    if (last != lines.end())
        std::printf("  %s\n",
                    says("… and {0} lines more; repair these first", std::to_string(lines.end() - last)).c_str());
}

/// The messages, after a line with their origin.
void print_failure(const std::string& output, const std::vector<std::string>& lines) {
    const std::string failed = what_failed(output);
    const bool links = !failed.empty() && !failed.ends_with(".o");
    const std::string file = links ? "" : named_file(lines, failed);
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
    std::printf("%s\n", says("The compiler warns of your files:").c_str());
    print_words(lines);
    std::printf("\n");
}

/// Throws for failures unrelated to the student's files.
void refuse_trouble(const Outcome& outcome, Milliseconds limit) {
    if (outcome.reached != Reached::none)
        throw GraderError(
            says("The build was stopped: no step of it ended within {0}. Nothing is known of your files yet. "
                 "What was compiled is kept: type the same again to continue.",
                 in_seconds(limit)));
    if (outcome.output.find("No space left on device") != std::string::npos)
        throw GraderError(
            says("The disk is full, so nothing could be compiled, and nothing is known of your files yet. "
                 "Make room (build/traces may be removed), then type the same again."));
}

}  // namespace

bool build(const Settings& settings, const std::string& target, bool quietly) {
    if (settings.build.empty()) return true;
    const Outcome outcome = run({{"cmake", "--build", settings.build.string(), "--target", target},
                                 {},
                                 Patience::between_outputs(settings.build_time)});
    const std::vector<std::string> lines = words_of_the_compiler(outcome.output, settings.build);
    const bool built = outcome.reached == Reached::none && outcome.signal == 0 && outcome.status == 0;
    if (quietly) return built;
    if (built) {
        print_warnings(lines);
        return true;
    }
    refuse_trouble(outcome, settings.build_time);
    print_failure(outcome.output, lines);
    return false;
}

}  // namespace fiberscope::grader
