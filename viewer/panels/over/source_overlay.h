// A source file or a section of a handout; an overlay.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "viewer/layout/trace_facts/mechanism.h"
#include "viewer/model/sources.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// A mechanism as used in a recording.
struct SourceWish {
    Mechanism mechanism;
    const trace::Trace& trace;
    std::string run;  ///< the name of the recording if there are several; else empty
};

class SourceOverlay {
  public:
    /// Shows them one below the other; searches the labs near the recordings.
    void show(const std::vector<SourceWish>& wishes, Language language);
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    void draw(const Style& style, Rect area);
    /// Number of parts, and the text shown of each.
    std::size_t size() const noexcept { return parts_.size(); }
    const Excerpt& shown(std::size_t part = 0) const noexcept {
        return handout_ ? parts_[part].section : parts_[part].source;
    }

  private:
    struct Part {
        std::string title, run, source_path, section_path;
        bool stands_in = false;
        Excerpt source, section;
        std::vector<bool> code;  ///< whether a line of the section is in a block of code
    };
    std::string place_of(const Part& part, const Style& style) const;
    void draw_lines(const Canvas& canvas, const Style& style, std::size_t part, float height);
    bool open_ = false, handout_ = false, scroll_ = false;
    std::vector<Part> parts_;
};

}  // namespace fiberscope::viewer
