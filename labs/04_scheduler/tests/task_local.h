// Shared by the tests of step 4.11: values that log their destruction.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/tests/support.h"

namespace fiberscope::lab04::testing {

inline Log ends;  ///< the values that were destroyed, in order

/// Logs its destruction.
struct Told {
    std::string name;
    explicit Told(std::string given) : name(std::move(given)) {}
    Told(const Told&) = delete;
    Told& operator=(const Told&) = delete;
    ~Told() { ends.push_back(name); }
};

inline void tell_end(void* value) { ends.emplace_back(static_cast<const char*>(value)); }
inline void* word(const char* text) { return const_cast<char*>(text); }

}  // namespace fiberscope::lab04::testing
