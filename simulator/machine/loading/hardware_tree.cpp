#include "simulator/machine/loading/hardware_tree.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/file_kind.hpp"

namespace warpfront::machine {

namespace {

void erase(YamlNode& tree, std::string_view key) {
    std::erase_if(tree.entries, [&](const YamlNode::Entry& entry) { return entry.key == key; });
}

void join(YamlNode& tree, YamlNode own) {
    if (tree.kind != YamlNode::Kind::mapping || own.kind != YamlNode::Kind::mapping || own.find("kind") != nullptr) {
        tree = std::move(own);
        return;
    }
    tree.range = own.range;
    for (YamlNode::Entry& entry : own.entries) {
        if (YamlNode* known = tree.find(entry.key)) {
            join(*known, std::move(entry.value));
        } else {
            tree.entries.push_back(std::move(entry));
        }
    }
}

}  // namespace

void overlay(YamlNode& tree, YamlNode own) {
    const bool has_platform = own.find("platform") != nullptr;
    const bool has_topology = own.find("topology") != nullptr;
    if (has_platform && !has_topology) erase(tree, "topology");
    if (has_topology && !has_platform) erase(tree, "platform");
    join(tree, std::move(own));
}

namespace {

constexpr std::string_view kExpected = "a hardware file (.yaml)";

/// Removes the key `like` and returns its value. Returns an empty scalar if the key is absent.
YamlNode take_like(YamlNode& tree) {
    YamlNode taken;
    const auto entry = std::ranges::find_if(tree.entries, [](const YamlNode::Entry& it) { return it.key == "like"; });
    if (entry == tree.entries.end()) return taken;
    taken = std::move(entry->value);
    tree.entries.erase(entry);
    if (taken.kind != YamlNode::Kind::scalar || taken.scalar.empty()) taken.kind = YamlNode::Kind::mapping;
    return taken;
}

/// Returns the hardware file whose platform is this XML, if it is in the same folder; otherwise an empty string.
std::string hardware_file_of(const std::filesystem::path& xml) {
    std::vector<std::filesystem::path> files;
    std::error_code unreadable;
    for (const auto& entry : std::filesystem::directory_iterator(plain(xml).parent_path(), unreadable)) {
        if (entry.path().extension() == ".yaml" || entry.path().extension() == ".yml") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        try {
            Diagnostics ignored;
            const YamlNode tree = input::parse_yaml(input::read_file(file), ignored);
            const YamlNode* platform = tree.find("platform");
            const bool named = platform != nullptr && !platform->scalar.empty() && tree.find("layers") != nullptr;
            if (named && plain(file.parent_path() / platform->scalar) == plain(xml)) return file.filename().string();
        } catch (const BadInput&) {
            continue;  // this YAML file is not a hardware file
        }
    }
    return {};
}

/// Throws BadInput if the file is a SimGrid XML instead of a hardware file. This mistake is frequent, so it has its own
/// error.
void refuse_xml(const SourceFilePtr& source, const std::filesystem::path& file, const SourceRange& named_at) {
    const std::size_t first = source->text().find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || source->text()[first] != '<') return;
    const std::string user = hardware_file_of(file);
    throw BadInput(DiagnosticKind::xml_as_hardware, named_at,
                   fmt::format("`{}` is not a hardware file, but a platform of SimGrid", file.string()),
                   user.empty()
                       ? "expected a hardware file (.yaml) that names it by `platform:`"
                       : fmt::format("expected a hardware file: `{}` in the same folder names this platform", user));
}

}  // namespace

std::filesystem::path plain(const std::filesystem::path& path) {
    std::error_code unknown;
    const auto canonical = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path.lexically_normal() : canonical;
}

HardwareTree read_hardware_tree(const std::filesystem::path& path, const SourceRange& mentioned_at,
                                std::shared_ptr<input::FilesReadOnce> files) {
    HardwareTree hardware;
    Diagnostics& faults = hardware.faults;
    hardware.files = std::move(files);
    std::vector<YamlNode> chain;  // the first is the file itself
    std::vector<std::filesystem::path> seen;
    const auto is_file = [](const std::filesystem::path& file) {
        return [&file](const std::filesystem::path& other) { return plain(other) == plain(file); };
    };
    std::filesystem::path file = path;
    SourceRange named_at = mentioned_at;
    while (true) {
        if (std::ranges::any_of(seen, is_file(file))) {
            faults.add(DiagnosticKind::like_itself, named_at, fmt::format("`like` leads back to `{}`", file.string()),
                       "expected a file that is not itself based on this one by `like`");
            break;
        }
        seen.push_back(file);
        SourceFilePtr source = hardware.files->read(file, named_at);
        refuse_xml(source, file, named_at);
        input::refuse_other_name(file, kExpected, named_at);
        input::ParsedFile parsed = input::parse_once(std::move(source), faults);
        input::refuse_other_keys(parsed.tree, file, {input::FileKind::hardware}, kExpected);
        hardware.sources.push_back(std::move(parsed.source));
        chain.push_back(std::move(parsed.tree));
        const YamlNode like = take_like(chain.back());
        if (like.kind != YamlNode::Kind::scalar) {
            faults.add(DiagnosticKind::wrong_yaml_type, like.range, "`like` is not a file name",
                       "expected the name of a hardware file, relative to the folder of this one");
            break;
        }
        if (like.scalar.empty()) break;
        file = input::folder_of(file) / like.scalar;
        named_at = like.range;
    }
    hardware.root = std::move(chain.back());
    for (std::size_t k = chain.size() - 1; k-- > 0;) overlay(hardware.root, std::move(chain[k]));
    return hardware;
}

std::filesystem::path origin_of(const HardwareTree& hardware) { return plain(hardware.sources.back()->name()); }

}  // namespace warpfront::machine
