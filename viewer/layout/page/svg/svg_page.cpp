#include "viewer/layout/page/svg/svg_page.h"

#include "viewer/layout/trace_facts/sentence.h"

namespace fiberscope::viewer {

SvgPage::SvgPage(const SvgRequest& request)
    : SvgWriter(request.width, request.height, request.em),
      request_(request),
      colors_(palette(request.theme)),
      em_(request.em) {}

void SvgPage::begin() {
    rect({0, 0, request_.width, request_.height}, colors_.panel);
    const float x = kMargin * em_;
    const Sentence words = sentence_at(request_.replay, request_.index, request_.selection, request_.language);
    text({x, 1.4F * em_}, title_line(request_.replay.trace()), colors_.dim);
    text({x, 3.0F * em_}, words.where + "   " + words.happened, colors_.text, " font-weight=\"bold\"");
    text({x, 4.6F * em_}, words.why, colors_.text);
}

}  // namespace fiberscope::viewer
