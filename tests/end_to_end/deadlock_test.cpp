// A deadlock in every kind of MPI event of PSL is explained: the ranks of the cycle, the statements in which they wait
// with their lines, and the ranks they wait for. Statements of 2 KiB are rendezvous on the XT4: they wait for the
// receiver.
#include "tests/end_to_end/program.hpp"

namespace {

/// An override that makes messages of more than 1,024 B wait for their receives.
const std::string kRendezvous = "--set platform.eager.network.limit=1024B ";

/// The place where a rank waits: the statement and its line among those of the rank, from 1.
struct Waits {
    std::string statement;
    int line = 1;
    std::string rank = "rank";  // or "any of 2 messages, such as that of rank"
};

/// Checks a deadlock of two ranks, side by side. The statements of rank 0 and rank 1 begin in lines 4 and 10 of the
/// model; each rank is expected to wait for the other.
void check_deadlock(const std::string& rank_0, const Waits& waits_0, const std::string& rank_1, const Waits& waits_1) {
    const auto padded = [](std::string lines) {
        while (std::count(lines.begin(), lines.end(), '\n') < 5) lines += "\n";
        return lines;
    };
    const OwnModel model("application pair {\n    iteration {\n        if column == 1 {\n" + padded(rank_0) +
                         "        } else {\n" + padded(rank_1) + "        }\n    }\n}\n");
    const Outcome outcome = invoke("run " + model.argument() + kRendezvous);
    CAPTURE(outcome.err);
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "deadlock: 2 ranks wait for each other; 2 ranks blocked in all\n"));
    const auto expect = [&](int rank, int first_line, const Waits& waits) {
        const std::string text = fmt::format("rank {} (column {}, row 1) waits in `{}` at {}:{}:1 for {} {}", rank,
                                             rank + 1, waits.statement, (model.folder() / "m.psl").string(),
                                             first_line + waits.line - 1, waits.rank, 1 - rank);
        CHECK_MESSAGE(holds(outcome.err, text), text);
    };
    expect(0, 4, waits_0);
    expect(1, 10, waits_1);
}

}  // namespace

TEST_CASE("a deadlock of blocking messages, and of synchronous sends however small") {
    check_deadlock("send 2KiB to east\nrecv from east\n", {"send 2KiB to east"}, "send 2KiB to west\nrecv from west\n",
                   {"send 2KiB to west"});
    check_deadlock("recv from east\nsend 8B to east\n", {"recv from east"}, "recv from west\nsend 8B to west\n",
                   {"recv from west"});
    check_deadlock("ssend 8B to east\nrecv from east\n", {"ssend 8B to east"}, "ssend 8B to west\nrecv from west\n",
                   {"ssend 8B to west"});
}

TEST_CASE("a deadlock of requests is in their waits") {
    check_deadlock("isend a 2KiB to east\nwait a\nsend 8B to east tag 1\nrecv from east\n", {"wait a", 2},
                   "irecv a from west tag 1\nwait a\nrecv from west\nsend 8B to west\n", {"wait a", 2});
    check_deadlock("isend 2KiB to east\nwaitall\nrecv from east\n", {"waitall", 2},
                   "isend 2KiB to west\nwaitall\nrecv from west\n", {"waitall", 2});
}

TEST_CASE("a deadlock of receives from any rank, and of waiting for any of several, which names one of them") {
    const std::string any = "any of 2 messages, such as that of rank";
    check_deadlock("recv from any\nsend 8B to east\n", {"recv from any"}, "recv from any\nsend 8B to west\n",
                   {"recv from any"});
    check_deadlock("irecv from east\nirecv from east tag 1\nwaitany\nwaitany\nsend 8B to east\n", {"waitany", 3, any},
                   "recv from west\nsend 8B to west\nsend 8B to west tag 1\n", {"recv from west"});
}

TEST_CASE("a deadlock of a sendrecv whose partner comes to its own later") {
    check_deadlock("sendrecv 2KiB to east from east\nsend 8B to east tag 1\n", {"sendrecv 2KiB to east from east"},
                   "recv from west tag 1\nsendrecv 2KiB to west from west\n", {"recv from west tag 1"});
}

TEST_CASE("a deadlock of each collective with a message that comes before it on one rank and after it on the other") {
    // Rank 1 waits for the contribution of rank 0: rank 1 is the root of collecting, rank 0 of distributing
    // collectives.
    for (const std::string collective :
         {"barrier", "broadcast 2KiB from rank_at(1, 1)", "reduce 2KiB to rank_at(2, 1)", "allreduce 8B", "scan 8B",
          "scatter 8B from rank_at(1, 1)", "gather 8B to rank_at(2, 1)", "allgather 8B", "alltoall 8B",
          "reduce_scatter 8B", "allreduce 8B over row"}) {
        CAPTURE(collective);
        check_deadlock("recv from east\n" + collective + "\n", {"recv from east"}, collective + "\nsend 8B to west\n",
                       {collective});
    }
}
