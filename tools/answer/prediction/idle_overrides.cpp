#include "tools/answer/prediction/context.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/checking/lints.hpp"
#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/network/cost.hpp"
#include "tools/answer/experiment/lowering.hpp"

namespace warpfront::tools {

namespace {

using input::YamlNode;
using machine::ProfileRow;

constexpr std::string_view kPlatform = "platform";

/// Finds the overrides of a machine that have no effect on an experiment, and the reasons.
class IdleOverrides {
public:
    explicit IdleOverrides(const Experiment& prepared)
        : prepared_(prepared), machine_(prepared.machine), program_(prepared.program) {}

    std::vector<std::string> run() {
        const YamlNode& tree = prepared_.scenario.overrides.tree;
        processor(tree);
        if (!program_.tasks) {
            bus(tree);
            message_processing(tree);
            tasks(tree);
            if (has_messages_of_ranks()) {
                collectives(tree);
                find_layers(tree);
                network(tree);
                layers(tree);
            }
        }
        std::vector<std::string> notes;
        for (const auto& [reason, keys] : keys_) {
            notes.push_back(fmt::format("`{}` {} no effect: {}", fmt::join(keys, "`, `"),
                                        keys.size() == 1 ? "has" : "have", reason));
        }
        return notes;
    }

private:
    /// Returns false if only a closed form describes the messages of the program.
    bool has_messages_of_ranks() const {
        const auto has_channels = [](const program::RankClass& each) { return !each.send_endpoints.empty(); };
        return program_.closed_form.empty() || std::ranges::any_of(program_.classes, has_channels);
    }

    void processor(const YamlNode& tree) {
        const YamlNode* processor = tree.find("processor");
        if (processor == nullptr || prepared_.scenario.trace || !prepared_.scenario.measured.names.empty()) return;
        note_leaves(*processor, "platform.processor",
                    "it scales only times in `parameters` of a scenario's file, and there are no such times");
    }

    void bus(const YamlNode& tree) {
        const YamlNode* bus = tree.find("bus");
        if (bus == nullptr || !machine_.processing) return;
        note_leaves(*bus, "platform.bus",
                    "message processing replaces the bus in the engines `event` and `simgrid`, not in closed forms");
    }

    void message_processing(const YamlNode& tree) {
        const YamlNode* processing = tree.find("message_processing");
        const auto states_it = [](const ProfileRow& row) { return row.processing.has_value(); };
        const auto has_one = [&](const machine::Profile& rows) { return std::ranges::any_of(rows, states_it); };
        if (processing == nullptr || std::ranges::any_of(machine_.profiles, has_one)) return;
        note_leaves(*processing, "platform.message_processing", "no row of `layers` states `processing`");
    }

    void tasks(const YamlNode& tree) {
        if (prepared_.model && psl::has_task_lists(*prepared_.model)) return;
        for (const std::string_view key : {"cluster_memory", "task_manager"}) {
            const YamlNode* value = tree.find(key);
            if (value != nullptr) {
                note_leaves(*value, fmt::format("{}.{}", kPlatform, key), "the program has no lists of tasks");
            }
        }
    }

    void collectives(const YamlNode& tree) {
        const YamlNode* collectives = tree.find("collectives");
        if (collectives == nullptr) return;
        for (const YamlNode::Entry& entry : collectives->entries) {
            const auto is_of = [&](const program::CollectiveUse& use) {
                return use.operation == entry.key || use.operation.starts_with(entry.key + " in ");
            };
            const bool is_used =
                entry.key == "like" ? !program_.collectives.empty() : std::ranges::any_of(program_.collectives, is_of);
            if (!is_used) add("platform.collectives." + entry.key, "the program has no such collective");
        }
    }

    /// Finds the layers of the program's messages, if an override may depend on them.
    void find_layers(const YamlNode& tree) {
        static constexpr std::array kDependent{"layers", "eager", "nic", "links"};
        const auto has = [&](const char* key) { return tree.find(key) != nullptr; };
        if (std::ranges::none_of(kDependent, has)) return;
        visit_pairs(program_, [&](Rank a, Rank b) { used_.insert(machine_.locality(a, b).index); });
    }

    void network(const YamlNode& tree) {
        if (used_.contains(machine_.network().index)) return;
        for (const std::string_view key : {"nic", "links"}) {
            const YamlNode* value = tree.find(key);
            if (value != nullptr) {
                note_leaves(*value, fmt::format("{}.{}", kPlatform, key), "no message of the program leaves its node");
            }
        }
    }

    void layers(const YamlNode& tree) {
        const YamlNode* const layers = tree.find("layers");
        const YamlNode* const eager = tree.find("eager");
        if (eager != nullptr) {
            for (const YamlNode::Entry& entry : eager->entries) is_used(entry.key, "platform.eager." + entry.key);
        }
        if (layers == nullptr) return;
        for (const YamlNode::Entry& entry : layers->entries) layer(entry);
    }

    /// Returns the index of a layer; nothing if the machine has no layer of this name.
    std::optional<std::uint8_t> number_of(std::string_view name) const {
        if (name == "network") return machine_.network().index;
        if (name == "node") return static_cast<std::uint8_t>(machine_.parts.size());
        const auto part = std::ranges::find(machine_.parts, name, &machine::NodeParts::name);
        if (part == machine_.parts.end()) return std::nullopt;
        return static_cast<std::uint8_t>(part - machine_.parts.begin());
    }

    /// Returns true if some messages have this layer. Otherwise adds a note on the key.
    bool is_used(std::string_view layer, const std::string& key) {
        const auto number = number_of(layer);
        if (!number || used_.contains(*number)) return true;
        add(key, "no message of the program has this layer");
        return false;
    }

    void layer(const YamlNode::Entry& entry) {
        const std::string path = "platform.layers." + entry.key;
        const std::string name = entry.key.substr(0, entry.key.find('['));
        if (!is_used(name, path) || !number_of(name)) return;
        const machine::Profile& profile = machine_.profiles[*number_of(name)];
        if (profile.empty() || program::has_choices(program_)) return;  // the sizes of replies are not known
        const std::string wanted = machine::canonical_key(entry.key);
        std::vector<std::pair<const ProfileRow*, Bytes>> messages;
        for (const Bytes size : sizes_of(program_)) {
            const ProfileRow& row = machine::row_for(profile, size);
            const std::string key =
                row.up_to ? fmt::format("{}[up_to={}B]", name, row.up_to->count) : fmt::format("{}[last]", name);
            if (wanted == name || wanted == key) messages.emplace_back(&row, size);
        }
        if (messages.empty()) return add(path, "no message of the program has a size of this row");
        for (const YamlNode::Entry& cost : entry.value.entries) row_key(cost.key, path, messages);
    }

    void row_key(const std::string& key, const std::string& path,
                 const std::vector<std::pair<const ProfileRow*, Bytes>>& messages) {
        const auto is_synchronous = [](const program::Instruction& step) { return step.op == program::Op::ssend; };
        const auto has_one = [&](const program::RankClass& each) {
            return std::ranges::any_of(each.code, is_synchronous);
        };
        // If a message is sent eagerly although its row is a rendezvous, it keeps the costs of the handshake.
        const bool of_handshake = key == "o_request" || key == "o_ack";
        const auto is_rendezvous = [&](const auto& each) {
            return network::is_rendezvous(*each.first, each.second) ||
                   (of_handshake && each.first->protocol == machine::Protocol::rendezvous);
        };
        const auto takes_bus = [](const auto& each) { return each.first->holds_bus; };
        const std::string whole = fmt::format("{}.{}", path, key);
        if (key == "sender_goes_on" || of_handshake) {
            const bool waits = std::ranges::any_of(messages, is_rendezvous);
            if (!waits && std::ranges::none_of(program_.classes, has_one)) {
                add(whole, "no message of these rows is a rendezvous");
            }
        } else if (key == "processing" && !machine_.processing) {
            add(whole, "the machine has no `message_processing`");
        } else if (key == "o_dma" || key == "receiver_hold") {
            if (machine_.processing || !machine_.bus || std::ranges::none_of(messages, takes_bus)) {
                add(whole, "no message of these rows occupies a bus in the event engine");
            }
        }
    }

    /// Adds a note on every value below a node.
    void note_leaves(const YamlNode& node, const std::string& path, const std::string& reason) {
        if (node.entries.empty()) return add(path, reason);
        for (const YamlNode::Entry& entry : node.entries) note_leaves(entry.value, path + "." + entry.key, reason);
    }

    void add(const std::string& key, const std::string& reason) {
        auto found = std::ranges::find(keys_, reason, &std::pair<std::string, std::vector<std::string>>::first);
        if (found == keys_.end()) found = keys_.insert(keys_.end(), {reason, {}});
        found->second.push_back(key);
    }

    const Experiment& prepared_;
    const machine::Machine& machine_;
    const program::Program& program_;
    std::set<std::uint8_t> used_;                                         // layers that messages have
    std::vector<std::pair<std::string, std::vector<std::string>>> keys_;  // reasons with their keys
};

}  // namespace

std::vector<std::string> notes_on_idle_overrides(const Experiment& prepared) { return IdleOverrides(prepared).run(); }

}  // namespace warpfront::tools
