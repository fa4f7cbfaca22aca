// Recordings of the tracer as runs.
#include "simulator/program/mismatches.hpp"
#include "simulator/trace/read.hpp"
#include "simulator/trace/read_run.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/trace/recordings.hpp"
#include "tests/validation/validate.hpp"

using test::RecordWords;
using test::write_rank;

TEST_CASE("a recording's messages are those of the world's ranks, with computing between calls") {
    const test::Scratch folder;
    // A communicator of ranks 1 and 0, in this order: its member 0 is rank 1.
    write_rank(folder.folder(), 0, 2,
               RecordWords()
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {2, 2, 1, 0})
                   .record(WARPFRONT_RECORDED_irecv, 100, 110, {2, 0, 7, 800, 5})
                   .record(WARPFRONT_RECORDED_test, 200, 210, {3, 1, 5, 0, 7, 640})
                   .record(WARPFRONT_RECORDED_send, 210, 215, {0, WARPFRONT_NO_PEER, 1, 8})
                   .record(WARPFRONT_RECORDED_finalize, 300, 300, {}));
    write_rank(folder.folder(), 1, 2,
               RecordWords()
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {2, 2, 1, 0})
                   .record(WARPFRONT_RECORDED_send, 20, 30, {2, 1, 7, 640})
                   .record(WARPFRONT_RECORDED_finalize, 30, 30, {}));
    const trace::RecordedRun run = trace::read_recorded_run(folder.folder(), {});
    REQUIRE(run.ranks.size() == 2);
    CHECK(run.communicators == std::vector<std::vector<Rank>>{{Rank{0}, Rank{1}}, {Rank{1}, Rank{0}}});
    const std::vector<trace::Event>& first = run.ranks[0].events;
    REQUIRE(first.size() == 2);  // messages to MPI_PROC_NULL are left out
    CHECK(first[0].call == trace::Call::irecv);
    CHECK(first[0].peer == Rank{1});
    CHECK(first[0].communicator == 1);
    CHECK(first[0].work == Time{200'000});  // 100 ticks of 2 ns
    CHECK(first[1].call == trace::Call::wait);
    CHECK(first[1].work == Time{180'000});  // from tick 110 to 200
    REQUIRE(first[1].completed.size() == 1);
    CHECK(first[1].completed[0].request == first[0].request);
    CHECK(first[1].completed[0].bytes == Bytes{640});
    CHECK(run.ranks[0].work_after == Time{170'000});  // from tick 215 to 300
    CHECK(run.ranks[1].events[0].peer == Rank{0});
    CHECK(run.ranks[0].complete);
}

TEST_CASE("a recorded run is replayed: computing as long as it took, messages of two communicators apart") {
    const test::Scratch folder;
    // Rank 0 computes 100 ticks of 2 ns, then sends 8 B to rank 1 over both communicators, with one tag; rank 1
    // receives that of the second communicator first.
    write_rank(folder.folder(), 0, 2,
               RecordWords()
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {2, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_send, 100, 101, {0, 1, 7, 8})
                   .record(WARPFRONT_RECORDED_send, 101, 102, {2, 1, 7, 16})
                   .record(WARPFRONT_RECORDED_allreduce, 102, 103, {2, 8})
                   .record(WARPFRONT_RECORDED_finalize, 103, 103, {}));
    write_rank(folder.folder(), 1, 2,
               RecordWords()
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {2, 2, 0, 1})
                   .record(WARPFRONT_RECORDED_recv, 0, 150, {2, 0, 7, 16, 0, 7, 16})
                   .record(WARPFRONT_RECORDED_recv, 150, 160, {0, 0, 7, 8, 0, 7, 8})
                   .record(WARPFRONT_RECORDED_allreduce, 160, 170, {2, 8})
                   .record(WARPFRONT_RECORDED_finalize, 170, 170, {}));
    trace::TraceRequest request;
    request.files = folder.folder();
    request.grid.columns = 2;
    request.costs.speed = FlopRate{1e12};
    const program::Program program = trace::read(request).program;
    CHECK(program::validate(program) == "");
    CHECK(program::mismatches(program, 1).empty());
    const std::vector<program::Instruction>& first = program.of(Rank{0}).code;
    CHECK(first[0].op == program::Op::compute);
    CHECK(first[0].amount == 200'000);  // picoseconds
    CHECK(first[1].op == program::Op::send);
    CHECK(first[1].operand != first[2].operand);  // two channels
    request.costs.times_as_fast = 2.0;
    CHECK(trace::read(request).program.of(Rank{0}).code[0].amount == 100'000);
}

TEST_CASE("a recorded run is refused on another number of ranks, and with a call that cannot be replayed") {
    using input::DiagnosticKind;
    const test::Scratch folder;
    std::vector<std::int64_t> put{7, 0};  // a text: its length, then its bytes
    std::memcpy(&put[1], "MPI_Put", 7);
    write_rank(folder.folder(), 0, 1,
               RecordWords()
                   .record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 1, 0})
                   .record(WARPFRONT_RECORDED_unknown, 1, 2, put)
                   .record(WARPFRONT_RECORDED_finalize, 3, 3, {}));
    trace::TraceRequest request;
    request.files = folder.folder();
    request.costs.speed = FlopRate{1e12};
    const test::Kinds unread{unread_call};
    CHECK(test::kinds_of(test::faults_of([&] { trace::read(request); })) == unread);
    request.grid.columns = 2;
    const test::Kinds ranks{trace_ranks};
    CHECK(test::kinds_of(test::faults_of([&] { trace::read(request); })) == ranks);
}

TEST_CASE("a file that is not a recording, is cut, has an unknown call or belongs to another run is refused") {
    const test::Scratch folder;
    const auto faults = [&folder] {
        return test::summary_of(test::faults_of([&] { trace::read_recorded_run(folder.folder(), {}); }));
    };
    std::ofstream(folder.folder() / "rank-0.events") << "anything";
    CHECK(faults().find("bad_recording") != std::string::npos);
    CHECK(faults().find("it does not begin with the mark of a recording") != std::string::npos);
    CHECK(faults().find("expected an unchanged file of `warpfront record`; record the run again") != std::string::npos);
    const RecordWords world = RecordWords().record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 1, 0});
    RecordWords cut = world;
    cut.record(WARPFRONT_RECORDED_send, 1, 2, {0, 0, 0, 8});
    cut.all.pop_back();
    write_rank(folder.folder(), 0, 1, cut);
    CHECK(faults().find("its last record is incomplete, in the record at byte 48 of its records") != std::string::npos);
    write_rank(folder.folder(), 0, 1, RecordWords().record(200, 1, 2, {}));
    CHECK(faults().find("the call number 200 of a record is unknown") != std::string::npos);
    write_rank(folder.folder(), 0, 2, RecordWords().record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1}));
    write_rank(folder.folder(), 1, 3, RecordWords().record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 3, 0, 1, 2}));
    CHECK(faults().find("it belongs to a run of 3 ranks, and the file of rank 0 to a run of 2 ranks") !=
          std::string::npos);
}
