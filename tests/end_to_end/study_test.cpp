// `warpfront study`: the same results in every way of running it, killed and continued, one point at a time; and
// faults.
#include <thread>

#include "tests/end_to_end/child.hpp"

namespace {

const std::string kHeights =
    "study models/chimaera/chimaera.yaml --set iterations=1 --set 'ranks={columns: 4, rows: 4}' "
    "--vary parameters.htile=1,2,4 --vary platform.bus.enabled=on,off ";

std::string out(const std::filesystem::path& folder) { return "--out " + quoted(folder) + " "; }

/// Returns the files of a study except its points, by name.
std::map<std::string, std::string> answers_in(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.is_regular_file()) files[entry.path().filename().string()] = text_of(entry.path());
    }
    return files;
}

std::size_t finished_points(const std::filesystem::path& folder) {
    std::error_code none;
    const std::filesystem::directory_iterator files(folder / "points", none);
    return static_cast<std::size_t>(
        std::count_if(begin(files), end(files), [](const auto& entry) { return entry.path().extension() == ".json"; }));
}

}  // namespace

TEST_CASE("a study of a scenario over axes from the command line: table, CSV, JSON, page") {
    const Scratch scratch;
    const Outcome outcome = invoke(kHeights + out(scratch.folder()));
    CHECK(outcome.status == 0);
    CHECK(without_heartbeats(outcome.err) == "");
    CHECK(
        holds(outcome.out, "parameters.htile  platform.bus.enabled  event time s  analytic time s  event/analytic\n"));
    const auto files = answers_in(scratch.folder());
    CHECK(files.size() == 3);
    CHECK(files.contains("study.html"));
    CHECK(std::ranges::count(files.at("study.csv"), '\n') == 1 + 6);
    const json result = json::parse(files.at("study.json"));
    CHECK(result.at("schema") == "warpfront.study/1");
    const double predicted = json_of(
                                 "run models/chimaera/chimaera.yaml --set iterations=1 --set 'ranks={columns: 4, rows: "
                                 "4}' --set parameters.htile=2 --set platform.bus.enabled=off")
                                 .at("time_s");
    CHECK(result.at("points").at(3).at("engines").at("event").at("time") == predicted);
}

TEST_CASE("a study has the hash of every file that its points read, and the scenario as run") {
    const Scratch scratch;
    const std::string model = "import \"part.psl\"\n" + iterating("compute pause()");
    scratch.file("part.psl", "function pause(): time = 1us\n");
    scratch.file("m.psl", model);
    scratch.file("base.yaml", "like: " + (kRoot / "platforms/xt4.yaml").string() + "\nname: base\n");
    scratch.file("h.yaml", "like: base.yaml\nname: mine\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: h.yaml\nranks: {columns: 1, rows: 1}\n");
    const auto context = [&] {
        return json_of("study " + quoted(scenario) + " --vary ranks.columns=2,3 --set iterations=4 --engines event " +
                       out(scratch.folder() / "out"))
            .at("context");
    };
    const json before = context();
    CHECK(before.at("scenario").at("iterations") == 4);
    CHECK(before.at("scenario").at("ranks").at("columns") == 2);
    CHECK(holds(before.at("command"), "--vary ranks.columns=2,3"));
    const auto changed = [&](const std::string& name, const std::string& text) {
        scratch.file(name, text);
        const json after = context();
        std::vector<std::string> names;
        for (const auto& [path, hash] : after.at("inputs").items()) {
            if (before.at("inputs").at(path) != hash) names.push_back(std::filesystem::path(path).filename().string());
        }
        return names;
    };
    CHECK(changed("m.psl", model + "// changed\n") == std::vector<std::string>{"m.psl"});
    CHECK(changed("part.psl", "function pause(): time = 2us\n") == std::vector<std::string>{"m.psl", "part.psl"});
    CHECK(changed("base.yaml", "like: " + (kRoot / "platforms/xt4.yaml").string() + "\nname: other\n") ==
          std::vector<std::string>{"base.yaml", "m.psl", "part.psl"});
}

TEST_CASE("a study of a model without a closed form stops before its first run, and names the remedy") {
    const Scratch scratch;
    scratch.file("m.psl", iterating("compute 1us"));
    const auto scenario =
        quoted(scratch.file("s.yaml", "model: m.psl\nplatform: " + (kRoot / "platforms/xt4.yaml").string() +
                                          "\nranks: {columns: 1, rows: 1}\n"));
    const std::string study = "study " + scenario + " --vary ranks.columns=2,3 " + out(scratch.folder() / "out");
    const Outcome refused = invoke(study);
    CHECK(refused.status == 2);
    CHECK(holds(refused.err, "s.yaml:1:8: error: the model `"));
    CHECK(holds(refused.err, "declares no closed form"));
    CHECK(holds(refused.err, "`--engines event` of `study` and `compare`"));
    CHECK(finished_points(scratch.folder() / "out") == 0);
    CHECK(invoke(study + "--engines event").status == 0);
    const Outcome run = invoke("run " + scenario + " --engine analytic");
    CHECK(run.status == 2);
    CHECK(holds(run.err, "`--engine event` of `run`"));
}

TEST_CASE("any number of jobs, and points one by one in any order, give the same bytes") {
    const Scratch one, two, single;
    CHECK(invoke(kHeights + "--jobs 1 " + out(one.folder())).status == 0);
    CHECK(invoke(kHeights + "--jobs 3 " + out(two.folder())).status == 0);
    CHECK(invoke(kHeights + "--count").out == "6\n");
    for (const int point : {5, 0, 3, 2, 1, 4}) {
        CHECK(invoke(kHeights + fmt::format("--point {} --quiet ", point) + out(single.folder())).status == 0);
    }
    CHECK(finished_points(single.folder()) == 6);
    CHECK(!std::filesystem::exists(single.folder() / "study.csv"));
    CHECK(invoke(kHeights + out(single.folder())).status == 0);
    CHECK(answers_in(two.folder()) == answers_in(one.folder()));
    CHECK(answers_in(single.folder()) == answers_in(one.folder()));
}

TEST_CASE("a study that was killed resumes: finished points are not run again") {
    const Scratch scratch, whole;
    const Words words{"study",  "models/sweep3d/billion.yaml", "--set",  "iterations=2",
                      "--set",  "ranks={columns: 8, rows: 8}", "--set",  "cells_per_rank={x: 4, y: 4}",
                      "--vary", "parameters.nz=40..280..20",   "--jobs", "1",
                      "--out"};
    std::string command;
    for (const std::string& word : words) command += fmt::format("'{}' ", word);
    {
        Words with_folder = words;
        with_folder.push_back(scratch.folder().string());
        const Child child(with_folder);
        while (finished_points(scratch.folder()) < 3 && child.goes_on()) std::this_thread::yield();
        child.send(SIGKILL);
    }
    const std::size_t before = finished_points(scratch.folder());
    CHECK(before >= 3);
    CHECK(!std::filesystem::exists(scratch.folder() / "study.csv"));
    std::vector<std::filesystem::file_time_type> written;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.folder() / "points")) {
        if (entry.path().extension() == ".json") written.push_back(entry.last_write_time());
    }
    CHECK(invoke(command + quoted(scratch.folder())).status == 0);
    CHECK(finished_points(scratch.folder()) == 13);
    std::size_t untouched = 0;
    for (const auto& entry : std::filesystem::directory_iterator(scratch.folder() / "points")) {
        if (std::ranges::count(written, entry.last_write_time()) > 0) ++untouched;
    }
    CHECK(untouched >= before);
    CHECK(invoke(command + quoted(whole.folder())).status == 0);
    CHECK(answers_in(scratch.folder()) == answers_in(whole.folder()));
}

TEST_CASE("a study with seeds has the means of `run --seeds`, on any number of jobs, and resumes with more seeds") {
    const std::string scenario =
        "models/chimaera/chimaera.yaml --set iterations=1 --set 'ranks={columns: 4, rows: 4}' "
        "--set noise.cv=0.1 ";
    const std::string study = "study " + scenario + "--vary parameters.htile=1,2 --best time --seeds ";
    const Scratch one, two;
    CHECK(invoke(study + "3 --jobs 1 " + out(one.folder())).status == 0);
    CHECK(invoke(study + "2 --jobs 2 " + out(two.folder())).status == 0);
    CHECK(finished_points(two.folder()) == 4);
    const Outcome resumed = invoke(study + "3 --jobs 2 " + out(two.folder()));
    CHECK(finished_points(two.folder()) == 6);
    CHECK(answers_in(two.folder()) == answers_in(one.folder()));
    const json result = json::parse(text_of(one.folder() / "study.json"));
    const json run = json_of("run " + scenario + "--set parameters.htile=2 --seeds 3");
    const json& event = result.at("points").at(1).at("engines").at("event");
    CHECK(event.at("time").get<double>() == approx(run.at("ensemble").at("mean_s").get<double>()).epsilon(1e-12));
    CHECK(event.at("ci95").at("time").at(0).get<double>() ==
          approx(run.at("ensemble").at("ci95_s").at(0).get<double>()).epsilon(1e-9));
    CHECK(result.at("best").at(0).contains("next"));
    CHECK(holds(resumed.out, "Each point with noise is the mean of 3 seeds"));
    CHECK(holds(result.at("context").at("command").get<std::string>(), " --seeds 3"));
    CHECK(holds(invoke(study + "2 --set noise=off " + out(one.folder())).err, "`--seeds` has no effect"));
}

TEST_CASE("a study of uncertain values notes that their deviations have no effect") {
    const Scratch scratch;
    const std::string study =
        "study models/chimaera/chimaera.yaml --set iterations=1 --set 'ranks={columns: 2, rows: 2}' "
        "--vary 'parameters.wg=0.8us +- 0.1us,0.9us' --engines analytic ";
    CHECK(holds(invoke(study + out(scratch.folder())).out,
                "note: 1 of 2 points: the deviations of values (`+-`) have no effect on this result"));
}

TEST_CASE("Ctrl-C ends a study with status 130, reports its progress, and leaves no table") {
    const Scratch scratch;
    Words words = endless_run();
    words[0] = "study";
    words.erase(words.begin() + 2, words.begin() + 4);  // --replay full
    words.insert(words.end(), {"--set", "noise.cv=0.1", "--vary", "parameters.mk=1,2", "--out",
                               (scratch.folder() / "out").string()});
    Child child(words);
    std::this_thread::sleep_for(kUnderWay);
    child.send(SIGINT);
    const Outcome outcome = child.end();
    CHECK(outcome.status == 130);
    CHECK(holds(outcome.err, ", 0 of 2 points done; repeat the command to resume"));
    CHECK(answers_in(scratch.folder() / "out").empty());
}

TEST_CASE("faults: an option, and values of axes with their places in the study") {
    const Scratch scratch;
    CHECK(holds(invoke(kHeights + "--point 6 " + out(scratch.folder())).err,
                "there is no point 6 in a study with 6 points"));
    const auto study = scratch.file("s.yaml", "scenario: " + (kRoot / "models/lu/lu.yaml").string() +
                                                  "\naxes:\n  - parameters.htil: [1, 2]\n  - ranks.columns: [4, 0]\n");
    const Outcome checked = invoke("check " + quoted(study));
    CHECK(checked.status == 2);
    CHECK(holds(checked.err, "s.yaml:3:23: error: `lu` has no parameter `htil`\n"));
    CHECK(holds(invoke("study " + quoted(study)).err, "s.yaml:4:24: error: `0` is out of range\n"));
}

TEST_CASE("a point that deadlocks is named with its fault; the others are run and written, and the exit status is 1") {
    const Scratch scratch;
    scratch.file("m.psl",
                 "application a {\n    param late: int = 0\n    iteration k {\n        if late > 0 {\n"
                 "            recv from upstream_x(northwest)\n            recv from upstream_x(southeast)\n"
                 "            send 8B to upstream_x(northwest)\n            send 8B to upstream_x(southeast)\n"
                 "        }\n    }\n}\n");
    const auto scenario = scratch.file("a.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                                 "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n");
    const std::string study = "study " + quoted(scenario) + " --vary parameters.late=0,1,-1 --engines event --jobs 1 ";
    const Outcome outcome = invoke(study + out(scratch.folder() / "out"));
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "point 1 (parameters.late=1), event: deadlock"));
    CHECK(count(outcome.err, "point ") == 1);
    CHECK(holds(outcome.out, "parameters.late  event time s\n"));
    CHECK(finished_points(scratch.folder() / "out") == 2);  // the one that failed is run again
    CHECK(text_of(scratch.folder() / "out/study.csv") ==
          "point,parameters.late,ranks,nodes,event time s\n0,0,2,2,0\n1,1,2,2,\n2,-1,2,2,0\n");
    const json written = json::parse(text_of(scratch.folder() / "out/study.json"));
    CHECK_FALSE(written.at("points").at(1).at("engines").contains("event"));
    REQUIRE(written.at("failed").size() == 1);
    CHECK(written.at("failed").at(0).at("point") == 1);
    CHECK(written.at("failed").at(0).at("fault").get<std::string>().starts_with("deadlock: 2 ranks wait"));
    CHECK(invoke(study + out(scratch.folder() / "out") + "--quiet").err == outcome.err);
}

TEST_CASE("check reports the points and engines of a good study") {
    const Scratch scratch;
    const auto study = scratch.file("s.yaml", "scenario: " + (kRoot / "models/lu/lu.yaml").string() +
                                                  "\naxes: [{parameters.htile: [1, 2]}, {ranks.columns: [2, 4, 8]}]\n");
    CHECK(holds(invoke("check " + quoted(study)).out, "s.yaml: ok\nnote: 6 points by event, analytic\n"));
}
