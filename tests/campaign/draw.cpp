#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

constexpr std::int64_t kMostRanks = 2000;
constexpr std::int64_t kMostTiles = 1000;
constexpr std::int64_t kLarge = 100;  // ranks and tiles

void draw_grid(Draw& draw, double large_share) {
    Choices& choices = draw.choices;
    draw.large = choices.chance("large", large_share);
    draw.messages =
        draw.large ? choices.size("messages", 400'000, 2'000'000) : choices.size("messages", 1'000, 100'000);
    const std::int64_t most = std::min(kMostRanks, draw.messages / (draw.large ? 16 * kLarge : 4));
    const std::int64_t least = draw.large ? kLarge : choices.chance("several_ranks", 0.97) ? 2 : 1;
    const std::int64_t ranks = choices.size("ranks", least, most);
    draw.columns = choices.size("columns", 1, ranks);
    draw.rows = ranks / draw.columns;
    draw.trial.extent.ranks = draw.ranks();
    draw.trial.set("ranks.columns", fmt::to_string(draw.columns));
    draw.trial.set("ranks.rows", fmt::to_string(draw.rows));
}

}  // namespace

std::int64_t Draw::tiles(const std::string& name, std::int64_t sweeps) {
    const std::int64_t most =
        std::clamp(messages / (2 * ranks() * std::max<std::int64_t>(sweeps, 1)), std::int64_t{1}, kMostTiles);
    const bool many = choices.chance(name + ".many", 0.4);
    const std::int64_t least = large ? std::min(kLarge, most) : 1;
    const std::int64_t drawn = choices.size(name, many ? std::max(most / 2, least) : least, most);
    trial.extent.tiles = std::max(trial.extent.tiles, drawn);
    return drawn;
}

std::string draw_time(Choices& choices, const std::string& name, std::int64_t least, std::int64_t most) {
    const std::int64_t drawn = choices.size(name, least, most);
    std::int64_t grain = 1;
    while (drawn / grain >= 1000) grain *= 10;
    return fmt::format("{}us", static_cast<double>(drawn / grain * grain) / 1e6);
}

std::string draw_bandwidth(Choices& choices, const std::string& name) {
    return fmt::format("{}MBps", choices.size(name, 1, 20'000));
}

std::string draw_eager_sends(Choices& choices, const std::string& name) {
    std::string sends = fmt::format("{{o_unexpected: {}, G_unexpected: {}",
                                    draw_time(choices, name + ".o_unexpected", 0, 20 * kMicrosecond),
                                    draw_bandwidth(choices, name + ".G_unexpected"));
    if (choices.chance(name + ".limited", 0.5)) {
        sends += fmt::format(", limit: {}B", choices.size(name + ".limit", 0, 65536));
    }
    return sends + "}";
}

std::string draw_sender_goes_on(Choices& choices, const std::string& name) {
    return choices.chance(name, 0.5) ? "received" : "sent";
}

std::int64_t draw_divisor(Choices& choices, const std::string& name, std::int64_t whole) {
    std::vector<std::int64_t> divisors;
    for (std::int64_t k = 1; k <= whole; ++k) {
        if (whole % k == 0) divisors.push_back(k);
    }
    return choices.of<std::int64_t>(name, divisors);
}

namespace {

/// Draws the cores of the ranks of a node: in order, spread, or with a stride around the node.
void draw_cores(Draw& draw, std::int64_t ranks) {
    Choices& choices = draw.choices;
    const std::int64_t fill = choices.weighted("node.fill", {4, 2, 1});
    if (fill == 1) draw.trial.set("node.fill", "spread");
    if (fill != 2) return;
    std::vector<std::int64_t> steps;
    for (std::int64_t k = 1; k <= draw.cores; ++k) {
        if (std::gcd(k, draw.cores) == 1) steps.push_back(k);
    }
    const std::int64_t first = choices.size("node.cores.first", 0, draw.cores - 1);
    const std::int64_t step = choices.of<std::int64_t>("node.cores.step", steps);
    std::vector<std::int64_t> cores;
    for (std::int64_t rank = 0; rank < ranks; ++rank) cores.push_back((first + rank * step) % draw.cores);
    draw.trial.set("node.cores", fmt::format("[{}]", fmt::join(cores, ", ")));
}

}  // namespace

void draw_patch(Draw& draw, std::int64_t cores) {
    Choices& choices = draw.choices;
    draw.cores = cores;
    std::int64_t used = 1;
    switch (choices.weighted("node.used", {1, 3, 1})) {
        case 1: used = cores; break;
        case 2: used = choices.size("node.ranks", 1, cores); break;
        default: break;
    }
    const std::int64_t columns = draw_divisor(choices, "node.columns", used);
    const std::int64_t rows = used / columns;
    draw.nodes = ((draw.columns + columns - 1) / columns) * ((draw.rows + rows - 1) / rows);
    draw.trial.set("node.columns", fmt::to_string(columns));
    draw.trial.set("node.rows", fmt::to_string(rows));
    draw_cores(draw, columns * rows);
}

Trial draw_trial(Choices& choices, const std::filesystem::path& folder, double large_share) {
    Trial trial;
    trial.folder = folder;
    Draw draw{choices, trial};
    draw_grid(draw, large_share);
    if (choices.weighted("model.generated", {2, 3}) == 0) {
        draw_shipped_model(draw);
    } else {
        draw_program(draw);
    }
    if (choices.weighted("machine.generated", {1, 1}) == 0) {
        draw_shipped_machine(draw);
    } else {
        draw_hardware(draw);
    }
    draw_collectives(draw);
    draw_variation(draw);
    return trial;
}

}  // namespace warpfront::campaign
