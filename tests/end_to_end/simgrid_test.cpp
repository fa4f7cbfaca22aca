// SimGrid as the engine: `--engine simgrid`, and beside the others.
#include "simulator/process/module.hpp"
#include "tests/end_to_end/program.hpp"

namespace {

/// The XT4 with its NICs and links switched off, as an argument.
class Unshared {
public:
    Unshared()
        : path_(scratch_.file("xt4.yaml", fmt::format("like: '{}/platforms/xt4.yaml'\nnic: {{enabled: off}}\n"
                                                      "links: {{enabled: off}}\n",
                                                      WARPFRONT_SOURCE_DIR))) {}
    std::string platform() const { return fmt::format("--set 'platform={}' ", path_.string()); }

private:
    Scratch scratch_;
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a result of SimGrid has its known values and leaves out the rest") {
    const json result = json_of("run " + kSmall + "--engine simgrid --set iterations=2");
    CHECK(result.at("schema") == "warpfront.result/1");
    CHECK(result.at("engine") == "simgrid");
    CHECK(result.at("ranks") == 16);
    CHECK(result.at("iteration_s").size() >= 1);
    CHECK(result.at("digest").get<std::string>().size() == 64);
    const json& work = result.at("work");
    CHECK(work.at("messages") == work.at("messages_replayed"));
    // Two allreduces of 16 ranks an iteration: 4 steps, in each of which every rank sends a message.
    CHECK(work.at("collective_messages") == 2 * 2 * 4 * 16);
    CHECK(work.at("collective_messages_replayed") == 2 * 2 * 4 * 16);
    CHECK(work.at("peak_rss_bytes").get<double>() > 0.0);
    CHECK_FALSE(work.contains("events"));
    CHECK_FALSE(work.contains("state_bytes"));
    CHECK_FALSE(result.contains("breakdown"));
    CHECK(holds(result.at("notes").dump(), "simgrid shares NICs and links evenly"));
}

TEST_CASE("with nothing but the bus shared, SimGrid's result is the event engine's, rank by rank") {
    const Unshared unshared;
    const std::string arguments = "run " + kSmall + unshared.platform() + "--set iterations=2 ";
    const json simgrid = json_of(arguments + "--engine simgrid");
    const json event = json_of(arguments);
    CHECK(simgrid.at("digest") == event.at("digest"));
    CHECK(simgrid.at("iteration_s") == event.at("iteration_s"));
    CHECK(simgrid.at("notes") == json{"2 of 2 iterations with fix-ups"});  // and none on omitted effects
}

TEST_CASE("a machine that grew runs on SimGrid as it has grown") {
    const json result = json_of(
        "run models/chimaera/chimaera.yaml --set iterations=1 --set parameters.nz=2 "
        "--set platform=../../platforms/infiniband.yaml --set cells_per_rank.x=2 --set cells_per_rank.y=2 "
        "--set 'ranks={columns: 32, rows: 32}' --set 'node={columns: 2, rows: 1}' --engine simgrid");
    CHECK(result.at("nodes") == 512);
    CHECK(holds(result.at("notes").dump(), "grown"));
}

TEST_CASE("compare sets the engines beside SimGrid, and what each of them waited for") {
    const Outcome outcome = invoke("compare " + kSmall + "--engines event,analytic,simgrid");
    CHECK(outcome.status == 0);
    CHECK(lacking(outcome.out, {"simgrid s", "event/simgrid", "analytic/simgrid"}) == "");
    CHECK(holds(outcome.out,
                "note: simgrid shares NICs and links evenly among the flows on them; the event engine "
                "serves one message after another"));
    const json row = json_of("compare " + kSmall + "--engines event,simgrid").at("rows").at(0);
    const double event = row.at("time_s").at("event").get<double>();
    const double simgrid = row.at("time_s").at("simgrid").get<double>();
    CHECK(row.at("difference_pct").at("event/simgrid").get<double>() == approx(100.0 * (event - simgrid) / simgrid));
    CHECK(row.contains("network_wait_s"));
    CHECK(row.contains("flow_wait_s"));
}

TEST_CASE("a model too large for SimGrid is refused at the ranks, with the limit") {
    const Outcome outcome = invoke("run models/sweep3d/billion.yaml --engine simgrid");
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "billion.yaml:4:8: error: 8192 ranks are too many for simgrid"));
    CHECK(holds(outcome.err, "expected at most 4096"));
}

TEST_CASE(
    "SimGrid applies the noise of a calibration, and that of a scenario with its seed, as the event engine does") {
    const std::string unshared =
        "--set platform=../../platforms/xt4.yaml --set platform.nic.enabled=off --set platform.links.enabled=off --set "
        "iterations=2 ";
    // Computing of seconds, in which a core is interrupted.
    const std::string shipped = "run " + kSmall + unshared + "--set calibration=on --set parameters.wg_fixup=1ms ";
    const json event = json_of(shipped);
    CHECK(event.at("context").at("scenario").at("noise").contains("interruptions"));
    CHECK(event.at("digest") == json_of(shipped + "--engine simgrid").at("digest"));
    CHECK(event.at("digest") != json_of(shipped + "--set noise=off").at("digest"));
    const std::string stated = shipped +
                               "--set 'noise={cv: 0.1, periodic: {period: 1ms, length: 20us}}' --set seed=9 " +
                               "--set 'heterogeneity={classes: [{share: 0.5, speed: 1}, {share: 0.5, speed: 0.7}]}' ";
    CHECK(json_of(stated).at("digest") == json_of(stated + "--engine simgrid").at("digest"));
}

TEST_CASE("beside several seeds of the event engine SimGrid runs as many") {
    const Unshared unshared;
    CHECK(invoke("compare " + kSmall + unshared.platform() +
                 "--engines event,simgrid --set noise.cv=0.1 --seeds 2 --tolerance 0")
              .status == 0);
}

TEST_CASE("a copy of the program without SimGrid's module runs what needs none, and names the needs of the rest") {
    const Scratch scratch;
    const std::filesystem::path copy = scratch.folder() / "warpfront";
    std::filesystem::copy_file(WARPFRONT_PROGRAM, copy);
    const auto run = [&](const std::string& arguments) {
        return run_in(kRoot, fmt::format("{} {}", quoted(copy), arguments));
    };
    const std::string by_rule = kSmall + "--set platform=../../platforms/slingshot.yaml ";
    const Outcome known = run("run " + by_rule + "--json -");
    CHECK(known.status == 0);
    CHECK(json::parse(known.out).at("digest") == json_of("run " + by_rule).at("digest"));
    const std::string cause =
        "cannot be loaded: warpfront_simgrid.so: cannot open shared object file: No such file or directory";
    const std::string remedy = "expected `warpfront_simgrid.so` of the same build in the program's folder";
    const Outcome platform = run("check platforms/xt4.yaml");
    CHECK(platform.status == 2);
    CHECK(holds(platform.err, "platforms/xt4.xml:8:1: error: simgrid, which reads platforms, " + cause));
    CHECK(holds(platform.err, remedy));
    const Outcome engine = run("run " + by_rule + "--set platform.topology.routing=minimal --engine simgrid");
    CHECK(engine.status == 2);
    CHECK(holds(engine.err, "simgrid " + cause));
    CHECK(holds(engine.err, remedy));
}

TEST_CASE("a copy of the program refuses SimGrid's module of another build, and a module without a stamp") {
    const Scratch scratch;
    std::filesystem::copy_file(WARPFRONT_PROGRAM, scratch.folder() / "warpfront");
    const std::filesystem::path module = scratch.folder() / "warpfront_simgrid.so";
    const std::string original =
        text_of(std::filesystem::path(WARPFRONT_PROGRAM).parent_path() / "warpfront_simgrid.so");
    for (const std::string& word :
         {std::string(warpfront::process::build_stamp()), std::string("warpfront_simgrid_build")}) {
        std::string other = original;
        for (std::size_t at = other.find(word); at != std::string::npos; at = other.find(word, at)) {
            other[at + word.size() - 1] = 'z';
        }
        REQUIRE(other != original);
        std::ofstream(module, std::ios::binary) << other;
        const Outcome outcome =
            run_in(kRoot, fmt::format("{} check platforms/xt4.yaml", quoted(scratch.folder() / "warpfront")));
        CHECK(outcome.status == 2);
        CHECK(holds(outcome.err, fmt::format("cannot be loaded: {} is of another build than this program",
                                             std::filesystem::canonical(module).string())));
        CHECK(holds(outcome.err, "expected `warpfront_simgrid.so` of the same build in the program's folder"));
    }
}
