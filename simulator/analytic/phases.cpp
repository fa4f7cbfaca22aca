#include "simulator/analytic/phases.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::analytic {

namespace {

constexpr double kLongestPicoseconds = 4e18;  // less than 2^62

}  // namespace

void check_planes(const program::WavefrontPhase& phase, const RankGrid& grid) {
    if (grid.planes == 1 || phase.corners.empty()) return;
    throw BadInput(
        DiagnosticKind::closed_form_misfit, {},
        fmt::format("closed forms cover only sweeps over columns and rows, and the process grid has {} ranks",
                    as_text(grid)),
        "expected one plane of ranks, or the event engine");
}

void check_closed_form(const program::Program& program) {
    if (program.closed_form.empty()) {
        throw BadInput(DiagnosticKind::closed_form_missing, {},
                       fmt::format("the model `{}` declares no closed form", program.name),
                       "expected a `closed_form` block in its application, or the event engine");
    }
    Diagnostics faults;
    for (const program::WavefrontPhase& phase : program.closed_form) {
        check_planes(phase, program.grid);
        const auto at_least = [&](std::int64_t least, std::int64_t value, std::string_view name) {
            if (value >= least) return;
            faults.add(DiagnosticKind::closed_form_range, {},
                       fmt::format("`{}` in the closed form of `{}` is {}", name, program.name, value),
                       fmt::format("expected at least {}", least));
        };
        at_least(1, phase.iterations, "iterations");
        at_least(1, phase.tiles, "tiles");
        at_least(0, phase.pre_work.ps, "pre_work");
        at_least(0, phase.work.ps, "work");
        at_least(0, phase.east_west.count, "east_west");
        at_least(0, phase.north_south.count, "north_south");
        at_least(0, phase.allreduces, "allreduces");
        at_least(0, phase.allreduce_bytes.count, "allreduce_bytes");
        at_least(0, phase.other.ps, "other");
        for (const program::Exchange& exchange : phase.exchanges) {
            at_least(0, exchange.count, "exchanges");
            at_least(0, exchange.bytes.count, "exchanges");
        }
    }
    faults.raise();
}

Prediction over_phases(const program::Program& program,
                       const std::function<Iteration(const program::WavefrontPhase&)>& iteration_of) {
    Prediction prediction;
    for (const program::WavefrontPhase& phase : program.closed_form) {
        const Iteration iteration = iteration_of(phase);
        const auto add = [&](WideTime& share, const record::PathParts& each) {
            const record::PathParts all = times(each, phase.iterations, "all iterations");
            share += all.total();
            prediction.parts += all;
        };
        add(prediction.fill, iteration.fill);
        add(prediction.stack, iteration.stack);
        add(prediction.contention, {.bus = iteration.contention});
        add(prediction.nonwavefront, iteration.nonwavefront);
        prediction.eager_waits += times(iteration.eager_waits, phase.iterations, "all iterations").total();
        prediction.iterations.emplace_back(iteration.total(), phase.iterations);
    }
    prediction.total = prediction.parts.total();
    return prediction;
}

WideTime times(WideTime cost, std::int64_t count, std::string_view what) {
    if (count > 0 && cost.ps > kLongestTerm.ps / count) {
        throw BadInput(
            DiagnosticKind::closed_form_overflow, {},
            fmt::format("the time of {} is too long for a closed form: {:.3g} s, {} times", what, seconds(cost), count),
            fmt::format("expected at most {:.3g} s in all", seconds(kLongestTerm)));
    }
    return WideTime{cost.ps * count};
}

record::PathParts times(const record::PathParts& cost, std::int64_t count, std::string_view what) {
    (void)times(cost.total(), count, what);
    record::PathParts all;
    for (const record::PathPart& part : record::kPathParts) all.*part.time = WideTime{(cost.*part.time).ps * count};
    return all;
}

Time scaled(Time computing, double factor, std::string_view why) {
    const double ps = static_cast<double>(computing.ps) * factor;
    if (ps <= kLongestPicoseconds) return Time{std::llround(ps)};
    throw BadInput(DiagnosticKind::closed_form_overflow, {},
                   fmt::format("a block of {:.3g} s that takes {:.3g} times as long {} is too long for a closed form",
                               seconds(computing), factor, why),
                   fmt::format("expected at most {:.3g} s in all", 1e-12 * kLongestPicoseconds));
}

Time byte_time(Bytes size, Gap gap) {
    const std::optional<Time> time = cost_of(size, gap);
    if (!time) {
        throw BadInput(DiagnosticKind::closed_form_overflow, {},
                       fmt::format("a message of {} bytes at {} s per byte takes longer than the limit of one cost",
                                   size.count, gap.seconds_per_byte),
                       fmt::format("expected at most {:.3g} s", seconds(kLongestCost)));
    }
    return *time;
}

}  // namespace warpfront::analytic
