// A link to a place in the viewer: recordings, position, selection, visible range.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "viewer/layout/base/look.h"
#include "viewer/layout/base/selection.h"
#include "viewer/model/keys.h"
#include "viewer/model/side_by_side.h"

namespace fiberscope::viewer {

/// "trace=one&with=other&at=300&select=7&view=1200..4800&lock=number&show=present&lang=zh&theme=light". Several files
/// of `trace` have a tab each, as in a new window. A missing or invalid field has the default value of a new window.
struct LinkedPlace {
    std::vector<std::string> files;  ///< names without ".json"
    bool beside = false;             ///< a file of `with`: all are side by side
    std::optional<std::size_t> at;   ///< events before the playhead of the first file
    std::optional<std::uint32_t> chosen;
    std::optional<Range> visible;  ///< ns
    Pins pins;                     ///< "pin=m0,m1,7": machines and coroutines
    Lock lock = Lock::time;
    bool present = false;
    std::optional<bool> sets;
    std::vector<Action> press;  ///< "press=O%20H": keys pressed once at the start; never written
    Language language = Language::english;
    Theme theme = Theme::dark;
};

/// `fragment` is the part of a URL after '#', percent-encoded.
LinkedPlace read_place(std::string_view fragment);
std::string write_place(const LinkedPlace& place);

/// The place of a lecture note: the same without `trace` and `at`, which follow from its file and event.
std::string write_note_place(const LinkedPlace& place);
/// The first part of such a place that is invalid in a note; empty if there is none.
std::string_view wrong_part(std::string_view fragment);

}  // namespace fiberscope::viewer
