#include "viewer/layout/page/svg/svg_writer.h"

#include <array>
#include <cstdio>

namespace fiberscope::viewer {
namespace {

constexpr float kLetter = 0.6F, kCharacter = 1;  // em; a character is a Chinese one

std::string number(float value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(value));
    return text.data();
}

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (static_cast<unsigned char>(c) >= 0x20)
            out += c;
    }
    return out;
}

}  // namespace

Metrics rough_metrics(float em, Language language) {
    const auto width = [em](std::string_view text) {
        float letters = 0;
        for (const char c : text) {
            const auto byte = static_cast<unsigned char>(c);
            if ((byte & 0xC0U) != 0x80U) letters += byte >= 0xE3U ? kCharacter : kLetter;
        }
        return em * letters;
    };
    return {em, width, language};
}

std::string svg_color(Color c) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "#%02x%02x%02x", c.r, c.g, c.b);
    return text.data();
}

SvgWriter::SvgWriter(float width, float height, float em) {
    out_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + number(width) + "\" height=\"" + number(height) +
           "\" font-family=\"DejaVu Sans, Noto Sans CJK SC, sans-serif\" font-size=\"" + number(em) + "\">\n";
}

void SvgWriter::rect(Rect r, Color fill, const std::string& more) {
    if (r.empty()) return;
    out_ += "<rect x=\"" + number(r.x0) + "\" y=\"" + number(r.y0) + "\" width=\"" + number(r.width()) +
            "\" height=\"" + number(r.height()) + "\" fill=\"" + svg_color(fill) + "\"" + more + "/>\n";
}

void SvgWriter::line(Point a, Point b, Color color, float width, const std::string& more) {
    out_ += "<line x1=\"" + number(a.x) + "\" y1=\"" + number(a.y) + "\" x2=\"" + number(b.x) + "\" y2=\"" +
            number(b.y) + "\" stroke=\"" + svg_color(color) + "\" stroke-width=\"" + number(width) + "\"" + more +
            "/>\n";
}

void SvgWriter::text(Point at, std::string_view words, Color color, const std::string& more) {
    if (words.empty()) return;
    out_ += "<text x=\"" + number(at.x) + "\" y=\"" + number(at.y) + "\" fill=\"" + svg_color(color) + "\"" + more +
            ">" + escaped(words) + "</text>\n";
}

void SvgWriter::circle(Point middle, float radius, const std::string& fill, const std::string& stroke) {
    out_ += "<circle cx=\"" + number(middle.x) + "\" cy=\"" + number(middle.y) + "\" r=\"" + number(radius) +
            "\" fill=\"" + fill + "\" stroke=\"" + stroke + "\"/>\n";
}

void SvgWriter::head(float x, float y0, float y1, float size, Color color) {
    const float down = y1 > y0 ? 1.0F : -1.0F;
    out_ += "<path d=\"M" + number(x) + " " + number(y1) + "l" + number(-size) + " " + number(-1.6F * down * size) +
            "h" + number(2 * size) + "z\" fill=\"" + svg_color(color) + "\"/>\n";
}

}  // namespace fiberscope::viewer
