#include "viewer/panels/over/overlays.h"

#include <utility>

namespace fiberscope::viewer {

bool Overlays::close_one() {
    const auto closed = [](auto& overlay) {
        const bool was_open = overlay.open();
        overlay.close();
        return was_open;
    };
    return closed(palette) || closed(search) || closed(lanes) || closed(source) || closed(offers) || closed(knobs) ||
           std::exchange(help, false);
}

}  // namespace fiberscope::viewer
