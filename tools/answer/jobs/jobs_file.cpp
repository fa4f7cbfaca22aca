#include "tools/answer/jobs/jobs_file.hpp"

#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/placement_key.hpp"

namespace warpfront::tools {

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
        faults.add(DiagnosticKind::wrong_yaml_type, list->range, "`jobs` is no list of two jobs or more",
                   "expected entries such as `- {name: first, scenario: first.yaml}`");
    }
    std::set<std::string> names;
    for (const YamlNode& item : list->items) {
        JobEntry job = read_job(item, faults);
        if (!names.insert(job.name).second) {
            faults.add(DiagnosticKind::duplicate_name, item.range, fmt::format("two jobs are called `{}`", job.name),
                       "expected another `name`");
        }
        read.jobs.push_back(std::move(job));
    }
}

/// Reads the rule by which all nodes are placed. A job's grid of nodes cannot be folded into the part of a torus that
/// other jobs leave.
void read_rule(MappingReader& top, JobsFile& read, Diagnostics& faults) {
    const bool given = top.has("placement");
    read.placement = scenario::read_placement(top, read.file, faults).request;
    if (read.placement.rule != machine::PlacementRule::block) return;
    read.placement.rule = machine::PlacementRule::linear;
    if (!given || !faults.empty()) return;
    faults.add(DiagnosticKind::bad_choice, top.range_of("placement"), "`placement` of several jobs by `block`",
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
