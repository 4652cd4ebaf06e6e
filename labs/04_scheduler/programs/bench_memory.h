// What a parked task costs in memory: a million of them in one scheduler, and what the kernel says of it.
#pragma once

namespace fiberscope::lab04 {

/// `[COUNT] [--strict]`: parks COUNT tasks (a million unless said otherwise) on private stacks of 4 KiB, as many on
/// shared stacks, and as many of an interpreter (step 4.15) and of C++20 (step 4.18), each kind in a child process;
/// prints the resident memory, with the bars for a million. Returns 1 if --strict is given and a bar is missed, else 0.
int memory_main(int argc, char** argv);

}  // namespace fiberscope::lab04
