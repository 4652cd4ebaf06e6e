// The lifetime of a trace: open, close, fork, and the end of the process.
#include "traces/record/recorder.h"

#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <system_error>

#include "languages/spoken_error.h"
#include "traces/record/background_writer.h"
#include "traces/record/flush.h"
#include "traces/record/head.h"
#include "traces/record/own_buffer.h"
#include "traces/record/sets.h"
#include "traces/record/state.h"
#include "traces/record/symbols/symbols.h"

namespace fiberscope::trace {
namespace detail {

constinit std::atomic<bool> recording{false};
constinit State state;

}  // namespace detail

namespace {

using detail::is_current;
using detail::own;
using detail::state;
using detail::ThreadBuffer;

/// Serializes open and close, and guards the path.
struct Admin {
    std::mutex mutex;
    std::filesystem::path file;
    std::once_flag first_open;
};
Admin& admin() {
    static auto* the = new Admin;
    return *the;
}

void before_fork() {
    admin().mutex.lock();
    detail::sets::hold();
    detail::symbols::hold();
}
void after_fork_in_parent() {
    detail::symbols::release();
    detail::sets::release();
    admin().mutex.unlock();
}
// A trace belongs to one process: a child records only after it opens a trace of its own.
void after_fork_in_child() {
    detail::recording.store(false, std::memory_order_relaxed);
    state.file.forget();
    detail::background_writer::forget();
    after_fork_in_parent();
}

void at_exit() {
    if (state.file.ended()) return;
    if (own != nullptr && is_current(*own)) resolve_codes(*own, own->scratch);
    detail::end_abruptly(nullptr);
}

void prepare_process() {
    detail::symbols::locate_modules();
    // Done here to keep the first calls off a coroutine's stack: the C library lazily binds the functions that create a
    // thread (with a new stack, then with a cached one), and that takes 3 KiB of stack.
    const std::uint64_t any_code = reinterpret_cast<std::uintptr_t>(&prepare_process);
    for (int i = 0; i < 2; ++i) detail::symbols::resolve({&any_code, 1});
    handle_fork_and_exit();
}

void make_directory(const std::filesystem::path& file) {
    if (!file.has_parent_path()) return;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    if (error)
        throw SpokenSystemError(error.value(),
                                message("cannot make the directory of the trace file {0}", file.string()));
}

void begin_trace(const std::filesystem::path& file, const Meta& meta) {
    make_directory(file);
    detail::sets::clear();
    const int error = state.file.begin(file.c_str(), detail::head_text(meta));
    if (error == EWOULDBLOCK)
        throw SpokenSystemError(error, message("another program is recording into the trace file {0}", file.string()));
    if (error != 0) throw SpokenSystemError(error, message("cannot write the trace file {0}", file.string()));
    state.ender.store(0, std::memory_order_relaxed);
    state.machines.store(0, std::memory_order_relaxed);
    for (ThreadBuffer* b = state.buffers.load(std::memory_order_acquire); b != nullptr; b = b->next) {
        b->limit.store(0, std::memory_order_relaxed);
        ThreadBuffer* other = b->other.load(std::memory_order_acquire);
        if (other != nullptr) other->limit.store(0, std::memory_order_relaxed);
    }
    state.trace.fetch_add(1, std::memory_order_relaxed);
}

void append_all() noexcept {
    detail::for_each_current([](ThreadBuffer& b) {
        resolve_codes(b, b.scratch);
        append_rest(state.file, b, b.scratch);
    });
}

}  // namespace

void handle_fork_and_exit() noexcept {
    [[maybe_unused]] static const bool once =
        pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0 && std::atexit(at_exit) == 0;
}

void open(const std::filesystem::path& file, const Meta& meta) {
    Admin& the = admin();
    const std::lock_guard guard(the.mutex);
    if (!state.file.ended())
        throw std::logic_error("a trace is open already, " + the.file.string() + ": close it before the next one");
    std::call_once(the.first_open, prepare_process);
    begin_trace(file, meta);
    the.file = file;
    detail::recording.store(true, std::memory_order_release);
    attach_machine();
}

void close() {
    Admin& the = admin();
    const std::lock_guard guard(the.mutex);
    detail::recording.store(false, std::memory_order_relaxed);
    if (!state.file.lock()) return detail::background_writer::stop();
    append_all();
    state.file.end();
    state.file.unlock();
    detail::background_writer::stop();
    if (const int error = state.file.error(); error != 0)
        throw SpokenSystemError(error, message("cannot write all of the trace file {0}", the.file.string()));
}

void limit_file(std::uint64_t bytes) noexcept { state.file.limit(bytes); }

const std::filesystem::path& file() { return admin().file; }

std::uint16_t attach_machine() {
    if (!recording()) throw std::logic_error("no trace is open: a thread cannot become a machine of it");
    ThreadBuffer* buffer = own;
    if (buffer == nullptr || !is_current(*buffer)) buffer = detail::attach();
    if (buffer == nullptr)
        throw std::system_error(ENOMEM, std::generic_category(), "no memory for a buffer of trace events");
    return buffer->machine;
}

void flush() noexcept {
    if (recording() && own != nullptr && is_current(*own)) flush_own(state.file, *own);
}

}  // namespace fiberscope::trace
