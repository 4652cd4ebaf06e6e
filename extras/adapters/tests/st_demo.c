/* A producer and a consumer as threads of State Threads. st_demo FILE */
#include <fiberscope/state_threads.h>

static uint64_t ticks;
static uint64_t now(void) { return ticks += 100; }

static st_cond_t changed;
static int basket, full, sum;

static void* produce(void* unused) {
    for (int i = 1; i <= 4; ++i) {
        while (full) st_cond_wait(changed);
        basket = i, full = 1;
        st_cond_signal(changed);
    }
    return unused;
}

static void* consume(void* unused) {
    for (int i = 1; i <= 4; ++i) {
        while (!full) st_cond_wait(changed);
        sum += basket, full = 0;
        st_cond_signal(changed);
    }
    return unused;
}

int main(int argc, char** argv) {
    const struct fiberscope_options options = {"State Threads", "producer_consumer", now};
    if (argc != 2 || st_init() != 0 || fiberscope_open(argv[1], &options) != 0) return 2;
    if (fiberscope_st_begin() != 0) return 2;
    changed = st_cond_new();
    st_thread_t producer = fiberscope_st_create("producer", produce, NULL, 1, 64 * 1024);
    st_thread_t consumer = fiberscope_st_create("consumer", consume, NULL, 1, 64 * 1024);
    st_thread_join(producer, NULL);
    st_thread_join(consumer, NULL);
    return fiberscope_close() != 0 || sum != 10;
}
