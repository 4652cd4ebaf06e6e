// Recordings to choose from, in groups: where no file is open, and in the list of Ctrl O.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

struct Offer {
    std::string file, name;
    std::string about;  ///< stands behind the name: its folder, the title of its lecture
};
struct OfferGroup {
    std::string heading;
    std::vector<Offer> offers;
    bool lines = false;  ///< each in a line of its own; else one behind the other
};

/// All from the origin, pixels.
struct OfferPage {
    struct Place {
        Rect name, about;  ///< `about` is empty where there is nothing to say, or no room
        std::string text;  ///< the name, or as much of it as has room
        std::size_t group = 0, offer = 0;
    };
    std::vector<Rect> headings;  ///< one for each group
    std::vector<Place> places;
    float height = 0;
};

/// In two columns, the groups of lines at the left, if `width` has room for both; else one below the other.
OfferPage layout_offers(float width, const std::vector<OfferGroup>& groups, const Metrics& metrics);

}  // namespace fiberscope::viewer
