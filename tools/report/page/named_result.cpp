#include "tools/report/page/page.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/file_kind.hpp"
#include "simulator/results/timeline/timeline_file.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

/// The deepest nesting of a result. A page is written recursively, so deeper nesting would exhaust the stack.
constexpr int kMostNested = 1000;

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

/// Throws BadInput for a file that the page cannot show: "`r.json` is not a result: it has no schema". `observation`
/// follows the name of the file.
[[noreturn]] void refuse_result(const SourceRange& at, std::string_view observation) {
    throw BadInput(DiagnosticKind::not_a_result, at, fmt::format("`{}` {}", at.source->name(), observation),
                   "expected a file that `--json` of `run` (of one scenario), `compare`, `study`, `sources` or `fit` "
                   "has written, or a timeline of `run --timeline FILE.json`");
}

/// A reader of JSON that finds the place of the first fault.
struct FaultPlace : nlohmann::detail::json_sax_acceptor<ordered_json> {
    std::size_t end = 0;
    std::size_t length = 0;
    bool parse_error(std::size_t position, const std::string& token, const nlohmann::detail::exception& /*fault*/) {
        end = position;
        length = std::min(token.size(), position);
        return false;
    }
};

SourceRange place_of_fault(const SourceFilePtr& file) {
    FaultPlace place;
    ordered_json::sax_parse(file->text(), &place);
    return {file, place.end - place.length, place.length};
}

/// Returns the JSON of a file without the events of a timeline, which would take many times the file's memory.
ordered_json parsed(const SourceFilePtr& file) {
    const auto keep = [&file](int depth, ordered_json::parse_event_t step, const ordered_json& key) {
        if (depth > kMostNested) refuse_result({file, 0, 1}, "is not a result: its lists are nested too deeply");
        return depth != 1 || step != ordered_json::parse_event_t::key || key != "traceEvents";
    };
    try {
        return ordered_json::parse(file->text(), keep);
    } catch (const ordered_json::parse_error& error) {
        input::refuse_other_kind(file, {input::FileKind::result}, "a result of `--json` (.json)");
        refuse_result({file, error.byte > 0 ? error.byte - 1 : 0, 1},
                      "is not a result: it is not JSON from this place on");
    } catch (const ordered_json::out_of_range&) {
        refuse_result(place_of_fault(file), "is not a result: a number is too large for a double");
    }
}

}  // namespace

NamedResult read_result(const SourceFilePtr& file) {
    ordered_json json = parsed(file);
    const std::string schema = schema_of(json);
    if (schema.empty()) refuse_result({file, 0, 1}, "is not a result: it has no schema");
    if (schema == results::kTimelineSchema) {
        if (!json["otherData"].contains("excerpt")) {
            refuse_result({file, 0, 1}, "is a timeline of an earlier version, without an excerpt");
        }
        return {file->name(), std::move(json["otherData"]["excerpt"])};
    }
    if (std::ranges::find(kSchemas, schema) == kSchemas.end()) {
        const std::string_view what = schema.starts_with("warpfront.") ? "cannot be shown" : "is not a result";
        refuse_result({file, 0, 1}, fmt::format("{}: its schema is `{}`", what, schema));
    }
    return {file->name(), std::move(json)};
}

}  // namespace warpfront::tools
