// Rows of comparisons: `--set` beside a table, and notes of several engines.
#include "tools/study/comparison/rows.hpp"

#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"

namespace {

const std::string kChimaeraRows = WARPFRONT_SOURCE_DIR "/models/chimaera/chimaera.yaml";

/// Returns the faults of Chimaera with these overrides beside a table.
input::Diagnostics faults_beside(const std::string& table, std::vector<std::string> sets) {
    const Scratch scratch;
    ComparisonRequest request{.scenario = kChimaeraRows, .sets = std::move(sets)};
    request.against = scratch.file("t.csv", table);
    return faults_of([&] { comparison_cases(request); });
}

}  // namespace

TEST_CASE("`--set` of a key that every row of a table sets is refused, since it has no effect") {
    const std::string grids = "n,m,exec\n2,2,1\n4,2,1\n";
    for (const std::string set : {"ranks.columns=4", "ranks={columns: 4, rows: 4}"}) {
        CAPTURE(set);
        const input::Diagnostics faults = faults_beside(grids, {set});
        REQUIRE(!faults.empty());
        CHECK(faults.all()[0].kind == conflicting_keys);
        CHECK(holds(faults.all()[0].message, "every row of the table sets this key"));
    }
    CHECK(kinds_of(faults_beside("n,m,nx,ny,exec\n2,2,4,4,1\n", {"parameters.nx=8"})) == Kinds{conflicting_keys});
    CHECK(kinds_of(faults_beside("n,m,Wg,exec\n2,2,1e-6,1\n", {"parameters.wg=1us"})) == Kinds{conflicting_keys});
    CHECK(kinds_of(faults_beside("n,m,cores_per_node,exec\n2,2,2,1\n", {"node={columns: 1, rows: 1}"})) ==
          Kinds{conflicting_keys, conflicting_keys});
}

TEST_CASE("`--set` of a key that some row leaves as it is, or within another key of a row, is a setting") {
    CHECK(faults_beside("n,m,Wg,exec\n2,2,1e-6,1\n4,2,,1\n", {"parameters.wg=1us"}).empty());
    CHECK(faults_beside("n,m,exec\n2,2,1\n", {"parameters.nz=8", "iterations=1", "platform.nic.g=1us"}).empty());
    const std::string xt3 = WARPFRONT_SOURCE_DIR "/platforms/xt3.yaml";
    const std::string of_platforms = "n,m,platform,exec\n2,2," + xt3 + ",1\n";
    CHECK(faults_beside(of_platforms, {"platform.nic.g=1us", "calibration=off"}).empty());
    CHECK(kinds_of(faults_beside(of_platforms, {"platform=" + xt3, "calibration=off"})) == Kinds{conflicting_keys});
}

TEST_CASE("a note that several engines have of one row counts as one") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application m {\n    param w: time = 10us\n    let cs = [northwest]\n"
                 "    iteration { for start in cs { repeat 3 { recv from upstream_x(start) compute w "
                 "send 100B to downstream_x(start) } } }\n"
                 "    closed_form { work = w  tiles = 3  east_west = 100B  north_south = 100B  corners = cs }\n}\n");
    scratch.file(
        "ring.yaml",
        "name: ring\nsize: exact\ncores: 1\ntopology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 1us}\n"
        "layers: {network: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 5us, G: 1ns/B}]}\n");
    ComparisonRequest request;
    request.scenario = scratch.file("s.yaml", "model: m.psl\nplatform: ring.yaml\nranks: {columns: 2, rows: 1}\n");
    request.engines = {Engine::event, Engine::analytic, Engine(Engine::analytic.number() + 1)};
    const Comparison comparison = run_comparison(comparison_cases(request), request);
    CHECK(std::ranges::count_if(comparison.notes, is_on_eager_waits) == 1);
    CHECK(std::ranges::none_of(comparison.notes, [](const std::string& note) { return holds(note, " of 1 rows"); }));
}
