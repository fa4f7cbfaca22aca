#include "simulator/trace/recorded_run.hpp"

#include <fmt/format.h>

#include "simulator/trace/otf2.hpp"
#include "simulator/trace/recording.hpp"

namespace warpfront::trace {

bool is_recorded_run(const std::filesystem::path& path) { return is_recording(path) || otf2_anchor(path); }

RecordedRun read_recorded_run(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                              const TakeRank& take) {
    if (is_recording(path)) return read_recording(path, mentioned_at, take);
    if (const auto anchor = otf2_anchor(path)) return read_otf2(*anchor, mentioned_at, take);
    throw input::BadInput(input::DiagnosticKind::unreadable_file, mentioned_at,
                          fmt::format("`{}` is no recorded run", path.string()),
                          "expected a folder that `warpfront record` has written");
}

}  // namespace warpfront::trace
