
#include "simulator/results/summary.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "tests/approx.hpp"
#include "tests/results/caught.hpp"
#include "tests/results/example.hpp"

using namespace warpfront::results;
using nlohmann::ordered_json;

// Durations and counts are exact; the shares are those of 100 us: 60, 12, 8, 10, 5 and 5 %. 6,000 messages in 0.5 s
// are 12,000 per second; 100 us are 25 % above 80 us.

TEST_CASE("the table of an event run beside its closed form") {
    CHECK(summary(example_record(), example_context(), microseconds(80)) ==
          "predicted time  100us (event engine)\n"
          "iterations      2 x 30us, 1 x 40us\n"
          "closed form     80us (predicted is 25.00 % above it)\n"
          "ranks           4 on 2 nodes\n"
          "messages        12,000\n"
          "simulated       6,000 in 0.5s, 12,000 per second\n"
          "rank 3, the last to finish, spent\n"
          "  compute           60.000us    60.0 %\n"
          "  send              12.000us    12.0 %\n"
          "  recv               8.000us     8.0 %\n"
          "  wait              10.000us    10.0 %\n"
          "  bus wait           2.000us     2.0 %\n"
          "  nic wait           1.000us     1.0 %\n"
          "  link wait          2.000us     2.0 %\n"
          "  collective         5.000us     5.0 %\n"
          "note: the torus was grown\n"
          "note: 3 of 9 iterations were simulated\n");
}

TEST_CASE("one node is singular, and so is one message; a run of half an hour has no exponent") {
    record::Record record = example_record();
    record.work->wall_s = 1936.4;
    record.unexpected = record::UnexpectedMessages{.messages = 1, .copying = microseconds(2)};
    results::Context context = example_context();
    context.ranks = context.nodes = 1;
    const std::string text = summary(record, context);
    CHECK(text.find("ranks           1 on 1 node\n") != std::string::npos);
    CHECK(text.find("1 message arrived before its receive was posted; the receiver spent 2us on it\n") !=
          std::string::npos);
    CHECK(text.find(" in 1940s, ") != std::string::npos);
}

TEST_CASE("a time has the digits that its 95 % interval leaves, to the second one of the half-width") {
    const auto head = [](double error) {
        record::Record record = example_record();
        record.finish = WideTime{7'551'440'123'456};
        results::Context context = example_context();
        context.error = PredictionError{error, 1'000'000};  // as a normal distribution
        const std::string text = summary(record, context);
        CHECK(headline(record, context) + text.substr(text.find('\n') + 1) == text);
        return text.substr(0, text.find("iterations"));
    };
    // 1.96 * 0.054 * 7.55144s = 0.799s; 1.96 * 0.001 * 7.55144s = 0.0148s; 1.96 * 0.5 * 7.55144s = 7.40s
    CHECK(head(0.054) == "predicted time  7.55s (event engine)\n95 % interval   6.75s to 8.35s\n");
    CHECK(head(0.001) == "predicted time  7.551s (event engine)\n95 % interval   7.537s to 7.566s\n");
    CHECK(head(0.5) == "predicted time  7.6s (event engine)\n95 % interval   0.2s to 15.0s\n");
    CHECK(head(1e-9) == "predicted time  7.55144s (event engine)\n95 % interval   7.55144s to 7.55144s\n");
    CHECK(head(0.0) == "predicted time  7.55144s (event engine)\n95 % interval   7.55144s to 7.55144s\n");
}

TEST_CASE("messages of allreduces are counted apart, and their stepping is part of the rate") {
    record::Record record = example_record();
    record.work->collective_messages = 3'000;
    record.work->collective_messages_replayed = 2'000;
    CHECK(summary(record, example_context())
              .find("messages        12,000 and 3,000 of allreduces\n"
                    "simulated       6,000 and 2,000 of allreduces in 0.5s, 16,000 per second\n") != std::string::npos);
}

TEST_CASE(
    "what messages waited for links is not what ranks waited: that stands below, where the ranks' parts are known") {
    record::Record record = record_with_links();
    record.rank_breakdown.assign(4, record::Breakdown{});
    CHECK(summary(record, example_context()).find("\nall ranks waited 0s for links outside collectives\n") !=
          std::string::npos);
    record.rank_breakdown[0].link_wait = microseconds(1);
    record.rank_breakdown[3].link_wait = microseconds(2);
    CHECK(summary(record, example_context()).find("\nall ranks waited 3us for links outside collectives\n") !=
          std::string::npos);
}

TEST_CASE("links with waiting messages follow the breakdown") {
    const std::string text = summary(record_with_links(), example_context());
    CHECK(text.find("all messages waited 7us for links, most of it for\n"
                    "  (1, 0) to (2, 0)                                    4us\n"
                    "  (3, 0) to (2, 0)                                    2us\n"
                    "note: ") != std::string::npos);
}

TEST_CASE("the table of a closed form") {
    CHECK(summary(closed_form_record(), example_context()) ==
          "predicted time  80us (analytic engine)\n"
          "iterations      2 x 40us\n"
          "ranks           4 on 2 nodes\n"
          "note: the torus was grown\n");
}

TEST_CASE("the table of a closed form has the parts that are not nothing, the fill and the rest") {
    record::Record record = closed_form_record();
    record.path = record::PathParts{
        .compute = microseconds(60), .overhead = microseconds(14), .latency = microseconds(4), .bus = microseconds(2)};
    record.fill = microseconds(20);
    record.nonwavefront = microseconds(4);
    CHECK(summary(record, example_context()) ==
          "predicted time  80us (analytic engine)\n"
          "iterations      2 x 40us\n"
          "ranks           4 on 2 nodes\n"
          "its terms, along the longest path\n"
          "  compute           60.000us    75.0 %\n"
          "  overhead          14.000us    17.5 %\n"
          "  latency            4.000us     5.0 %\n"
          "  bus                2.000us     2.5 %\n"
          "pipelines fill for 20us (25.0 %) and are full for 56us (70.0 %); the rest is 4us (5.0 %)\n"
          "note: the torus was grown\n");
    const auto json = to_json(record, example_context()).at("critical_path");
    CHECK(json.at("contention_s").get<double>() == approx(2e-6));
    CHECK(json.at("fill_s").get<double>() == approx(20e-6));
    CHECK(json.at("steady_s").get<double>() == approx(56e-6));
    CHECK(json.at("nonwavefront_s").get<double>() == approx(4e-6));
}

TEST_CASE("the table of a closed form without sweeps has no fill") {
    record::Record record = closed_form_record();
    record.path = record::PathParts{.overhead = microseconds(80)};
    record.fill = WideTime{};
    record.nonwavefront = microseconds(80);
    CHECK(summary(record, {}).ends_with("  overhead          80.000us   100.0 %\n"));
}

TEST_CASE("a prediction below the closed form is reported as below; beside a form of nothing it has no percentage") {
    CHECK(summary(closed_form_record(), {}, microseconds(100)).find("100us (predicted is 20.00 % below it)\n") !=
          std::string::npos);
    CHECK(summary(closed_form_record(), {}, WideTime{}).find("closed form     0s\n") != std::string::npos);
}

TEST_CASE("six kinds of iterations are shown, the rest is left out") {
    record::Record record = closed_form_record();
    record.iterations.clear();
    for (int at = 1; at <= 7; ++at) record.iterations.push_back({microseconds(at), 1});
    CHECK(summary(record, {}).find("iterations      1 x 1us, 1 x 2us, 1 x 3us, 1 x 4us, 1 x 5us, 1 x 6us, ...\n") !=
          std::string::npos);
}

TEST_CASE("a run that took no time and no wall time divides by nothing") {
    record::Record record = example_record();
    record.finish = WideTime{};
    record.breakdown = record::Breakdown{};
    record.work->wall_s = 0.0;
    const std::string text = summary(record, example_context());
    CHECK(text.find("simulated       6,000\n") != std::string::npos);
    CHECK(text.find("  compute            0.000ps     0.0 %\n") != std::string::npos);
}

// The answer of a command: a table, and its quantities as JSON and as CSV.

TEST_CASE("the table is written where the JSON cannot be, and the JSON where the table cannot be") {
    const Scratch scratch;
    std::string said;
    const auto write_to_full = [&] {
        said = refusal_of([&] { Answer("/dev/full", {}).write(ordered_json::object(), "table"); });
    };
    CHECK(on_stdout(scratch.folder() / "caught", write_to_full) == "table");
    CHECK(said == "error: cannot write `/dev/full`: no space left on device\n");

    const Answer file(scratch.folder() / "r.json", {});
    with_stdout_to("/dev/full", [&] { said = refusal_of([&] { file.write({{"time_s", 1}}, "table"); }); });
    CHECK(text_of(scratch.folder() / "r.json") == "{\n  \"time_s\": 1\n}\n");
    CHECK(said == "error: cannot write `stdout`: no space left on device\n");
}

TEST_CASE("JSON or CSV on stdout replaces the table") {
    const Scratch scratch;
    const ordered_json data{{"time_s", 1.5}};
    CHECK(on_stdout(scratch.folder() / "json", [&] { Answer("-", {}).write(data, "table"); }) ==
          "{\n  \"time_s\": 1.5\n}\n");
    CHECK(on_stdout(scratch.folder() / "csv", [&] { Answer({}, "-").write(data, "table"); }) ==
          "quantity,value\ntime_s,1.5\n");
    CHECK(on_stdout(scratch.folder() / "plain", [&] { Answer({}, {}).write(data, "table"); }) == "table");
}

TEST_CASE("a quantity in CSV is named by its keys and its places in lists") {
    const ordered_json data = ordered_json::parse(
        R"({"engine": "event", "path": {"compute_s": 0.1}, "iteration_s": [[0.5, 7]], "note": "a, \"b\""})");
    CHECK(quantities_csv(data) ==
          "quantity,value\n"
          "engine,event\n"
          "path.compute_s,0.1\n"
          "iteration_s.0.0,0.5\n"
          "iteration_s.0.1,7\n"
          "note,\"a, \"\"b\"\"\"\n");
}

TEST_CASE("a duration is shown in the largest unit that gives at least one, with six significant digits") {
    CHECK(duration(Time{0}) == "0s");
    CHECK(duration(Time{999}) == "999ps");
    CHECK(duration(Time{1'000}) == "1ns");
    CHECK(duration(Time{12'300'000}) == "12.3us");
    CHECK(duration(Time{5'000'000'000}) == "5ms");
    CHECK(duration(Time{7'500'000'000'000}) == "7.5s");
    CHECK(duration(Time{1'234'567'890'123}) == "1.23457s");
    CHECK(duration(WideTime{Wide{1'000'000'000'000} * 31'556'952}) == "31556952s");  // above a million: to the second
}

TEST_CASE("a duration that six digits round up to 1000 of a unit is shown as one of the next unit") {
    CHECK(duration(Time{999'999'600}) == "1ms");            // 999.9996 us, with six digits 1000.00 us
    CHECK(duration(Time{999'999'400}) == "999.999us");      // 999.9994 us rounds down
    CHECK(duration(Time{999'999'900'000'000}) == "1000s");  // there is no larger unit
    CHECK(time_scale(Time{999'999'999'999}).unit == "s");
    CHECK(time_scale(Time{999'999'400'000}).unit == "ms");
}

TEST_CASE("a duration that the digits of its interval round up to 1000 of a unit is shown in the next unit") {
    const RoundedDuration shown(Time{999'700'000}, 30e-6);  // 999.7 us +- 30 us: to whole us, so 1000 us
    CHECK(shown(999.7e-6) == "1.000ms");
    CHECK(shown(969.7e-6) == "0.970ms");
    CHECK(RoundedDuration(Time{999'700'000}, 3e-6)(999.7e-6) == "999.7us");  // to 0.1 us
    CHECK(RoundedDuration(Time{1'000'000}, 200e-6)(1e-6) == "0us");          // to 10 us, which leaves 0
}

TEST_CASE("beside an interval a duration has one unit and ends with the second digit of the half-width") {
    const RoundedDuration shown(Time{999'000'000'000}, 0.012);
    CHECK(shown(0.999) == "999ms");
    CHECK(shown(1.011) == "1011ms");
    CHECK(RoundedDuration(Time{1'234'000'000'000'000}, 250.0)(1234.0) == "1230s");
    CHECK(RoundedDuration(Time{1'234'567'890'000}, 0.0)(1.23456789) == "1.23457s");
}

TEST_CASE("digits are grouped by three") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(8'192) == "8,192");
    CHECK(grouped(123'456) == "123,456");
    CHECK(grouped(1'234'567) == "1,234,567");
}

TEST_CASE("a size is shown in the largest binary unit that gives at least one, with three digits") {
    CHECK(size(Bytes{0}) == "0 B");
    CHECK(size(Bytes{999}) == "999 B");
    CHECK(size(Bytes{1023}) == "0.999 KiB");  // never four digits
    CHECK(size(Bytes{1536}) == "1.5 KiB");
    CHECK(size(Bytes{std::int64_t{5} << 30}) == "5 GiB");
}

TEST_CASE("a row for each algorithm of collectives and its reason, the first eight") {
    Context context = example_context();
    context.collectives = {{"allreduce", "ring", "hardware file", 8, 8, Bytes{8}, Bytes{8}},
                           {"bcast", "binomial", "default", 2, 1024, Bytes{8}, Bytes{2048}},
                           {"barrier", "dissemination", "default", 8, 8, Bytes{0}, Bytes{0}},
                           {"scatterv", "linear", "default", 8, 8}};
    const std::string text = summary(example_record(), context);
    CHECK(text.find("\ncollectives     allreduce of 8 B on 8 ranks: ring (hardware file)\n"
                    "                bcast of 8 B to 2 KiB on 2 to 1,024 ranks: binomial (default)\n"
                    "                barrier on 8 ranks: dissemination (default)\n"
                    "                scatterv on 8 ranks: linear (default)\n") != std::string::npos);
    context.collectives.resize(11, context.collectives.back());
    CHECK(summary(example_record(), context).find("\n                and 3 more, with --json\n") != std::string::npos);
    CHECK(summary(closed_form_record(), context).find("collectives") == std::string::npos);
}
