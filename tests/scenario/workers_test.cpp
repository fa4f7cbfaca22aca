// The cores that a scenario provides for lists of tasks.
#include "simulator/scenario/scenario.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::scenario;

namespace {

/// Four nodes of two cores.
constexpr const char* kNodes =
    "model: m.psl\nplatform: m.yaml\nranks: {columns: 4, rows: 2}\nnode: {columns: 2, rows: 1}\n";

WorkersKey workers(const std::string& value, const std::string& schedule = "") {
    const Scratch scratch;
    if (!schedule.empty()) scratch.file("batch.csv", schedule);
    const auto file = scratch.file("s.yaml", kNodes + ("workers: " + value + "\n"));
    return read_scenario(read_document(file, {})).workers;
}

std::string refused_workers(const std::string& value, const std::string& schedule = "") {
    return summary_of(faults_of([&] { workers(value, schedule); }));
}

}  // namespace

TEST_CASE("all cores are available by default") {
    const Scratch scratch;
    const WorkersKey key = read_scenario(read_document(scratch.file("s.yaml", kNodes), {})).workers;
    CHECK_FALSE(key.given);
    CHECK(key.availability.complete());
}

TEST_CASE("a schedule has a time, a node and its cores from then on") {
    const WorkersKey key = workers("{schedule: batch.csv, joining: by_turn}", "at,node,cores\n0s,3,0\n90min,3,2\n");
    REQUIRE(key.availability.changes.size() == 2);
    CHECK(key.availability.changes[1].at == Time{5400 * std::int64_t{1'000'000'000'000}});
    CHECK(key.availability.changes[1].node == Node{3});
    CHECK(key.availability.changes[1].cores == 2);
    CHECK(key.availability.by_turn);
}

TEST_CASE("cores are drawn from none to all of a node by default") {
    const WorkersKey key = workers("{drawn: {every: 1s}}");
    CHECK(key.availability.drawn->least == 0);
    CHECK(key.availability.drawn->most == 2);
}

TEST_CASE("lost nodes are back after their repair, or not at all") {
    const WorkersKey key = workers("{lost: [{node: 1, at: 2us, repaired: 1us}, {node: 0, at: 3us}]}");
    REQUIRE(key.availability.lost.size() == 2);
    CHECK(key.availability.lost[0].repaired == Time{1'000'000});
    CHECK_FALSE(key.availability.lost[1].repaired);
}

TEST_CASE("faults of workers stand at their words") {
    CHECK(refused_workers("{lost: [{node: 4, at: 1s}]}").find("out_of_range [4]") != std::string::npos);
    CHECK(refused_workers("{lost: 3}").find("`lost` is not a list") != std::string::npos);
    CHECK(refused_workers("{drawn: {every: 999999ps}}").find("`every` is below 1us") != std::string::npos);
    CHECK(refused_workers("{drawn: {every: 1us}}") == "");
    CHECK(refused_workers("{drawn: {most: 0, every: 1s}}").find("out_of_range [0]") != std::string::npos);
    CHECK(refused_workers("{drawn: {least: 2, most: 1, every: 1s}}").find("`most` is below `least`") !=
          std::string::npos);
    CHECK(refused_workers("{drawn: {most: 3, every: 1s}}").find("out_of_range [3]") != std::string::npos);
    CHECK(refused_workers("{schedule: batch.csv, drawn: {every: 1s}}", "at,node,cores\n0s,0,0\n")
              .find("both `drawn` and `schedule` are given") != std::string::npos);
    CHECK(refused_workers("{schedule: batch.csv}", "at,core,node\n0s,1,1\n").find("unknown_column [core]") !=
          std::string::npos);
    CHECK(refused_workers("{schedule: batch.csv}", "at,node\n0s,1\n").find("the schedule has no column `cores`") !=
          std::string::npos);
    CHECK(refused_workers("{schedule: batch.csv}", "at,node,cores\n0s,4,1\n").find("out_of_range [4]") !=
          std::string::npos);
}
