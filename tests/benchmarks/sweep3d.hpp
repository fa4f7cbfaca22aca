// Sweep3D's two iterations of eight sweeps and two reductions in three forms: lowered from its PSL model, built in C++,
// and with requests in place of blocking messages. All forms compute and send the same on the same ranks: 16 x 16 cells
// of a rank, blocks of 2 planes and 6 angles; 8 B * 6 * 2 * 16 = 1,536 B each way, 0.20703125 us * 2 * 16 * 16 = 106 us
// per tile.
#pragma once

#include <string>

#include "psl/psl.hpp"
#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

namespace warpfront::test {

inline program::Program lowered(const psl::Model& model, RankGrid grid,
                                const std::map<std::string, std::string>& parameters) {
    psl::Bindings bindings;
    bindings.grid = grid;
    bindings.iterations = 2;
    for (const auto& [name, text] : parameters) bindings.parameters[name] = {text, {}};
    return psl::lower(model, bindings);
}

inline program::Program sweep3d_of_psl(RankGrid grid, std::int64_t tiles) {
    return lowered(psl::load(WARPFRONT_SOURCE_DIR "/models/sweep3d/sweep3d.psl"), grid,
                   {{"nx", std::to_string(16 * grid.columns)},
                    {"ny", std::to_string(16 * grid.rows)},
                    {"nz", std::to_string(2 * tiles)},
                    {"wg", "0.20703125us"}});
}

inline program::Program sweep3d_of_cpp(RankGrid grid, std::int64_t tiles) {
    return wavefront({.grid = grid,
                      .tiles = tiles,
                      .work = 106 * us,
                      .bytes = 1536,
                      .starts = {3, 3, 1, 1, 2, 2, 0, 0},
                      .allreduces = 2,
                      .iterations = 2});
}

inline program::Program sweep3d_of_requests(RankGrid grid, std::int64_t tiles) {
    static const std::string kText = R"(
        application requests {
            param tiles: int
            iteration {
                for start in [southeast, southeast, northeast, northeast, southwest, southwest, northwest, northwest] {
                    repeat tiles {
                        irecv x from upstream_x(start)
                        irecv y from upstream_y(start)
                        wait x
                        wait y
                        compute 106us
                        isend 1536B to downstream_x(start)
                        isend 1536B to downstream_y(start)
                        waitall
                    }
                }
                allreduce 8B
                allreduce 8B
            }
        })";
    return lowered(psl::load_text("requests.psl", kText), grid, {{"tiles", std::to_string(tiles)}});
}

/// Runs the program with every message simulated, on one thread.
inline record::Record stepped(const program::Program& program, const machine::Machine& machine) {
    return engine::run(program, machine, {.replay = engine::Replay::full, .threads = 1});
}

}  // namespace warpfront::test
