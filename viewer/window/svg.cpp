#include "viewer/window/svg.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {
namespace {

using Place = std::pair<float, float>;  // in the atlas

/// ImGui's size of a font is from the top of its letters to the foot; that of SVG is smaller, in DejaVu by this.
constexpr float kHigher = 1.164F;

struct Letter {
    const ImFont* font = nullptr;
    const ImFontGlyph* glyph = nullptr;
    float ascent = 0, space = 0;  ///< above the line on which it stands; the width of a space
};

std::string number(float value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(value));
    std::string out = text.data();
    return out.ends_with(".0") ? out.substr(0, out.size() - 2) : out;
}

/// ` fill="#rrggbb"`, and how much it covers.
std::string fill_of(ImU32 color) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), " fill=\"#%02x%02x%02x\"", color & 0xFFU, (color >> 8U) & 0xFFU,
                  (color >> 16U) & 0xFFU);
    const ImU32 alpha = color >> 24U;
    return alpha == 255 ? text.data() : text.data() + (" fill-opacity=\"" + std::to_string(alpha * 100 / 255)) + "%\"";
}

std::string rect_of(const Rect& r) {
    return "<rect x=\"" + number(r.x0) + "\" y=\"" + number(r.y0) + "\" width=\"" + number(r.width()) + "\" height=\"" +
           number(r.height()) + "\"";
}

void add_character(std::string& text, ImWchar character) {
    std::array<char, 5> bytes{};
    switch (character) {
    case '&': text += "&amp;"; break;
    case '<': text += "&lt;"; break;
    case '>': text += "&gt;"; break;
    default: text += ImTextCharToUtf8(bytes.data(), character);
    }
}

class SvgPicture {
  public:
    SvgPicture(Rect part, Color ground, const Fonts& fonts) : part_(part), fonts_(fonts) {
        for (ImFont* font : ImGui::GetIO().Fonts->Fonts) {
#if IMGUI_VERSION_NUM >= 19200
            ImFontBaked& its = *font->GetFontBaked(font->LegacySize);
#else
            const ImFont& its = *font;
#endif
            for (const ImFontGlyph& glyph : its.Glyphs)
                if (glyph.Visible != 0)
                    letters_[{glyph.U0, glyph.V0}] = {font, &glyph, its.Ascent, its.GetCharAdvance(' ')};
        }
        out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(part.width()) + "\" height=\"" +
               number(part.height()) + "\" viewBox=\"" + number(part.x0) + " " + number(part.y0) + " " +
               number(part.width()) + " " + number(part.height()) +
               "\" font-family=\"DejaVu Sans, Noto Sans CJK SC, sans-serif\">\n" + rect_of(part) +
               fill_of(packed(ground)) + "/>\n";
    }

    void draw(const ImDrawList& list, const ImDrawCmd& command) {
        const Rect clip{std::max(command.ClipRect.x, part_.x0), std::max(command.ClipRect.y, part_.y0),
                        std::min(command.ClipRect.z, part_.x1), std::min(command.ClipRect.w, part_.y1)};
        if (clip.empty()) return;
        cut_to(clip);
        const ImDrawVert* corners = list.VtxBuffer.Data + command.VtxOffset;
        const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
        for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
            const ImDrawVert &a = corners[index[i]], &b = corners[index[i + 1]], &c = corners[index[i + 2]];
            if (a.uv.x == b.uv.x && a.uv.x == c.uv.x && a.uv.y == b.uv.y && a.uv.y == c.uv.y)
                triangle({index[i], index[i + 1], index[i + 2]}, a, b, c);
            else if (i + 5 < command.ElemCount && index[i] == index[i + 3])  // the first half of a letter
                letter(a, c);
        }
        end_shape();
        end_words();
    }

    std::string finished() {
        end_path();
        return out_ + (cut_ ? "</g>\n" : "") + "</svg>\n";
    }

  private:
    bool seen(const Rect& r) const { return r.x0 < clip_.x1 && r.x1 > clip_.x0 && r.y0 < clip_.y1 && r.y1 > clip_.y0; }

    void cut_to(const Rect& clip) {
        if (cut_ && clip.x0 == clip_.x0 && clip.y0 == clip_.y0 && clip.x1 == clip_.x1 && clip.y1 == clip_.y1) return;
        end_path();
        const std::string name = "c" + std::to_string(++clips_);
        out_ += (cut_ ? "</g>\n" : "") + ("<clipPath id=\"" + name) + "\">" + rect_of(clip) +
                "/></clipPath><g clip-path=\"url(#" + name + ")\">\n";
        clip_ = clip;
        cut_ = true;
    }

    /// Triangles that share a corner, each with an edge of the one before, are one shape.
    void triangle(std::array<ImDrawIdx, 3> at, const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
        end_words();
        if (a.col >> 24U == 0 || b.col >> 24U == 0 || c.col >> 24U == 0) return;  // a soft edge
        if (shape_.empty() || first_ != at[0] || last_ != at[1] || color_ != a.col) {
            end_shape();
            begin_path(a.col);
            first_ = at[0];
            shape_ = {a.pos, b.pos};
        }
        last_ = at[2];
        shape_.push_back(c.pos);
    }

    void end_shape() {
        Rect around{1e9F, 1e9F, -1e9F, -1e9F};
        for (const ImVec2& p : shape_)
            around = {std::min(around.x0, p.x), std::min(around.y0, p.y), std::max(around.x1, p.x),
                      std::max(around.y1, p.y)};
        if (seen(around))
            for (std::size_t i = 0; i < shape_.size(); ++i)
                path_ += (i == 0   ? "M"
                          : i == 1 ? "L"
                                   : " ") +
                         number(shape_[i].x) + " " + number(shape_[i].y) + (i + 1 == shape_.size() ? "z" : "");
        shape_.clear();
    }

    void begin_path(ImU32 color) {
        if (color == color_) return;
        end_path();
        color_ = color;
    }

    void end_path() {
        end_shape();
        if (!path_.empty()) out_ += "<path" + fill_of(color_) + " d=\"" + path_ + "\"/>\n";
        path_.clear();
        color_ = 0;
    }

    void letter(const ImDrawVert& upper, const ImDrawVert& lower) {
        const auto found = letters_.find({upper.uv.x, upper.uv.y});
        if (found == letters_.end() || !seen({upper.pos.x, upper.pos.y, lower.pos.x, lower.pos.y})) return;
        const auto& [font, glyph, ascent, width] = found->second;
        const float scale = (lower.pos.x - upper.pos.x) / (glyph->X1 - glyph->X0);
        const float x = upper.pos.x - glyph->X0 * scale, y = upper.pos.y + (ascent - glyph->Y0) * scale;
        const float space = std::max(1.0F, width * scale), gap = x - words_.end;
        const bool goes_on = !words_.text.empty() && words_.font == font && words_.color == upper.col &&
                             std::abs(words_.y - y) < 0.5F && gap > -0.5F * space && gap < 4 * space;
        if (goes_on) {
            words_.text.append(static_cast<std::size_t>(std::max(0L, std::lround(gap / space))), ' ');
        } else {
            end_words();
            words_ = {font, upper.col, x, y, 0, scale * size_of(font) / kHigher, {}};
        }
        add_character(words_.text, static_cast<ImWchar>(glyph->Codepoint));
        words_.end = x + glyph->AdvanceX * scale;
    }

    void end_words() {
        if (words_.text.empty()) return;
        end_path();
        const std::string font = words_.font == fonts_.bold   ? "\" font-weight=\"bold"
                                 : words_.font == fonts_.mono ? "\" font-family=\"DejaVu Sans Mono, monospace"
                                                              : "";
        out_ += "<text x=\"" + number(words_.x) + "\" y=\"" + number(words_.y) + "\" font-size=\"" +
                number(words_.size) + "\" textLength=\"" + number(words_.end - words_.x) + font +
                "\" xml:space=\"preserve\"" + fill_of(words_.color) + ">" + words_.text + "</text>\n";
        words_.text.clear();
    }

    struct Words {
        const ImFont* font = nullptr;
        ImU32 color = 0;
        float x = 0, y = 0, end = 0, size = 0;  ///< pixels; `y` is the line that they stand on
        std::string text;
    };

    Rect part_, clip_;
    const Fonts& fonts_;
    std::map<Place, Letter> letters_;
    std::string out_, path_;
    std::vector<ImVec2> shape_;
    ImDrawIdx first_ = 0, last_ = 0;
    ImU32 color_ = 0;
    int clips_ = 0;
    bool cut_ = false;
    Words words_;
};

}  // namespace

std::string svg_of(const ImDrawData& data, Rect part, Color ground, const Fonts& fonts) {
    SvgPicture picture(part, ground, fonts);
    for (int i = 0; i < data.CmdListsCount; ++i)
        for (const ImDrawCmd& command : data.CmdLists[i]->CmdBuffer) picture.draw(*data.CmdLists[i], command);
    return picture.finished();
}

}  // namespace fiberscope::viewer
