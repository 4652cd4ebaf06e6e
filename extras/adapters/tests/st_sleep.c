/* Threads of State Threads that sleep: named, without a name, and made by st_thread_create itself. st_sleep FILE */
#include <fiberscope/state_threads.h>
#include <stdio.h>

static void* work(void* times) {
    for (intptr_t left = (intptr_t)times; left > 0; --left) st_usleep(20 * 1000);
    return NULL;
}

int main(int argc, char** argv) {
    const struct fiberscope_options options = {"State Threads", "sleep", NULL};
    if (argc != 2 || st_init() != 0 || fiberscope_open(argv[1], &options) != 0) return 2;
    if (fiberscope_st_begin() != 0) return 2;
    st_thread_t named = fiberscope_st_create("sleeper", work, (void*)3, 1, 64 * 1024);
    st_thread_t unnamed = fiberscope_st_create(NULL, work, (void*)2, 1, 64 * 1024);
    st_thread_t foreign = st_thread_create(work, (void*)4, 1, 64 * 1024);
    fiberscope_st_create(NULL, work, (void*)1, 0, 64 * 1024);
    if (st_thread_join(named, NULL) != 0 || st_thread_join(unnamed, NULL) != 0) return 1;
    if (st_thread_join(foreign, NULL) != 0) return 1;
    st_usleep(1000); /* st frees the last thread */
    return fiberscope_close();
}
