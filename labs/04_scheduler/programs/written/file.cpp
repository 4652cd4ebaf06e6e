#include "labs/04_scheduler/programs/written/file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "labs/kit/time/never.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04::written {

namespace {

constexpr std::size_t kMostBytes = 1'000'000;
constexpr std::size_t kLongestName = 60;  // bytes
constexpr std::size_t kDeepest = 8;       // nested repeats
constexpr std::uint64_t kMostTimes = 1'000'000;
constexpr std::uint64_t kLongest = 3600 * kit::kSecond;

using Words = std::vector<std::string_view>;

/// A statement, its number of arguments, and an example.
struct Form {
    std::string_view word;
    std::size_t least, most;  ///< number of arguments
    const char* example;
};
constexpr Form kForms[] = {
    {"task", 1, 2, "task baker x3"},
    {"input", 3, 1000, "input keys at 10us 40us"},
    {"work", 1, 1, "work 20us, or work 10us..30us"},
    {"sleep", 1, 1, "sleep 1ms"},
    {"yield", 0, 0, "yield"},
    {"lock", 1, 1, "lock oven"},
    {"unlock", 1, 1, "unlock oven"},
    {"signal", 1, 1, "signal bread"},
    {"wait", 1, 3, "wait bread, or wait keys for 25us"},
    {"repeat", 1, 1, "repeat 4"},
    {"end", 0, 0, "end"},
};

/// A word of the file for a message: in quotes, and shortened.
std::string shown(std::string_view word) {
    if (word.size() <= kLongestName) return "'" + std::string(word) + "'";
    std::size_t end = kLongestName;
    while (end > 0 && (static_cast<unsigned char>(word[end]) & 0xC0U) == 0x80) --end;
    return "'" + std::string(word.substr(0, end)) + "…'";
}

/// Returns the number of bytes of the first character of `text`; 0 if it is not allowed in a name: invalid UTF-8, or a
/// control character.
std::size_t character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
    const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4) return 0;
    for (std::size_t i = 1; i < size; ++i)
        if ((byte(i) & 0xC0U) != 0x80) return 0;
    const unsigned second = byte(1);
    const bool wrong = (first == 0xC2 && second < 0xA0) || (first == 0xE0 && second < 0xA0) ||
                       (first == 0xED && second > 0x9F) || (first == 0xF0 && second < 0x90) ||
                       (first == 0xF4 && second > 0x8F);
    return wrong ? 0 : size;
}

std::uint64_t number_of(std::string_view word, std::uint64_t most) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() && number <= most ? number : 0;
}

/// Parses a text statement by statement, up to the first error.
class Reader {
  public:
    Reader(std::string_view text, std::string path, std::uint64_t tasks)
        : text_(text), path_(std::move(path)), tasks_(tasks) {}

    File read() {
        while (!text_.empty()) read_line();
        if (file_.tasks.empty())
            throw FileError(message("{0}: there are no tasks; a task begins with: task NAME", path_));
        end_task();
        resolve_waits();
        check_size();
        return std::move(file_);
    }

  private:
    /// The locks that a task holds, and the line in which it acquired each.
    using Held = std::map<std::size_t, std::size_t>;
    /// An open repeat, and the locks held at its beginning.
    struct Open {
        std::size_t step;
        Held held;
    };

    [[noreturn]] void fail(const std::string& sentence, std::size_t line = 0) const {
        throw FileError(message("{0}:{1}: {2}", path_, line == 0 ? line_ : line, Value::of(sentence)));
    }

    void read_line() {
        ++line_;
        const std::size_t end = std::min(text_.find('\n'), text_.size());
        std::string_view line = text_.substr(0, end);
        text_.remove_prefix(std::min(end + 1, text_.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        for (std::size_t i = 0; i < line.size();) {
            const std::size_t size = line[i] == '\t' ? 1 : character(line.substr(i));
            if (size == 0) fail(message("byte {0} of this line is not valid UTF-8", i + 1));
            i += size;
        }
        line = line.substr(0, line.find('#'));
        for (std::size_t at = 0; at <= line.size();) {
            const std::size_t next = std::min(line.find_first_of(";:", at), line.size());
            read_statement(line.substr(at, next - at));
            at = next + 1;
        }
    }

    void read_statement(std::string_view statement) {
        Words words;
        constexpr std::string_view kBetween = " \t,";
        for (std::size_t at = 0; (at = statement.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
            const std::size_t end = std::min(statement.find_first_of(kBetween, at), statement.size());
            words.push_back(statement.substr(at, end - at));
            at = end;
        }
        if (words.empty()) return;
        const auto* form = std::ranges::find(kForms, words[0], &Form::word);
        if (form == std::end(kForms))
            fail(message("unknown statement {0}; there are {1}", shown(words[0]), all_statements()));
        words.erase(words.begin());
        if (words.size() < form->least || words.size() > form->most)
            fail(message("{0} is written as in: {1}", shown(form->word), form->example));
        if (form->word == "task") return begin_task(words);
        if (form->word == "input") return add_input(words);
        if (file_.tasks.empty()) fail(message("{0} is outside of a task", shown(form->word)));
        add_step(form->word, words);
    }

    static std::string all_statements() {
        std::string all;
        for (const Form& form : kForms) all += (all.empty() ? "" : ", ") + std::string(form.word);
        return all;
    }

    // ---- tasks and inputs -------------------------------------------------------------------------------------------

    std::string name(std::string_view word) const {
        if (word.size() > kLongestName) fail(message("the name {0} is longer than 60 bytes", shown(word)));
        return std::string(word);
    }

    void begin_task(const Words& words) {
        end_task();
        TaskLine task{.name = name(words[0]), .steps = {}, .line = line_};
        for (const TaskLine& other : file_.tasks)
            if (other.name == task.name)
                fail(message("there is a task {0} in line {1} already", shown(task.name), other.line));
        if (words.size() == 2) {
            task.counted = true;
            task.count = words[1].starts_with('x') ? number_of(words[1].substr(1), UINT64_MAX) : 0;
            if (tasks_ != 0) task.count = tasks_;
            if (task.count == 0 || task.count > kMostTasks)
                fail(message("invalid number of tasks {0}; give x1 to x{1}", shown(words[1]), kMostTasks));
        }
        file_.tasks.push_back(std::move(task));
    }

    void end_task() {
        if (!open_.empty())
            fail(message("this 'repeat' has no 'end'"), file_.tasks.back().steps[open_.back().step].line);
        if (!held_.empty())
            fail(message("the task ends and still holds {0}", shown(file_.locks[held_.begin()->first])),
                 held_.begin()->second);
    }

    void add_input(const Words& words) {
        if (words[1] != "at") fail(message("'input' is written as in: input keys at 10us 40us"));
        Input input{.name = name(words[0]), .moments = {}};
        for (const Input& other : file_.inputs)
            if (other.name == input.name) fail(message("there is an input {0} already", shown(input.name)));
        for (std::size_t i = 2; i < words.size(); ++i) input.moments.push_back(time(words[i]));
        file_.inputs.push_back(std::move(input));
    }

    // ---- steps of a task --------------------------------------------------------------------------------------------

    std::uint64_t time(std::string_view word) const {
        try {
            return time_of(word);
        } catch (const std::invalid_argument& wrong) {
            fail(message_of(wrong));
        }
    }

    /// 20us, or 10us..30us.
    void set_times(Step& step, std::string_view word) const {
        const std::size_t dots = word.find("..");
        step.low = time(word.substr(0, dots));
        step.high = dots == std::string_view::npos ? step.low : time(word.substr(dots + 2));
        if (step.high < step.low) fail(message("{0} begins with the longer time", shown(word)));
    }

    std::size_t index(std::vector<std::string>& names, std::string_view word) const {
        const auto found = std::ranges::find(names, word);
        if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
        names.push_back(name(word));
        return names.size() - 1;
    }

    void add_step(std::string_view what, const Words& words) {
        Step step{.op = Op::yield, .line = line_};
        if (what == "end") return end_repeat();
        if (what == "work" || what == "sleep") {
            step.op = what == "work" ? Op::work : Op::sleep;
            set_times(step, words[0]);
        } else if (what == "lock" || what == "unlock") {
            step.op = what == "lock" ? Op::lock : Op::unlock;
            step.name = index(file_.locks, words[0]);
            take_or_leave(step.name, words[0], step.op == Op::lock);
        } else if (what == "signal") {
            step.op = Op::signal;
            step.name = index(file_.signals, words[0]);
        } else if (what == "wait") {
            set_wait(step, words);
        } else if (what == "repeat") {
            begin_repeat(step, words[0]);
        }
        file_.tasks.back().steps.push_back(step);
    }

    void take_or_leave(std::size_t lock, std::string_view word, bool takes) {
        const auto held = held_.find(lock);
        if (takes && held != held_.end()) fail(message("the task holds {0} since line {1}", shown(word), held->second));
        if (!takes && held == held_.end()) fail(message("the task does not hold {0} here", shown(word)));
        if (takes)
            held_.emplace(lock, line_);
        else
            held_.erase(held);
    }

    /// The target is resolved after the whole file has been read; until then `name` is the index in waits_.
    void set_wait(Step& step, const Words& words) {
        if (words.size() == 2 || (words.size() == 3 && words[1] != "for"))
            fail(message("'wait' is written as in: wait bread, or wait keys for 25us"));
        step.op = Op::wait_signal;
        step.low = words.size() == 3 ? time(words[2]) : kit::kNever;
        step.name = waits_.size();
        waits_.emplace_back(words[0]);
    }

    void begin_repeat(Step& step, std::string_view word) {
        step.op = Op::repeat;
        step.low = number_of(word, kMostTimes);
        if (step.low == 0) fail(message("invalid number of repeats {0}; give 1 to {1}", shown(word), kMostTimes));
        if (open_.size() == kDeepest) fail(message("more than {0} nested repeats", kDeepest));
        open_.push_back({file_.tasks.back().steps.size(), held_});
    }

    void end_repeat() {
        if (open_.empty()) fail(message("'end' without 'repeat'"));
        std::vector<Step>& steps = file_.tasks.back().steps;
        const Open open = std::move(open_.back());
        open_.pop_back();
        const auto same_lock = [](const auto& a, const auto& b) { return a.first == b.first; };
        if (!std::ranges::equal(held_, open.held, same_lock))
            fail(message("at its 'end' a repeat must hold the same locks as at its beginning"));
        steps[open.step].body = steps.size() - open.step - 1;
    }

    // ---- the whole file ---------------------------------------------------------------------------------------------

    void resolve_waits() {
        for (TaskLine& task : file_.tasks)
            for (Step& step : task.steps)
                if (step.op == Op::wait_signal) resolve(step);
    }

    void resolve(Step& step) const {
        const std::string& name = waits_[step.name];
        const auto input = std::ranges::find(file_.inputs, name, &Input::name);
        const auto signal = std::ranges::find(file_.signals, name);
        const bool is_input = input != file_.inputs.end();
        const bool is_signal = signal != file_.signals.end();
        if (!is_input && !is_signal)
            fail(message("no task signals {0}, and no input is called so", shown(name)), step.line);
        if (is_input && is_signal) fail(message("{0} is an input, and a signal too", shown(name)), step.line);
        if (is_signal && step.low != kit::kNever)
            fail(message("only an input can be waited for with a limit"), step.line);
        step.op = is_input ? Op::wait_input : Op::wait_signal;
        step.name = static_cast<std::size_t>(is_input ? input - file_.inputs.begin() : signal - file_.signals.begin());
    }

    /// Returns the number of steps, at most kMostSteps + 1.
    static std::uint64_t steps_of(const Step* first, const Step* end) {
        std::uint64_t all = 0;
        for (const Step* step = first; step < end; ++step, ++all) {
            if (step->op == Op::repeat) {
                all += step->low * steps_of(step + 1, step + 1 + step->body);
                step += step->body;
            }
            if (all > kMostSteps) return kMostSteps + 1;
        }
        return all;
    }

    void check_size() const {
        std::uint64_t tasks = 0;
        std::uint64_t steps = 0;
        for (const TaskLine& task : file_.tasks) {
            tasks += task.count;
            steps += task.count * steps_of(task.steps.data(), task.steps.data() + task.steps.size());
            if (tasks > kMostTasks) fail(message("with this one there are more than {0} tasks", kMostTasks), task.line);
            if (steps > kMostSteps)
                fail(message("with this one the tasks make more than {0} steps", kMostSteps), task.line);
        }
    }

    std::string_view text_;
    const std::string path_;
    const std::uint64_t tasks_;
    File file_;
    std::size_t line_ = 0;
    std::vector<Open> open_;  // the open repeats of the current task
    Held held_;
    std::vector<std::string> waits_;
};

}  // namespace

std::uint64_t time_of(std::string_view word) {
    constexpr std::pair<std::string_view, std::uint64_t> kUnits[] = {{"ns", 1},
                                                                     {"us", kit::kMicrosecond},
                                                                     {"µs", kit::kMicrosecond},
                                                                     {"ms", kit::kMillisecond},
                                                                     {"s", kit::kSecond}};
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const auto* unit =
        std::ranges::find(kUnits, word.substr(digits), &std::pair<std::string_view, std::uint64_t>::first);
    if (digits == 0 || unit == std::end(kUnits))
        throw Spoken<std::invalid_argument>(
            message("invalid time {0}; write a whole number and ns, us, ms or s, as in 20us", shown(word)));
    if (word.substr(0, digits).find_first_not_of('0') == std::string_view::npos)
        throw Spoken<std::invalid_argument>(message("invalid time {0}: it is zero", shown(word)));
    const std::uint64_t number = number_of(word.substr(0, digits), kLongest / unit->second);
    if (number == 0) throw Spoken<std::invalid_argument>(message("{0} is longer than an hour", shown(word)));
    return number * unit->second;
}

File read_text(std::string_view text, const std::string& path, std::uint64_t tasks) {
    return Reader(text, path, tasks).read();
}

File read_file(const std::string& path, std::uint64_t tasks) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw FileError(message("{0} is a folder; give a file", path));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) throw FileError(message("{0} cannot be read: {1}", path, Value::of(std::strerror(errno))));
    std::string text(kMostBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMostBytes) throw FileError(message("{0} is larger than a megabyte", path));
    return read_text(text, path, tasks);
}

}  // namespace fiberscope::lab04::written
