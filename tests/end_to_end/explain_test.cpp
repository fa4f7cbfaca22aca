// `warpfront explain` and `run --path`: the longest chain of events, and what would help.
#include <regex>
#include <string>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

double sum_of(const json& path) {
    double sum = 0.0;
    for (const char* part : {"compute_s", "overhead_s", "latency_s", "bandwidth_s", "contention_s"}) {
        sum += path.at(part).get<double>();
    }
    return sum;
}

}  // namespace

TEST_CASE("explain says what binds and what would help, and changes no time") {
    const Outcome outcome = invoke("explain " + kSmall);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    for (const char* part : {"predicted time", "the longest chain of events consists of", "latency", " binds: "}) {
        CAPTURE(part);
        CHECK(holds(outcome.out, part));
    }
    const json result = json_of("explain " + kSmall);
    const json run = json_of("run " + kSmall);
    CHECK(result["digest"] == run["digest"]);
    CHECK(sum_of(result["critical_path"]) == doctest::Approx(run["time_s"].get<double>()).epsilon(1e-12));
    CHECK_FALSE(run.contains("critical_path"));
}

TEST_CASE("runs with a tenth less of each cost are those that the path foresees, within a hundredth of the time") {
    const Outcome outcome = invoke("explain " + kSmall + "--reruns");
    CHECK(outcome.status == 0);
    const std::string table = outcome.out.substr(outcome.out.find("run again with"));
    const std::regex line(R"(\n  (\w+) x 0.9 +([0-9.]+)(\w+) +([0-9.]+)(\w+))");
    std::size_t lines = 0;
    for (std::sregex_iterator found(table.begin(), table.end(), line), end; found != end; ++found, ++lines) {
        CAPTURE((*found)[1].str());
        CHECK((*found)[3] == (*found)[5]);  // the unit
        CHECK(std::stod((*found)[2]) == doctest::Approx(std::stod((*found)[4])).epsilon(1e-2));
    }
    CHECK(lines >= 4);
}

TEST_CASE("the JSON has the runs again that the table has, and none without --reruns") {
    const json result = json_of("explain --reruns " + kSmall);
    const std::string shown = invoke("explain --reruns " + kSmall).out;
    CHECK(result.at("reruns").size() >= 4);
    for (const json& each : result.at("reruns")) {
        const auto part = each.at("part").get<std::string>();
        CAPTURE(part);
        CHECK(holds(shown, "\n  " + part + " x 0.9 "));
        CHECK(each.at("factor") == 0.9);
        const double saved = 0.1 * result.at("critical_path").at(part + "_s").get<double>();
        CHECK(each.at("foreseen_s").get<double>() == doctest::Approx(result.at("time_s").get<double>() - saved));
        CHECK(each.at("time_s").get<double>() == doctest::Approx(each.at("foreseen_s").get<double>()).epsilon(1e-2));
    }
    CHECK_FALSE(json_of("explain " + kSmall).contains("reruns"));
}

TEST_CASE("an ensemble has no critical path") {
    CHECK(invoke("run --path --seeds 3 " + kSmall + "--set noise.cv=0.1").status == 2);
    CHECK(invoke("run --path --engine analytic " + kSmall).status == 2);
}

TEST_CASE("the fill is what does not grow with the planes of a sweep, to a hundredth") {
    const std::string code =
        "models/sweep3d/billion.yaml --set iterations=1 --set calibration=off --set parameters.fixup_iterations=0 "
        "--set parameters.mk=5 --set ranks.columns=16 --set ranks.rows=16 ";
    const json once = json_of("run --path " + code + "--set parameters.nz=250");
    const double fill = 2 * once["time_s"].get<double>() - time_of("run " + code + "--set parameters.nz=500");
    CHECK(once["critical_path"]["fill_s"].get<double>() == doctest::Approx(fill).epsilon(0.01));
}

TEST_CASE("the quantities of a run, of what binds it and of an estimate can be had as CSV") {
    CHECK(holds(invoke("run " + kSmall + "--csv -").out, "\ntime_s,"));
    CHECK(holds(invoke("explain " + kSmall + "--csv -").out, "\ncritical_path.compute_s,"));
    CHECK(holds(invoke("estimate " + kSmall + "--csv -").out, "\nmessages,"));
}

TEST_CASE("run and explain name the ranks that wait most") {
    const json most = json_of("run " + kSmall).at("most_waiting");
    REQUIRE(most.size() == 3);
    double sum = 0.0;
    for (const char* kind :
         {"wait_s", "bus_wait_s", "processing_wait_s", "nic_wait_s", "link_wait_s", "collective_s"}) {
        sum += most[0].at(kind).get<double>();
    }
    CHECK(most[0].at("all_s").get<double>() == doctest::Approx(sum).epsilon(1e-9));
    CHECK(most[0].at("all_s") >= most[1].at("all_s"));
    CHECK_FALSE(most[0].contains("first_iteration"));
    CHECK(json_of("explain " + kSmall).at("most_waiting")[0].at("rank") == most[0].at("rank"));
}

TEST_CASE("explain has the statements of every rank that it lists, over the whole run where that has few messages") {
    const std::string three = kSmall + "--set iterations=3 ";
    const Outcome shown = invoke("explain " + three);
    const json explained = json_of("explain " + three).at("most_waiting");
    REQUIRE(explained.size() == 3);
    CHECK(explained[0].at("first_iteration")[0].at("line") > 0);
    for (const json& rank : explained) {
        CAPTURE(rank.dump());
        const auto waited = [&](const char* key) {
            double sum = 0.0;
            for (const json& statement : rank.at(key)) sum += statement.at("time_s").get<double>();
            return sum;
        };
        CHECK(waited("first_iteration") > 0.0);
        CHECK(waited("whole_run") > waited("first_iteration"));
        // the breakdown counts all of a collective, these statements its waits
        CHECK(waited("whole_run") <= rank.at("all_s").get<double>() * (1 + 1e-9));
        CHECK(holds(shown.out, fmt::format("in the whole run, rank {} waits in\n", rank.at("rank").get<int>())));
    }
}

namespace {

/// Twelve tasks of `work` and of twice as much in turn, on two cores.
OwnModel tasks_of_two_lengths() {
    return OwnModel(
        "application m {\n"
        "    param work: time = 100us\n"
        "    tasks on core { task t[i in 1..12] { compute (if i % 2 == 0 then 2 * work else work) } }\n"
        "}\n",
        "{columns: 2, rows: 1}", "node: {columns: 2, rows: 1}\ncalibration: off\n");
}

}  // namespace

TEST_CASE("the path through tasks adds up to the time, and its computing is divided by task") {
    const OwnModel model = tasks_of_two_lengths();
    const json result = json_of("explain " + model.argument());
    const json path = result.at("critical_path");
    double sum = 0.0;
    for (const char* part : {"compute_s", "manager_s", "latency_s", "data_s", "sharing_s", "absent_s"}) {
        sum += path.at(part).get<double>();
    }
    CHECK(sum == doctest::Approx(result.at("time_s").get<double>()).epsilon(1e-12));
    CHECK(path.at("tasks")[0].at("name") == "t");
    CHECK(path.at("tasks")[0].at("compute_s") == path.at("compute_s"));
    CHECK(json_of("run --path " + model.argument()).at("critical_path") == path);
}

TEST_CASE("a run of tasks with a tenth less computing is that of a model with a tenth less work") {
    // the time depends on work alone: 18 of it, on two cores, the last task of two on one: 10
    const OwnModel model = tasks_of_two_lengths();
    CHECK(time_of("run " + model.argument()) == doctest::Approx(1000e-6));
    CHECK(time_of("run " + model.argument() + "--set parameters.work=90us") == doctest::Approx(900e-6));
    CHECK(holds(invoke("explain " + model.argument() + "--reruns").out,
                "  compute x 0.9                            900us        900us\n"));
    const json reruns = json_of("explain --reruns " + model.argument()).at("reruns");
    REQUIRE(reruns.size() == 1);  // nothing else takes time
    CHECK(reruns[0].at("part") == "compute");
    CHECK(reruns[0].at("factor") == 0.9);
    CHECK(reruns[0].at("foreseen_s").get<double>() == doctest::Approx(900e-6));
    CHECK(reruns[0].at("time_s").get<double>() == doctest::Approx(900e-6));
}
