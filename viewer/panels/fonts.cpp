#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "viewer/panels/style.h"

namespace fiberscope::viewer {
namespace {

/// Latin and Greek, and those signs of punctuation (– …), arrows, mathematics (− ≠ ⋮) and geometric shapes that the
/// viewer uses. Each is drawn into four fonts before the first frame; others only for texts that contain them.
constexpr std::array kGlyphs =
    std::to_array<ImWchar>({0x20, 0x17F, 0x370, 0x3FF, 0x2010, 0x2027, 0x2190, 0x2199, 0x2212, 0x2212, 0x2260, 0x2265,
                            0x22EE, 0x22EE, 0x2500, 0x25CF, 0xFFFD, 0xFFFD, 0});

/// A font's size is from its ascent to its descent: 1.448 em in Noto's East Asian fonts, 1.164 em in DejaVu. This
/// factor makes their em equal.
constexpr float kFurtherSize = 1.448F / 1.164F;

/// In the browser the fonts are in the first of these directories, and there is no fontconfig.
constexpr std::array kPlaces{"/fonts/",
                             "/usr/share/fonts/truetype/dejavu/",
                             "/usr/share/fonts/dejavu/",
                             "/usr/share/fonts/dejavu-sans-fonts/",
                             "/usr/share/fonts/dejavu-sans-mono-fonts/",
                             "/usr/share/fonts/TTF/",
                             "/usr/local/share/fonts/dejavu/"};

/// All fixed texts of the window, and the notes recorded by the demos of the labs.
std::string window_texts(Language language) {
    return all_texts(language, {"viewer", "traces/"}) + all_texts(language, "note");
}

bool is_font(const std::string& file) {
    std::error_code ignored;
    const std::string end = file.size() > 4 ? file.substr(file.size() - 4) : std::string();
    return (end == ".ttf" || end == ".otf" || end == ".ttc") && std::filesystem::is_regular_file(file, ignored);
}

/// The output of a fontconfig command; empty on failure. `command` must consist of trusted words and numbers.
std::string output_of(const std::string& command) {
    FILE* pipe = popen((command + " 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) return {};
    std::string answer;
    std::array<char, 512> part{};
    while (const std::size_t got = std::fread(part.data(), 1, part.size(), pipe)) answer.append(part.data(), got);
    pclose(pipe);
    return answer;
}

std::string ask_fontconfig(const std::string& pattern) { return output_of("fc-match -f '%{file}' '" + pattern + "'"); }

std::string find_font(const char* file, const char* pattern) {
    for (const char* place : kPlaces)
        if (is_font(place + std::string(file))) return place + std::string(file);
    std::string found = ask_fontconfig(pattern);
    return is_font(found) ? found : std::string();
}

/// Whether the default fonts have the character.
bool is_plain(char32_t c) {
    for (std::size_t i = 0; kGlyphs[i] != 0; i += 2)
        if (c >= kGlyphs[i] && c <= kGlyphs[i + 1]) return true;
    return c < 0x20 || c > 0xFFFF;
}
/// Characters of one script have the same number and use one font.
char32_t script_of(char32_t c) {
    const bool east = (c >= 0x2E80 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || c >= 0xFF00;
    return east ? 0 : c >= 0xAC00 && c <= 0xD7AF ? 1 : c >> 8U;
}

using Scripts = std::map<char32_t, std::set<char32_t>>;

/// The characters of `texts` (UTF-8) that need other fonts, by script.
Scripts further_scripts(std::string_view texts) {
    Scripts scripts;
    const char* end = texts.data() + texts.size();
    for (const char* at = texts.data(); at < end;) {
        unsigned c = 0;
        at += std::max(1, ImTextCharFromUtf8(&c, at, end));
        if (!is_plain(c)) scripts[script_of(c)].insert(c);
    }
    return scripts;
}

/// A font that has `c`; empty if there is none on the system.
std::string font_with(char32_t c) {
    constexpr char32_t kChinese = 0x2E80;  // and above
    const std::string brought = std::string(kPlaces[0]) + (c < kChinese ? "DejaVuSans.ttf" : "chinese.otf");
    if (is_font(brought)) return brought;
    std::array<char, 16> hex{};
    std::snprintf(hex.data(), hex.size(), "%x", static_cast<unsigned>(c));
    const std::string charset = ":charset=" + std::string(hex.data());
    const std::string all = output_of("fc-list -f '%{file}\n' '" + charset + "'");
    const std::string best = ask_fontconfig("sans" + charset);
    if (all.find(best) != std::string::npos && is_font(best)) return best;
    const std::string first = all.substr(0, all.find('\n'));
    return is_font(first) ? first : std::string();
}

/// Glyph ranges, which must outlive the build of the atlas.
std::vector<std::vector<ImWchar>>& kept_ranges() {
    static std::vector<std::vector<ImWchar>> ranges;
    return ranges;
}

struct Joined {
    std::string file;
    const ImWchar* glyphs;
};

/// A font for each script; those without a font are described in `missing`.
std::vector<Joined> find_further(const Scripts& scripts, Language language, std::string& missing) {
    kept_ranges().clear();
    std::vector<Joined> joined;
    kept_ranges().reserve(scripts.size());
    for (const auto& [script, characters] : scripts) {
        const std::string file = font_with(*characters.begin());
        if (file.empty()) {
            missing = say(language,
                          "No installed font has all required characters: install one, for instance the package "
                          "fonts-noto-cjk for Chinese.");
            continue;
        }
        std::vector<ImWchar>& ranges = kept_ranges().emplace_back();
        for (const char32_t c : characters) ranges.insert(ranges.end(), 2, static_cast<ImWchar>(c));
        ranges.push_back(0);
        joined.push_back({file, ranges.data()});
    }
    return joined;
}

ImFont* load(const std::string& file, float em, const std::vector<Joined>& joined) {
    ImFontAtlas* atlas = ImGui::GetIO().Fonts;
    ImFont* font = file.empty() ? nullptr : atlas->AddFontFromFileTTF(file.c_str(), em, nullptr, kGlyphs.data());
    if (font == nullptr) {
        ImFontConfig config;
        config.SizePixels = em;
        font = atlas->AddFontDefault(&config);
    }
    for (const Joined& further : joined) {
        ImFontConfig config;
        config.MergeMode = true;
        atlas->AddFontFromFileTTF(further.file.c_str(), kFurtherSize * em, &config, further.glyphs);
    }
    return font;
}

/// The last loaded fonts and their parameters: drawing all glyphs takes long. If a font was missing, it is searched
/// again, since it may have been installed.
struct Loaded {
    const ImFontAtlas* atlas = nullptr;
    float em = 0, mono = 0;
    Language language = Language::english;
    Scripts scripts;
    Fonts fonts;

    bool is_for(const ImFontAtlas& here, float size, float code, Language words, const Scripts& further) const {
        return atlas == &here && !here.Fonts.empty() && em == size && mono == code && language == words &&
               scripts == further && fonts.missing.empty();
    }
};

Loaded& last_loaded() {
    static Loaded loaded;
    return loaded;
}

}  // namespace

bool can_draw(Language language) {
    for (const auto& [script, characters] : further_scripts(window_texts(language)))
        if (font_with(*characters.begin()).empty()) return false;
    return true;
}

Fonts load_fonts(float em, std::string_view texts, Language language, float mono_part) {
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    Scripts scripts = further_scripts(window_texts(language) + std::string(texts));
    if (last_loaded().is_for(atlas, em, mono_part, language, scripts)) return last_loaded().fonts;
    const std::string text = find_font("DejaVuSans.ttf", "DejaVu Sans,sans");
    const std::string bold = find_font("DejaVuSans-Bold.ttf", "DejaVu Sans,sans:bold");
    const std::string mono = find_font("DejaVuSansMono.ttf", "DejaVu Sans Mono,mono");
    Fonts fonts;
    atlas.Clear();
    const std::vector<Joined> joined = find_further(scripts, language, fonts.missing);
    fonts.text = load(text, em, joined);
    fonts.bold = load(bold.empty() ? text : bold, em, joined);
    fonts.large = load(text, 1.3F * em, joined);
    fonts.mono = load(mono.empty() ? text : mono, mono_part * em, joined);
    last_loaded() = {&atlas, em, mono_part, language, std::move(scripts), fonts};
    return fonts;
}

}  // namespace fiberscope::viewer
