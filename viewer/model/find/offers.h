// Recordings that a window offers to open: recent files, those recorded here, lectures, samples.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/page/offers.h"

namespace fiberscope::viewer {

struct Recordings {
    std::vector<std::filesystem::path> samples;   ///< by name
    std::vector<std::filesystem::path> recorded;  ///< by ./lab run and ./lab demo, the latest first
};
/// Those in a tree of the labs (find_labs), in the same places as ./lab; none if it is empty.
Recordings recordings_in(const std::filesystem::path& tree);

/// Grouped, without empty groups. A sample with notes is a lecture. `recent`: paths, the last one first.
std::vector<OfferGroup> offers_of(const Recordings& recordings, const std::vector<std::string>& recent,
                                  Language language);

}  // namespace fiberscope::viewer
