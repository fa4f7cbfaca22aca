#include "tools/answer/prediction/timeline.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

using input::DiagnosticKind;

constexpr std::uint32_t kRanks = 256;

/// Returns the texts before and after `..`, with their ranges. Returns nothing after an error.
std::optional<std::pair<OptionValue, OptionValue>> ends_of(const OptionValue& value, std::string_view example,
                                                           input::Diagnostics& faults) {
    const std::vector<OptionValue> ends = pieces_of(value, "..");
    if (ends.size() != 2) {
        faults.add(DiagnosticKind::bad_range, value.range, fmt::format("`{}` is not a range", value.text),
                   fmt::format("expected `FIRST..LAST`, such as `{}`", example));
        return std::nullopt;
    }
    return std::pair{ends[0], ends[1]};
}

/// Adds an error unless the first value of a range precedes the last. A range of ranks may have a single rank.
void require_order(bool ordered, const OptionValue& value, std::string_view example, input::Diagnostics& faults) {
    if (ordered || !faults.empty()) return;
    faults.add(DiagnosticKind::bad_range, value.range, fmt::format("the range `{}` is empty", value.text),
               fmt::format("expected the first value before the last, such as `{}`", example));
}

results::TimelineFormat format_of(const OptionValue& file) {
    if (const auto format = results::timeline_format(file.text)) {
        const std::string_view package = results::missing_package(*format);
        if (!package.empty()) input::refuse_without(package, fmt::format("`{}`", file.text), file.range);
        return *format;
    }
    throw input::BadInput(DiagnosticKind::bad_choice, file.range,
                          fmt::format("`{}` has an unknown extension for a timeline", file.text),
                          "expected FILE.pftrace (Perfetto), FILE.json (Chrome's trace events), FILE.otf2 (Vampir, "
                          "Scalasca, ViTE, which also reads it in place of .paje) or FILE.prv (Paraver)");
}

std::variant<results::Output, results::OutputFolder> output_for(results::TimelineFormat format,
                                                                const std::filesystem::path& file) {
    if (!results::is_several_files(format)) return results::Output(file);
    std::error_code ignored;
    const std::filesystem::path events = file.parent_path() / file.stem();
    const bool foreign = format == results::TimelineFormat::otf2 && std::filesystem::exists(events, ignored) &&
                         !std::filesystem::exists(file, ignored);
    if (foreign) {
        throw input::BadInput(
            DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", file.string()),
            fmt::format("its events would go to `{}`, which exists and belongs to another file; expected another name",
                        events.string()));
    }
    if (std::filesystem::exists(file, ignored))
        const results::Output replaceable(file);  // throws if the file cannot be replaced
    return results::OutputFolder(file.has_parent_path() ? file.parent_path() : ".");
}

}  // namespace

void read_timeline_ranks(const OptionValue& value, TimelineOptions& options, input::Diagnostics& faults) {
    constexpr std::string_view kExample = "0..255";
    options.ranks_as_given = value;
    const auto ends = ends_of(value, kExample, faults);
    if (!ends) return;
    const auto rank = [&](const OptionValue& end) {
        constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
        return Rank{static_cast<std::uint32_t>(input::parse_integer(end.text, end.range, 0, kMost, faults))};
    };
    options.ranks = {rank(ends->first), rank(ends->second)};
    require_order(options.ranks->first <= options.ranks->second, value, kExample, faults);
}

void read_timeline_time(const OptionValue& value, TimelineOptions& options, input::Diagnostics& faults) {
    constexpr std::string_view kExample = "0us..500us";
    options.time_as_given = value;
    const auto ends = ends_of(value, kExample, faults);
    if (!ends) return;
    const auto time = [&](const OptionValue& end) { return input::parse_time(end.text, end.range, faults); };
    options.time = {time(ends->first), time(ends->second)};
    require_order(options.time->first < options.time->second, value, kExample, faults);
}

TimelineOutput::TimelineOutput(const OptionValue& file)
    : format_(format_of(file)), file_(file.text), unwritten_(file_), output_(output_for(format_, file_)) {}

void TimelineOutput::write(const record::Timeline& timeline, const Experiment& prepared) const {
    const results::TimelineNames names{fmt::format("{} on {}, {}", prepared.program.name, prepared.machine.name,
                                                   results::counted(prepared.program.grid.ranks(), "rank")),
                                       prepared.program,
                                       [&prepared](Rank rank) { return prepared.machine.placement.node_of(rank); }};
    if (const auto* const output = std::get_if<results::Output>(&output_)) {
        return output->write(results::timeline_text(format_, timeline, names));
    }
    try {
        std::get<results::OutputFolder>(output_).fill(
            file_.filename().string(), [&](const std::filesystem::path& folder) {
                results::write_timeline_files(format_, timeline, names, folder / file_.filename());
            });
    } catch (const std::runtime_error& error) {
        throw input::BadInput(DiagnosticKind::unwritable_file, {}, fmt::format("cannot write `{}`", file_.string()),
                              error.what());
    }
}

std::optional<TimelineOutput> timeline_output(const TimelineOptions& options) {
    if (!options.file) {
        for (const auto& [given, name] : {std::pair(&options.ranks_as_given, "--timeline-ranks"),
                                          std::pair(&options.time_as_given, "--timeline-time")}) {
            if (!*given) continue;
            throw input::BadInput(DiagnosticKind::bad_option, (*given)->range,
                                  fmt::format("`{}` requires `--timeline`", name),
                                  "expected `--timeline FILE.pftrace` as well");
        }
        return std::nullopt;
    }
    return std::optional<TimelineOutput>(std::in_place, *options.file);
}

std::string note_of_empty(const record::Record& record, const record::TimelineWindow& window) {
    const std::vector<record::RankTimeline>& ranks = record.timeline->ranks;
    const bool empty = std::all_of(ranks.begin(), ranks.end(), [](const auto& each) { return each.spans.empty(); });
    if (!empty) return "";
    return fmt::format(
        "the timeline is empty: it begins at {}, and {} at {}", results::duration(window.from),
        WideTime{window.from} < record.finish ? "its ranks have finished before; the run ends" : "the run ends",
        results::duration(record.finish));
}

record::TimelineWindow timeline_window(const TimelineOptions& options, const Experiment& prepared) {
    const auto ranks = static_cast<std::uint32_t>(prepared.program.grid.ranks());
    record::TimelineWindow window{.first = {0}, .last = {std::min(kRanks, ranks) - 1}};
    if (options.ranks) {
        if (options.ranks->second.index >= ranks) {
            throw input::BadInput(DiagnosticKind::out_of_range, options.ranks_as_given->range,
                                  fmt::format("the scenario has no rank {}", options.ranks->second.index),
                                  fmt::format("expected ranks from 0 to {}", ranks - 1));
        }
        window.first = options.ranks->first;
        window.last = options.ranks->second;
    }
    if (options.time) {
        window.from = options.time->first;
        window.until = options.time->second;
    }
    return window;
}

}  // namespace warpfront::tools
