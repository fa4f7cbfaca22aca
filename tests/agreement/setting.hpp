// A shipped model on a shipped platform with the parameters of one published row, for the agreement suites.
#pragma once

#include "psl/psl.hpp"
#include "simulator/machine/loading/build.hpp"
#include "tests/analytic/table.hpp"

namespace warpfront::test {

struct Setting {
    std::string model;
    std::string platform;
    std::int64_t iterations = 1;
    std::map<std::string, std::string> parameters;
};

inline std::string microseconds(double value_s) { return fmt::format("{:.6f}us", value_s * 1e6); }

inline Setting sweep3d_row(const TableRow& row) {
    return {"sweep3d/sweep3d.psl",
            "xt4.yaml",
            12,
            {{"nz", std::to_string(row.integer("nz"))},
             {"mk", std::to_string(row.integer("htile"))},
             {"mmi", "6"},
             {"mmo", "6"},
             {"wg", microseconds(row.real("Wg"))},
             {"wg_fixup", microseconds(row.real("Wg_fix"))},
             {"fixup_iterations", "5"}}};
}

inline Setting chimaera_row(const TableRow& row) {
    return {"chimaera/chimaera.psl",
            "xt4.yaml",
            419,
            {{"nz", std::to_string(row.integer("nz"))}, {"wg", microseconds(row.real("Wg"))}}};
}

inline Setting chimaera_on_infiniband() {
    return {"chimaera/chimaera.psl", "infiniband.yaml", 419, {{"nz", "240"}, {"wg", "0.51us"}}};
}

/// Work per cell from the compute columns of the table's first and last row, (2, 2) and (64, 32) ranks. Computation
/// alone, with W and W_pre per tile of 64 x 64 cells and 64 tiles:
///   comp = 250 * [2 (W_pre + (n + m - 2) W) + 2 ((W + W_pre) * 64 - W_pre)] = 500 * [(n + m + 62) W + 64 W_pre]
///   275.72 - 171.33 = 500 * (96 - 4) * W     W = 2269.348 us, over 64 x 64 cells 0.554040 us
///   171.33 = 500 * (66 W + 64 W_pre)         W_pre = 3013.798 us, 0.735790 us per cell
inline Setting lu_on_xt3() {
    return {"lu/lu.psl", "xt3.yaml", 250, {{"nz", "64"}, {"wg", "0.554040us"}, {"wg_pre", "0.735790us"}}};
}

struct Ready {
    program::Program program;
    machine::Machine machine;
};

/// Prepares nx x ny cells on every rank of `grid`.
inline Ready prepare(const Setting& setting, RankGrid grid, machine::Patch patch, std::int64_t nx, std::int64_t ny) {
    const std::string project = WARPFRONT_SOURCE_DIR;
    psl::Bindings bindings;
    bindings.grid = grid;
    bindings.iterations = setting.iterations;
    for (const auto& [name, text] : setting.parameters) bindings.parameters[name] = {.text = text, .range = {}};
    bindings.parameters["nx"] = {.text = std::to_string(nx * grid.columns), .range = {}};
    bindings.parameters["ny"] = {.text = std::to_string(ny * grid.rows), .range = {}};

    machine::Hardware hardware(machine::read_hardware_tree(project + "/platforms/" + setting.platform));
    machine::RankRequest request;
    request.grid = grid;
    request.patch = patch;
    request.pairs = [](const std::function<void(Rank, Rank)>&) {};
    return {psl::lower(psl::load(project + "/models/" + setting.model), bindings),
            machine::place(hardware, request).machine};
}

inline RankGrid grid_of(const TableRow& row) { return {row.count("n"), row.count("m")}; }

}  // namespace warpfront::test
