// The hardware file that a fit writes: `check` accepts it, and assumptions have comments. A machine of SimGrid with
// known settings is recovered from the benchmark that runs on it.
#include "tools/from_code/fitting/outputs.hpp"

#include <nlohmann/json.hpp>

#include "simulator/input/read_file.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/tools/experiments.hpp"
#include "tests/tools/fitting/synthetic.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/program/commands/commands.hpp"

namespace {

const std::string kProject = WARPFRONT_SOURCE_DIR;
const std::string kXt4File = kProject + "/platforms/xt4.yaml";

const std::vector<KnownRow> kTwoRows{{.up_to = 5000, .o_send = 0.4e-6, .o_recv = 0.5e-6, .L = 1e-6, .G = 1e-9},
                                     {.rendezvous = true, .o_send = 0.5e-6, .o_recv = 1e-6, .L = 1.5e-6, .G = 0.5e-9}};

LayerFit fitted_layer(const std::string& name, std::string text) {
    std::vector<BenchmarkTable> tables;
    tables.push_back(table(std::move(text)));
    return fit_layer(name, std::move(tables), {});
}

/// Returns the profile of a layer, as read from the file.
machine::Profile profile_of(const std::filesystem::path& file, const std::string& name) {
    input::Diagnostics faults;
    const machine::HardwareFile read = machine::read_hardware_file(machine::read_hardware_tree(file), faults);
    faults.raise();
    for (const machine::Layer& each : read.layers) {
        if (each.name == name) return each.profile;
    }
    return {};
}

FitOptions fit_options(const Scratch& scratch, std::vector<std::filesystem::path> tables) {
    FitOptions options;
    options.tables = std::move(tables);
    options.out = (scratch.folder() / "machine.yaml").string();
    return options;
}

std::string refused_fit(const FitOptions& options) {
    return summary_of(faults_of([&] { fit(options); }));
}

}  // namespace

TEST_CASE("a machine of its own: check accepts it, and its rows are those of the fit") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const std::string text = hardware_text({fitted_layer("network", all_kinds(kTwoRows, {}))}, {}, file);
    scratch.file("machine.yaml", text);
    CHECK_NOTHROW(machine::check(file));
    const machine::Profile rows = profile_of(file, "network");
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].up_to == Bytes{5000});
    CHECK(rows[0].L == Time{1'000'000});
    CHECK(rows[1].o_send == Time{500'000});
    CHECK(holds(text, "#   network: t.csv (benchmark.c)\n"));
    CHECK(holds(text,
                "    # assumption: L and o_recv have the values of the eager row; o_request and o_ack are each half of "
                "the remaining time\n"));
    CHECK(holds(text, "protocol: eager, o_send: 400ns, o_recv: 500ns, L: 1us,\n       G: 1ns/B}\n"));
}

TEST_CASE("like another machine: its platform, other layers and what its rows hold stay") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const std::string text = hardware_text({fitted_layer("network", all_kinds(kTwoRows, {}))}, kXt4File, file);
    scratch.file("machine.yaml", text);
    CHECK_NOTHROW(machine::check(file));
    CHECK(profile_of(file, "chip").size() == 2);
    CHECK(holds(text, "G: 1ns/B, holds: [bus, nic, links]}\n"));
}

TEST_CASE("pairs of one node give the bus, pairs of two the NIC; layers of a node need parts") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const std::string network = all_kinds(kTwoRows, {}) + streams(4, 0.3e-6, 0.0, 0.5e-9);
    const std::string node = all_kinds(kTwoRows, {}) + streams(4, 0.3e-6, 0.2e-6, 0.1e-9);
    const std::string text = hardware_text(
        {fitted_layer("network", network), fitted_layer("node", node), fitted_layer("chip", node)}, {}, file);
    scratch.file("machine.yaml", text);
    CHECK_NOTHROW(machine::check(file));
    CHECK(holds(text, "nic: {enabled: on, count: 1, injection: 2GBps, ejection: 2GBps}"));
    CHECK(holds(text, "bus: {enabled: on, count: 1, o_dma: 100ns, G_dma: 0.05ns/B}"));
    CHECK(holds(text, "cores: 4 "));
    CHECK(holds(text, "chips: 2 "));
    const std::string free = all_kinds(kTwoRows, {}) + streams(4, 1e-2, 0.0, 0.5e-9);
    CHECK(holds(hardware_text({fitted_layer("network", free)}, {}, file), "does not saturate the NIC; lower bound"));
}

TEST_CASE("the time that a further pair between two nodes adds to the smallest messages is the gap g of the NIC") {
    // 4 pairs whose messages occupy the shared resource for 0.2 us + S * 0.5 ns/B each
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const std::string network = all_kinds(kTwoRows, {}) + streams(4, 0.3e-6, 0.2e-6, 0.5e-9);
    const std::string text = hardware_text({fitted_layer("network", network)}, {}, file);
    CHECK(holds(text, "nic: {enabled: on, count: 1, injection: 2GBps, ejection: 2GBps, g: 200ns}    # a stream of 4"));
    CHECK_FALSE(holds(text, "bus:"));
    scratch.file("machine.yaml", text);
    CHECK_NOTHROW(machine::check(file));
    const std::string node = all_kinds(kTwoRows, {}) + streams(4, 0.3e-6, 0.4e-6, 0.1e-9);
    const std::string both = hardware_text({fitted_layer("network", network), fitted_layer("node", node)}, {}, file);
    CHECK(holds(both, ", g: 200ns}"));
    CHECK(holds(both, "bus: {enabled: on, count: 1, o_dma: 200ns, G_dma: 0.05ns/B}"));
}

TEST_CASE("the file and the table have the deviation of a fitted bandwidth, and what it contradicts") {
    LayerFit fit = fitted_layer("network", all_kinds(kTwoRows, {}) + streams(4, 0.3e-6, 0.0, 0.5e-9));
    fit.shared->deviation = 0.012;
    fit.shared->most_per_second = 1.9e9;  // below the 2 GB/s of the fit
    const std::string file = hardware_text({fit}, {}, "machine.yaml");
    CHECK(holds(file, "injection: 2GBps, ejection: 2GBps}    # a stream of 4 pairs, off by 1.2 %; ejection"));
    CHECK(holds(file, "# assumption: 2 GB/s is above every measured bandwidth, which is at most 1.9 GB/s\n"));
    const std::string table = summary({fit});
    CHECK(holds(table, "with a deviation of 1.2 %; this is 2 GB/s, and the largest measured bandwidth is 1.9 GB/s"));
    CHECK(holds(table, "assumption  network: 2 GB/s is above every measured bandwidth"));
    CHECK(to_json({fit})["layers"][0]["shared"]["deviation"] == 0.012);
}

TEST_CASE("a stream of one pair becomes the NIC of a network; within a node the file notes that it is not used") {
    const std::string osu_bw =
        "# OSU MPI Bandwidth Test v5.9\n# Size      Bandwidth (MB/s)\n65536 1900.00\n131072 1900.00\n262144 1900.00\n"
        "524288 1900.00\n";
    const auto with_stream = [&](const std::string& layer) {
        std::vector<BenchmarkTable> tables;
        tables.push_back(table(all_kinds(kTwoRows, {})));
        tables.push_back(table(osu_bw));
        return fit_layer(layer, std::move(tables), {});
    };
    CHECK(holds(summary({with_stream("network")}), "network: a stream of 1 pair needs 0.52632ns/B, fitted to 4 sizes"));
    const std::string network = hardware_text({with_stream("network")}, {}, "machine.yaml");
    CHECK(
        holds(network, "nic: {enabled: on, count: 1, injection: 1.9GBps, ejection: 1.9GBps}    # a stream of 1 pair"));
    CHECK(holds(network, "# assumption: the NIC has the bandwidth of 1 pair; several pairs may send more\n"));
    CHECK_FALSE(holds(network, "bus:"));
    const std::string chip = hardware_text({with_stream("chip")}, kXt4File, "machine.yaml");
    CHECK(holds(chip, "t.csv (OSU), not used: a stream of 1 pair within a node determines no cost\n"));
    CHECK_FALSE(holds(chip, "bus:"));
}

namespace {

/// Checks that a ping-pong of each size takes on this machine what the rows state, within a hundredth.
void check_ping_pongs(const std::filesystem::path& machine, const std::vector<KnownRow>& rows,
                      std::initializer_list<std::uint64_t> sizes) {
    for (const std::uint64_t bytes : sizes) {
        CAPTURE(bytes);
        const Experiment experiment =
            experiment_of(kProject + "/models/bandwidth/hippi.yaml",
                          {"platform=" + machine.string(), "ranks.rows=1", "node.rows=1", "iterations=1",
                           fmt::format("parameters.size={}B", bytes), fmt::format("parameters.volume={}B", bytes)});
        const double trip = seconds(predict(Engine::event, experiment).record.finish) / 2.0;
        CHECK(trip == approx(row_of(rows, bytes).half_trip(bytes)).epsilon(0.01));
    }
}

}  // namespace

TEST_CASE("on the fitted machine the event engine's ping-pong takes the times of the table, eager and rendezvous") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    scratch.file("machine.yaml",
                 hardware_text({fitted_layer("network", all_kinds(kTwoRows, {.noise = 0.01}))}, {}, file));
    check_ping_pongs(file, kTwoRows, {1, 1000, 5000, 5001, 100'000, 4'000'000});
}

TEST_CASE("like another machine: the base's limit of eager messages does not apply to a fitted layer") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const auto eager_of = [&](const LayerFit& fit) {
        scratch.file("machine.yaml", hardware_text({fit}, kXt4File, file));
        CHECK_NOTHROW(machine::check(file));
        return profile_of(file, fit.layer).back().eager;
    };
    const std::string times = all_kinds(kTwoRows, {});
    const machine::EagerSends of_table{.limit = Bytes{5000}, .o_unexpected = {}, .G_unexpected = {}};
    CHECK(eager_of(fitted_layer("network", times)) == of_table);
    CHECK(eager_of(fitted_layer("chip", times)) == of_table);
    const std::string unlimited = ping_pongs(kTwoRows, {});
    CHECK_FALSE(eager_of(fitted_layer("network", unlimited)).has_value());
    CHECK(holds(hardware_text({fitted_layer("network", unlimited)}, kXt4File, file),
                "eager:\n  network: off    # no table shows a limit\n"));
    CHECK_FALSE(holds(hardware_text({fitted_layer("network", unlimited)}, {}, file), "eager:"));
}

TEST_CASE("a limit of eager messages beyond the measured sizes is that of the file") {
    for (const std::uint64_t limit : {0U, 64U << 20U}) {
        std::vector<BenchmarkTable> tables;
        tables.push_back(table(ping_pongs(kTwoRows, {})));
        const LayerFit fit = fit_layer("network", std::move(tables), {.eager = limit, .overhead = {}});
        CHECK(
            holds(hardware_text({fit}, {}, "machine.yaml"), fmt::format("network: {{limit: {}B}}    # given", limit)));
    }
}

TEST_CASE(
    "like another machine: the event engine's ping-pong takes the times of the table, beside a slower NIC a note") {
    const Scratch scratch;
    const auto file = scratch.folder() / "machine.yaml";
    const auto fitted = [&](double scale) {
        std::vector<KnownRow> rows = kTwoRows;
        for (KnownRow& row : rows) row.G *= scale;
        scratch.file("machine.yaml", hardware_text({fitted_layer("network", all_kinds(rows, {}))}, kXt4File, file));
        return rows;
    };
    const std::vector<KnownRow> rows = fitted(1.0);
    check_ping_pongs(file, rows, {1000, 5000, 5001, 100'000, 4'000'000});
    fitted(0.2);
    const std::vector<std::string> notes = machine::check(file);
    CHECK(std::ranges::any_of(notes, [](const std::string& note) {
        return holds(note, "injection at each NIC carries 6 GB/s, less than the 10 GB/s of `layers.network`");
    }));
}

TEST_CASE("the same as JSON: rows, points with what is left, how many rows there might have been") {
    const nlohmann::ordered_json result =
        to_json({fitted_layer("network", all_kinds(kTwoRows, {.noise = 0.01, .outliers = 0.02}))});
    CHECK(result["schema"] == "warpfront.fit/1");
    const auto& fit = result["layers"][0];
    CHECK(fit["threshold"] == nlohmann::ordered_json{{"bytes", 5000}, {"measured", true}});
    CHECK(fit["rows"].size() == 2);
    CHECK(fit["by_rows"][0]["rows"] == 2);
    CHECK(fit["points"].size() == sizes_up_to(4 << 20).size());
}

TEST_CASE("refusals of the command, before it writes") {
    const Scratch scratch;
    const auto good = scratch.file("good.csv", all_kinds(kTwoRows, {}));
    FitOptions options = fit_options(scratch, {});
    CHECK(refused_fit(options) == "bad_option a table is missing | expected TABLE or `--layer LAYER=TABLE`");
    options.layers = {"node=" + good.string()};
    CHECK(refused_fit(options) ==
          "bad_option a table of the network is missing | expected a table, or `--like FILE` with a machine that has "
          "this layer");
    options.tables = {good};
    options.layers = {"node"};
    CHECK(holds(refused_fit(options), "bad_option `--layer node` has no layer and table | expected LAYER=TABLE"));
    options.layers = {"socket=" + good.string()};
    CHECK(holds(refused_fit(options), "bad_choice no layer is called `socket`"));
    options.layers = {"node=" + scratch.file("bad.csv", "x\n").string()};
    CHECK(holds(refused_fit(options), "unknown_table"));
    options.layers = {};
    options.like = kXt4File;
    options.layers = {"socket=" + good.string()};
    CHECK(refused_fit(options) == "bad_choice no layer is called `socket` | expected one of `chip`, `node`, `network`");
    options.layers = {};
    options.out = kXt4File;
    CHECK(holds(refused_fit(options), "bad_option `--like` and `--out` name the same file"));
    options.out = fit_options(scratch, {}).out;
    options.like = scratch.folder() / "nowhere.yaml";
    CHECK(holds(refused_fit(options), "unreadable_file"));
    CHECK_FALSE(std::filesystem::exists(options.out));
}

TEST_CASE("the benchmark on SimGrid's SMPI gives the settings of its machine") {
    const Scratch scratch;
    const auto in_folder = [&](const std::string& command) {
        return std::system(("cd '" + scratch.folder().string() + "' && " + command + " 2> messages").c_str());
    };
    REQUIRE(in_folder("smpicc -O1 '" + kProject + "/tools/from_code/fitting/benchmark.c' -o benchmark") == 0);
    scratch.file("platform.xml",
                 platform_xml(R"(<cluster id="c" prefix="n" suffix="" radical="0-1" speed="1Gf" core="4" )"
                              R"(bw="2GBps" lat="5us" sharing_policy="SPLITDUPLEX"/>)"));
    scratch.file("hosts", "n0\nn0\nn0\nn0\nn1\nn1\nn1\nn1\n");
    REQUIRE(in_folder("smpirun -n 8 -hostfile hosts -platform platform.xml --cfg=smpi/simulate-computation:no "
                      "--cfg=smpi/lat-factor:0:1 --cfg=smpi/bw-factor:0:1 --cfg=smpi/async-small-thresh:20000 "
                      "--cfg=smpi/send-is-detached-thresh:20000 --cfg=smpi/os:0:1e-6:0 --cfg=smpi/ois:0:1e-6:0 "
                      "--cfg=smpi/or:0:2e-6:0 ./benchmark 1048576 9 > t.csv") == 0);
    input::Diagnostics faults;
    std::vector<BenchmarkTable> tables;
    tables.push_back(read_benchmark_table(input::read_file(scratch.folder() / "t.csv"), faults));
    faults.raise();
    const LayerFit fit = fit_layer("network", std::move(tables), {});
    REQUIRE(fit.rows.size() == 2);
    const auto about = [](double value) { return approx(value).epsilon(0.01); };
    CHECK(fit.rows[0].up_to == 19'999);  // a send of 20,000 bytes blocks
    CHECK(fit.rows[0].o_send == about(1e-6));
    CHECK(fit.rows[0].o_recv == about(2e-6));
    CHECK(fit.rows[0].L == about(10e-6));
    CHECK(fit.rows[0].G == about(0.5e-9));
    CHECK(fit.rows[1].G == about(0.5e-9));
    REQUIRE(fit.shared.has_value());
    CHECK(fit.shared->hold.slope == about(0.5e-9));
}
