// `warpfront estimate`, and the actual needs of `run`.
#include "tests/end_to_end/program.hpp"

TEST_CASE("an estimate has messages, memory and time") {
    const Outcome outcome = invoke("estimate " + kSmall);
    CHECK(outcome.status == 0);
    CHECK(outcome.err == "");
    CHECK(lacking(outcome.out, {"messages ", "simulated ", "memory ", "available ", "wall time "}) == "");
    const json iteration = json_of("estimate " + kSmall + "--set iterations=1");
    CHECK(iteration.at("messages") == 24 * 8 * 10);
    CHECK(iteration.at("collective_messages") == 2 * 4 * 16);  // two allreduces of 16 ranks
}

TEST_CASE("a run that needs more memory than available is refused with both sizes before it allocates any") {
    // A million ranks need more than 500 MiB; the limit leaves them less.
    const std::string arguments =
        "models/lu/lu.yaml --set 'ranks={columns: 1024, rows: 1024}' --set platform=../../platforms/infiniband.yaml";
    const Outcome run =
        run_in(WARPFRONT_SOURCE_DIR, fmt::format("ulimit -v 400000; {} run {}", quoted(WARPFRONT_PROGRAM), arguments));
    CHECK(run.status == 2);
    CHECK(run.out == "");
    CHECK(holds(run.err, "the run needs "));
    CHECK(holds(run.err, "which is available on the host"));
}

TEST_CASE(
    "what messages of a sender that runs ahead take is beside the state, and `run` ends where they are too many") {
    const auto model = [](int trips, const std::string& iterations) {
        const OwnModel sender(iterating(fmt::format("repeat {} {{ recv from west send 8B to east }}", trips)),
                              "{columns: 2, rows: 1}", "iterations: " + iterations + "\n");
        return invoke("estimate " + sender.argument() + (iterations == "1" ? "--json -" : "")).out;
    };
    // 400,000 messages of 40 bytes and more, 16 MB and more; two ranks take little.
    const json estimate = json::parse(model(400'000, "1"));
    CHECK(estimate.at("messages_stepped") == 400'000);
    CHECK(estimate.at("queued").at("bytes") >= 400'000 * 40);
    CHECK(estimate.at("state_bytes") < 4'000'000);
    const OwnModel ahead(iterating("repeat 40 { recv from west send 8B to east }"), "{columns: 2, rows: 1}",
                         "iterations: 1\n");
    const json queued = json_of("estimate " + ahead.argument());
    CHECK(queued.at("queued").at("messages") == 40);
    CHECK(queued.at("state_bytes") == json_of("run " + ahead.argument()).at("work").at("state_bytes"));
    const std::string table = model(1'000'000, "1000000");
    CHECK(holds(table, "at most 1,000,000,000,000 messages at once"));
    CHECK(holds(table, "`run` fails if they take more than"));
    CHECK(holds(table, "note: on 2 x 2 ranks rank 0 (column 1, row 1) never waits for rank 1"));
}

TEST_CASE("an estimate of task lists has their time and memory, and no messages") {
    const json estimate = json_of("estimate models/tasks/loop.yaml");
    CHECK(estimate.at("messages") == 0);
    CHECK(estimate.at("wall_s").get<double>() < 10.0);
    CHECK(estimate.at("peak_rss_bytes") > 1'000'000);
    CHECK_FALSE(estimate.contains("state_bytes"));
    CHECK_FALSE(holds(invoke("estimate models/tasks/loop.yaml").out, "messages "));
}
