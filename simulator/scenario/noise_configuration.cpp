#include "simulator/scenario/noise_configuration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/csv.hpp"

namespace warpfront::scenario {

using variation::CostFactor;
using variation::Interruptions;
using variation::Noise;
using variation::PeriodicNoise;
using variation::SpeedClass;

namespace {

constexpr double kShareRounding = 1e-9;

/// Returns the mapping at `key`; nothing if it is absent or `off`.
const YamlNode* unless_off(MappingReader& mapping, std::string_view key, Diagnostics& faults) {
    const YamlNode* node = mapping.take(key);
    if (node == nullptr || node->kind == YamlNode::Kind::mapping) return node;
    if (node->kind == YamlNode::Kind::scalar && input::truth_of(node->scalar) == false) return nullptr;
    faults.add(DiagnosticKind::wrong_yaml_type, node->range,
               fmt::format("`{}` is neither `off` nor keys and values", key),
               "expected `off` or a mapping `{KEY: VALUE}`");
    return nullptr;
}

/// Returns a number that must be `valid`; otherwise nothing, and adds an error out_of_range.
template <typename Valid>
std::optional<double> number(MappingReader& mapping, std::string_view key, std::string_view expected, Valid valid,
                             Diagnostics& faults) {
    const std::optional<double> value = mapping.real(key);
    if (!value || valid(*value)) return value;
    faults.add(DiagnosticKind::out_of_range, mapping.range_of(key), fmt::format("`{}` cannot be {}", key, *value),
               fmt::format("expected {}", expected));
    return std::nullopt;
}

std::optional<Time> positive_time(MappingReader& mapping, std::string_view key, Diagnostics& faults) {
    const std::optional<Time> time = mapping.time(key);
    if (!time || time->ps > 0) return time;
    faults.add(DiagnosticKind::out_of_range, mapping.range_of(key), fmt::format("`{}` is zero", key),
               "expected a time of at least 1ps");
    return std::nullopt;
}

std::optional<PeriodicNoise> read_periodic(MappingReader& noise, Diagnostics& faults) {
    const YamlNode* node = unless_off(noise, noise.has(kFormerPeriodic) ? kFormerPeriodic : kPeriodic, faults);
    if (node == nullptr) return std::nullopt;
    MappingReader keys(*node, "`periodic`", faults);
    keys.require("period");
    keys.require("length");
    const std::optional<Time> period = positive_time(keys, "period", faults);
    const std::optional<Time> length = keys.time("length");
    const bool aligned = keys.flag("aligned").value_or(false);
    keys.finish();
    if (!period || !length) return std::nullopt;
    if (*length >= *period) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of("length"),
                   "the interruption is not shorter than its period",
                   "expected a `length` below the `period`: otherwise no work would ever be done");
        return std::nullopt;
    }
    return PeriodicNoise{*period, *length, aligned};
}

const std::vector<std::string> kAbsorbers{"idle_core", "nothing"};

std::optional<Interruptions> read_interruptions(MappingReader& noise, Diagnostics& faults) {
    const YamlNode* node = unless_off(noise, "interruptions", faults);
    if (node == nullptr) return std::nullopt;
    MappingReader keys(*node, "`interruptions`", faults);
    keys.require("per_second");
    keys.require("length");
    const auto is_rate = [](double rate) { return rate >= 0.0 && rate <= variation::kMostInterruptions; };
    const std::string range = fmt::format("a rate from 0 to {}", variation::kMostInterruptions);
    const std::optional<double> per_second = number(keys, "per_second", range, is_rate, faults);
    const std::optional<Time> length = keys.time("length");
    const bool absorbed = keys.choice("absorbed_by", kAbsorbers).value_or(0) == 0;
    keys.finish();
    if (!per_second || !length) return std::nullopt;
    return Interruptions{*per_second, *length, absorbed};
}

SpeedClass read_class(const YamlNode& node, Diagnostics& faults) {
    MappingReader keys(node, "a class", faults);
    keys.require("share");
    keys.require("speed");
    const auto is_share = [](double share) { return share > 0.0 && share <= 1.0; };
    const auto is_speed = [](double speed) { return speed > 0.0; };
    SpeedClass speed_class;
    speed_class.share = number(keys, "share", "a share above 0 and up to 1", is_share, faults).value_or(1.0);
    speed_class.speed = number(keys, "speed", "a speed above 0", is_speed, faults).value_or(1.0);
    keys.finish();
    return speed_class;
}

std::vector<SpeedClass> read_classes(MappingReader& heterogeneity, Diagnostics& faults) {
    std::vector<SpeedClass> classes;
    const YamlNode* node = heterogeneity.take("classes");
    if (node == nullptr) return classes;
    if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node->range, "`classes` is not a list",
                   "expected a list, such as `[{share: 0.9, speed: 1.0}, {share: 0.1, speed: 0.8}]`");
        return classes;
    }
    const std::size_t before = faults.count();
    double sum = 0.0;
    for (const YamlNode& item : node->items) {
        classes.push_back(read_class(item, faults));
        sum += classes.back().share;
    }
    if (faults.count() == before && std::abs(sum - 1.0) > kShareRounding) {
        faults.add(DiagnosticKind::out_of_range, node->range, fmt::format("the shares of `classes` add up to {}", sum),
                   "expected shares that add up to 1");
    }
    return classes;
}

void read_heterogeneity(MappingReader& top, const std::filesystem::path& scenario, NoiseConfiguration& configuration,
                        Diagnostics& faults) {
    const YamlNode* node = unless_off(top, "heterogeneity", faults);
    if (node == nullptr) return;
    MappingReader keys(*node, "`heterogeneity`", faults);
    configuration.noise.classes = read_classes(keys, faults);
    if (const auto written = keys.text("map")) {
        configuration.map = {(input::folder_of(scenario) / *written).lexically_normal(), keys.range_of("map"),
                             *written};
    }
    keys.finish();
}

}  // namespace

bool NoiseConfiguration::take_noise(const std::optional<Noise>& calibrations) {
    if (!calibrations || states_noise) return false;
    std::vector<SpeedClass> classes = std::move(noise.classes);
    noise = *calibrations;
    noise.classes = std::move(classes);
    return true;
}

Noise noise_of(const NoiseConfiguration& configuration, std::uint64_t ranks, std::vector<SourceFilePtr>& sources,
               Diagnostics& faults) {
    Noise noise = configuration.noise;
    if (!configuration.map) return noise;
    faults.collect([&] {
        sources.push_back(input::read_file(configuration.map->file, configuration.map->range));
        noise.map = read_cost_map(sources.back(), ranks, faults);
    });
    return noise;
}

namespace {

/// Takes the iterations after which draws repeat.
std::int64_t read_repeats(MappingReader& keys, Diagnostics& faults) {
    const std::optional<bool> redrawn = keys.flag("redrawn");
    const auto after = keys.integer("repeats_after", 1, std::numeric_limits<std::int32_t>::max());
    if (redrawn.value_or(false) && after) {
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of("repeats_after"),
                   "`repeats_after` is given, but every iteration draws anew: `redrawn` is on",
                   "expected one of the two keys");
    }
    if (after) return *after;
    return redrawn.value_or(true) ? 0 : variation::kWhenEnough;
}

}  // namespace

Noise read_noise(MappingReader& top, Diagnostics& faults) {
    Noise noise;
    const YamlNode* node = unless_off(top, "noise", faults);
    if (node == nullptr) return noise;
    MappingReader keys(*node, "`noise`", faults);
    const auto in_range = [](double cv) { return cv >= 0.0 && cv <= variation::kLargestCv; };
    const std::string range = fmt::format("a coefficient of variation from 0 to {}", variation::kLargestCv);
    noise.cv = number(keys, "cv", range, in_range, faults).value_or(0.0);
    noise.jitter = keys.time("jitter").value_or(Time{});
    noise.repeats_after = read_repeats(keys, faults);
    noise.periodic = read_periodic(keys, faults);
    noise.interruptions = read_interruptions(keys, faults);
    for (const std::string_view key : {"redrawn", "repeats_after"}) {
        if (!keys.has(key) || noise.varies() || noise.interruptions) continue;
        faults.add(DiagnosticKind::missing_key, keys.range_of(key),
                   fmt::format("`{}` is given, but this noise draws no random numbers", key),
                   "expected `cv`, `jitter` or `interruptions` as well");
    }
    keys.finish();
    return noise;
}

NoiseConfiguration read_noise_configuration(MappingReader& top, const std::filesystem::path& scenario,
                                            Diagnostics& faults) {
    NoiseConfiguration configuration;
    const auto seed = top.integer("seed", 0, std::numeric_limits<std::int64_t>::max());
    configuration.seed = {static_cast<std::uint64_t>(seed.value_or(0))};
    configuration.states_noise = top.has("noise");
    configuration.noise = read_noise(top, faults);
    read_heterogeneity(top, scenario, configuration, faults);
    return configuration;
}

namespace {

const std::array<std::string, 3> kColumnNames{"rank", "factor", "wave"};
constexpr std::size_t kRank = 0, kFactor = 1, kWave = 2;

/// The places of the columns in a row, by kRank, kFactor and kWave.
using Columns = std::vector<std::optional<std::size_t>>;

/// A factor and the range of its rank, without the source: there may be millions.
struct Row {
    CostFactor cost;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
};
static_assert(input::kLargestFile <= std::numeric_limits<std::uint32_t>::max());

Row read_row(const std::vector<Cell>& cells, const Columns& columns, std::uint64_t ranks, Diagnostics& faults) {
    const Cell& rank = cells[*columns[kRank]];
    const Cell& factor = cells[*columns[kFactor]];
    Row row;
    row.offset = static_cast<std::uint32_t>(rank.range.offset);
    row.length = static_cast<std::uint32_t>(rank.range.length);
    const auto last_rank = static_cast<std::int64_t>(ranks) - 1;
    row.cost.rank = {static_cast<std::uint32_t>(input::parse_integer(rank.text, rank.range, 0, last_rank, faults))};
    if (columns[kWave] && !cells[*columns[kWave]].text.empty()) {
        const Cell& wave = cells[*columns[kWave]];
        row.cost.wave =
            static_cast<std::uint32_t>(input::parse_integer(wave.text, wave.range, 0, variation::kLastWave, faults));
    }
    row.cost.factor = input::parse_real(factor.text, factor.range, faults);
    if (row.cost.factor < 0.0) {
        faults.add(DiagnosticKind::out_of_range, factor.range, fmt::format("`{}` is negative", factor.text),
                   "expected a factor of at least 0");
    }
    return row;
}

void report_duplicates(std::vector<Row>& rows, const SourceFilePtr& source, Diagnostics& faults) {
    const auto key = [](const Row& row) { return std::tuple(row.cost.rank, row.cost.wave); };
    std::ranges::sort(
        rows, [&](const Row& a, const Row& b) { return std::tuple(key(a), a.offset) < std::tuple(key(b), b.offset); });
    for (std::size_t at = 1; at < rows.size(); ++at) {
        if (key(rows[at]) != key(rows[at - 1])) continue;
        const CostFactor& cost = rows[at].cost;
        const std::string tile = cost.wave ? fmt::format(" in wave {}", *cost.wave) : "";
        faults.add(DiagnosticKind::duplicate_row, {source, rows[at].offset, rows[at].length},
                   fmt::format("rank {}{} has a factor already", cost.rank.index, tile),
                   fmt::format("expected one factor only; line {} states another",
                               source->position(rows[at - 1].offset).line));
    }
}

}  // namespace

std::vector<CostFactor> read_cost_map(const SourceFilePtr& source, std::uint64_t ranks, Diagnostics& faults) {
    const std::size_t before = faults.count();
    CsvRows csv(source, faults);
    const Columns columns = find_columns(csv.header(), source, kColumnNames, kWave, "the cost map",
                                         "expected the columns `rank,factor` or `rank,wave,factor`", faults);
    std::vector<CostFactor> map;
    if (faults.count() != before) return map;
    std::vector<Row> rows;
    while (const auto cells = csv.next()) rows.push_back(read_row(*cells, columns, ranks, faults));
    if (faults.count() == before) report_duplicates(rows, source, faults);
    if (faults.count() != before) return map;
    map.reserve(rows.size());
    for (const Row& row : rows) map.push_back(row.cost);
    return map;
}

}  // namespace warpfront::scenario
