// Shortening of texts to the available width.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// Length in bytes of the longest prefix of `text` that fits into `width`. Measures little more than that prefix,
/// however long the text is.
std::size_t fitting_length(const Metrics& metrics, float width, std::string_view text);

/// `text`, or the longest prefix of whole characters that fits with an ellipsis.
std::string fitting_beginning(const Metrics& metrics, float width, std::string_view text);

/// `text` if it fits into `width` with a small margin, else empty.
std::string fitting_whole(const Metrics& metrics, float width, std::string_view text);

/// The longest form of a name that fits into `width`: the whole name, its number (or single letter) at the end, or its
/// first letters (at least two) with an ellipsis; else empty.
std::string fitting_name(const Metrics& metrics, float width, std::string_view name);

/// As fitting_name(), for rows that mix several kinds of names: the whole name, its first letters with its number ("hog
/// 1", "ho…1"), or its first letters; never the number alone.
std::string fitting_lane_name(const Metrics& metrics, float width, std::string_view name);

/// Replaces the common prefix of all names by an ellipsis; a name that equals the prefix is unchanged.
std::vector<std::string> without_same_beginning(std::vector<std::string> names);

/// Returns the maximum width to which `widths` must be limited so that their sum fits into `room`; narrower elements
/// leave their room to the wider ones. If `least` is given, no element gets less than its entry there. Negative if
/// there is no room.
float common_width(float room, std::vector<float> widths, const std::vector<float>& least = {});

/// The longest form of a key with its unit that fits: all of it ("95282 ns"), only the number, or empty.
std::string fitting_key(const Metrics& metrics, float width, std::string_view key);

/// The first of `texts` (longest first) that fits; the last one if none fits.
std::string first_fitting(const Metrics& metrics, float width, std::initializer_list<std::string> texts);

/// A sentence, shortened at a clause boundary if it does not fit: the longest prefix before a ": ", "; ", ", " or " ("
/// that fits with an ellipsis and is understandable by itself (any prefix if `any`); else empty.
std::string fitting_sentence(const Metrics& metrics, float width, std::string_view sentence, bool any = false);

/// Splits a symbol into two parts of at most `width`, after a '_' or ':' or before a '+'; empty if that is impossible.
std::vector<std::string> parted_symbol(const Metrics& metrics, float width, std::string_view symbol);

/// Wraps `text` into lines of at most `width`, the first of at most `first`, between words or between Chinese
/// characters; empty if it needs more than `most` lines.
std::vector<std::string> wrapped(const Metrics& metrics, float first, float width, std::string_view text,
                                 std::size_t most);

}  // namespace fiberscope::viewer
