#include "traces/read/condition.h"

#include "languages/message.h"

namespace fiberscope::trace {

std::string nothing_read(const std::string& name, const std::string& condition) {
    return message("{0}: nothing was read: {1}.", name, Value::of(condition));
}

}  // namespace fiberscope::trace
