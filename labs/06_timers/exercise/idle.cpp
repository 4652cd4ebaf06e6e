// Step 6.7: limits in use. The contracts are in ../idle.h. Given:
//
//     manager_.add_condition(delay, callback, weak pointer), refresh(alarm), cancel(alarm)    step 6.2
//     lab05::io::recv(fd, buffer, size, flags), send(…)     park the task where they would block
//     work()                     call it for each message, before sending it back
//     has_unread(connection)     whether there is unread data
//     shut_down(connection)      makes recv return 0 and send fail, including pending calls
#include "labs/06_timers/idle.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab06 {

void IdleServer::begin_limit(const ConnectionHandle&) {
    kit::not_implemented("6.7",
                         "IdleServer::begin_limit: set an alarm that calls silent if the connection still exists");
}

void IdleServer::serve(const ConnectionHandle&) {
    kit::not_implemented(
        "6.7", "IdleServer::serve: begin_limit, then echo; refresh the alarm for each message, cancel it at the end");
}

void IdleServer::silent(const ConnectionHandle&) {
    kit::not_implemented("6.7", "IdleServer::silent: shut down, unless its task is about to read unread data");
}

}  // namespace fiberscope::lab06
