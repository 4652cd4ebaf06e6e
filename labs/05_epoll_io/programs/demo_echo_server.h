// The demo `echo`: a server for the world.
#pragma once

#include "labs/kit/demo/demo.h"

namespace fiberscope::lab05 {

inline constexpr const char* kEchoServerOptions[] = {"as",     "server",  "ip",      "port",         "backend",
                                                     "record", "workers", "wait-by", "record-limit", "idle-limit"};

/// Throws as echo_server does, and so does a port that is in use.
void check_echo_server(const kit::DemoOptions& options);
/// Serves until SIGINT or SIGTERM, and then closes all that is open. Throws std::invalid_argument for an option's value
/// that it cannot take, and std::system_error if it cannot listen.
void echo_server(const kit::DemoOptions& options);

}  // namespace fiberscope::lab05
