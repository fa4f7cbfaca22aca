#include "simulator/reference/reference.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/process/byte_stream.hpp"
#include "simulator/process/module.hpp"
#include "simulator/process/worker_process.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/reference/channel_map.hpp"
#include "simulator/reference/simulate.hpp"

namespace warpfront::reference {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using process::ByteReader;
using process::ByteWriter;

constexpr std::uint64_t kMostRanks = 4096;
constexpr std::uint64_t kMostSteps =
    1'000'000'000;  // instructions of all ranks, each counted as often as it is executed
constexpr process::Limits kLimits{std::uint64_t{4} << 30, std::chrono::hours(24)};

void refuse_too_large(const program::Program& program, const input::SourceRange& range) {
    const std::uint64_t ranks = program.class_of.size();
    if (ranks > kMostRanks) {
        throw BadInput(DiagnosticKind::reference_limits, range, fmt::format("{} ranks are too many for simgrid", ranks),
                       fmt::format("expected at most {}", kMostRanks));
    }
    const std::uint64_t steps =
        program::sum_over_ranks(program, [](const program::Instruction&) { return std::uint64_t{1}; });
    if (steps > kMostSteps) {
        throw BadInput(DiagnosticKind::reference_limits, range,
                       fmt::format("{} instructions are too many for simgrid", steps),
                       fmt::format("expected at most {}; choose fewer ranks or iterations", kMostSteps));
    }
}

void refuse_adaptive_routing(const machine::Machine& machine, const input::SourceRange& range) {
    if (machine.routes.routing != machine::Routing::adaptive) return;
    throw BadInput(DiagnosticKind::reference_limits, range,
                   "simgrid has one route per pair of hosts, so it cannot simulate adaptive routing",
                   "expected `--set platform.topology.routing=minimal` or `valiant`");
}

void refuse_message_rate(const machine::Machine& machine, const input::SourceRange& range) {
    if (!machine.nic || machine.nic->g == Time{}) return;
    throw BadInput(DiagnosticKind::reference_limits, range,
                   "simgrid's NICs have a bandwidth, but no gap `g` between messages",
                   "expected `--set platform.nic.g=0ns`");
}

void refuse_progress_in_calls(const machine::Machine& machine, const input::SourceRange& range) {
    for (const machine::Profile& profile : machine.profiles) {
        for (const machine::ProfileRow& row : profile) {
            if (row.progress == machine::MessageProgress::asynchronous &&
                row.sender_goes_on == machine::SenderGoesOn::acknowledged) {
                continue;
            }
            throw BadInput(DiagnosticKind::reference_limits, range,
                           "simgrid cannot simulate this machine's values of `progress` and `sender_goes_on`",
                           "expected rows with `progress: asynchronous` and `sender_goes_on: acknowledged`");
        }
    }
}

void refuse_mixed_holds(const machine::Machine& machine, const input::SourceRange& range) {
    if (shared_on_routes(machine).uniform) return;
    throw BadInput(
        DiagnosticKind::reference_holds, range,
        fmt::format("some messages between nodes of `{}` hold the NIC, and others hold links", machine.name),
        "expected rows of `network` that all hold the same resources: simgrid has one route per pair of hosts");
}

void refuse_shared_memory(const machine::Machine& machine, const input::SourceRange& range) {
    if (!machine.memory) return;
    throw BadInput(DiagnosticKind::reference_limits, range, "simgrid cannot simulate shared memory bandwidth",
                   "expected `--set platform.memory.enabled=off`");
}

void refuse_choices(const program::Program& program, const input::SourceRange& range) {
    if (!program::has_choices(program)) return;
    throw BadInput(DiagnosticKind::reference_limits, range,
                   "simgrid cannot receive messages in the order of their arrival",
                   "expected a model without `from any` and `waitany`");
}

/// The answer of the worker: the result of the run and its cost.
struct Answer {
    Simulated simulated;
    double cpu_s = 0.0;
    std::uint64_t peak_rss_bytes = 0;
};

/// Packs the answer of the worker, in which it is called.
std::string pack(const Simulated& simulated) {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    const auto in_seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    ByteWriter bytes;
    bytes.put(in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime));
    bytes.put(static_cast<std::uint64_t>(usage.ru_maxrss) * 1024);
    bytes.put_each(simulated.results, [&](const RankResult& result) { bytes.put(result); });
    bytes.put_each(simulated.iteration_ends, [&](std::int64_t end) { bytes.put(end); });
    bytes.put(simulated.overflow);
    bytes.put_text(simulated.cost_overflow);
    return bytes.bytes();
}

Answer unpack(const std::string& text) {
    ByteReader bytes(text);
    Answer answer;
    answer.cpu_s = bytes.get<double>();
    answer.peak_rss_bytes = bytes.get<std::uint64_t>();
    Simulated& simulated = answer.simulated;
    bytes.each([&] { simulated.results.push_back(bytes.get<RankResult>()); });
    bytes.each([&] { simulated.iteration_ends.push_back(bytes.get<std::int64_t>()); });
    simulated.overflow = bytes.get<bool>();
    simulated.cost_overflow = bytes.text();
    return answer;
}

/// Returns the function of the module `warpfront_simgrid` that simulates. Throws BadInput missing_module at `range` if
/// the module cannot be loaded.
auto* load_simulate(const input::SourceRange& range) {
    try {
        const process::Module module("warpfront_simgrid");
        return module.function<decltype(warpfront_simgrid_simulate)>("warpfront_simgrid_simulate");
    } catch (const process::MissingModule& missing) {
        throw BadInput(DiagnosticKind::missing_module, range,
                       fmt::format("simgrid cannot be loaded: {}", missing.what()), missing.remedy());
    }
}

/// Runs SimGrid in a worker process, since SimGrid aborts on some inputs and allows one run per process.
Answer simulate(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range,
                const variation::Noise& noise, Seed seed) {
    const ChannelMap channel_map(program, machine);
    const variation::ComputeTime compute_time(noise, seed, channel_map.ranks());
    auto* const run_simgrid = load_simulate(range);
    const process::Completion completion = process::run_in_worker(kLimits, [&](process::Activity&) {
        Simulated result;
        run_simgrid(program, machine, channel_map, compute_time, result);
        return pack(result);
    });
    switch (completion.end) {
        case process::Completion::End::finished: break;
        case process::Completion::End::out_of_memory:
            throw BadInput(DiagnosticKind::reference_limits, range,
                           fmt::format("simgrid needs more than {} MiB for this run", kLimits.bytes >> 20),
                           "expected fewer ranks or iterations");
        case process::Completion::End::out_of_time:
            throw BadInput(DiagnosticKind::reference_limits, range, "simgrid needs more than a day for this run",
                           "expected fewer ranks or iterations");
        case process::Completion::End::crashed:
            throw std::runtime_error(fmt::format("simgrid crashed (signal {}): {}", completion.signal,
                                                 completion.log.substr(completion.log.rfind("CRITICAL") + 1)));
    }
    return unpack(completion.answer);
}

record::Record record_of(const Simulated& simulated) {
    record::Record record;
    record.engine = "simgrid";
    for (std::uint32_t rank = 0; rank < simulated.results.size(); ++rank) {
        const WideTime finish{Wide{simulated.results[rank].clock}};
        record.rank_finish.push_back(finish);
        if (record.last && finish <= record.finish) continue;
        record.last = Rank{rank};
        record.finish = finish;
    }
    std::int64_t before = 0;
    for (const std::int64_t end : simulated.iteration_ends) {
        const WideTime lasted{Wide{end - std::exchange(before, end)}};
        auto& all = record.iterations;
        if (!all.empty() && all.back().first == lasted) {
            ++all.back().second;
        } else {
            all.emplace_back(lasted, 1);
        }
    }
    return record;
}

void add_notes(const machine::Machine& machine, RunOutcome& outcome) {
    std::vector<std::string>& notes = outcome.record.notes;
    const SharedOnRoutes crossed = shared_on_routes(machine);
    if (crossed.nic || crossed.links) {
        const char* what = !crossed.links ? "NICs" : !crossed.nic ? "links" : "NICs and links";
        notes.push_back(
            fmt::format("simgrid shares {} evenly among the flows on them; the event engine serves one message after "
                        "another. The last rank waited {:.6g} s for messages that other flows slowed down",
                        what, seconds(outcome.flow_wait)));
    }
    const machine::Profile& rows = machine.profile(machine.network());
    const bool packets = std::any_of(rows.begin(), rows.end(), [](const machine::ProfileRow& row) {
        return row.holds_links && row.packet.size.has_value();
    });
    if (crossed.links && (packets || machine.links->arbitration)) {
        notes.emplace_back("simgrid's flows have neither packets nor arbitration losses");
    }
}

}  // namespace

RunOutcome run(const program::Program& program, const machine::Machine& machine, const input::SourceRange& range,
               const variation::Noise& noise, Seed seed) {
    const auto began = std::chrono::steady_clock::now();
    refuse_too_large(program, range);
    refuse_choices(program, range);
    refuse_mixed_holds(machine, range);
    refuse_shared_memory(machine, range);
    refuse_message_rate(machine, range);
    refuse_progress_in_calls(machine, range);
    refuse_adaptive_routing(machine, range);
    const Answer answer = simulate(program, machine, range, noise, seed);
    const Simulated& simulated = answer.simulated;
    if (!simulated.cost_overflow.empty()) throw std::overflow_error(simulated.cost_overflow);

    RunOutcome outcome;
    for (const RankResult& result : simulated.results) {
        if (result.waits) outcome.blocked.push_back(result.blocked);
    }
    if (simulated.overflow) {
        outcome.end = RunOutcome::End::overflow;
        return outcome;
    }
    if (!outcome.blocked.empty()) {
        outcome.end = RunOutcome::End::deadlock;
        return outcome;
    }
    outcome.record = record_of(simulated);
    const RankResult& last = simulated.results[outcome.record.last->index];
    outcome.server_wait = WideTime{Wide{last.server_wait}};
    outcome.flow_wait = WideTime{Wide{last.flow_wait}};
    record::Work work;
    work.messages = program::traffic(program).messages;
    for (const RankResult& result : simulated.results) {
        work.messages_replayed += result.sent;
        work.collective_messages_replayed += result.collective_sent;
    }
    work.collective_messages = work.collective_messages_replayed;
    work.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    work.cpu_s = answer.cpu_s;
    work.peak_rss_bytes = answer.peak_rss_bytes;
    outcome.record.work = work;
    add_notes(machine, outcome);
    return outcome;
}

}  // namespace warpfront::reference
