#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "simulator/results/json.hpp"
#include "tests/results/example.hpp"

using namespace warpfront;
using namespace warpfront::results;

namespace {

std::vector<std::string> keys(const nlohmann::ordered_json& object) {
    std::vector<std::string> names;
    for (const auto& [key, value] : object.items()) names.push_back(key);
    return names;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("the last rank is named with its column and row, the closed form beside it, and the parts over all ranks") {
    record::Record record = example_record();
    record.rank_breakdown.assign(4, *record.breakdown);
    Context context = example_context();
    context.grid = {2, 2};
    const auto json = to_json(record, context, {}, WideTime{microseconds(80)});
    CHECK(json["closed_form_s"].get<double>() == doctest::Approx(80e-6));
    CHECK(json["last_rank"].dump() == R"({"rank":3,"column":2,"row":2})");
    context.grid = {2, 1, 2};
    CHECK(to_json(record, context, {}, {})["last_rank"].dump() == R"({"rank":3,"column":2,"row":1,"plane":2})");
    const auto& finish = json["over_ranks"]["finish_s"];  // ranks finish at 70, 80, 90 and 100 us
    CHECK(keys(finish) == Keys{"least", "least_rank", "mean", "most", "most_rank"});
    CHECK(finish["least"].get<double>() == doctest::Approx(70e-6));
    CHECK(finish["mean"].get<double>() == doctest::Approx(85e-6));
    CHECK(finish["most_rank"] == 3);
    CHECK(json["over_ranks"].size() == 9);
}

TEST_CASE("an event result has exactly these keys, in this order") {
    const auto json = to_json(example_record(), example_context());
    CHECK(keys(json) == Keys{"schema", "engine", "ranks", "nodes", "iterations", "time_s", "iteration_s", "last_rank",
                             "breakdown", "work", "digest", "notes", "context"});
    CHECK(keys(json["breakdown"]) ==
          Keys{"compute_s", "send_s", "recv_s", "wait_s", "bus_wait_s", "nic_wait_s", "link_wait_s", "collective_s"});
    CHECK(keys(json["work"]) == Keys{"messages", "messages_replayed", "collective_messages",
                                     "collective_messages_replayed", "events", "wall_s", "cpu_s", "peak_rss_bytes",
                                     "state_bytes", "threads"});
    CHECK(keys(json["context"]) == Keys{"version", "inputs", "scenario", "seed", "host"});
}

TEST_CASE("a closed form leaves out fields without a true value") {
    const auto json = to_json(closed_form_record(), example_context());
    CHECK(keys(json) ==
          Keys{"schema", "engine", "ranks", "nodes", "iterations", "time_s", "iteration_s", "notes", "context"});
    CHECK(json["engine"] == "analytic");
}

TEST_CASE("the result names its version, its engine and the size of the run") {
    const auto json = to_json(example_record(), example_context());
    CHECK(json["schema"] == "warpfront.result/1");
    CHECK(json["engine"] == "event");
    CHECK(json["ranks"] == 4);
    CHECK(json["nodes"] == 2);
    CHECK(json["iterations"] == 3);
}

TEST_CASE("times are seconds") {
    const auto json = to_json(example_record(), example_context());
    CHECK(json["time_s"].get<double>() == doctest::Approx(100e-6).epsilon(1e-14));
    CHECK(json["breakdown"]["compute_s"].get<double>() == doctest::Approx(60e-6).epsilon(1e-14));
    CHECK(json["breakdown"]["send_s"].get<double>() == doctest::Approx(12e-6).epsilon(1e-14));
    CHECK(json["breakdown"]["recv_s"].get<double>() == doctest::Approx(8e-6).epsilon(1e-14));
    CHECK(json["breakdown"]["wait_s"].get<double>() == doctest::Approx(10e-6).epsilon(1e-14));
}

TEST_CASE("links with waiting messages are listed, the hottest first") {
    const auto waits = to_json(record_with_links(), example_context())["link_waits"];
    CHECK(waits["all_s"].get<double>() == doctest::Approx(7e-6).epsilon(1e-14));
    REQUIRE(waits["hottest"].size() == 2);
    CHECK(waits["hottest"][0]["link"] == "(1, 0) to (2, 0)");
    CHECK(waits["hottest"][0]["wait_s"].get<double>() == doctest::Approx(4e-6).epsilon(1e-14));
    CHECK_FALSE(to_json(example_record(), example_context()).contains("link_waits"));
    CHECK(keys(waits) == Keys{"all_s", "hottest"});
    record::Record record = record_with_links();
    record.rank_breakdown.assign(4, *record.breakdown);  // each waited 2 us for links
    CHECK(to_json(record, example_context())["link_waits"]["ranks_s"].get<double>() ==
          doctest::Approx(8e-6).epsilon(1e-14));
}

TEST_CASE("the parts of the breakdown add up to the time") {
    const auto json = to_json(example_record(), example_context());
    double sum = 0.0;
    for (const auto& part : json["breakdown"]) sum += part.get<double>();
    CHECK(sum == doctest::Approx(json["time_s"].get<double>()).epsilon(1e-12));
}

TEST_CASE("a time of millennia keeps fifteen digits") {
    record::Record record = closed_form_record();
    record.finish = WideTime{Wide{1'000'000'000'000} * 123'456'789'012};  // 123456789012 s, 3,912 years
    CHECK(to_json(record, example_context())["time_s"].get<double>() == doctest::Approx(123456789012.0).epsilon(1e-15));
}

TEST_CASE("iterations are pairs of a duration and how many were alike") {
    const auto list = to_json(example_record(), example_context())["iteration_s"];
    REQUIRE(list.size() == 2);
    CHECK(list[0][0].get<double>() == doctest::Approx(30e-6).epsilon(1e-14));
    CHECK(list[0][1] == 2);
    CHECK(list[1][0].get<double>() == doctest::Approx(40e-6).epsilon(1e-14));
    CHECK(list[1][1] == 1);
}

TEST_CASE("the work is reported as counted") {
    record::Record record = example_record();
    record.work->collective_messages = 3'000;
    record.work->collective_messages_replayed = 2'000;
    const auto work = to_json(record, example_context())["work"];
    CHECK(work["messages"] == 12'000);
    CHECK(work["messages_replayed"] == 6'000);
    CHECK(work["collective_messages"] == 3'000);
    CHECK(work["collective_messages_replayed"] == 2'000);
    CHECK(work["events"] == 20'000);
    CHECK(work["wall_s"] == 0.5);
    CHECK(work["cpu_s"] == 0.25);
    CHECK(work["peak_rss_bytes"] == 4096);
    CHECK(work["state_bytes"] == 1024);
    CHECK(work["threads"] == 1);
}

TEST_CASE("the notes of model and machine come before those of the engine") {
    CHECK(to_json(example_record(), example_context())["notes"] ==
          nlohmann::ordered_json::array({"the torus was grown", "3 of 9 iterations were stepped"}));
}

TEST_CASE("the context identifies the origin of the result") {
    const auto context = to_json(example_record(), example_context())["context"];
    CHECK(context["version"] == "1.2.3");
    CHECK(context["inputs"]["deck.yaml"] == "aa");
    CHECK(context["inputs"]["code.psl"] == "bb");
    CHECK(context["scenario"]["ranks"]["rows"] == 2);
    CHECK(context["host"] == "here, a processor, 2 cores, an OS");
}

TEST_CASE("the text of a result is read back as the same result") {
    const auto json = to_json(example_record(), example_context());
    const std::string text = json_text(json);
    CHECK(text.ends_with("}\n"));
    CHECK(nlohmann::ordered_json::parse(text) == json);
}

TEST_CASE("a path that is not UTF-8 does not keep a result from being written") {
    Context context = example_context();
    context.inputs = {{"deck\xFF.yaml", "aa"}};
    const std::string text = json_text(to_json(example_record(), context));
    CHECK(text.find("deck\xEF\xBF\xBD.yaml") != std::string::npos);
}
