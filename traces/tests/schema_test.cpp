// Validates all samples and hand-written traces against traces/schema/trace.schema.json; files that the schema rejects
// must be rejected by the reader too.
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "testing/catch.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

const valijson::Schema& schema() {
    static valijson::Schema parsed;
    static const bool once = [] {
        const auto text = nlohmann::json::parse(file_text(FIBERSCOPE_ROOT "/traces/schema/trace.schema.json"));
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), parsed);
        return true;
    }();
    static_cast<void>(once);
    return parsed;
}

/// The schema's error message; empty if valid.
std::string violations(const nlohmann::json& document) {
    valijson::ValidationResults results;
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    if (validator.validate(schema(), valijson::adapters::NlohmannJsonAdapter(document), &results)) return {};
    std::string text = "invalid";
    for (valijson::ValidationResults::Error error; results.popError(error);) text += "; " + error.description;
    return text;
}

}  // namespace

TEST_CASE("every sample is a trace by the schema") {
    for (const auto& file : samples()) {
        INFO(file.string());
        CHECK(violations(nlohmann::json::parse(file_text(file))).empty());
        CHECK(read(file).missing.empty());
    }
}

TEST_CASE("hand-written and generated traces are traces by the schema") {
    CHECK(violations(nlohmann::json::parse(file_text(data("good/all_kinds.json")))).empty());
    CHECK(violations(nlohmann::json::parse(scheduler_trace({.seed = 2, .events = 400}))).empty());
    CHECK(violations(nlohmann::json::parse(random_trace({.seed = 2, .events = 600}))).empty());
}

TEST_CASE("the schema and the reader refuse the same documents") {
    const auto lines = [] {
        std::vector<std::string> all;
        std::istringstream in(file_text(data("bad/events.txt")));
        for (std::string line; std::getline(in, line);)
            if (!line.empty() && line[0] == '{') all.push_back(line);
        return all;
    }();
    REQUIRE(lines.size() > 30);
    for (const std::string& line : lines) {
        INFO(line);
        const std::string text = document(line + "\n");
        CHECK_FALSE(violations(nlohmann::json::parse(text)).empty());
        CHECK_FALSE(read_error(text).empty());
    }
    for (const char* text :
         {R"({"fiberscope":3,"events":[]})", R"({"events":[]})", R"({"fiberscope":1,"events":{}})"}) {
        CHECK_FALSE(violations(nlohmann::json::parse(text)).empty());
        CHECK_FALSE(read_error(text).empty());
    }
}

TEST_CASE("dropping a required field, or giving one a wrong type, is refused by schema and reader alike") {
    const auto whole = nlohmann::json::parse(file_text(data("good/all_kinds.json")));
    for (std::size_t n = 0; n < whole["events"].size(); ++n) {
        for (const auto& [key, value] : whole["events"][n].items()) {
            if (whole["events"][n]["ev"] == "telepathy") continue;
            auto changed = whole;
            changed["events"][n].erase(key);
            INFO("without " << key << ": " << changed["events"][n].dump());
            CHECK(violations(changed).empty() == read_error(changed.dump()).empty());
            changed["events"][n][key] = nlohmann::json::array({1});
            INFO(changed["events"][n].dump());
            if (key != "mood") CHECK(violations(changed).empty() == read_error(changed.dump()).empty());
        }
    }
}
