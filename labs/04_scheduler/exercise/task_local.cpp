// Step 4.11: what belongs to one task alone. The contracts are in ../task_local.h; what you are given:
//
//     task_here()            the task that runs here, or null
//     thread_locals()        the values of this thread's own context
//     task.locals()          the values of a task; null until you make them, freed for you behind destroy_values
//     TaskLocal<T>           stands on your keys; you may use one for the environment
//
// Which keys are given out is the same for all threads: what you keep of it must stand that several ask at once.
#include "labs/04_scheduler/task_local.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab04 {

Key create_key(Destroy) {
    kit::not_implemented("4.11", "create_key: a place that is free, with a generation of its own");
}

void delete_key(const Key&) { kit::not_implemented("4.11", "delete_key: the place is free again"); }

Locals& locals_here() { kit::not_implemented("4.11", "locals_here: those of the task, or of the thread"); }

void* get_specific(const Key&) {
    // Not the value of an earlier key in the same place.
    kit::not_implemented("4.11", "get_specific: the value of the task that runs here");
}

void set_specific(const Key&, void*) {
    // Refuse a key that has been given back. What an earlier key has left in the same place is destroyed.
    kit::not_implemented("4.11", "set_specific: the value, how to destroy it, and when it was set");
}

void destroy_values(Locals&) {
    kit::not_implemented("4.11", "destroy_values: the last one first, each out of its slot before it is destroyed");
}

void own_environment(std::span<const char* const>) {
    kit::not_implemented("4.11", "own_environment: keep the names; once");
}

const char* task_getenv(const char*) { kit::not_implemented("4.11", "task_getenv: the task's own, or the process's"); }

void task_setenv(const char*, const char*, bool) {
    kit::not_implemented("4.11", "task_setenv: the task's own, or the process's");
}

void task_unsetenv(const char*) { kit::not_implemented("4.11", "task_unsetenv: the task's own, or the process's"); }

}  // namespace fiberscope::lab04
