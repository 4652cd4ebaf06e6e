/* program.c CASE: a program that knows nothing of fiberscope. Each case is named after what it does. */
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { kStack = 64 * 1024 };

struct coroutine {
    ucontext_t context, caller;
    char* stack;
};

static __thread struct coroutine* running;

static void yield(void) { swapcontext(&running->context, &running->caller); }

static void resume(struct coroutine* co) {
    struct coroutine* const before = running;
    running = co;
    swapcontext(&co->caller, &co->context);
    running = before;
}

static void make(struct coroutine* co, void (*function)(), int argument) {
    getcontext(&co->context);
    co->stack = malloc(kStack);
    co->context.uc_stack = (stack_t){.ss_sp = co->stack, .ss_size = kStack};
    co->context.uc_link = &co->caller;
    makecontext(&co->context, function, 1, argument);
}

static void count(int times) {
    for (int i = 0; i < times; ++i) yield();
}

__attribute__((noinline)) static void overflow(int depth) {
    volatile char frame[1024];
    memset((char*)frame, depth, sizeof frame);
    if (depth >= 0) overflow(depth + 1);
    frame[0] = 1;
}

static void fail(int unused) {
    (void)unused;
    yield();
    abort();
}

static void fork_here(int unused) {
    (void)unused;
    yield();
    if (fork() == 0) {
        yield(); /* the child continues where the parent does */
        _exit(3);
    }
    wait(NULL);
    yield();
}

static void sum(int a, int b, int c, int d, int e, int f, int g) {
    printf("%d\n", a + b + c + d + e + f + g);
    yield();
}

static void run(void (*function)(), int argument, int resumes) {
    struct coroutine co;
    make(&co, function, argument);
    for (int i = 0; i < resumes; ++i) resume(&co);
}

static void* work(void* unused) {
    const struct timespec millisecond = {0, 1000000};
    (void)unused;
    nanosleep(&millisecond, NULL);
    run(count, 2, 3);
    poll(NULL, 0, 1);
    return NULL;
}

static void* wait_for_byte(void* fd) {
    char byte;
    run(count, 0, 1);
    if (read(*(int*)fd, &byte, 1) != 1) abort();
    return NULL;
}

int main(int argc, char** argv) {
    const char* const what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "ends") == 0) run(count, 2, 3);
    if (strcmp(what, "overflows") == 0) run(overflow, 0, 1);
    if (strcmp(what, "aborts") == 0) run(fail, 0, 2);
    if (strcmp(what, "forks") == 0) run(fork_here, 0, 2);
    if (strcmp(what, "leaves") == 0) {
        run(count, 2, 2);
        _exit(7);
    }
    if (strcmp(what, "is_killed") == 0) {
        run(count, 2, 2);
        sleep(1); /* the recorder writes four times a second */
        kill(getpid(), SIGKILL);
    }
    if (strcmp(what, "switches") == 0) run(count, 1000000, 1000001);
    if (strcmp(what, "passes_seven_arguments") == 0) {
        struct coroutine co;
        make(&co, count, 0);
        makecontext(&co.context, (void (*)(void))sum, 7, 1, 2, 3, 4, 5, 6, 7);
        resume(&co);
    }
    if (strcmp(what, "has_threads") == 0) {
        pthread_t threads[3];
        int ends[2];
        run(count, 1, 1);
        if (pipe(ends) != 0) return 1;
        pthread_create(&threads[0], NULL, work, NULL);
        pthread_create(&threads[1], NULL, work, NULL);
        pthread_create(&threads[2], NULL, wait_for_byte, &ends[0]);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
        if (write(ends[1], "", 1) != 1) return 1;
        pthread_join(threads[2], NULL);
    }
    return 0;
}
