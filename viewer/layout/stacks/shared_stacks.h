// The shared stacks at the playhead: for each, its occupant and the bytes copied so far, and for every coroutine that
// ever uses it a bar with the saved image and its buffer to a common scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// A coroutine that uses a shared stack, with its saved image.
struct TenantRow {
    Rect rect, chip;
    Rect room;    ///< area for a bar: its width is the largest image of the trace
    Rect buffer;  ///< the image's buffer to scale; empty if there is none
    Rect image;   ///< its used bytes; empty if nothing is saved
    std::uint32_t co = trace::kNone;
    trace::State state = trace::State::new_;
    bool exists = false;
    bool owns = false;  ///< currently on the stack
    std::string name;
    std::string words;   ///< "1,072 of 2,048 B", "is on it", "no image"
    std::string detail;  ///< the same as a sentence
};

struct SharedStackBox {
    Rect rect;       ///< whole box
    Rect title;      ///< for "stack 0"
    Rect owner_box;  ///< for the occupant
    Rect out, in;    ///< the totals
    std::string name;
    std::uint32_t owner = trace::kNone;
    trace::State owner_state = trace::State::new_;
    std::string owner_words;  ///< the occupant as text, "B is on it", or that there is none
    std::string owner_name;   ///< used if the text does not fit
    std::string out_words, in_words;
    std::vector<TenantRow> rows;  ///< the visible ones
};

struct SharedStacks {
    std::string heading;                ///< with the total of all stacks
    std::vector<SharedStackBox> boxes;  ///< the visible ones
    std::vector<float> tops, bottoms;   ///< by stack: ends of its box in the content, pixels
    float content_height = 0;           ///< of all, visible or not
};

struct SharedStacksRequest {
    const trace::Replay& replay;  ///< at the playhead
    const TraceIndex& index;
    Rect area;  ///< visible area
    Metrics metrics;
    float scroll = 0;           ///< pixels of the content above `area`
    std::uint64_t largest = 0;  ///< bytes at full bar width; 0: the largest image of the trace
};

SharedStacks layout_shared_stacks(const SharedStacksRequest& request);

/// Height at which everything is visible in `columns` columns.
float wanted_shared_stacks_height(const TraceIndex& index, float em, std::uint32_t columns = 1) noexcept;

/// The heading: total bytes copied so far.
std::string shared_stacks_heading(const trace::Replay& replay, Language language = Language::english);

}  // namespace fiberscope::viewer
