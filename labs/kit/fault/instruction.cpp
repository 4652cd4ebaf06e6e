#include "labs/kit/fault/instruction.h"

namespace fiberscope::kit {

#if defined(__x86_64__)

namespace {

struct Decoded {
    bool vex = false;        // AVX: only the moves named "aligned" need alignment
    bool scalar = false;     // prefix f2 or f3: a scalar, or an unaligned move
    bool two_bytes = false;  // an opcode after 0f
    unsigned opcode = 0;
    unsigned modrm = 0;
};

bool is_prefix(unsigned byte) noexcept {
    return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e || byte == 0x3e ||
           (byte >= 0x64 && byte <= 0x67);
}

Decoded decode(const unsigned char* at) noexcept {
    Decoded d;
    for (; is_prefix(*at); ++at) d.scalar = d.scalar || *at == 0xf2 || *at == 0xf3;
    if (*at == 0xc5 || *at == 0xc4 || *at == 0x62) {  // two-byte VEX, three-byte VEX, EVEX
        const unsigned length = *at == 0xc5 ? 2 : *at == 0xc4 ? 3 : 4;
        const unsigned prefix = at[*at == 0x62 ? 2 : length - 1] & 3U;
        d.vex = d.two_bytes = true;
        d.scalar = prefix >= 2;
        at += length;
    } else {
        if ((*at & 0xf0U) == 0x40) ++at;  // REX
        d.two_bytes = *at == 0x0f;
        if (d.two_bytes) ++at;
    }
    d.opcode = at[0];
    d.modrm = at[1];
    return d;
}

bool is_aligned_move(unsigned opcode) noexcept {
    return opcode == 0x28 || opcode == 0x29 || opcode == 0x2b || opcode == 0x6f || opcode == 0x7f || opcode == 0xe7;
}
// SSE arithmetic on whole registers.
bool is_packed(unsigned opcode) noexcept {
    return (opcode >= 0x51 && opcode <= 0x76) || opcode == 0xc2 || opcode == 0xc6 || opcode >= 0xd0;
}
bool is_return(const Decoded& d) noexcept { return !d.two_bytes && (d.opcode == 0xc3 || d.opcode == 0xc2); }
bool is_indirect(const Decoded& d) noexcept {
    const unsigned operation = (d.modrm >> 3) & 7U;
    return !d.two_bytes && d.opcode == 0xff && (operation == 2 || operation == 4);
}

}  // namespace

Refused refused_instruction(std::uintptr_t code) noexcept {
    // Some processors have already jumped, and fault when fetching the target.
    if (code >> 47 != 0) return Refused::jump;
    const Decoded d = decode(reinterpret_cast<const unsigned char*>(code));
    if (is_return(d) || is_indirect(d)) return Refused::jump;
    if (d.two_bytes && !d.scalar && (is_aligned_move(d.opcode) || (!d.vex && is_packed(d.opcode))))
        return Refused::aligned;
    return Refused::other;
}

#else

Refused refused_instruction(std::uintptr_t) noexcept { return Refused::other; }

#endif

}  // namespace fiberscope::kit
