// Given for channels: their queues, the hand-off of a value, and their recording. Any task may change a queue, so its
// events are ordered by the queue's own stamp, and do not touch a task that may be running elsewhere.
#include <atomic>
#include <utility>

#include "labs/04_scheduler/beyond/channels/channel.h"
#include "labs/kit/machines/choice.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/run/trace.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

namespace {

constexpr Text kReceiver = mark("a receiver at the channel '{0}'"), kRoomInBuffer = mark("room in the channel '{0}'"),
               kValue = mark("a value from the channel '{0}'");

std::uint64_t next_number() noexcept {
    static std::atomic<std::uint64_t> made{0};
    return made.fetch_add(1, std::memory_order_relaxed);
}

std::string key_of(const Operation& operation) {
    return operation.number == Operation::kAlone ? "" : "case " + std::to_string(operation.number);
}

}  // namespace

// ---- queues ---------------------------------------------------------------------------------------------------------

OperationQueue::OperationQueue(std::string name, const kit::Lock* lock)
    : set_(std::move(name), trace::Role::channel, trace::Structure::queue) {
    set_.guarded_by(lock);
}

void OperationQueue::push(Operation& last) {
    last.before = last_;
    last.behind = nullptr;
    last.queued = true;
    (last_ == nullptr ? first_ : last_->behind) = &last;
    last_ = &last;
    if (trace::recording()) set_.inserted(item_of(last), key_of(last));
}

Operation* OperationQueue::pop() {
    Operation* const first = first_;
    if (first != nullptr) remove(*first);
    return first;
}

void OperationQueue::remove(Operation& operation) {
    if (!std::exchange(operation.queued, false)) return;
    (operation.before == nullptr ? first_ : operation.before->behind) = operation.behind;
    (operation.behind == nullptr ? last_ : operation.behind->before) = operation.before;
    if (trace::recording()) set_.removed(item_of(operation), key_of(operation));
}

kit::Item OperationQueue::item_of(const Operation& operation) noexcept {
    return {operation.waiting.task.core().id(), &touch_};
}

// ---- the buffer in a trace ------------------------------------------------------------------------------------------

BufferRecord::BufferRecord(std::string name, const kit::Lock* lock)
    : set_(std::move(name), trace::Role::buffer, trace::Structure::queue) {
    set_.guarded_by(lock);
}

void BufferRecord::stored(std::uint32_t sender) {
    values_.push_back({sender, ++count_});
    set_.inserted({sender, &touch_}, "value " + std::to_string(count_));
}

void BufferRecord::fetched() {
    if (values_.empty()) return;  // stored before the trace began
    const Value oldest = values_.front();
    values_.pop_front();
    set_.removed({oldest.sender, &touch_}, "value " + std::to_string(oldest.number));
}

// ---- channels -------------------------------------------------------------------------------------------------------

ChannelCore::ChannelCore(std::string name, std::size_t capacity)
    : name_(std::move(name)),
      capacity_(capacity),
      number_(next_number()),
      senders_(kit::set_name("senders of '{0}'", name_), &lock_),
      receivers_(kit::set_name("receivers of '{0}'", name_), &lock_),
      buffer_record_(kit::set_name("buffer of '{0}'", name_), &lock_),
      reason_to_send_(message(capacity_ == 0 ? kReceiver : kRoomInBuffer, name_)),
      reason_to_receive_(message(kValue, name_)) {
    kit::name_object(&lock_, message("the lock inside the channel '{0}'", name_));
}

void ChannelCore::refuse_closed(const char* what) const {
    throw ClosedChannel(message("{0} the channel '{1}', which is closed", Value::of(what), name_));
}

Outcome ChannelCore::run(Operation& self) {
    const kit::Guard guard(lock_);
    return try_now(self) == Outcome::must_wait ? wait(self) : self.outcome;
}

Outcome ChannelCore::send_from(void* value) {
    Waiting waiting{running_task()};
    Operation self{*this, waiting, Direction::send, value};
    const Outcome how = run(self);
    if (how == Outcome::closed) refuse_closed("a value is sent to");
    return how;
}

Outcome ChannelCore::receive_into(void* place) {
    Waiting waiting{running_task()};
    Operation self{*this, waiting, Direction::receive, place};
    return run(self);
}

void ChannelCore::close() {
    const kit::Guard guard(lock_);
    if (closed_) refuse_closed("close() is called for");
    close_for_all();
}

Outcome ChannelCore::try_now(Operation& self) {
    return self.outcome = self.direction == Direction::send ? try_send(self) : try_receive(self);
}

// ---- values ---------------------------------------------------------------------------------------------------------

void ChannelCore::hand_over(Operation& sender, Operation& receiver) { move_across(sender.element, receiver.element); }

void ChannelCore::store(Operation& sender) {
    move_to_buffer(sender.element);
    ++filled_;
    if (trace::recording()) buffer_record_.stored(sender.waiting.task.core().id());
}

void ChannelCore::fetch(Operation& receiver) {
    move_from_buffer(receiver.element);
    --filled_;
    if (trace::recording()) buffer_record_.fetched();
}

// ---- waiting --------------------------------------------------------------------------------------------------------

OperationQueue& ChannelCore::queue_of(const Operation& operation) {
    return operation.direction == Direction::send ? senders_ : receivers_;
}
const std::string& ChannelCore::reason_of(Direction direction) const noexcept {
    return direction == Direction::send ? reason_to_send_ : reason_to_receive_;
}

bool ChannelCore::claim(Operation& waiting) {
    Waiting& wait = waiting.waiting;
    const kit::Guard guard(wait.lock);  // blocks until its task can be woken, if it is about to park
    if (wait.claimed != nullptr) return false;
    wait.claimed = &waiting;
    return true;
}

void ChannelCore::complete(Operation& claimed, Outcome how) {
    claimed.outcome = how;
    wake(Handle(claimed.waiting.task));
}

void ChannelCore::insert_waiter(Operation& waiting) {
    Task& task = waiting.waiting.task;
    if (task.backend->shares_stack)
        throw Spoken<std::logic_error>(message(
            "task '{0}' cannot wait for the channel '{1}': its queue entry would be on a shared stack; give the "
            "task a private one",
            task.core().name(), name_));
    queue_of(waiting).push(waiting);
}

void ChannelCore::remove_waiter(Operation& waiting) { queue_of(waiting).remove(waiting); }

Wake ChannelCore::park_in_queue(Operation& waiting) KIT_UNCHECKED {  // the loop releases the wait's lock
    Waiting& wait = waiting.waiting;
    wait.lock.lock();
    lock_.unlock();
    Wake woken;
    try {
        woken = park(reason_of(waiting.direction).c_str(), wait.lock);
    } catch (...) {  // the stack is being unwound, and run() unlocks
        lock_.lock();
        remove_waiter(waiting);
        throw;
    }
    lock_.lock();
    return woken;
}

namespace {

constexpr kit::CodeRow kChannelCode[] = {
    {"program", "", "4.13", "beyond/channels/exercise/channel.cpp", "", "", "channels"},
    {"waiting", kReceiver.english, "4.13", "beyond/channels/exercise/channel.cpp", "Outcome ChannelCore::wait("},
    {"waiting", kRoomInBuffer.english, "4.13", "beyond/channels/exercise/channel.cpp", "Outcome ChannelCore::wait("},
    {"waiting", kValue.english, "4.13", "beyond/channels/exercise/channel.cpp", "Outcome ChannelCore::wait("},
};
const kit::KnownCode channel_code("04_scheduler", kChannelCode);

}  // namespace

}  // namespace fiberscope::lab04
