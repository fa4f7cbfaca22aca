// `warpfront run`: the table, the JSON contract, the ranks, the choices, the threads.
#include "tests/end_to_end/program.hpp"

TEST_CASE("a run prints its table to stdout and nothing to stderr; quiet leaves the first line of it") {
    const Outcome outcome = invoke("run " + kSmall);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(lacking(outcome.out, {"predicted time", "event engine", "closed form", "16 on 8 nodes", "compute"}) == "");
    const Outcome quiet = invoke("run " + kSmall + "--quiet");
    CHECK(quiet.out == outcome.out.substr(0, outcome.out.find('\n') + 1));
    CHECK(quiet.err == "");
}

TEST_CASE("--json - gives one JSON document in place of the table, --json FILE the file beside it") {
    const Scratch scratch;
    const std::filesystem::path file = scratch.folder() / "result.json";
    const Outcome outcome = invoke("run " + kSmall + "--json " + quoted(file));
    CHECK(outcome.status == 0);
    CHECK(holds(outcome.out, "predicted time"));
    const json written = json::parse(text_of(file));
    CHECK(written.at("digest") == json::parse(invoke("run " + kSmall + "--quiet --json -").out).at("digest"));
}

TEST_CASE("iterations, each multiplied by its count, add up to the time by every engine") {
    // Noise makes ranks finish iterations at different times; if it is off, equal iterations appear once, with a
    // count.
    const auto checked = [](const std::string& arguments) {
        CAPTURE(arguments);
        const json result = json_of("run " + kSmall + "--set iterations=3 " + arguments);
        double sum = 0.0;
        std::int64_t iterations = 0;
        for (const json& run : result.at("iteration_s")) {
            sum += run.at(0).get<double>() * run.at(1).get<double>();
            iterations += run.at(1).get<std::int64_t>();
        }
        CHECK(iterations == 3);
        CHECK(std::abs(sum - result.at("time_s").get<double>()) < 1e-12);
    };
    for (const std::string noise : {"", "--set noise.cv=0.1", "--set 'noise={cv: 0.1, redrawn: off}'"}) {
        for (const std::string engine : {"event", "simgrid"}) checked("--engine " + engine + " " + noise);
    }
    for (const std::string engine : {"analytic", "cmp", "plug-and-play"}) checked("--engine " + engine);
}

TEST_CASE("the JSON of a run keeps the contract") {
    const json result = json_of("run " + kSmall);
    CHECK(result.at("schema") == "warpfront.result/1");
    CHECK(result.at("engine") == "event");
    CHECK(result.at("ranks") == 16);
    CHECK(result.at("nodes") == 8);
    CHECK(result.at("iterations") == 12);
    CHECK(result.at("closed_form_s") == time_of("run " + kSmall + "--engine analytic"));
    // 24 neighbour pairs (3 * 4 + 4 * 3), 8 sweeps, 20 / 2 tiles with one angle block, 12 iterations.
    CHECK(result.at("work").at("messages") == 24 * 8 * 10 * 12);
    for (const char* key : {"messages_replayed", "events", "wall_s", "cpu_s", "peak_rss_bytes", "threads"}) {
        CAPTURE(key);
        CHECK(result.at("work").contains(key));
    }
    CHECK(result.at("digest").get<std::string>().size() == 64);
    CHECK(result.at("context").at("scenario").at("ranks").at("columns") == 4);
    CHECK(result.at("context").at("scenario").at("cells_per_rank").at("x") == 5);
    CHECK_FALSE(result.at("context").at("scenario").at("parameters").contains("nx"));
    for (const char* input : {"billion.yaml", "sweep3d.psl", "end_to_end/xt4.yaml", "platforms/xt4.yaml"}) {
        CAPTURE(input);
        CHECK(holds(result.at("context").at("inputs").dump(), input));
    }
}

TEST_CASE("the machine of these tests is the shipped XT4, of whose inputs the platform is one") {
    const json shipped = json_of("run " + kSmall + "--set platform=../../platforms/xt4.yaml");
    CHECK(shipped.at("digest") == json_of("run " + kSmall).at("digest"));
    CHECK(holds(shipped.at("context").at("inputs").dump(), "xt4.xml"));
}

TEST_CASE("the page of the results' library lists all keys of results, in their order") {
    using Keys = std::vector<std::string>;
    Keys listed;
    bool in_table = false;
    for (const std::string& line : lines_of(text_of(kRoot / "simulator/results/README.md"))) {
        if (line.starts_with("## ")) in_table = line.starts_with("## Where each key");
        if (!in_table || !line.starts_with("| `")) continue;
        const std::string cell = line.substr(2, line.find(" |") - 2);
        for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at + 1)) {
            const std::size_t end = cell.find('`', at + 1);
            listed.push_back(cell.substr(at + 1, end - at - 1));
            at = end;
        }
    }
    std::set<std::string> found;
    for (const std::string& arguments :
         {"run --path --set iterations=1 " + kSmall, "run --set iterations=1 --set noise.cv=0.05 --seeds 2 " + kSmall,
          "run --engine analytic --set 'parameters.wg=0.4us +- 0.1us' " + kSmall,
          std::string("run models/ppm/origin.yaml --set parameters.steps=1 --set parameters.pencils=8"),
          std::string("run models/jacobi/jacobi.yaml --set 'ranks={columns: 4, rows: 4}' --set iterations=1"),
          "explain --reruns --set iterations=1 " + kSmall}) {
        CAPTURE(arguments);
        const auto result = nlohmann::ordered_json::parse(invoke(arguments + " --json -").out);
        auto next = listed.begin();
        for (const auto& [key, value] : result.items()) {
            CAPTURE(key);
            next = std::find(next, listed.end(), key);
            REQUIRE(next != listed.end());
            found.insert(key);
        }
    }
    CHECK(found == std::set<std::string>(listed.begin(), listed.end()));
}

TEST_CASE("--ranks writes where the time of every rank went, the last rank's as the result has it") {
    const Scratch scratch;
    const auto file = scratch.folder() / "ranks.csv";
    const auto written = scratch.folder() / "result.json";
    REQUIRE(invoke("run " + kSmall + "--quiet --json " + quoted(written) + " --ranks " + quoted(file)).status == 0);
    const json result = json::parse(text_of(written));
    CHECK(result["over_ranks"]["finish_s"]["most"] == result["time_s"]);
    CHECK(result["over_ranks"]["finish_s"]["most_rank"] == result["last_rank"]["rank"]);
    const std::vector<std::string> all = lines_of(text_of(file));
    REQUIRE(all.size() == 1 + 16);
    CHECK(all.front().starts_with("rank,column,row,node,finish_s,compute_s,"));
    const auto last = result["last_rank"]["rank"].get<std::size_t>();
    CHECK(result["last_rank"]["column"] == last % 4 + 1);
    CHECK(result["last_rank"]["row"] == last / 4 + 1);
    const std::string expected =
        fmt::format("{},{},{},{},{:.12f},{:.12f},", last, last % 4 + 1, last / 4 + 1, last / 2,
                    result["time_s"].get<double>(), result["breakdown"]["compute_s"].get<double>());
    CHECK_MESSAGE(all[last + 1].starts_with(expected), all[last + 1], " and ", expected);
}

TEST_CASE("--ranks of an engine without data of ranks, or with a number in place of a file, is refused") {
    const Scratch scratch;
    const auto file = scratch.folder() / "ranks.csv";
    const Outcome outcome = invoke("run " + kSmall + "--engine analytic --ranks " + quoted(file));
    CHECK(outcome.status == 2);
    CHECK(holds(outcome.err, "the engine `analytic` does not compute the times that `--ranks` writes"));
    CHECK_FALSE(std::filesystem::exists(file));
    const Outcome number = invoke("run " + kSmall + "--ranks 64");
    CHECK(number.status == 2);
    CHECK(holds(number.err,
                "`--ranks 64` would write a file of this name: expected `--ranks FILE.csv`; `--set ranks.columns="));
}

TEST_CASE("the same scenario gives the same answer again, and of repeated overrides the last wins") {
    const std::string run = "run " + kSmall + "--set iterations=3 --set iterations=2";
    const json first = json_of(run);
    const json second = json_of(run);
    CHECK(first.at("iterations") == 2);
    CHECK(first.at("digest") == second.at("digest"));
    CHECK(first.at("context") == second.at("context"));
}

TEST_CASE("names in a scenario or a study that is read through a pipe are relative to the working directory") {
    const OwnModel own("application a { iteration k { send 8B to east recv from west compute 1us } }\n");
    const std::string program = quoted(WARPFRONT_PROGRAM);
    const double time = time_of("run " + own.argument());
    const Outcome piped = run_in(own.folder(), fmt::format("cat s.yaml | {} run /dev/stdin --json -", program));
    CHECK(piped.err == "");
    REQUIRE(piped.status == 0);
    CHECK(json::parse(piped.out).at("time_s").get<double>() == time);
    own.file("study.yaml",
             "scenario: s.yaml\nengines: [event]\nvariants: [{name: as it is}, {name: two, set: {iterations: 2}}]\n");
    const Outcome study =
        run_in(own.folder(), fmt::format("cat study.yaml | {} study /dev/stdin --out out --json -", program));
    REQUIRE_MESSAGE(study.status == 0, study.err);
    CHECK(json::parse(study.out).at("points")[0].at("engines").at("event").at("time").get<double>() == time);
}
