#include "tools/report/page/page.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

constexpr std::array<std::string_view, 5> kSchemas{"warpfront.result/1", "warpfront.comparison/1", "warpfront.study/1",
                                                   "warpfront.sources/1", "warpfront.fit/1"};

/// Returns the schema: results have it at the top, Chrome's format in `otherData`.
std::string schema_of(const ordered_json& json) {
    for (const char* place : {"/schema", "/otherData/schema"}) {
        const ordered_json::json_pointer schema(place);
        if (json.is_object() && json.contains(schema) && json[schema].is_string()) return json[schema];
    }
    return {};
}

/// Throws BadInput for a file that the page cannot show: "`r.json` is no result: it names no schema". `observation`
/// follows the name of the file.
[[noreturn]] void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation) {
    throw input::BadInput(input::DiagnosticKind::not_a_result, {file, offset, 1},
                          fmt::format("`{}` {}", file->name(), observation),
                          "expected what `--json` of `run`, `compare` or `study` has written, or a timeline of `run "
                          "--timeline FILE.json`");
}

/// Returns the JSON of a file without the events of a timeline, which would take many times the file's memory.
ordered_json parsed(const input::SourceFilePtr& file) {
    const auto keep = [](int depth, ordered_json::parse_event_t step, const ordered_json& key) {
        return depth != 1 || step != ordered_json::parse_event_t::key || key != "traceEvents";
    };
    try {
        return ordered_json::parse(file->text(), keep);
    } catch (const ordered_json::parse_error& error) {
        refuse_result(file, error.byte > 0 ? error.byte - 1 : 0, "is no result: it is not JSON from here");
    }
}

}  // namespace

NamedResult read_result(const input::SourceFilePtr& file) {
    ordered_json json = parsed(file);
    const std::string schema = schema_of(json);
    if (schema.empty()) refuse_result(file, 0, "is no result: it names no schema");
    if (schema == results::kTimelineSchema) {
        if (!json["otherData"].contains("excerpt")) {
            refuse_result(file, 0, "is a timeline without an excerpt, as earlier versions wrote it");
        }
        return {file->name(), std::move(json["otherData"]["excerpt"])};
    }
    if (std::find(kSchemas.begin(), kSchemas.end(), schema) == kSchemas.end()) {
        refuse_result(file, 0, fmt::format("is no result: its schema is `{}`", schema));
    }
    return {file->name(), std::move(json)};
}

}  // namespace warpfront::tools
