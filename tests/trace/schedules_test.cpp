// Texts of other programs as recorded runs: schedules of GOAL, and the output of dumpi2ascii.
#include "simulator/engine/engine.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/trace/formats.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/trace/traces.hpp"
#include "tests/validation/validate.hpp"

using program::Op;

namespace {

/// Returns the operations of a rank with their amounts, such as "irecv, compute 5", without the iteration and the end.
std::string performed(const program::Program& program, std::uint32_t rank, bool with_computing = true) {
    static const std::map<Op, std::string> names{
        {Op::compute, "compute"},     {Op::send, "send"},           {Op::isend, "isend"},
        {Op::wait_send, "wait_send"}, {Op::irecv, "irecv"},         {Op::wait_recv, "wait_recv"},
        {Op::wait_any, "wait_any"},   {Op::allreduce, "allreduce"}, {Op::recv, "recv"}};
    CHECK(program::validate(program) == "");
    std::string all;
    for (const program::Instruction& step : program.of({rank}).code) {
        if (step.op == Op::iteration || step.op == Op::finish || (step.op == Op::compute && !with_computing)) continue;
        all +=
            (all.empty() ? "" : ", ") + names.at(step.op) + (step.amount == 0 ? "" : fmt::format(" {}", step.amount));
    }
    return all;
}

program::Program of_goal(const std::string& text, std::uint32_t ranks = 2) {
    const test::Scratch folder;
    return test::replayed(folder.file("x.goal", text), ranks);
}
std::string goal_fault(const std::string& text) {
    return test::summary_of(test::faults_of([&] { of_goal(text); }));
}

const std::string kOther = "\nrank 1 { a: recv 10b from 0 b: send 20b to 0 tag 5 b requires a }\n";

/// Calls in the format of dumpi2ascii, one per microsecond.
class DumpiRank {
public:
    DumpiRank() { call("MPI_Init", ""); }
    DumpiRank& call(const std::string& name, const std::string& fields) {
        text_ += name + " entering at walltime 100." + micros() + "000, cputime 0.1 seconds in thread 0.\n" + fields;
        text_ += name + " returning at walltime 100." + micros() + "000, cputime 0.1 seconds in thread 0.\n";
        return *this;
    }
    std::string text() {
        call("MPI_Finalize", "");
        return "version=16.0.0\n" + text_;
    }
    const std::string& so_far() const { return text_; }

private:
    std::string micros() { return std::to_string(100'000 + ++micros_); }
    std::string text_;
    int micros_ = 0;
};

program::Program of_dumpi(const std::vector<std::string>& texts) {
    const test::Scratch folder;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        folder.file("dumpi-2013.09.26-000" + std::to_string(rank) + ".txt", texts[rank]);
    }
    return test::replayed(folder.folder(), static_cast<std::uint32_t>(texts.size()));
}
std::string dumpi_fault(const std::vector<std::string>& texts) {
    return test::summary_of(test::faults_of([&] { of_dumpi(texts); }));
}

std::string doubles(int count) {
    return "int count=" + std::to_string(count) + "\nMPI_Datatype datatype=14 (MPI_DOUBLE)\n";
}
const std::string kWholeWorld = "MPI_Comm comm=2 (MPI_COMM_WORLD)\n";

/// The default machine of LogGOPSim, for messages of no length.
machine::Machine loggopsim_machine(RankGrid grid) {
    machine::Machine machine = test::simple_machine(grid);
    for (machine::ProfileRow& row : machine.profiles[2]) {
        row.o_send = row.o_recv = {Time{1'500'000}};
        row.L = {Time{2'500'000}};
        row.G = {};
    }
    return machine;
}

}  // namespace

TEST_CASE("a schedule's operations begin when what they require has ended, messages before computing") {
    const std::string text =
        "num_ranks 2  // comment\nrank 0 {\nl1: calc 100\n/* of two\nlines */ l2: send 10b to 1 tag 0 cpu 0 nic 0\n"
        "l3: recv 20b from 1 tag 5\nl4: calc 7\nl4 requires l3\nl2 requires l1\nl3 irequires l2\n}" +
        kOther;
    const program::Program program = of_goal(text);
    CHECK(performed(program, 0) == "compute 100000, isend 10, irecv, wait_recv, compute 7000, wait_send");
    CHECK(performed(program, 1) == "irecv, wait_recv, isend 20, wait_send");
    CHECK(program.sites[0].line == 5);  // of the first message, before which it computes
}

TEST_CASE("bits of a tag from 24 on are a communicator, so equal tags of two do not match") {
    const std::string first = "num_ranks 2\nrank 0 { a: send 8b to 1 tag 16777221 b: send 8b to 1 tag 5 }\n";
    const program::Program program =
        of_goal(first + "rank 1 { a: recv 8b from 0 tag 16777221 b: recv 8b from 0 tag 5 }\n");
    CHECK(program.of({0}).send_endpoints[1].tag == 5);
    CHECK(program.of({0}).send_endpoints[0].tag < 0);
    CHECK(holds(goal_fault(first + "rank 1 { a: recv 8b from 0 tag 6 b: recv 8b from 0 tag 5 }\n"),
                "x.goal:2:1 unmatched_messages"));
}

TEST_CASE("a receive from -1 with tag -1 takes the message that comes first, of any source and any tag") {
    const program::Program program = of_goal(
        "num_ranks 3\nrank 0 { a: recv 8b from -1 tag -1 b: recv 8b from -1 tag -1 b requires a }\n"
        "rank 1 { a: calc 5000 b: send 8b to 0 tag 3 b requires a }\nrank 2 { a: send 8b to 0 tag 16777220 }\n",
        3);
    CHECK(program::validate(program) == "");
    // Tags are whole beside receives of any tag: 16,777,220 is tag 4 of communicator 1 elsewhere.
    CHECK(program.of({2}).send_endpoints[0].tag == 16777220);
    std::size_t any = 0;
    for (const program::Instruction& step : program.of({0}).code) any += program::chooses(step.op) ? 1U : 0U;
    CHECK(any > 0);
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 { a: recv 8b from -2 }\n"),
                "x.goal:2:26 peer_outside [-2] there is no rank -2 | expected 0 to 1, or -1 for any source"));
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 { a: send 8b to -1 }\n"),
                "x.goal:2:24 peer_outside [-1] there is no rank -1 | expected 0 to 1"));
    CHECK(holds(
        goal_fault("num_ranks 2\nrank 0 { a: recv 8b from 1 tag -1 }\nrank 1 { a: send 8b to 0 tag 4000000000 }\n"),
        "x.goal:3:10 out_of_range [a] the tag 4000000000 is too large"));
    const test::Scratch folder;
    const auto schedule =
        folder.file("x.goal", "num_ranks 2\nrank 0 { a: recv 8b from -1 }\nrank 1 { a: send 8b to 0 }\n");
    trace::TraceRequest request{schedule, {}, {2, 1}, {}, {{1e12}, {}}};
    request.arrivals = trace::Arrivals::recorded;
    CHECK(holds(test::summary_of(test::faults_of([&] { trace::read(request); })),
                "`arrivals: recorded` is given, but these traces"));
}

TEST_CASE("receives that one operation requires, or none, end in the order of arrival") {
    // A binomial reduce of 4 ranks: rank 1 sends late, so rank 0 receives the message of rank 2 before it.
    const program::Program program = of_goal(
        "num_ranks 4\nrank 0 { a: recv 8b from 1 b: recv 8b from 2 c: calc 7 c requires a c requires b }\n"
        "rank 1 { a: calc 50000 b: send 8b to 0 b requires a }\n"
        "rank 2 { a: recv 8b from 3 b: send 8b to 0 b requires a }\nrank 3 { a: send 8b to 2 }\n",
        4);
    CHECK(performed(program, 0) == "irecv, irecv, wait_any, wait_any, compute 7000");
}

TEST_CASE("a binomial reduce of schedgen takes the time of LogGOPSim, since receives end in the order of arrival") {
    // o = 1.5 us, L = 2.5 us, as LogGOPSim's defaults, so a message arrives 4 us after its send begins. Ranks 4 to 7
    // send at 0. Rank 3 receives from 7 until 5.5 us. Rank 1 receives from 5 until 5.5 us and from 3 at 9.5 us until 11
    // us. Its message arrives at 15 us, and rank 0 has it at 16.5 us. In the order of the file, rank 1 would send at
    // 12.5 us, and rank 0 would receive from 1, 2 and 4 in this order, until 21 us.
    const program::Program program = of_goal(
        "num_ranks 8\nrank 0 { a: recv 1b from 1 b: recv 1b from 2 c: recv 1b from 4 }\n"
        "rank 1 { a: send 1b to 0 b: recv 1b from 3 a requires b c: recv 1b from 5 a requires c }\n"
        "rank 2 { a: send 1b to 0 b: recv 1b from 6 a requires b }\n"
        "rank 3 { a: send 1b to 1 b: recv 1b from 7 a requires b }\n"
        "rank 4 { a: send 1b to 0 }\nrank 5 { a: send 1b to 1 }\n"
        "rank 6 { a: send 1b to 2 }\nrank 7 { a: send 1b to 3 }\n",
        8);
    CHECK(engine::run(program, loggopsim_machine({8, 1}), {}).finish == WideTime{Time{16'500'000}});
}

TEST_CASE("an operation that requires fewer receives begins first, whatever the order of the file") {
    const program::Program program = of_goal(
        "num_ranks 2\nrank 0 { a: recv 1b from 1 b: recv 2b from 1 tag 1 c: send 8b to 1 c requires a c requires b\n"
        "d: send 9b to 1 tag 1 d requires a }\n"
        "rank 1 { a: send 1b to 0 b: send 2b to 0 tag 1 c: recv 8b from 0 d: recv 9b from 0 tag 1 }\n");
    CHECK(performed(program, 0) == "irecv, irecv, wait_recv, isend 9, wait_recv, isend 8, wait_send, wait_send");
}

TEST_CASE("receives of one source and tag end in their order, so a pipelined ring is a rank program") {
    // The first of three ranks sends two segments, and the next one forwards each as soon as it has arrived.
    const std::string ring =
        "num_ranks 3\nrank 0 { a: send 10b to 1 b: send 10b to 1 }\n"
        "rank 1 {\na: recv 10b from 0\nb: send 10b to 2\nb requires a\nc: recv 10b from 0\nd: send 10b to 2\n"
        "d requires c\n}\nrank 2 { a: recv 10b from 1 b: recv 10b from 1 }\n";
    CHECK(performed(of_goal(ring, 3), 1) ==
          "irecv, irecv, wait_recv, isend 10, wait_recv, isend 10, wait_send, wait_send");
    // A smaller message may overtake a larger one.
    CHECK(holds(
        goal_fault("num_ranks 2\nrank 0 { a: send 10b to 1 b: send 9b to 1 c: recv 1b from 1 d: recv 1b from 1 }\n"
                   "rank 1 {\na: recv 10b from 0\nb: send 1b to 0\nb requires a\nc: recv 9b from 0\n"
                   "d: send 1b to 0\nd requires c\n}\n"),
        "x.goal:8:1 goal_order [d] `d` may begin while `a` in line 4 is open, but `b` in line 5 waits for that "
        "operation first: a rank program performs its waits in a fixed order | expected `d requires a`"));
}

TEST_CASE("a schedule that no rank program keeps is refused at its line") {
    // Either receive may end first, and each has its own answer.
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 {\na: recv 1b from 1 tag 1\nb: recv 1b from 1 tag 2\n"
                           "c: send 1b to 1 tag 3\nd: send 1b to 1 tag 4\nc requires a\nd requires b\n}\nrank 1 { }\n"),
                "x.goal:6:1 goal_order [d] `d` may begin while `a` in line 3 is open"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\nb requires a }\n"),
                "goal_order [a] `a` requires itself"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { a: calc 1 cpu 1 }\n"), "goal_order [1] a second processor"));
}

TEST_CASE("faults of a schedule stand at their words") {
    using input::DiagnosticKind;
    const auto kinds = [](const std::string& text) {
        return test::kinds_of(test::faults_of([&] { of_goal("num_ranks 1\nrank 0 {" + text + "}\n", 1); }));
    };
    CHECK(kinds("a calc 1") == test::Kinds{goal_syntax});
    CHECK(kinds("a: calc 1 a requires a") == test::Kinds{goal_order});
    CHECK(holds(goal_fault("num_ranks 0\n"), "x.goal:1:11 out_of_range [0]"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { a: put 1b to 1 }\n"), "x.goal:2:13 goal_syntax [put]"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { a: calc 1\n"), "the schedule ends here"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { a: calc 1 a: calc 2 }\n"), "duplicate_name [a]"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { } rank 0 { }\n"), "duplicate_name [0]"));
    CHECK(holds(goal_fault("num_ranks 1\nrank 0 { a: calc 1 a requires b }\n"), "unknown_name [b]"));
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 { a: send 1b to 2 }\n"), "peer_outside [2]"));
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 { a: send 1b to 0 }\n"), "self_message [0]"));
    CHECK(holds(goal_fault("num_ranks 2\nrank 0 { a: calc -5 }\n"), "out_of_range [-5]"));
    CHECK(holds(goal_fault("num_ranks 3\n"), "trace_ranks"));
}

TEST_CASE("a text of dumpi2ascii: requests, statuses, communicators of splits, computing between calls") {
    std::vector<std::string> texts;
    for (const int rank : {0, 1}) {
        const std::string other = std::to_string(1 - rank);
        const std::string own = std::to_string(rank);
        DumpiRank text;
        // Backwards, so that each rank's partner has its own number.
        text.call("MPI_Comm_split", "MPI_Comm oldcomm=2 (MPI_COMM_WORLD)\nint color=0\nint key=" + other +
                                        "\nMPI_Comm newcomm=4 (user-defined-comm)\n");
        text.call("MPI_Irecv", doubles(10) + "int source=" + own +
                                   "\nint tag=3\nMPI_Comm comm=4 (user-defined-comm)\nMPI_Request request=[2]\n");
        text.call("MPI_Send", doubles(10) + "int dest=" + own + "\nint tag=3\nMPI_Comm comm=4 (user-defined-comm)\n");
        text.call("MPI_Test", "MPI_Request request=[2]\nint flag=0\nMPI_Status status=<IGNORED>\n");
        text.call("MPI_Waitall",
                  "int count=2\nMPI_Request requests[2]=[2, 1]\nMPI_Status statuses[2]=[{bytes=80, "
                  "cancelled=0, source=" +
                      own + ", tag=3, error=0}, {bytes=0, cancelled=0, source=-1, tag=-1, error=0}]\n");
        text.call("MPI_Recv",
                  doubles(1) + "int source=-2 (MPI_ROOT)\nint tag=3\n" + kWholeWorld + "MPI_Status status=<IGNORED>\n");
        text.call("MPI_Allreduce", doubles(3) + "MPI_Op op=3 (MPI_SUM)\n" + kWholeWorld);
        texts.push_back(text.text());
    }
    const program::Program program = of_dumpi(texts);
    CHECK(performed(program, 0) ==
          "compute 2000000, irecv, compute 1000000, send 80, compute 2000000, wait_recv, compute 2000000, allreduce "
          "24, compute 1000000");
    CHECK(program.of({0}).send_endpoints[0].delta == 1);
}

TEST_CASE("a text of dumpi2ascii: persistent requests, waits for any, shares by rank, sizes of own types") {
    const std::string two = "int count=2\nMPI_Request requests[2]=[2, 3]\n";
    DumpiRank first;
    first.call("MPI_Recv_init", doubles(1) + "int source=1\nint tag=1\n" + kWholeWorld + "MPI_Request request=[2]\n");
    first.call("MPI_Recv_init", doubles(1) + "int source=1\nint tag=2\n" + kWholeWorld + "MPI_Request request=[3]\n");
    first.call("MPI_Startall", two);
    first.call("MPI_Waitany", two + "int index=1\nMPI_Status status=<IGNORED>\n");
    first.call("MPI_Waitsome", two + "int outcount=1\nint indices[1]=[0]\nMPI_Status statuses[1]=<IGNORED>\n");
    first.call("MPI_Request_free", "MPI_Request request=[2]\n");
    const std::string scatterv =
        "int commsize=2\nMPI_Datatype sendtype=28 (user-defined)\nint recvcount=1\n"
        "MPI_Datatype recvtype=28 (user-defined)\nint root=0\n" +
        kWholeWorld;
    first.call("MPI_Scatterv", "int sendcounts[2]=[1, 2]\n" + scatterv);
    DumpiRank second;
    for (const char* tag : {"1", "2"}) {
        second.call("MPI_Sendrecv", "int sendcount=1\nMPI_Datatype sendtype=14 (MPI_DOUBLE)\nint dest=0\nint sendtag=" +
                                        std::string(tag) +
                                        "\nint recvcount=1\nMPI_Datatype recvtype=14 (MPI_DOUBLE)\nint source=-2 "
                                        "(MPI_ROOT)\nint recvtag=0\n" +
                                        kWholeWorld + "MPI_Status status=<IGNORED>\n");
    }
    second.call("MPI_Scatterv", "int sendcounts[0]=<IGNORED>\n" + scatterv);
    const std::string sizes = "Datatype 28 (user-defined) has size 100\n";
    const program::Program program = of_dumpi({first.text() + sizes, second.text() + sizes});
    CHECK(performed(program, 0, false) == "irecv, irecv, wait_any, wait_any, isend 200, wait_send");
    CHECK(holds(dumpi_fault({first.so_far(), second.so_far()}),
                "the text does not contain the size of its datatype; `dumpi2ascii -SX` writes the sizes"));
}

TEST_CASE("a text of dumpi2ascii: collectives in place have the sizes of their receive side") {
    // With MPI_IN_PLACE, callers pass no count of the send side and MPI_DATATYPE_NULL, whose size needs no `-X`.
    const std::string none = "int sendcount=0\nMPI_Datatype sendtype=1 (MPI_DATATYPE_NULL)\n";
    const std::string no_receive = "int recvcount=0\nMPI_Datatype recvtype=1 (MPI_DATATYPE_NULL)\n";
    const auto received = [](int count) {
        return "int recvcount=" + std::to_string(count) + "\nMPI_Datatype recvtype=14 (MPI_DOUBLE)\n";
    };
    const std::string sent = "int sendcount=3\nMPI_Datatype sendtype=14 (MPI_DOUBLE)\n";
    const auto text_of = [&](bool is_root) {
        DumpiRank text;
        text.call("MPI_Allgather", none + received(1000) + kWholeWorld);
        text.call("MPI_Alltoall", none + received(50) + kWholeWorld);
        text.call("MPI_Alltoallv",
                  "int commsize=2\nint sendcounts[0]=<IGNORED>\nMPI_Datatype sendtype=1 (MPI_DATATYPE_NULL)\nint "
                  "recvcounts[2]=[7, 7]\nMPI_Datatype recvtype=14 (MPI_DOUBLE)\n" +
                      kWholeWorld);
        text.call("MPI_Gather", (is_root ? none + received(3) : sent + no_receive) + "int root=0\n" + kWholeWorld);
        text.call("MPI_Scatter", (is_root ? sent + no_receive : none + received(3)) + "int root=0\n" + kWholeWorld);
        return text.text();
    };
    const program::Program program = of_dumpi({text_of(true), text_of(false)});
    // Doubles of 8 bytes: each rank sends the other 1,000, then 50, then 7; rank 1 sends 3 to rank 0, which scatters 3.
    const program::Traffic all = program::traffic(program);
    CHECK(all.messages == 2 + 2 + 2 + 1 + 1);
    CHECK(static_cast<std::int64_t>(all.bytes) == 8 * (2 * (1000 + 50 + 7) + 3 + 3));
    CHECK(program.notes == std::vector<std::string>{"traces: computing takes the recorded times"});
}

TEST_CASE("faults of a text of dumpi2ascii stand at their lines") {
    const std::string barrier = DumpiRank().call("MPI_Barrier", "MPI_Comm comm=\n").text();
    CHECK(test::kinds_of(test::faults_of([&] { of_dumpi({barrier}); })) == test::Kinds{dumpi_syntax});
    const auto fault = [](const std::string& name, const std::string& fields) {
        return dumpi_fault({DumpiRank().call(name, fields).text()});
    };
    CHECK(holds(fault("MPI_Barrier", ""),
                "0000.txt:4:1 dumpi_syntax [MPI_Barrier] the call `MPI_Barrier` has no `comm`"));
    CHECK(holds(fault("MPI_Barrier", "MPI_Comm comm=x\n"),
                "0000.txt:5:15 dumpi_syntax [x] `x` is not a number of 32 bits"));
    CHECK(holds(fault("MPI_Barrier", "MPI_Comm comm=9\n"), "0000.txt:5:15 unknown_communicator [9]"));
    CHECK(holds(fault("MPI_Send", doubles(1) + "int dest=4\nint tag=1\n" + kWholeWorld),
                "0000.txt:7:10 peer_outside [4]"));
    CHECK(holds(fault("MPI_Wait", "MPI_Request request=[7]\nMPI_Status status=<IGNORED>\n"), "unknown_request [[7]]"));
    CHECK(holds(fault("MPI_Put", ""), "calls MPI_Put once: it cannot be replayed"));
    CHECK(holds(dumpi_fault({DumpiRank().so_far()}), "trace_truncated"));
    CHECK(holds(dumpi_fault({"MPI_Init entering at walltime 1.0, cputime 1.0\n"}),
                "the text ends before the call `MPI_Init` returns"));
    CHECK(holds(dumpi_fault({"MPI_Init entering at walltime x, cputime 1.0\nMPI_Init returning at walltime x, c\n"}),
                "`x` is not a time"));
}
