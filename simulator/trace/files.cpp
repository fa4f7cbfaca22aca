#include "simulator/trace/files.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/trace/replay.hpp"

namespace warpfront::trace {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using input::SourceRange;

constexpr std::size_t kMostText = std::size_t{1} << 30;  // of all traces

struct Named {
    std::string name;
    SourceRange range;
};

std::vector<Named> listed(const SourceFilePtr& list) {
    std::vector<Named> files;
    for (std::size_t at = 0; at < list->text().size();) {
        const std::size_t end = std::min(list->text().find('\n', at), list->text().size());
        std::string_view line = list->text().substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) files.push_back({std::string(line), {list, at, line.size()}});
        at = end + 1;
    }
    return files;
}

std::filesystem::path list_of(const TraceRequest& request) {
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(request.list, ignored);
    const std::filesystem::path list = folder ? request.list / kListName : request.list;
    if (std::filesystem::exists(list, ignored)) return list;
    throw BadInput(DiagnosticKind::unreadable_file, request.mentioned_at,
                   fmt::format("cannot read `{}`", list.string()),
                   fmt::format("expected a list of traces of any name, or a folder with one called `{}`", kListName));
}

/// Next to the list or below one of its parent folders.
std::optional<std::filesystem::path> find(const std::filesystem::path& list, const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(list, ignored).lexically_normal().parent_path();
    for (std::filesystem::path above = folder;; above = above.parent_path()) {
        if (std::filesystem::exists(above / name, ignored)) {
            return above == folder ? list.parent_path() / name : above / name;
        }
        if (above == above.parent_path()) return std::nullopt;
    }
}

}  // namespace

std::vector<SourceFilePtr> read_files(const TraceRequest& request) {
    const std::filesystem::path list = list_of(request);
    std::vector<SourceFilePtr> sources{input::read_file(list, request.mentioned_at)};
    const std::vector<Named> files = listed(sources.front());
    if (files.size() != request.grid.ranks()) {
        throw BadInput(
            DiagnosticKind::trace_ranks, request.grid_range,
            fmt::format("{} = {} ranks", as_text(request.grid), request.grid.ranks()),
            fmt::format("`{}` lists {} traces, expected as many ranks", sources.front()->name(), files.size()));
    }
    Diagnostics faults;
    std::size_t bytes = 0;
    for (const Named& file : files) {
        const std::optional<std::filesystem::path> path = find(list, file.name);
        if (!path) {
            faults.add(DiagnosticKind::unreadable_file, file.range, fmt::format("cannot read `{}`", file.name),
                       "expected the path of a trace from the folder of this list, or from one above it");
            continue;
        }
        try {
            sources.push_back(input::read_file(*path, file.range));
        } catch (const BadInput& unreadable) {
            faults.add(unreadable.faults());
        }
        bytes += sources.back()->text().size();
        if (bytes <= kMostText) continue;
        throw BadInput(DiagnosticKind::trace_too_large, file.range, "these traces are too large",
                       fmt::format("expected at most {} bytes in all", kMostText));
    }
    faults.raise();
    return sources;
}

}  // namespace warpfront::trace
