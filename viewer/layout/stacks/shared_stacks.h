// The shared stacks at the playhead as rectangles and words: for each one that lies there, what was copied so far, and
// a bar for each that ever lies there, with the size of the saved image and of its buffer to one scale.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// One that lies on a shared stack at some time, with its saved image.
struct TenantRow {
    Rect rect, chip;
    Rect room;    ///< where a bar may lie: its width is the largest image of the trace
    Rect buffer;  ///< the image's buffer to scale; empty if there is none
    Rect image;   ///< the bytes in it; empty if nothing is saved
    std::uint32_t co = trace::kNone;
    trace::State state = trace::State::new_;
    bool exists = false;
    bool owns = false;  ///< lies on the stack now
    std::string name;
    std::string words;   ///< "1,072 of 2,048 B", "lies here", "no image"
    std::string detail;  ///< the same as a sentence
};

struct SharedStackBox {
    Rect rect;       ///< all of it
    Rect title;      ///< for "stack 0"
    Rect owner_box;  ///< what lies there
    Rect out, in;    ///< the totals
    std::string name;
    std::uint32_t owner = trace::kNone;
    trace::State owner_state = trace::State::new_;
    std::string owner_words;  ///< "B lies here", or that none does
    std::string owner_name;   ///< where there is no room for the words
    std::string out_words, in_words;
    std::vector<TenantRow> rows;  ///< the visible ones
};

struct SharedStacks {
    std::string heading;                ///< with the sum over all stacks
    std::vector<SharedStackBox> boxes;  ///< the visible ones
    std::vector<float> tops, bottoms;   ///< by stack: where its box lies in the content, pixels
    float content_height = 0;           ///< of all, visible or not
};

struct SharedStacksRequest {
    const trace::Replay& replay;  ///< at the playhead
    const TraceIndex& index;
    Rect area;  ///< what is visible
    Metrics metrics;
    float scroll = 0;           ///< pixels of the content above `area`
    std::uint64_t largest = 0;  ///< bytes that a bar of full width stands for; 0: the largest image of the trace
};

SharedStacks layout_shared_stacks(const SharedStacksRequest& request);

/// The height at which all of it is visible, in so many columns.
float wanted_shared_stacks_height(const TraceIndex& index, float em, std::uint32_t columns = 1) noexcept;

/// The heading: how much was copied at all until now.
std::string shared_stacks_heading(const trace::Replay& replay, Language language = Language::english);

}  // namespace fiberscope::viewer
