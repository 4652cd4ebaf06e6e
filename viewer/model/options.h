// The command line of fiberscope-viewer.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/look.h"
#include "viewer/model/side_by_side.h"

namespace fiberscope::viewer {

struct Options {
    std::vector<std::string> files;
    std::string render;                  ///< the picture to write; empty: open a window
    std::string panel;                   ///< of which the picture is; empty: of the whole window
    int width = 1600, height = 900;      ///< pixels
    bool sized = false, themed = false;  ///< the size, the colours were asked for
    std::optional<std::size_t> at;       ///< number of the event at the playhead; SIZE_MAX for `end`
    std::optional<std::uint32_t> chosen;
    Theme theme = Theme::dark;
    Language language = Language::english;
    float scale = 0;            ///< 0: what the screen asks for
    bool side_by_side = false;  ///< show all files at once
    bool matrix = false;        ///< show all files as a matrix
    Lock lock = Lock::time;     ///< what all files have in common then
    bool present = false;       ///< as for a presentation: large text, lanes first
    std::vector<Action> press;  ///< keys that are pressed first
    std::optional<bool> sets;   ///< whether the sets are drawn; usually not side by side
    bool help = false;
};

/// One sentence about what is wrong on the command line.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// `arguments` without the program's name. Throws UsageError.
Options parse_options(const std::vector<std::string>& arguments);
/// What `--help` prints.
std::string usage(Language language = Language::english);

}  // namespace fiberscope::viewer
