// Properties of the times themselves: parts add up, units do not matter, more cost is never less time.
//
// Not pinned here: any single time, which tests/engine adds up by hand; models and machines as texts, and other
// engines, for which tests/campaign draws its cases; networks of tests/machine other than rings, tori, stars and
// tables.
#include "simulator/network/cost.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/properties/property.hpp"

namespace {

Hardware without_resources(Hardware hardware) {
    hardware.bus.reset();
    hardware.processes_messages = false;
    hardware.nic.reset();
    hardware.links.reset();
    return hardware;
}

/// Returns the hardware without costs of unexpected messages. With these costs, a message that arrives later, as its
/// receive is posted, can be done earlier than one that arrives before.
Hardware without_copies(Hardware hardware) {
    for (std::optional<Eager>& eager : hardware.eager) {
        if (eager) eager->o_unexpected = eager->G_unexpected = 0;
    }
    return hardware;
}

/// Returns the hardware with packets that cost nothing except their bytes, on links that are all identical or
/// infinitely fast. Receivers do not copy the packets out: the request for a copy takes its turn when the last packet
/// is known to move, after requests that have been granted since the first arrived.
Hardware without_overheads(Hardware hardware) {
    hardware.overhead = hardware.full = hardware.limiter = hardware.backbone = 0;
    hardware.arbitration.reset();
    for (auto& rows : hardware.rows) {
        for (Row& row : rows) row.G_recv = hardware.packet > 0 ? 0 : row.G_recv;
    }
    return hardware;
}

record::Record run(const Case& each) { return engine::run(program_of(each), machine_of(each), {}); }

/// Returns the record of a machine whose links are shared and never busy: no rank waited, and the record has nothing
/// else about them.
record::Record without_idle_links(record::Record record) {
    if (record.link_waits) RC_ASSERT((*record.link_waits == record::LinkWaits{}));
    record.link_waits.reset();
    return record;
}

}  // namespace

TEST_CASE("the parts of a breakdown add up to the time, and none is negative") {
    holds({300, 21}, [] {
        const Case each = *any_case();
        const variation::Noise noise = *any_noise(each.unit);
        const record::Record record = engine::run(program_of(each), machine_of(each), {.noise = noise, .seed = {3}});
        const record::Breakdown& parts = *record.breakdown;
        RC_ASSERT((parts.total() == record.finish));
        for (const auto& [name, time] : record::kBreakdownParts) {
            RC_ASSERT(static_cast<std::int64_t>((parts.*time).ps) >= 0);
        }
    });
}

TEST_CASE("iterations follow each other from the start to the end") {
    holds({300, 22}, [] {
        const record::Record record = run(*any_case());
        WideTime sum;
        for (const auto& [duration, times] : record.iterations) sum += WideTime{duration.ps * times};
        RC_ASSERT((sum == record.finish));
    });
}

TEST_CASE("a resource that is never busy is as good as none") {
    holds({600, 23}, [] {
        Case each = *any_case();
        each.hardware = without_overheads(each.hardware);
        const int which = *rc::gen::inRange(0, 3);
        Case without = each;
        if (which == 0) {
            each.hardware.bus = std::array{0, 0};
            without.hardware.bus.reset();
        } else if (which == 1) {
            each.hardware.nic = std::array{0, 0, 0};
            without.hardware.nic.reset();
        } else {
            each.hardware.links = 0;
            without.hardware.links.reset();
        }
        const record::Record record = run(each);
        assert_same(which == 2 ? without_idle_links(record) : record, run(without));
    });
}

TEST_CASE("all resources together, none of them ever busy, are as good as none") {
    holds({300, 24}, [] {
        Case each = *any_case();
        each.hardware = without_overheads(each.hardware);
        Case without = each;
        each.hardware.bus = std::array{0, 0};
        each.hardware.nic = std::array{0, 0, 0};
        each.hardware.links = 0;
        for (auto& rows : each.hardware.rows) {
            for (Row& row : rows) row.processing = std::min(row.processing, 0);
        }
        without.hardware = without_resources(without.hardware);
        assert_same(without_idle_links(run(each)), run(without));
    });
}

TEST_CASE("a ping-pong on one bus has no waits if the bus is no slower than the row, and else no less time") {
    holds({400, 35}, [] {
        const auto draw = [](int most) { return *rc::gen::inRange(0, most); };
        const auto gap = [&](int most) { return Gap{draw(most) * 1e-12}; };
        machine::Machine machine = simple_machine({2, 1}, {2, 1}, true);
        machine::ProfileRow& row = machine.profiles[0].front();
        row.protocol = draw(2) == 0 ? machine::Protocol::eager : machine::Protocol::rendezvous;
        row.o_send = row.o_recv = Time{draw(500'000)};
        row.L = Time{draw(500'000)};
        row.G = gap(500);
        row.G_send = gap(300);
        row.G_recv = gap(500);
        row.receiver_hold =
            draw(2) == 0 ? machine::ReceiverHold::after_overhead : machine::ReceiverHold::before_overhead;
        row.holds_bus = true;

        constexpr Bytes kSize{1000};
        const auto pairs = program_of({2, 1}, {does().loop(4).send(1, kSize.count).recv(1).end(),
                                               does().loop(4).recv(-1).send(-1, kSize.count).end()});
        const auto finish = [&](std::optional<Time> of_each) {
            machine.bus.reset();
            if (of_each) machine.bus = machine::Bus{*of_each, {}};
            return engine::run(pairs, machine, {}).finish;
        };
        const WideTime without = finish(std::nullopt);
        const network::MessageCost cost = network::fold(row, kSize, {}, machine);
        const Time longest{(cost.flight + cost.busy_recv).ps / 2};  // both services fit between departure and end
        RC_ASSERT((finish(Time{draw(static_cast<int>(longest.ps) + 1)}) == without));
        RC_ASSERT((finish(longest) == without));
        const Time slower = longest + Time{draw(2'000'000)};
        RC_ASSERT((finish(slower) >= without));
        RC_ASSERT((finish(slower + Time{draw(2'000'000)}) >= finish(slower)));
    });
}

TEST_CASE("times in another unit are the same times, with and without lookahead") {
    holds({600, 25}, [] {
        Case each = *any_case();
        const std::int64_t factor = *rc::gen::element<std::int64_t>(2, 3, 7, 1000);
        const record::Record before = run(each);
        each.unit *= factor;
        assert_same(multiplied(before, factor), run(each));
    });
}

TEST_CASE("sharing never makes a rank finish earlier than not sharing") {
    holds({300, 26}, [] {
        Case each = *any_case();
        each.hardware = without_copies(each.hardware);
        const record::Record shared = run(each);
        each.hardware = without_resources(each.hardware);
        assert_never_earlier(shared, run(each));
    });
}

TEST_CASE("if nothing is shared, more of any cost never makes a rank finish earlier") {
    holds({400, 27}, [] {
        Case each = *any_case();
        each.hardware = without_copies(without_resources(each.hardware));
        const record::Record before = run(each);
        const int more = *rc::gen::inRange(1, 20);
        auto& rows = each.hardware.rows[*rc::gen::inRange<std::size_t>(0, kLocalities)];
        Row& row = rows[*rc::gen::inRange<std::size_t>(0, 2)];
        Step& step = each.code.phases.front().steps.front();
        for (int* const cost : {&row.o_send, &row.o_recv, &row.L, &row.G, &row.G_recv, &row.G_send, &row.o_request,
                                &row.o_ack, &each.hardware.hop, &step.units, &step.skew}) {
            const int was = *cost;
            *cost += more;
            assert_never_earlier(run(each), before);
            *cost = was;
        }
    });
}

TEST_CASE("noise of no size is no noise") {
    holds({200, 28}, [] {
        const Case each = *any_case();
        variation::Noise none;
        none.interruptions = variation::Interruptions{1e9, {}, false};
        none.periodic = variation::PeriodicNoise{{7 * each.unit}, {}, false};
        none.classes = {{0.5, 1.0}, {0.5, 1.0}};
        none.map = {{{0}, {}, 1.0}};
        assert_same(run(each), engine::run(program_of(each), machine_of(each), {.noise = none, .seed = {9}}));
    });
}
