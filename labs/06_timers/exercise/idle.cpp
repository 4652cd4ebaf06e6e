// Step 6.7: limits in use. The contracts are in ../idle.h; what you are given:
//
//     manager_.add_condition(delay, callback, weak pointer), refresh(alarm), cancel(alarm)    step 6.2
//     lab05::io::recv(fd, buffer, size, flags), send(…)     park the task where they would block
//     work()                     for each message, before it is sent back
//     has_unread(connection)     whether there is something to be read
//     shut_down(connection)      recv gives 0 from now on, and send fails, also those that wait
#include "labs/06_timers/idle.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void IdleServer::begin_limit(const ConnectionHandle&) {
    kit::not_implemented("6.7",
                         "IdleServer::begin_limit: an alarm that calls silent, if the connection is still there");
}

void IdleServer::serve(const ConnectionHandle&) {
    kit::not_implemented("6.7",
                         "IdleServer::serve: begin_limit, then echo; each message puts the alarm off; none is left");
}

void IdleServer::silent(const ConnectionHandle&) {
    kit::not_implemented("6.7", "IdleServer::silent: shut down, unless its task is about to read what has come");
}

}  // namespace fiberscope::lab06
