// Recorded runs as rank programs.
#include <otf2/otf2.h>
#include <zlib.h>

#include "simulator/program/execution.hpp"
#include "simulator/trace/read_run.hpp"
#include "tests/trace/recordings.hpp"
#include "tests/trace/traces.hpp"
#include "tests/validation/validate.hpp"

using program::Op;
using test::RecordWords;

namespace {

const std::map<std::string, std::int64_t> kNumbers{
#define CALL(name, payload) {#name, WARPFRONT_RECORDED_##name},
    WARPFRONT_RECORDED_CALLS(CALL)
#undef CALL
        {"none", WARPFRONT_NO_PEER},
    {"any", WARPFRONT_ANY_SOURCE},
    {"any_tag", WARPFRONT_ANY_TAG}};

/// A recording of a number of ranks; `world` and, as number 2, a communicator of all ranks backwards are defined first.
class Recording {
public:
    explicit Recording(std::uint32_t ranks, const std::string& text = "") : words_(ranks) {
        std::vector<std::int64_t> world{0, ranks};
        std::vector<std::int64_t> backwards{2, ranks};
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            world.push_back(rank);
            backwards.push_back(ranks - 1 - rank);
        }
        for (RecordWords& words : words_) {
            words.record(WARPFRONT_RECORDED_define_comm, 0, 0, world);
            words.record(WARPFRONT_RECORDED_define_comm, 0, 0, backwards);
        }
        calls(text);
    }

    /// Adds calls, such as "0: irecv 0 1 7 8 1; barrier 0 | all: finalize": those of rank 0, then one of each rank. A
    /// call has its payload (recording_format.h), in which the names of `kNumbers` stand for theirs.
    void calls(const std::string& text) {
        std::istringstream parts(text);
        for (std::string part; std::getline(parts >> std::ws, part, '|');) {
            const std::size_t colon = part.find(':');
            std::istringstream rest(part.substr(colon + 1));
            for (std::string each; std::getline(rest, each, ';');) {
                std::istringstream words(each);
                std::vector<std::int64_t> call_and_payload;
                for (std::string word; words >> word;) {
                    call_and_payload.push_back(kNumbers.contains(word) ? kNumbers.at(word)
                                                                       : std::stoll(word, nullptr, 0));
                }
                for (std::uint32_t rank = 0; rank < size(); ++rank) {
                    if (part.starts_with("all") || rank == std::stoul(part)) call(rank, call_and_payload);
                }
            }
        }
    }

    const std::filesystem::path& write(warpfront_recording_state last = WARPFRONT_FINALIZED) const {
        const auto ranks = static_cast<std::uint32_t>(words_.size());
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            const bool is_last = rank + 1 == ranks;
            test::write_rank(scratch_.folder(), rank, ranks, words_[rank], is_last ? last : WARPFRONT_FINALIZED,
                             is_last ? lost : 0);
        }
        return scratch_.folder();
    }
    program::Program read(double times_as_fast = 1.0) const { return test::replayed(write(), size(), times_as_fast); }
    std::string faults(warpfront_recording_state last = WARPFRONT_FINALIZED) const {
        write(last);
        return test::summary_of(test::faults_of([&] { test::replayed(scratch_.folder(), size()); }));
    }

    std::uint64_t lost = 0;  // by the last rank

private:
    std::uint32_t size() const { return static_cast<std::uint32_t>(words_.size()); }
    /// Adds a call, its number and its payload, that takes 1 tick after 10 of computing.
    void call(std::uint32_t rank, const std::vector<std::int64_t>& words) {
        ticks_ += 11;
        words_[rank].record(static_cast<int>(words[0]), ticks_ - 1, ticks_, {words.begin() + 1, words.end()});
    }

    std::vector<RecordWords> words_;
    std::int64_t ticks_ = 0;
    test::Scratch scratch_;
};

/// Returns the operations of a rank except computing and the end.
std::vector<Op> operations_of(const program::Program& program, std::uint32_t rank) {
    CHECK(program::validate(program) == "");
    std::vector<Op> all;
    for (const program::Instruction& step : program.of({rank}).code) {
        if (step.op != Op::compute && step.op != Op::iteration && step.op != Op::finish) all.push_back(step.op);
    }
    return all;
}

bool has_note(const program::Program& program, const std::string& part) {
    for (const std::string& note : program.notes) {
        if (holds(note, part)) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("messages of one tag in two communicators never match") {
    Recording run(2);
    // Backwards, member 1 is rank 0.
    run.calls(
        "0: irecv 2 0 7 800 1; irecv 0 1 7 800 2; waitall 2 1 0 7 100 2 1 7 200 | "
        "1: send 0 0 7 200; send 2 1 7 100");
    const program::Program program = run.read();
    const program::RankClass& receiver = program.of({0});
    REQUIRE(receiver.receive_endpoints.size() == 2);
    CHECK(receiver.receive_endpoints[0].tag != receiver.receive_endpoints[1].tag);
    const program::RankClass& sender = program.of({1});
    CHECK(sender.send_endpoints[0].tag == receiver.receive_endpoints[1].tag);
    CHECK(operations_of(program, 0) == std::vector{Op::irecv, Op::irecv, Op::wait_recv, Op::wait_recv});
}

TEST_CASE("computing is as recorded, or faster by a ratio") {
    Recording run(1, "0: barrier 0");
    CHECK(run.read().of({0}).code[0].amount == 20'000);  // 10 ticks of 2 ns
    CHECK(run.read(4.0).of({0}).code[0].amount == 5'000);
    CHECK(has_note(run.read(4.0), "computing is 4 times as fast as recorded"));
}

TEST_CASE("a wait for any of several receives takes that whose message comes first, if all are taken so") {
    Recording run(3, "1: send 0 0 5 8 | 2: send 0 0 5 8 | 0: irecv 0 1 5 8 1; irecv 0 2 5 8 2");
    SUBCASE("by waits for any") {
        run.calls("0: waitany 2 1 2 1 2 2 5 8; waitsome 1 1 1 1 1 5 8");
        CHECK(operations_of(run.read(), 0) == std::vector{Op::irecv, Op::irecv, Op::wait_any, Op::wait_any});
    }
    SUBCASE("by a test for any, then a wait for all") {
        run.calls("0: testany 9 2 1 2 1 2 2 5 8; waitall 1 1 1 5 8");
        CHECK(operations_of(run.read(), 0) == std::vector{Op::irecv, Op::irecv, Op::wait_any, Op::wait_any});
    }
    SUBCASE("else that which was taken when recorded, as a note says") {
        run.calls(
            "1: send 0 0 5 8 | "
            "0: waitany 2 1 2 1 1 1 5 8; irecv 0 1 5 8 3; waitany 2 2 3 1 2 2 5 8; wait 1 3 1 5 8");
        const program::Program program = run.read();
        CHECK(operations_of(program, 0) ==
              std::vector{Op::irecv, Op::irecv, Op::wait_recv, Op::irecv, Op::wait_any, Op::wait_any});
        CHECK(
            has_note(program, "1 wait for any of several requests complete the same requests as in the recorded run"));
    }
}

TEST_CASE("a persistent request is begun by each start; tests that find nothing are nothing") {
    Recording run(2, "0: send_init 0 1 5 8 1 | 1: recv_init 0 0 5 8 1");
    for (int k = 0; k < 2; ++k) run.calls("all: start 1 1 | 0: wait 1 1 -1 0 0 | 1: test 12 0; test 3 1 1 0 5 8");
    run.calls("all: request_free 1");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::isend, Op::wait_send, Op::isend, Op::wait_send});
    CHECK(operations_of(program, 1) == std::vector{Op::irecv, Op::wait_recv, Op::irecv, Op::wait_recv});
}

TEST_CASE("a receive that is cancelled is left out where it took no message; computing before it stays") {
    Recording run(2,
                  "1: send 0 0 5 8 | "
                  "0: irecv 0 any 5 8 1; irecv 0 any 6 8 2; recv_init 0 1 7 8 3; start 1 3; cancel 1; cancel 2; cancel "
                  "3; waitall 2 1 1 5 8 2 -1 0 0; request_free 3; finalize");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::irecv_any, Op::wait_recv_any});
    std::int64_t work = 0;
    for (const program::Instruction& step : program.of({0}).code) work += step.op == Op::compute ? step.amount : 0;
    CHECK(work == 11'000 * 2 + 10 * 20'000);  // the sender's call comes before
    CHECK(has_note(program, "MPI_Cancel, 2 times: the receive took no message"));
    CHECK(has_note(program, "MPI_Cancel, once: the receive had already taken its message"));
}

TEST_CASE("a send whose request is freed is waited for at the end; a receive so freed is refused at its place") {
    Recording run(2, "0: isend 0 1 5 8 1; request_free 1; barrier 0; finalize | 1: irecv 0 0 5 8 1");
    SUBCASE("a send") {
        run.calls("1: wait 1 1 0 5 8; barrier 0");
        CHECK(operations_of(run.read(), 0) ==
              std::vector{Op::isend, Op::irecv, Op::send, Op::wait_recv, Op::wait_send});
    }
    SUBCASE("a receive") {
        run.calls("1: request_free 1; barrier 0");
        CHECK(holds(run.faults(),
                    "calls MPI_Request_free once: the time at which the receive takes its message is not recorded; the "
                    "first call is on rank 1, after 1 other call"));
    }
}

TEST_CASE("a send whose request is dropped is waited for at the end, as one whose request is freed") {
    Recording run(2,
                  "0: isend 0 1 5 8 1; barrier 0; finalize | 1: irecv 0 0 5 8 1; wait 1 1 0 5 8; barrier 0; finalize");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::isend, Op::irecv, Op::send, Op::wait_recv, Op::wait_send});
    CHECK(has_note(program, "MPI_Isend without a wait, once: the send is waited for at the end of the run"));
}

TEST_CASE("computing is the CPU time that stands in front of a call, where that is less than the time between calls") {
    // A tick is 2 ns, so 100 us and 50 ns lie between the calls; the rank has computed 30 us of the first.
    const test::Scratch scratch;
    RecordWords words;
    words.record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 1, 0})
        .record(WARPFRONT_RECORDED_define_node, 0, 0, {9, 2, 1})
        .record(WARPFRONT_RECORDED_barrier, 0, 0, {0})
        .record(WARPFRONT_RECORDED_computing, 0, 0, {30'000})
        .record(WARPFRONT_RECORDED_barrier, 50'000, 50'000, {0})
        .record(WARPFRONT_RECORDED_barrier, 50'025, 50'025, {0})
        .record(WARPFRONT_RECORDED_computing, 0, 0, {900})
        .record(WARPFRONT_RECORDED_finalize, 50'050, 50'050, {});
    test::write_rank(scratch.folder(), 0, 1, words);
    const trace::RecordedRun run = trace::read_recorded_run(scratch.folder(), {});
    REQUIRE(run.ranks.size() == 1);
    CHECK(run.has_cpu_time);
    CHECK(run.ranks[0].events[1].work == Time{30'000'000});
    CHECK(run.ranks[0].events[2].work == Time{50'000});  // the CPU clock itself takes longer than this
    CHECK(run.ranks[0].work_after == Time{50'000});
    CHECK(trace::computing_note(run) == "9 ranks share 2 cores: computing is CPU time");
}

TEST_CASE("a recording without CPU times has the times between calls") {
    const test::Scratch scratch;
    RecordWords words;
    words.record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 1, 0})
        .record(WARPFRONT_RECORDED_barrier, 0, 0, {0})
        .record(WARPFRONT_RECORDED_barrier, 50'000, 50'000, {0});
    test::write_rank(scratch.folder(), 0, 1, words);
    const trace::RecordedRun run = trace::read_recorded_run(scratch.folder(), {});
    CHECK(!run.has_cpu_time);
    CHECK(run.ranks[0].events[1].work == Time{100'000'000});
    CHECK(trace::computing_note(run).empty());
}

TEST_CASE("CPU times and nodes that cannot be are refused") {
    const auto faults = [](int call, const std::vector<std::int64_t>& payload) {
        const test::Scratch scratch;
        RecordWords words;
        words.record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 1, 0}).record(call, 0, 0, payload);
        test::write_rank(scratch.folder(), 0, 1, words);
        return test::summary_of(test::faults_of([&] { trace::read_recorded_run(scratch.folder(), {}); }));
    };
    CHECK(holds(faults(WARPFRONT_RECORDED_computing, {-1}), "the CPU time before a call is -1 ns"));
    CHECK(holds(faults(WARPFRONT_RECORDED_define_node, {4, 0, 1}), "the number of ranks or cores of a node is 0"));
}

TEST_CASE("binary files of DUMPI are refused by name, with the program that makes texts of them") {
    const test::Scratch scratch;
    for (const char* const name : {"dumpi-0000.bin", "dumpi.meta"}) {
        scratch.file(name, std::string("\x0d\x1e\0\0", 4));
        const std::string faults =
            test::summary_of(test::faults_of([&] { trace::read_recorded_run(scratch.folder() / name, {}); }));
        CHECK(holds(faults, "` has the name of a binary file of DUMPI"));
        CHECK(holds(faults, "`dumpi2ascii -SX`"));
    }
}

TEST_CASE("calls of MPI_File are left out") {
    const Recording run(1, "0: unknown 13 0x656C69465F49504D 0x0000006E65704F5F");  // "MPI_File_open"
    CHECK(has_note(run.read(), "calls of MPI_File, once: the replay does not simulate files"));
}

TEST_CASE("a sendrecv has two partners and two tags; messages of a rank to itself take no time") {
    const Recording run(2,
                        "0: sendrecv 0 1 3 8 1 4 8 1 4 8; sendrecv 0 0 1 8 0 1 8 0 1 8; irecv 0 0 1 8 1; send 0 0 1 8; "
                        "wait 1 1 0 1 8 | 1: sendrecv 0 0 4 8 0 3 8 0 3 8; sendrecv 0 1 1 8 1 1 8 1 1 8; "
                        "irecv 0 1 1 8 1; send 0 1 1 8; wait 1 1 1 1 8");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::irecv, Op::send, Op::wait_recv});
    CHECK(program.of({0}).send_endpoints[0] == program::Channel{1, 3});
    CHECK(program.of({0}).receive_endpoints[0] == program::Channel{1, 4});
    CHECK(has_note(program, "messages of a rank to itself take no time"));
}

TEST_CASE("receives from any source take the message that comes first, within their communicator") {
    Recording run(3, "1: send 2 2 5 8 | 2: send 2 2 5 8 | 0: recv 2 any 5 8 0 5 8; irecv 2 any 5 8 1; wait 1 1 1 5 8");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::recv_any, Op::irecv_any, Op::wait_recv_any});
    Recording mixed(2, "1: send 0 0 5 8 | 0: recv 2 any 5 8 0 5 8");
    CHECK(holds(mixed.faults(), "unmatched_messages"));
}

TEST_CASE("beside named receives of several open sends, one from any source takes what it took when recorded") {
    Recording run(2,
                  "1: isend 0 0 5 8 1; isend 0 0 5 16 2; isend 0 0 5 24 3; waitall 3 1 -1 0 0 2 -1 0 0 3 -1 0 0 | "
                  "0: recv 0 any 5 8 1 5 8; irecv 0 any any_tag 16 1; recv 0 1 5 24 1 5 24; test 3 1 1 1 5 16");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::recv, Op::irecv, Op::recv, Op::wait_recv});
    CHECK(program.of({0}).receive_endpoints.size() == 3);
    CHECK(has_note(program, "2 receives from any source take the same messages as in the recorded run"));
}

TEST_CASE("with recorded arrivals, receives from any source and waits for any are those of the recorded run") {
    Recording run(3,
                  "1: send 0 0 5 8 | 2: send 0 0 5 8 | 1: send 0 0 6 8 | 2: send 0 0 6 8 | "
                  "0: recv 0 any 5 8 2 5 8; recv 0 any 5 8 1 5 8; irecv 0 1 6 8 1; irecv 0 2 6 8 2; waitany 2 1 2 1 2 "
                  "2 6 8; waitsome 1 1 1 1 1 6 8");
    CHECK(program::has_choices(run.read()));
    trace::TraceRequest request{run.write(), {}, {3, 1}, {}, {}};
    request.costs.times_as_fast = 1.0;
    request.arrivals = trace::Arrivals::recorded;
    const program::Program program = trace::read(request).program;
    CHECK(!program::has_choices(program));
    CHECK(program.of({0}).receive_endpoints.front().delta == 2);
    request.files = std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tests/trace/recorded/lu.txt";
    CHECK(test::kinds_of(test::faults_of([&] { trace::read(request); })) == test::Kinds{conflicting_keys});
}

TEST_CASE("collectives whose shares differ, and prefix reductions without the rank itself") {
    Recording run(2, "0: scatterv 0 0 0 2 8 24 | 1: scatterv 0 0 24 0 | all: exscan 2 40");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::isend, Op::wait_send, Op::recv});
    CHECK(operations_of(program, 1) == std::vector{Op::recv, Op::send});
    CHECK(program.of({0}).code[1].amount == 24);
}

TEST_CASE("a nonblocking collective is made at its wait, in the order of the beginnings on all ranks") {
    Recording run(2,
                  "all: begun_collective barrier 0 -1 0 1; begun_collective bcast 0 1 64 2 | "
                  "0: wait 1 2 -1 0 0; wait 1 1 -1 0 0 | 1: waitall 2 1 -1 0 0 2 -1 0 0");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::irecv, Op::send, Op::wait_recv, Op::recv});
    CHECK(operations_of(program, 1) == std::vector{Op::irecv, Op::send, Op::wait_recv, Op::send});
    CHECK(has_note(program, "4 nonblocking collectives, such as MPI_Ibarrier, are performed at their waits"));
}

TEST_CASE("a nonblocking collective with shares by rank is made of them") {
    Recording run(2,
                  "0: begun_collective scatterv 0 0 0 1 2 8 24 0 | 1: begun_collective scatterv 0 0 24 1 0 0 | "
                  "0: wait 1 1 -1 0 0 | 1: wait 1 1 -1 0 0");
    const program::Program program = run.read();
    CHECK(operations_of(program, 0) == std::vector{Op::isend, Op::wait_send});
    CHECK(operations_of(program, 1) == std::vector{Op::recv});
    const auto& code = program.of({0}).code;
    const auto sent = std::find_if(code.begin(), code.end(), [](const auto& each) { return each.op == Op::isend; });
    CHECK(sent->amount == 24);
}

TEST_CASE("phases of a run are phases of the program; nonblocking synchronous sends are named") {
    const Recording run(2,
                        "0: define_phase 4 5 0x7073657773; phase 4; issend 0 1 5 8 1; phase 0; wait 1 1 -1 0 0 | "
                        "1: recv 0 0 5 8 0 5 8");  // "swesp", five bytes
    const program::Program program = run.read();
    CHECK(program.phases == std::vector<std::string>{"swesp"});
    CHECK(operations_of(program, 0) == std::vector{Op::phase, Op::isend, Op::phase, Op::wait_send});
    CHECK(has_note(program, "1 nonblocking synchronous sends are treated as isends"));
}

TEST_CASE("a run that was killed, and calls that cannot be replayed, are refused by name") {
    Recording killed(2, "all: barrier 0");
    CHECK(holds(killed.faults(WARPFRONT_RUNNING),
                "trace_truncated [barrier] rank 1 was killed, or filled its buffer, after 1 call"));
    Recording full(2, "all: barrier 0");
    full.lost = 40;
    CHECK(holds(full.faults(WARPFRONT_FULL), "rank 1 filled its buffer after 1 call, and 40 more are lost"));
    const Recording put(1, "0: unknown 7 0x007475505F49504D");  // "MPI_Put"
    CHECK(holds(put.faults(), "unread_call"));
    CHECK(holds(put.faults(), "calls MPI_Put once: the tracer records only the name of this call"));
    Recording begun(1, "0: begun_collective alltoallv 0 -1 0 1");
    CHECK(holds(begun.faults(), "calls MPI_Ialltoallv once: the sizes of the call by rank are not recorded"));
}

TEST_CASE("faults stand at a call of a rank, which counts as a line") {
    Recording lost(2, "0: send 0 1 5 8; send 2 0 6 8");
    const std::string faults = lost.faults();
    CHECK(holds(faults, "rank-0:1:1 unmatched_messages [send] rank 0 sends 1 message with tag 5 to rank 1"));
    CHECK(holds(faults, "rank-0:2:1 unmatched_messages [send] rank 0 sends 1 message with tag 6 of communicator 1"));
    Recording open(2, "0: isend 0 1 5 8 1 | 1: recv 0 0 5 8 0 5 8 | 0: barrier 0 | 1: barrier 0");
    CHECK(holds(open.faults(), "rank-0:1:1 unwaited_request [isend] this request is never waited for"));
    Recording differ(2, "0: barrier 2 | 1: bcast 2 0 8");
    CHECK(holds(differ.faults(), "unmatched_collectives"));
}

TEST_CASE("a fault stands at its own call, with the place of this call in the code") {
    const test::Scratch folder;
    folder.file("sites.txt", "code\t10\ta.c\t17\tmain\n");
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        RecordWords words;
        words.record(WARPFRONT_RECORDED_define_comm, 0, 0, {0, 2, 0, 1})
            .record(WARPFRONT_RECORDED_define_module, 0, 0, {1, 4, 0x6564'6F63})  // "code"
            .record(WARPFRONT_RECORDED_define_site, 0, 0, {1, 0x10, 1});
        if (rank == 0) {
            words.record(WARPFRONT_RECORDED_irecv, 10, 11, {0, 1, 5, 8, 1});
            words.all[words.all.size() - 8] |= std::int64_t{1} << 32;  // its site
        }
        words.record(WARPFRONT_RECORDED_barrier, 20, 21, {0});
        test::write_rank(folder.folder(), rank, 2, words);
    }
    CHECK(holds(test::summary_of(test::faults_of([&] { test::replayed(folder.folder(), 2); })),
                "rank-0:1:1 unwaited_request [irecv at a.c:17 in main] this request is never waited for"));
}

TEST_CASE("statements of a file are checked: sizes, clocks, partners, shares") {
    const test::Kinds bad{bad_recording};
    for (const char* call :
         {"send 0 5 1 8", "send 0 none 1 -8", "allgatherv 0 8 3 8 8 8", "define_comm 5 2 0 3", "send 0 0 -7 8"}) {
        CAPTURE(call);
        CHECK(test::kinds_of(test::faults_of([&] { Recording(1, fmt::format("0: {}", call)).read(); })) == bad);
    }
}

TEST_CASE(
    "compressed records are read piece by piece: a bomb is refused at its first record, a cut file where it ends") {
    const test::Scratch folder;
    const auto write = [&](std::uint64_t words, const std::vector<std::int64_t>& records, std::size_t cut) {
        warpfront_recording_header header{};
        std::memcpy(header.magic, WARPFRONT_RECORDING_MAGIC, sizeof WARPFRONT_RECORDING_MAGIC);
        header.ranks = 1;
        header.state = WARPFRONT_FINALIZED;
        header.compressed = 1;
        header.words = words;
        header.ns_per_tick = 1.0;
        std::vector<Bytef> packed(compressBound(8 * records.size()));
        uLongf size = packed.size();
        compress(packed.data(), &size, reinterpret_cast<const Bytef*>(records.data()), 8 * records.size());
        std::ofstream file(folder.folder() / "rank-0.events", std::ios::binary);
        file.write(reinterpret_cast<const char*>(&header), sizeof header);
        file.write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(size - cut));
    };
    const auto faults = [&] {
        return test::summary_of(test::faults_of([&] { trace::read_recorded_run(folder.folder(), {}); }));
    };
    write(std::uint64_t{1} << 60, std::vector<std::int64_t>(1'000'000, 0), 0);
    CHECK(holds(faults(), "a record is shorter than its call requires, in the record at byte 0 of its records"));
    const std::vector<std::int64_t> good{WARPFRONT_RECORDED_finalize, 5, 5};
    write(3, good, 0);
    CHECK(faults() == "");
    write(6, good, 0);
    CHECK(holds(faults(), "it ends before its last record"));
    write(3, good, 8);
    CHECK(faults() != "");
}

TEST_CASE("an archive of EZTrace is replayed: messages, computing, collectives over half of the ranks") {
    const std::filesystem::path archive =
        std::filesystem::path(WARPFRONT_SOURCE_DIR) / "tests/trace/recorded/exchange_otf2";
    const program::Program program = test::replayed(archive, 4);
    const std::vector<Op> first = operations_of(program, 0);
    REQUIRE(first.size() > 12);
    CHECK(std::vector(first.begin(), first.begin() + 12) == std::vector{Op::isend, Op::recv, Op::wait_send, Op::isend,
                                                                        Op::recv, Op::wait_send, Op::isend, Op::recv,
                                                                        Op::recv, Op::recv, Op::recv, Op::recv});
    const trace::RecordedRun run = trace::read_recorded_run(archive, {});
    CHECK(run.communicators.size() == 3);
    CHECK(run.communicators[1] == std::vector<Rank>{{2}, {0}});
    CHECK(run.ranks[1].events.size() == run.ranks[2].events.size());
    const test::Scratch folder;
    CHECK(test::kinds_of(test::faults_of([&] { trace::read_recorded_run(folder.file("x.otf2", "nothing"), {}); })) ==
          test::Kinds{bad_recording});
}

namespace {

/// The writer of one location's events, with times in nanoseconds.
class Otf2Location {
public:
    explicit Otf2Location(OTF2_EvtWriter* writer) : writer_(writer) {}
    void call(OTF2_RegionRef region, std::uint64_t begin, std::uint64_t end) {
        OTF2_EvtWriter_Enter(writer_, nullptr, begin, region);
        OTF2_EvtWriter_Leave(writer_, nullptr, end, region);
    }
    void measure(OTF2_MeasurementMode mode, std::uint64_t at) {
        OTF2_EvtWriter_MeasurementOnOff(writer_, nullptr, at, mode);
    }
    void flush(std::uint64_t begin, std::uint64_t end) { OTF2_EvtWriter_BufferFlush(writer_, nullptr, begin, end); }

private:
    OTF2_EvtWriter* writer_;
};

constexpr OTF2_RegionRef kInit = 0, kBarrier = 1, kFinalize = 2;

/// Writes an archive of one rank with these events; its clock counts nanoseconds.
std::filesystem::path otf2_archive(const test::Scratch& folder, const std::function<void(Otf2Location&)>& write) {
    OTF2_Archive* const archive = OTF2_Archive_Open((folder.folder() / "run").c_str(), "traces", OTF2_FILEMODE_WRITE,
                                                    1 << 20, 4 << 20, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_FlushCallbacks flush{};
    flush.otf2_pre_flush = [](void*, OTF2_FileType, OTF2_LocationRef, void*, bool) -> OTF2_FlushType {
        return OTF2_FLUSH;
    };
    OTF2_Archive_SetFlushCallbacks(archive, &flush, nullptr);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter* const events = OTF2_Archive_GetEvtWriter(archive, 0);
    Otf2Location location(events);
    write(location);
    OTF2_Archive_CloseEvtWriter(archive, events);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, 0));
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_GlobalDefWriter* const definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1'000'000'000, 0, 10'000'000'000, OTF2_UNDEFINED_TIMESTAMP);
    OTF2_StringRef number = 0;
    for (const char* text : {"", "MPI_Init", "MPI_Barrier", "MPI_Finalize", "rank 0"}) {
        OTF2_GlobalDefWriter_WriteString(definitions, number++, text);
    }
    for (const OTF2_RegionRef region : {kInit, kBarrier, kFinalize}) {
        OTF2_GlobalDefWriter_WriteRegion(definitions, region, region + 1, region + 1, 0, OTF2_REGION_ROLE_BARRIER,
                                         OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE, 0, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions, 0, 4, 4, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(definitions, 0, 4, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(definitions, 0, 4, OTF2_LOCATION_TYPE_CPU_THREAD, 8, 0);
    OTF2_Archive_Close(archive);
    return folder.folder() / "run/traces.otf2";
}

}  // namespace

TEST_CASE("the time between MEASUREMENT_OFF and MEASUREMENT_ON is no computing, and a note reports how long it was") {
    constexpr std::uint64_t kMillisecond = 1'000'000;
    const test::Scratch folder;
    const std::filesystem::path archive = otf2_archive(folder, [](Otf2Location& rank) {
        rank.call(kInit, 0, kMillisecond);
        rank.measure(OTF2_MEASUREMENT_OFF, 3 * kMillisecond);
        rank.measure(OTF2_MEASUREMENT_ON, 1003 * kMillisecond);
        rank.call(kBarrier, 1004 * kMillisecond, 1005 * kMillisecond);
        rank.measure(OTF2_MEASUREMENT_OFF, 1005 * kMillisecond);
        rank.measure(OTF2_MEASUREMENT_ON, 1505 * kMillisecond);
        rank.call(kFinalize, 1509 * kMillisecond, 1510 * kMillisecond);
    });
    const program::Program program = test::replayed(archive, 1);
    std::int64_t picoseconds = 0;
    for (const program::Instruction& step : program.of({0}).code) {
        if (step.op == Op::compute) picoseconds += step.amount;
    }
    // 1 to 3 ms, 1003 to 1004 ms, 1505 to 1509 ms; not 3 to 1003 ms and not 1005 to 1505 ms.
    CHECK(picoseconds == (2 + 1 + 4) * 1'000'000'000LL);
    CHECK(holds(program.notes.back(),
                "left out: intervals in which measurement was off (MEASUREMENT_OFF), 2 times: up to 1.5 s on one rank; "
                "the archive does not contain what the rank executed then"));
}

TEST_CASE("an archive without calls of MPI is refused by name") {
    const test::Scratch folder;
    const std::filesystem::path archive = otf2_archive(folder, [](Otf2Location& rank) { rank.flush(0, 10); });
    CHECK(holds(test::summary_of(test::faults_of([&] { trace::read_recorded_run(archive, {}); })),
                "traces.otf2`: it contains no calls of MPI"));
}

TEST_CASE("a rank whose measurement stays off ends there, as a note reports; computing before a flush counts") {
    const test::Scratch folder;
    const std::filesystem::path archive = otf2_archive(folder, [](Otf2Location& rank) {
        rank.call(kInit, 0, 1000);
        rank.flush(3000, 9000);
        rank.measure(OTF2_MEASUREMENT_OFF, 10'000);
    });
    const trace::RecordedRun run = trace::read_recorded_run(archive, {});
    CHECK(run.ranks.at(0).work_after == Time{(2000 + 1000) * 1000});  // 1 to 3 us and 9 to 10 us
    REQUIRE(run.unread.size() == 1);
    CHECK(run.unread[0].call == "the end of the run on a rank whose measurement was still off (MEASUREMENT_OFF)");
    CHECK(run.unread[0].times == 1);
}
