// The parts of the critical path as derivatives of the run time by the costs of random machines.
#include "simulator/results/critical_path.hpp"
#include "simulator/units/random.hpp"
#include "tests/properties/property.hpp"
#include "tools/answer/explanation/explanation.hpp"

using record::PathParts;

namespace {

constexpr double kChange = 1e-7;
constexpr std::int64_t kUnit = 10'000'000'000;  // a change of one unit is 1,000 ps

/// Multiplies costs by random factors, so that no two chains of different costs take equally long.
class Generic {
public:
    explicit Generic(std::uint64_t seed) : random_({seed}, Purpose::placement, 0, 0) {}
    void operator()(Time& time) { time.ps = std::llround(static_cast<double>(time.ps) * factor()); }
    void operator()(Gap& gap) { gap.seconds_per_byte *= factor(); }
    void operator()(std::int64_t& ps) { ps = std::llround(static_cast<double>(ps) * factor()); }

    std::uint64_t below(std::uint64_t most) { return random_.below(most); }

private:
    double factor() { return 1.0 + 0.3 * random_.unit(); }
    Random random_;
};

tools::Experiment generic(const Case& each) {
    tools::Experiment experiment;
    experiment.program = program_of(each);
    experiment.machine = machine_of(each);
    Generic vary(each.hardware.shuffle * 1000 + static_cast<std::uint64_t>(each.hardware.small));
    for (program::RankClass& rank_class : experiment.program.classes) {
        for (program::Instruction& step : rank_class.code) {
            if (step.op == program::Op::compute) vary(step.amount);
        }
    }
    machine::Machine& machine = experiment.machine;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) {
            for (Time* const time : {&row.o_send, &row.o_recv, &row.o_request, &row.o_ack, &row.L,
                                     &row.packet.overhead, &row.packet.full}) {
                vary(*time);
            }
            for (Gap* const gap : {&row.G, &row.G_send, &row.G_recv}) vary(*gap);
            if (row.processing) vary(*row.processing);
            if (row.eager) vary(row.eager->o_unexpected);
            if (row.eager) vary(row.eager->G_unexpected);
            row.sender_goes_on = static_cast<machine::SenderGoesOn>(vary.below(3));
            row.progress = static_cast<machine::MessageProgress>(vary.below(2));
        }
    }
    if (machine.bus) vary(machine.bus->o_dma);
    if (machine.bus) vary(machine.bus->G_dma);
    if (machine.nic) {
        vary(machine.nic->injection);
        vary(machine.nic->ejection);
        vary(machine.nic->g);
    }
    if (vary.below(2) == 0) {
        machine.memory = machine::Memory{{1e9}, {3e8 + 1e6 * static_cast<double>(vary.below(500))}, 1};
    }
    if (machine.links && machine.links->arbitration) vary(machine.links->arbitration->overhead);
    machine.routes.scale_gaps(1.0 + 0.3 * 0.717);
    machine.routes.scale_latencies(1.0 + 0.3 * 0.313);
    return experiment;
}

record::Record run_of(const tools::Experiment& experiment) {
    return engine::run(experiment.program, experiment.machine,
                       {.replay = engine::Replay::full, .noise = experiment.noise, .seed = {3}, .path = true});
}

}  // namespace

TEST_CASE("each part of the critical path is the derivative of the time by its cost") {
    int checked = 0;
    int wrong = 0;
    holds({600, 41}, [&] {
        Case each = *any_case();
        each.unit = kUnit;
        tools::Experiment experiment = generic(each);
        if (program::has_choices(experiment.program)) return;
        experiment.noise = *any_noise(kUnit);
        experiment.noise.periodic.reset();
        experiment.noise.jitter = Time{*rc::gen::inRange(0, 3) * kUnit};
        const record::Record once = run_of(experiment);
        for (const record::PathPart& part : record::kPathParts) {
            if (once.saturated && once.saturated->uneven.ps > 0) continue;
            if (part.time == &PathParts::nic && (!experiment.machine.nic || experiment.machine.links)) continue;
            if (part.time == &PathParts::link && experiment.machine.nic) continue;
            const auto cost = results::proportional_to(part, *once.path, once.saturated, {"", part.time == &PathParts::nic});
            const double expected = kChange * static_cast<double>(cost.time.ps);
            const auto after = [&](double factor) {
                return static_cast<double>((run_of(tools::scaled(experiment, part, factor)).finish - once.finish).ps);
            };
            const double more = after(1.0 + kChange);
            const double less = -after(1.0 - kChange);
            ++checked;
            const auto is_off = [&](double change) {
                return std::abs(change - expected) > 5e-4 * std::abs(expected) + 2e-6 * kChange * 0 + 1000.0;
            };
            if (!is_off(more) && !is_off(less)) continue;
            ++wrong;
            if (std::getenv("SHRINK") != nullptr && !(each.hardware.packet > 0 && each.hardware.links)) {
                RC_LOG() << each << part.name << " expected " << expected << " more " << more << " less " << less << " noise " << experiment.noise << "\n";
                for (const auto& p : record::kPathParts) RC_LOG() << p.name << " " << static_cast<double>((*once.path.*p.time).ps) * kChange << "\n";
                RC_FAIL("derivative");
            }
            const auto& h = each.hardware;
            bool eager_unexpected = false;
            for (const auto& e : h.eager) eager_unexpected |= e.has_value();
            bool goes = false, calls = false;
            for (const auto& profile : experiment.machine.profiles) {
                for (const auto& row : profile) {
                    goes |= row.sender_goes_on != machine::SenderGoesOn::acknowledged;
                    calls |= row.progress == machine::MessageProgress::in_calls;
                }
            }
            bool gs = false, rdv = false;
            for (auto& rows : h.rows) for (auto& r : rows) gs |= r.G_send + r.G_recv > 0, rdv |= r.rendezvous;
            std::printf("%-12s expected %.0f more %.0f less %.0f of %.0f | packet %d links %d parallel %u arb %d routing %d nic %d bus %d proc %d mem %d goes %d calls %d unexp %d copies %d rdv %d noise %d wire %.0f link %.0f nic %.0f packets %.0f\n",
                        std::string(part.name).c_str(), expected, more, less,
                        static_cast<double>(once.finish.ps) * kChange, h.packet, h.links ? *h.links : -1, h.parallel,
                        h.arbitration.has_value(), int(h.routing), h.nic.has_value(), h.bus.has_value(),
                        h.processes_messages, experiment.machine.memory.has_value(), goes, calls, eager_unexpected, gs, rdv, !experiment.noise.off(),
                        static_cast<double>(once.path->wire.ps) * kChange, static_cast<double>(once.path->link.ps) * kChange,
                        static_cast<double>(once.path->nic.ps) * kChange, static_cast<double>(once.path->packets.ps) * kChange);
        }
    });
    std::printf("checked %d wrong %d\n", checked, wrong);
}
