// The recordings that a window offers to open: those opened last, those recorded here, the lectures, the samples.
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
/// Those in a tree of the labs (find_labs), where ./lab looks for them too; none if it is empty.
Recordings recordings_in(const std::filesystem::path& tree);

/// In groups, without those that would be empty. A sample with notes is a lecture. `recent`: paths, the last one first.
std::vector<OfferGroup> offers_of(const Recordings& recordings, const std::vector<std::string>& recent,
                                  Language language);

}  // namespace fiberscope::viewer
