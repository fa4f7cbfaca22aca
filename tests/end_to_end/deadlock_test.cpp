// A deadlock in every kind of MPI event of PSL is explained: the ranks of the cycle, the statements in which they wait
// with their lines, and the ranks they wait for. Statements of 2 KiB are rendezvous on the XT4: they wait for the
// receiver.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;

namespace {

/// On two ranks, side by side: what rank 0 and rank 1 do, beginning in lines 4 and 10 of the model.
std::string deadlock(const std::string& rank_0, const std::string& rank_1) {
    const auto padded = [](std::string lines) {
        while (std::count(lines.begin(), lines.end(), '\n') < 5) lines += "\n";
        return lines;
    };
    const Scratch scratch;
    scratch.file("m.psl", "application pair {\n    iteration {\n        if column == 1 {\n" + padded(rank_0) +
                              "        } else {\n" + padded(rank_1) + "        }\n    }\n}\n");
    const auto scenario = scratch.file("s.yaml", "model: m.psl\nplatform: " WARPFRONT_SOURCE_DIR
                                                 "/platforms/xt4.yaml\nranks: {columns: 2, rows: 1}\n");
    const Outcome outcome = invoke("run " + quoted(scenario));
    CHECK(outcome.status == 1);
    CHECK(holds(outcome.err, "deadlock: 2 ranks wait for each other; 2 ranks blocked in all\n"));
    std::string text = outcome.err;
    const std::string folder = scratch.folder().string() + "/";
    for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at)) {
        text.erase(at, folder.size());
    }
    return text;
}

std::string waits(int rank, const std::string& statement, int line) {
    return fmt::format("rank {0} (column {1}, row 1) waits in `{2}` at m.psl:{3}:1 for rank {4}", rank, rank + 1,
                       statement, line, 1 - rank);
}

}  // namespace

TEST_CASE("a deadlock of blocking messages") {
    const std::string sends = deadlock("send 2KiB to east\nrecv from east\n", "send 2KiB to west\nrecv from west\n");
    CHECK(holds(sends, waits(0, "send 2KiB to east", 4)));
    CHECK(holds(sends, waits(1, "send 2KiB to west", 10)));
    const std::string receives = deadlock("recv from east\nsend 8B to east\n", "recv from west\nsend 8B to west\n");
    CHECK(holds(receives, waits(0, "recv from east", 4)));
    CHECK(holds(receives, waits(1, "recv from west", 10)));
}

TEST_CASE("a deadlock of synchronous sends, however small") {
    const std::string sends = deadlock("ssend 8B to east\nrecv from east\n", "ssend 8B to west\nrecv from west\n");
    CHECK(holds(sends, waits(0, "ssend 8B to east", 4)));
    CHECK(holds(sends, waits(1, "ssend 8B to west", 10)));
}

TEST_CASE("a deadlock of requests is in their waits") {
    const std::string sends =
        deadlock("isend a 2KiB to east\nwait a\nrecv from east\n", "isend a 2KiB to west\nwait a\nrecv from west\n");
    CHECK(holds(sends, waits(0, "wait a", 5)));
    CHECK(holds(sends, waits(1, "wait a", 11)));
    const std::string receives =
        deadlock("irecv a from east\nwait a\nsend 8B to east\n", "irecv a from west\nwait a\nsend 8B to west\n");
    CHECK(holds(receives, waits(0, "wait a", 5)));
    CHECK(holds(receives, waits(1, "wait a", 11)));
    const std::string all =
        deadlock("isend 2KiB to east\nwaitall\nrecv from east\n", "isend 2KiB to west\nwaitall\nrecv from west\n");
    CHECK(holds(all, waits(0, "waitall", 5)));
    CHECK(holds(all, waits(1, "waitall", 11)));
}

TEST_CASE("a deadlock of receives from any rank") {
    const std::string text = deadlock("recv from any\nsend 8B to east\n", "recv from any\nsend 8B to west\n");
    CHECK(holds(text, waits(0, "recv from any", 4)));
    CHECK(holds(text, waits(1, "recv from any", 10)));
}

TEST_CASE("a deadlock of waiting for any of several receives names one of them") {
    const std::string text = deadlock("irecv from east\nirecv from east tag 1\nwaitany\nwaitany\nsend 8B to east\n",
                                      "recv from west\nsend 8B to west\nsend 8B to west tag 1\n");
    CHECK(holds(text,
                "rank 0 (column 1, row 1) waits in `waitany` at m.psl:6:1 for any of 2 messages, such as that of "
                "rank 1"));
    CHECK(holds(text, waits(1, "recv from west", 10)));
}

TEST_CASE("a deadlock of a sendrecv whose partner comes to its own later") {
    const std::string text = deadlock("sendrecv 2KiB to east from east\nsend 8B to east tag 1\n",
                                      "recv from west tag 1\nsendrecv 2KiB to west from west\n");
    CHECK(holds(text, waits(0, "sendrecv 2KiB to east from east", 4)));
    CHECK(holds(text, waits(1, "recv from west tag 1", 10)));
}

TEST_CASE("a deadlock of each collective with a message that comes before it on one rank and after it on the other") {
    // Rank 1 waits for what rank 0 contributes: it is the root of what is collected, rank 0 of what is handed out.
    for (const std::string collective :
         {"barrier", "broadcast 2KiB from rank_at(1, 1)", "reduce 2KiB to rank_at(2, 1)", "allreduce 8B", "scan 8B",
          "scatter 8B from rank_at(1, 1)", "gather 8B to rank_at(2, 1)", "allgather 8B", "alltoall 8B",
          "reduce_scatter 8B", "allreduce 8B over row"}) {
        CAPTURE(collective);
        const std::string text = deadlock("recv from east\n" + collective + "\n", collective + "\nsend 8B to west\n");
        CHECK(holds(text, waits(0, "recv from east", 4)));
        CHECK(holds(text, waits(1, collective, 10)));
    }
}
