// What the tests share that look whether all that the window writes can be read. The whole window is drawn, without a
// screen, and asked for every text.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/panels/workspace.h"

namespace fiberscope::viewer::tests {

std::filesystem::path sample(std::string_view name);
/// All samples, by their names.
std::vector<std::filesystem::path> all_samples();

/// A size of the window, and of its text.
struct Screenful {
    int width, height;
    float em;
};

/// A context of ImGui that draws nowhere, and what was found in it.
class Reader {
  public:
    /// Loads fonts for the language and the size of text, with a measure for Chinese even if no font has it.
    Reader(Language language, Screenful screen);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    const Style& style() const noexcept { return style_; }
    std::unique_ptr<Workspace> open(const std::vector<std::filesystem::path>& files);
    /// Draws until everything has its place, and notes in `found` what cannot be read, or lies over something else.
    /// Under a sanitizer only every third time: what it looks for is in the drawing.
    void look(Workspace& workspace, const std::string& where, std::map<std::string, std::string>& found);
    /// What was written last.
    const std::vector<Written>& written() const noexcept { return written_; }

  private:
    void draw(Workspace& workspace);
    void load();
    ImFontAtlas& atlas_;  // of all Readers: they mostly need the same letters
    ImGuiContext* context_;
    Screenful screen_;
    Style style_;
    std::vector<Written> written_;
    unsigned looks_ = 0;
};

/// What was found, a line each.
std::string in_lines(const std::map<std::string, std::string>& found);

}  // namespace fiberscope::viewer::tests
