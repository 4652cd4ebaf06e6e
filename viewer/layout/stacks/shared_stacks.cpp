#include "viewer/layout/stacks/shared_stacks.h"

#include <algorithm>

#include "traces/words/words.h"
#include "viewer/layout/base/fitting.h"

namespace fiberscope::viewer {
namespace {

using trace::grouped;
using trace::kAbsent;
using trace::kNone;

constexpr float kSharedStacksTitle = 1.6F, kTotals = 1.2F, kSharedStacksRow = 1.3F,
                kSharedStacksGap = 0.4F;       // heights in em
constexpr float kSharedStacksTwoColumns = 21;  // minimum width for two columns, in em

float height_of(const TraceIndex& index, std::uint32_t stack, float em) noexcept {
    return em * (kSharedStacksTitle + 2 * kTotals + kSharedStacksGap +
                 kSharedStacksRow * static_cast<float>(index.tenants(stack).size()));
}

std::string bytes_of(std::uint64_t n) { return grouped(static_cast<std::int64_t>(n)); }

class SharedStacksBuilder {
  public:
    SharedStacksBuilder(const SharedStacksRequest& request, float width)
        : request_(request),
          em_(request.metrics.em),
          width_(width),
          scale_(std::max({std::uint64_t{1}, request.largest, request.index.largest_image()})) {
        measure();
    }

    /// The box of a stack with its upper left corner at `at`.
    SharedStackBox box(std::uint32_t stack, Point at) const {
        const Rect area{at.x, request_.area.y0, at.x + width_, request_.area.y1};
        const float y = at.y;
        SharedStackBox out;
        const trace::SharedStackNow now = request_.replay.shared_stack(stack);
        out.rect = {area.x0, y, area.x1, y + height_of(request_.index, stack, em_) - kSharedStacksGap * em_};
        out.name = says("stack {0}", stack);
        out.title = {area.x0, y, area.x0 + request_.metrics.width(out.name) * 1.15F + 0.8F * em_,
                     y + kSharedStacksTitle * em_};
        out.owner_box = {out.title.x1, y + 0.1F * em_, area.x1, y + (kSharedStacksTitle - 0.1F) * em_};
        out.out = {area.x0, y + kSharedStacksTitle * em_, area.x1, y + (kSharedStacksTitle + kTotals) * em_};
        out.in = {area.x0, out.out.y1, area.x1, out.out.y1 + kTotals * em_};
        out.out_words =
            copies(mark("{0} {0:copy|copies} out, {1} B"), mark("{0} out, {1} B"), now.copies_out, now.bytes_out);
        out.in_words =
            copies(mark("{0} {0:copy|copies} in, {1} B"), mark("{0} in, {1} B"), now.copies_in, now.bytes_in);
        name_owner(now, out);
        float row_y = out.in.y1;
        for (const std::uint32_t co : request_.index.tenants(stack)) {
            if (row_y < area.y1 && row_y + kSharedStacksRow * em_ > area.y0)
                out.rows.push_back(row(stack, co, {area.x0, row_y, area.x1, row_y + kSharedStacksRow * em_}));
            row_y += kSharedStacksRow * em_;
        }
        return out;
    }

  private:
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return request_.metrics.says(key, values...);
    }
    std::string copies(Text whole, Text brief, std::uint64_t times, std::uint64_t bytes) const {
        const std::string n = bytes_of(times), b = bytes_of(bytes);
        return first_fitting(request_.metrics, width_ - 1.4F * em_, {says(whole, n, b), says(brief, n, b), b + " B"});
    }
    const trace::CoroutineNow& now(std::uint32_t co) const { return request_.replay.coroutine(co); }

    void name_owner(const trace::SharedStackNow& stack, SharedStackBox& out) const {
        out.owner = stack.owner;
        if (stack.owner == kNone) {
            out.owner_words = says("no coroutine is on it");
            return;
        }
        const trace::CoroutineNow& owner = now(stack.owner);
        out.owner_state = owner.state;
        out.owner_name = request_.replay.trace().name(stack.owner);
        out.owner_words =
            says(owner.state == trace::State::dead ? mark("{0} is on it, but is dead") : mark("{0} is on it"),
                 out.owner_name);
    }

    /// The names and texts get the width of the longest; the bars get the rest.
    void measure() {
        constexpr std::size_t kMeasured = 200;
        std::size_t measured = 0;
        for (std::uint32_t stack = 0; stack < request_.index.shared_stacks(); ++stack)
            for (const std::uint32_t co : request_.index.tenants(stack))
                if (++measured < kMeasured)
                    names_ = std::max(names_, request_.metrics.width(request_.replay.trace().name(co)) * 1.1F);
        const std::string largest = grouped(static_cast<std::int64_t>(scale_));
        const float width = width_;
        both_ = request_.metrics.width(says("{0} of {1} B", largest, largest)) + 0.9F * em_;
        names_ = std::min(names_ + 1.2F * em_, 0.42F * width);
        with_buffer_ = width - 1.4F * em_ - names_ - both_ > 3 * em_;
        const float words = with_buffer_ ? both_ : request_.metrics.width(largest + " B") + 0.9F * em_;
        words_ = std::max(words, request_.metrics.width(says("not entered")) + 0.9F * em_);
        names_ = std::min(names_, std::max(0.0F, width - 1.4F * em_ - words_));
    }

    float to_scale(const Rect& room, std::int64_t bytes) const {
        if (bytes <= 0) return room.x0;
        const double part = static_cast<double>(bytes) / static_cast<double>(scale_);
        return room.x0 + std::max(2.0F, room.width() * static_cast<float>(part));
    }

    TenantRow row(std::uint32_t stack, std::uint32_t co, Rect area) const {
        const trace::CoroutineNow& tenant = now(co);
        TenantRow out;
        const float side = 1.1F * em_, top = area.middle_y() - side / 2;
        out.rect = area;
        out.chip = {area.x0, top, area.x0 + side, top + side};
        out.room = {area.x0 + 1.4F * em_ + names_, top, area.x1 - words_, top + side};
        out.co = co;
        out.state = tenant.state;
        out.exists = tenant.exists;
        out.owns = tenant.owns && tenant.stack == stack;
        out.name = request_.replay.trace().name(co);
        const bool here = tenant.stack == stack;
        if (here && tenant.capacity != kAbsent)
            out.buffer = {out.room.x0, top, to_scale(out.room, tenant.capacity), top + side};
        if (here && tenant.saved) out.image = {out.room.x0, top, to_scale(out.room, tenant.copied), top + side};
        describe(tenant, here, out);
        return out;
    }

    void describe(const trace::CoroutineNow& tenant, bool here, TenantRow& out) const {
        const std::string buffer = tenant.capacity == kAbsent ? "" : grouped(tenant.capacity);
        const bool saved = here && tenant.saved;
        const std::string copied = grouped(tenant.copied);
        if (!tenant.exists)
            out.words = "", out.detail = says("{0} is not spawned yet", out.name);
        else if (tenant.state == trace::State::dead)
            out.words = trace::state_word(trace::State::dead, request_.metrics.language),
            out.detail = says("{0} is dead: it needs no image", out.name);
        else if (saved)
            out.words = with_buffer_ && !buffer.empty() ? says("{0} of {1} B", copied, buffer) : copied + " B",
            out.detail = says("the image of {0} holds {1} bytes", out.name, copied);
        else if (out.owns)
            out.words = says("is on it"), out.detail = says("{0} is on the stack itself: no image is needed", out.name);
        else
            out.words = says(tenant.switches_in == 0 ? mark("not entered") : mark("no image")),
            out.detail = says("{0} has no image", out.name);
        if (saved && out.owns) out.detail += says(", and its bytes are still on the stack");
        if (here && !buffer.empty()) out.detail += says("; its buffer has {0} bytes", buffer);
    }

    const SharedStacksRequest& request_;
    float em_, width_;
    std::uint64_t scale_;  // bytes at full bar width
    float names_ = 0, words_ = 0, both_ = 0;
    bool with_buffer_ = true;
};

}  // namespace

std::string shared_stacks_heading(const trace::Replay& replay, Language language) {
    std::uint64_t copies = 0, bytes = 0;
    for (std::uint32_t stack = 0; stack < replay.trace().shared_stacks(); ++stack) {
        const trace::SharedStackNow now = replay.shared_stack(stack);
        copies += now.copies_out + now.copies_in;
        bytes += now.bytes_out + now.bytes_in;
    }
    return say(language, "{0} shared {0:stack|stacks}: {1} {1:copy|copies}, {2} B", replay.trace().shared_stacks(),
               bytes_of(copies), bytes_of(bytes));
}

float wanted_shared_stacks_height(const TraceIndex& index, float em, std::uint32_t columns) noexcept {
    float height = 0;
    for (std::uint32_t first = 0; first < index.shared_stacks(); first += columns) {
        float highest = 0;
        for (std::uint32_t i = first; i < std::min(first + columns, index.shared_stacks()); ++i)
            highest = std::max(highest, height_of(index, i, em));
        height += highest;
    }
    return height;
}

namespace {

/// Two columns if one is too high and both fit.
std::uint32_t columns_for(const SharedStacksRequest& request) noexcept {
    const float em = request.metrics.em;
    const bool high = wanted_shared_stacks_height(request.index, em) > request.area.height() + kSharedStacksGap * em;
    return high && request.index.shared_stacks() > 1 && request.area.width() > kSharedStacksTwoColumns * em ? 2 : 1;
}

}  // namespace

SharedStacks layout_shared_stacks(const SharedStacksRequest& request) {
    SharedStacks out;
    out.heading = shared_stacks_heading(request.replay, request.metrics.language);
    const float em = request.metrics.em;
    const std::uint32_t columns = columns_for(request);
    const float width = (request.area.width() - static_cast<float>(columns - 1) * em) / static_cast<float>(columns);
    const SharedStacksBuilder make(request, width);
    float y = request.area.y0 - request.scroll;
    for (std::uint32_t first = 0; first < request.index.shared_stacks(); first += columns) {
        float height = 0;
        for (std::uint32_t i = 0; i < columns && first + i < request.index.shared_stacks(); ++i) {
            height = std::max(height, height_of(request.index, first + i, em));
            out.tops.push_back(y + request.scroll - request.area.y0);
            out.bottoms.push_back(out.tops.back() + height_of(request.index, first + i, em) - kSharedStacksGap * em);
            if (y >= request.area.y1 || y + height_of(request.index, first + i, em) <= request.area.y0) continue;
            out.boxes.push_back(make.box(first + i, {request.area.x0 + static_cast<float>(i) * (width + em), y}));
        }
        y += height;
    }
    out.content_height = y + request.scroll - request.area.y0;
    return out;
}

}  // namespace fiberscope::viewer
