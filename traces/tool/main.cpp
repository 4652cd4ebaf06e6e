#include <iostream>
#include <string>
#include <vector>

#include "languages/version.h"
#include "traces/tool/verbs.h"

int main(int argc, char** argv) {
    if (fiberscope::prints_version(argc, argv, "fiberscope-trace")) return 0;
    std::ios::sync_with_stdio(false);
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    return fiberscope::trace::tool::run(words, std::cout, std::cerr);
}
