// The division of threads and memory among runs of the event engine.
#include "tests/preamble.hpp"
#include "tools/answer/runs/runs.hpp"

using namespace warpfront::tools;

namespace {

constexpr Bytes kPlenty{1'000'000};

/// Returns the memory of a run: 100 bytes, and 10 more for each of its threads.
Bytes memory_of(unsigned threads) { return {100 + 10 * std::int64_t{threads}}; }

ThreadAllocation shared(unsigned threads, std::uint32_t seeds, Bytes available = kPlenty) {
    return allocate_threads(threads, seeds, available, memory_of);
}

}  // namespace

TEST_CASE("one thread runs one seed at a time") { CHECK(shared(1, 8) == ThreadAllocation{1, 1}); }

TEST_CASE("with fewer threads than seeds each thread runs seeds alone") {
    CHECK(shared(4, 10) == ThreadAllocation{4, 1});
    CHECK(shared(4, 4) == ThreadAllocation{4, 1});
}

TEST_CASE("with more threads than seeds each seed has as many threads, none of them more") {
    CHECK(shared(8, 2) == ThreadAllocation{2, 4});
    CHECK(shared(7, 2) == ThreadAllocation{2, 3});
}

TEST_CASE("as many runs are active at once as fit into memory") {
    // On one thread each a run takes 110: four take 440. 439 are enough for three.
    CHECK(shared(4, 10, {440}) == ThreadAllocation{4, 1});
    CHECK(shared(4, 10, {439}) == ThreadAllocation{3, 1});
}

TEST_CASE("if memory permits fewer runs at once, they get the other threads, if they still fit") {
    // Four at 110 do not fit into 260; two of two threads each take 2 x 120 = 240.
    CHECK(shared(4, 10, {260}) == ThreadAllocation{2, 2});
    // Into 230 two at 110 would fit, two at 120 do not: one of four threads does.
    CHECK(shared(4, 10, {230}) == ThreadAllocation{1, 4});
}

TEST_CASE("if not even one fits, there is one at a time, which is refused") {
    CHECK(shared(4, 10, {50}) == ThreadAllocation{1, 4});
}
