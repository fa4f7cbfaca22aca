#include "simulator/trace/recorded_run.hpp"

#include <fmt/format.h>

#include "simulator/trace/recording.hpp"

namespace warpfront::trace {

bool is_recorded_run(const std::filesystem::path& path) { return is_recording(path); }

RecordedRun read_recorded_run(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                              const TakeRank& take) {
    if (is_recording(path)) return read_recording(path, mentioned_at, take);
    throw input::BadInput(input::DiagnosticKind::unreadable_file, mentioned_at,
                          fmt::format("`{}` is no recorded run", path.string()),
                          "expected a folder that `warpfront record` has written");
}

}  // namespace warpfront::trace
