// The activities of ranks over time. The machine (fixtures.hpp): o = 4 us, L = 1 us, G = 1 ns/B, eager up to 1000
// bytes.
#include "tests/engine/same_run.hpp"
#include "tests/engine/shared.hpp"

using record::Activity;
using record::Span;

namespace {

Span span(std::int64_t begin, std::int64_t end, Activity activity, std::uint16_t site) {
    return {{begin}, {end}, activity, site};
}

engine::Options recording(std::uint32_t last, std::optional<Time> until = {}) {
    engine::Options options;
    options.timeline = record::TimelineWindow{.first = {0}, .last = {last}, .until = until};
    return options;
}

WideTime sum_of(const record::RankTimeline& rank, Activity activity) {
    WideTime sum;
    for (const Span& each : rank.spans) {
        if (each.activity == activity) sum += each.end - each.begin;
    }
    return sum;
}

/// Returns eight sweeps on a grid, with eager messages or rendezvous.
program::Program eight_sweeps(std::int64_t bytes, std::int64_t iterations = 1) {
    return wavefront({.grid = {4, 3},
                      .tiles = 5,
                      .work = 11 * us,
                      .bytes = bytes,
                      .starts = {3, 3, 1, 1, 2, 2, 0, 0},
                      .iterations = iterations});
}

}  // namespace

TEST_CASE("spans are what each rank does, waits included, and messages go from leaving to being taken") {
    // West: works to 10, sends 10-14; there at 14 + 1 + 0.5 = 15.5. East: waits to 15.5, receives to 19.5, works to
    // 29.5.
    const program::Program program =
        program_of({2, 1}, {does().work(10 * us).send(1, 500, 7), does().recv(-1, 7).work(10 * us)});
    const record::Record record = engine::run(program, simple_machine({2, 1}), recording(1));
    REQUIRE(record.timeline);
    REQUIRE(record.timeline->ranks.size() == 2);
    CHECK(record.timeline->ranks[0].spans ==
          std::vector<Span>{span(0, 10 * us, Activity::compute, 0), span(10 * us, 14 * us, Activity::send, 1)});
    CHECK(record.timeline->ranks[1].spans == std::vector<Span>{span(0, 15'500 * ns, Activity::wait, 0),
                                                               span(15'500 * ns, 19'500 * ns, Activity::recv, 0),
                                                               span(19'500 * ns, 29'500 * ns, Activity::compute, 1)});
    CHECK(record.timeline->messages ==
          std::vector<record::TimedMessage>{{{0}, {1}, Bytes{500}, {14 * us}, {15'500 * ns}, 7}});
    CHECK_FALSE(record.timeline->cut);
}

TEST_CASE("the spans of a rank follow each other to its finish, and add up to its breakdown") {
    for (const bool bus : {false, true}) {
        for (const std::int64_t bytes : {500, 2000}) {
            INFO("bus ", bus, ", bytes ", bytes);
            const record::Record record =
                engine::run(eight_sweeps(bytes), simple_machine({4, 3}, {2, 1}, bus), recording(11));
            for (const record::RankTimeline& rank : record.timeline->ranks) {
                CAPTURE(rank.rank.index);
                std::int64_t now = 0;
                for (const Span& each : rank.spans) {
                    CHECK(each.begin.ps == now);
                    now = each.end.ps;
                }
                CHECK(WideTime{Wide{now}} == record.rank_finish[rank.rank.index]);
                const record::Breakdown& parts = record.rank_breakdown[rank.rank.index];
                CHECK(sum_of(rank, Activity::compute) == parts.compute);
                CHECK(sum_of(rank, Activity::send) == parts.send);
                CHECK(sum_of(rank, Activity::recv) == parts.recv);
                CHECK(sum_of(rank, Activity::wait) == parts.wait);
                CHECK(sum_of(rank, Activity::bus_wait) == parts.bus_wait);
            }
            CHECK(record.timeline->messages.size() == record.work->messages);
        }
    }
}

TEST_CASE("waits for NICs and links, and what is held, are in it") {
    const program::Program program = eight_sweeps(2000);
    const machine::Machine machine = crowded_torus({4, 3}, {2, 1});
    const record::Record record = engine::run(program, machine, recording(11));
    std::array<int, 3> holds{};
    for (const record::RankTimeline& rank : record.timeline->ranks) {
        const record::Breakdown& parts = record.rank_breakdown[rank.rank.index];
        CHECK(sum_of(rank, Activity::nic_wait) == parts.nic_wait);
        CHECK(sum_of(rank, Activity::link_wait) == parts.link_wait);
        CHECK(sum_of(rank, Activity::wait) == parts.wait);
        for (const record::Hold& each : rank.holds) ++holds[static_cast<std::size_t>(each.resource)];
    }
    CHECK(*std::min_element(holds.begin(), holds.end()) > 0);
}

TEST_CASE("a hold that begins before the end of the timeline is in it, although it becomes known after the end") {
    // At 10 ns/B, the 900 B that leave rank 0 at 4 us occupy the NIC of rank 1 from 5 to 14. The NIC is granted at the
    // last byte. Ranks 0 and 1 work until 40, so nothing else of their first 6 us becomes known later. Ranks 2 and 3
    // have events from 7 on.
    machine::Machine machine = simple_machine({4, 1});
    machine.nic = machine::Nic{.injection = {1e-9}, .ejection = {1e-8}};
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.G = {1e-8};
        row.holds_nic = true;
    }
    const program::Program program =
        program_of({4, 1}, {does().send(1, 900).work(40 * us), does().post(-1).work(40 * us).await(-1),
                            does().work(3 * us).send(1, 8), does().recv(-1)});
    for (const unsigned threads : {1U, 4U}) {
        CAPTURE(threads);
        engine::Options options = recording(1, Time{6 * us});
        options.threads = threads;
        const record::Record record = engine::run(program, machine, options);
        CHECK(record.timeline->ranks[1].holds ==
              std::vector<record::Hold>{{{5 * us}, {6 * us}, record::Resource::nic}});
    }
}

TEST_CASE("without its own end each rank's timeline ends with its first iteration; with one it continues") {
    const program::Program program = eight_sweeps(500, 20);
    const machine::Machine machine = simple_machine({4, 3});
    const record::Record first = engine::run(program, machine, recording(11));
    const Time end{static_cast<std::int64_t>(first.iterations.front().first.ps)};
    Time last{};
    for (const auto& rank : first.timeline->ranks) last = std::max(last, rank.spans.back().end);
    CHECK(last == end);
    engine::Options options = recording(11, Time{3 * end.ps});
    options.timeline->from = Time{2 * end.ps};
    const record::Record later = engine::run(program, machine, options);
    for (const auto& rank : later.timeline->ranks) {
        CHECK(rank.spans.front().begin == Time{2 * end.ps});
        CHECK(rank.spans.back().end == Time{3 * end.ps});
    }
    CHECK(later.work->messages_replayed < later.work->messages / 2);  // iterations after the window are skipped
    options.replay = engine::Replay::full;
    CHECK(engine::run(program, machine, options).timeline == later.timeline);
}

TEST_CASE("a timeline that is full ends at one moment for all ranks") {
    engine::Options options = recording(11);
    options.timeline->most_spans = 12 * 20;
    const record::Record record = engine::run(eight_sweeps(500), simple_machine({4, 3}), options);
    REQUIRE(record.timeline->cut);
    Time last{};
    for (const auto& rank : record.timeline->ranks) {
        CHECK(rank.spans.size() <= 20);
        last = std::max(last, rank.spans.back().end);
    }
    CHECK(last == *record.timeline->cut);
    CHECK(std::all_of(record.timeline->messages.begin(), record.timeline->messages.end(),
                      [&](const auto& each) { return each.received < *record.timeline->cut; }));
}

TEST_CASE("a message that is received when the timeline ends is not in it, one that is received before is") {
    // Each rank has three spans. West: works to 10, sends 10-14, works to `next`, where its fourth span begins and the
    // timeline ends. East receives the message at 14 + 1 + 0.5 = 15.5.
    const auto until = [](std::int64_t next) {
        const program::Program program =
            program_of({2, 1}, {does().work(10 * us).send(1, 500).work(next - 14 * us).work(us), does().recv(-1)});
        engine::Options options = recording(1);
        options.timeline->most_spans = 2 * 3;
        const record::Timeline timeline = *engine::run(program, simple_machine({2, 1}), options).timeline;
        CHECK(timeline.cut == Time{next});
        return timeline.messages.size();
    };
    CHECK(until(15'500 * ns) == 0);
    CHECK(until(15'500 * ns + 1) == 1);
}

TEST_CASE("an allreduce is a span of its own beside what is done in it") {
    const program::Program program =
        spmd({2, 1}, 1, [](Rank) { return ClassBuilder().work(us).allreduce(8).iteration().build(); });
    const record::Record record = engine::run(program, simple_machine({2, 1}), recording(1));
    const record::RankTimeline& rank = record.timeline->ranks[0];
    REQUIRE(rank.collectives.size() == 1);
    CHECK(rank.collectives[0].begin == Time{us});
    CHECK(WideTime{rank.collectives[0].end} == record.rank_finish[0]);
    CHECK(rank.spans.size() > 2);
}

TEST_CASE("messages of collectives are in it, for any number of ranks") {
    for (const std::uint32_t ranks : {2U, 3U, 6U, 8U, 12U}) {
        CAPTURE(ranks);
        const program::Program program =
            spmd({ranks, 1}, 1, [](Rank) { return ClassBuilder().work(us).allreduce(8).iteration().build(); });
        const record::Record record = engine::run(program, simple_machine({ranks, 1}), recording(ranks - 1));
        CHECK(record.timeline->messages.size() == record.work->collective_messages_replayed);
    }
}
