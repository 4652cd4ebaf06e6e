// The kit's explorer: queries a chooser at each choice point, keeps the journal, tracks the held locks, and delays
// stores.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "extras/explore/chooser.h"
#include "extras/explore/journal.h"
#include "labs/kit/machines/choice.h"
#include "languages/say.h"

namespace fiberscope::explore {

/// Exit status of a process whose run has failed; the journal has the reason.
inline constexpr int kFailedStatus = 3;

/// Installs itself as the explorer of this process during its lifetime; for one run.
class Engine : public kit::Explorer {
  public:
    /// `weak`: stores that are not sequentially consistent may become visible late.
    Engine(Journal& journal, Chooser& chooser, bool weak);
    ~Engine() override;
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    unsigned choose(const kit::ChoicePoint& point) override;
    [[noreturn]] void fail(const std::string& what) override;
    void took(const void* lock, unsigned machine) override;
    void released(const void* lock, unsigned machine) override;
    bool holds(const void* lock, unsigned machine) const override;
    bool keeps(const kit::LateStore& store, unsigned machine) override;
    const std::uint64_t* own_store(const void* atomic, unsigned machine) const override;
    void drain(unsigned machine) override;
    void name(const void* object, std::string_view name) override;

  private:
    struct Kept {
        kit::LateStore store;
        std::uint64_t number;  // of all delayed stores
    };
    /// Stores that a machine had delayed when it released a lock: visible to the next machine that acquires the lock.
    struct Published {
        unsigned machine;
        std::uint64_t number;
    };

    Step& add(const Step& step);
    void drain_to(unsigned machine, std::uint64_t number);
    std::string words(const kit::ChoicePoint& point);
    void note(const Step& step) const;
    Value name_of(const void* object, Text kind);

    Journal& journal_;
    Chooser& chooser_;
    bool weak_;
    std::uint64_t stores_ = 0;
    std::vector<std::pair<const void*, unsigned>> held_;
    std::array<std::deque<Kept>, kMostMachines> kept_;
    std::unordered_map<const void*, Published> published_;
    std::unordered_map<const void*, std::string> names_;
};

}  // namespace fiberscope::explore
