#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "viewer/panels/style.h"

namespace fiberscope::viewer {
namespace {

/// Latin, Greek (µ), punctuation (· …), arrows, mathematics (≠ −), technical and geometric signs.
constexpr std::array<ImWchar, 15> kGlyphs{0x20,   0x17F,  0x370,  0x3FF,  0x2000, 0x206F, 0x2190, 0x21FF,
                                          0x2200, 0x22FF, 0x2300, 0x23FF, 0x25A0, 0x25FF, 0};

constexpr std::array kPlaces{
    "/usr/share/fonts/truetype/dejavu/",        "/usr/share/fonts/dejavu/", "/usr/share/fonts/dejavu-sans-fonts/",
    "/usr/share/fonts/dejavu-sans-mono-fonts/", "/usr/share/fonts/TTF/",    "/usr/local/share/fonts/dejavu/"};

bool is_font(const std::string& file) {
    std::error_code ignored;
    const std::string end = file.size() > 4 ? file.substr(file.size() - 4) : std::string();
    return (end == ".ttf" || end == ".otf" || end == ".ttc") && std::filesystem::is_regular_file(file, ignored);
}

/// What fontconfig's own command answers for `pattern`; empty if there is none. `pattern` is one of ours.
std::string ask_fontconfig(const std::string& pattern) {
    const std::string command = "fc-match -f '%{file}' '" + pattern + "' 2>/dev/null";
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return {};
    std::string answer;
    std::array<char, 512> part{};
    while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) answer.append(part.data(), got);
    pclose(pipe);
    return answer;
}

std::string find_font(const char* file, const char* pattern) {
    for (const char* place : kPlaces)
        if (is_font(place + std::string(file))) return place + std::string(file);
    std::string found = ask_fontconfig(pattern);
    return is_font(found) ? found : std::string();
}

ImFont* load(const std::string& file, float em) {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    if (!file.empty())
        if (ImFont* font = atlas->AddFontFromFileTTF(file.c_str(), em, nullptr, kGlyphs.data())) return font;
    ImFontConfig config;
    config.SizePixels = em;
    return atlas->AddFontDefault(&config);
}

}  // namespace

Fonts load_fonts(float em) {
    const std::string text = find_font("DejaVuSans.ttf", "DejaVu Sans,sans");
    const std::string bold = find_font("DejaVuSans-Bold.ttf", "DejaVu Sans,sans:bold");
    const std::string mono = find_font("DejaVuSansMono.ttf", "DejaVu Sans Mono,mono");
    Fonts fonts;
    fonts.text = load(text, em);
    fonts.bold = load(bold.empty() ? text : bold, em);
    fonts.large = load(text, 1.3F * em);
    fonts.mono = load(mono.empty() ? text : mono, 0.9F * em);
    return fonts;
}

}  // namespace fiberscope::viewer
