// Messages taken in the order of arrival: the choice depends only on virtual time, not on how the engine simulates.
#include "simulator/program/mismatches.hpp"
#include "tests/comparison/differences.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/engine/shared.hpp"
#include "tests/properties/property.hpp"
#include "tests/properties/rewritten.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront;
using namespace warpfront::test;

namespace {

using program::Channel;
using program::Instruction;
using program::Op;

/// Returns a random code with choices; half of the codes post their receives early, half use isends.
program::Program chosen(const Case& each) {
    const program::Program plain = program_of(each);
    const program::Program program = *rc::gen::arbitrary<bool>() ? with_open_receives(plain) : with_choices(plain);
    return *rc::gen::arbitrary<bool>() ? with_sends_begun(program) : program;
}

/// A run's record; or the ranks of a deadlock, since a message that arrives early may be taken in place of another.
struct Outcome {
    std::optional<record::Record> record;
    std::vector<record::Blocked> blocked;
};
Outcome outcome(const program::Program& program, const machine::Machine& machine, const engine::Options& options) {
    try {
        return {engine::run(program, machine, options), {}};
    } catch (const engine::Deadlock& deadlock) {
        return {{}, deadlock.blocked()};
    }
}

void assert_same_outcome(const Outcome& a, const Outcome& b) {
    RC_CLASSIFY(!a.record, "deadlock");
    RC_ASSERT(a.record.has_value() == b.record.has_value());
    if (a.record) return assert_same(*a.record, *b.record);
    RC_ASSERT(differences(a.blocked, b.blocked) == std::vector<std::string>{});
}

/// Returns a master and workers: all ranks except the first request tasks of different lengths from it, the same random
/// number of times.
program::Program master_and_workers(const Case& each) {
    program::Program program;
    program.grid = program_of(each).grid;
    program.sites.resize(8);
    const auto tasks = *rc::gen::inRange<std::int64_t>(1, 5);
    const auto asked = *rc::gen::inRange<std::int64_t>(0, 6) * 400;
    const auto answered = *rc::gen::inRange<std::int64_t>(0, 6) * 400;
    const auto ranks = static_cast<std::int32_t>(program.grid.ranks());
    program::RankClass master;
    program::Choice choice;
    program::Reply reply;
    for (std::int32_t rank = 1; rank < ranks; ++rank) {
        choice.receive_endpoints.push_back(static_cast<std::uint32_t>(master.receive_endpoints.size()));
        reply.send_endpoints.push_back(static_cast<std::uint32_t>(master.send_endpoints.size()));
        master.receive_endpoints.push_back({rank, 1});
        master.send_endpoints.push_back({rank, 2});
    }
    const auto add = [](program::RankClass& to, Op op, std::uint32_t operand, std::int64_t amount) {
        to.code.push_back(
            {.op = op, .site = static_cast<std::uint16_t>(to.code.size()), .operand = operand, .amount = amount});
    };
    if (ranks > 1) {
        master.choices = {choice};
        master.replies = {reply};
        const bool begins = *rc::gen::arbitrary<bool>();
        add(master, Op::loop, begins ? 5 : 3, tasks * (ranks - 1));
        add(master, Op::recv_any, 0, 0);
        add(master, begins ? Op::ireply : Op::reply, 0, answered);
        if (begins) add(master, Op::compute, 0, *rc::gen::inRange<std::int64_t>(0, 20) * 1'000'000);
        if (begins) add(master, Op::wait_reply, 0, 0);
        add(master, Op::end_loop, 0, 0);
    }
    add(master, Op::iteration, 0, 0);
    add(master, Op::finish, 0, 0);
    program.classes.push_back(master);
    program.class_of.push_back(0);
    for (std::int32_t rank = 1; rank < ranks; ++rank) {
        program::RankClass worker;
        worker.send_endpoints = {{-rank, 1}};
        worker.receive_endpoints = {{-rank, 2}};
        add(worker, Op::loop, 4, tasks);
        add(worker, Op::send, 0, asked);
        add(worker, Op::recv, 0, 0);
        add(worker, Op::compute, 0, *rc::gen::inRange<std::int64_t>(0, 20) * 1'000'000);
        add(worker, Op::end_loop, 0, 0);
        add(worker, Op::iteration, 0, 0);
        add(worker, Op::finish, 0, 0);
        program.classes.push_back(worker);
        program.class_of.push_back(static_cast<std::uint32_t>(rank));
    }
    return program;
}

/// A message to rank 0. A nonblocking one leaves while its rank works, and is waited for then.
struct TaggedMessage {
    std::int32_t tag = 0;
    std::int64_t bytes = 0;
    std::int64_t work = 0;
    Op op = Op::send;
};

/// Ranks that send to rank 0 with several tags, and the receives of rank 0, all from any source and of any tag.
struct ManyTags {
    std::vector<std::vector<TaggedMessage>> sent;  // by sender; the first is rank 1
    std::vector<std::int64_t> work;                // of rank 0, before each of its receives
    bool posts = false;                            // rank 0 posts all receives first, and waits for the last first

    /// Makes the program. With `one_tag`, all messages have the same tag. With `named`, a receive for the first message
    /// of rank 1 is posted at the beginning and waited for at the end.
    program::Program program(bool one_tag, bool named = false) const {
        std::vector<ClassBuilder> ranks(sent.size() + 1);
        std::vector<Channel> all;
        for (std::size_t k = 0; k < sent.size(); ++k) {
            const auto rank = static_cast<std::int32_t>(k + 1);
            std::set<std::int32_t> tags;
            for (const TaggedMessage& each : sent[k]) {
                const std::int32_t tag = one_tag ? 0 : each.tag;
                tags.insert(tag);
                send(each, -rank, tag, ranks[k + 1]);
            }
            for (const std::int32_t tag : tags) all.push_back({rank, tag});
        }
        const std::int32_t first_tag = one_tag ? 0 : sent[0].front().tag;
        const std::size_t count = work.size() - (named ? 1 : 0);
        if (named) ranks[0].post(1, first_tag);
        for (std::size_t k = 0; posts && k < count; ++k) ranks[0].post_any(all);
        for (std::size_t k = 0; k < count; ++k) {
            ranks[0].work(work[k]);
            posts ? ranks[0].await_open(static_cast<std::uint32_t>(count - 1 - k)) : ranks[0].recv_any(all);
        }
        if (named) ranks[0].await(1, first_tag);
        return test::program_of({static_cast<std::uint32_t>(ranks.size()), 1}, ranks);
    }

private:
    static void send(const TaggedMessage& each, std::int32_t to, std::int32_t tag, ClassBuilder& rank) {
        if (each.op == Op::isend) {
            rank.isend(to, each.bytes, tag).work(each.work).await_sent(to, tag);
        } else {
            rank.work(each.work);
            each.op == Op::ssend ? rank.ssend(to, each.bytes, tag) : rank.send(to, each.bytes, tag);
        }
    }
};

std::int64_t any_work() { return *rc::gen::inRange<std::int64_t>(0, 12) * us; }

ManyTags many_tags() {
    ManyTags any;
    any.posts = *rc::gen::arbitrary<bool>();
    any.sent.resize(*rc::gen::inRange<std::size_t>(1, 4));
    for (std::vector<TaggedMessage>& of_rank : any.sent) {
        of_rank.resize(*rc::gen::inRange<std::size_t>(1, 7));
        for (TaggedMessage& each : of_rank) {
            each.tag = *rc::gen::inRange(0, 3);
            each.bytes = *rc::gen::element<std::int64_t>(0, 8, 900, 5000, 20'000);
            each.op = *rc::gen::element(Op::send, Op::ssend, Op::isend);
            each.work = any_work();
            any.work.push_back(any_work());
        }
    }
    return any;
}

/// Returns a machine without shared NICs and links, on which the messages of a channel arrive as those of several do.
machine::Machine without_queues(const program::Program& program) {
    machine::Machine machine = simple_machine(program.grid, {}, *rc::gen::arbitrary<bool>());
    machine.profiles[2].front().up_to = Bytes{*rc::gen::element<std::int64_t>(500, 1000, 10'000)};
    for (machine::ProfileRow& row : machine.profiles[2]) row.o_send = {*rc::gen::inRange<std::int64_t>(1, 4) * us};
    return machine;
}

}  // namespace

TEST_CASE("choices make valid programs, whose messages match") {
    holds({200, 71}, [] {
        const program::Program program = chosen(*any_case());
        RC_ASSERT(program::validate(program).empty());
        RC_ASSERT(program::mismatches(program, 1).empty());
    });
}

TEST_CASE("three threads take the messages that one takes") {
    holds({600, 72}, [] {
        const Case each = *any_case();
        const program::Program program = chosen(each);
        const machine::Machine machine = machine_of(each);
        assert_same_outcome(outcome(program, machine, {.threads = 3}), outcome(program, machine, {}));
    });
}

TEST_CASE("a master answers in the same order, however the engine steps") {
    holds({600, 74}, [] {
        const Case each = with_time_between(*any_case());
        const program::Program program = master_and_workers(each);
        const machine::Machine machine = machine_of(each);
        RC_ASSERT(program::validate(program).empty());
        RC_ASSERT(program::mismatches(program, 1).empty());
        const Outcome one = outcome(program, machine, {});
        assert_same_outcome(outcome(program, machine, {.threads = 3}), one);
    });
}

TEST_CASE("if all receives are of any tag, the tags of messages have no effect") {
    holds({600, 76}, [] {
        const ManyTags any = many_tags();
        const program::Program program = any.program(false);
        RC_ASSERT(program::validate(program).empty());
        const machine::Machine machine = without_queues(program);
        const record::Record tagged = engine::run(program, machine, {});
        const record::Record one_tag = engine::run(any.program(true), machine, {});
        RC_ASSERT(tagged.rank_finish == one_tag.rank_finish);
        assert_same(engine::run(program, machine, {.threads = 3}), tagged);
    });
}

TEST_CASE("three threads take messages with many tags in the order in which one takes them") {
    holds({600, 77}, [] {
        const program::Program program = many_tags().program(false, *rc::gen::arbitrary<bool>());
        machine::Machine machine = crowded_torus(program.grid, {});
        machine.profiles[2].front().up_to = Bytes{*rc::gen::element<std::int64_t>(500, 10'000)};
        assert_same(engine::run(program, machine, {.threads = 3}), engine::run(program, machine, {}));
    });
}

TEST_CASE("a receive that is posted for any source and waited for at once is one that blocks") {
    holds({600, 75}, [] {
        const Case each = with_time_between(*any_case());
        const program::Program program =
            *rc::gen::arbitrary<bool>() ? with_choices(program_of(each)) : master_and_workers(each);
        const program::Program posted = posted_and_waited_for(program);
        RC_ASSERT(program::validate(posted).empty());
        const machine::Machine machine = machine_of(each);
        assert_same_outcome(outcome(posted, machine, {}), outcome(program, machine, {}));
    });
}
