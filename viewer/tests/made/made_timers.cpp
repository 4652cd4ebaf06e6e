// Generated traces of timers: a heap that sifts, a wheel that turns.
#include <utility>
#include <vector>

#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/made/trace_script.h"

namespace fiberscope::viewer::tests {
namespace {

/// Writes events of timers in one set.
class Timers {
  public:
    Timers(const std::string& structure, const std::string& more) : maker_("timers", "") {
        maker_.thread(0, "main");
        maker_.event("\"set\",\"set\":\"timers\",\"role\":\"timer\",\"structure\":\"" + structure +
                     "\",\"key\":\"deadline, ns\"" + more);
    }
    void member(const char* what, unsigned timer, unsigned deadline, std::size_t at) {
        write(what, timer, at, ",\"key\":\"" + std::to_string(deadline) + " ns\"");
    }
    void move(unsigned timer, std::size_t at) { write("move", timer, at, ""); }
    void hand(std::size_t at) {
        maker_.spend(1000);
        maker_.event("\"hand\",\"set\":\"timers\",\"at\":" + std::to_string(at));
    }
    std::string finish() { return maker_.finish(); }

  private:
    void write(const char* what, unsigned timer, std::size_t at, const std::string& more) {
        maker_.spend(1000);
        maker_.event("\"" + std::string(what) + "\",\"set\":\"timers\",\"timer\":" + std::to_string(timer) + more +
                     ",\"at\":" + std::to_string(at));
    }
    TraceScript maker_;
};

struct Entry {
    unsigned deadline, timer;
    bool operator<(const Entry& other) const noexcept { return deadline < other.deadline; }
};

class Heap {
  public:
    void add(Entry entry) {
        array_.push_back(entry);
        out_.member("insert", entry.timer, entry.deadline, array_.size() - 1);
        rise(array_.size() - 1, entry);
    }
    void remove(std::size_t place) {
        out_.member("remove", array_[place].timer, array_[place].deadline, place);
        const Entry last = array_.back();
        array_.pop_back();
        if (place < array_.size()) sink(place, last);
    }
    bool empty() const { return array_.empty(); }
    std::string finish() { return out_.finish(); }

  private:
    void put(std::size_t place, Entry entry, std::size_t before) {
        array_[place] = entry;
        if (place != before) out_.move(entry.timer, place);
    }
    void rise(std::size_t place, Entry entry) {
        const std::size_t before = place;
        for (; place > 0 && entry < array_[(place - 1) / 2]; place = (place - 1) / 2)
            put(place, array_[(place - 1) / 2], (place - 1) / 2);
        put(place, entry, before);
    }
    void sink(std::size_t place, Entry entry) {
        const std::size_t before = array_.size();
        for (std::size_t child = 2 * place + 1; child < array_.size(); place = child, child = 2 * place + 1) {
            if (child + 1 < array_.size() && array_[child + 1] < array_[child]) ++child;
            if (!(array_[child] < entry)) break;
            put(place, array_[child], child);
        }
        put(place, entry, before);
    }
    Timers out_{"heap", ""};
    std::vector<Entry> array_;
};

}  // namespace

std::string heap_of_timers(unsigned count) {
    Heap heap;
    for (unsigned i = 0; i < count; ++i) heap.add({1'000'000 * (count - i), i});
    heap.remove(count / 2);
    for (int i = 0; i < 3 && !heap.empty(); ++i) heap.remove(0);
    return heap.finish();
}

std::string wheel_of_timers(unsigned count, unsigned slots, unsigned apart) {
    Timers wheel("wheel", ",\"slots\":" + std::to_string(slots));
    const auto slot = [&](unsigned i) { return (10 + (i == 0 ? 0 : i - 1) * apart) % slots; };
    for (unsigned i = 0; i < count; ++i) wheel.member("insert", i, 1'000'000 * slot(i), slot(i));
    for (unsigned i = 0; i < count; ++i) {
        if (i != 1) wheel.hand(slot(i));
        wheel.member("remove", i, 1'000'000 * slot(i), slot(i));
    }
    return wheel.finish();
}

}  // namespace fiberscope::viewer::tests
