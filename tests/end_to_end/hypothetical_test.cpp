// Machines that do not exist: changed on the command line, or with a generated topology.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

double time_with(const std::string& sets) {
    return time_of("run " + kSmall + "--set 'ranks={columns: 8, rows: 8}' " + sets);
}

/// Runs Sweep3D, one rank to a node of a torus that fits the process grid, with links at a tenth of the NICs'
/// bandwidth.
nlohmann::json starved(const std::string& placement) {
    return json_of(
        "run models/sweep3d/billion.yaml --quiet --set 'ranks={columns: 8, rows: 8}' "
        "--set 'node={columns: 1, rows: 1}' --set 'cells_per_rank={x: 20, y: 20}' --set parameters.nz=120 "
        "--set iterations=1 --set platform.cores=2 --set platform.links.torus.bandwidth=0.1x "
        "--set 'platform.topology={kind: torus, dimensions: [8, 8, 2], bandwidth: 6GBps, latency: 50ns}' "
        "--set 'placement=" +
        placement + "'");
}

double all_waits(const nlohmann::json& result) { return result.at("link_waits").at("all_s"); }

std::string quoted_set(const std::string& set) { return "--set '" + set + "'"; }

}  // namespace

TEST_CASE("a slower network makes a longer run, whatever of it is slower") {
    const double as_shipped = time_with("");
    for (const char* set :
         {"layers.network.L=10x", "layers.network.o_recv=2x", "layers.network.G.gap=100x",
          "layers.network.processing=2x", "nic.ejection.bandwidth=0.001x", "links.torus.bandwidth=0.001x"}) {
        CAPTURE(set);
        CHECK(time_with(fmt::format("--set platform.{}", set)) > as_shipped);
    }
    CHECK(time_with("--set platform.layers.network.o_send=1x") == as_shipped);
}

TEST_CASE("one row of a layer is changed, and the result's scenario repeats the run") {
    // no message is longer than 1 KiB: 8 B * 6 angles * 2 planes * 5 cells = 480 B
    const std::string row = "platform.layers.network[up_to=1KiB].L=1000x";
    CHECK(time_with(quoted_set(row)) == time_with("--set platform.layers.network.L=1000x"));
    CHECK(time_with(quoted_set("platform.layers.network[last].L=1000x")) == time_with(""));
    const Scratch scratch;
    const auto result = json_of("run " + kSmall + "--quiet --set 'ranks={columns: 8, rows: 8}' " + quoted_set(row));
    nlohmann::json scenario = result.at("context").at("scenario");
    for (const auto* key : {"model", "platform"}) {
        nlohmann::json& file = scenario[key].is_object() ? scenario[key]["file"] : scenario[key];
        file = (std::filesystem::path(WARPFRONT_SOURCE_DIR) / "models/sweep3d" / file.get<std::string>()).string();
    }
    const auto again = scratch.file("again.yaml", scenario.dump());
    CHECK(json_of("run " + quoted(again) + " --quiet").at("digest") == result.at("digest"));
}

TEST_CASE("on starved links no message waits in an ideal placement, and the more the more fragmented it is") {
    const auto ideal = starved("block");
    CHECK(all_waits(ideal) == 0.0);
    CHECK(ideal.at("link_waits").at("hottest").empty());
    double before = 0.0;
    for (const char* share : {"0.1", "0.3", "0.5"}) {
        CAPTURE(share);
        const double waits = all_waits(starved(fmt::format("{{rule: block, seed: 3, fragmentation: {}}}", share)));
        CHECK(waits > before);
        before = waits;
    }
    const auto random = starved("random(3)");
    CHECK(all_waits(random) > before);
    CHECK(random.at("time_s") > ideal.at("time_s"));
}
