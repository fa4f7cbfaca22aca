// The shipped studies (models/studies, and those of models/sources): the event engine reproduces the findings of
// Mudalige 2009, on sizes that take a second or two; those of self-scheduled tasks reproduce the statements of their
// page.
#include "tests/end_to_end/program.hpp"

namespace {

/// Returns the rows of a shipped study with other options.
json study_json(const std::string& name, const std::string& options) {
    const Scratch scratch;
    const Outcome outcome =
        invoke(fmt::format("study models/{}.yaml {} --out {} --json -", name, options, quoted(scratch.folder())));
    CHECK(outcome.status == 0);
    CHECK(without_heartbeats(outcome.err) == "");
    return json::parse(outcome.out);
}

/// Returns a column of the engine, by point.
std::vector<double> column(const json& study, const std::string& name, const std::string& engine = "event") {
    std::vector<double> values;
    for (const json& point : study.at("points")) values.push_back(point.at("engines").at(engine).at(name));
    return values;
}

/// Returns the value of `path` at the best point of the engine.
std::string best_value(const json& study, const std::string& path, const std::string& engine) {
    for (const json& best : study.at("best")) {
        if (best.at("engine") == engine)
            return study.at("points").at(best.at("point").get<std::size_t>()).at("set").at(path);
    }
    return "none";
}

double time_at(const json& study, std::size_t point, const std::string& engine) {
    return study.at("points").at(point).at("engines").at(engine).at("time");
}

/// Runs 64 x 64 x `nz` cells on 16 x 16 ranks: in turn, at once on every core, at once on separate cores.
json simultaneous_sweeps(int nz) {
    return study_json("studies/simultaneous-sweeps",
                      "--vary 'ranks={columns: 16, rows: 16}' --vary parameters.nx=64 "
                      "--set parameters.ny=64 --set parameters.nz=" +
                          std::to_string(nz));
}

const std::string kRanks256 = "--vary 'ranks={columns: 16, rows: 16}' ";
const std::string kRanks1024 = "--vary 'ranks={columns: 32, rows: 32}' ";

}  // namespace

TEST_CASE("every shipped study asks a question and has its comment") {
    std::size_t studies = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(kRoot / "models")) {
        const std::string text = entry.path().extension() == ".yaml" ? text_of(entry.path()) : "";
        if (!holds(text, "\naxes:\n") && !holds(text, "\nvariants:\n")) continue;
        CAPTURE(entry.path().string());
        CHECK(text.starts_with("# "));
        CHECK(holds(text, "\nquestion: "));
        ++studies;
        if (entry.path().parent_path().filename() != "studies") continue;
        const std::string page = text_of(kRoot / "models/README.md");
        CHECK(holds(page, fmt::format("| [`{}`](", entry.path().stem().string())));
    }
    CHECK(studies >= 15);
}

TEST_CASE("energy groups in one pipeline fill the array once for all, which pays where it fills for long") {
    // 64 x 64 x 20 cells on 256 ranks: 30 fills of a stack of 10 blocks, or one.
    const json study =
        study_json("sources/mudalige-2009/figure-5.20",
                   "--vary 'ranks={columns: 16, rows: 16}' --set 'cells_per_rank={x: 4, y: 4}' --set parameters.nz=20");
    const std::vector<double> stepped = column(study, "speed-up");
    const std::vector<double> formula = column(study, "speed-up", "analytic");
    REQUIRE(stepped.size() == 2);
    CHECK(stepped[1] > 1.8);
    CHECK(stepped[1] == approx(formula[1]).epsilon(0.1));
}

TEST_CASE("the best tiles of Sweep3D and Chimaera on the XT4 have 2 to 5 planes") {
    struct Row {
        const char* study;
        const char* height;
        const char* sizes;
    };
    // Tiles as small as those of 272^3 cells on 1,024 ranks, and of 240^3 on 4,096.
    for (const auto& [name, key, sizes] :
         {Row{"sources/mudalige-2009/figure-5.1", "parameters.mk",
              "--set parameters.nx=136 --set parameters.ny=136 --set parameters.nz=272 "
              "--vary parameters.mk=1,2,3,4,5,6,10 "},
          Row{"sources/mudalige-2009/figure-5.2", "parameters.htile",
              "--set parameters.nx=60 --set parameters.ny=60 --set parameters.nz=240 "}}) {
        CAPTURE(name);
        const json study = study_json(name, sizes + kRanks256);
        for (const std::string engine : {"event", "analytic"}) {
            const int height = std::stoi(best_value(study, key, engine));
            CHECK(height >= 2);
            CHECK(height <= 5);
        }
    }
}

TEST_CASE("half the latency of a message helps far more than twice the bandwidth") {
    // 68^2 cells on 1,024 ranks: tiles as small as those of 272^2 on 16,384
    const json study = study_json("studies/upgrades",
                                  kRanks1024 + "--set parameters.nx=68 --set parameters.ny=68 --set parameters.nz=136");
    for (const std::string engine : {"event", "analytic"}) {
        const std::vector<double> speed_up = column(study, "speed-up", engine);
        const double latency = speed_up.at(4) - 1.0;
        const double bandwidth = speed_up.at(5) - 1.0;
        CHECK(latency > 0.1);
        CHECK(latency > 20.0 * bandwidth);
    }
}

TEST_CASE("the time of filling a pipeline is the same by slope of the event engine and by closed form") {
    const json study =
        study_json("studies/fill", "--vary 'ranks={columns: 16, rows: 16}' --vary parameters.nz=100,200 ");
    const std::vector<double> event = column(study, "time");
    const std::vector<double> closed = column(study, "time", "analytic");
    const std::vector<double> share = column(study, "fill", "analytic");
    // T = fill + planes * slope, so fill = 2 T(100) - T(200)
    CHECK(2.0 * event[0] - event[1] == approx(share[1] * closed[1]).epsilon(0.02));
    CHECK(column(study, "fill")[1] == approx(share[1]).epsilon(0.03));
    CHECK(column(study, "steady")[1] == approx(1.0 - column(study, "fill")[1]));
}

TEST_CASE("the gain of Chimaera from work before the receives is that of the closed form") {
    const json study =
        study_json("sources/mudalige-2009/figure-7.2", "--vary 'ranks={columns: 16, rows: 16}' --set parameters.nz=80");
    const std::vector<double> stepped = column(study, "speed-up");
    const std::vector<double> formula = column(study, "speed-up", "analytic");
    REQUIRE(stepped.size() == 2);
    CHECK(stepped[1] > 1.15);
    CHECK(stepped[1] == approx(formula[1]).epsilon(0.02));
}

TEST_CASE(
    "eight sweeps at once are faster than in turn on tiles this small; on cores of their own the form is within a "
    "tenth") {
    const json study = simultaneous_sweeps(400);
    const std::vector<double> speed_up = column(study, "speed-up");
    REQUIRE(speed_up.size() == 3);
    CHECK(speed_up[1] > 1.1);  // on every core
    CHECK(speed_up[2] > 1.1);  // on cores of their own
    CHECK(time_at(study, 2, "event") == approx(time_at(study, 2, "separate-cores-sweeps")).epsilon(0.1));
    // On every core the form is accurate if stacks are higher than the process grid is long: 400 / 4 = 100 tiles, or
    // 64 / 4 = 16; 16 + 16 - 1 = 31 diagonals, each charged eight tiles.
    CHECK(time_at(study, 1, "event") == approx(time_at(study, 1, "simultaneous-sweeps")).epsilon(0.1));
    const json low = simultaneous_sweeps(64);
    CHECK(time_at(low, 1, "simultaneous-sweeps") > 1.5 * time_at(low, 1, "event"));
}

TEST_CASE("more ranks on the same grid spend a larger share on communication") {
    const json study = study_json("studies/compute-communication",
                                  "--vary parameters.nx=64 --vary parameters.ny=64 --vary parameters.nz=64 --vary "
                                  "'ranks.columns=4..32*2' --set ranks.rows=16");
    const std::vector<double> share = column(study, "communication");
    CHECK(std::ranges::is_sorted(share));
    CHECK(share.back() > 1.5 * share.front());
}

TEST_CASE("larger problems are more efficient on the same ranks") {
    const json study = study_json("sources/mudalige-2009/figure-7.8",
                                  "--vary parameters.nx=64,256 --set parameters.ny=64 --set parameters.nz=100 --vary "
                                  "'ranks.columns=4,16,32' --set ranks.rows=16");
    const std::vector<double> efficiency = column(study, "efficiency");
    CHECK(efficiency.at(3 + 1) > efficiency.at(1));
    CHECK(efficiency.at(3 + 2) > efficiency.at(2));
}

TEST_CASE("the best partition: by R/X the smaller one, by R^2/X one that is as large or larger") {
    const json study = study_json("sources/mudalige-2009/figure-5.10",
                                  "--set parameters.nx=64 --set parameters.ny=64 --set parameters.nz=100 --vary "
                                  "ranks.columns=32,16,8,4 --set ranks.rows=16");
    std::map<std::string, std::uint64_t> ranks;  // by engine and column
    for (const json& best : study.at("best")) {
        ranks[best.at("engine").get<std::string>() + " " + best.at("of").get<std::string>()] =
            study.at("points").at(best.at("point").get<std::size_t>()).at("ranks");
    }
    CHECK(ranks.size() == 4);
    for (const std::string engine : {"event", "analytic"})
        CHECK(ranks.at(engine + " R^2/X") >= ranks.at(engine + " R/X"));
    // The processing of messages costs small tiles more than the bus that the closed form charges.
    CHECK(ranks.at("event R/X") <= ranks.at("analytic R/X"));
}

TEST_CASE("a pool of different processors is slower than a homogeneous one, though it computes faster on average") {
    // 0.5 * 2 + 0.13 * 1 + 0.37 * 0.5 = 1.315 times the speed, but waves wait for ranks that take 2 W
    const json study = study_json("studies/unequal-pool",
                                  "--vary ranks.columns=16 --set ranks.rows=16 --set parameters.nz=100 "
                                  "--set parameters.nx=256 --set parameters.ny=256");
    for (const std::string engine : {"event", "heterogeneous"}) {
        const std::vector<double> speed_up = column(study, "speed-up", engine);
        CHECK(speed_up.at(1) < 0.7);
        CHECK(speed_up.at(1) > 0.5);
    }
}

TEST_CASE("messages wait for starved links, in every network, and longer where nodes are placed at random") {
    // 64 ranks on 32 nodes
    const json study = study_json(
        "studies/interconnects",
        "--vary 'platform.topology={kind: torus, dimensions: [4, 4, 2], bandwidth: 6GBps, latency: 50ns},"
        "{kind: fat_tree, children: [4, 8], parents: [1, 4], bandwidth: 6GBps, latency: 50ns},"
        "{kind: dragonfly, groups: 4, chassis: 1, blades: 4, nodes: 2, bandwidth: 6GBps, latency: 50ns},"
        "{kind: hyperx, dimensions: [4, 4], hosts: 2, bandwidth: 6GBps, latency: 50ns},"
        "{kind: random_regular, switches: 16, degree: 4, hosts: 2, seed: 1, bandwidth: 6GBps, latency: 50ns}' "
        "--set 'ranks={columns: 8, rows: 8}' --set 'cells_per_rank={x: 4, y: 4}' --set parameters.nz=80");
    const std::vector<double> waits = column(study, "link wait");
    REQUIRE(waits.size() == 5 * 3);
    for (std::size_t network = 0; network < 5; ++network) CHECK(waits[3 * network + 2] > waits[3 * network]);
}

namespace {

/// Pencils four times as long as in the studies of PPM, so that these take a moment.
const std::string kLongPencils =
    "--set parameters.steps=1 --set parameters.pencils=128 --set parameters.pencil=2500ms ";

}  // namespace

TEST_CASE("PPM: transfers bind from 4.29 times slower on, or 2.14 where they share a channel, as in the closed form") {
    const json study = study_json("ppm/studies/memory-bandwidth", kLongPencils);
    const std::vector<double> slower{1, 2, 2.1, 2.2, 3, 4.2, 4.4, 6};
    REQUIRE(study.at("points").size() == 2 * slower.size());
    for (std::size_t point = 0; point < 2 * slower.size(); ++point) {
        const double times = slower[point % slower.size()];
        const double hidden = point < slower.size() ? 15 / 3.5 : 15 / 7.0;
        const double time = time_at(study, point, "event");
        CAPTURE(point);
        // 16 bricks a node; before, the first is read, behind, the last is written.
        CHECK((time > 16 * 15 + 7 * times + 0.1) == (times > hidden));
        CHECK(time == approx(time_at(study, point, "analytic")).epsilon(0.05));
    }
}

TEST_CASE("PPM: one brick read ahead of three that a node holds; of two while transfers are short enough") {
    const json study = study_json("ppm/studies/prefetch", kLongPencils);
    for (std::size_t row = 0; row < 2; ++row) {  // as it is, four times slower
        const auto time = [&](std::size_t ahead) { return time_at(study, 6 * row + ahead, "event"); };
        CAPTURE(row);
        CHECK(time(0) > time(1));
        CHECK(time(1) > time(2));
        CHECK((time(2) > time(3)) == (row > 0));
        CHECK(time(3) == time(4));
        CHECK(time(4) == time(5));
    }
}

TEST_CASE("PPM: of equal ratios machines of any number and speed give about the same fraction, within one step") {
    const json study = study_json("ppm/studies/ratios", "--vary parameters.steps=1");
    const std::vector<double> fractions = column(study, "utilisation");
    REQUIRE(fractions.size() == 3);
    CHECK(fractions[1] == approx(fractions[0]));
    CHECK(fractions[2] == approx(fractions[0]).epsilon(0.01));
}
