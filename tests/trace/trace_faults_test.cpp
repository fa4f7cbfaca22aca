// Faults of traces: the kind, and the line and column.
#include "tests/trace/traces.hpp"

using test::Kinds;

namespace {

struct Where {
    DiagnosticKind kind;
    unsigned line = 0;
    unsigned column = 0;
    friend bool operator==(const Where&, const Where&) = default;
};

/// Returns the place of the one fault, whose message has an expectation, of the first of two ranks; the second does
/// nothing. The body begins on line 2.
Where fault_in(const std::string& body) {
    const input::Diagnostics faults = Traces({body, ""}).diagnostics();
    REQUIRE(faults.count() == 1);
    const input::Diagnostic& fault = faults.all().front();
    CHECK(holds(fault.expected, "expected"));
    const auto position = fault.range.source->position(fault.range.offset);
    return {fault.kind, position.line, position.column};
}

std::string text_of_fault(const std::vector<std::string>& bodies) { return Traces(bodies).diagnostics().render(); }

}  // namespace

TEST_CASE("lines that are not actions") {
    CHECK(fault_in("0\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 send 1 0\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 barrier 3\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 allgatherv 1 1\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 sleep\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 sleep -1\n") == Where{out_of_range, 2, 9});
    CHECK(fault_in("0 sleep 1e9\n") == Where{cost_too_large, 2, 1});
    CHECK(fault_in("0 jump 1\n") == Where{unknown_action, 2, 3});
    CHECK(holds(text_of_fault({"0 bsend 1 0 8\n", ""}), "did you mean `send`?"));
    CHECK(fault_in("1 compute 5\n") == Where{wrong_trace_rank, 2, 1});
    CHECK(holds(text_of_fault({"0 send 1 0\n", ""}), "expected 3 to 4, as in `RANK send PEER TAG COUNT [TYPE]`"));
}

TEST_CASE("unsupported actions of SimGrid are distinguished from misspelt ones") {
    const std::string text = text_of_fault({"0 waitSome 1\n", ""});
    CHECK(holds(text, "rank-0.txt:2:3: error: `waitSome` is an action of SimGrid that warpfront cannot read"));
    CHECK(holds(text, "expected one of init, finalize, compute"));
    CHECK(holds(text, "alltoallv"));
}

TEST_CASE("messages from any source are as many as are sent to them") {
    CHECK(fault_in("0 compute 1\n0 recv -333 0 8\n") == Where{unmatched_messages, 3, 1});
    const std::string text = text_of_fault({"0 recv -333 0 8\n0 recv -333 0 8\n", "1 send 0 0 8\n"});
    CHECK(holds(text, "rank 0 receives 2 messages from any source or from a named one, but 1 is sent to it"));
    CHECK(holds(text, "receives from MPI_PROC_NULL, which SMPI writes like receives from any source, cannot be read"));
}

TEST_CASE("nobody is sent to, and no send has any tag") {
    CHECK(fault_in("0 send -333 0 8\n") == Where{out_of_range, 2, 8});
    CHECK(holds(text_of_fault({"0 send -333 0 8\n", ""}),
                "messages with MPI_PROC_NULL, which SMPI writes as -333, cannot be read"));
    CHECK(fault_in("0 send 1 -444 8\n") == Where{out_of_range, 2, 10});
}

TEST_CASE("a waitany needs an open request, and all of its group are taken before another is posted") {
    CHECK(holds(text_of_fault({"0 waitany 1\n", ""}), "no request is open"));
    CHECK(holds(text_of_fault({"0 irecv -333 0 8\n0 waitany 1\n", "1 send 0 0 8\n"}),
                "`waitany` cannot complete the open receive from any source"));
    CHECK(holds(text_of_fault({"0 irecv 1 0 8\n0 irecv 1 1 8\n0 waitany 2\n0 irecv 1 2 8\n0 waitall\n",
                               "1 send 0 0 8\n1 send 0 1 8\n1 send 0 2 8\n"}),
                "this `irecv` follows a `waitany`, of whose requests 1 request is still open"));
}

TEST_CASE("words that are not numbers, and impossible numbers") {
    CHECK(fault_in("0 send 1 0 many\n") == Where{bad_number, 2, 12});
    CHECK(fault_in("0 send 1 0 2.5\n") == Where{bad_number, 2, 12});
    CHECK(fault_in("0 send 1 0 -8\n") == Where{out_of_range, 2, 12});
    CHECK(fault_in("0 recv 1 0 -2\n") == Where{out_of_range, 2, 12});
    CHECK(fault_in("0 send 1 -1 8\n") == Where{out_of_range, 2, 10});
    CHECK(fault_in("0 send 1 0 8 60\n") == Where{out_of_range, 2, 14});
    CHECK(fault_in("0 send 1 0 8 1.5\n") == Where{out_of_range, 2, 14});
    CHECK(fault_in("0 bcast 1 0 -2\n") == Where{out_of_range, 2, 13});
    CHECK(fault_in("0 compute -1\n") == Where{out_of_range, 2, 11});
    CHECK(fault_in("0 compute nan\n") == Where{bad_number, 2, 11});
    CHECK(fault_in("0 compute 1e20\n") == Where{cost_too_large, 2, 1});
    CHECK(fault_in("0 send 2 0 8\n") == Where{peer_outside, 2, 8});
}

TEST_CASE("requests that do not find their waits, and waits without requests") {
    CHECK(fault_in("0 irecv 1 0 8\n") == Where{unwaited_request, 2, 1});
    CHECK(fault_in("0 compute 5\n0 wait 1 0 0\n") == Where{unknown_request, 3, 1});
    CHECK(fault_in("0 irecv 1 0 8\n0 wait 1 0 0\n0 wait 1 0 0\n") == Where{unknown_request, 4, 1});
}

TEST_CASE("a trace begins with init and ends with finalize; one that is cut off is met with its expected end") {
    const Traces traces({"", ""});
    traces.write("rank-1.txt", "1 init\n1 compute 5\n");
    CHECK(traces.kinds() == Kinds{trace_truncated});
    CHECK(holds(traces.diagnostics().render(), "expected `1 finalize` as the last action"));
    traces.write("rank-1.txt", "");
    CHECK(traces.kinds() == Kinds{trace_truncated});
    traces.write("rank-1.txt", "1 compute 5\n1 finalize\n");
    CHECK(traces.kinds().front() == trace_line);
    CHECK(fault_in("0 init\n") == Where{trace_line, 2, 1});
    CHECK(fault_in("0 finalize\n") == Where{trace_line, 3, 1});
}

TEST_CASE("a receive without a send, and a message without a receive, are reported at the first surplus one") {
    CHECK(fault_in("0 recv 1 0 8\n") == Where{unmatched_messages, 2, 1});
    const std::string text =
        text_of_fault({"0 recv 1 0 8\n0 recv 1 0 8\n0 recv 1 0 8\n", "1 send 0 0 8\n1 send 0 0 8\n"});
    CHECK(
        holds(text, "rank-0.txt:4:1: error: rank 0 receives 3 messages with tag 0 from rank 1, which sends 2 of them"));
    CHECK(holds(text_of_fault({"0 send 1 0 8\n", "1 recv 0 1 8\n"}), "rank 0 sends 1 message with tag 0 to rank 1"));
}

TEST_CASE("ranks that do not meet in the same collectives are reported where they differ") {
    CHECK(Traces({"0 barrier\n", ""}).kinds() == Kinds{unmatched_collectives});
    const std::string text = text_of_fault({"0 barrier\n0 bcast 8 0\n", "1 barrier\n1 bcast 8 1\n"});
    CHECK(holds(
        text, "rank-1.txt:3:1: error: the ranks call different collectives: call 2 of rank 1 is `bcast` with root 1"));
    CHECK(
        holds(text, "expected the same collective as on rank 0, which is `bcast` with root 0, in line 3 of its trace"));
}

TEST_CASE("an allreduce, a reduce and a bcast have the same size on all ranks, if it is known") {
    for (const std::string action : {"allreduce 8 0", "reduce 8 0 0", "bcast 8 0"}) {
        std::string larger = action;
        larger[larger.find('8')] = '9';
        const std::string text = text_of_fault({"0 " + action + "\n", "1 " + larger + "\n"});
        CHECK(holds(text, "rank-1.txt:2:1: error: the ranks call different collectives: call 1 of rank 1 is"));
        CHECK(holds(text, "of 9 B"));
        CHECK(holds(text, "of 8 B, in line 2 of its trace"));
    }
    CHECK(Traces({"0 bcast 1 0 0\n", "1 bcast 1 0 -1\n"}).diagnostics().count() == 0);
}

TEST_CASE("there are as many traces as ranks, and they can be read") {
    const Traces traces({"", ""});
    CHECK(test::kinds_of(test::faults_of([&] { traces.read_as({3, 1}); })) == Kinds{trace_ranks});
    traces.write("traces.txt", "rank-0.txt\nrank-7.txt\n");
    CHECK(traces.kinds() == Kinds{unreadable_file});
}

TEST_CASE("without a list, the fault names the alternatives: a list, or a folder with `traces.txt`") {
    const test::Scratch scratch;
    scratch.file("empty/readme", "");
    const auto refusal_of = [&](const char* name) {
        const input::Diagnostics faults = test::faults_of([&] {
            trace::read({scratch.folder() / name, {}, {1, 1}, {}, {{1e12}, {}}});
        });
        CHECK(test::kinds_of(faults) == Kinds{unreadable_file});
        return faults.render();
    };
    CHECK(
        holds(refusal_of("empty"), "expected a list of traces of any name, or a folder with one called `traces.txt`"));
    CHECK(holds(refusal_of("nowhere"), "nowhere`: no such file or folder"));
}

TEST_CASE("too many channels of one rank, and too many requests on one channel, are refused") {
    std::string channels;
    for (int k = 0; k <= 100'000; ++k) channels += "0 send 1 " + std::to_string(k) + " 8\n";
    CHECK(fault_in(channels) == Where{trace_too_large, 100'002, 1});
    std::string requests;
    for (int k = 0; k < 1001; ++k) requests += "0 irecv 1 0 8\n";
    CHECK(fault_in(requests + "0 waitall\n") == Where{trace_too_large, 1002, 1});
}

TEST_CASE("traces of nothing but noise do no harm") {
    const Traces traces({"", ""});
    std::string noise;
    for (unsigned k = 0; k < 3000; ++k) noise += static_cast<char>(k * 2654435761U >> 13U);
    traces.write("rank-0.txt", noise);
    CHECK(traces.diagnostics().count() > 0);
}
