#include "traces/record/head.h"

#include "traces/record/text.h"

namespace fiberscope::trace::detail {
namespace {

#if defined(__x86_64__)
constexpr std::string_view kArch = "x86_64";
#elif defined(__aarch64__)
constexpr std::string_view kArch = "aarch64";
#endif

std::string json_string(std::string_view text) {
    std::string memory(6 * text.size() + 2, '\0');
    Text out(memory.data(), memory.size());
    out.quoted(text);
    memory.resize(out.size());
    return memory;
}

void add(std::string& fields, std::string_view key, const std::string& value) {
    if (!fields.empty()) fields += ',';
    fields += json_string(key) + ":" + value;
}
void add_word(std::string& fields, std::string_view key, std::string_view word) {
    if (!word.empty()) add(fields, key, json_string(word));
}

std::string names_text(const std::map<std::string, std::string>& names) {
    std::string fields;
    for (const auto& [own, state] : names) add(fields, own, json_string(state));
    return "{" + fields + "}";
}

std::string code_text(const std::vector<Code>& code) {
    std::string rows;
    for (const Code& one : code) {
        std::string fields;
        add_word(fields, "of", one.of);
        add_word(fields, "in", one.in);
        add_word(fields, "step", one.step);
        add_word(fields, "handout", one.handout);
        add_word(fields, "file", one.file);
        add_word(fields, "function", one.function);
        add_word(fields, "line", one.line);
        rows += (rows.empty() ? "{" : ",{") + fields + "}";
    }
    return "[" + rows + "]";
}

}  // namespace

std::string head_text(const Meta& meta) {
    std::string fields;
    add_word(fields, "lab", meta.lab);
    add_word(fields, "program", meta.program);
    add_word(fields, "strategy", meta.strategy);
    add_word(fields, "clock", meta.clock);
    add_word(fields, "arch", kArch);
    add_word(fields, "files", meta.files);
    add_word(fields, "workload", meta.workload);
    if (meta.has_seed) add(fields, "seed", std::to_string(meta.seed));
    if (!meta.names.empty()) add(fields, "names", names_text(meta.names));
    add_word(fields, "rule", meta.rule);
    if (!meta.code.empty()) add(fields, "code", code_text(meta.code));
    return "{\"fiberscope\":" + std::to_string(kFormatVersion) + ",\n\"meta\":{" + fields + "},\n\"events\":[";
}

}  // namespace fiberscope::trace::detail
