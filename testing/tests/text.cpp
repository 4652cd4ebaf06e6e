#include "testing/tests/text.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace fiberscope::testing {

std::string read(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::filesystem::path new_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "fiberscope-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a folder like " + name);
    return name;
}

}  // namespace fiberscope::testing
