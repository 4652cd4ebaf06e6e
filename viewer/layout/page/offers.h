// Grouped recordings to choose from: the start page, and the list of Ctrl O.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

struct Offer {
    std::string file, name;
    std::string about;  ///< after the name: its folder, the title of its lecture
};
struct OfferGroup {
    std::string heading;
    std::vector<Offer> offers;
    bool lines = false;  ///< one entry per line; else entries flow
};

/// Positions relative to the origin, pixels.
struct OfferPage {
    struct Place {
        Rect name, about;  ///< `about` is empty if there is no text or no room
        std::string text;  ///< the name, shortened to fit
        std::size_t group = 0, offer = 0;
    };
    std::vector<Rect> headings;  ///< by group
    std::vector<Place> places;
    float height = 0;
};

/// Two columns, with line groups at the left, if both fit into `width`; else one.
OfferPage layout_offers(float width, const std::vector<OfferGroup>& groups, const Metrics& metrics);

}  // namespace fiberscope::viewer
