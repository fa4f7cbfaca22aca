#include "simulator/scenario/calibration.hpp"

#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/file_kind.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/scenario/noise_configuration.hpp"

namespace warpfront::scenario {

namespace {

constexpr double kLargestFactor = 100.0;

double read_factor(MappingReader& keys, Diagnostics& faults) {
    const double factor = keys.real("factor").value_or(1.0);
    if (!(factor > 0.0 && factor <= kLargestFactor)) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of("factor"),
                   fmt::format("computing cannot take {} times as long", factor),
                   fmt::format("expected a factor above 0, up to {}", kLargestFactor));
    }
    return factor;
}

program::Computing read_computing(const YamlNode::Entry& entry, Diagnostics& faults) {
    MappingReader keys(entry.value, fmt::format("`{}`", entry.key), faults);
    program::Computing computing;
    computing.factor = read_factor(keys, faults);
    computing.per_block = keys.time("per_block").value_or(Time{});
    keys.finish();
    return computing;
}

/// Reads a share of the time.
double read_share(MappingReader& keys, std::string_view key, Diagnostics& faults) {
    const double share = keys.real(key).value_or(0.0);
    if (!(share >= 0.0 && share <= kLargestError)) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of(key), fmt::format("`{}` cannot be {}", key, share),
                   fmt::format("expected a share of the time from 0 to {:g}", kLargestError));
    }
    return share;
}

}  // namespace

std::optional<PredictionError> read_prediction_error(const YamlNode& node, std::string what, Drift drift,
                                                     Diagnostics& faults) {
    constexpr std::int64_t kMostGroups = 1'000'000;
    const std::size_t before = faults.count();
    MappingReader keys(node, std::move(what), faults,
                       "expected the error and the number of groups of runs behind it: `{deviation: 0.05, groups: 6}`");
    keys.require("deviation");
    keys.require("groups");
    PredictionError error;
    error.deviation = read_share(keys, "deviation", faults);
    error.groups = static_cast<std::uint32_t>(keys.integer("groups", 1, kMostGroups).value_or(1));
    if (drift == Drift::may_be_stated && (keys.has("ranks") || keys.has("per_doubling"))) {
        keys.require("ranks");
        keys.require("per_doubling");
        error.ranks =
            static_cast<std::uint64_t>(keys.integer("ranks", 1, std::numeric_limits<std::uint32_t>::max()).value_or(1));
        error.per_doubling = read_share(keys, "per_doubling", faults);
    }
    keys.finish();
    if (faults.count() != before) return std::nullopt;
    return error;
}

CalibrationKey read_calibration_key(MappingReader& top, const std::filesystem::path& scenario) {
    CalibrationKey key;
    const auto text = top.text("calibration");
    if (!text) return key;
    key.range = top.range_of("calibration");
    const std::optional<bool> truth = input::truth_of(*text);
    key.on = truth.value_or(true);
    key.as_written = !truth ? *text : *truth ? "on" : "off";
    if (!truth) key.file = (input::folder_of(scenario) / *text).lexically_normal();
    return key;
}

Calibration read_calibration(const std::filesystem::path& file, const SourceRange& mentioned_at) {
    const SourceFilePtr source = input::read_file(file, mentioned_at);
    input::refuse_other_kind(source, {input::FileKind::calibration}, "a calibration (.yaml)", mentioned_at);
    return read_calibration(source);
}

Calibration read_calibration(SourceFilePtr source) {
    Diagnostics faults;
    input::ParsedFile parsed = input::parse_once(std::move(source), faults);
    return read_calibration(parsed.tree, std::move(parsed.source), faults);
}

Calibration read_calibration(const YamlNode& tree, SourceFilePtr source, Diagnostics& faults) {
    Calibration calibration;
    calibration.source = std::move(source);
    MappingReader keys(tree, "a calibration", faults);
    if (const YamlNode* platform = keys.take("platform")) {
        MappingReader(*platform, "`platform`", faults);
        calibration.platform = *platform;
    }
    if (keys.has("noise")) calibration.noise = read_noise(keys, faults);
    if (const YamlNode* computing = keys.take("computing")) {
        MappingReader(*computing, "`computing`", faults);
        for (const YamlNode::Entry& entry : computing->entries) {
            calibration.computing[entry.key] = read_computing(entry, faults);
        }
    }
    if (const YamlNode* error = keys.take("error"))
        calibration.error = read_prediction_error(*error, "`error`", Drift::may_be_stated, faults);
    keys.take("fitted");
    keys.finish();
    faults.raise();
    return calibration;
}

std::optional<Calibration> calibration_for(const CalibrationKey& key, const machine::HardwareTree& hardware) {
    if (!key.on) return std::nullopt;
    if (!key.file.empty()) return read_calibration(key.file, key.range);
    const auto named = machine::calibration_of(hardware);
    if (!named) return std::nullopt;
    return read_calibration(named->file, named->range);
}

}  // namespace warpfront::scenario
