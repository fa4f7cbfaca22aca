// From a finished simulation to its record: totals in wide time, the last rank's breakdown, the work done.
#include <sys/resource.h>

#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/simulation.hpp"

namespace warpfront::engine {

namespace {

using program::Op;

double cpu_seconds() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

std::uint64_t peak_rss() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// What the program alone tells of a rank's time: compute and overheads, loops multiplied. Channels are walked as the
/// rank's costs have them; what was waited is the rest.
Breakdown told_by_program(const program::Program& program, const Layout& layout, Rank rank) {
    Breakdown parts;
    std::vector<Wide> times{1};
    for (std::uint32_t at = layout.entry[program.class_of[rank.index]]; layout.code[at].op != Op::finish; ++at) {
        const program::Instruction& step = layout.code[at];
        if (step.op == Op::loop) times.push_back(times.back() * step.amount);
        if (step.op == Op::end_loop) times.pop_back();
        if (step.op == Op::compute) parts.compute += WideTime{Wide{step.amount} * times.back()};
        if (step.op == Op::send) {
            const Outlet& out = layout.outlets[layout.first_outlet[rank.index] + step.place];
            const auto size = static_cast<std::size_t>(step.amount);
            parts.send += WideTime{layout.costs[size * layout.paths + out.path].busy_send.ps * times.back()};
        }
    }
    return parts;
}

Breakdown breakdown_of(const program::Program& program, const Simulation& simulation, bool noisy, Rank rank,
                       WideTime finish) {
    Breakdown parts = told_by_program(program, simulation.layout(), rank);
    const Gathered& gathered = simulation.state().gathered[rank.index];
    const SkippedWaits skipped = simulation.recurrence().skipped_waits(rank.index);
    if (noisy) parts.compute = WideTime{Wide{gathered.compute} + skipped.compute};
    parts.recv = WideTime{Wide{gathered.busy_recv} + skipped.busy_recv};
    parts.bus_wait = WideTime{Wide{gathered.bus_wait} + skipped.bus_wait};
    parts.collective = WideTime{Wide{gathered.collective} + skipped.collective};
    parts.wait = finish - parts.total();
    return parts;
}

void add_skip_note(const Recurrence& recurrence, const program::Program& program, Record& record) {
    if (recurrence.skipped_iterations() == 0) return;
    record.notes.push_back(fmt::format("{} of {} iterations skipped: the machine's state recurred exactly",
                                       recurrence.skipped_iterations(), program.iterations));
}

}  // namespace

Deadlock::Deadlock(std::vector<Blocked> ranks)
    : std::runtime_error(fmt::format("deadlock: {} ranks wait and none can go on", ranks.size())),
      blocked_(std::move(ranks)) {}

Record run(const program::Program& program, const machine::Machine& machine, const Options& options) {
    const auto began = std::chrono::steady_clock::now();
    const double cpu_before = cpu_seconds();
    Simulation simulation(program, machine, options);
    simulation.run();

    Record record;
    record.engine = "event";
    for (std::uint32_t rank = 0; rank < simulation.layout().ranks; ++rank) {
        const WideTime finish = simulation.recurrence().skipped_time() + WideTime{Wide{simulation.state().ranks[rank].clock}};
        record.rank_finish.push_back(finish);
        if (!record.last || finish > record.finish) {
            record.last = Rank{rank};
            record.finish = finish;
        }
    }
    record.iterations = simulation.marks().durations();
    record.breakdown = breakdown_of(program, simulation, !options.noise.off(), *record.last, record.finish);
    if (options.replay == Replay::auto_ && !options.noise.recurs()) {
        record.notes.emplace_back("noise is on: every iteration was replayed");
    }
    add_skip_note(simulation.recurrence(), program, record);
    record.work = Work{.messages = program::traffic(program).messages,
                       .messages_replayed = simulation.stepper().messages(),
                       .events = simulation.stepper().events(),
                       .wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(),
                       .cpu_s = cpu_seconds() - cpu_before,
                       .peak_rss_bytes = peak_rss(),
                       .state_bytes = simulation.bytes(),
                       .threads = 1};
    return record;
}

}  // namespace warpfront::engine
