// Shared code of the readability tests. The whole window is drawn without a screen, and all its texts are recorded.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/panels/workspace.h"

namespace fiberscope::viewer::tests {

std::filesystem::path sample(std::string_view name);
/// All samples, by name.
std::vector<std::filesystem::path> all_samples();

/// A size of the window, and of its text.
struct Screenful {
    int width, height;
    float em;
};

/// An ImGui context without output, and the findings.
class Reader {
  public:
    /// Loads fonts for the language and the text size; measures Chinese even if no font has it.
    Reader(Language language, Screenful screen);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

    const Style& style() const noexcept { return style_; }
    std::unique_ptr<Workspace> open(const std::vector<std::filesystem::path>& files);
    /// Draws until the layout is stable, and adds to `found` all texts that are not readable or overlap. Under a
    /// sanitizer only every third time, since the findings depend only on the drawing.
    void look(Workspace& workspace, const std::string& where, std::map<std::string, std::string>& found);
    void look(Workspace& workspace);
    /// The texts of the last frame.
    const std::vector<Written>& written() const noexcept { return written_; }
    /// Whether a text that was written last has these words.
    bool says(std::string_view words) const;

  private:
    void draw(Workspace& workspace);
    void load();
    ImFontAtlas& atlas_;  // shared by all Readers, which mostly need the same letters
    ImGuiContext* context_;
    Screenful screen_;
    Style style_;
    std::vector<Written> written_;
    unsigned looks_ = 0;
};

/// Samples that are open in a window that is drawn nowhere.
struct Drawn {
    explicit Drawn(std::span<const char* const> samples, Screenful screen = {1600, 900, 17},
                   Language language = Language::english);
    void look() { reader.look(*workspace); }
    bool says(std::string_view words) const { return reader.says(words); }
    Reader reader;
    std::unique_ptr<Workspace> workspace;
};

/// Seven runs of one program, by different strategies.
inline constexpr std::array kMixed{"04_mixed",       "04_mixed_multi_state", "04_mixed_hand_off",      "04_mixed_go",
                                   "04_mixed_netco", "04_mixed_sylar",       "04_mixed_sylar_spinning"};

/// The findings, one per line.
std::string in_lines(const std::map<std::string, std::string>& found);

}  // namespace fiberscope::viewer::tests
