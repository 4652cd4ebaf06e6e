// What a parked coroutine costs in memory: a million of them in a process of their own, and what the kernel says of it.
#pragma once

#include <cstddef>

namespace fiberscope::lab03 {

/// `[COUNT] [--strict]`: parks COUNT coroutines (a million unless said otherwise) on one shared stack, and as many on
/// private stacks of 4 KiB, each in a child process; prints the resident memory of both, with the bars for a million.
/// Returns 1 if --strict is given and a bar is missed, else 0.
int memory_main(int argc, char** argv);

}  // namespace fiberscope::lab03
