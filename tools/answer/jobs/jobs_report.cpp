#include "tools/answer/jobs/jobs.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "simulator/results/context.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/ranks.hpp"
#include "simulator/results/summary.hpp"
#include "simulator/scenario/scenario.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRanges = 4;

/// Returns the hosts of a job as ranges [first, last] of consecutive hosts, in the order of its nodes.
std::vector<std::pair<std::uint32_t, std::uint32_t>> host_ranges(const PreparedJob& job) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges;
    for (const Host host : job.experiment.machine.placement.host_of) {
        if (!ranges.empty() && ranges.back().second + 1 == host.index) {
            ++ranges.back().second;
        } else {
            ranges.emplace_back(host.index, host.index);
        }
    }
    return ranges;
}

std::string hosts_text(const PreparedJob& job) {
    std::vector<std::string> texts;
    for (const auto& [first, last] : host_ranges(job)) {
        if (texts.size() == kMostRanges) {
            texts.emplace_back("...");
            break;
        }
        texts.push_back(first == last ? fmt::format("{}", first) : fmt::format("{}..{}", first, last));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string jobs_table(const PreparedJobs& prepared, const JobsResult& result, bool quiet) {
    const machine::Machine& machine = prepared.together.machine;
    const std::string size = fmt::format(
        "{} jobs with {} on {} of {} hosts of `{}`\n", prepared.jobs.size(), results::counted(prepared.ranks(), "rank"),
        results::grouped(machine.placement.nodes()), results::grouped(machine.hosts), machine.name);
    TextTable table(1);
    table.add_texts("job", prepared.jobs, [](const PreparedJob& job) { return job.name; });
    table.add("ranks", prepared.jobs,
              [](const PreparedJob& job) { return results::grouped(job.experiment.program.class_of.size()); });
    table.add("nodes", prepared.jobs,
              [](const PreparedJob& job) { return results::grouped(job.experiment.machine.placement.nodes()); });
    table.add_texts("hosts", prepared.jobs, hosts_text);
    table.add("start", prepared.jobs, [](const PreparedJob& job) {
        return job.start > Time{} ? results::duration(job.start) : std::string(kEmptyCell);
    });
    table.add("alone", result.jobs, [](const JobTimes& times) { return results::duration(times.alone); });
    table.add("beside", result.jobs, [](const JobTimes& times) { return results::duration(times.beside); });
    table.add("slowdown", result.jobs, [](const JobTimes& times) { return fmt::format("{:.4f}", times.slowdown()); });
    if (quiet) return table.render();
    std::string text = size + table.render() + results::link_waits_table(result.together);
    for (const std::string& note : shown(prepared.notes)) text += fmt::format("note: {}\n", note);
    return text;
}

Json jobs_json(const PreparedJobs& prepared, const JobsResult& result, const std::string& command) {
    const machine::Machine& machine = prepared.together.machine;
    Json json{{"schema", "warpfront.jobs/1"},
              {"engine", "event"},
              {"ranks", prepared.ranks()},
              {"nodes", machine.placement.nodes()},
              {"time_s", seconds(result.together.finish)}};
    Json scenarios = Json::object();
    json["jobs"] = Json::array();
    for (std::size_t k = 0; k < prepared.jobs.size(); ++k) {
        const PreparedJob& job = prepared.jobs[k];
        const JobTimes& times = result.jobs[k];
        json["jobs"].push_back({{"name", job.name},
                                {"ranks", job.experiment.program.class_of.size()},
                                {"nodes", job.experiment.machine.placement.nodes()},
                                {"hosts", host_ranges(job)},
                                {"start_s", seconds(job.start)},
                                {"alone_s", seconds(times.alone)},
                                {"beside_s", seconds(times.beside)},
                                {"slowdown", times.slowdown()}});
        scenarios[job.name] = scenario::echo(job.experiment.scenario);
    }
    if (result.together.link_waits) json["link_waits"] = results::link_waits_json(result.together);
    json["digest"] = results::digest(result.together.rank_finish);
    json["notes"] = prepared.notes;
    Json inputs = Json::object();
    for (const results::InputHash& input : results::hash_inputs(prepared.sources)) inputs[input.path] = input.sha256;
    json["context"] = {{"version", WARPFRONT_VERSION},
                       {"command", command},
                       {"inputs", std::move(inputs)},
                       {"scenarios", std::move(scenarios)},
                       {"host", results::describe_host()}};
    return json;
}

}  // namespace warpfront::tools
