// `run --timeline FILE`: the activities of ranks over time, as a file for a viewer
// (simulator/results/timeline/timeline_file.hpp).
//
//   --timeline FILE        the extension decides the format
//   --timeline-ranks A..B  default: the first 256 ranks
//   --timeline-time A..B   default: the first iteration; with it every iteration is simulated
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "simulator/record/record.hpp"
#include "simulator/record/timeline.hpp"
#include "simulator/results/output.hpp"
#include "simulator/results/timeline/timeline_file.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/option_values.hpp"

namespace warpfront::tools {

struct TimelineOptions {
    std::optional<OptionValue> file;
    std::optional<std::pair<Rank, Rank>> ranks;  // the first and the last rank, both included
    std::optional<OptionValue> ranks_as_given;
    std::optional<std::pair<Time, Time>> time;
    std::optional<OptionValue> time_as_given;
};

/// Reads ranges such as "0..255" and "0us..500us". Diagnostics: bad_range, and those of numbers and times.
void read_timeline_ranks(const OptionValue& value, TimelineOptions& options, input::Diagnostics& faults);
void read_timeline_time(const OptionValue& value, TimelineOptions& options, input::Diagnostics& faults);

/// The file of a timeline, or several files of one timeline. A file is written only when it is complete. The file that
/// the option names is written last.
class TimelineOutput {
public:
    /// Checks that the file can be written. Throws BadInput: bad_choice for an unknown extension, unwritable_file.
    explicit TimelineOutput(const OptionValue& file);

    /// Writes the timeline. Throws BadInput (unwritable_file) and leaves existing files unchanged if this fails.
    void write(const record::Timeline& timeline, const Experiment& prepared) const;

private:
    results::TimelineFormat format_;
    std::filesystem::path file_;
    input::OutputFile unwritten_;
    std::variant<results::Output, results::OutputFolder> output_;
};

/// Returns the output for the timeline; nothing if none is requested. Throws BadInput like TimelineOutput, and
/// bad_option if a window is given without a file.
std::optional<TimelineOutput> timeline_output(const TimelineOptions& options);

/// Returns a note if the timeline is empty because all of its ranks finish before it begins. Otherwise returns an empty
/// text.
std::string note_of_empty(const record::Record& record, const record::TimelineWindow& window);

/// Returns the ranks and times of the timeline. Throws BadInput (out_of_range) if the scenario does not have these
/// ranks.
record::TimelineWindow timeline_window(const TimelineOptions& options, const Experiment& prepared);

}  // namespace warpfront::tools
