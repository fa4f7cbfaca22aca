// The pipeline over a cluster of SMPs whose boundaries have few channels, after Hoisie, Lubeck, Wasserman, Petrini and
// Alme, A General Predictive Performance Model for Wavefront Algorithms on Clusters of SMPs (LA-UR-00-308), 2000.
//
// m x n SMPs of Sx x Sy ranks; L messages at a time cross the boundary of two SMPs in each direction. Every wave a rank
// receives from the west, receives from the north, sends east, sends south. Messages are synchronous: one starts when
// both ends are ready and, at a boundary, a channel is free, and keeps both busy for one step. Computing takes no time.
// At a full boundary the older wave is first.
//
// As a machine: an SMP is a node, all costs but S*G = 1 step are zero, every message makes the rendezvous, the links of
// a torus between SMPs are circuits, L side by side. The step that keeps the sender busy is a block of its program. The
// closed form is that of simulator/analytic/pipeline_bottlenecks.hpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "simulator/analytic/pipeline_bottlenecks.hpp"
#include "simulator/engine/engine.hpp"
#include "tests/engine/fixtures.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

constexpr std::int64_t kStep = 1'000'000;
constexpr std::int64_t kBytes = 1000;  // a step at 1 ns/B

struct Cluster {
    std::uint32_t m = 2, n = 2;    // SMPs
    std::uint32_t Sx = 1, Sy = 1;  // ranks of each
    std::uint32_t L = 1;

    RankGrid grid() const { return {m * Sx, n * Sy}; }
};

machine::Machine machine_of(const Cluster& cluster) {
    machine::Machine machine = simple_machine(cluster.grid(), {cluster.Sx, cluster.Sy});
    const machine::ProfileRow row{.up_to = {},
                                  .protocol = machine::Protocol::rendezvous,
                                  .o_send = {},
                                  .o_recv = {},
                                  .L = {},
                                  .G = {1e-9},
                                  .G_recv = {}};
    machine::ProfileRow across = row;
    across.holds_links = true;
    machine.profiles = {machine::Profile{row}, machine::Profile{row}, machine::Profile{across}};
    machine.links = machine::Links{cluster.L, machine::LinkChoice::adaptive, true};
    machine::TorusRoutes torus;
    torus.dimensions = {cluster.m, cluster.n};
    torus.link_gap = {1e-9};
    machine.routes = {.zone = torus, .links_in_L = 1};
    return machine;
}

void receive_and_send(ClassBuilder& builder, RankGrid grid, Rank rank, bool marks, std::int64_t work) {
    const auto stride = static_cast<std::int32_t>(grid.columns);
    if (grid.column(rank) > 1) builder.recv(-1);
    if (grid.row(rank) > 1) builder.recv(-stride);
    if (marks) builder.iteration();
    builder.work(work);
    if (grid.column(rank) < grid.columns) builder.send(1, kBytes).work(kStep);
    if (grid.row(rank) < grid.rows) builder.send(stride, kBytes).work(kStep);
}

program::Program waves_over(RankGrid grid, std::int64_t waves, std::int64_t work = 0) {
    return spmd(grid, 1, [&](Rank rank) {
        ClassBuilder builder;
        builder.loop(waves);
        receive_and_send(builder, grid, rank, false, work);
        return builder.end().iteration().build();
    });
}

/// When wave 1, 2, ... `waves` has reached rank (Sx+1, Sy+1): that rank ends an iteration with each wave that has come
/// in; all others end all theirs at time 0. Further waves follow, so
/// that the pipeline stays full.
std::vector<std::int64_t> steps(const Cluster& cluster, std::int64_t waves) {
    const RankGrid grid = cluster.grid();
    const std::int64_t all = waves + cluster.Sx + cluster.Sy;
    const auto program = spmd(grid, all, [&](Rank rank) {
        ClassBuilder builder;
        const bool probe = grid.column(rank) == cluster.Sx + 1 && grid.row(rank) == cluster.Sy + 1;
        if (!probe) builder.loop(all).iteration().end();
        builder.loop(all);
        receive_and_send(builder, grid, rank, probe, 0);
        return builder.end().build();
    });
    const record::Record record = engine::run(program, machine_of(cluster), {.replay = engine::Replay::full});
    std::vector<std::int64_t> reached;
    std::int64_t now = 0;
    for (const auto& [duration, count] : record.iterations) {
        const auto taken = static_cast<std::int64_t>(duration.ps) / kStep;
        for (std::int64_t k = 0; k < count; ++k) reached.push_back(now += taken);
    }
    reached.resize(static_cast<std::size_t>(waves));
    return reached;
}

analytic::SmpCluster formula_of(const Cluster& cluster) {
    return {
        .columns = cluster.m, .rows = cluster.n, .ranks_x = cluster.Sx, .ranks_y = cluster.Sy, .channels = cluster.L};
}

struct Row {
    Cluster cluster;
    std::vector<std::int64_t> steps;
};

std::vector<Row> stepped_by_hand() {
    std::ifstream file(WARPFRONT_SOURCE_DIR "/tests/engine/smp_steps.csv");
    std::vector<Row> rows;
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with('#') || line.starts_with('m')) continue;
        std::replace(line.begin(), line.end(), ',', ' ');
        std::istringstream figures(line);
        Row row;
        figures >> row.cluster.m >> row.cluster.n >> row.cluster.Sx >> row.cluster.Sy >> row.cluster.L;
        for (std::int64_t step = 0; figures >> step;) row.steps.push_back(step);
        rows.push_back(row);
    }
    return rows;
}

}  // namespace

TEST_CASE("the engine takes the steps of the protocol as they were found by hand") {
    const std::vector<Row> rows = stepped_by_hand();
    REQUIRE(rows.size() == 6);
    for (const Row& row : rows) {
        CAPTURE(row.cluster.Sx);
        CAPTURE(row.cluster.Sy);
        CAPTURE(row.cluster.L);
        CHECK(steps(row.cluster, std::ssize(row.steps)) == row.steps);
    }
}

// No shape differs. By hand as in the engine, S = 2 L does not collide (the paper prints its threshold as
// S >= 2 L), and S = 4 L + 1 is the first whose groups of L waves come in pairs. Were a boundary served first come,
// first served, wave 2 of 8 x 8 ranks would still come at step 37, but wave 3 at 46: the older wave must overtake.
TEST_CASE("wave by wave the closed form gives the steps of the engine: SMPs of 2 .. 10 by 2 .. 10, 1 .. 4 channels") {
    for (std::uint32_t L = 1; L <= 4; ++L) {
        for (std::uint32_t Sx = 2; Sx <= 10; ++Sx) {
            for (std::uint32_t Sy = 2; Sy <= 10; ++Sy) {
                CAPTURE(L);
                CAPTURE(Sx);
                CAPTURE(Sy);
                const std::uint32_t S = std::max(Sx, Sy);
                const std::int64_t waves = std::max(2 * (S + 1), L * (S + 3));  // more than the S + 1 groups of filling
                std::vector<std::int64_t> expected;
                for (std::int64_t I = 1; I <= waves; ++I) {
                    expected.push_back(step_at_second_smp(formula_of({2, 2, Sx, Sy, L}), I));
                }
                CHECK(steps({2, 2, Sx, Sy, L}, waves) == expected);
            }
        }
    }
}

TEST_CASE("the closed form of the whole cluster gives when the engine ends, in one dimension and in two") {
    for (const auto& [m, n] : {std::pair{1U, 3U}, {3U, 1U}, {2U, 2U}, {2U, 3U}, {4U, 2U}}) {
        for (const auto& [Sx, Sy] : {std::pair{2U, 2U}, {3U, 5U}, {5U, 3U}, {6U, 6U}}) {
            for (std::uint32_t L = 1; L <= 3; ++L) {
                for (const std::int64_t I : {1, 2, 3, 4, 7, 14}) {
                    CAPTURE(m);
                    CAPTURE(n);
                    CAPTURE(Sx);
                    CAPTURE(Sy);
                    CAPTURE(L);
                    CAPTURE(I);
                    const Cluster cluster{m, n, Sx, Sy, L};
                    const record::Record record = engine::run(waves_over(cluster.grid(), I), machine_of(cluster), {});
                    CHECK(record.rank_finish.back() ==
                          WideTime{Time{step_at_last_rank(formula_of(cluster), I) * kStep}});
                }
            }
        }
    }
}

TEST_CASE("where no boundary is narrow, computing and messages of the pipeline add up") {
    // N sweeps over Px x Py ranks: (Px + Py - 1 + N - 1) T_cpu + (2 (Px + Py - 2) + 4 (N - 1)) T_msg
    for (const auto& [Px, Py] : {std::pair{3U, 3U}, {3U, 8U}, {10U, 7U}}) {
        for (const std::int64_t N : {1, 2, 9}) {
            for (const std::int64_t cpu : {0, 1, 5}) {
                CAPTURE(Px);
                CAPTURE(Py);
                CAPTURE(N);
                CAPTURE(cpu);
                const Cluster one_smp{1, 1, Px, Py, 1};
                const auto program = waves_over(one_smp.grid(), N, cpu * kStep);
                const record::Record record = engine::run(program, machine_of(one_smp), {});
                const std::int64_t diagonal = std::int64_t{Px} + Py;
                const std::int64_t expected = (diagonal - 1 + N - 1) * cpu + 2 * (diagonal - 2) + 4 * (N - 1);
                CHECK(record.rank_finish.back() == WideTime{Time{expected * kStep}});
            }
        }
    }
}
