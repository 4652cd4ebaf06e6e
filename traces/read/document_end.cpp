// The checks of a document before its first byte and after its last.
#include "traces/read/document_reader.h"
#include "traces/read/encoding.h"
#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

/// A compressor: the magic bytes of its files, and the program that decompresses them.
struct Packer {
    std::string_view begins, name, unpacks;
};
constexpr Packer kPackers[] = {{"\x1f\x8b", "gzip", "gunzip"},
                               {"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
                               {"\xfd\x37zXZ", "xz", "unxz"},
                               {"BZh", "bzip2", "bunzip2"},
                               {"PK\x03\x04", "zip", "unzip"}};

}  // namespace

void DocumentReader::refuse_wide() const {
    if (const std::string_view encoding = wide_encoding(source_.beginning()); !encoding.empty())
        throw ReadError(
            message("{0}: the file is broken: it is {1}, not UTF-8, so convert it first, by iconv -f {1} -t UTF-8.",
                    printable(name_), encoding));
}

void DocumentReader::refuse_packed() const {
    for (const Packer& packer : kPackers)
        if (source_.beginning().starts_with(packer.begins))
            throw ReadError(message("{0}: the file is broken: it is compressed by {1}, so unpack it first, by {2}.",
                                    printable(name_), packer.name, packer.unpacks));
}

// The machines of a live file write in turn. Only the events covered by the recorder's last mark are complete for every
// machine; before the first mark nothing is.
void DocumentReader::begin_merging() {
    // A file that was cut in its first field may still be the beginning of a trace; one with other fields is not.
    const bool could_be_a_trace = version_seen_ || (!any_key_ && !builder_.trace.missing.empty());
    if (!could_be_a_trace) fail(1, message(kNoTrace));
    const std::int64_t reached = builder_.trace.reached;
    builder_.finish(merging_, !is_live() ? INT64_MAX : reached != kAbsent ? reached : -1);
    merging_.add_once([this] { judge(); });
}

void DocumentReader::judge() {
    Trace& trace = builder_.trace;
    if (is_live()) {
        trace.condition = Condition::live;
        trace.missing = trace.size() == 0 ? message("the file is being recorded: no event of it can be shown yet")
                                          : message("the file is being recorded: {0} events so far", trace.size());
        return;
    }
    check_count();
    if (!trace.missing.empty()) trace.condition = Condition::cut;
}

void DocumentReader::check_count() {
    Trace& trace = builder_.trace;
    if (!trace.missing.empty()) return;
    if (!trace.complete)
        trace.missing =
            message("the file was cut short before its \"end\": what came after the last event may be missing");
    else if (announced_ && *announced_ != found_)
        fail(message("expected {0} events, as the end of the file announces, but found {1}", *announced_, found_));
}

}  // namespace fiberscope::trace
