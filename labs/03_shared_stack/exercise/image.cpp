// Steps 3.1 and 3.2: saves and restores the live bytes of a stack. The contracts are in ../image.h, the picture in
// ../README.md. Given:
//
//     stack.top()                      the first byte after the stack; stack.bottom is its lowest, stack.size its size
//     stack.contains(address)          whether an address, a std::uintptr_t, is in it
//     refuse_too_deep(core, stack, …)  throws kit::Misuse
//     capacity_for(bytes)              the capacity of an image of this size
#include "labs/03_shared_stack/image.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab03 {

// Step 3.1: how far is a local of this function from the top of the stack? If it is not in `stack` at all,
// refuse_too_deep(core, stack, address).
std::size_t live_bytes([[maybe_unused]] const kit::Core& core, [[maybe_unused]] const kit::StackBounds& stack) {
    kit::not_implemented("3.1", "live_bytes: from the address of a local up to the top");
}

// Step 3.1: bytes_ is the memory, capacity_ its size, size_ the part in use.
void Image::save([[maybe_unused]] const kit::StackBounds& stack, [[maybe_unused]] std::size_t bytes) {
    kit::not_implemented("3.1", "Image::save: copy the live bytes of a stack, and allocate enough memory for them");
}

// Step 3.2: the reverse of save.
void Image::restore([[maybe_unused]] const kit::StackBounds& stack) const noexcept {
    kit::not_implemented("3.2", "Image::restore: put the bytes back where they came from");
}

}  // namespace fiberscope::lab03
