#include "simulator/machine/hardware_tree.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/machine/changes.hpp"

namespace warpfront::machine {

namespace {

using input::FaultKind;
using input::Faults;
using input::YamlNode;

/// Removes the key `like` and returns its value, an empty scalar where there is none.
YamlNode take_like(YamlNode& tree) {
    YamlNode taken;
    const auto entry = std::find_if(tree.entries.begin(), tree.entries.end(),
                                    [](const YamlNode::Entry& it) { return it.key == "like"; });
    if (entry == tree.entries.end()) return taken;
    taken = std::move(entry->value);
    tree.entries.erase(entry);
    if (taken.kind != YamlNode::Kind::scalar || taken.scalar.empty()) taken.kind = YamlNode::Kind::mapping;
    return taken;
}

/// The path without detours, to tell whether two are the same file.
std::filesystem::path plain(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto canonical = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path.lexically_normal() : canonical;
}

}  // namespace

HardwareTree read_hardware_tree(const std::filesystem::path& path, const input::Place& mentioned_at, Faults& faults) {
    HardwareTree hardware;
    std::vector<YamlNode> layers;  // the file itself first
    std::vector<std::filesystem::path> seen;
    std::filesystem::path file = path;
    input::Place named_at = mentioned_at;
    while (true) {
        if (std::find(seen.begin(), seen.end(), plain(file)) != seen.end()) {
            faults.add(FaultKind::like_itself, named_at, fmt::format("`{}` would be like itself", file.string()),
                       "expected a file that is not like this one in turn");
            break;
        }
        seen.push_back(plain(file));
        hardware.sources.push_back(input::read_file(file, named_at));
        layers.push_back(input::parse_yaml(hardware.sources.back(), faults));
        const YamlNode like = take_like(layers.back());
        if (like.kind != YamlNode::Kind::scalar) {
            faults.add(FaultKind::wrong_yaml_type, like.place, "`like` is no name of a file",
                       "expected a hardware file, relative to this one");
            break;
        }
        if (like.scalar.empty()) break;
        file = file.parent_path() / like.scalar;
        named_at = like.place;
    }
    hardware.root = std::move(layers.back());
    for (std::size_t k = layers.size() - 1; k-- > 0;) overlay(hardware.root, std::move(layers[k]));
    return hardware;
}

}  // namespace warpfront::machine
