// Collectives of traces.
#include <doctest/doctest.h>

#include "simulator/program/execution.hpp"
#include "simulator/program/mismatches.hpp"
#include "tests/trace/traces.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

/// Bytes that rank 0 sends.
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
