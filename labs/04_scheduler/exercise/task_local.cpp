// Step 4.11: task-local data. The contracts are in ../task_local.h. Given:
//
//     task_here()            the running task, or null
//     thread_locals()        the values of this thread's own context
//     task.locals()          the values of a task; null until you create them; freed after destroy_values
//     TaskLocal<T>           uses your keys; you may use one for the environment
//
// The keys are shared by all threads, so their administration must be thread-safe.
#include "labs/04_scheduler/task_local.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Key create_key(Destroy) { kit::not_implemented("4.11", "create_key: a free index, with a new generation"); }

void delete_key(const Key&) { kit::not_implemented("4.11", "delete_key: free the index"); }

Locals& locals_here() { kit::not_implemented("4.11", "locals_here: the values of the task, or of the thread"); }

void* get_specific(const Key&) {
    // Not the value of an earlier key with the same index.
    kit::not_implemented("4.11", "get_specific: the value of the running task");
}

void set_specific(const Key&, void*) {
    // Refuse a deleted key. Destroy the value of an earlier key with the same index.
    kit::not_implemented("4.11", "set_specific: store the value, its destructor, and when it was set");
}

void destroy_values(Locals&) {
    kit::not_implemented("4.11", "destroy_values: last one first; clear each slot before its value is destroyed");
}

void own_environment(std::span<const char* const>) {
    kit::not_implemented("4.11", "own_environment: store the names; once only");
}

const char* task_getenv(const char*) {
    kit::not_implemented("4.11", "task_getenv: return the task's variable, or the process's");
}

void task_setenv(const char*, const char*, bool) {
    kit::not_implemented("4.11", "task_setenv: set the task's variable, or the process's");
}

void task_unsetenv(const char*) {
    kit::not_implemented("4.11", "task_unsetenv: unset the task's variable, or the process's");
}

}  // namespace fiberscope::lab04
