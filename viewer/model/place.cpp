#include "viewer/model/place.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace fiberscope::viewer {
namespace {

constexpr std::array<std::string_view, kLocks> kLockNames{"time", "number"};
/// Limits for a link, which is untrusted input.
constexpr std::size_t kMostFiles = 16, kMostName = 255;

int hex_value(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    const int letter = std::tolower(static_cast<unsigned char>(c));
    return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool escaped =
            text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        if (escaped) {
            out += static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || c == '_' || c == '-' || c == '.')
            out += c;
        else
            (out += '%').append({kDigits[byte / 16U], kDigits[byte % 16U]});
    }
    return out;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// "1200..4800": whole nanoseconds; the first may be negative.
std::optional<Range> range(std::string_view text) {
    const auto dots = text.find("..");
    if (dots == std::string_view::npos) return std::nullopt;
    const auto from = number<std::int64_t>(text.substr(0, dots)), to = number<std::int64_t>(text.substr(dots + 2));
    if (!from || !to || *from >= *to) return std::nullopt;
    return Range{static_cast<double>(*from), static_cast<double>(*to)};
}

void add_file(std::string name, LinkedPlace& place) {
    if (!name.empty() && name.size() <= kMostName && place.files.size() < kMostFiles)
        place.files.push_back(std::move(name));
}

template <class Use>
void each_part(std::string_view text, char between, const Use& use) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(between), text.size());
        use(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

void show(std::string_view word, LinkedPlace& place) {
    if (word == "present") place.present = true;
    if (word == "sets" || word == "no-sets") place.sets = word == "sets";
}

/// "m0,m1,7": the lanes of machines 0 and 1 and of coroutine 7; nothing if any part is invalid.
std::optional<Pins> pins_of(std::string_view text) {
    constexpr std::size_t kMostPins = 64;
    Pins pins;
    bool known = !text.empty();
    each_part(text, ',', [&](std::string_view word) {
        const bool machine = !word.empty() && word[0] == 'm';
        const auto id = number<std::uint32_t>(word.substr(machine ? 1 : 0));
        auto& all = machine ? pins.machines : pins.coroutines;
        known = known && id && all.size() < kMostPins;
        if (known) all.push_back(*id);
    });
    return known ? std::optional(pins) : std::nullopt;
}

std::string pin_words(const Pins& pins) {
    std::string words;
    for (const std::uint32_t m : pins.machines) words += (words.empty() ? "m" : ",m") + std::to_string(m);
    for (const std::uint32_t co : pins.coroutines) words += (words.empty() ? "" : ",") + std::to_string(co);
    return words;
}

void take(std::string_view key, const std::string& value, LinkedPlace& place) {
    if (key == "trace" || key == "with") add_file(value, place);
    if (key == "with") place.beside = true;
    if (key == "at") place.at = number<std::size_t>(value);
    if (key == "select") place.chosen = number<std::uint32_t>(value);
    if (key == "view") place.visible = range(value);
    if (key == "pin") place.pins = pins_of(value).value_or(Pins());
    if (key == "lang" && value == "zh") place.language = Language::chinese;
    if (key == "theme" && value == "light") place.theme = Theme::light;
    if (key == "press")
        each_part(value, ' ', [&](std::string_view label) {
            if (const auto action = action_of_label(label)) place.press.push_back(*action);
        });
    if (key == "show") each_part(value, ',', [&](std::string_view word) { show(word, place); });
    for (std::size_t i = 0; key == "lock" && i < kLocks; ++i)
        if (value == kLockNames[i]) place.lock = static_cast<Lock>(i);
}

/// "overlaid" occurs in older lectures and is ignored.
bool is_known_word(std::string_view word) { return word == "overlaid" || word == "sets" || word == "no-sets"; }

/// Whether a note may have this part of a place. A name must not contain a folder.
bool says_something(std::string_view key, const std::string& value) {
    if (key == "with") return !value.empty() && value.size() <= kMostName && value.find('/') == std::string::npos;
    if (key == "select") return number<std::uint32_t>(value).has_value();
    if (key == "view") return range(value).has_value();
    if (key == "pin") return pins_of(value).has_value();
    if (key == "lock") return std::find(kLockNames.begin(), kLockNames.end(), value) != kLockNames.end();
    bool known = key == "show";
    each_part(value, ',', [&](std::string_view word) { known = known && is_known_word(word); });
    return known;
}

}  // namespace

std::string_view wrong_part(std::string_view fragment) {
    std::string_view wrong;
    each_part(fragment, '&', [&](std::string_view part) {
        const std::string key(part.substr(0, std::min(part.find_first_of("="), part.size())));
        const std::string value = decoded(part.substr(std::min(key.size() + 1, part.size())));
        if (wrong.empty() && !says_something(key, value)) wrong = part;
    });
    return wrong;
}

std::string write_note_place(const LinkedPlace& place) {
    LinkedPlace whole = place;
    whole.files.insert(whole.files.begin(), "-");
    whole.at.reset();
    const std::string fragment = write_place(whole);
    return fragment.substr(std::min(fragment.find('&'), fragment.size() - 1) + 1);
}

LinkedPlace read_place(std::string_view fragment) {
    LinkedPlace place;
    each_part(fragment, '&', [&](std::string_view part) {
        const std::size_t equals = part.find('=');
        if (equals != std::string_view::npos) take(part.substr(0, equals), decoded(part.substr(equals + 1)), place);
    });
    return place;
}

std::string write_place(const LinkedPlace& place) {
    std::string out;
    const auto add = [&](std::string_view key, const std::string& value) {
        (out += out.empty() ? "" : "&").append(key).append("=").append(value);
    };
    for (std::size_t i = 0; i < place.files.size(); ++i)
        add(i > 0 && place.beside ? "with" : "trace", encoded(place.files[i]));
    if (place.at) add("at", std::to_string(*place.at));
    if (place.chosen) add("select", std::to_string(*place.chosen));
    if (place.visible)
        add("view",
            std::to_string(std::llround(place.visible->from)) + ".." + std::to_string(std::llround(place.visible->to)));
    if (place.pins != Pins()) add("pin", pin_words(place.pins));
    if (place.lock != Lock::time) add("lock", std::string(kLockNames[static_cast<std::size_t>(place.lock)]));
    std::string shown;
    const auto shows = [&](bool is, std::string_view word) {
        if (is) (shown += shown.empty() ? "" : ",").append(word);
    };
    shows(place.present, "present");
    if (place.sets) shows(true, *place.sets ? "sets" : "no-sets");
    if (!shown.empty()) add("show", shown);
    if (place.language == Language::chinese) add("lang", "zh");
    if (place.theme == Theme::light) add("theme", "light");
    return out;
}

}  // namespace fiberscope::viewer
