// Time-independent traces as programs.
#include "simulator/trace/read.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "simulator/trace/simgrid.hpp"
#include "simulator/trace/write.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/trace/traces.hpp"
#include "tests/validation/validate.hpp"

using program::Channel;
using program::Op;
using program::Program;
using namespace warpfront::trace;

namespace {

struct Step {
    Op op = Op::finish;
    std::int64_t amount = 0;
    program::Channel channel;  // of a message
    friend bool operator==(const Step&, const Step&) = default;
};

std::vector<Step> events(const Program& program, std::uint32_t rank) {
    std::vector<Step> all;
    const program::RankClass& rank_class = program.of({rank});
    program::Cursor walk(rank_class);
    for (const program::Instruction* step = &walk.next(); step->op != Op::finish; step = &walk.next()) {
        const bool out = program::sends(step->op, program::Operand::send_endpoint) || step->op == Op::wait_send;
        const bool in = step->op == Op::recv || step->op == Op::irecv || step->op == Op::wait_recv;
        const program::Channel channel = out  ? rank_class.send_endpoints[step->operand]
                                         : in ? rank_class.receive_endpoints[step->operand]
                                              : program::Channel{};
        all.push_back({step->op, step->amount, channel});
    }
    return all;
}

const Step kMark{Op::iteration, 0, {}};

}  // namespace

TEST_CASE("computing, blocking messages and requests become instructions, flops picoseconds") {
    const Program program = Traces({"0 compute 1.5e3\n0 Send 1 7 300\n0 isend 1 7 20\n0 wait 0 1 7\n",
                                    "1 recv 0 7 300\n1 irecv 0 7 -1\n1 compute 2\n1 waitAll 1\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(events(program, 0) == std::vector<Step>{{Op::compute, 1500, {}},
                                                  {Op::send, 300, {1, 7}},
                                                  {Op::isend, 20, {1, 7}},
                                                  {Op::wait_send, 0, {1, 7}},
                                                  kMark});
    CHECK(
        events(program, 1) ==
        std::vector<Step>{
            {Op::recv, 0, {-1, 7}}, {Op::irecv, 0, {-1, 7}}, {Op::compute, 2, {}}, {Op::wait_recv, 0, {-1, 7}}, kMark});
}

TEST_CASE("counts are of the datatype, of doubles after `init 1`, else of bytes") {
    const Traces traces({"0 send 1 0 10\n0 send 1 0 10 0\n0 send 1 0 10 1\n0 send 1 0 10 6\n",
                         "1 recv 0 0 10\n1 recv 0 0 10 0\n1 recv 0 0 10 1\n1 recv 0 0 10 6\n"});
    const std::vector<Step> sent = events(traces.read().program, 0);
    CHECK(sent[0].amount == 10);
    CHECK(sent[1].amount == 80);
    CHECK(sent[2].amount == 40);
    CHECK(sent[3].amount == 10);
    traces.write("rank-0.txt", "0 init 1\n0 send 1 0 10\n0 send 1 0 10\n0 send 1 0 10\n0 send 1 0 10\n0 finalize\n");
    CHECK(events(traces.read().program, 0)[0].amount == 80);
}

TEST_CASE("requests of one channel that are open together take channels of their own, in turn") {
    const Program program = Traces({"0 send 1 3 1\n0 send 1 3 2\n0 send 1 3 3\n",
                                    "1 irecv 0 3 1\n1 irecv 0 3 2\n1 wait 0 1 3\n1 irecv 0 3 3\n1 waitall\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    const std::vector<Step> sent = events(program, 0);
    CHECK(sent[0].channel == program::Channel{1, 3});
    CHECK(sent[1].channel != sent[0].channel);
    CHECK(sent[2].channel == sent[0].channel);
    const std::vector<Step> received = events(program, 1);
    CHECK(received[2] == Step{Op::wait_recv, 0, {-1, 3}});  // the first
    CHECK(received[3] == Step{Op::irecv, 0, {-1, 3}});      // the third takes its place
    CHECK(received[4].channel.tag == sent[1].channel.tag);  // waitall: the second, then the third
    CHECK(received[5] == Step{Op::wait_recv, 0, {-1, 3}});
}

TEST_CASE("sendrecv posts, sends, and waits for its own receive") {
    const Program program = Traces({"0 sendRecv 10 1 20 1\n", "1 sendRecv 20 0 10 0\n"}).read().program;
    CHECK(events(program, 0) ==
          std::vector<Step>{{Op::irecv, 0, {1, 0}}, {Op::send, 10, {1, 0}}, {Op::wait_recv, 0, {1, 0}}, kMark});
}

TEST_CASE("ranks with equal relative actions share a class") {
    std::vector<std::string> bodies;
    for (int rank = 0; rank < 6; ++rank) {
        const std::string own = std::to_string(rank);
        std::string body;
        if (rank > 0) body += own + " recv " + std::to_string(rank - 1) + " 0 8\n";
        if (rank < 5) body += own + " send " + std::to_string(rank + 1) + " 0 8\n";
        bodies.push_back(body);
    }
    const Program program = Traces(bodies).read().program;
    CHECK(program.classes.size() == 3);
    CHECK(program.class_of[1] == program.class_of[4]);
}

TEST_CASE("a written file can be read again") {
    const RankGrid grid{4, 3};
    const Program code =
        wavefront({.grid = grid, .tiles = 3, .work = 1'234'567, .starts = {0, 3}, .allreduces = 1, .iterations = 2});
    const trace::Writer writer(code);
    std::vector<std::string> bodies(grid.ranks());
    const Traces traces(bodies);
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank) {
        traces.write("rank-" + std::to_string(rank) + ".txt", writer.text_of({rank}));
    }
    const Program again = traces.read_as(grid).program;
    CHECK(program::validate(again) == "");
    CHECK(program::mismatches(again, 1).empty());
    for (std::uint32_t rank = 0; rank < grid.ranks(); ++rank)
        CHECK(trace::Writer(again).text_of({rank}) == writer.text_of({rank}));
}

TEST_CASE("comments, blank lines and line ends of other systems are ignored") {
    const Traces traces({"# a comment\n\n0 compute 5 # five\r\n"});
    CHECK(events(traces.read().program, 0) == std::vector<Step>{{Op::compute, 5, {}}, kMark});
}

TEST_CASE("a site is a line and its action") {
    const Program program = Traces({"0 compute 1\n0 send 1 0 8\n", "1 recv 0 0 8\n"}).read().program;
    const program::Instruction& send = program.of({0}).code[1];
    REQUIRE(send.op == Op::send);
    CHECK(program.sites[send.site].line == 3);
    CHECK(program.sites[send.site].text == "send");
    CHECK(program.sites[send.site].file.ends_with("/*"));
}

// Receives from any source or of any tag, waitany and synchronous sends in traces, as SMPI writes them.

namespace {

std::vector<Channel> choice_of(const Program& program, std::uint32_t rank, std::size_t number) {
    const program::RankClass& rank_class = program.of({rank});
    std::vector<Channel> channels;
    for (const std::uint32_t place : rank_class.choices.at(number).receive_endpoints) {
        channels.push_back(rank_class.receive_endpoints[place]);
    }
    return channels;
}

std::vector<Op> operations(const Program& program, std::uint32_t rank) {
    std::vector<Op> all;
    for (const program::Instruction& step : program.of({rank}).code) all.push_back(step.op);
    return all;
}

}  // namespace

TEST_CASE("a receive from any source takes from all ranks that send with its tag, one of any tag from all") {
    const Program program = Traces({"0 recv -333 7 8\n0 recv -333 7 8\n0 recv -333 -444 8\n", "1 send 0 7 8\n",
                                    "2 send 0 7 8\n2 send 0 9 8\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) ==
          std::vector<Op>{Op::recv_any, Op::recv_any, Op::recv_any, Op::iteration, Op::finish});
    CHECK(choice_of(program, 0, 0) == std::vector<Channel>{{+1, 7}, {+2, 7}});
    CHECK(choice_of(program, 0, 1) == std::vector<Channel>{{+1, 7}, {+2, 7}, {+2, 9}});
}

TEST_CASE("one that is posted is matched by its post") {
    const Program program =
        Traces({"0 irecv -333 7 8\n0 irecv -333 7 8\n0 compute 5\n0 wait -333 0 7\n0 irecv -333 7 8\n0 waitall 2\n",
                "1 send 0 7 8\n1 send 0 7 8\n1 send 0 7 8\n"})
            .read()
            .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) == std::vector<Op>{Op::irecv_any, Op::irecv_any, Op::compute, Op::wait_recv_any,
                                                    Op::irecv_any, Op::wait_recv_any, Op::wait_recv_any, Op::iteration,
                                                    Op::finish});
    // Receives that are open at once have separate choices; the third reuses that of the first.
    CHECK(program.of({0}).code[0].operand == program.of({0}).code[4].operand);
    CHECK(program.of({0}).code[0].operand != program.of({0}).code[1].operand);
    CHECK(program.notes.back().find("are assigned at the waits") == std::string::npos);
}

TEST_CASE("a receive whose message another one may take takes it when it is waited for, with a note") {
    const auto with = [](const std::string& master, const std::string& worker) {
        return Traces({master, worker}).read().program;
    };
    const std::string both = "1 send 0 7 8\n1 send 0 7 8\n";
    const std::vector<Op> named{Op::recv, Op::recv_any, Op::iteration, Op::finish};
    const Program program = with("0 irecv -333 7 8\n0 recv 1 7 8\n0 wait -333 0 7\n", both);
    CHECK(operations(program, 0) == named);
    CHECK(program.notes.back().find("the messages of 1 receive from any source are assigned at the waits") !=
          std::string::npos);
    CHECK(operations(with("0 irecv -333 7 8\n0 recv -333 -444 8\n0 waitall 1\n", both), 0) ==
          std::vector<Op>{Op::recv_any, Op::recv_any, Op::iteration, Op::finish});
    CHECK(operations(with("0 irecv 1 7 8\n0 irecv -333 7 8\n0 waitall 2\n", both), 0) ==
          std::vector<Op>{Op::irecv, Op::wait_recv, Op::recv_any, Op::iteration, Op::finish});
    CHECK(operations(with("0 irecv -333 7 8\n0 recv 1 8 8\n0 barrier\n0 waitall 1\n",
                          "1 send 0 7 8\n1 send 0 8 8\n1 barrier\n"),
                     0)
              .front() == Op::irecv_any);
}

TEST_CASE("a rendezvous to a posted receive from any source does not wait for the receiver") {
    // Rank 1: busy 0-4, request arrives at 5, back 6. Rank 0 computes to 100, takes the arrived data, and receives
    // to 104.
    const Program program =
        Traces({"0 irecv -333 7 2000\n0 compute 100000000\n0 wait -333 0 7\n", "1 send 0 7 2000\n"}).read().program;
    const record::Record run = engine::run(program, simple_machine({2, 1}), {});
    CHECK(run.rank_finish == std::vector<WideTime>{WideTime{Time{104 * us}}, WideTime{Time{6 * us}}});
}

TEST_CASE("a receive of any tag takes the messages of a source in the order of sending") {
    // No o_send: 900 B are there at 1.9, and 8 B at 1.008. The first receive takes the 900 B, to 5.9, although the
    // second message is there before; the next receive ends at 9.9.
    machine::Machine machine = simple_machine({2, 1});
    machine.profiles[2].front().o_send = {};
    const auto finish = [&](const std::string& receiver, const std::string& sender) {
        const Program program = Traces({receiver, sender}).read().program;
        return engine::run(program, machine, {}).rank_finish.front();
    };
    const WideTime later{Time{9'900'000}};
    CHECK(finish("0 recv 1 -444 900\n0 recv 1 8 8\n", "1 send 0 7 900\n1 send 0 8 8\n") == later);
    CHECK(finish("0 recv -333 -444 900\n0 recv -333 8 8\n", "1 send 0 7 900\n1 send 0 8 8\n") == later);
    CHECK(finish("0 irecv 1 -444 900\n0 wait 1 0 -444\n0 recv 1 8 8\n", "1 send 0 7 900\n1 send 0 8 8\n") == later);
    // Two messages of one tag that are under way at once; the last takes the second one.
    CHECK(finish("0 recv -333 7 900\n0 recv -333 7 8\n", "1 isend 0 7 900\n1 isend 0 7 8\n1 waitall 2\n") == later);
}

TEST_CASE("a receive that is posted by name keeps its message from a receive of any tag") {
    // Tag 7 is there at 4 + 1.008 = 5.008, tag 9 at 9.008: received to 13.008. Then tag 7, to 17.008.
    const Program program =
        Traces({"0 irecv 1 7 8\n0 recv -333 -444 8\n0 wait 1 0 7\n", "1 send 0 7 8\n1 send 0 9 8\n"}).read().program;
    CHECK(engine::run(program, simple_machine({2, 1}), {}).rank_finish.front() == WideTime{Time{17'008'000}});
}

TEST_CASE("waitany takes one of the receives that are open, waitall the rest, then a send") {
    const Program program = Traces({"0 irecv 1 0 8\n0 irecv 2 0 8\n0 isend 1 3 8\n0 waitany 3\n0 waitall 2\n",
                                    "1 send 0 0 8\n1 recv 0 3 8\n", "2 send 0 0 8\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) == std::vector<Op>{Op::irecv, Op::irecv, Op::isend, Op::wait_any, Op::wait_send,
                                                    Op::wait_any, Op::iteration, Op::finish});
    CHECK(choice_of(program, 0, 0) == std::vector<Channel>{{+1, 0}, {+2, 0}});
}

TEST_CASE("two open receives of one channel are two messages of a waitany") {
    const Program program =
        Traces({"0 irecv 1 0 8\n0 irecv 1 0 8\n0 waitany 2\n0 waitany 2\n", "1 send 0 0 8\n1 send 0 0 8\n"})
            .read()
            .program;
    CHECK(choice_of(program, 0, 0).size() == 2);
    // o = 4 us, L = 1 us, 8 ns of bytes: there 5.008 and 9.008; received 5.008-9.008-13.008.
    CHECK(engine::run(program, simple_machine({2, 1}), {}).rank_finish[0] == WideTime{Time{13'008'000}});
}

TEST_CASE("SMPI does not name what a test completes: a request that no wait names ends at the first tests behind it") {
    // Two polls of a receive, with computing between the tests, then one of a send.
    const Program program = Traces({"0 irecv 1 0 8\n0 test\n0 compute 5\n0 test\n0 compute 6\n0 send 1 1 8\n"
                                    "0 irecv 1 0 8\n0 test\n0 send 1 1 8\n0 test\n",
                                    "1 send 0 0 8\n1 recv 0 1 8\n1 send 0 0 8\n1 recv 0 1 8\n"})
                                .read()
                                .program;
    CHECK(program::validate(program) == "");
    CHECK(operations(program, 0) == std::vector<Op>{Op::irecv, Op::compute, Op::wait_recv, Op::compute, Op::send,
                                                    Op::irecv, Op::wait_recv, Op::send, Op::iteration, Op::finish});
    CHECK(holds(program.notes.back(), "left out: tests, 4 times"));
    // A wait for the request replaces its tests.
    CHECK(operations(Traces({"0 irecv 1 0 8\n0 test\n0 send 1 1 8\n0 wait 1 0 0\n", "1 send 0 0 8\n1 recv 0 1 8\n"})
                         .read()
                         .program,
                     0) == std::vector<Op>{Op::irecv, Op::send, Op::wait_recv, Op::iteration, Op::finish});
}

TEST_CASE("messages of a rank to itself take no time, and a send that nothing waits for ends at the end") {
    const Program program =
        Traces({"0 irecv 0 3 8\n0 isend 0 3 8\n0 waitall\n0 isend 0 4 8\n0 recv 0 4 8\n0 wait 0 0 4\n"
                "0 isend 1 5 8\n0 compute 7\n",
                "1 recv 0 5 8\n"})
            .read()
            .program;
    CHECK(operations(program, 0) == std::vector<Op>{Op::isend, Op::compute, Op::wait_send, Op::iteration, Op::finish});
    CHECK(holds(fmt::format("{}", fmt::join(program.notes, "\n")), "messages of a rank to itself take no time"));
    CHECK(holds(program.notes.back(), "MPI_Isend without a wait, once"));
}

TEST_CASE("one file may have the lines of all ranks, as SMPI writes them with `tracing/smpi/format/ti-one-file`") {
    const test::Scratch scratch;
    scratch.file("all.txt",
                 "0 init\n1 init\n1 irecv 0 7 8\n0 compute 5\n0 send 1 7 8\n1 wait 0 1 7\n0 finalize\n1 finalize\n");
    const auto list = scratch.file("list.txt", "all.txt\n");
    const Program program = read({list, {}, {2, 1}, {}, {{1e12}, {}}}).program;
    CHECK(operations(program, 0) == std::vector<Op>{Op::compute, Op::send, Op::iteration, Op::finish});
    CHECK(operations(program, 1) == std::vector<Op>{Op::irecv, Op::wait_recv, Op::iteration, Op::finish});
    CHECK(program.sites[program.of({1}).code[0].site].line == 3);
}

TEST_CASE("Ssend is synchronous") {
    const Program program = Traces({"0 Ssend 1 7 8\n", "1 recv 0 7 8\n"}).read().program;
    CHECK(operations(program, 0).front() == Op::ssend);
}

TEST_CASE("a master of a trace answers in the order in which its workers come in the simulation") {
    // The trace has rank 2's answer first, as recorded; here the messages are taken in the order of arrival.
    const Program program = Traces({"0 recv -333 1 8\n0 send 2 2 8\n0 recv -333 1 8\n0 send 1 2 8\n",
                                    "1 send 0 1 8\n1 recv 0 2 8\n", "2 compute 50000000\n2 send 0 1 8\n2 recv 0 2 8\n"})
                                .read()
                                .program;
    // Rank 1's message is taken at 5.008, received to 9.008, and rank 2 is answered, which receives when it has sent.
    const record::Record run = engine::run(program, simple_machine({3, 1}), {});
    CHECK(run.rank_finish[2] == WideTime{Time{58 * us}});
}

// Traces as SMPI 3.32 writes them; `recorded/record` makes them from the C programs beside them.

namespace {

const std::filesystem::path kRecorded = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tests/trace/recorded";

Loaded read_recorded(const std::string& list, RankGrid grid, const collectives::Algorithms& collectives = {}) {
    return read({kRecorded / list, {}, grid, {}, {{1e12}, collectives}});
}

}  // namespace

TEST_CASE("traces are a recorded run, whose flops count as picoseconds unless a rate is given") {
    const RecordedRun run = read_recorded_run(kRecorded / "sweep.txt", {});
    REQUIRE(run.ranks.size() == 12);
    CHECK(computing_note(run) == "computing is in flops; a time of 1 ps stands for one flop");
    const auto computing = std::ranges::find(run.ranks[3].events, Call::compute, &Event::call);
    REQUIRE(computing != run.ranks[3].events.end());
    CHECK(computing->work == Time{43'000'000});  // sweep.c: 40e6 + 1e6 * rank
}

TEST_CASE("every datatype has the size that SMPI gives it: `datatypes.c` broadcasts as many elements as it has bytes") {
    std::istringstream lines(std::string(input::read_file(kRecorded / "datatypes.txt_files/rank-1.txt", {})->text()));
    int known = 0;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string rank, verb;
        std::int64_t size = 0, root = 0, type = 0;
        if (!(words >> rank >> verb >> size >> root >> type) || type == kDerivedType) continue;
        CAPTURE(line);
        CHECK(size_of_type(type) == Bytes{size});
        ++known;
    }
    CHECK(known == 55);  // 0 to 59 but for those of the next test
}

TEST_CASE("C++'s datatypes and SMPI's pointer, which C cannot name, are as long as SMPI's replay takes for them") {
    // On a wire of 1 GB/s, `send 1 3 1000000000 TYPE` takes as many seconds as the datatype has bytes.
    CHECK(size_of_type(51) == Bytes{1});   // bool
    CHECK(size_of_type(52) == Bytes{8});   // complex<float>
    CHECK(size_of_type(53) == Bytes{16});  // complex<double>
    CHECK(size_of_type(54) == Bytes{32});  // complex<long double>
    CHECK(size_of_type(58) == Bytes{8});
    CHECK(size_of_type(kDerivedType) == Bytes{0});
    CHECK_FALSE(size_of_type(60));
    CHECK_FALSE(size_of_type(-2));
}

TEST_CASE("traces of all datatypes are read; the lost size of a derived one is reported") {
    const program::Program program = read_recorded("datatypes.txt", {1, 1}).program;
    REQUIRE(program.notes.size() == 3);
    CHECK(holds(program.notes[1], "collectives are assumed to be over all ranks"));
    CHECK(holds(program.notes[2], "1 actions have derived datatypes"));
}

TEST_CASE("a count of 0 of MPI_DATATYPE_NULL, which SMPI writes as -1 too, is no derived datatype") {
    const test::Scratch folder;
    folder.file("traces.txt", "0.txt\n1.txt\n");
    folder.file("0.txt", "0 init\n0 scatter 5 0 0 0 -1\n0 finalize\n");
    folder.file("1.txt", "1 init\n1 scatter 0 5 0 -1 0\n1 finalize\n");
    const program::Program program = test::replayed(folder.folder(), 2);
    CHECK_FALSE(std::ranges::any_of(program.notes, [](const auto& note) { return holds(note, "derived"); }));
}

TEST_CASE("SMPI leaves a receive count of 0 out of a gather: a root and two datatypes follow the count that is sent") {
    // MPI_Gather(b, 77, MPI_INT, NULL, 0, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), and MPI_INT in place of the null type.
    const test::Scratch folder;
    folder.file("traces.txt", "0.txt\n1.txt\n");
    folder.file("0.txt", "0 init\n0 gather 77 77 0 1 1\n0 gather 77 77 0 1 1\n0 finalize\n");
    folder.file("1.txt", "1 init\n1 gather 77 0 1 -1\n1 gather 77 0 1 1\n1 finalize\n");
    const program::Program program = test::replayed(folder.folder(), 2);
    CHECK(static_cast<std::int64_t>(program::traffic(program).bytes) == 2 * 77 * 4);
    CHECK_FALSE(std::ranges::any_of(program.notes, [](const auto& note) { return holds(note, "derived"); }));
}

TEST_CASE("a code like Sweep3D as SMPI traces it: blocks of eight octants from rank to rank, an allreduce") {
    // 8 octants x 2 blocks; 3 rows of 3 messages along x of 240 doubles, 4 columns of 2 along y of 300. Besides,
    // a bcast of 4 ints to 11 ranks, and a barrier: of 4 steps of 12 empty messages.
    const program::Program program = read_recorded("sweep.txt", {4, 3}).program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    CHECK(program::has_allreduce(program));
    const program::Traffic all = program::traffic(program);
    CHECK(all.messages == 8 * 2 * (3 * 3 + 4 * 2) + 11 + 4 * 12);
    CHECK(static_cast<std::int64_t>(all.bytes) == 8 * 2 * (9 * 240 * 8 + 8 * 300 * 8) + 11 * 16);
}

TEST_CASE(
    "a code like LU as SMPI traces it: planes back and forth, halos, norms, and parameters of several datatypes") {
    // 2 iterations x 2 sweeps x 3 planes, each 9 + 8 messages of 60 doubles; then halos of 960 doubles, both ways;
    // bcasts of 4 uint32_t, a long double and a float to 11 ranks; 2 barriers of 4 x 12; a reduce of 5 doubles from 11.
    const program::Program program = read_recorded("lu.txt", {4, 3}).program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    const program::Traffic all = program::traffic(program);
    CHECK(all.messages == 2 * 2 * 3 * 17 + 2 * 2 * 17 + 3 * 11 + 2 * 4 * 12 + 11);
    CHECK(static_cast<std::int64_t>(all.bytes) == 12 * 17 * 480 + 4 * 17 * 7680 + 11 * (16 + 16 + 4) + 11 * 40);
}

TEST_CASE("a program of traces names the algorithms of its collectives") {
    const auto uses = [](const collectives::Algorithms& collectives) {
        std::string text;
        for (const program::CollectiveUse& use : read_recorded("lu.txt", {4, 3}, collectives).program.collectives) {
            text += fmt::format("{} {} ({})", use.operation, use.algorithm, use.because);
            text += use.most && use.most->count > 0 ? fmt::format(" {} to {} B\n", use.least->count, use.most->count)
                                                    : "\n";
            CHECK(use.fewest_ranks == 12);
            CHECK(use.most_ranks == 12);
        }
        return text;
    };
    CHECK(uses({}) ==
          "bcast binomial (default) 4 to 16 B\n"
          "barrier dissemination (default)\n"
          "allreduce recursive_doubling (default) 40 to 40 B\n"
          "reduce binomial (default) 40 to 40 B\n");
    CHECK(uses(collectives::Algorithms::like(collectives::Library::smpi)) ==
          "bcast binomial (SMPI 3.32) 4 to 16 B\n"
          "barrier linear (SMPI 3.32)\n"
          "allreduce reduce_bcast (SMPI 3.32) 40 to 40 B\n"
          "reduce in allreduce linear (SMPI 3.32) 40 to 40 B\n"
          "bcast in allreduce binomial (SMPI 3.32) 40 to 40 B\n"
          "reduce linear (SMPI 3.32) 40 to 40 B\n");
}

TEST_CASE("a note reports if SMPI's own replay has other algorithms, unless the machine has its choices") {
    const auto has_note = [](const collectives::Algorithms& collectives) {
        return holds(fmt::format("{}", fmt::join(read_recorded("lu.txt", {4, 3}, collectives).program.notes, "\n")),
                     "SMPI's own replay performs some of these collectives by other algorithms");
    };
    CHECK(has_note({}));
    CHECK_FALSE(has_note(collectives::Algorithms::like(collectives::Library::smpi)));
}
TEST_CASE("a list may have any name, and its names may be relative to a folder above it") {
    const test::Scratch scratch;
    scratch.file("codes/run/a.txt", "0 init\n0 send 1 0 8\n0 finalize\n");
    scratch.file("codes/run/b.txt", "1 init\n1 recv 0 0 8\n1 finalize\n");
    scratch.file("codes/run/beside.list", "a.txt\nb.txt\n");
    scratch.file("codes/run/above.list", "run/a.txt\nrun/b.txt\n");  // as smpirun writes it when run in `codes`
    for (const std::string list : {"beside.list", "above.list"}) {
        CAPTURE(list);
        const Loaded loaded = read({scratch.folder() / "codes/run" / list, {}, {2, 1}, {}, {{1e12}, {}}});
        CHECK(program::mismatches(loaded.program, 1).empty());
        CHECK(loaded.program.sites.front().file == (scratch.folder() / "codes/run/*").string());
    }
    scratch.file("codes/run/nowhere.list", "a.txt\nrun/c.txt\n");
    const input::Diagnostics faults = test::faults_of([&] {
        read({scratch.folder() / "codes/run/nowhere.list", {}, {2, 1}, {}, {{1e12}, {}}});
    });
    CHECK(test::kinds_of(faults) == test::Kinds{unreadable_file});
    CHECK(holds(faults.render(), "nowhere.list:2:1: error: cannot read `run/c.txt`"));
    CHECK(holds(faults.render(), "expected the path of a trace from the folder of this list, or from one above it"));
}

TEST_CASE("scatterv sends each rank its share from the root; exscan is as scan") {
    const Traces traces({"0 scatterv 8 24 8 0 6 6\n0 exscan 16 0\n", "1 scatterv 8 24 24 0 6 6\n1 exscan 16 0\n"});
    const std::vector<Step> first = events(traces.read().program, 0);
    CHECK(first[0].op == Op::isend);
    CHECK(first[0].amount == 24);
    CHECK(first[2].op == Op::send);
    CHECK(first[2].amount == 16);
    const std::vector<Step> second = events(traces.read().program, 1);
    CHECK(second[0].op == Op::recv);
    CHECK(second[1].op == Op::recv);
}

TEST_CASE("comm_size, comm_split, comm_dup and location do nothing, whatever their words, as in SMPI's own replay") {
    const Traces traces({"0 comm_size 2\n0 compute 1e6\n0 comm_split 1 0\n0 comm_dup\n0 location a.c 12\n"});
    const std::vector<Step> all = events(traces.read().program, 0);
    REQUIRE(all.size() == 2);
    CHECK(all[0].op == Op::compute);
    CHECK(all[0].amount == 1'000'000);  // 1e6 flops at 1 Tflop/s
    CHECK(all[1].op == Op::iteration);
}

TEST_CASE("a sleep is computing that takes as long on any processor") {
    const std::vector<Step> all = events(Traces({"0 sleep 1.5e-3\n"}).read().program, 0);
    CHECK(all[0].op == Op::compute);
    CHECK(all[0].amount == 1'500'000'000);
}

TEST_CASE("the datatype of a collective counts: SMPI chooses a reduce_scatter by its elements") {
    // 2 x 300,000 doubles and 1 of another size: 600,001 elements are more than 512 Ki, 300,001 are not.
    const auto algorithm = [](const std::string& counts) {
        const Traces traces({"0 reducescatter " + counts + " 0 0\n", "1 reducescatter " + counts + " 0 0\n"});
        TraceRequest request{traces.folder(), {}, {2, 1}, {}, {{1e12}, {}}};
        request.costs.collectives = collectives::Algorithms::like(collectives::Library::smpi);
        return read(request).program.collectives.at(0).algorithm;
    };
    CHECK(algorithm("300000 300001") == "pairwise");
    CHECK(algorithm("1 300000") == "recursive_doubling");
}
