// Messages that come from whoever sends first: recv from any, answers to its source, waitany; and synchronous sends.
#include <doctest/doctest.h>

#include "simulator/program/execution.hpp"
#include "tests/psl/models.hpp"

using namespace warpfront;
using namespace warpfront::psl;
using program::Channel;
using program::Op;
using Kinds = std::vector<DiagnosticKind>;

namespace {

/// The channels of a rank's first choice.
std::vector<Channel> choice_of(const program::Program& program, Rank rank, std::size_t number = 0) {
    std::vector<Channel> channels;
    const program::RankClass& rank_class = program.of(rank);
    for (const std::uint32_t place : rank_class.choices.at(number).receive_endpoints) {
        channels.push_back(rank_class.receive_endpoints[place]);
    }
    return channels;
}

std::vector<Channel> reply_of(const program::Program& program, Rank rank) {
    std::vector<Channel> channels;
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
    CHECK(steps(row, {1}) == std::vector<Event>{{Op::recv_any, 0}, {Op::recv_any, 0}, {Op::recv_any, 0}});
    CHECK(choice_of(row, {1}) == std::vector<Channel>{{-1, 4}, {+1, 4}, {+2, 4}});
}

TEST_CASE("with any tag, messages of all tags but those of collectives are taken") {
    const program::Program row = lowered(
        iterating("if rank == 0 { repeat 2 { recv from any tag any } } else { send 8B to west tag 7 send 8B to west } "
                  "barrier"),
        Run{2, 1});
    CHECK(choice_of(row, {0}) == std::vector<Channel>{{+1, 0}, {+1, 7}});
}

TEST_CASE("a channel that is received from by name and from any rank is one channel") {
    const program::Program row = lowered(
        iterating(
            "if rank == 0 { recv from east tag 3 recv from any tag 3 } else { repeat 2 { send 8B to west tag 3 } }"),
        Run{2, 1});
    CHECK(row.of({0}).receive_endpoints == std::vector<Channel>{{+1, 3}});
    CHECK(choice_of(row, {0}) == std::vector<Channel>{{+1, 3}});
}

TEST_CASE("ranks of one class with other sources become classes of their own") {
    // All send east and receive from any; the first rank has no source and receives nothing.
    const program::Program row =
        lowered(iterating("send 8B to east if column > 1 { recv from any } if column == 2 { recv from any tag 9 } "
                          "if column == 4 { send 8B to rank_at(2, 1) tag 9 }"),
                Run{5, 1});
    CHECK(choice_of(row, {1}) == std::vector<Channel>{{-1, 0}});
    CHECK(choice_of(row, {1}, 1) == std::vector<Channel>{{+2, 9}});
    CHECK(row.class_of[2] != row.class_of[1]);
    CHECK(choice_of(row, {2}) == choice_of(row, {4}));
}

TEST_CASE("a send to the name of such a receive answers its source") {
    const program::Program row =
        lowered(iterating("if rank == 0 { repeat 2 { recv w from any tag 1 send 16B to w tag 2 } } else { send 8B to "
                          "rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }"),
                Run{3, 1});
    CHECK(reply_of(row, {0}) == std::vector<Channel>{{+1, 2}, {+2, 2}});
    CHECK(steps(row, {0}) ==
          std::vector<Event>{{Op::recv_any, 0}, {Op::reply, 16}, {Op::recv_any, 0}, {Op::reply, 16}});
    CHECK(program::traffic(row).messages == 4);
}

TEST_CASE("ranks that are answered may receive from any rank too") {
    const program::Program row = lowered(
        iterating("if rank == 0 { recv w from any tag 1 send 16B to w tag 2 } else { send 8B to rank_at(1, 1) tag 1 "
                  "recv from any tag 2 }"),
        Run{2, 1});
    CHECK(choice_of(row, {1}) == std::vector<Channel>{{-1, 2}});
}

TEST_CASE("waitany takes one of the receives without a name; waitall takes the rest") {
    const program::Program row = lowered(
        iterating("irecv from west irecv from east send 8B to west send 8B to east waitany compute 1us waitall"),
        Run{3, 1});
    CHECK(choice_of(row, {1}) == std::vector<Channel>{{-1, 0}, {+1, 0}});
    const std::vector<Event> second = steps(row, {1});
    REQUIRE(second.size() == 7);
    CHECK(second[4] == Event{Op::wait_any, 0});
    CHECK(second[6] == Event{Op::wait_any, 0});
}

TEST_CASE("a loop of waitany takes as many receives as it has trips") {
    const std::string post = "irecv from west irecv from east send 8B to west send 8B to east ";
    const std::string count = "(if exists(west) then 1 else 0) + (if exists(east) then 1 else 0)";
    const program::Program row = lowered(iterating(post + "repeat " + count + " { waitany compute 1us }"), Run{3, 1});
    CHECK(steps(row, {1}).size() == 4 + 2 * 2);
    const Refusal more = refused_run(iterating(post + "repeat 3 { waitany }"), Run{3, 1});
    CHECK(more.kinds == Kinds{DiagnosticKind::unknown_request});
    CHECK(more.text.find("trips of a `waitany` for 1 receive that is open") != std::string::npos);
    const Refusal none = refused_run(iterating("waitany"), Run{2, 1});
    CHECK(none.text.find("no receive is open for this `waitany`") != std::string::npos);
    const Refusal fewer = refused_run(iterating(post + "waitany"), Run{3, 1});
    CHECK(fewer.kinds == Kinds{DiagnosticKind::unwaited_request});
}

TEST_CASE("receives are begun before the first waitany of their group") {
    const Refusal fault = refused_run(
        iterating("irecv from west irecv from east send 8B to west send 8B to east waitany irecv from west tag 3 "
                  "waitall send 8B to east tag 3"),
        Run{3, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(fault.text.find("expected this one before the first `waitany`") != std::string::npos);
}

TEST_CASE("a synchronous send is one whatever its size") {
    const program::Program row = lowered(iterating("ssend 8B to east recv from west"), Run{2, 1});
    CHECK(steps(row, {0}) == std::vector<Event>{{Op::ssend, 8, +1, 0}});
}

TEST_CASE("a receive from any rank to which no rank sends is refused, and so is one too many") {
    const Refusal none = refused_run(iterating("        if rank == 0 { recv from any tag 3 }\n"), Run{2, 1});
    CHECK(none.kinds == Kinds{DiagnosticKind::unmatched_messages});
    CHECK(none.text.find("code.psl:3:24: error: rank 0 receives from any rank with tag 3, and none sends to it") == 0);
    const Refusal more = refused_run(
        iterating("        if rank == 0 { repeat 3 { recv from any } } else { send 8B to rank_at(1, 1) }\n"),
        Run{3, 1});
    CHECK(more.kinds == Kinds{DiagnosticKind::unmatched_messages});
    CHECK(more.text.find("rank 0 receives 3 messages from any rank, and 2 are sent to it") != std::string::npos);
    const Refusal answers = refused_run(
        iterating("        if rank == 0 { recv w from any repeat 2 { send 8B to w tag 2 } } else { send 8B to "
                  "west recv from west tag 2 }\n"),
        Run{2, 1});
    CHECK(answers.text.find("rank 0 answers with 2 messages, and 1 is received") != std::string::npos);
}

TEST_CASE("a receive from any rank beside a posted one with its tag is refused") {
    const Refusal fault = refused_run(
        iterating("if rank == 0 { irecv from east recv from any waitall } else { repeat 2 { send 8B to west } }"),
        Run{2, 1});
    CHECK(fault.kinds == Kinds{DiagnosticKind::overlapping_receives});
}

TEST_CASE("irecv from any is posted, waited for by its name, and its source answered then") {
    const program::Program row =
        lowered(iterating("if rank == 0 { repeat 2 { irecv w from any tag 1 compute 1us wait w send 16B to w tag 2 } } "
                          "else { send 8B to rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }"),
                Run{3, 1});
    CHECK(choice_of(row, {0}) == std::vector<Channel>{{+1, 1}, {+2, 1}});
    CHECK(reply_of(row, {0}) == std::vector<Channel>{{+1, 2}, {+2, 2}});
    const std::vector<Event> trip{
        {Op::irecv_any, 0}, {Op::compute, 1'000'000}, {Op::wait_recv_any, 0}, {Op::reply, 16}};
    std::vector<Event> both = trip;
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
    CHECK(choice_of(row, {0}, 1) == std::vector<Channel>{{+1, 0}, {+2, 0}});
    CHECK(choice_of(row, {0}, 2) == std::vector<Channel>{{+1, 0}, {+1, 5}, {+2, 0}});
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
    for (const char* const statements : {"recv from east waitall", "irecv from east waitall", "recv from any waitall",
                                         "recv from any tag any waitall"}) {
        CAPTURE(statements);
        const Refusal refusal = fault(statements);
        CHECK(refusal.kinds == Kinds{DiagnosticKind::overlapping_receives});
        CHECK(refusal.text.find("a receive from any rank is still posted") != std::string::npos);
    }
    const Refusal group = fault("irecv from east tag 1 waitany waitall");
    CHECK(group.kinds == Kinds{DiagnosticKind::unknown_request});
    CHECK(group.text.find("which `waitany` cannot take: expected a name for it") != std::string::npos);
    CHECK(fault("").kinds == Kinds{DiagnosticKind::unwaited_request});
    const program::Program other_tag =
        lowered(iterating("if rank == 0 { irecv from any recv from east tag 3 waitall } else { send 8B to west send 8B "
                          "to west tag 3 }"),
                Run{2, 1});
    CHECK(program::validate(other_tag) == "");
}

TEST_CASE("the name of a source that is misspelt is met with the nearest") {
    const Refusal misspelt = refused("template t() { recv asking from any send 8B to asing }\n");
    CHECK(misspelt.kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(misspelt.text.find("unknown name `asing`") != std::string::npos);
    CHECK(misspelt.text.find("did you mean `asking`?") != std::string::npos);
    const Refusal other = refused("template t() { recv asking from any send 8B to nowhere }\n");
    CHECK(other.text.find("did you mean") == std::string::npos);
}

TEST_CASE("the source of an open receive is not known before it is waited for") {
    const Refusal early = refused("template t() { irecv w from any send 8B to w wait w }\n");
    CHECK(early.kinds == Kinds{DiagnosticKind::unknown_name});
    CHECK(early.text.find("which rank `w` is, is not known before it is waited for") != std::string::npos);
    CHECK(early.text.find("expected `wait w` before this") != std::string::npos);
    CHECK(refused("template t() { irecv w from any }\n").kinds == Kinds{DiagnosticKind::unwaited_request});
    CHECK(refused("subtask t() { irecv from any }\n").kinds == Kinds{DiagnosticKind::message_in_subtask});
}

TEST_CASE("an isend answers the source of a receive too, and is waited for") {
    const std::string workers = "else { send 8B to rank_at(1, 1) tag 1 recv from rank_at(1, 1) tag 2 }";
    const program::Program row = lowered(
        iterating("if rank == 0 { repeat 2 { recv w from any tag 1 isend a 16B to w tag 2 compute 1us wait a } } " +
                  workers),
        Run{3, 1});
    CHECK(program::validate(row) == "");
    CHECK(reply_of(row, {0}) == std::vector<Channel>{{+1, 2}, {+2, 2}});
    const std::vector<Event> all = steps(row, {0});
    const std::vector<Event> trip{{Op::recv_any, 0}, {Op::ireply, 16}, {Op::compute, 1'000'000}, {Op::wait_reply, 0}};
    CHECK(std::vector<Event>(all.begin() + 4, all.end()) == trip);
    const program::Program unnamed = lowered(
        iterating("if rank == 0 { repeat 2 { recv w from any tag 1 isend 16B to w tag 2 waitall } } " + workers),
        Run{3, 1});
    CHECK(steps(unnamed, {0})[2] == Event{Op::wait_reply, 0});
}

TEST_CASE("while an answer is under way no other message is sent that may be to the same rank with its tag") {
    const auto fault = [](const std::string& statements) {
        return refused_run(iterating("if rank == 0 { " + statements +
                                     " } else { repeat 2 { send 8B to west tag 1 recv "
                                     "from west tag 2 } }"),
                           Run{2, 1});
    };
    for (const char* const statements :
         {"recv w from any tag 1 isend 8B to w tag 2 send 8B to east tag 2 waitall",
          "recv w from any tag 1 isend 8B to w tag 2 recv v from any tag 1 send 8B to v tag 2 waitall",
          "recv w from any tag 1 isend 8B to east tag 2 send 8B to w tag 2 waitall"}) {
        CAPTURE(statements);
        CHECK(fault(statements).kinds == Kinds{DiagnosticKind::overlapping_sends});
    }
}

TEST_CASE("only a send reaches the source of a receive, and only in its block") {
    const Refusal synchronous = refused("template t() { recv w from any ssend 8B to w }\n");
    CHECK(synchronous.kinds == Kinds{DiagnosticKind::wrong_type});
    CHECK(synchronous.text.find("expected `send` or `isend`: no other statement reaches it") != std::string::npos);
    const Refusal outside = refused("template t() { repeat 2 { recv w from any } send 8B to w }\n");
    CHECK(outside.kinds == Kinds{DiagnosticKind::unknown_name});
    const Refusal twice = refused("template t() { recv w from any recv w from any }\n");
    CHECK(twice.kinds == Kinds{DiagnosticKind::duplicate_name});
    CHECK(refused("subtask t() { recv from any }\n").kinds == Kinds{DiagnosticKind::message_in_subtask});
    CHECK(refused("subtask t() { waitany }\n").kinds == Kinds{DiagnosticKind::message_in_subtask});
}
