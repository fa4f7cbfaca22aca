// Collectives: their participants, and the messages of their algorithms.
#include "simulator/program/mismatches.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using collectives::Algorithm;
using collectives::Kind;
using program::Op;

namespace {

/// Returns the tag of the messages of collectives of a kind.
std::int32_t tag(Kind kind) { return -1 - static_cast<std::int32_t>(kind); }

program::Program lowered_by(Kind kind, Algorithm algorithm, const std::string& body, const Run& run) {
    const Folder folder({{"code.psl", iterating(body)}});
    Bindings bindings = run.bindings();
    bindings.algorithms.set(kind, algorithm);
    return lower(load(folder / "code.psl"), bindings);
}

}  // namespace

TEST_CASE("a barrier of all ranks: to and from those 1, 2, 4 ... further, around the end") {
    const program::Program five = lowered(iterating("barrier"), Run{5, 1});
    const std::int32_t own = tag(Kind::barrier);
    CHECK(steps(five, {4}) == Events{{Op::irecv, 0, -1, own},
                                     {Op::send, 0, -4, own},
                                     {Op::wait_recv, 0, -1, own},
                                     {Op::irecv, 0, -2, own},
                                     {Op::send, 0, -3, own},
                                     {Op::wait_recv, 0, -2, own},
                                     {Op::irecv, 0, -4, own},
                                     {Op::send, 0, -1, own},
                                     {Op::wait_recv, 0, -4, own}});
}

TEST_CASE("over row: ranks of one row, the first of them the root") {
    const program::Program rows = lowered(iterating("broadcast 8B over row"), Run{2, 3});
    const std::int32_t own = tag(Kind::bcast);
    CHECK(rows.classes.size() == 2);
    CHECK(steps(rows, {2}) == Events{{Op::send, 8, +1, own}});
    CHECK(steps(rows, {3}) == Events{{Op::recv, 0, -1, own}});
}

TEST_CASE("a root is a rank of the array, and takes part") {
    const program::Program rows = lowered(iterating("reduce 8B to rank_at(columns, row) over row"), Run{2, 3});
    CHECK(steps(rows, {2}) == Events{{Op::send, 8, +1, tag(Kind::reduce)}});
    CHECK(refused_run_in("reduce 8B to rank_at(1, 1) over row", Run{2, 2}).summary ==
          "3:22 out_of_range [rank_at(1, 1)] rank 0 is the root, but does not take part, since its value after `over` "
          "is different | found on rank 2 (column 1, row 2)");
    CHECK(refused_run(iterating("broadcast 8B from nobody"), Run{2, 1}).kinds == Kinds{out_of_range});
}

TEST_CASE("over any value: ranks with the same take part, in the order of their numbers") {
    // 5 ranks: 0, 2, 4 have the colour 0, the others 1. Scan by doubling: 0 sends to 2 and 4, 1 to 3.
    const program::Program split = lowered(iterating("scan 8B over rank % 2"), Run{5, 1});
    const std::int32_t own = tag(Kind::scan);
    CHECK(steps(split, {0}) == Events{{Op::send, 8, +2, own}, {Op::send, 8, +4, own}});
    CHECK(steps(split, {3}) == Events{{Op::recv, 0, -2, own}});
}

TEST_CASE("every collective is matched on any number of ranks, for any participants") {
    for (const std::string word :
         {"barrier", "broadcast 100B", "reduce 100B", "allreduce 100B", "gather 100B", "scatter 100B", "allgather 100B",
          "alltoall 100B", "reduce_scatter 100B", "scan 100B"}) {
        for (const std::string over : {"", " over row", " over column", " over (column + row) % 3"}) {
            for (const std::uint32_t columns : {1U, 2U, 3U, 7U}) {
                INFO("word ", word, ", over ", over, ", columns ", columns);
                const program::Program all = lowered(iterating(word + over), Run{columns, 4, 3});
                CHECK(program::validate(all).empty());
                CHECK(program::mismatches(all, 1).empty());
            }
        }
    }
}

TEST_CASE(
    "an allreduce over all is one instruction, unless the machine has another algorithm; over some it is messages") {
    CHECK(steps(lowered(iterating("allreduce 8B"), Run{4, 1}), {0}) == Events{{Op::allreduce, 8}});
    const program::Program tree = lowered_by(Kind::allreduce, Algorithm::reduce_bcast, "allreduce 8B", Run{2, 1});
    const std::int32_t own = tag(Kind::allreduce);
    CHECK(steps(tree, {1}) == Events{{Op::send, 8, -1, own}, {Op::recv, 0, -1, own}});
    const program::Program pairs = lowered(iterating("allreduce 8B over row"), Run{2, 2});
    CHECK(steps(pairs, {0}) == Events{{Op::irecv, 0, +1, own}, {Op::send, 8, +1, own}, {Op::wait_recv, 0, +1, own}});
}

TEST_CASE("a linear algorithm waits at the end for the requests that it begins") {
    const program::Program star = lowered_by(Kind::bcast, Algorithm::linear, "broadcast 8B", Run{3, 1});
    const std::int32_t own = tag(Kind::bcast);
    CHECK(steps(star, {0}) == Events{{Op::isend, 8, +1, own},
                                     {Op::isend, 8, +2, own},
                                     {Op::wait_send, 0, +1, own},
                                     {Op::wait_send, 0, +2, own}});
}

TEST_CASE("equal steps of a ring are a loop") {
    const program::Program ring = lowered(iterating("allgather 8B"), Run{1000, 1});
    CHECK(ring.classes.size() == 3);  // inner ranks, and those that reach around the end
    CHECK(ring.of({5}).code.size() == 2 + 3 + 2);
}

TEST_CASE("a rank that does not take part, or with another size or root, is a fault") {
    CHECK(refused_run_in("if column > 1 { barrier }", Run{2, 1}).summary ==
          "3:25 unmatched_collectives [barrier] in collectives of this kind, rank 1 sends 1 message to rank 0, which "
          "awaits 0 | expected that all ranks, or all with the same value after `over`, call this collective equally "
          "often\n3:25 unmatched_collectives [barrier] in collectives of this kind, rank 1 awaits 1 message from rank "
          "0, which sends 0 | expected that all ranks, or all with the same value after `over`, call this collective "
          "equally often");
    CHECK(refused_run_in("gather 8B * column over row", Run{2, 1}).summary ==
          "3:9 unmatched_collectives [gather 8B * column over row] the size is 16 bytes on this rank, but 8 on rank 0 "
          "of the same collective: expected the same size on all its ranks | found on rank 1 (column 2, row 1)");
    CHECK(refused_run_in("broadcast 8B from rank_at(column, 1) over row", Run{2, 1}).summary ==
          "3:9 unmatched_collectives [broadcast 8B from rank_at(column, 1) over row] the root is rank 1 on this rank, "
          "but rank 0 on rank 0 of the same collective: expected the same root on all its ranks | found on rank 1 "
          "(column 2, row 1)");
}

TEST_CASE("collectives of too many messages are refused, before they are made") {
    const Refusal fault = refused_run(iterating("alltoall 8B"), Run{6'000'000, 1});
    CHECK(fault.kinds == Kinds{program_too_large});
}

TEST_CASE("an int follows `over`, a root is a peer, and a subtask has no collectives") {
    CHECK(refused(iterating("barrier over 1us")).kinds == Kinds{wrong_type});
    CHECK(refused(iterating("broadcast 8B from 0")).kinds == Kinds{wrong_type});
    CHECK(refused("subtask t() { barrier }\n").kinds == Kinds{message_in_subtask});
}
