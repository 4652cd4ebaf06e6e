// Builds the student's files and shows only what the compiler says about them.
#include <algorithm>
#include <cstdio>

#include "labs/grader/build_progress.h"
#include "labs/grader/compiler/undefined.h"
#include "labs/grader/compiler/warnings.h"
#include "labs/grader/modes.h"
#include "labs/grader/words/words.h"

namespace fiberscope::grader {
namespace {

constexpr std::size_t kMostLines = 30;

/// Ninja's and make's own lines: progress, the failed command, the end.
bool is_of_the_build_tool(std::string_view line) {
    for (const std::string_view start : {"[", "FAILED: ", "ninja: ", "gmake", "make", "Consolidate ", "Scanning "})
        if (line.starts_with(start)) return true;
    // The command line that failed, which is long and says nothing to a student.
    for (const std::string_view part : {" -o ", " -c ", "collect2: "})
        if (line.find(part) != line.npos && line.find("error:") == line.npos) return true;
    return false;
}

std::string without(std::string line, const std::string& prefix) {
    for (std::size_t at; !prefix.empty() && (at = line.find(prefix)) != line.npos;) line.erase(at, prefix.size());
    return line;
}

// A compiler that ccache calls names files as seen from the build directory; the student stands at the top of the tree.
std::string seen_from_here(std::string line, const std::filesystem::path& build) {
    std::size_t at = line.find("../");
    while (at != line.npos) {
        const bool begins = at == 0 || std::string_view(" \t(`'").find(line[at - 1]) != std::string_view::npos;
        const std::size_t end = std::min(line.find_first_of(" \t:,()'", at), line.size());
        if (begins) {
            const std::string file = (build / line.substr(at, end - at)).lexically_normal().string();
            line.replace(at, end - at, file);
            at = line.find("../", at + file.size());
        } else {
            at = line.find("../", end);
        }
    }
    return line;
}

std::vector<std::string> words_of_the_compiler(std::string_view output, const std::filesystem::path& build) {
    const std::string here = std::filesystem::current_path().string() + "/";
    std::vector<std::string> lines;
    while (!output.empty()) {
        const std::size_t end = std::min(output.find('\n'), output.size());
        std::string line(output.substr(0, end));
        output.remove_prefix(std::min(end + 1, output.size()));
        if (!is_of_the_build_tool(line)) lines.push_back(without(seen_from_here(std::move(line), build), here));
    }
    return lines;
}

/// The first of the student's files that the compiler names; empty if it names none.
std::string named_file(const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        const std::size_t at = line.find("/exercise/");
        if (at == line.npos) continue;
        const std::size_t begin = line.find_last_of(" \t(`'", at);
        const std::size_t from = begin == line.npos ? 0 : begin + 1;
        return line.substr(from, line.find_first_of(":( ", at) - from);
    }
    return "";
}

/// Where the warnings of a target are kept.
std::filesystem::path warnings_of(const std::filesystem::path& build, const std::string& target) {
    return build / "warnings" / target;
}

}  // namespace

void print_warnings(const std::filesystem::path& build, const std::string& target) {
    const std::vector<std::string> lines = kept_warnings(warnings_of(build, target));
    if (lines.empty()) return;
    std::printf("\n%s\n", say(W::compiler_warns).c_str());
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) std::printf("  %s\n", lines[i].c_str());
}

int build(const std::filesystem::path& build, const std::string& target, Milliseconds limit,
          const std::filesystem::path& labs) {
    Command command{{"cmake", "--build", build.string(), "--target", target}, {}};
    command.session = true;
    BuildProgress progress;
    command.heard = [&](std::string_view output, Milliseconds since) {
        if (const std::string line = progress.line(output, since); !line.empty())
            std::fprintf(stderr, "%s\n", line.c_str());
    };
    const Outcome outcome = run(command, {Patience::by_clock(limit), 1'000'000});
    const std::vector<std::string> lines = words_of_the_compiler(outcome.output, build);
    // Also if another file does not compile: this one will not be compiled again.
    keep_warnings(warnings_of(build, target), compiled_files(outcome.output), lines);
    if (outcome.end == End::exited && outcome.status == 0) return 0;
    if (outcome.end == End::not_started) throw GraderError(outcome.error);
    if (outcome.end == End::timed_out) {
        char time[32];
        std::snprintf(time, sizeof time, "%.3g s", static_cast<double>(limit.count()) / 1000);
        throw GraderError(say(W::build_stopped, time));
    }
    if (outcome.output.find("No space left on device") != std::string::npos) throw GraderError(say(W::disk_is_full));
    if (const auto undefined = undefined_functions(lines, labs); !undefined.empty()) {
        for (const std::string& sentence : undefined) std::printf("%s\n", sentence.c_str());
        return 1;
    }
    const std::string file = named_file(lines);
    std::printf("%s\n\n", say(W::does_not_compile, file.empty() ? say(W::the_lab) : file).c_str());
    for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i) std::printf("  %s\n", lines[i].c_str());
    if (lines.size() > kMostLines)
        std::printf("  %s\n", say(W::more_lines, std::to_string(lines.size() - kMostLines)).c_str());
    if (lines.empty()) std::printf("%s", outcome.output.c_str());  // the build tool's words are better than none
    return 1;
}

}  // namespace fiberscope::grader
