// The closed form against the published predictions once more (tests/analytic/published_test.cpp), now as a user gets
// it: the shipped models lowered with each row's parameters, on the shipped platforms.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/analytic/prediction.hpp"
#include "simulator/machine/machine.hpp"
#include "tests/analytic/table.hpp"

using namespace warpfront;
using test::TableRow;

namespace {

const std::string kProject = WARPFRONT_SOURCE_DIR;

/// A shipped model and platform, and what all rows of one published table have in common.
struct Setting {
    std::string model;
    std::string platform;
    std::int64_t iterations = 1;
    std::map<std::string, std::string> parameters;
};

std::string microseconds(double value_s) { return fmt::format("{:.6f}us", value_s * 1e6); }

/// Seconds predicted for `grid` with nx x ny cells on every rank.
double predicted(const Setting& setting, RankGrid grid, machine::Patch patch, std::int64_t nx, std::int64_t ny) {
    psl::Bindings bindings;
    bindings.grid = grid;
    bindings.iterations = setting.iterations;
    for (const auto& [name, text] : setting.parameters) bindings.parameters[name] = {.text = text, .place = {}};
    bindings.parameters["nx"] = {.text = std::to_string(nx * grid.columns), .place = {}};
    bindings.parameters["ny"] = {.text = std::to_string(ny * grid.rows), .place = {}};
    const program::Program program = psl::lower(psl::load(kProject + "/models/" + setting.model), bindings);

    machine::Request request;
    request.hardware_file = kProject + "/platforms/" + setting.platform;
    request.grid = grid;
    request.patch = patch;
    request.pairs = [](const std::function<void(Rank, Rank)>&) {};
    return seconds(analytic::predict(program, machine::build(request).machine).total);
}

RankGrid grid_of(const TableRow& row) { return {row.count("n"), row.count("m")}; }

void check_within_one_percent(double value, const TableRow& row) {
    CAPTURE(row.count("ranks"));
    CAPTURE(row.real("pred"));
    CAPTURE(value);
    CHECK(std::abs(value / row.real("pred") - 1) < 0.01);
}

}  // namespace

TEST_SUITE("published predictions through the models") {
    TEST_CASE("Sweep3D on the XT4") {
        for (const TableRow& row : test::read_table("models/sweep3d/measured/xt4.csv")) {
            const Setting setting{"sweep3d/sweep3d.psl", "xt4.yaml", 12,
                                  {{"nz", std::to_string(row.integer("nz"))},
                                   {"mk", std::to_string(row.integer("htile"))},
                                   {"mmi", "6"},
                                   {"mmo", "6"},
                                   {"wg", microseconds(row.real("Wg"))},
                                   {"wg_fixup", microseconds(row.real("Wg_fix"))},
                                   {"fixup_iterations", "5"}}};
            const machine::Patch patch{row.count("cores_per_node"), 1};
            const double time = predicted(setting, grid_of(row), patch, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("Chimaera on the XT4") {
        for (const TableRow& row : test::read_table("models/chimaera/measured/xt4.csv")) {
            const Setting setting{"chimaera/chimaera.psl", "xt4.yaml", 419,
                                  {{"nz", std::to_string(row.integer("nz"))}, {"wg", microseconds(row.real("Wg"))}}};
            const double time = predicted(setting, grid_of(row), {1, 1}, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("Chimaera on InfiniBand, 2 x 2 ranks per node") {
        const Setting setting{"chimaera/chimaera.psl", "infiniband.yaml", 419, {{"nz", "240"}, {"wg", "0.51us"}}};
        for (const TableRow& row : test::read_table("models/chimaera/measured/infiniband.csv")) {
            if (!row.has("n")) continue;  // the array is not published
            const double time = predicted(setting, grid_of(row), {2, 2}, row.integer("nx"), row.integer("ny"));
            check_within_one_percent(time, row);
        }
    }

    TEST_CASE("LU on the XT3") {
        // Work per cell from the compute columns of the first and last row (tests/analytic/published_test.cpp):
        //   275.72 - 171.33 = 500 * (96 - 4) * W     W = 2269.348 us, over 64 x 64 cells 0.554040 us
        //   171.33 = 500 * (66 W + 64 W_pre)         W_pre = 3013.798 us, 0.735790 us per cell
        const Setting setting{"lu/lu.psl", "xt3.yaml", 250,
                              {{"nz", "64"}, {"wg", "0.554040us"}, {"wg_pre", "0.735790us"}}};
        for (const TableRow& row : test::read_table("models/lu/measured/xt3.csv")) {
            check_within_one_percent(predicted(setting, grid_of(row), {1, 1}, 64, 64), row);
        }
    }
}
