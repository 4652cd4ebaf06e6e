#include "traces/read/condition.h"

#include "languages/say.h"

namespace fiberscope::trace {

std::string nothing_read(const std::string& name, const std::string& condition) {
    return in_english("{0:file}: nothing was read: {1}.", name, condition);
}

}  // namespace fiberscope::trace
