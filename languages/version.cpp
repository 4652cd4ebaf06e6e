#include "languages/version.h"

#include <cstdio>
#include <string_view>

namespace fiberscope {

const char* version() noexcept { return FIBERSCOPE_VERSION; }

bool prints_version(int argc, char** argv, const char* program) {
    if (argc != 2 || std::string_view(argv[1]) != "--version") return false;
    std::printf("%s %s\n", program, version());
    return true;
}

}  // namespace fiberscope
