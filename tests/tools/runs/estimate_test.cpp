// An estimate as a table and as JSON.
#include "tools/answer/runs/estimate.hpp"

#include <nlohmann/json.hpp>

#include "tests/tools/experiments.hpp"

namespace {

const Estimate kEstimate{.messages = 12'000,
                         .messages_stepped = 3'000,
                         .collective_messages = 700,
                         .collective_messages_stepped = 70,
                         .state = {2048},
                         .peak_rss = {std::int64_t{3} << 20},
                         .available = {std::int64_t{1} << 30},
                         .fits = true,
                         .wall_s = 12.5};

}  // namespace

TEST_CASE("the table has messages, memory and time") {
    CHECK(render(kEstimate) ==
          "messages        12,000\n"
          "simulated       3,000 (all of them, if the iterations do not recur)\n"
          "in allreduces   700 further messages, 70 of them simulated\n"
          "memory          3 MiB, 2 KiB of it the engine's state\n"
          "available       1 GiB\n"
          "wall time       12.5s\n");
}

TEST_CASE("if all messages are simulated, recurrence is not mentioned") {
    Estimate full = kEstimate;
    full.messages_stepped = full.messages;
    CHECK(holds(render(full), "simulated       12,000\n"));
}

TEST_CASE("the JSON has the same numbers in full") {
    CHECK(to_json(kEstimate).dump() == R"({"schema":"warpfront.estimate/1","messages":12000,"messages_stepped":3000,)"
                                       R"("collective_messages":700,"collective_messages_stepped":70,)"
                                       R"("peak_rss_bytes":3145728,"state_bytes":2048,"wall_s":12.5})");
}

TEST_CASE("while iterations are expected to recur, the time is estimated for both cases") {
    Estimate estimate = kEstimate;
    estimate.wall_s_without_recurrence = 48.25;
    CHECK(render(estimate).ends_with("wall time       12.5s; 48.2s if the iterations do not recur\n"));
    CHECK(to_json(estimate).at("wall_s_without_recurrence") == 48.25);
}

TEST_CASE("a run that does not fit has no time") {
    Estimate estimate = kEstimate;
    estimate.fits = false;
    estimate.wall_s.reset();
    CHECK(render(estimate).ends_with("wall time       not estimated: the run does not fit into memory\n"));
    CHECK_FALSE(to_json(estimate).contains("wall_s"));
}

TEST_CASE("if no message was simulated while the run was timed, its time is unknown") {
    Estimate estimate = kEstimate;
    estimate.wall_s.reset();
    CHECK(render(estimate).ends_with(
        "wall time       unknown: no message or task was simulated while the run was timed\n"));
    CHECK_FALSE(to_json(estimate).contains("wall_s"));
}

TEST_CASE("if senders may run ahead, the table and the JSON have the largest memory of their messages") {
    Estimate estimate = kEstimate;
    estimate.queued = {1'000'000, {std::int64_t{24} << 20}, {std::int64_t{1} << 30}};
    estimate.run_ahead = "rank 0 never waits for rank 1";
    CHECK(
        holds(render(estimate), "queued          at most 1,000,000 messages at once, which take 24 MiB more memory\n"));
    CHECK(render(estimate).ends_with("note: rank 0 never waits for rank 1\n"));
    CHECK(to_json(estimate).at("queued").dump() == R"({"messages":1000000,"bytes":25165824,"limit_bytes":1073741824})");
    estimate.queued->bytes = {std::int64_t{3} << 30};
    CHECK(holds(render(estimate), "3 GiB more memory; `run` fails if they take more than 1 GiB\n"));
}
