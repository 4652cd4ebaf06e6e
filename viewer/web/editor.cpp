#include "viewer/model/sources.h"

namespace fiberscope::viewer {

std::string open_in_editor(const std::filesystem::path&, std::size_t, Language language) {
    return say(language, "A page cannot start an editor.");
}

}  // namespace fiberscope::viewer
