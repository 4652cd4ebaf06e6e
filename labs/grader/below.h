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

/// Prints in whose files the mistake is that `test` has found, as far as it is known; true if a lab below is to be
/// repaired first: `below`, or what fault_below finds. Before that the test is run once more, where the labs below are
/// not the student's: if it fails there too, the mistake is in this lab; if it passes, in one of those below, though
/// their own tests may not find it. Only the labs' objects are linked anew for that.
bool print_blame(const Settings& settings, const Test& test, std::optional<FaultBelow> below, const BuildOf& build_of);

}  // namespace fiberscope::grader
