// The catalogues of the rooms, which msgfmt makes of each zh.po when the tree is built. They are part of the program: a
// page in a browser has no files and no libintl.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

namespace fiberscope::languages {

/// One text and its translation. `key` is as gettext writes it: the context and U+0004 stand before the English.
struct Entry {
    std::string_view key, chinese;
};

struct Catalogue {
    std::string_view room;  ///< the folder of its zh.po: "viewer", "labs/explore"
    std::vector<Entry> entries;
};

/// All that were found when the tree was configured.
const std::vector<Catalogue>& catalogues();

/// Whether `rooms` names it. One that ends with '/' is all rooms in that folder.
bool is_among(std::string_view room, std::initializer_list<std::string_view> rooms) noexcept;

/// The bytes of a .mo file of this machine's byte order, in order of their keys. Throws std::runtime_error if it is
/// none. https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html
std::vector<Entry> entries_of(std::string_view mo);

/// What was built in: languages/embed.cmake writes it.
struct Embedded {
    std::string_view room, mo;
};
std::span<const Embedded> embedded() noexcept;

}  // namespace fiberscope::languages
