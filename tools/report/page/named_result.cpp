#include "tools/report/page/named_result.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "simulator/results/timeline/timeline_file.hpp"
#include "tools/report/page/chrome_timeline.hpp"
#include "tools/report/page/timeline_excerpt.hpp"

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

}  // namespace

NamedResult read_result(const input::SourceFilePtr& file) {
    ChromeReader timeline(file);
    ordered_json json = parse_events(
        file, [&timeline](const ordered_json& event, std::size_t offset) { timeline.read(event, offset); });
    const std::string schema = schema_of(json);
    if (schema.empty()) refuse_result(file, 0, "is no result: it names no schema");
    if (schema == results::kTimelineSchema) return {file->name(), excerpt_json(timeline.take(json))};
    if (std::find(kSchemas.begin(), kSchemas.end(), schema) == kSchemas.end()) {
        refuse_result(file, 0, fmt::format("is no result: its schema is `{}`", schema));
    }
    return {file->name(), std::move(json)};
}

}  // namespace warpfront::tools
