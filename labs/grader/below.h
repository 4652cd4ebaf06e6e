// The labs that a lab stands on: whether a mistake of theirs is what its tests find.
#pragma once

#include <optional>
#include <string>

#include "labs/grader/modes.h"

namespace fiberscope::grader {

/// A lab below that has a failed test.
struct FaultBelow {
    std::string lab;   ///< "01"
    std::string what;  ///< "5 of 6 tests of 1.2 pass"
};

/// The first of settings.below, in its order, with a failed test. A verdict is kept beside the lab's test program until
/// that is built anew, so to ask again costs nothing. With `build_all` the tests that are not built yet are built; else
/// those labs are passed over.
std::optional<FaultBelow> fault_below(const Settings& settings, const BuildOf& build_of, bool build_all);

/// "Lab 01, which this one stands on: …. Repair that first."
void print_fault_below(const FaultBelow& fault);

/// In whose files a mistake is, as far as it is known.
enum class Blame { unknown, here, below };

/// Runs the test that failed once more, where the labs below are not the student's: if it fails there too, the mistake
/// is in this lab; if it passes, in one of those below, though their own tests may not find it. Only the labs' objects
/// are linked anew for that, so it is asked before the tests of those labs are built (fault_below).
Blame blame_by_stand_in(const Settings& settings, const Test& test, const BuildOf& build_of);

/// What blame_by_stand_in has found, in words.
void print_blame(Blame blame, const Settings& settings);

}  // namespace fiberscope::grader
