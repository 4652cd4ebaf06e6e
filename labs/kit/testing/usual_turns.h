// Explorers that change nothing, with the turns as without an explorer; they only watch the locks.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "labs/kit/machines/choice.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/trace.h"

namespace fiberscope::kit::testing {

/// The explorer of this process during its lifetime.
struct UsualTurns : kit::Explorer {
    UsualTurns() { kit::set_explorer(this); }
    ~UsualTurns() override { kit::set_explorer(nullptr); }
    UsualTurns(const UsualTurns&) = delete;
    UsualTurns& operator=(const UsualTurns&) = delete;

    unsigned choose(const kit::ChoicePoint&) override { return 0; }
    [[noreturn]] void fail(const std::string&) override { std::abort(); }
    void took(const void*, unsigned) override {}
    void released(const void*, unsigned) override {}
    bool holds(const void*, unsigned) const override { return false; }
    bool keeps(const kit::LateStore&, unsigned) override { return false; }
    const std::uint64_t* own_store(const void*, unsigned) const override { return nullptr; }
    void drain(unsigned) override {}
    void name(const void*, std::string_view) override {}
};

/// For a child process that records: ends it with a message if a machine waits for a lock that it holds itself.
/// Otherwise that machine would wait forever, without a reason.
class OwnLocks : public UsualTurns {
  public:
    [[noreturn]] void fail(const std::string& what) override {
        tell_person(what);
        kit::end_trace();
        _exit(1);
    }
    void took(const void* lock, unsigned machine) override { held_.emplace_back(lock, machine); }
    void released(const void* lock, unsigned) override {
        std::erase_if(held_, [&](const auto& one) { return one.first == lock; });
    }
    bool holds(const void* lock, unsigned machine) const override {
        return std::find(held_.begin(), held_.end(), std::pair(lock, machine)) != held_.end();
    }

    /// Whether `fault`, from run_in_child, reports such a lock.
    static bool says(const std::string& fault) { return fault.find("a lock that it holds itself") != fault.npos; }

  private:
    std::vector<std::pair<const void*, unsigned>> held_;
};

}  // namespace fiberscope::kit::testing
