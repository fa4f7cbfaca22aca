// Messages that progress beside their rank: isend, irecv, wait, waitall, sendrecv.
#include "simulator/program/execution.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Channel;
using Channels = std::vector<Channel>;
using program::Op;

TEST_CASE("isend begins, wait waits for its message") {
    const program::Program row = lowered(iterating("isend r 8B to east recv from west wait r"), Run{2, 1});
    CHECK(steps(row, {0}) == Events{{Op::isend, 8, +1, 0}, {Op::wait_send, 0, +1, 0}});
    CHECK(steps(row, {1}) == Events{{Op::recv, 0, -1, 0}});
}

TEST_CASE(
    "waitall waits for the requests without a name: the sends, then the receives, in the order of their beginning") {
    const program::Program row =
        lowered(iterating("irecv from west isend 8B to west irecv from east isend 8B to east waitall"), Run{3, 1});
    CHECK(steps(row, {1}) == Events{{Op::irecv, 0, -1, 0},
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
    const Events second = steps(row, {1});
    REQUIRE(second.size() == 10);
    CHECK(second[0] == Event{Op::isend, 8, -1, 1});
    CHECK(second[5] == Event{Op::wait_send, 0, -1, 1});
    CHECK(second[9] == Event{Op::wait_recv, 0, +1, 0});
}

TEST_CASE("sendrecv posts, sends, waits; without one of the partners the other half is left") {
    const program::Program row = lowered(iterating("sendrecv 8B to east from west tag 4"), Run{3, 1});
    CHECK(steps(row, {1}) == Events{{Op::irecv, 0, -1, 4}, {Op::send, 8, +1, 4}, {Op::wait_recv, 0, -1, 4}});
    CHECK(steps(row, {0}) == Events{{Op::send, 8, +1, 4}});
    CHECK(steps(row, {2}) == Events{{Op::irecv, 0, -1, 4}, {Op::wait_recv, 0, -1, 4}});
}

TEST_CASE("two messages with one tag to one rank cannot be under way beside their rank") {
    CHECK(refused_run(iterating("        isend 8B to east\n        send 8B to east\n        waitall\n  "
                                "      repeat 2 { recv from west }\n"),
                      Run{2, 1})
              .summary ==
          "4:9 overlapping_sends [send 8B to east] an earlier message with tag 0 to the same rank is still under way: "
          "expected a wait for it before this statement, or another tag | found on rank 0 "
          "(column 1, row 1)");
}

TEST_CASE("a request that nothing waits for within its loop iteration or its iteration is refused") {
    CHECK(refused_run(iterating("        irecv from west\n        send 8B to east\n"), Run{2, 1}).summary ==
          "3:9 unwaited_request [irecv from west] no statement waits for this request before the end of its iteration: "
          "expected a later `waitall` in the iteration | found on rank 1 (column 2, row 1)");
    const Refusal in_loop = refused_run(iterating("repeat 2 { isend 8B to east recv from west } waitall"), Run{2, 1});
    CHECK(in_loop.kinds == Kinds{unwaited_request});
    CHECK(refused_run(
              iterating(
                  "irecv from west repeat 2 { waitall send 8B to east tag 1 recv from west tag 1 } send 8B to east"),
              Run{2, 1})
              .summary ==
          "3:28 unwaited_request [waitall] this `waitall` is in a loop, but would wait for a request from before the "
          "loop: expected a `waitall` before the loop | found on rank 1 (column 2, row 1)");
}

TEST_CASE("a wait for an isend that was waited for, or of another block, is refused") {
    CHECK(refused("template t() { isend r 8B to east wait r wait r }\n").kinds == Kinds{unknown_request});
    CHECK(refused("template t() { isend r 8B to east }\n").kinds == Kinds{unwaited_request});
    CHECK(refused("subtask t() { waitall }\n").kinds == Kinds{message_in_subtask});
}

// Messages of any source: recv from any, answers to the source, waitany; and synchronous sends.

namespace {

/// Returns the channels of a rank's first choice.
Channels choice_of(const program::Program& program, Rank rank, std::size_t number = 0) {
    Channels channels;
    const program::RankClass& rank_class = program.of(rank);
    for (const std::uint32_t place : rank_class.choices.at(number).receive_endpoints) {
        channels.push_back(rank_class.receive_endpoints[place]);
    }
    return channels;
}

Channels reply_of(const program::Program& program, Rank rank) {
    Channels channels;
    const program::RankClass& rank_class = program.of(rank);
    for (const std::uint32_t place : rank_class.replies.at(0).send_endpoints) {
        channels.push_back(rank_class.send_endpoints[place]);
    }
    return channels;
}

}  // namespace

TEST_CASE("recv from any takes from every rank that sends with its tag, the lowest first") {
    const program::Program row =
        lowered(iterating("if rank == 1 { repeat 3 { recv from any tag 4 } } else { send 8B to rank_at(2, 1) tag 4 }"),
                Run{4, 1});
    CHECK(steps(row, {1}) == Events{{Op::recv_any, 0}, {Op::recv_any, 0}, {Op::recv_any, 0}});
    CHECK(choice_of(row, {1}) == Channels{{-1, 4}, {+1, 4}, {+2, 4}});
}

TEST_CASE("with any tag, messages of all tags but those of collectives are taken") {
    const program::Program row = lowered(iterating("if rank == 0 { repeat 2 { recv from any tag any } } else { send 8B "
                                                   "to west tag 7 send 8B to west } barrier"),
                                         Run{2, 1});
    CHECK(choice_of(row, {0}) == Channels{{+1, 0}, {+1, 7}});
}

TEST_CASE("a channel that is received from by name and from any rank is one channel") {
    const program::Program row = lowered(
        iterating(
            "if rank == 0 { recv from east tag 3 recv from any tag 3 } else { repeat 2 { send 8B to west tag 3 } }"),
        Run{2, 1});
    CHECK(row.of({0}).receive_endpoints == Channels{{+1, 3}});
    CHECK(choice_of(row, {0}) == Channels{{+1, 3}});
}

TEST_CASE("ranks of one class with other sources become classes of their own") {
    // All send east and receive from any; the first rank has no source and receives nothing.
    const program::Program row =
        lowered(iterating("send 8B to east if column > 1 { recv from any } if column == 2 { recv from any tag 9 } "
                          "if column == 4 { send 8B to rank_at(2, 1) tag 9 }"),
                Run{5, 1});
    CHECK(choice_of(row, {1}) == Channels{{-1, 0}});
    CHECK(choice_of(row, {1}, 1) == Channels{{+2, 9}});
    CHECK(row.class_of[2] != row.class_of[1]);
    CHECK(choice_of(row, {2}) == choice_of(row, {4}));
}

TEST_CASE("a send to the name of such a receive answers its source") {
    const program::Program row =
        lowered(iterating("if rank == 0 { repeat 2 { recv w from any tag 1 send 16B to w tag 2 } } else { send 8B to "
                          "rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }"),
                Run{3, 1});
    CHECK(reply_of(row, {0}) == Channels{{+1, 2}, {+2, 2}});
    CHECK(steps(row, {0}) == Events{{Op::recv_any, 0}, {Op::reply, 16}, {Op::recv_any, 0}, {Op::reply, 16}});
    CHECK(program::traffic(row).messages == 4);
}

TEST_CASE("ranks that are answered may receive from any rank too") {
    const program::Program row = lowered(iterating("if rank == 0 { recv w from any tag 1 send 16B to w tag 2 } else { "
                                                   "send 8B to rank_at(1, 1) tag 1 recv from any tag 2 }"),
                                         Run{2, 1});
    CHECK(choice_of(row, {1}) == Channels{{-1, 2}});
}

TEST_CASE("waitany takes one of the receives without a name; waitall takes the rest") {
    const program::Program row = lowered(
        iterating("irecv from west irecv from east send 8B to west send 8B to east waitany compute 1us waitall"),
        Run{3, 1});
    CHECK(choice_of(row, {1}) == Channels{{-1, 0}, {+1, 0}});
    const Events second = steps(row, {1});
    REQUIRE(second.size() == 7);
    CHECK(second[4] == Event{Op::wait_any, 0});
    CHECK(second[6] == Event{Op::wait_any, 0});
}

TEST_CASE("a loop of waitany takes as many receives as it has iterations") {
    const std::string post = "irecv from west irecv from east send 8B to west send 8B to east ";
    const std::string count = "(if exists(west) then 1 else 0) + (if exists(east) then 1 else 0)";
    const program::Program row = lowered(iterating(post + "repeat " + count + " { waitany compute 1us }"), Run{3, 1});
    CHECK(steps(row, {1}).size() == 4 + 2 * 2);
    CHECK(refused_run(iterating(post + "repeat 3 { waitany }"), Run{3, 1}).summary ==
          "3:76 unknown_request [waitany] only 1 receive is open, but the loops around this `waitany` execute it more "
          "often | found on rank 0 (column 1, row 1)");
    CHECK(refused_run(iterating("waitany"), Run{2, 1}).summary ==
          "3:1 unknown_request [waitany] no receive is open for this `waitany`: expected an earlier `irecv from PEER` "
          "without a name | found on rank 0 (column 1, row 1)");
    const Refusal fewer = refused_run(iterating(post + "waitany"), Run{3, 1});
    CHECK(fewer.kinds == Kinds{unwaited_request});
}

TEST_CASE("receives are begun before the first waitany of their group") {
    CHECK(refused_run(iterating("irecv from west irecv from east send 8B to west send 8B to east waitany irecv from "
                                "west tag 3 waitall send 8B to east tag 3"),
                      Run{3, 1})
              .summary ==
          "3:73 unwaited_request [irecv from west tag 3] an earlier `waitany` has completed some of the open receives, "
          "but not all: expected this receive before the first `waitany`, or after a `waitall` | found on rank 1 "
          "(column 2, row 1)");
}

TEST_CASE("a synchronous send is one whatever its size") {
    const program::Program row = lowered(iterating("ssend 8B to east recv from west"), Run{2, 1});
    CHECK(steps(row, {0}) == Events{{Op::ssend, 8, +1, 0}});
}

TEST_CASE("a receive from any rank to which no rank sends is refused, and so is one too many") {
    CHECK(refused_run_in("if rank == 0 { recv from any tag 3 }", Run{2, 1}).summary ==
          "3:24 unmatched_messages [recv from any tag 3] rank 0 receives from any rank with tag 3, and no rank sends "
          "to it");
    CHECK(refused_run_in("if rank == 0 { repeat 3 { recv from any } } else { send 8B to rank_at(1, 1) }", Run{3, 1})
              .summary ==
          "3:35 unmatched_messages [recv from any] rank 0 receives 3 messages from any rank, but 2 are sent to it");
    CHECK(refused_run(iterating("        if rank == 0 { recv w from any repeat 2 { send 8B to w tag 2 } } else { send "
                                "8B to west recv from west tag 2 }\n"),
                      Run{2, 1})
              .summary ==
          "3:51 unmatched_messages [send 8B to w tag 2] rank 0 sends 2 messages to sources of its receives, but only 1 "
          "is received");
}

TEST_CASE("a receive from any rank beside a posted one with its tag is refused") {
    const Refusal fault = refused_run(
        iterating("if rank == 0 { irecv from east recv from any waitall } else { repeat 2 { send 8B to west } }"),
        Run{2, 1});
    CHECK(fault.kinds == Kinds{overlapping_receives});
}

TEST_CASE("irecv from any is posted, waited for by its name, and its source answered then") {
    const program::Program row =
        lowered(iterating("if rank == 0 { repeat 2 { irecv w from any tag 1 compute 1us wait w send 16B to w tag 2 } } "
                          "else { send 8B to rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }"),
                Run{3, 1});
    CHECK(choice_of(row, {0}) == Channels{{+1, 1}, {+2, 1}});
    CHECK(reply_of(row, {0}) == Channels{{+1, 2}, {+2, 2}});
    const Events trip{{Op::irecv_any, 0}, {Op::compute, 1'000'000}, {Op::wait_recv_any, 0}, {Op::reply, 16}};
    Events both = trip;
    both.insert(both.end(), trip.begin(), trip.end());
    CHECK(steps(row, {0}) == both);
}

TEST_CASE(
    "several receives from any rank may be open, each a choice of its own; waitall waits in the order of posting") {
    const program::Program row =
        lowered(iterating("if rank == 0 { for n in [1, 2] { irecv from any } irecv from any tag any waitall } "
                          "else { send 8B to rank_at(1, 1) if rank == 1 { send 8B to rank_at(1, 1) tag 5 } }"),
                Run{3, 1});
    CHECK(program::validate(row) == "");
    CHECK(choice_of(row, {0}, 1) == Channels{{+1, 0}, {+2, 0}});
    CHECK(choice_of(row, {0}, 2) == Channels{{+1, 0}, {+1, 5}, {+2, 0}});
    std::vector<std::uint32_t> waited;
    for (const program::Instruction& step : row.of({0}).code) {
        if (step.op == Op::wait_recv_any) waited.push_back(step.operand);
    }
    CHECK(waited == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("while a receive from any rank is open, no other receive takes what it may take") {
    const std::string senders = " } else { repeat 2 { send 8B to west } } ";
    const auto fault = [&](const std::string& statements) {
        return refused_run(iterating("if rank == 0 { irecv from any " + statements + senders), Run{2, 1});
    };
    for (const std::string statements : {"recv from east waitall", "irecv from east waitall", "recv from any waitall",
                                         "recv from any tag any waitall"}) {
        CAPTURE(statements);
        const Refusal refusal = fault(statements);
        CHECK(refusal.kinds == Kinds{overlapping_receives});
        CHECK(refusal.text.find("an earlier receive from any rank is still posted") != std::string::npos);
    }
    CHECK(fault("irecv from east tag 1 waitany waitall").summary ==
          "3:53 unknown_request [waitany] `waitany` cannot wait for a receive from any rank, and such a receive is "
          "open: expected a name for that receive, and `wait` with the name | found on rank 0 (column 1, row 1)");
    CHECK(fault("").kinds == Kinds{unwaited_request});
    const program::Program other_tag = lowered(iterating("if rank == 0 { irecv from any recv from east tag 3 waitall } "
                                                         "else { send 8B to west send 8B to west tag 3 }"),
                                               Run{2, 1});
    CHECK(program::validate(other_tag) == "");
}

TEST_CASE("the name of a source that is misspelt is met with the nearest") {
    CHECK(refused("template t() { recv asking from any send 8B to asing }\n").summary ==
          "1:48 unknown_name [asing] unknown name `asing` | did you mean `asking`?");
    const Refusal other = refused("template t() { recv asking from any send 8B to nowhere }\n");
    CHECK(other.text.find("did you mean") == std::string::npos);
}

TEST_CASE("the source of an open receive is not known before it is waited for") {
    CHECK(refused("template t() { irecv w from any send 8B to w wait w }\n").summary ==
          "1:44 unknown_name [w] the source `w` is unknown until its receive is waited for | expected `wait w` before "
          "this, in the block of the `irecv`");
    CHECK(refused("template t() { irecv w from any }\n").kinds == Kinds{unwaited_request});
    CHECK(refused("subtask t() { irecv from any }\n").kinds == Kinds{message_in_subtask});
}

TEST_CASE("an isend answers the source of a receive too, and is waited for") {
    const std::string workers = "else { send 8B to rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }";
    const program::Program row = lowered(
        iterating("if rank == 0 { repeat 2 { recv w from any tag 1 isend a 16B to w tag 2 compute 1us wait a } } " +
                  workers),
        Run{3, 1});
    CHECK(program::validate(row) == "");
    CHECK(reply_of(row, {0}) == Channels{{+1, 2}, {+2, 2}});
    const Events all = steps(row, {0});
    const Events trip{{Op::recv_any, 0}, {Op::ireply, 16}, {Op::compute, 1'000'000}, {Op::wait_reply, 0}};
    CHECK(Events(all.begin() + 4, all.end()) == trip);
    const program::Program unnamed = lowered(
        iterating("if rank == 0 { repeat 2 { recv w from any tag 1 isend 16B to w tag 2 waitall } } " + workers),
        Run{3, 1});
    CHECK(steps(unnamed, {0})[2] == Event{Op::wait_reply, 0});
}

TEST_CASE("while an answer is under way no other message is sent that may be to the same rank with its tag") {
    const auto fault = [](const std::string& statements) {
        return refused_run(iterating("if rank == 0 { " + statements +
                                     " } else { repeat 2 { send 8B to west tag 1 recv from west tag 2 } }"),
                           Run{2, 1});
    };
    for (const std::string statements :
         {"recv w from any tag 1 isend 8B to w tag 2 send 8B to east tag 2 waitall",
          "recv w from any tag 1 isend 8B to w tag 2 recv v from any tag 1 send 8B to v tag 2 waitall",
          "recv w from any tag 1 isend 8B to east tag 2 send 8B to w tag 2 waitall"}) {
        CAPTURE(statements);
        CHECK(fault(statements).kinds == Kinds{overlapping_sends});
    }
}

TEST_CASE("only a send reaches the source of a receive, and only in its block") {
    CHECK(refused("template t() { recv w from any ssend 8B to w }\n").summary ==
          "1:44 wrong_type [w] `w` is the source of a receive | expected `send` or `isend`: no other statement can "
          "send to the source of a receive");
    const Refusal outside = refused("template t() { repeat 2 { recv w from any } send 8B to w }\n");
    CHECK(outside.kinds == Kinds{unknown_name});
    const Refusal twice = refused("template t() { recv w from any recv w from any }\n");
    CHECK(twice.kinds == Kinds{duplicate_name});
    CHECK(refused("subtask t() { recv from any }\n").kinds == Kinds{message_in_subtask});
    CHECK(refused("subtask t() { waitany }\n").kinds == Kinds{message_in_subtask});
}
