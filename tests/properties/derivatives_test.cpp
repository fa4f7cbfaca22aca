// The parts of the critical path are the derivatives of the run time by the costs of programs and machines.
#include "simulator/results/critical_path.hpp"
#include "simulator/units/random.hpp"
#include "tests/properties/property.hpp"
#include "tests/properties/rewritten.hpp"
#include "tools/answer/explanation/explanation.hpp"

using record::PathParts;

namespace {

constexpr double kChange = 1e-7;                // of one cost, so small that the same path stays the longest
constexpr std::int64_t kUnit = 10'000'000'000;  // kChange of it is 1,000 ps, many times the rounding of a cost

/// Multiplies each cost of a machine by a random factor, so that no two paths of different costs take equally long.
class CostVariation {
public:
    explicit CostVariation(std::uint64_t seed) : random_({seed}, Purpose::placement, 0, 0) {}

    void vary(program::Program& program) {
        for (program::RankClass& rank_class : program.classes) {
            for (program::Instruction& step : rank_class.code) {
                if (step.op == program::Op::compute) vary(step.amount);
            }
        }
    }
    void vary(machine::Machine& machine) {
        for (machine::Profile& profile : machine.profiles) {
            for (machine::ProfileRow& row : profile) vary(row);
        }
        if (machine.bus) vary(machine.bus->o_dma.ps);
        if (machine.bus) vary(machine.bus->G_dma);
        if (machine.nic) {
            vary(machine.nic->g.ps);
            vary(machine.nic->injection);
            vary(machine.nic->ejection);
        }
        if (machine.links && machine.links->arbitration) vary(machine.links->arbitration->overhead.ps);
        machine.routes.scale_gaps(factor());
        machine.routes.scale_latencies(factor());
        if (random_.below(2) == 0) machine.memory = machine::Memory{{1e9}, {3e8 + 5e8 * random_.unit()}};
    }

private:
    void vary(machine::ProfileRow& row) {
        for (Time* const time :
             {&row.o_send, &row.o_recv, &row.o_request, &row.o_ack, &row.L, &row.packet.overhead, &row.packet.full}) {
            vary(time->ps);
        }
        for (Gap* const gap : {&row.G, &row.G_send, &row.G_recv}) vary(*gap);
        if (row.processing) vary(row.processing->ps);
        if (row.eager) vary(row.eager->o_unexpected.ps);
        if (row.eager) vary(row.eager->G_unexpected);
        row.sender_goes_on = static_cast<machine::SenderGoesOn>(random_.below(3));
        row.progress = static_cast<machine::MessageProgress>(random_.below(2));
    }
    void vary(std::int64_t& ps) { ps = std::llround(static_cast<double>(ps) * factor()); }
    void vary(Gap& gap) { gap.seconds_per_byte *= factor(); }
    double factor() { return 1.0 + 0.3 * random_.unit(); }

    Random random_;
};

tools::Experiment any_experiment() {
    Case each = *any_case();
    each.unit = kUnit;
    tools::Experiment experiment;
    experiment.program = *rc::gen::arbitrary<bool>() ? with_sends_begun(program_of(each)) : program_of(each);
    experiment.machine = machine_of(each);
    CostVariation variation(*rc::gen::arbitrary<std::uint32_t>());
    variation.vary(experiment.program);
    variation.vary(experiment.machine);
    experiment.noise = *any_noise(kUnit);
    experiment.noise.periodic.reset();
    experiment.noise.jitter = Time{*rc::gen::inRange(0, 3) * kUnit};
    return experiment;
}

record::Record run_of(const tools::Experiment& experiment) {
    return engine::run(experiment.program, experiment.machine,
                       {.replay = engine::Replay::full, .noise = experiment.noise, .seed = {3}, .path = true});
}

/// Returns true if the path is exact for the costs of this part.
bool is_exact(const record::PathPart& part, const machine::Machine& machine) {
    if (machine.routes.routing == machine::Routing::adaptive) return part.time == &PathParts::compute;
    if (part.time == &PathParts::nic)
        return !machine.links;  // with both, it is not known which of them limits a message
    if (part.time == &PathParts::link) return !machine.nic;
    return true;
}

/// Returns true if a bus serves messages within a node. The service of such a message also depends on its latency and
/// its bytes (`network::Buses::one`), so the path is not exact if such a service is part of it.
bool serves_within_node(const machine::Machine& machine) {
    return machine.bus && !machine.processing &&
           std::any_of(machine.profiles.begin(), machine.profiles.end() - 1, [](const machine::Profile& profile) {
               return std::ranges::any_of(profile, &machine::ProfileRow::holds_bus);
           });
}

}  // namespace

TEST_CASE("each part of the critical path is the derivative of the time by its cost") {
    int compared = 0;
    int cases = 0;
    holds({300, 41}, [&] {
        const tools::Experiment experiment = any_experiment();
        ++cases;
        if (program::has_choices(experiment.program)) return;
        const record::Record once = run_of(experiment);
        if (once.saturated && once.saturated->uneven.ps > 0) return;
        if (once.path->bus.ps > 0 && serves_within_node(experiment.machine)) return;
        for (const record::PathPart& part : record::kPathParts) {
            if (!is_exact(part, experiment.machine)) continue;
            const results::SlowestWire wire{"", part.time == &PathParts::nic};
            const WideTime part_of_path = results::proportional_to(part, *once.path, once.saturated, wire).time;
            const double foreseen = kChange * static_cast<double>(part_of_path.ps);
            const auto change = [&](double factor) {
                const tools::Experiment changed = tools::scaled(experiment, part, factor);
                return static_cast<double>((run_of(changed).finish - once.finish).ps);
            };
            const double more = change(1.0 + kChange);
            const double less = -change(1.0 - kChange);
            const double rounding = 1000.0 + 5e-4 * std::abs(foreseen);
            if (std::abs(more - less) > rounding) continue;  // another path, or another order of grants
            ++compared;
            if (std::abs(more - foreseen) > rounding)
                RC_FAIL(fmt::format("{}: {} instead of {}", part.name, more, foreseen));
        }
    });
    CHECK(compared > 6 * cases);
}
