#include "simulator/trace/read_run.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "simulator/input/missing_part.hpp"
#include "simulator/input/output_files.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/dumpi.hpp"
#include "simulator/trace/goal.hpp"
#include "simulator/trace/otf2/otf2.hpp"
#include "simulator/trace/recording.hpp"

namespace warpfront::trace {

namespace {

constexpr std::size_t kMostRunText = std::size_t{1} << 30;  // of all texts of a run

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

std::vector<input::SourceFilePtr> read_texts(const std::vector<std::filesystem::path>& paths,
                                             const input::SourceRange& mentioned_at) {
    std::vector<input::SourceFilePtr> sources;
    std::size_t left = kMostRunText;
    for (const std::filesystem::path& path : paths) {
        sources.push_back(input::read_file(path, mentioned_at, left));
        left -= sources.back()->text().size();
    }
    return sources;
}

}  // namespace

void refuse_binary_dumpi(const std::filesystem::path& path, const input::SourceRange& mentioned_at) {
    const std::string kind = path.extension().string();
    if (kind != ".bin" && kind != ".meta") return;
    throw input::BadInput(input::DiagnosticKind::unreadable_file, mentioned_at,
                          fmt::format("`{}` is a binary file of DUMPI by its name", path.string()),
                          "expected a folder of texts, which `dumpi2ascii -SX` makes of the trace of each rank");
}

bool is_recorded_run(const std::filesystem::path& path) {
    return is_recording(path) || otf2_anchor(path) || is_goal_file(path) || !dumpi_texts(path).empty();
}

std::string crowding_text(const RecordedRun& run) {
    const Crowding& most = run.crowding;
    if (most.ranks <= most.cores) return {};
    return fmt::format("{} ranks share {} cores: computing is {}", most.ranks, most.cores,
                       run.has_cpu_time ? "CPU time" : "wall time, in which ranks are interrupted");
}

RecordedRun read_recorded_run(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                              const TakeRank& take) {
    refuse_binary_dumpi(path, mentioned_at);
    if (is_recording(path)) return read_recording(path, mentioned_at, take);
    if (const auto anchor = otf2_anchor(path)) {
        input::refuse_output_as_input(*anchor, mentioned_at);
        if constexpr (WARPFRONT_WITH_OTF2) return read_otf2(*anchor, mentioned_at, take);
        input::refuse_without("libopen-trace-format2-dev", fmt::format("`{}`", anchor->string()), mentioned_at);
    }
    if (is_goal_file(path)) return read_goal(read_texts({path}, mentioned_at).front(), mentioned_at, take);
    if (const auto texts = dumpi_texts(path); !texts.empty()) {
        return read_dumpi(path, read_texts(texts, mentioned_at), mentioned_at, take);
    }
    throw input::BadInput(input::DiagnosticKind::unreadable_file, mentioned_at,
                          fmt::format("`{}` is no recorded run", path.string()),
                          "expected a folder that `warpfront record` has written, an archive of OTF2, a schedule of "
                          "GOAL, or a folder of texts of `dumpi2ascii -SX`");
}

std::string first_place(const RecordedRun& run, const Unread& unread) {
    std::string text = fmt::format("rank {}, behind {}", unread.rank, input::counted(unread.after, "other call"));
    if (unread.site == 0) return text;
    const RecordedSite& site = run.sites[unread.site];
    if (!site.file.empty()) text += fmt::format(", {}:{}", site.file, site.line);
    if (!site.function.empty()) text += fmt::format(" in {}", site.function);
    return text;
}

}  // namespace warpfront::trace
