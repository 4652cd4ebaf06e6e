#include "traces/read/condition.h"

namespace fiberscope::trace {

std::string condition_in_words(Condition condition, std::string_view rest) {
    switch (condition) {
    case Condition::whole: return {};
    case Condition::live: return "the file is being recorded: " + std::string(rest);
    case Condition::empty: return "the file is empty: " + std::string(rest);
    case Condition::cut: return "the file was cut short " + std::string(rest);
    case Condition::broken: return "the file is broken" + std::string(rest);
    }
    return {};
}

std::string nothing_read(const std::string& name, const std::string& condition) {
    return name + ": nothing was read: " + condition + ".";
}

}  // namespace fiberscope::trace
