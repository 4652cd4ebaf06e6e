// What of a word fits where there is little room.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// Bytes of the longest beginning of `text` that fits into `width`. Measures little more than what fits, however long
/// the text is.
std::size_t fitting_length(const Metrics& metrics, float width, std::string_view text);

/// All of `text`, or as much of its beginning as fits with an ellipsis behind it, in whole characters.
std::string fitting_beginning(const Metrics& metrics, float width, std::string_view text);

/// `text` if it fits into `width` with a little room beside it, else nothing.
std::string fitting_whole(const Metrics& metrics, float width, std::string_view text);

/// What of a name fits into `width`: all of it, its number (or single letter) at the end, or its first letters (two at
/// least) and an ellipsis; else nothing.
std::string fitting_name(const Metrics& metrics, float width, std::string_view name);

/// Likewise where several kinds of names stand in one row: all of it, its first letters and its number ("hog 1",
/// "ho…1"), its first letters; never the number alone.
std::string fitting_lane_name(const Metrics& metrics, float width, std::string_view name);

/// The names without the beginning that all share, each with an ellipsis in its place; the name that is nothing else
/// stays as it is.
std::vector<std::string> without_same_beginning(std::vector<std::string> names);

/// The width that none of some may exceed so that all fit into `room` together; what is narrower leaves its room to the
/// others. What needs more for the `least` of it gets that, if given. Below 0 if there is no room at all.
float common_width(float room, std::vector<float> widths, const std::vector<float>& least = {});

/// What of a key with its unit fits: all of it ("95282 ns"), its number, or nothing.
std::string fitting_key(const Metrics& metrics, float width, std::string_view key);

/// The first of `texts`, longest first, that fits; the last one if none does.
std::string first_fitting(const Metrics& metrics, float width, std::initializer_list<std::string> texts);

/// A sentence, whole or without its last clauses: what stands before the last ": ", "; ", ", " or " (" that fits, with
/// an ellipsis behind it, if that says enough by itself, or if `any` part does; else nothing.
std::string fitting_sentence(const Metrics& metrics, float width, std::string_view sentence, bool any = false);

/// A symbol in two parts of at most `width`, parted behind a '_' or ':' or before a '+'; nothing if it cannot be.
std::vector<std::string> parted_symbol(const Metrics& metrics, float width, std::string_view symbol);

/// `text` in lines of at most `width`, the first of at most `first`, broken between words, in Chinese
/// between characters; nothing if it would need
/// more than `most` lines.
std::vector<std::string> wrapped(const Metrics& metrics, float first, float width, std::string_view text,
                                 std::size_t most);

}  // namespace fiberscope::viewer
