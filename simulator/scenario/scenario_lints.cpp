#include "simulator/scenario/scenario_lints.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "psl/checking/lints.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/machine/loading/steps.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::scenario {

namespace {

/// Returns the node at a path of keys; nullptr if there is none.
const YamlNode* at(const YamlNode& tree, std::initializer_list<std::string_view> path) {
    const YamlNode* node = &tree;
    for (const std::string_view key : path) {
        if (node != nullptr) node = node->find(key);
    }
    return node;
}

class ScenarioLints {
public:
    ScenarioLints(const ScenarioDocument& document, const Scenario& scenario, Examined examined)
        : document_(document), scenario_(scenario), examined_(examined) {}

    std::vector<std::string> run(const program::Program& program, const machine::HardwareTree& hardware,
                                 const machine::Machine& machine) {
        seeds();
        noise();
        if (!scenario_.trace) parameters(program);
        if (program.tasks) keys_of_ranks();
        const auto is_examined = [&](const SourceFilePtr& source) {
            return examines(source) && (is_argument(source) || source == document_.source);
        };
        const std::vector<std::string> idle = machine::lints(hardware, scenario_.overrides, machine, is_examined);
        notes_.insert(notes_.end(), idle.begin(), idle.end());
        return std::move(notes_);
    }

private:
    void seeds() {
        const machine::PlacementRequest& placement = scenario_.placement.request;
        if (!scenario_.noise_configuration.noise.random() && !scenario_.workers.availability.drawn) {
            note(at(document_.tree, {"seed"}),
                 "`seed` has no effect: neither the noise nor the speeds of ranks are random");
        }
        if (placement.rule != machine::PlacementRule::random && placement.fragmentation == machine::Share{}) {
            note(at(document_.tree, {"placement", "seed"}), "`seed` has no effect: the placement is not random");
        }
    }

    void noise() {
        const variation::Noise& noise = scenario_.noise_configuration.noise;
        if (noise.cv == 0.0) note(at(document_.tree, {"noise", "cv"}), "`cv` has no effect: its value is zero");
        if (noise.periodic && noise.periodic->length == Time{}) {
            note(at(document_.tree, {"noise", "periodic", "length"}), "`periodic` has no effect: its `length` is zero");
        }
        if (noise.interruptions && !noise.interrupted()) {
            note(at(document_.tree, {"noise", "interruptions"}),
                 "`interruptions` have no effect: their length or their rate is zero");
        }
        const auto is_nominal = [](const variation::SpeedClass& each) { return each.speed == 1.0; };
        if (std::ranges::all_of(noise.classes, is_nominal)) {
            note(at(document_.tree, {"heterogeneity", "classes"}),
                 "`classes` has no effect: every class has the speed 1");
        }
    }

    /// Notes keys that lists of tasks never use: they have no iteration, and send no messages. The key `iterations` is
    /// among the notes of every command (tools/answer/prediction/context.hpp).
    void keys_of_ranks() {
        for (const char* key : {"redrawn", "repeats_after"}) {
            note(at(document_.tree, {"noise", key}),
                 fmt::format("`{}` has no effect: lists of tasks have no iterations", key));
        }
        note(at(document_.tree, {"placement"}), "`placement` has no effect: tasks send no messages");
        for (const char* key : {"bus", "collectives", "links", "links_in_L"}) {
            note(at(document_.tree, {"platform", key}), fmt::format("`{}` has no effect: tasks send no messages", key));
        }
    }

    void parameters(const program::Program& program) {
        const YamlNode* given = document_.tree.find("parameters");
        if (given == nullptr) return;
        const psl::Model model = psl::load(scenario_.model);
        const std::vector<std::string> unused = psl::unused_parameters(model);
        for (const YamlNode::Entry& entry : given->entries) {
            if (!examines(entry.value.range.source)) continue;
            if (std::ranges::find(unused, entry.key) != unused.end()) {
                note(&entry.value,
                     fmt::format("`{}` has no effect: `{}` never uses this parameter", entry.key, model.name()));
            } else if (is_idle_time(model, entry.key, program)) {
                note(&entry.value,
                     fmt::format(
                         "`{}` has no effect: with the values of this scenario, no work depends on this parameter",
                         entry.key));
            }
        }
    }

    /// Returns true if the program stays the same with a different, larger value.
    bool is_idle_time(const psl::Model& model, const std::string& name, const program::Program& program) const {
        if (program.tasks) return false;  // formulas of tasks cannot be compared
        psl::Bindings others = scenario_.bindings;
        psl::Binding& binding = others.parameters.at(name);
        Diagnostics not_a_time;
        const input::Quantity time =
            input::parse_quantity(binding.text, binding.range, input::Dimension::time, not_a_time);
        if (!not_a_time.empty()) return false;
        binding.text = fmt::format("{:.0f}ps", 2.0L * input::picoseconds_of(time) + 1e6L);
        try {
            const program::Program other = psl::lower(model, others);
            return other.classes == program.classes && other.class_of == program.class_of &&
                   other.closed_form == program.closed_form;
        } catch (const BadInput&) {
            return false;  // a requirement or a limit depends on the value
        }
    }

    bool examines(const SourceFilePtr& source) const { return examined_ == Examined::all || is_argument(source); }

    void note(const YamlNode* value, std::string_view text) {
        if (value != nullptr && examines(value->range.source))
            notes_.push_back(fmt::format("{}: {}", input::text_of(value->range), text));
    }

    const ScenarioDocument& document_;
    const Scenario& scenario_;
    const Examined examined_;
    std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> lints(const ScenarioDocument& document, const Scenario& scenario,
                               const program::Program& program, const machine::HardwareTree& hardware,
                               const machine::Machine& machine, Examined examined) {
    return ScenarioLints(document, scenario, examined).run(program, hardware, machine);
}

}  // namespace warpfront::scenario
