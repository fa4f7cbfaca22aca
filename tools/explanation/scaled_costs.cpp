#include "tools/explanation/scaled_costs.hpp"

#include <cmath>

namespace warpfront::tools {

namespace {

using record::PathParts;

void scale(Time& time, double factor) {
    time.ps = static_cast<std::int64_t>(std::llround(static_cast<double>(time.ps) * factor));
}

void scale(Gap& gap, double factor) { gap.seconds_per_byte *= factor; }

void scale_row(machine::ProfileRow& row, const record::PathPart& part, double factor) {
    if (part.time == &PathParts::overhead) {
        scale(row.o_send, factor);
        scale(row.o_recv, factor);
        scale(row.G_send, factor);
        scale(row.G_recv, factor);
    } else if (part.time == &PathParts::latency) {
        scale(row.L, factor);
        scale(row.o_request, factor);
        scale(row.o_ack, factor);
    } else if (part.time == &PathParts::bandwidth) {
        scale(row.G, factor);
    } else if (part.time == &PathParts::bus && row.o_dma) {
        scale(*row.o_dma, factor);
    }
}

void scale_work(program::Program& program, double factor) {
    for (program::RankClass& rank_class : program.classes) {
        for (program::Instruction& step : rank_class.code) {
            if (step.op != program::Op::compute && step.op != program::Op::delay) continue;
            Time work{step.amount};
            scale(work, factor);
            step.amount = work.ps;
        }
    }
}

}  // namespace

bool can_scale(const record::PathPart& part) {
    return part.time != &PathParts::link && part.time != &PathParts::memory;
}

Experiment scaled(Experiment experiment, const record::PathPart& part, double factor) {
    if (part.time == &PathParts::compute) scale_work(experiment.program, factor);
    machine::Machine& machine = experiment.machine;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) scale_row(row, part, factor);
    }
    if (part.time == &PathParts::bus && machine.bus) {
        scale(machine.bus->o_dma, factor);
        scale(machine.bus->G_dma, factor);
    }
    if (part.time == &PathParts::nic && machine.nic) {
        scale(machine.nic->injection, factor);
        scale(machine.nic->ejection, factor);
    }
    return experiment;
}

}  // namespace warpfront::tools
