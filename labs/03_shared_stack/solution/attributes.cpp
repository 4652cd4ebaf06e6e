#include <algorithm>

#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03 {

Place place_for(const Attributes& attributes) {
    if (attributes.shared != nullptr) return {&attributes.shared->switching(), &attributes.shared->next(), 0};
    constexpr std::size_t kPage = 4096;
    const std::size_t asked = attributes.stack_size == 0 ? kit::kDefaultStackSize : attributes.stack_size;
    const std::size_t size = std::min(asked, kLargestStack);
    return {&switching_named(attributes.switching), nullptr, (size + kPage - 1) / kPage * kPage};
}

void Coroutine::release() {
    if (kit::must_unwind(*this)) {
        job.begin_unwinding();
        while (!done()) enter_once_more();
    }
    if (shared() != nullptr)
        leave_shared_stack();
    else
        release_stack();
}

}  // namespace fiberscope::lab03
