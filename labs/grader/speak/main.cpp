// speak ROOT PROGRAM ARGUMENTS…: runs a program of a lab, whose lines are English, and prints them in Chinese. ROOT is
// the tree, which has the words. Used by `./lab` where the reader reads Chinese.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string_view>

#include "labs/grader/speak/child.h"
#include "labs/grader/speak/lines.h"
#include "labs/grader/words/words.h"

namespace {

using namespace fiberscope::grader;

Speaker speaker_of(std::span<char* const> words) {
    const std::string name = std::filesystem::path(words[0]).filename();
    const auto asks_for_help = [](std::string_view word) { return word == "--help" || word == "-h"; };
    Speaker speaker;
    if (name.starts_with("lab")) speaker.lab = name.substr(3, 2);
    if (words.size() > 1 && !std::string_view(words[1]).starts_with("-")) speaker.demo = words[1];
    speaker.shows_demo_first = !speaker.demo.empty() && std::any_of(words.begin(), words.end(), asks_for_help);
    return speaker;
}

int run(const std::filesystem::path& root, std::span<char* const> words) {
    set_language(Language::chinese);
    learn_stubs(root / "labs/kit/report/stubs.zh.txt");
    learn_sentences(root / "tools/words/programs.zh.txt");
    Lines lines(speaker_of(words), read_demos(root / "tools/words/demos.zh.txt"));
    return run_changed(words.data(), [&](std::string_view line) { return lines.in_words(line); });
}

}  // namespace

int main(int argc, char** argv) try {
    const std::span<char* const> words(argv, static_cast<std::size_t>(argc));
    if (words.size() < 3) return std::fputs("speak ROOT PROGRAM ARGUMENTS...\n", stderr), 2;
    return run(words[1], words.subspan(2));
} catch (const std::exception& error) {
    std::fprintf(stderr, "speak: %s\n", error.what());
    return 127;
}
