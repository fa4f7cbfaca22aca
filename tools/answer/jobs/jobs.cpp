#include "tools/answer/jobs/jobs.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/build.hpp"
#include "simulator/program/program.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/overrides.hpp"
#include "simulator/scenario/placement_key.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using input::Diagnostics;

/// Returns the scenario with the platform of the file of jobs, followed by the overrides of the job.
scenario::ScenarioDocument document_of(const JobsFile& file, const JobEntry& job,
                                       const std::vector<std::string>& sets) {
    scenario::NamedScenario named = job.scenario;
    if (file.platform) {
        named.changes.insert(named.changes.begin(), {{{"platform", file.platform->range}}, *file.platform});
    }
    return scenario::read_document(named, sets);
}

/// The description of the machine that must be equal for all jobs: the hardware file and all its changes.
struct MachineAsWritten {
    std::filesystem::path file;
    std::string overrides;
    std::string calibration;

    explicit MachineAsWritten(const scenario::Scenario& scenario)
        : file(std::filesystem::weakly_canonical(scenario.platform)),
          overrides(input::yaml_text(scenario.overrides.tree, 0)),
          calibration(input::yaml_text(scenario.overrides.calibration, 0)) {}
    friend bool operator==(const MachineAsWritten&, const MachineAsWritten&) = default;
};

/// Throws BadInput if the machine of a job differs from that of the first job.
void require_one_machine(const JobsFile& file, const std::vector<PreparedJob>& jobs) {
    const MachineAsWritten first(jobs.front().experiment.scenario);
    Diagnostics faults;
    for (std::size_t k = 1; k < jobs.size(); ++k) {
        const MachineAsWritten other(jobs[k].experiment.scenario);
        if (other == first) continue;
        const bool calibrated = other.file == first.file && other.overrides == first.overrides;
        const std::string_view what = calibrated ? "calibration" : "machine";
        faults.add(DiagnosticKind::conflicting_keys, file.jobs[k].scenario.range,
                   fmt::format("the {} of `{}` differs from that of `{}`", what, jobs[k].name, jobs.front().name),
                   calibrated ? "expected the same calibration for all jobs, such as by `--set calibration=FILE`"
                              : "expected the same machine with the same changes for all jobs; the key `platform` of "
                                "this file sets it for all of them");
    }
    faults.raise();
}

std::uint32_t nodes_of(const PreparedJob& job) { return job.experiment.machine.placement.nodes(); }

/// Returns the position of each node in the order in which hosts are assigned. Nodes are listed job by job.
std::vector<std::uint32_t> turns(const std::vector<PreparedJob>& jobs, NodeOrder order) {
    std::vector<std::vector<std::uint32_t>> of_job(jobs.size());
    std::uint32_t next = 0;
    const auto give = [&](std::size_t job) {
        if (of_job[job].size() == nodes_of(jobs[job])) return false;
        of_job[job].push_back(next++);
        return true;
    };
    if (order == NodeOrder::consecutive) {
        for (std::size_t job = 0; job < jobs.size(); ++job) {
            while (give(job)) {}
        }
    } else {
        for (bool some = true; some;) {
            some = false;
            for (std::size_t job = 0; job < jobs.size(); ++job) some = give(job) || some;
        }
    }
    std::vector<std::uint32_t> all;
    for (const auto& each : of_job) all.insert(all.end(), each.begin(), each.end());
    return all;
}

/// Builds the machine of all jobs with one rank per node: rank k is on the node with the k-th host.
machine::BuiltMachine shared_machine(const JobsFile& file, const std::vector<PreparedJob>& jobs,
                                     const program::Program& together, const machine::Placement& placement,
                                     const std::vector<std::uint32_t>& turn_of) {
    const Experiment& first = jobs.front().experiment;
    machine::RankRequest request = rank_request(first.scenario, nullptr);
    request.grid = {placement.nodes(), 1, 1};
    request.grid_range = file.jobs_range;
    request.patch = {};
    request.patch_range = file.jobs_range;
    request.cores = {};
    request.placement = file.placement;
    std::vector<std::string> needs;
    for (const PreparedJob& job : jobs) needs.push_back(fmt::format("`{}` {}", job.name, nodes_of(job)));
    request.needs = fmt::format("{} jobs need {} nodes ({})", jobs.size(), placement.nodes(), fmt::join(needs, ", "));
    request.pairs = [&](const std::function<void(Rank, Rank)>& visit) {
        visit_pairs(together, [&](Rank from, Rank to) {
            const Node a = placement.node_of(from);
            const Node b = placement.node_of(to);
            if (a != b) visit({turn_of[a.index]}, {turn_of[b.index]});
        });
    };
    request.sizes = sizes_of(together);
    machine::Hardware hardware(first.hardware, first.scenario.overrides);
    return machine::place(hardware, request);
}

/// Returns the placements of all jobs on one machine. Each is that of the job on its own machine.
machine::Placement placement_of(const std::vector<PreparedJob>& jobs) {
    machine::Placement all;
    for (const PreparedJob& job : jobs) all.jobs.push_back(job.experiment.machine.placement);
    return all;
}

std::vector<program::JobProgram> programs_of(const std::vector<PreparedJob>& jobs) {
    std::vector<program::JobProgram> programs;
    for (const PreparedJob& job : jobs) programs.push_back({job.name, &job.experiment.program, job.start});
    return programs;
}

program::Program program_of(const JobsFile& file, const std::vector<PreparedJob>& jobs) {
    try {
        return program::side_by_side(programs_of(jobs));
    } catch (const std::length_error& too_large) {
        throw BadInput(DiagnosticKind::program_too_large, file.jobs_range, too_large.what(),
                       "expected fewer jobs, or smaller ones");
    }
}

std::vector<std::string> notes_of(const std::vector<PreparedJob>& jobs, const machine::Machine& machine) {
    std::vector<std::string> notes = machine.notes;
    if (!machine.links) {
        notes.emplace_back(
            "jobs do not delay each other: the machine shares no links, and each node belongs to one job");
    }
    CountedNotes counted;
    for (const PreparedJob& job : jobs) {
        const Experiment& experiment = job.experiment;
        for (const std::string& note : experiment.program.notes) counted.add(note, job.name);
        if (experiment.times_note) counted.add(*experiment.times_note, job.name);
        if (experiment.calibrated) counted.add(experiment.calibrated->note, job.name);
        const machine::PlacementRequest& own = experiment.scenario.placement.request;
        if (own.rule != machine::PlacementRule::block || own.fragmentation != machine::Share{}) {
            counted.add("the `placement` of the scenario has no effect: the file of jobs places all nodes", job.name);
        }
    }
    for (std::string& note : counted.texts(jobs.size(), "jobs")) notes.push_back(std::move(note));
    return notes;
}

/// Throws BadInput if an override has a key of a file of jobs, which scenarios do not have.
void refuse_keys_of_file(const JobsFile& file, const std::vector<std::string>& sets) {
    Diagnostics faults;
    for (const std::string& argument : sets) {
        Diagnostics reported_with_the_scenario;
        const auto given = scenario::parse_override(argument, reported_with_the_scenario);
        if (!given || (given->path.front().name != "jobs" && given->path.front().name != "nodes")) continue;
        faults.add(DiagnosticKind::bad_override, given->path.front().range,
                   fmt::format("`{}` is a key of `{}`", given->path.front().name, file.file.string()),
                   "expected a key of a scenario: `--set` changes the scenario of every job");
    }
    faults.raise();
}

/// Prepares every job on its own machine. Throws BadInput with the errors of all jobs.
std::vector<PreparedJob> prepare_each(const JobsFile& file, const std::vector<std::string>& sets) {
    std::vector<PreparedJob> jobs;
    Diagnostics faults;
    for (const JobEntry& entry : file.jobs) {
        faults.collect([&] {
            const scenario::ScenarioDocument document = document_of(file, entry, sets);
            Experiment experiment = build_experiment(scenario::read_scenario(document));
            refuse_tasks(experiment, "jobs side by side");
            jobs.push_back({entry.name, std::move(experiment), entry.start});
        });
    }
    faults.raise();
    return jobs;
}

}  // namespace

PreparedJobs build_jobs(const JobsFile& file, const std::vector<std::string>& sets) {
    refuse_keys_of_file(file, sets);
    std::vector<PreparedJob> jobs = prepare_each(file, sets);
    require_one_machine(file, jobs);
    program::Program program = program_of(file, jobs);
    machine::Placement placement = placement_of(jobs);
    const std::vector<std::uint32_t> turn_of = turns(jobs, file.order);
    machine::BuiltMachine built = shared_machine(file, jobs, program, placement, turn_of);

    machine::Machine machine = std::move(built.machine);
    const std::vector<Host> hosts = std::move(machine.placement.host_of);
    std::uint32_t node = 0;
    for (std::size_t k = 0; k < jobs.size(); ++k) {
        machine::Placement& own = placement.jobs[k];
        for (Host& host : own.host_of) host = hosts[turn_of[node++]];
        placement.host_of.insert(placement.host_of.end(), own.host_of.begin(), own.host_of.end());
        machine.placement = own;
        jobs[k].experiment.machine = machine;
    }
    machine.placement = std::move(placement);

    std::vector<input::SourceFilePtr> sources{file.source};
    std::vector<variation::JobNoise> noise;
    for (const PreparedJob& job : jobs) {
        const Experiment& experiment = job.experiment;
        sources.insert(sources.end(), experiment.sources.begin(), experiment.sources.end());
        noise.push_back({experiment.noise, experiment.scenario.noise_configuration.seed});
    }
    sources.insert(sources.end(), built.sources.begin(), built.sources.end());
    std::vector<std::string> notes = notes_of(jobs, machine);
    Experiment together = jobs.front().experiment;
    together.program = std::move(program);
    together.machine = std::move(machine);
    return {file, std::move(jobs), std::move(together), std::move(noise), std::move(sources), std::move(notes)};
}

JobsResult run_jobs(const PreparedJobs& prepared, const engine::Options& options, ProgressMode mode) {
    JobsResult result;
    for (const PreparedJob& job : prepared.jobs) {
        engine::Options of_job = options_of(job.experiment);
        of_job.threads = options.threads;
        of_job.replay = options.replay;
        result.jobs.push_back({predict_with_progress(Engine::event, job.experiment, of_job, mode).record.finish, {}});
    }
    engine::Options of_all;
    of_all.threads = options.threads;
    of_all.replay = engine::Replay::full;
    of_all.noise_of_jobs = prepared.noise;
    result.together = predict_with_progress(Engine::event, prepared.together, of_all, mode).record;
    const std::vector<WideTime>& finish = result.together.rank_finish;
    for (std::size_t k = 0; k < prepared.jobs.size(); ++k) {
        const program::Job& job = prepared.together.program.jobs[k];
        const auto first = finish.begin() + job.first_rank;
        result.jobs[k].beside = *std::max_element(first, first + job.ranks) - job.start;
    }
    return result;
}

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::YamlNode;

constexpr std::string_view kJobs = "jobs";
const std::vector<std::string> kOrders{"consecutive", "interleaved"};

JobEntry read_job(const YamlNode& node, Diagnostics& faults) {
    MappingReader reader(node, "a job", faults);
    JobEntry job{.name = {}, .scenario = scenario::read_named_scenario(reader, faults), .start = {}};
    job.name = reader.text("name").value_or(job.scenario.file.stem().string());
    job.start = reader.time("start").value_or(Time{});
    reader.finish();
    return job;
}

void read_jobs(MappingReader& top, JobsFile& read, Diagnostics& faults) {
    const YamlNode* list = top.require(kJobs);
    if (list == nullptr) return;
    read.jobs_range = list->range;
    if (list->kind != YamlNode::Kind::sequence || list->items.size() < 2) {
        faults.add(DiagnosticKind::wrong_yaml_type, list->range, "`jobs` is not a list of at least two jobs",
                   "expected entries such as `- {name: first, scenario: first.yaml}`");
    }
    std::set<std::string> names;
    for (const YamlNode& item : list->items) {
        JobEntry job = read_job(item, faults);
        if (!names.insert(job.name).second) {
            faults.add(DiagnosticKind::duplicate_name, item.range, fmt::format("two jobs are called `{}`", job.name),
                       "expected a different `name` for each job");
        }
        read.jobs.push_back(std::move(job));
    }
}

/// Reads the rule by which all nodes are placed. `block` is not allowed: a job's grid of nodes cannot be folded into
/// the hosts of a torus that other jobs leave free.
void read_rule(MappingReader& top, JobsFile& read, Diagnostics& faults) {
    const bool given = top.has("placement");
    read.placement = scenario::read_placement(top, read.file, faults).request;
    if (read.placement.rule != machine::PlacementRule::block) return;
    read.placement.rule = machine::PlacementRule::linear;
    if (!given || !faults.empty()) return;
    faults.add(DiagnosticKind::bad_choice, top.range_of("placement"), "`block` cannot place several jobs",
               "expected `linear`, `random(SEED)`, `{file: PATH}` or `{rule: linear, fragmentation: 0.2}`");
}

}  // namespace

bool is_jobs_file(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension != ".yaml" && extension != ".yml") return false;
    try {
        Diagnostics reported_later;
        return input::parse_yaml(input::read_file(file), reported_later).find(kJobs) != nullptr;
    } catch (const input::BadInput&) {
        return false;
    }
}

JobsFile read_jobs_file(const std::filesystem::path& file) {
    JobsFile read;
    read.file = file;
    read.source = input::read_file(file);
    Diagnostics faults;
    const YamlNode tree = input::parse_yaml(read.source, faults);
    MappingReader top(tree, "a file of jobs", faults);
    read_jobs(top, read, faults);
    if (const YamlNode* platform = top.take("platform")) read.platform = *platform;
    read.order = static_cast<NodeOrder>(top.choice("nodes", kOrders).value_or(0));
    read_rule(top, read, faults);
    top.finish();
    faults.raise();
    return read;
}

}  // namespace warpfront::tools
