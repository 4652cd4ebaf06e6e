// The sets of one file in the decision card: one row each, with the coroutines that the files chose.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "viewer/layout/page/decision_card.h"

namespace fiberscope::viewer {

/// In em: the height of a row.
inline constexpr float kCardSet = 1.8F;
/// The width of bold text relative to normal text, at most.
inline constexpr float kCardBold = 1.15F;

class CardRows {
  public:
    /// The sets of `files[index]`; keeps references to the file and to `metrics`.
    CardRows(std::span<const CardFile> files, std::size_t index, const Metrics& metrics);

    /// The number of rows, in the order of their importance.
    std::size_t size() const noexcept { return order_.size(); }
    /// The width that the names of the first `count` rows need of a row `width` wide.
    float names_width(std::size_t count, float width) const;
    /// Lays out row `which` (an index below size()) in `area`, with `names` for its name.
    CardRow row(std::size_t which, Rect area, float names) const;

  private:
    struct Item;

    std::string name_of(std::uint32_t co) const;
    void find_rows();
    std::string row_name(std::size_t row) const;
    std::string fitting_set(float width, const std::string& name) const;
    Item item(const trace::Member& member) const;
    bool is_wanted(const trace::Member& member) const;
    float width_of(const Item& item, bool keys, float most = 1e9F) const;
    float least_width(const Item& item) const;
    static std::string words_of(const Item& item, bool keys);
    void add_members(const SetBefore& set, CardRow& row) const;
    float share(float room, const std::vector<Item>& items, bool keys) const;
    bool fits_with_keys(const SetBefore& set, const CardRow& row) const;
    Item lost(const std::string& name, const std::string& others) const;
    void add_elsewhere(CardRow& row) const;
    float add_box(const Item& item, bool keys, float x, float width, CardRow& row) const;

    const CardFile& file_;
    const Metrics& metrics_;
    float em_;
    /// Choices of the other files that differ from this one's: file numbers by coroutine name. `elsewhere_`: those
    /// that are in no set of this file.
    std::map<std::string, std::string> ghosts_, elsewhere_;
    std::vector<std::size_t> order_;  ///< indices into DecisionFacts::sets, or kNowhereElse
};

}  // namespace fiberscope::viewer
