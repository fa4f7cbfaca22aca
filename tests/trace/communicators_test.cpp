// Collectives of fewer ranks than all: named by a file beside the traces, or by the traces themselves.
//
// Not pinned here: that SimGrid replays a trace in the same time (tests/agreement/replay_test.cpp); the behaviour of a
// replayed program (tests/engine); regions of models that replay traces (tests/psl/regions_test.cpp); the commands
// (tests/tools).
#include "simulator/engine/engine.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/trace/traces.hpp"
#include "tests/validation/validate.hpp"

namespace {

/// Returns `lines` for each of `ranks` ranks, with `@` replaced by the rank.
std::vector<std::string> on_each(std::size_t ranks, const std::string& lines) {
    std::vector<std::string> bodies;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        std::string body;
        for (const char c : lines) body += c == '@' ? std::to_string(rank) : std::string(1, c);
        bodies.push_back(body);
    }
    return bodies;
}

/// Returns the ranks to which a rank sends, in the order of its channels.
std::vector<std::uint32_t> partners(const program::Program& program, std::uint32_t rank) {
    std::vector<std::uint32_t> ranks;
    for (const program::Channel& channel : program.of({rank}).send_endpoints) {
        ranks.push_back(static_cast<std::uint32_t>(static_cast<std::int32_t>(rank) + channel.delta));
    }
    return ranks;
}

using Ranks = std::vector<std::uint32_t>;

bool has_note(const program::Program& program) {
    return std::any_of(program.notes.begin(), program.notes.end(),
                       [](const std::string& note) { return holds(note, "assumed to be over all ranks"); });
}

const std::string kPairs = "communicators: {pair: [0..1, 2..3]}\n";

std::string text_of_faults(const Traces& traces) { return traces.diagnostics().render(); }

}  // namespace

TEST_CASE("a collective over a communicator is the messages of its algorithm among the communicator's ranks") {
    const program::Program program =
        Traces(on_each(4, "@ allreduce 8 0\n"), kPairs + "collectives: [{over: [pair]}]\n").read().program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK_FALSE(program::has_allreduce(program));
    for (std::uint32_t rank = 0; rank < 4; ++rank) CHECK(partners(program, rank) == Ranks{rank ^ 1U});
    CHECK(program.classes.size() == 2);  // all pairs are identical
}

TEST_CASE("a trace may name the communicator itself, at the end of a collective's line") {
    const program::Program by_file =
        Traces(on_each(4, "@ allreduce 8 0\n@ barrier\n"), kPairs + "collectives: [{over: [pair, world]}]\n")
            .read()
            .program;
    const program::Program by_trace =
        Traces(on_each(4, "@ allreduce 8 0 comm=pair\n@ barrier comm=world\n"), kPairs).read().program;
    CHECK(by_trace.classes == by_file.classes);
    const program::Program mixed =
        Traces(on_each(4, "@ allreduce 8 0 comm=pair\n@ barrier\n"), kPairs + "collectives: [{over: [world]}]\n")
            .read()
            .program;
    CHECK(mixed.classes == by_file.classes);
}

TEST_CASE("ranks are numbered in the order in which a communicator lists them, its root and shares by these numbers") {
    // Member 1 is rank 0: the others, ranks 3 and 2, send to it. Shares: 1 B from rank 3, 2 B from rank 0, 3 B from
    // rank 2.
    const std::string three = "communicators: {some: [[3, 0, 2]]}\n";
    std::vector<std::string> bodies = on_each(4, "@ reduce 8 0 1 comm=some\n@ allgatherv 1 1 2 3 comm=some\n");
    bodies[1].clear();
    const program::Program program = Traces(bodies, three).read().program;
    CHECK(program::mismatches(program, 1).empty());
    // reduce to 0; allgatherv as a ring 3 -> 0 -> 2 -> 3
    CHECK(partners(program, 3) == Ranks{0, 0});
    CHECK(partners(program, 2) == Ranks{0, 3});
    CHECK(partners(program, 0) == Ranks{2});
    Wide sent = 0;  // by rank 0: its own 2 B, then the 1 B from rank 3
    for (const program::Traffic& each : program::traffic_by_send_endpoint(program.of({0}))) sent += each.bytes;
    CHECK(sent == 2 + 1);
}

TEST_CASE("`x` and `repeat` name many collectives, ranges and steps many ranks") {
    std::string lines;
    for (int step = 0; step < 3; ++step) lines += "@ bcast 8 0\n@ bcast 8 0\n@ allreduce 8 0\n";
    std::string named;
    for (int step = 0; step < 3; ++step) named += "@ bcast 8 0 comm=column\n@ bcast 8 0 comm=column\n@ allreduce 8 0\n";
    const std::string columns = "communicators: {column: [0..6..2, [1..3..2, 5, 7]]}\n";
    const program::Program by_file =
        Traces(on_each(8, lines),
               columns + "collectives:\n  - {ranks: [0..5, 6, 7], over: [{repeat: 3, over: [column x 2, world]}]}\n")
            .read()
            .program;
    CHECK(by_file.classes == Traces(on_each(8, named), columns).read().program.classes);
    // binomial: member 0 sends to member 2, then to member 1
    CHECK(partners(by_file, 0) == Ranks{4, 2});
    CHECK(partners(by_file, 1) == Ranks{5, 3});
}

TEST_CASE("messages of two communicators that share ranks do not match") {
    // Rank 0 broadcasts in `a`, then in `b`; rank 1 takes part in `b` first. Each waits for its own.
    const std::string both = "communicators: {a: [[0, 1]], b: [[0, 1]]}\n";
    const program::Program program =
        Traces({"0 bcast 8 0 comm=a\n0 bcast 100 0 comm=b\n", "1 bcast 100 0 comm=b\n1 bcast 8 0 comm=a\n"}, both)
            .read()
            .program;
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program.of({0}).send_endpoints.size() == 2);
}

TEST_CASE("a note reports that collectives are assumed to be of all ranks, unless all of them are named") {
    CHECK(has_note(Traces(on_each(2, "@ barrier\n")).read().program));
    CHECK_FALSE(has_note(Traces(on_each(2, "@ compute 5\n")).read().program));
    CHECK_FALSE(has_note(Traces(on_each(2, "@ barrier comm=world\n")).read().program));
    CHECK_FALSE(
        has_note(Traces(on_each(4, "@ barrier\n"), kPairs + "collectives: [{over: [world]}]\n").read().program));
    CHECK(has_note(
        Traces(on_each(4, "@ barrier\n"), kPairs + "collectives: [{ranks: 0..2, over: [world]}]\n").read().program));
}

TEST_CASE("ranks of a communicator that take part differently are reported with their lines") {
    std::vector<std::string> bodies = on_each(4, "@ barrier comm=pair\n@ barrier\n@ allreduce 8 0 comm=pair\n");
    bodies[3] = "3 barrier comm=pair\n3 allreduce 16 0 comm=pair\n3 barrier\n";
    const std::string text = text_of_faults(Traces(bodies, kPairs));
    CHECK(holds(text,
                "rank-3.txt:3:1: error: the ranks call different collectives: call 2 of rank 3 over `pair` is "
                "`allreduce` of 16 B"));
    CHECK(
        holds(text, "expected the same collective as on rank 2, which is `allreduce` of 8 B, in line 4 of its trace"));
    bodies[3] = "3 barrier\n3 barrier comm=pair\n";
    CHECK(holds(text_of_faults(Traces(bodies, kPairs)),
                "the ranks call different collectives: call 2 of rank 3 over `pair` is missing"));
}

TEST_CASE("an unknown communicator is met with the nearest, a rank outside of it with its name") {
    const std::string text = text_of_faults(Traces(on_each(4, "@ barrier comm=pairs\n"), kPairs));
    CHECK(holds(text, "rank-0.txt:2:16: error: no communicator is called `pairs`"));
    CHECK(holds(text, "did you mean `pair`?"));
    CHECK(holds(text_of_faults(Traces(on_each(2, "@ barrier comm=row\n"))), "no communicator is called `row`"));
    CHECK(Traces(on_each(4, "@ barrier\n"), kPairs + "collectives: [{over: [piar]}]\n").kinds() ==
          Kinds{unknown_communicator});
    const std::string some = "communicators: {some: [0..2]}\n";
    CHECK(holds(text_of_faults(Traces(on_each(4, "@ barrier comm=some\n"), some)),
                "rank-3.txt:2:16: error: rank 3 is in no communicator `some`"));
    CHECK(Traces(on_each(4, "@ barrier\n"), some + "collectives: [{over: [some]}]\n").kinds() == Kinds{not_a_member});
}

TEST_CASE("roots and counts by rank are those of the communicator") {
    CHECK(Traces(on_each(4, "@ bcast 8 2 comm=pair\n"), kPairs).kinds().front() == peer_outside);
    CHECK(Traces(on_each(4, "@ allgatherv 1 1 2 0 0 0 comm=pair\n"), kPairs).kinds().front() == trace_line);
}

TEST_CASE("a rank has as many collectives as the file states") {
    for (const std::string over : {"[pair]", "[pair x 3]", "[]"}) {
        CAPTURE(over);
        const Traces traces = Traces(on_each(4, "@ barrier\n@ barrier\n@ barrier comm=world\n"),
                                     kPairs + "collectives: [{ranks: 0..3, over: " + over + "}]\n");
        CHECK(traces.kinds() == Kinds(4, unmatched_collectives));
        CHECK(holds(text_of_faults(traces), "communicators.yaml:2:35: error: `over` states the communicators of "));
        CHECK(holds(text_of_faults(traces), "collectives of rank 0, but its trace has 2 collectives without `comm=`"));
    }
}

TEST_CASE("faults of a file of communicators are reported there") {
    const auto kinds = [](const std::string& text) { return Traces(on_each(4, ""), text).kinds(); };
    const auto orders = [&](const std::string& items) { return kinds(kPairs + "collectives: " + items + "\n"); };
    CHECK(kinds("communicators: {a: [[0, 1], 1..2]}\n") == Kinds{overlapping_communicators});
    CHECK(kinds("communicators: {a: [[0, 0]]}\n") == Kinds{overlapping_communicators});
    CHECK(kinds("communicators: {a: [0..4]}\n") == Kinds{peer_outside});
    CHECK(kinds("communicators: {a: [-1]}\n") == Kinds{peer_outside});
    for (const std::string range : {"x", "3..1", "0..3..0", "0..", "0..1..1..1", "{a: 1}", "[]"}) {
        CAPTURE(range);
        CHECK(kinds("communicators: {a: [" + range + "]}\n") == Kinds{bad_range});
    }
    CHECK(kinds("communicators: {world: [0..3]}\n") == Kinds{duplicate_name});
    CHECK(kinds("communicators: {a b: [0..3]}\n") == Kinds{out_of_range});
    CHECK(kinds("communicators: {a: 3}\n") == Kinds{wrong_yaml_type});
    CHECK(kinds("communicators: 3\n") == Kinds{wrong_yaml_type});
    CHECK(kinds("collectives: []\n") == Kinds{missing_key});
    CHECK(kinds("communicators: {}\norder: 3\n") == Kinds{unknown_key});
    CHECK(orders("3") == Kinds{wrong_yaml_type});
    CHECK(orders("[{ranks: 0..1}]") == Kinds{missing_key});
    CHECK(orders("[{over: world}]") == Kinds{wrong_yaml_type});
    CHECK(orders("[{over: [[world]]}]") == Kinds{wrong_yaml_type});
    CHECK(orders("[{over: []}, {ranks: 3, over: []}]") == Kinds{conflicting_keys});
    CHECK(orders("[{over: [pair x 0]}]") == Kinds{out_of_range});
    CHECK(orders("[{over: [{repeat: 0, over: [pair]}]}]") == Kinds{out_of_range});
    CHECK(orders("[{over: [{over: [pair]}]}]") == Kinds{missing_key});
    CHECK(orders("[{over: [{repeat: 20000000, over: [pair, world]}]}]") == Kinds{trace_too_large});
}

// Collectives of traces.

namespace {

/// Returns the bytes that rank 0 sends.
std::int64_t sent_by_first(const program::Program& program) {
    Wide bytes = 0;
    for (const program::Traffic& each : program::traffic_by_send_endpoint(program.of({0}))) bytes += each.bytes;
    return static_cast<std::int64_t>(bytes);
}

}  // namespace

TEST_CASE("collectives of traces as smpirun writes them") {
    const auto all = [](const std::string& own, const std::string& gatherv) {
        return own + " barrier\n" + own + " bcast 7 0 0 \n" + own + " reduce 5 30 1 0\n" + own + " allReduce 6 20 0\n" +
               own + " alltoall 4 4 0 0\n" + own + " gather 4 4 1 0 0\n" + own + " allgather 4 4 1 1\n" + own +
               gatherv + own + " allgatherv 1 1 2 0 0\n" + own + " alltoallv 8 2 2 8 2 2 0 0\n";
    };
    const program::Program program =
        Traces({all("0", " gatherv 1 0 0 1 0 0\n"), all("1", " gatherv 2 1 2 1 0 0\n")}).read().program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program::has_allreduce(program));
    // barrier 0, bcast 56, reduce 40 (from 1 to 0: root 1, so from 0), alltoall 32, gather 32, allgather 16, gatherv 8,
    // allgatherv 8 from rank 0 and 16 from rank 1, alltoallv 16
    CHECK(sent_by_first(program) == 56 + 40 + 32 + 32 + 16 + 8 + 8 + 16);
}

TEST_CASE("scatter, reducescatter and scan, whose counts are doubles or of the datatype named last") {
    // Rank 0 sends: scatter of 4 doubles to rank 1; reducescatter 3 doubles, rank 1's part; scan 5 ints.
    const auto all = [](const std::string& own) {
        return own + " scatter 4 4 0 0 0\n" + own + " reducescatter 2 3 1000 0\n" + own + " scan 5 100 1\n";
    };
    const program::Program program = Traces({all("0"), all("1")}).read().program;
    CHECK(program::mismatches(program, 1).empty());
    CHECK(sent_by_first(program) == 4 * 8 + 3 * 8 + 5 * 4);
}
