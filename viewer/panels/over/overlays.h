// All overlays.
#pragma once

#include "viewer/panels/over/knobs_overlay.h"
#include "viewer/panels/over/lanes_overlay.h"
#include "viewer/panels/over/offers_overlay.h"
#include "viewer/panels/over/palette_overlay.h"
#include "viewer/panels/over/search_overlay.h"
#include "viewer/panels/over/source_overlay.h"

namespace fiberscope::viewer {

struct Overlays {
    SearchOverlay search;
    LanesOverlay lanes;
    SourceOverlay source;
    OffersOverlay offers;
    PaletteOverlay palette;
    KnobsOverlay knobs;
    bool help = false;

    /// Closes one of those that are open; false if none is.
    bool close_one();
};

}  // namespace fiberscope::viewer
