// Processes a trace once and logs every change of state, so that the replay only applies the log.
#pragma once

#include <unordered_map>
#include <vector>

#include "traces/read/slices.h"
#include "traces/replay/layout.h"
#include "traces/replay/sequence.h"

namespace fiberscope::trace {

class ReplayBuilder {
  public:
    ReplayBuilder(const Trace& trace, Cells& cells, ReplayLayout& layout, ReplayIndex& index);
    /// Adds the work to `slices` as `share` of theirs. The builder must not move until it is done.
    void add_to(Slices& slices, double share);

  private:
    struct ItemKey {
        std::uint64_t item;  // number, and a bit for timers
        std::uint32_t set, key;
        bool operator==(const ItemKey&) const = default;
    };
    struct ItemHash {
        std::size_t operator()(const ItemKey& k) const noexcept {
            std::uint64_t h = k.item * 0x9E3779B97F4A7C15ULL + k.set;
            h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL + k.key;
            return static_cast<std::size_t>(h ^ (h >> 32));
        }
    };
    void lay_out();
    void apply(const Event& e);
    // coroutines
    void spawn(const Event& e);
    void switch_to(const Event& e);
    void set_callers(const Event& e);
    bool unwind_to(std::uint32_t from, std::uint32_t to);
    void change_state(const Event& e);
    void enter_state(std::uint32_t co, State state, std::uint32_t machine);
    // shared stacks (stacks.cpp)
    void own(const Event& e);
    void copy(const Event& e);
    void add_bytes(Cells::Address low, std::int64_t bytes);
    void leave_shared_stack(std::uint32_t co);
    // sets (sets.cpp)
    void declare(const Event& e);
    void give(const Event& e);
    void insert(const Event& e);
    void remove(const Event& e);
    void move(const Event& e);
    void link(const Event& e);
    void link_member(const Event& e, Cells::Address member);
    Cells::Address node(std::uint32_t set, std::uint32_t id);
    Cells::Address allocate_member();
    static ItemKey key_of(const Event& e) noexcept {
        const bool timer = e.co == kNone;
        return {(std::uint64_t{timer ? e.other : e.co} << 1) | (timer ? 1U : 0U), e.set, e.text};
    }
    void apply_event(std::size_t n);
    template <class ForEach>
    void add_index(Slices& slices, double share, std::vector<std::uint32_t>& numbers, std::vector<std::size_t>& begins,
                   ForEach for_each);

    std::uint32_t get(Cells::Address a) const noexcept { return cells_.read(a); }
    void put(Cells::Address a, std::uint32_t value) { cells_.write(a, value); }

    const Trace& trace_;
    Cells& cells_;
    ReplayLayout& layout_;
    ReplayIndex& index_;
    std::uint32_t now_ = 0;  // index of the event that is being applied
    std::unordered_map<ItemKey, Cells::Address, ItemHash> members_;
    // The members of an item in a set, whatever the key: `move` has no key.
    std::unordered_map<ItemKey, Cells::Address, ItemHash> last_member_;
    std::unordered_map<ItemKey, Cells::Address, ItemHash> nodes_;
    std::vector<Cells::Address> free_members_;
    std::vector<Sequence> sequences_;  // by set
    std::vector<std::size_t> next_;    // by coroutine: position of its next index while an index is collected
};

}  // namespace fiberscope::trace
