#include "simulator/reference/run_tasks.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/process/byte_stream.hpp"
#include "simulator/reference/expanded_tasks.hpp"
#include "simulator/reference/reference.hpp"
#include "simulator/reference/simulate.hpp"
#include "simulator/reference/worker.hpp"

namespace warpfront::reference {

namespace {

void refuse_limits(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range,
                   const variation::Availability& availability) {
    const auto refuse = [&](std::string message, std::string expected) {
        throw input::BadInput(input::DiagnosticKind::reference_limits, range, std::move(message), std::move(expected));
    };
    if (program.grid.ranks() > kMostReferenceRanks) {
        refuse(fmt::format("{} cores are too many for simgrid", program.grid.ranks()),
               fmt::format("expected at most {}", kMostReferenceRanks));
    }
    if (!availability.complete()) refuse("simgrid's workers are there throughout", "expected no `workers`");
    refuse_shared_memory(machine, range);
    if (machine.cluster_memory.in_nodes) {
        refuse("simgrid's records are on servers", "expected a number as `cluster_memory.servers`");
    }
}

std::string packed(const SimulatedTasks& simulated) {
    process::ByteWriter bytes;
    const record::TaskUse& use = simulated.use;
    bytes.put(simulated.finish);
    bytes.put(use.cores);
    bytes.put_each(use.tasks, [&](const auto& each) { bytes.put(each.second); });
    bytes.put(use.updates);
    bytes.put(use.read);
    bytes.put(use.written);
    bytes.put(use.least_margin);
    bytes.put(use.margins);
    bytes.put(use.prefetched);
    bytes.put(use.server_load);
    bytes.put(use.node_load);
    bytes.put_each(simulated.compute_of, [&](const WideTime& each) { bytes.put(each); });
    bytes.put_text(simulated.stuck);
    bytes.put(simulated.overflow);
    bytes.put_text(simulated.cost_overflow);
    return bytes.bytes();
}

SimulatedTasks unpacked(const std::string& text, const program::TaskLists& lists) {
    process::ByteReader bytes(text);
    SimulatedTasks simulated;
    record::TaskUse& use = simulated.use;
    simulated.finish = bytes.get<std::int64_t>();
    use.cores = bytes.get<record::CoreTime>();
    bytes.each([&] { use.tasks.emplace_back(lists.tasks[use.tasks.size()].name, bytes.get<std::int64_t>()); });
    use.updates = bytes.get<std::int64_t>();
    use.read = bytes.get<Bytes>();
    use.written = bytes.get<Bytes>();
    use.least_margin = bytes.get<std::optional<Time>>();
    use.margins = bytes.get<WideTime>();
    use.prefetched = bytes.get<std::int64_t>();
    use.server_load = bytes.get<double>();
    use.node_load = bytes.get<double>();
    bytes.each([&] { simulated.compute_of.push_back(bytes.get<WideTime>()); });
    simulated.stuck = bytes.text();
    simulated.overflow = bytes.get<bool>();
    simulated.cost_overflow = bytes.text();
    return simulated;
}

}  // namespace

record::Record run_tasks(const program::Program& program, const machine::Machine& machine,
                         const input::SourceRange& range, const variation::Noise& noise, Seed seed,
                         const variation::Availability& availability) {
    const auto began = std::chrono::steady_clock::now();
    refuse_limits(program, machine, range, availability);
    const ExpandedTasks tasks = expand(program, machine, range);
    const variation::ComputeTime compute_time(noise, seed, static_cast<std::uint32_t>(program.grid.ranks()));
    auto* const simulate =
        function_of_simgrid<decltype(warpfront_simgrid_simulate_tasks)>("warpfront_simgrid_simulate_tasks", range);
    const WorkerAnswer answer = run_in_simgrid_worker(range, [&] {
        SimulatedTasks simulated;
        simulate(program, machine, tasks, compute_time, simulated);
        return packed(simulated);
    });
    SimulatedTasks simulated = unpacked(answer.bytes, *program.tasks);
    if (!simulated.cost_overflow.empty()) throw std::overflow_error(simulated.cost_overflow);
    if (simulated.overflow) throw std::overflow_error("virtual time overflow: a task ends after 53 days");
    if (!simulated.stuck.empty()) throw TasksStuck(simulated.stuck);

    record::Record record;
    record.engine = "simgrid";
    record.finish = Time{simulated.finish};
    record.iterations = {{record.finish, 1}};
    record.rank_finish.assign(simulated.compute_of.size(), record.finish);
    for (const WideTime& compute : simulated.compute_of) {
        record::Breakdown& breakdown = record.rank_breakdown.emplace_back();
        breakdown.compute = compute;
        breakdown.wait = record.finish - compute;
    }
    record.last = Rank{0};
    record.breakdown = record.rank_breakdown.front();
    record.tasks = std::move(simulated.use);
    record::Work work;
    work.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    work.cpu_s = answer.cpu_s;
    work.peak_rss_bytes = answer.peak_rss_bytes;
    record.work = work;
    return record;
}

}  // namespace warpfront::reference
