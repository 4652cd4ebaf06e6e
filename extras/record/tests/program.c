/* program.c CASE: a program that knows nothing of fiberscope. Each case is named after what it does. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum { kStack = 64 * 1024 };

struct coroutine {
    ucontext_t context, caller;
};

static __thread struct coroutine* running;

static void yield(void) { swapcontext(&running->context, &running->caller); }

static void resume(struct coroutine* co) {
    struct coroutine* const before = running;
    running = co;
    swapcontext(&co->caller, &co->context);
    running = before;
}

static void make_on(char* stack, struct coroutine* co, void (*function)(), int argument) {
    getcontext(&co->context);
    co->context.uc_stack = (stack_t){.ss_sp = stack, .ss_size = kStack};
    co->context.uc_link = &co->caller;
    makecontext(&co->context, function, 1, argument);
}

static void make(struct coroutine* co, void (*function)(), int argument) {
    make_on(malloc(kStack), co, function, argument);
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

static void sum(int a, int b, int c, int d, int e, int f, int g, int h) {
    printf("%d\n", a + b + c + d + e + f + g + h);
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

static char shared[kStack], saved[kStack];
static size_t size;

__attribute__((noinline)) static void save_stack(void) {
    char top;
    size = (size_t)(shared + kStack - &top);
    memcpy(saved, &top, size);
}

static void use_shared_stack(int unused) {
    (void)unused;
    save_stack();
    swapcontext(&running->context, &running->caller);
}

static void share_stack(void) {
    struct coroutine co;
    make_on(shared, &co, use_shared_stack, 0);
    resume(&co);
    memset(shared, -1, sizeof shared); /* by another coroutine */
    memcpy(shared + kStack - size, saved, size);
    resume(&co);
}

static void copy_context(void) {
    char stack[kStack];
    struct coroutine co;
    ucontext_t copy;
    make_on(stack, &co, count, 1);
    copy = co.context;
    running = &co;
    swapcontext(&co.caller, &copy);
    resume(&co);
}

static void run_twice(void) { run(count, 1, 2); }
static void end_key(void* unused) {
    (void)unused;
    run_twice();
}

static void* use_key(void* unused) {
    pthread_key_t key;
    run_twice();
    pthread_key_create(&key, end_key); /* after the recorder's own */
    pthread_setspecific(key, &key);
    return unused;
}

static void* run_once(void* unused) {
    run(count, 0, 1);
    return unused;
}

static void* run_always(void* unused) {
    while (unused == NULL) {
        run_once(NULL);
        usleep(100);
    }
    return unused;
}

static void make_thread(void* (*function)(void*), void* argument) {
    pthread_t thread;
    pthread_create(&thread, NULL, function, argument);
    pthread_join(thread, NULL);
}

static void cancel(void) {
    for (int delay = 0; delay < 30000; delay += 10000) { /* us: before it begins, and while it reads */
        pthread_t thread;
        int ends[2];
        if (pipe(ends) != 0) abort();
        pthread_create(&thread, NULL, wait_for_byte, &ends[0]);
        usleep((useconds_t)delay);
        pthread_cancel(thread);
        pthread_join(thread, NULL);
    }
}

static void fork_often(void) {
    pthread_t thread;
    int status = 0;
    pthread_create(&thread, NULL, run_always, NULL);
    for (int i = 0; i < 10 && status == 0; ++i) {
        if (fork() == 0) {
            run_once(NULL);
            _exit(0);
        }
        wait(&status);
    }
    if (status != 0) abort();
}

static sigjmp_buf place;
static void jump(int unused) {
    (void)unused;
    siglongjmp(place, 1);
}

static void jump_out(void) {
    signal(SIGALRM, jump);
    if (sigsetjmp(place, 1) == 0) {
        ualarm(10000, 0);
        poll(NULL, 0, -1);
    }
    run_twice();
}

static void close_all(void) {
    struct stat status;
    int file = 0;
    run_twice();
    for (int i = 3; i < 1000; ++i) close(i);
    while (file < 500) file = open("/tmp", O_TMPFILE | O_RDWR, 0600);
    run(count, 100000, 100000);
    for (int i = 3; i <= file; ++i)
        if (fstat(i, &status) != 0 || status.st_size != 0) abort();
}

static void make_many_threads(void) {
    struct rusage used;
    for (int i = 0; i < 1000; ++i) make_thread(run_once, NULL);
    getrusage(RUSAGE_SELF, &used);
    if (used.ru_maxrss > 64 * 1024) abort(); /* KiB */
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
    if (strcmp(what, "passes_eight_arguments") == 0) {
        struct coroutine co;
        make(&co, count, 0);
        makecontext(&co.context, (void (*)(void))sum, 8, 1, 2, 3, 4, 5, 6, 7, 8);
        resume(&co);
    }
    if (strcmp(what, "ends_without_link") == 0) {
        struct coroutine co;
        make(&co, count, 0);
        co.context.uc_link = NULL;
        makecontext(&co.context, (void (*)(void))count, 1, 0);
        resume(&co);
        return 1; /* the process has ended */
    }
    if (strcmp(what, "leaves_main") == 0) {
        run_twice();
        pthread_exit(NULL);
    }
    if (strcmp(what, "runs_at_exit") == 0) {
        atexit(run_twice);
        run_twice();
    }
    if (strcmp(what, "leaves_by_Exit") == 0) {
        run_twice();
        _Exit(7);
    }
    if (strcmp(what, "ends_by_SIGALRM") == 0) {
        run_twice();
        raise(SIGALRM);
    }
    if (strcmp(what, "uses_key") == 0) {
        run_twice();
        make_thread(use_key, NULL);
    }
    if (strcmp(what, "shares_stack") == 0) share_stack();
    if (strcmp(what, "copies_context") == 0) copy_context();
    if (strcmp(what, "cancels") == 0) cancel();
    if (strcmp(what, "forks_often") == 0) fork_often();
    if (strcmp(what, "jumps_out") == 0) run_twice(), jump_out();
    if (strcmp(what, "closes_all") == 0) close_all();
    if (strcmp(what, "makes_many_threads") == 0) make_many_threads();
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
        usleep(100000); /* so that the third one reads before */
        if (write(ends[1], "", 1) != 1) return 1;
        pthread_join(threads[2], NULL);
    }
    return 0;
}
