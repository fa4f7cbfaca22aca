#include "simulator/trace/read_run.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/formats.hpp"

namespace warpfront::trace {

namespace {

constexpr std::size_t kMostRunText = std::size_t{1} << 30;  // limit of all texts of a run together

bool is_goal_file(const std::filesystem::path& path) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    constexpr std::size_t kBeginning = 4096;
    std::string beginning(kBeginning, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(file.gcount()));
    return is_goal(beginning);
}

/// Returns an anchor file of OTF2: the path itself, or the one in the folder.
std::optional<std::filesystem::path> otf2_anchor(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto is_anchor = [](const std::filesystem::path& file) { return file.extension() == ".otf2"; };
    if (!std::filesystem::is_directory(path, ignored)) {
        return is_anchor(path) && std::filesystem::exists(path, ignored) ? std::optional(path) : std::nullopt;
    }
    std::optional<std::filesystem::path> found;
    for (const auto& each : std::filesystem::directory_iterator(path, ignored)) {
        if (!is_anchor(each.path())) continue;
        if (found) return std::nullopt;
        found = each.path();
    }
    return found;
}

std::vector<SourceFilePtr> read_texts(const std::vector<std::filesystem::path>& paths,
                                      const SourceRange& mentioned_at) {
    std::vector<SourceFilePtr> sources;
    std::size_t left = kMostRunText;
    for (const std::filesystem::path& path : paths) {
        sources.push_back(input::read_file(path, mentioned_at, left));
        left -= sources.back()->text().size();
    }
    return sources;
}

/// Throws BadInput if the path is a binary file of DUMPI: only the text that `dumpi2ascii` makes of it can be read.
void refuse_binary_dumpi(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    const std::string kind = path.extension().string();
    if (kind != ".bin" && kind != ".meta") return;
    throw BadInput(DiagnosticKind::unreadable_file, mentioned_at,
                   fmt::format("`{}` has the name of a binary file of DUMPI", path.string()),
                   "expected a folder of texts, which `dumpi2ascii -SX` makes of the trace of each rank");
}

}  // namespace

RunFiles::RunFiles(std::filesystem::path given) : path(std::move(given)) {
    if (is_recording(path)) {
        format = Format::recording;
    } else if (const auto anchor = otf2_anchor(path)) {
        format = Format::otf2;
        files = {*anchor};
    } else if (is_goal_file(path)) {
        format = Format::goal;
    } else if (is_trace_list(path)) {
        format = Format::simgrid;
    } else if (files = dumpi_texts(path); !files.empty()) {
        format = Format::dumpi;
    }
}

RecordedRun read_recorded_run(const RunFiles& files, const SourceRange& mentioned_at, const TakeRank& take,
                              const TraceSettings& settings) {
    refuse_binary_dumpi(files.path, mentioned_at);
    if (files.has_times() && !settings.communicators.empty()) {
        throw BadInput(DiagnosticKind::conflicting_keys, settings.communicators_mentioned_at,
                       "`communicators` is given for a recorded run",
                       "expected no such key, since a recorded run contains its communicators");
    }
    switch (files.format) {
        case RunFiles::Format::recording: return read_recording(files.path, mentioned_at, take);
        case RunFiles::Format::otf2:
            input::refuse_output_as_input(files.files.front(), mentioned_at);
            if constexpr (WARPFRONT_WITH_OTF2) return read_otf2(files.files.front(), mentioned_at, take);
            input::refuse_without("libopen-trace-format2-dev", fmt::format("`{}`", files.files.front().string()),
                                  mentioned_at);
        case RunFiles::Format::goal:
            return read_goal(read_texts({files.path}, mentioned_at).front(), mentioned_at, take);
        case RunFiles::Format::dumpi:
            return read_dumpi(files.path, read_texts(files.files, mentioned_at), mentioned_at, take);
        case RunFiles::Format::none:
        case RunFiles::Format::simgrid: break;
    }
    return read_simgrid(files.path, mentioned_at, settings, take);
}

std::string first_place(const RecordedRun& run, const Unread& unread) {
    const std::string text = fmt::format("rank {}, after {}", unread.rank, input::counted(unread.after, "other call"));
    return unread.site == 0 ? text : fmt::format("{}, {}", text, place_of(run, unread.site));
}

}  // namespace warpfront::trace
