// The placement of nodes, and the variation of ranks, tiles and times.
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

constexpr std::int64_t kSeeds = 1000;

void draw_placement(Draw& draw) {
    Choices& choices = draw.choices;
    const std::int64_t kind = choices.weighted("placement", {4, 3, 3, 1});
    if (kind == 0) return draw.trial.set("placement", "block");
    if (kind == 1) return draw.trial.set("placement", "linear");
    const std::int64_t seed = choices.below("placement.seed", kSeeds);
    if (kind == 2) return draw.trial.set("placement", fmt::format("random({})", seed));
    constexpr std::array<const char*, 3> kRules{"block", "linear", "random"};
    draw.trial.set("placement", fmt::format("{{rule: {}, seed: {}, fragmentation: 0.{}}}",
                                            choices.of<const char*>("placement.rule", kRules), seed,
                                            1 + choices.below("placement.taken", 5)));
}

void draw_classes(Draw& draw) {
    const std::int64_t slow = 1 + draw.choices.below("classes.slow", 50);
    const std::int64_t speed = 50 + draw.choices.below("classes.speed", 100);
    draw.trial.set(
        "heterogeneity.classes",
        fmt::format("[{{share: {}, speed: 1.0}}, {{share: {}, speed: {}}}]", static_cast<double>(100 - slow) / 100.0,
                    static_cast<double>(slow) / 100.0, static_cast<double>(speed) / 100.0));
}

/// Draws a few ranks, and a few tiles of ranks, that take longer or shorter.
void draw_cost_map(Draw& draw) {
    Choices& choices = draw.choices;
    std::string table = "rank,wave,factor\n";
    const std::int64_t rows = choices.size("map.rows", 1, std::min<std::int64_t>(draw.ranks(), 8));
    const std::int64_t stride = draw.ranks() / rows;
    for (std::int64_t k = 0; k < rows; ++k) {
        const std::int64_t rank = k * stride + choices.below(fmt::format("map.{}.rank", k), stride);
        const bool one_tile = choices.chance(fmt::format("map.{}.one_tile", k), 0.5);
        const std::int64_t tile = choices.below(fmt::format("map.{}.tile", k), draw.trial.extent.tiles);
        const std::int64_t percent = choices.size(fmt::format("map.{}.percent", k), 0, 400);
        table +=
            fmt::format("{},{},{}\n", rank, one_tile ? fmt::to_string(tile) : "", static_cast<double>(percent) / 100.0);
    }
    draw.trial.files["costs.csv"] = table;
    draw.trial.set("heterogeneity.map", draw.trial.from_scenario(draw.trial.folder / "costs.csv"));
}

void draw_noise(Draw& draw) {
    Choices& choices = draw.choices;
    const std::int64_t kind = choices.weighted("noise.kind", {2, 1, 1});
    if (kind != 1) {
        const std::int64_t percent = choices.size("noise.cv", 1, 50);
        draw.trial.set("noise.cv", fmt::format("{}", static_cast<double>(percent) / 100.0));
    }
    if (kind != 1 && choices.chance("noise.jitters", 0.3)) {
        draw.trial.set("noise.jitter", draw_time(choices, "noise.jitter", kMicrosecond / 10, 10 * kMicrosecond));
    }
    if (kind != 1 && choices.chance("noise.repeats", 0.6)) {
        draw.trial.set("noise.repeats_after", fmt::format("{}", choices.size("noise.repeats_after", 1, 3)));
    } else if (kind != 1 && choices.chance("noise.not_redrawn", 0.2)) {
        draw.trial.set("noise.redrawn", "off");
    }
    if (choices.chance("noise.interruptions", 0.4)) {
        draw.trial.set(
            "noise.interruptions",
            fmt::format("{{per_second: {}, length: {}, absorbed_by: {}}}", choices.size("noise.rate", 1, 10'000),
                        draw_time(choices, "noise.interruption", kMicrosecond, 1'000 * kMicrosecond),
                        choices.chance("noise.absorbed", 0.5) ? "idle_core" : "nothing"));
    }
    if (kind == 0) return;
    const std::string period = draw_time(choices, "noise.period", 200 * kMicrosecond, 10'000 * kMicrosecond);
    const std::string length = draw_time(choices, "noise.length", kMicrosecond, 100 * kMicrosecond);
    draw.trial.set("noise.periodic", fmt::format("{{period: {}, length: {}, aligned: {}}}", period, length,
                                                 choices.chance("noise.aligned", 0.5) ? "on" : "off"));
}

}  // namespace

void draw_variation(Draw& draw) {
    Choices& choices = draw.choices;
    draw_placement(draw);
    if (choices.chance("uncalibrated", 0.75)) draw.trial.set("calibration", "off");
    if (choices.chance("classes", 0.12)) draw_classes(draw);
    if (choices.chance("map", 0.08)) draw_cost_map(draw);
    if (choices.chance("noise", 0.08)) draw_noise(draw);
    if (choices.chance("seed", 0.1)) draw.trial.set("seed", fmt::to_string(choices.below("seed.value", kSeeds)));
}

}  // namespace warpfront::campaign
