#include <algorithm>

#include "labs/03_shared_stack/coroutine.h"

namespace fiberscope::lab03 {

Place place_for(const Attributes& attributes) {
    if (attributes.shared != nullptr) return {&attributes.shared->backend(), &attributes.shared->next(), 0};
    constexpr std::size_t kPage = 4096;
    const std::size_t asked = attributes.stack_size == 0 ? kit::kDefaultStackSize : attributes.stack_size;
    const std::size_t size = std::min(asked, kLargestStack);
    return {&context_backend_named(attributes.backend), nullptr, (size + kPage - 1) / kPage * kPage};
}

void Coroutine::release() {
    if (kit::must_unwind(*this)) {
        job.begin_unwinding();
        while (!done()) resume_to_unwind();
    }
    if (shared() != nullptr)
        release_shared_stack();
    else
        release_stack();
}

}  // namespace fiberscope::lab03
