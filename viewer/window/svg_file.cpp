#include "viewer/window/svg_file.h"

#include <stdexcept>

#include "viewer/layout/page/svg/sets_svg.h"
#include "viewer/layout/page/svg/svg.h"
#include "viewer/window/opening.h"

namespace fiberscope::viewer {

std::string render_svg(const Options& options) {
    const auto documents = open_documents(options);
    const Document& document = *documents.front();
    if (!document.readable()) throw std::runtime_error(document.error());
    if (!options.panel.empty() && options.panel != "lanes" && options.panel != "sets")
        throw std::runtime_error(say(
            options.language, "--panel: {0}: SVG pictures are of the lanes or the sets; write a PNG.", options.panel));
    const float scale = options.scale > 0 ? options.scale : 1;
    const SvgRequest request{document.replay(),
                             document.index(),
                             document.selection(),
                             static_cast<float>(options.width),
                             static_cast<float>(options.height),
                             16 * scale,
                             options.theme,
                             options.language};
    return options.panel == "sets" ? sets_svg_of(request) : svg_of(request);
}

}  // namespace fiberscope::viewer
