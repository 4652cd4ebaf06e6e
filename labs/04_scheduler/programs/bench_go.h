// Go itself as a peer, where it is installed (GO_PEER).
#pragma once

#include <string>

namespace benchmark {
class State;
}

namespace fiberscope::lab04 {

/// One program of go_peer/main.go, in a process of its own; it prints nanoseconds an item.
void run_go(benchmark::State& state, const std::string& program, int machines);

}  // namespace fiberscope::lab04
