// Shipped models with their shipped scenarios, every parameter overridden.
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

constexpr std::int64_t kPicosecond = 1;
struct Parameters {
    Draw& draw;

    void operator()(const std::string& name, const std::string& value) const {
        draw.trial.set("parameters." + name, value);
    }
    void operator()(const std::string& name, std::int64_t value) const { (*this)(name, fmt::to_string(value)); }
};

/// Draws the cells of the whole grid, in shares that need not be whole, or the cells of each rank.
void draw_cells(Draw& draw, const Parameters& parameters) {
    Choices& choices = draw.choices;
    const bool per_rank = choices.chance("model.cells_per_rank", 0.5);
    for (const auto& [axis, whole, ranks] : {std::tuple{"x", "nx", draw.columns}, {"y", "ny", draw.rows}}) {
        const std::int64_t cells = choices.size(fmt::format("model.cells.{}", axis), 1, 64);
        if (per_rank) {
            draw.trial.set(fmt::format("cells_per_rank.{}", axis), fmt::to_string(cells));
        } else {
            parameters(whole, ranks * cells - choices.below(fmt::format("model.missing.{}", axis), cells));
        }
    }
}

/// Draws the iterations that the rest of the budget allows, the last of them perhaps with other work.
void draw_iterations(Draw& draw, std::int64_t messages_each, const Parameters& parameters) {
    Choices& choices = draw.choices;
    const std::int64_t most = std::clamp<std::int64_t>(draw.messages / std::max<std::int64_t>(messages_each, 1), 1, 60);
    const std::int64_t iterations = choices.size("iterations", 1, most);
    draw.trial.set("iterations", fmt::to_string(iterations));
    const bool other = choices.chance("model.fixup", 0.4);
    parameters("fixup_iterations", other ? choices.size("model.fixup_iterations", 0, iterations) : 0);
    if (other) parameters("wg_fixup", draw_time(choices, "model.wg_fixup", kPicosecond, 2 * kMicrosecond));
}

void draw_work(Draw& draw, const Parameters& parameters) {
    parameters("wg", draw_time(draw.choices, "model.wg", kPicosecond, 2 * kMicrosecond));
}

void draw_sweep3d(Draw& draw, const Parameters& parameters) {
    Choices& choices = draw.choices;
    constexpr std::array<std::int64_t, 4> kAngles{6, 3, 2, 1};
    const std::int64_t tiles = draw.tiles("model.tiles", 8);
    const std::int64_t mmi = choices.of<std::int64_t>("model.mmi", kAngles);
    const std::int64_t blocks = std::max<std::int64_t>(tiles * mmi / 6, 1);
    const std::int64_t mk = choices.size("model.mk", 1, 10);
    parameters("mmi", mmi);
    parameters("mmo", 6);
    parameters("mk", mk);
    parameters("nz", blocks * mk - choices.below("model.missing.z", mk));
    draw_work(draw, parameters);
    draw_iterations(draw, 16 * draw.ranks() * tiles, parameters);
}

void draw_chimaera(Draw& draw, const Parameters& parameters) {
    Choices& choices = draw.choices;
    const std::int64_t tiles = draw.tiles("model.tiles", 8);
    const std::int64_t htile = choices.size("model.htile", 1, 10);
    parameters("htile", htile);
    parameters("nz", tiles * htile - choices.below("model.missing.z", htile));
    parameters("angles", choices.size("model.angles", 1, 20));
    draw_work(draw, parameters);
    draw_iterations(draw, 16 * draw.ranks() * tiles, parameters);
}

void draw_lu(Draw& draw, const Parameters& parameters) {
    Choices& choices = draw.choices;
    const std::int64_t tiles = draw.tiles("model.tiles", 2);
    const std::int64_t htile = choices.size("model.htile", 1, 10);
    parameters("htile", htile);
    parameters("nz", tiles * htile - choices.below("model.missing.z", htile));
    parameters("wg_pre", draw_time(choices, "model.wg_pre", 0, kMicrosecond));
    parameters("wg_rhs", draw_time(choices, "model.wg_rhs", 0, kMicrosecond / 10));
    draw_work(draw, parameters);
    draw_iterations(draw, 4 * draw.ranks() * (tiles + 1), parameters);
}

}  // namespace

void draw_shipped_model(Draw& draw) {
    struct Model {
        const char* name;
        const char* scenario;
        void (*draw)(Draw&, const Parameters&);
    };
    constexpr std::array<Model, 3> kModels{{{"sweep3d", "models/sweep3d/billion.yaml", draw_sweep3d},
                                            {"chimaera", "models/chimaera/chimaera.yaml", draw_chimaera},
                                            {"lu", "models/lu/lu.yaml", draw_lu}}};
    const Model& model = draw.choices.of<Model>("model.shipped", kModels);
    const Parameters parameters{draw};
    draw.trial.model = model.name;
    draw.trial.scenario = model.scenario;
    model.draw(draw, parameters);
    draw_cells(draw, parameters);
}

}  // namespace warpfront::campaign
