// speak PROGRAM ARGUMENTS…: runs a program of a lab, whose lines are English, and prints them in Chinese. Used by
// `./lab` where the reader reads Chinese.
#include <cstdio>
#include <exception>

#include "labs/grader/speak/child.h"
#include "labs/grader/speak/lines.h"
#include "labs/grader/words/words.h"

int main(int argc, char** argv) try {
    using namespace fiberscope::grader;
    if (argc < 2) return std::fputs("speak PROGRAM ARGUMENTS...\n", stderr), 2;
    set_language(fiberscope::Language::chinese);
    return run_changed(argv + 1, line_in_words);
} catch (const std::exception& error) {
    std::fprintf(stderr, "speak: %s\n", error.what());
    return 127;
}
