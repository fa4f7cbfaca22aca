// Messages that go on beside their rank: isend, irecv, wait, waitall, sendrecv.
#include <doctest/doctest.h>

#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Op;
using Kinds = std::vector<DiagnosticKind>;

TEST_CASE("isend begins, wait waits for its message") {
    const program::Program row = lowered(iterating("isend r 8B to east recv from west wait r"), Run{2, 1});
    CHECK(steps(row, {0}) == std::vector<Event>{{Op::isend, 8, +1, 0}, {Op::wait_send, 0, +1, 0}});
    CHECK(steps(row, {1}) == std::vector<Event>{{Op::recv, 0, -1, 0}});
}

TEST_CASE(
    "waitall waits for the requests without a name: the sends, then the receives, in the order of their beginning") {
    const program::Program row =
        lowered(iterating("irecv from west isend 8B to west irecv from east isend 8B to east waitall"), Run{3, 1});
    CHECK(steps(row, {1}) == std::vector<Event>{{Op::irecv, 0, -1, 0},
                                                {Op::isend, 8, -1, 0},
                                                {Op::irecv, 0, +1, 0},
                                                {Op::isend, 8, +1, 0},
                                                {Op::wait_send, 0, -1, 0},
                                                {Op::wait_send, 0, +1, 0},
                                                {Op::wait_recv, 0, -1, 0},
                                                {Op::wait_recv, 0, +1, 0}});
    const program::Program named = lowered(
        iterating("irecv r from west irecv from west tag 2 waitall wait r send 8B to east send 8B to east tag 2"),
        Run{2, 1});
    CHECK(steps(named, {1})[2] == Event{Op::wait_recv, 0, -1, 2});
    CHECK(steps(named, {1})[3] == Event{Op::wait_recv, 0, -1, 0});
}

TEST_CASE("requests begun under a condition, in a template or in a loop over a list outlive its block") {
    const program::Program row = lowered(
        "template post(partner: peer) { irecv from partner isend 8B to partner }\n"
        "application a { iteration {\n"
        "    if column % 2 == 1 { irecv from east tag 1 } else { isend 8B to west tag 1 }\n"
        "    for each in [1, 2] { post(if each == 1 then west else east) }\n"
        "    waitall\n} }\n",
        Run{4, 1});
    // Rank 1: isend to the west, then two of each; five waits.
    const std::vector<Event> second = steps(row, {1});
    REQUIRE(second.size() == 10);
    CHECK(second[0] == Event{Op::isend, 8, -1, 1});
    CHECK(second[5] == Event{Op::wait_send, 0, -1, 1});
    CHECK(second[9] == Event{Op::wait_recv, 0, +1, 0});
}

TEST_CASE("sendrecv posts, sends, waits; without one of the partners the other half is left") {
    const program::Program row = lowered(iterating("sendrecv 8B to east from west tag 4"), Run{3, 1});
    CHECK(steps(row, {1}) ==
          std::vector<Event>{{Op::irecv, 0, -1, 4}, {Op::send, 8, +1, 4}, {Op::wait_recv, 0, -1, 4}});
    CHECK(steps(row, {0}) == std::vector<Event>{{Op::send, 8, +1, 4}});
    CHECK(steps(row, {2}) == std::vector<Event>{{Op::irecv, 0, -1, 4}, {Op::wait_recv, 0, -1, 4}});
}

TEST_CASE("two messages with one tag to one rank cannot be under way beside their rank") {
    const Refusal fault = refused_run(iterating("        isend 8B to east\n        send 8B to east\n        waitall\n  "
                                                "      repeat 2 { recv from west }\n"),
                                      Run{2, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::overlapping_sends});
    CHECK(
        fault.text.find("code.psl:4:9: error: a message with tag 0 to the same rank is still under way: expected it to "
                        "be waited for first, or another tag") == 0);
}

TEST_CASE("a request that nothing waits for within its trip or its iteration is refused") {
    const Refusal iteration = refused_run(iterating("        irecv from west\n        send 8B to east\n"), Run{2, 1});
    CHECK(iteration.kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(iteration.text.find("code.psl:3:9: error: nothing waits for this request before the end of its trip or "
                              "iteration: expected `waitall`") == 0);
    const Refusal trip = refused_run(iterating("repeat 2 { isend 8B to east recv from west } waitall"), Run{2, 1});
    CHECK(trip.kinds == Kinds{DiagnosticKind::unwaited_request});
    const Refusal before = refused_run(
        iterating("irecv from west repeat 2 { waitall send 8B to east tag 1 recv from west tag 1 } send 8B to east"),
        Run{2, 1});
    CHECK(before.kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(before.text.find("Expected a `waitall` before the loop") != std::string::npos);
}

TEST_CASE("a wait for an isend that was waited for, or of another block, is refused") {
    CHECK(refused("template t() { isend r 8B to east wait r wait r }\n").kinds ==
          Kinds{DiagnosticKind::unknown_request});
    CHECK(refused("template t() { isend r 8B to east }\n").kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(refused("subtask t() { waitall }\n").kinds == Kinds{DiagnosticKind::message_in_subtask});
}
