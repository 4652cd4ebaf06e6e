/* 200 threads that block once and end, every second one with a word about it. threads FILE */
#include <fiberscope/record.h>
#include <pthread.h>

static void* live(void* says_that_it_ends) {
    const fiberscope_co me = fiberscope_thread(NULL);
    if (fiberscope_thread(NULL) != me) return says_that_it_ends;
    fiberscope_name(me, "short");
    fiberscope_unpark();
    fiberscope_park("a lock");
    fiberscope_park("a lock");
    fiberscope_unpark();
    if (says_that_it_ends != NULL) fiberscope_thread_end();
    return NULL;
}

int main(int argc, char** argv) {
    if (argc != 2 || fiberscope_open(argv[1], NULL) != 0) return 2;
    fiberscope_thread("main");
    fiberscope_park(NULL);
    fiberscope_unpark();
    for (int i = 0; i < 200; ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, live, i % 2 ? &thread : NULL) != 0) return 1;
        if (pthread_join(thread, NULL) != 0) return 1;
    }
    return fiberscope_close();
}
