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
    std::string render;                  ///< output picture; empty: open a window
    std::string panel;                   ///< panel to render; empty: the whole window
    int width = 1600, height = 900;      ///< pixels
    bool sized = false, themed = false;  ///< size or colours were given
    std::optional<std::size_t> at;       ///< number of the event at the playhead; SIZE_MAX for `end`
    std::optional<std::uint32_t> chosen;
    Theme theme = Theme::dark;
    Language language = Language::english;
    float scale = 0;            ///< 0: the display's default
    bool side_by_side = false;  ///< show all files at once
    bool matrix = false;        ///< show all files as a matrix
    Lock lock = Lock::time;     ///< synchronization of all files then
    bool present = false;       ///< for a presentation: large text, lanes first
    std::vector<Action> press;  ///< keys that are pressed at the start
    std::optional<bool> sets;   ///< whether to draw the sets; by default not side by side
    bool help = false;
};

/// An error on the command line, described in one sentence.
class UsageError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// `arguments` excludes the program's name. Throws UsageError.
Options parse_options(const std::vector<std::string>& arguments);
/// The output of `--help`.
std::string usage(Language language = Language::english);

}  // namespace fiberscope::viewer
