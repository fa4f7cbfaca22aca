// The project after `cmake --install`: the program and its files work from any folder, and another program finds the
// library, is built, and predicts the same as `warpfront run`.
//
// Not pinned here: the answers of the installed program (tests/end_to_end), texts of the man page and the completion
// scripts (tests/documentation).
#include "tests/end_to_end/program.hpp"

namespace {

const std::filesystem::path kPrefix = std::filesystem::path(WARPFRONT_BUILD_DIR) / "tests/installed";
const std::filesystem::path kBuilt = std::filesystem::path(WARPFRONT_BUILD_DIR) / "tests/embedding";

const std::string kSettings = "ranks.columns=4 ranks.rows=4 cells_per_rank.x=5 cells_per_rank.y=5 parameters.nz=20";
const std::string kModel = "models/sweep3d/sweep3d.psl platforms/xt4.yaml 4 4 nx=20 ny=20 nz=20 wg=0.414us";

/// Installs once; the folder stays for inspection.
const Outcome& installation() {
    static const Outcome outcome = [] {
        std::filesystem::remove_all(kPrefix);
        return run_in(kRoot, fmt::format("{} --install {} --prefix {}", quoted(WARPFRONT_CMAKE),
                                         quoted(WARPFRONT_BUILD_DIR), quoted(kPrefix)));
    }();
    return outcome;
}

/// Configures and builds the example against the installation.
const Outcome& example() {
    static const Outcome outcome = [] {
        installation();
        std::filesystem::remove_all(kBuilt);
        const std::string configure = fmt::format(
            "{0} -S tests/embedding -B {1} -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER={2} "
            "-DCMAKE_PREFIX_PATH={3} -DCMAKE_CXX_FLAGS='-Wall -Wextra -Wpedantic -Wconversion -Werror'",
            quoted(WARPFRONT_CMAKE), quoted(kBuilt), quoted(WARPFRONT_COMPILER), quoted(kPrefix));
        return run_in(kRoot, fmt::format("{} && {} --build {}", configure, quoted(WARPFRONT_CMAKE), quoted(kBuilt)));
    }();
    return outcome;
}

Outcome run_example(const std::string& arguments, const std::string& name = "predict") {
    example();
    return run_in(kRoot, fmt::format("{} {}", quoted(kBuilt / name), arguments));
}

/// Returns the output of the example by name.
std::map<std::string, std::string> printed(const Outcome& outcome) {
    std::map<std::string, std::string> values;
    std::istringstream words(outcome.out);
    for (std::string name, value; words >> name >> value;) values[name] = value;
    return values;
}

/// Puts `--set` before each of the words.
std::string sets(const std::string& settings) {
    std::istringstream words(settings);
    std::string arguments;
    for (std::string word; words >> word;) arguments += " --set " + word;
    return arguments;
}

void check_same(const Outcome& outcome, const nlohmann::json& result) {
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    auto values = printed(outcome);
    REQUIRE(values.contains("time_s"));
    CHECK(std::stod(values["time_s"]) == result.at("time_s").get<double>());
    CHECK(std::stod(values["compute_s"]) == result.at("breakdown").at("compute_s").get<double>());
    CHECK(values["ranks"] == std::to_string(result.at("ranks").get<int>()));
    CHECK(values["messages"] == std::to_string(result.at("work").at("messages").get<long>()));
    CHECK(values["digest"] == result.at("digest").get<std::string>());
    CHECK(std::stod(values["longest_wait_s"]) == result.at("over_ranks").at("wait_s").at("most").get<double>());
}

}  // namespace

TEST_CASE("an installation holds the program, its pages, models, platforms, and what embedding needs") {
    CHECK_MESSAGE(installation().status == 0, installation().err);
    for (const char* file :
         {"bin/warpfront", "bin/warpfront-study-slurm", "share/man/man1/warpfront.1",
          "share/bash-completion/completions/warpfront", "share/zsh/site-functions/_warpfront",
          "share/warpfront/models/sweep3d/billion.yaml", "share/warpfront/models/pipeline.psl",
          "share/warpfront/models/studies/fill.yaml", "share/warpfront/models/lu/measured/xt3.csv",
          "share/warpfront/fitting/benchmark.c", "share/warpfront/platforms/xt4.yaml",
          "share/warpfront/platforms/xt4.xml", "share/doc/warpfront/README.md", "share/doc/warpfront/tools/README.md",
          "share/doc/warpfront/simulator/engine/README.md", "include/warpfront/warpfront.hpp", "lib/libwarpfront.a",
          "lib/warpfront/warpfront_simgrid.so"}) {
        CAPTURE(file);
        CHECK(std::filesystem::exists(kPrefix / file));
    }
}

TEST_CASE("the installed program runs the installed scenarios from anywhere") {
    installation();
    const warpfront::test::Scratch elsewhere;
    const std::string scenario = quoted(kPrefix / "share/warpfront/models/sweep3d/billion.yaml");
    const Outcome outcome =
        run_in(elsewhere.folder(),
               fmt::format("{} run {}{} --json -", quoted(kPrefix / "bin/warpfront"), scenario, sets(kSettings)));
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    const nlohmann::json result = nlohmann::json::parse(outcome.out);
    CHECK(result.at("digest") == json_of("run models/sweep3d/billion.yaml" + sets(kSettings)).at("digest"));
}

TEST_CASE("a scenario that does not exist here is that of the installation, with a note") {
    installation();
    const warpfront::test::Scratch elsewhere;
    const auto run = [&](const std::string& scenario) {
        return run_in(elsewhere.folder(), fmt::format("{} run {}{} --json -", quoted(kPrefix / "bin/warpfront"),
                                                      scenario, sets(kSettings)));
    };
    for (const std::string scenario : {"models/sweep3d/billion.yaml", "sweep3d/billion.yaml"}) {
        const Outcome outcome = run(scenario);
        CHECK(outcome.status == 0);
        CHECK(outcome.err == fmt::format("note: `{}` does not exist, so `{}` is used\n", scenario,
                                         (kPrefix / "share/warpfront/models/sweep3d/billion.yaml").string()));
        CHECK(run(scenario + " --log-level warn").err == "");
        CHECK(run(scenario + " --quiet").err == "");
    }
    elsewhere.file("sweep3d/billion.yaml", "model: here.psl\n");
    CHECK(holds(run("sweep3d/billion.yaml").err, "here.psl"));
    CHECK(holds(run("sweep3d/billions.yaml").err, "cannot read `sweep3d/billions.yaml`"));
}

TEST_CASE("the files of an installation are removed again, and nothing else") {
    const warpfront::test::Scratch scratch;
    const std::filesystem::path prefix = scratch.folder() / "there";
    const std::filesystem::path foreign = scratch.file("there/share/warpfront/mine.yaml", "");
    const std::string cmake = quoted(WARPFRONT_CMAKE);
    REQUIRE(
        run_in(kRoot, fmt::format("{} --install {} --prefix {}", cmake, quoted(WARPFRONT_BUILD_DIR), quoted(prefix)))
            .status == 0);
    CHECK(std::filesystem::exists(prefix / "share/warpfront/models/pipeline.psl"));
    const std::string uninstall =
        fmt::format("{} -D PREFIX={} -P tools/embedding/uninstall.cmake", cmake, quoted(prefix));
    CHECK(run_in(kRoot, uninstall).status == 0);
    for (const auto& left : std::filesystem::recursive_directory_iterator(prefix)) {
        CAPTURE(left.path());
        CHECK((left.is_directory() || left.path() == foreign));
        CHECK((left.path().filename() != "warpfront" || left.path() == foreign.parent_path()));
    }
    const Outcome again = run_in(kRoot, uninstall);
    CHECK(again.status != 0);
    CHECK(holds(again.err, "nothing to uninstall"));
}

TEST_CASE("an example finds the package and is built without a warning") {
    CHECK_MESSAGE(example().status == 0, example().out, example().err);
}

TEST_CASE("an embedded scenario gives the same results as `warpfront run`") {
    const std::string scenario = "models/sweep3d/billion.yaml ";
    check_same(run_example(scenario + kSettings), json_of("run " + scenario + sets(kSettings)));
}

TEST_CASE("an embedded model on a machine gives the same results as a scenario of both") {
    const std::string same =
        "ranks.columns=4 ranks.rows=4 node.columns=1 iterations=1 parameters.nx=20 parameters.ny=20 "
        "parameters.nz=20 parameters.fixup_iterations=0";
    check_same(run_example(kModel), json_of("run models/sweep3d/billion.yaml" + sets(same)));
}

TEST_CASE("embedded, faults are exceptions that show their places") {
    const Outcome parameter = run_example(kModel + " mkk=2");
    CHECK(parameter.status == 2);
    CHECK(holds(parameter.err, "warpfront::ModelRun:7:"));
    CHECK(holds(parameter.err, "did you mean `mk`?"));
    const Outcome ranks = run_example("models/sweep3d/sweep3d.psl platforms/xt4.yaml 0 4");
    CHECK(ranks.status == 2);
    CHECK(holds(ranks.err, "ranks: {columns: 0, rows: 4, planes: 1}"));
    const Outcome file = run_example("no-such-scenario.yaml");
    CHECK(file.status == 2);
    CHECK(holds(file.err, "cannot read `no-such-scenario.yaml`"));
}

TEST_CASE("embedded, a deadlock of the model is a failure of the run") {
    const warpfront::test::Scratch scratch;
    const auto model =
        scratch.file("stuck.psl",
                     "application stuck {\n    iteration {\n        recv from west\n        recv from east\n"
                     "        send 8B to east\n        send 8B to west\n    }\n}\n");
    const Outcome outcome = run_example(fmt::format("{} platforms/xt4.yaml 2 1", quoted(model)));
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "deadlock"));
}

TEST_CASE("embedded, a table is compared as `warpfront compare` does") {
    const std::string table = "models/lu/lu.yaml models/lu/measured/xt3.csv";
    const Outcome outcome = run_example(table + " analytic plug-and-play", "compare");
    CHECK_MESSAGE(outcome.status == 0, outcome.err);
    std::istringstream lines(outcome.out);
    const nlohmann::json rows =
        json_of("compare models/lu/lu.yaml --against models/lu/measured/xt3.csv --engines analytic,plug-and-play")
            .at("rows");
    CHECK(rows.size() > 5);
    for (const nlohmann::json& row : rows) {
        for (const std::string engine : {"analytic", "plug-and-play"}) {
            std::string line;
            std::string expected = fmt::format("{} {} {:.17g}", row.at("line").get<int>(), engine,
                                               row.at("time_s").at(engine).get<double>());
            if (row.contains("exec_s")) {
                expected += fmt::format(" {:.17g}", row.at("difference_pct").at(engine + "/exec").get<double>());
            }
            REQUIRE(std::getline(lines, line));
            CHECK(line == expected);
        }
    }
}

TEST_CASE("embedded, several threads predict the same as one, and a run that is ordered to stop ends") {
    const Outcome outcome = run_example("models/sweep3d/billion.yaml", "threads");
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(outcome.out == "same 1\nstops 1\n");
}
