// The demo `echo`: a server on real sockets.
#pragma once

#include "labs/kit/demo/demo.h"

namespace fiberscope::lab05 {

inline constexpr kit::DemoOption kEchoServerOptions[] = {
    {"as", "NAME", "As one of the systems: ntyco, libco, sylar, netco, go; default: ntyco"},
    {"server", "NAME", "per_connection, pool, hooked, or epoll, a bare loop; default: the system's"},
    {"ip", "ADDRESS", "Numeric address to listen on; default: 127.0.0.1"},
    {"port", "P[,P]", "Ports to listen on; 0: any free one; default: 9000"},
    {"backend", "NAME", "Backend of its tasks: asm, ucontext, shared; default: asm"},
    {"wait-by", "NAME", "Waiting tasks are in a table or a tree; default: table"},
    {"workers", "N", "Workers of --server pool; default: 1000"},
    {"idle-limit", "SECONDS", "Closes a connection after this time of silence; default: 0, never"},
    {"record", "NAME", "whole, brief or no; default: brief"},
    {"record-limit", "MB", "Stops recording at this size; default: 0, never"}};

/// Throws as echo_server does, and if a port is in use.
void check_echo_server(const kit::DemoOptions& options);
/// Serves until SIGINT or SIGTERM, then closes everything. Throws std::invalid_argument for an invalid option value,
/// and std::system_error if it cannot listen.
void echo_server(const kit::DemoOptions& options);

}  // namespace fiberscope::lab05
