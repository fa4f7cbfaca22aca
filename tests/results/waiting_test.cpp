// The ranks that wait most, by kind, and the causes of one rank's waiting by statement.
#include "simulator/results/ranks.hpp"

#include "simulator/results/critical_path.hpp"
#include "tests/approx.hpp"
#include "tests/results/example.hpp"

using namespace warpfront::results;
using record::Activity;

namespace {

/// Returns ranks of a row that each finish after 100 us, with these microseconds of waiting for messages and of
/// queueing for a bus; the rest is computing.
record::Record row_of(const std::vector<std::pair<int, int>>& waits) {
    record::Record record;
    record.finish = microseconds(100);
    for (const auto& [wait, bus] : waits) {
        record::Breakdown parts;
        parts.wait = microseconds(wait);
        parts.bus_wait = microseconds(bus);
        parts.compute = microseconds(100 - wait - bus);
        record.rank_breakdown.push_back(parts);
        record.rank_finish.push_back(record.finish);
    }
    return record;
}

record::Span span(int begin, int end, Activity activity, std::uint16_t site) {
    return {microseconds(begin), microseconds(end), activity, site};
}

}  // namespace

TEST_CASE("the ranks that wait longest come first, of equal ones the lower, three of them") {
    const record::Record record = row_of({{10, 0}, {20, 15}, {30, 0}, {35, 0}, {1, 29}});
    CHECK(most_waiting(record) == std::vector<Rank>{{1}, {3}, {2}});  // 35, 35, 30; rank 4 waits 30 too
    CHECK(most_waiting(row_of({{1, 0}})) == std::vector<Rank>{{0}});
    CHECK(most_waiting(closed_form_record()).empty());
}

TEST_CASE("ranks wait unevenly if one waits longer than the mean by more than a twentieth of the time") {
    // The mean of 0 and w is w / 2: w is that much longer, of 100 us.
    CHECK_FALSE(waits_unevenly(row_of({{0, 0}, {10, 0}})));
    CHECK(waits_unevenly(row_of({{0, 0}, {11, 0}})));
    CHECK_FALSE(waits_unevenly(row_of({{50, 0}, {50, 0}})));
    CHECK_FALSE(waits_unevenly(closed_form_record()));
}

TEST_CASE("a line has the rank, its place, and the time of each kind of waiting, without kinds of no time") {
    CHECK(waiting_table(row_of({{10, 0}, {20, 15}}), {2, 1}) ==
          "the ranks that wait most\n"
          "  rank 1 (column 2, row 1)                35us: wait 20us, bus wait 15us\n"
          "  rank 0 (column 1, row 1)                10us: wait 10us\n");
    CHECK(waiting_table(closed_form_record(), {1, 1}) == "");
}

TEST_CASE("the JSON has every kind") {
    const nlohmann::ordered_json list = waiting_json(row_of({{20, 15}}), {1, 1});
    CHECK(shown(list) ==
          "[{rank: 0, column: 1, row: 1, all_s: 3.5e-05, wait_s: 2e-05, bus_wait_s: 1.5e-05, processing_wait_s: 0, "
          "nic_wait_s: 0, link_wait_s: 0, collective_s: 0}]");
}

TEST_CASE("waits of one statement add up; computing and sending are none") {
    program::Program program;
    program.sites = {{"m.psl", 3, 9, "recv from west"}, {"m.psl", 4, 9, "send 8B to east"}};
    const record::RankTimeline timeline{.rank = {0},
                                        .spans = {span(0, 7, Activity::wait, 0), span(7, 9, Activity::compute, 0),
                                                  span(9, 12, Activity::bus_wait, 1), span(12, 15, Activity::wait, 0)},
                                        .collectives = {},
                                        .holds = {}};
    const std::vector<StatementWait> waits = waits_by_statement(timeline);
    CHECK(waits == std::vector<StatementWait>{{0, Activity::wait, microseconds(7 + 3)},
                                              {1, Activity::bus_wait, microseconds(3)}});
    CHECK(statements_table(waits, program) ==
          "        10us wait in `recv from west` at m.psl:3:9\n"
          "         3us bus wait in `send 8B to east` at m.psl:4:9\n");
    CHECK(shown(statements_json(waits, program).front()) ==
          "{kind: \"wait\", time_s: 1e-05, statement: \"recv from west\", file: \"m.psl\", line: 3}");
}

namespace {

record::TimedMessage message(std::uint32_t from, std::uint32_t to, int left, int received) {
    return {.from = {from}, .to = {to}, .bytes = {}, .left = microseconds(left), .received = microseconds(received)};
}

}  // namespace

TEST_CASE("a receiver waits for the sender of the message that it takes at the end of its wait") {
    // Rank 1 waits 0 to 7 for rank 0, takes the message, waits for its own send from 9 to 12, then 12 to 15 for rank 2.
    const record::Timeline timeline{
        .ranks = {{.rank = {0}, .spans = {span(0, 5, Activity::compute, 0)}, .collectives = {}, .holds = {}},
                  {.rank = {1},
                   .spans = {span(0, 7, Activity::wait, 0), span(7, 9, Activity::recv, 0),
                             span(9, 12, Activity::wait, 1), span(12, 15, Activity::wait, 0)},
                   .collectives = {},
                   .holds = {}}},
        .messages = {message(0, 1, 5, 7), message(2, 1, 13, 15)},
        .cut = {}};
    const std::vector<PairWait> waits = waits_by_pair(timeline);
    CHECK(waits == std::vector<PairWait>{{{1}, {0}, microseconds(7)}, {{1}, {2}, microseconds(15 - 12)}});
    CHECK(pairs_table(waits, {3, 1}) ==
          "  rank 1 (column 2, row 1) for rank 0 (column 1, row 1)                  7us\n"
          "  rank 1 (column 2, row 1) for rank 2 (column 3, row 1)                  3us\n");
    CHECK(shown(pairs_json(waits).front()) == "{receiver: 1, sender: 0, time_s: 7e-06}");
}

TEST_CASE("a message's wait for links and the NIC is part of its receiver's wait, a send before it is not") {
    // A send of the same statement waits 0 to 4; then the receive waits 4 to 6, its message 1 for links, 2 for the NIC.
    const record::Timeline timeline{
        .ranks = {{.rank = {1},
                   .spans = {span(0, 4, Activity::wait, 0), span(4, 6, Activity::wait, 0),
                             span(6, 7, Activity::link_wait, 0), span(7, 9, Activity::nic_wait, 0)},
                   .collectives = {},
                   .holds = {}}},
        .messages = {message(0, 1, 5, 9)},
        .cut = {}};
    CHECK(waits_by_pair(timeline) == std::vector<PairWait>{{{1}, {0}, microseconds(9 - 4)}});
}

TEST_CASE("waits of a pair add up; a message that was there is waited for by nobody") {
    const record::Timeline timeline{
        .ranks = {{.rank = {1},
                   .spans = {span(0, 4, Activity::wait, 0), span(4, 6, Activity::compute, 0),
                             span(6, 7, Activity::wait, 1), span(7, 8, Activity::recv, 1)},
                   .collectives = {},
                   .holds = {}}},
        .messages = {message(0, 1, 3, 4), message(2, 1, 1, 6), message(0, 1, 5, 7)},
        .cut = {}};
    CHECK(waits_by_pair(timeline) == std::vector<PairWait>{{{1}, {0}, microseconds(4 + 1)}});
}

// The critical path as a table, in words and as JSON.

namespace {

/// Returns 100 us in all: 60 computing, 10 overhead, 20 latency, 6 bandwidth, 3 bus, 1 link.
record::PathParts example_path() {
    record::PathParts path;
    path.compute = microseconds(60);
    path.overhead = microseconds(10);
    path.latency = microseconds(20);
    path.bandwidth = microseconds(6);
    path.bus = microseconds(3);
    path.link = microseconds(1);
    return path;
}

}  // namespace

TEST_CASE("the first five parts of the JSON add up to the time; contention is made of five") {
    const auto json = path_json(example_path(), microseconds(30));
    // contention: 3 bus + 1 link
    CHECK(shown(json) ==
          "{compute_s: 6e-05, overhead_s: 1e-05, latency_s: 2e-05, bandwidth_s: 6e-06, contention_s: 4e-06, bus_s: "
          "3e-06, nic_s: 0, link_s: 1e-06, memory_s: 0, wire_s: 0, processing_s: 0, message_rate_s: 0, packets_s: 0, "
          "noise_s: 0, fill_s: 3e-05, steady_s: 7e-05}");
    double sum = 0.0;
    for (const char* part : {"compute_s", "overhead_s", "latency_s", "bandwidth_s", "contention_s"}) {
        sum += json.at(part).get<double>();
    }
    CHECK(sum == test::approx(100e-6));
}

TEST_CASE("the transfer of messages that a wire limits is part of the bandwidth, and of its own") {
    record::PathParts path = example_path();
    path.wire = microseconds(14);
    const auto json = path_json(path, std::nullopt);
    CHECK(json.at("bandwidth_s").get<double>() == test::approx(20e-6));
    CHECK(json.at("wire_s").get<double>() == test::approx(14e-6));
}

TEST_CASE("a message rate that binds is named, with the saving by a higher one") {
    record::PathParts path;
    path.rate = microseconds(60);
    path.latency = microseconds(40);
    CHECK(path_json(path, std::nullopt).at("contention_s").get<double>() == test::approx(60e-6));
    std::string text = path_paragraph(path, {});
    std::ranges::replace(text, '\n', ' ');
    CHECK(text.starts_with(
        "The message rate of network interfaces is the largest part: 60.0 % of the longest chain of events. "
        "According to the path, 1 % less of one cost saves: gap between messages of network "
        "interfaces 600ns (0.60 %), latency 400ns (0.40 %)."));
}

TEST_CASE("the cost of packets that binds is named, and is part of the bandwidth") {
    record::PathParts path;
    path.packets = microseconds(60);
    path.bandwidth = microseconds(40);
    CHECK(path_json(path, std::nullopt).at("packets_s").get<double>() == test::approx(60e-6));
    CHECK(path_json(path, std::nullopt).at("bandwidth_s").get<double>() == test::approx(100e-6));
    std::string text = path_paragraph(path, {});
    std::ranges::replace(text, '\n', ' ');
    CHECK(
        text.starts_with("The overhead of packets is the largest part: 60.0 % of the longest chain of events. "
                         "According to the path, 1 % less "
                         "of one cost saves: time per packet 600ns (0.60 %), time per byte 400ns (0.40 %)."));
}

TEST_CASE("noise is part of the computing, and of its own; less computing may also avoid interruptions") {
    record::PathParts path = example_path();
    path.noise = microseconds(25);
    CHECK(path_json(path, std::nullopt).at("compute_s").get<double>() == test::approx(85e-6));
    CHECK(path_json(path, std::nullopt).at("noise_s").get<double>() == test::approx(25e-6));
    std::string text = path_paragraph(path, {}, std::nullopt, {}, {}, Time{5'000'000});
    std::ranges::replace(text, '\n', ' ');
    CHECK(text.find("computing 600ns (0.48 %), jitter and length of interruptions 250ns (0.20 %)") !=
          std::string::npos);
    CHECK(
        text.find("exact until another chain becomes the longest, or less computing avoids an interruption of 5us: 1 % "
                  "less avoids 1 % of them on average; `--reruns`") != std::string::npos);
    path.noise = {};
    CHECK(path_paragraph(path, {}, std::nullopt, {}, {}, Time{5'000'000}).find("interruption") == std::string::npos);
}

TEST_CASE("a part that takes no time is not listed") {
    CHECK(path_table(example_path(), std::nullopt).find("memory") == std::string::npos);
    CHECK(path_table(example_path(), std::nullopt).find("bandwidth") != std::string::npos);
}

TEST_CASE("the paragraph calls savings estimates if there are reasons, and states each of them") {
    std::string text = path_paragraph(example_path(), {}, std::nullopt, {}, {"of one reason", "of another"});
    std::ranges::replace(text, '\n', ' ');
    CHECK(text.find("These values are estimates: of one reason; of another; `--reruns` runs") != std::string::npos);
    CHECK(text.find("exact") == std::string::npos);
}

TEST_CASE("a wire that binds is named") {
    record::PathParts path;
    path.wire = microseconds(90);
    path.latency = microseconds(10);
    std::string text = path_paragraph(path, {"link `l5`"});
    std::ranges::replace(text, '\n', ' ');
    CHECK(
        text.starts_with("The slowest wire, link `l5`, is the largest part: 90.0 % of the longest chain of events. "
                         "According to the path, 1 % less "
                         "of one cost saves: time per byte of wires 900ns (0.90 %), latency 100ns (0.10 %)."));
}

TEST_CASE("a program without loops of tiles has neither fill nor steady state") {
    const auto json = path_json(example_path(), std::nullopt);
    CHECK(!json.contains("fill_s"));
    CHECK(!json.contains("steady_s"));
}

TEST_CASE("the paragraph names the limit, and the costs whose changes save most first") {
    CHECK(path_paragraph(example_path(), {"link `a`"}) ==
          "Computing is the largest part: 60.0 % of the longest chain of events. According to the path, 1 %\n"
          "less of one cost saves: computing 600ns (0.60 %), latency 200ns (0.20 %), processor time for\n"
          "messages 100ns (0.10 %), time per byte 60ns (0.06 %), occupancy of buses 30ns (0.03 %), time per\n"
          "byte of links 10ns (0.01 %). These values are exact until another chain becomes the longest;\n"
          "`--reruns` runs changes of 10 %.");
}

TEST_CASE("the paragraph states what reruns save, not what the path promises") {
    // According to the path, a tenth less latency saves 2us of 100us, and a tenth less bus time 300ns.
    const std::vector<Rerun> reruns{{"bus", 0.9, WideTime{99'700'000}, WideTime{microseconds(101)}},
                                    {"latency", 0.9, WideTime{microseconds(98)}, WideTime{99'500'000}},
                                    {"nic", 0.9, WideTime{microseconds(100)}, WideTime{microseconds(100)}}};
    CHECK(path_paragraph(example_path(), {"link `a`"}, std::nullopt, reruns) ==
          "Computing is the largest part: 60.0 % of the longest chain of events. Runs with a tenth less of one\n"
          "cost save: latency 500ns (0.50 %), occupancy of buses -1us (-1.00 %).");
    CHECK(path_paragraph(example_path(), {"link `a`"}, std::nullopt, std::span(reruns).last(1)) ==
          "Computing is the largest part: 60.0 % of the longest chain of events. No run with a tenth less of\n"
          "one cost saves 0.05 %.");
}

TEST_CASE("the paragraph leaves out costs of which a tenth less would save less than 0.05 %") {
    record::PathParts path;
    path.compute = microseconds(100'000);
    path.latency = microseconds(498);  // a tenth of it: 0.0495 %
    CHECK(path_paragraph(path, {}).find("latency") == std::string::npos);
    path.latency = microseconds(505);
    CHECK(path_paragraph(path, {}).find("latency") != std::string::npos);
}

TEST_CASE("the path's bound for a change is its part of the path") {
    // 0.9 of 20 us of latency: 2 us less than 100
    CHECK(foreseen(example_path().total(), example_path().latency, 0.9) == WideTime{microseconds(98)});
}

TEST_CASE("tried runs are shown beside the bounds of the path") {
    const std::vector<Rerun> reruns{{"latency", 0.9, WideTime{microseconds(98)}, WideTime{microseconds(99)}}};
    const std::string text = path_table(example_path(), microseconds(30), reruns);
    CHECK(text.find("  compute           60.000us    60.0 %\n") != std::string::npos);
    CHECK(text.find("  latency x 0.9                             98us         99us\n") != std::string::npos);
}

TEST_CASE("a path through tasks reports if more workers would shorten it, and which parts are estimates") {
    record::TaskPath path;
    path.compute = microseconds(90);
    path.manager = microseconds(10);
    path.queued = microseconds(50);  // 45 of computing, 5 of the manager
    path.tasks = {{"pencil", microseconds(90), microseconds(45), 9}};
    std::string text = path_paragraph(path);
    std::ranges::replace(text, '\n', ' ');
    CHECK(
        text.starts_with("Computing is the largest part: 90.0 % of the longest chain of events. According to the path, "
                         "1 % less of one cost"));
    CHECK(text.find("These values are exact until another chain") != std::string::npos);
    CHECK(text.find("50us of the chain (50.0 %) belong to tasks that waited for a worker") != std::string::npos);
    path.queued = {};
    CHECK(path_paragraph(path).ends_with(
        "\nNo task on the chain waited for a worker: more workers would not shorten the chain."));
    path.sharing = microseconds(1);
    CHECK(path_paragraph(path).find("These values are estimates") != std::string::npos);
    CHECK(path_paragraph(path).ends_with("more workers may shorten only the time on shared channels\nor memory."));
    path.sharing = {};
    path.memory = microseconds(20);  // of 120
    path.saturated = microseconds(60);
    std::string sharing_memory = path_paragraph(path);
    std::ranges::replace(sharing_memory, '\n', ' ');
    CHECK(sharing_memory.find("computing 1.1us (0.92 %)") != std::string::npos);
    // one per cent more bandwidth shortens all of saturated memory; computing alone is not in proportion to it
    CHECK(sharing_memory.find("time per byte of memory 600ns (0.50 %)") != std::string::npos);
    CHECK(sharing_memory.find("These values are estimates") != std::string::npos);
    CHECK(path_paragraph(record::TaskPath{}) == "Nothing takes time.");
    path.memory = path.saturated = {};
    CHECK(path_paragraph(path, {}, true).find("estimates: computing includes noise") != std::string::npos);
}
