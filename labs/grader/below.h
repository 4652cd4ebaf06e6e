// The labs below a lab: whether one of their mistakes causes its failures.
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

/// The first lab of settings.below with a failed test, in order. Verdicts are cached beside the lab's test program
/// until it is rebuilt, so repeated calls are cheap. With `build_all` missing tests are built; otherwise those labs are
/// skipped.
std::optional<FaultBelow> fault_below(const Settings& settings, const BuildOf& build_of, bool build_all);

/// "Lab 01, which this one uses: …. Repair that first."
void print_fault_below(const FaultBelow& fault);

/// Prints whose files cause the failure of `test`, as far as known; returns true if a lab below is to be repaired
/// first: `below`, or the result of fault_below. To find out, the test is run once more on the reference of the labs
/// below: if it fails there too, the mistake is in this lab; if it passes, it is in a lab below, even if that lab's own
/// tests do not find it. Only the labs' objects are relinked for that.
bool print_blame(const Settings& settings, const Test& test, std::optional<FaultBelow> below, const BuildOf& build_of);

}  // namespace fiberscope::grader
