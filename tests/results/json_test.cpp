
#include "simulator/results/json.hpp"
#include "tests/approx.hpp"
#include "tests/results/example.hpp"

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
    CHECK(json["closed_form_s"].get<double>() == test::approx(80e-6));
    CHECK(json["last_rank"].dump() == R"({"rank":3,"column":2,"row":2})");
    context.grid = {2, 1, 2};
    CHECK(to_json(record, context, {}, {})["last_rank"].dump() == R"({"rank":3,"column":2,"row":1,"plane":2})");
    // ranks finish at 70, 80, 90 and 100 us
    CHECK(shown(json["over_ranks"]["finish_s"]) ==
          "{least: 7e-05, least_rank: 0, mean: 8.5e-05, most: 0.0001, most_rank: 3}");
    CHECK(json["over_ranks"].size() == 10);
}

TEST_CASE("an event result has exactly these keys, in this order") {
    const auto json = to_json(example_record(), example_context());
    CHECK(keys(json) == Keys{"schema", "engine", "ranks", "nodes", "iterations", "time_s", "iteration_s", "last_rank",
                             "breakdown", "work", "digest", "notes", "context"});
    CHECK(keys(json["context"]) == Keys{"version", "inputs", "scenario", "seed", "host"});
}

TEST_CASE("how collectives are performed stands before the work, of engines that step them") {
    Context context = example_context();
    context.collectives = {{"allreduce", "ring", "Open MPI 4.1: up to 7 B on up to 3 ranks", 2, 3, Bytes{4}, Bytes{7}},
                           {"scatterv", "linear", "default", 4, 4}};
    const auto json = to_json(example_record(), context);
    CHECK(keys(json) == Keys{"schema", "engine", "ranks", "nodes", "iterations", "time_s", "iteration_s", "last_rank",
                             "breakdown", "collectives", "work", "digest", "notes", "context"});
    CHECK(shown(json["collectives"]) ==
          R"([{operation: "allreduce", algorithm: "ring", because: "Open MPI 4.1: up to 7 B on up to 3 ranks", )"
          R"(bytes: [4, 7], ranks: [2, 3]}, {operation: "scatterv", algorithm: "linear", because: "default", )"
          R"(ranks: [4, 4]}])");
    CHECK_FALSE(to_json(closed_form_record(), context).contains("collectives"));
}

TEST_CASE("a closed form leaves out fields without a true value") {
    const auto json = to_json(closed_form_record(), example_context());
    CHECK(keys(json) ==
          Keys{"schema", "engine", "ranks", "nodes", "iterations", "time_s", "iteration_s", "notes", "context"});
    CHECK(json["engine"] == "analytic");
}

TEST_CASE("an event result has the size of the run, its times in seconds, the counted work and its notes") {
    record::Record record = example_record();
    record.work->collective_messages = 3'000;
    record.work->collective_messages_replayed = 2'000;
    const auto json = to_json(record, example_context());
    CHECK(json["schema"] == "warpfront.result/1");
    CHECK(json["engine"] == "event");
    CHECK(std::vector<int>{json["ranks"], json["nodes"], json["iterations"]} == std::vector{4, 2, 3});
    CHECK(json["time_s"].get<double>() == test::approx(100e-6).epsilon(1e-14));
    // pairs of a duration and the number of equal iterations
    CHECK(shown(json["iteration_s"]) == "[[3e-05, 2], [4e-05, 1]]");
    CHECK(shown(json["breakdown"]) ==
          "{compute_s: 6e-05, send_s: 1.2e-05, recv_s: 8e-06, wait_s: 1e-05, bus_wait_s: 2e-06, processing_wait_s: 0, "
          "nic_wait_s: 1e-06, link_wait_s: 2e-06, collective_s: 5e-06}");
    double sum = 0.0;
    for (const auto& part : json["breakdown"]) sum += part.get<double>();
    CHECK(sum == test::approx(json["time_s"].get<double>()).epsilon(1e-12));
    CHECK(shown(json["work"]) ==
          "{messages: 12000, messages_replayed: 6000, collective_messages: 3000, collective_messages_replayed: 2000, "
          "events: 20000, wall_s: 0.5, cpu_s: 0.25, peak_rss_bytes: 4096, state_bytes: 1024, threads: 1}");
    // those of model and machine come before those of the engine
    CHECK(json["notes"] == nlohmann::ordered_json::array({"the torus was grown", "3 of 9 iterations were simulated"}));
}

TEST_CASE("links with waiting messages are listed, the hottest first") {
    CHECK(shown(to_json(record_with_links(), example_context())["link_waits"]) ==
          "{all_s: 7e-06, hottest: [{link: \"(1, 0) to (2, 0)\", wait_s: 4e-06}, "
          "{link: \"(3, 0) to (2, 0)\", wait_s: 2e-06}]}");
    CHECK_FALSE(to_json(example_record(), example_context()).contains("link_waits"));
    record::Record record = record_with_links();
    record.rank_breakdown.assign(4, *record.breakdown);  // each waited 2 us for links
    CHECK(to_json(record, example_context())["link_waits"]["ranks_s"].get<double>() ==
          test::approx(8e-6).epsilon(1e-14));
}

TEST_CASE("a time of millennia keeps fifteen digits") {
    record::Record record = closed_form_record();
    record.finish = WideTime{Wide{1'000'000'000'000} * 123'456'789'012};  // 123456789012 s, 3,912 years
    CHECK(to_json(record, example_context())["time_s"].get<double>() == test::approx(123456789012.0).epsilon(1e-15));
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
