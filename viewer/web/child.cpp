#include "viewer/model/rerun/child.h"
#include "languages/spoken_error.h"

namespace fiberscope::viewer {

Program::Program(const std::vector<std::string>& command, std::filesystem::path, ProgramLimits) {
    throw SpokenError(mark("The browser version cannot start {0}."), command.front());
}
Program::~Program() = default;
std::optional<ProgramEnd> Program::poll() { return std::nullopt; }
bool can_start_programs() noexcept { return false; }

}  // namespace fiberscope::viewer
