// A source file or a section of a handout, over the other panels.
#pragma once

#include <filesystem>

#include "viewer/layout/words/mechanism.h"
#include "viewer/model/sources.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

class SourceOverlay {
  public:
    /// Shows the source of `mechanism`; `trace`: the file next to which the labs are looked for.
    void show(const Mechanism& mechanism, const std::filesystem::path& trace, Language language);
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Opens what is shown in the editor; returns what happened.
    std::string edit() const {
        return open_in_editor(shown().file, std::max<std::size_t>(1, shown().marked), language_);
    }
    /// Returns what happened, if the editor was asked for.
    std::string draw(const Style& style, Rect area);
    const Excerpt& shown() const noexcept { return handout_ ? section_ : source_; }

  private:
    void draw_lines(const Canvas& canvas, const Style& style);
    bool open_ = false, handout_ = false, scroll_ = false;
    Language language_ = Language::english;
    std::string handout_section_;
    Mechanism mechanism_;
    Excerpt source_, section_;
};

}  // namespace fiberscope::viewer
