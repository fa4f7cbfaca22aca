#include "simulator/machine/loading/hardware_tree.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/overrides.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::YamlNode;

/// Removes the key `like` and returns its value; an empty scalar if there is none.
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

/// The hardware file in the folder of the XML that names it as its platform; empty if there is none.
std::string hardware_file_of(const std::filesystem::path& xml) {
    std::vector<std::filesystem::path> files;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(plain(xml).parent_path(), unreadable)) {
        if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (const std::filesystem::path& file : files) {
        try {
            Diagnostics ignored;
            const YamlNode tree = input::parse_yaml(input::read_file(file), ignored);
            const YamlNode* platform = tree.find("platform");
            const bool named = platform != nullptr && !platform->scalar.empty() && tree.find("layers") != nullptr;
            if (named && plain(file.parent_path() / platform->scalar) == plain(xml)) return file.filename().string();
        } catch (const input::BadInput&) {
            continue;  // it is no hardware file
        }
    }
    return {};
}

/// A SimGrid XML instead of the hardware file that names it is a frequent mistake with a fault kind of its own.
input::SourceFilePtr read_yaml_file(const std::filesystem::path& file, const input::SourceRange& named_at) {
    input::SourceFilePtr source = input::read_file(file, named_at);
    const std::size_t first = source->text().find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || source->text()[first] != '<') return source;
    const std::string user = hardware_file_of(file);
    throw input::BadInput(DiagnosticKind::xml_as_hardware, named_at,
                          fmt::format("`{}` is no hardware file, but a platform of SimGrid", file.string()),
                          user.empty() ? "expected a hardware file (.yaml) that names it by `platform:`"
                                       : fmt::format("expected a hardware file: `{}` beside it names it", user));
}

}  // namespace

std::filesystem::path plain(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto canonical = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path.lexically_normal() : canonical;
}

HardwareTree read_hardware_tree(const std::filesystem::path& path, const input::SourceRange& mentioned_at,
                                Diagnostics& faults) {
    HardwareTree hardware;
    std::vector<YamlNode> chain;  // the file itself first
    std::vector<std::filesystem::path> seen;
    std::filesystem::path file = path;
    input::SourceRange named_at = mentioned_at;
    while (true) {
        if (std::find(seen.begin(), seen.end(), plain(file)) != seen.end()) {
            faults.add(DiagnosticKind::like_itself, named_at, fmt::format("`{}` would be like itself", file.string()),
                       "expected a file that is not like this one in turn");
            break;
        }
        seen.push_back(plain(file));
        input::ParsedFile parsed = input::parse_once(read_yaml_file(file, named_at), faults);
        hardware.sources.push_back(std::move(parsed.source));
        chain.push_back(std::move(parsed.tree));
        const YamlNode like = take_like(chain.back());
        if (like.kind != YamlNode::Kind::scalar) {
            faults.add(DiagnosticKind::wrong_yaml_type, like.range, "`like` is no name of a file",
                       "expected a hardware file, relative to this one");
            break;
        }
        if (like.scalar.empty()) break;
        file = file.parent_path() / like.scalar;
        named_at = like.range;
    }
    hardware.root = std::move(chain.back());
    for (std::size_t k = chain.size() - 1; k-- > 0;) overlay(hardware.root, std::move(chain[k]));
    return hardware;
}

}  // namespace warpfront::machine
