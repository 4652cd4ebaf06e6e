#include "languages/catalogue.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace fiberscope::languages {
namespace {

class Mo {
  public:
    explicit Mo(std::string_view bytes) : bytes_(bytes) {}

    std::uint32_t word(std::size_t at) const {
        std::uint32_t word;
        std::memcpy(&word, part(at, sizeof word).data(), sizeof word);
        return word;
    }
    /// The string described by a pair of words, its length and its offset.
    std::string_view string(std::size_t row) const { return part(word(row + 4), word(row)); }

  private:
    std::string_view part(std::size_t at, std::size_t size) const {
        if (at > bytes_.size() || size > bytes_.size() - at) throw std::runtime_error("a catalogue is cut off");
        return bytes_.substr(at, size);
    }

    std::string_view bytes_;
};

}  // namespace

std::vector<Entry> entries_of(std::string_view bytes) {
    constexpr std::uint32_t kMagic = 0x950412de;
    const Mo mo(bytes);
    if (mo.word(0) != kMagic) throw std::runtime_error("not a gettext catalogue");
    const std::uint32_t count = mo.word(8), keys = mo.word(12), translations = mo.word(16);
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < count; ++i)
        if (const std::string_view key = mo.string(keys + 8 * i); !key.empty())  // the empty one is the header
            entries.push_back({key, mo.string(translations + 8 * i)});
    return entries;
}

bool is_among(std::string_view room, std::initializer_list<std::string_view> rooms) noexcept {
    return std::any_of(rooms.begin(), rooms.end(),
                       [&](std::string_view one) { return one.ends_with('/') ? room.starts_with(one) : room == one; });
}

const std::vector<Catalogue>& catalogues() {
    static const auto all = [] {
        std::vector<Catalogue> read;
        for (const Embedded& one : embedded()) read.push_back({one.room, entries_of(one.mo)});
        return read;
    }();
    return all;
}

}  // namespace fiberscope::languages
