#include "simulator/trace/files.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "simulator/input/fault.hpp"
#include "simulator/trace/replay.hpp"

namespace warpfront::trace {

namespace {

using input::BadInput;
using input::FaultKind;
using input::Faults;
using input::Place;
using input::SourcePtr;

constexpr std::size_t kMostText = std::size_t{1} << 30;  // of all traces

struct Named {
    std::string name;
    Place place;
};

std::vector<Named> listed(const SourcePtr& list) {
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

std::filesystem::path list_of(const Request& request) {
    std::error_code ignored;
    return std::filesystem::is_directory(request.list, ignored) ? request.list / kListName : request.list;
}

/// Where it is nowhere, the path beside the list.
std::filesystem::path find(const std::filesystem::path& list, const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(list, ignored).lexically_normal().parent_path();
    for (std::filesystem::path above = folder; above != above.root_path(); above = above.parent_path()) {
        if (!std::filesystem::exists(above / name, ignored)) continue;
        return above == folder ? list.parent_path() / name : above / name;
    }
    return list.parent_path() / name;
}

}  // namespace

std::vector<SourcePtr> read_files(const Request& request) {
    const std::filesystem::path list = list_of(request);
    std::vector<SourcePtr> sources{input::read_file(list, request.mentioned_at)};
    const std::vector<Named> files = listed(sources.front());
    if (files.size() != request.grid.ranks()) {
        throw BadInput(FaultKind::trace_ranks, request.grid_place,
                       fmt::format("{} x {} = {} ranks", request.grid.columns, request.grid.rows, request.grid.ranks()),
                       fmt::format("`{}` lists {} traces, expected as many ranks", sources.front()->name(),
                                   files.size()));
    }
    Faults faults;
    std::size_t bytes = 0;
    for (const Named& file : files) {
        try {
            sources.push_back(input::read_file(find(list, file.name), file.place));
        } catch (const BadInput& unreadable) {
            faults.add(unreadable.faults());
        }
        bytes += sources.back()->text().size();
        if (bytes <= kMostText) continue;
        throw BadInput(FaultKind::trace_too_large, file.place, "these traces are too large",
                       fmt::format("expected at most {} bytes in all", kMostText));
    }
    faults.raise();
    return sources;
}

}  // namespace warpfront::trace
