#include "simulator/scenario/overrides.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "simulator/machine/loading/hardware_overrides.hpp"
#include "simulator/scenario/keys.hpp"
#include "simulator/scenario/placement_key.hpp"

namespace warpfront::scenario {

using input::SourceFile;

namespace {

constexpr std::string_view kForm = "expected `PATH=VALUE`, such as `ranks.columns=256`";

/// Returns the first `mark` of `text` outside of brackets, which belong to a key: `network[up_to=1.5KiB]`; npos if
/// there is none.
std::size_t find_outside_brackets(std::string_view text, char mark, std::size_t start) {
    for (std::size_t at = start; at < text.size(); ++at) {
        if (text[at] == mark) return at;
        const std::size_t close = text[at] == '[' ? text.find(']', at) : std::string_view::npos;
        if (close != std::string_view::npos) at = close;
    }
    return std::string_view::npos;
}

/// Splits a dotted path into its keys.
std::vector<std::string_view> split_path(std::string_view path) {
    std::vector<std::string_view> keys;
    std::size_t start = 0;
    while (start <= path.size()) {
        const std::size_t dot = std::min(find_outside_brackets(path, '.', start), path.size());
        keys.push_back(path.substr(start, dot - start));
        start = dot + 1;
    }
    return keys;
}

std::string with_canonical_keys(std::string_view path) {
    std::string canonical;
    for (const std::string_view key : split_path(path)) {
        canonical += (canonical.empty() ? "" : ".") + machine::canonical_key(key);
    }
    return canonical;
}

/// Returns the value at `key`, under any of its names; nullptr if there is none.
YamlNode* find_key(YamlNode& mapping, std::string_view key) {
    const std::string wanted = machine::canonical_key(key);
    for (YamlNode::Entry& entry : mapping.entries) {
        if (machine::canonical_key(entry.key) == wanted) return &entry.value;
    }
    return nullptr;
}

/// Converts a range in the value's own text to a range in the whole argument.
void rebase(SourceRange& range, const SourceFilePtr& argument, std::size_t offset) {
    range.source = argument;
    range.offset += offset;
}

void rebase(YamlNode& node, const SourceFilePtr& argument, std::size_t offset) {
    rebase(node.range, argument, offset);
    for (YamlNode& item : node.items) rebase(item, argument, offset);
    for (YamlNode::Entry& entry : node.entries) {
        rebase(entry.key_range, argument, offset);
        rebase(entry.value, argument, offset);
    }
}

YamlNode parse_value(const SourceFilePtr& argument, std::size_t offset, Diagnostics& faults) {
    Diagnostics found;
    const auto value =
        std::make_shared<const SourceFile>(argument->name(), std::string(argument->text().substr(offset)));
    YamlNode node = input::parse_yaml(value, found);
    rebase(node, argument, offset);
    for (const Diagnostic& fault : found.all()) {
        SourceRange range = fault.range;
        rebase(range, argument, offset);
        faults.add(fault.kind, range, fault.message, fault.expected);
    }
    return node;
}

/// Returns true if the text has only blanks and comments, which parse as an empty mapping like `{}`.
bool is_empty_document(const YamlNode& value) {
    if (value.kind != YamlNode::Kind::mapping || !value.entries.empty()) return false;
    return !value.range.source->text().substr(value.range.offset).starts_with('{');
}

/// Keys of a scenario whose value is a file, or a mapping with that `file` and changes to its content.
constexpr std::array<std::string_view, 2> kFileMappings{"platform", "model"};

/// Two keys with the same meaning; a scenario may have only one of them.
constexpr std::array<std::string_view, 2> kFill{"node", "fill"};
constexpr std::array<std::string_view, 2> kCores{"node", "cores"};

/// Returns true if an override at `path` has set `target`.
bool has_set(const std::vector<Override::Key>& path, const std::array<std::string_view, 2>& target, YamlNode& tree) {
    if (path.size() > target.size()) return false;
    for (std::size_t k = 0; k < path.size(); ++k) {
        if (path[k].name != target[k]) return false;
    }
    const YamlNode* outer = tree.find(target[0]);
    return outer != nullptr && outer->find(target[1]) != nullptr;
}

void remove_at(YamlNode& tree, const std::array<std::string_view, 2>& target) {
    YamlNode* outer = tree.find(target[0]);
    remove_key(outer, target[1]);
    if (outer != nullptr && outer->kind == YamlNode::Kind::mapping && outer->entries.empty()) {
        remove_key(&tree, target[0]);
    }
}

void put_file(YamlNode& platform, const YamlNode& file) {
    if (YamlNode* there = platform.find("file")) {
        *there = file;
    } else {
        platform.entries.push_back({"file", file.range, file});
    }
}

/// Replaces `xt4.yaml` by `{file: xt4.yaml}`.
void name_file(YamlNode& platform) {
    YamlNode mapping;
    mapping.kind = YamlNode::Kind::mapping;
    mapping.range = platform.range;
    put_file(mapping, platform);
    platform = std::move(mapping);
}

/// Rebases the file names in `value`, whose path is `path`. Words that are not files, such as `calibration: off`, are
/// kept.
void rebase_files_at(const std::string& path, YamlNode& value, const std::filesystem::path& from,
                     const std::filesystem::path& to) {
    for (YamlNode::Entry& entry : value.entries) {
        rebase_files_at(fmt::format("{}.{}", path, entry.key), entry.value, from, to);
    }
    const std::vector<std::string> files = paths_of_files();
    const bool names_file = std::ranges::find(files, path) != files.end();
    if (!names_file || value.scalar.empty() || input::truth_of(value.scalar)) return;
    const std::filesystem::path file = value.scalar;
    if (file.is_relative()) value.scalar = (from / file).lexically_normal().lexically_relative(to).generic_string();
}

}  // namespace

std::string path_of(const Override& given) {
    std::string path;
    for (const Override::Key& key : given.path) path += (path.empty() ? "" : ".") + key.name;
    return path;
}

void rebase_files(Override& given, const std::filesystem::path& from, const std::filesystem::path& to) {
    const auto plain = [](const std::filesystem::path& folder) {
        return (std::filesystem::current_path() / folder).lexically_normal();  // an empty folder is the current one
    };
    rebase_files_at(path_of(given), given.value, plain(from), plain(to));
}

void remove_key(YamlNode* mapping, std::string_view key) {
    if (mapping == nullptr) return;
    std::erase_if(mapping->entries, [&](const YamlNode::Entry& entry) { return entry.key == key; });
}

std::string canonical_path(std::string_view path) {
    const std::string canonical = with_canonical_keys(path);
    for (const std::string_view mapping : kFileMappings) {
        if (canonical == fmt::format("{}.file", mapping)) return std::string(mapping);
    }
    for (const auto& [axis, role] : kCellAxes) {
        if (canonical == fmt::format("parameters.{}", psl::description_of(role).usual[0])) {
            return fmt::format("cells_per_rank.{}", axis);
        }
    }
    if (canonical == "node.cores") return "node.fill";
    return canonical;
}

bool lies_within(std::string_view path, std::string_view mapping) {
    return with_canonical_keys(path).starts_with(with_canonical_keys(mapping) + '.');
}

bool overlap(std::string_view one, std::string_view other) {
    return canonical_path(one) == canonical_path(other) || lies_within(one, other) || lies_within(other, one);
}

bool conflict(std::string_view one, std::string_view other) {
    if (canonical_path(one) == canonical_path(other)) return true;
    const auto is_within = [&](std::string_view mapping) { return overlap(one, mapping); };
    return overlap(one, other) && std::ranges::none_of(kFileMappings, is_within);
}

const YamlNode::Entry* entry_setting(const YamlNode& tree, const std::string& at, const std::string& path) {
    for (const YamlNode::Entry& entry : tree.entries) {
        const std::string here = at.empty() ? entry.key : fmt::format("{}.{}", at, entry.key);
        if (canonical_path(here) == canonical_path(path)) return &entry;
        if (const YamlNode::Entry* within = entry_setting(entry.value, here, path)) return within;
    }
    return nullptr;
}

std::size_t end_of_path(std::string_view argument) { return find_outside_brackets(argument, '=', 0); }

bool is_argument(const SourceFilePtr& source) { return source && source->name().starts_with(kArgumentName); }

std::optional<Override> parse_override(std::string_view argument, Diagnostics& faults) {
    const auto source =
        std::make_shared<const SourceFile>(fmt::format("{}{}", kArgumentName, argument), std::string(argument));
    const std::size_t equals = end_of_path(argument);
    if (equals == std::string_view::npos) {
        faults.add(DiagnosticKind::bad_override, {source, 0, argument.size()}, "no `=` in the argument of `--set`",
                   std::string(kForm));
        return std::nullopt;
    }
    const std::size_t faults_before = faults.count();
    Override parsed;
    for (const std::string_view key : split_path(source->text().substr(0, equals))) {
        const auto offset = static_cast<std::size_t>(key.data() - source->text().data());
        parsed.path.push_back({std::string(key), {source, offset, key.size()}});
    }
    if (parsed.path.size() > input::kDeepestYaml) {
        faults.add(DiagnosticKind::bad_override, {source, 0, equals},
                   fmt::format("the path has {} keys", parsed.path.size()),
                   fmt::format("expected at most {} keys", input::kDeepestYaml));
        return std::nullopt;
    }
    for (const Override::Key& key : parsed.path) {
        if (!key.name.empty()) continue;
        faults.add(DiagnosticKind::bad_override, key.range, "the path of `--set` has an empty key", std::string(kForm));
    }
    parsed.value = parse_value(source, equals + 1, faults);
    if (is_empty_document(parsed.value)) {
        const SourceRange end{source, argument.size(), 0};
        faults.add(DiagnosticKind::bad_override, end, "there is no value after `=`", std::string(kForm));
    }
    if (faults.count() != faults_before) return std::nullopt;
    return parsed;
}

Override scalar_override(std::string_view path, const SourceRange& path_range, std::string text,
                         const SourceRange& text_range) {
    Override made;
    for (const std::string_view key : split_path(path)) made.path.push_back({std::string(key), path_range});
    made.value.range = text_range;
    made.value.scalar = std::move(text);
    return made;
}

std::vector<Override> read_changes(const YamlNode* set, Diagnostics& faults) {
    std::vector<Override> changes;
    if (set == nullptr) return changes;
    if (set->kind == YamlNode::Kind::scalar) {
        faults.add(DiagnosticKind::wrong_yaml_type, set->range, "`set` is neither a list nor a mapping",
                   "expected `[PATH=VALUE]` or `{PATH: VALUE}`");
    }
    for (const YamlNode& item : set->items) {
        if (item.kind != YamlNode::Kind::scalar) {
            faults.add(DiagnosticKind::wrong_yaml_type, item.range, "this override is not a text",
                       "expected `'PATH=VALUE'`, with quotes if the value has braces");
        } else if (auto given = parse_override(item.scalar, faults)) {
            changes.push_back(std::move(*given));
        }
    }
    for (const YamlNode::Entry& entry : set->entries) {
        Override made = scalar_override(entry.key, entry.key_range, "", entry.value.range);
        made.value = entry.value;
        for (const Override::Key& key : made.path) {
            if (!key.name.empty()) continue;
            faults.add(DiagnosticKind::bad_override, entry.key_range,
                       fmt::format("the path `{}` has an empty key", entry.key),
                       "expected a path such as `parameters.mk`");
        }
        for (const YamlNode::Entry& other : set->entries) {
            if (&other == &entry) break;
            if (!conflict(other.key, entry.key)) continue;
            faults.add(DiagnosticKind::conflicting_keys, entry.key_range,
                       fmt::format("both `{}` and `{}` are given", entry.key, other.key),
                       "expected only one of the two, since one overrides the other");
        }
        changes.push_back(std::move(made));
    }
    return changes;
}

namespace {

/// Removes `node` after an override that places ranks by `placement`, and a placement of ranks after an override that
/// sets `node`.
void remove_other_placement(const Override& given, YamlNode& tree) {
    const std::string& first = given.path.front().name;
    YamlNode* placement = tree.find("placement");
    if (placement == nullptr || !places_ranks(*placement)) return;
    if (first == "placement") remove_key(&tree, "node");
    if (first != "node") return;
    for (const std::string_view key : kRankKeys) remove_key(placement, key);
    if (placement->kind == YamlNode::Kind::scalar || placement->entries.empty()) remove_key(&tree, "placement");
}

}  // namespace

void apply(const Override& given, YamlNode& tree, Diagnostics& faults) {
    if (const std::string& first = given.path.front().name;
        std::ranges::find(kFileMappings, first) != kFileMappings.end()) {
        if (YamlNode* named = tree.find(first)) {
            if (given.path.size() == 1 && given.value.kind == YamlNode::Kind::scalar &&
                named->kind == YamlNode::Kind::mapping) {
                put_file(*named, given.value);
                return;
            }
            if (given.path.size() > 1 && named->kind == YamlNode::Kind::scalar) name_file(*named);
        }
    }
    if (given.path.size() > 1 && given.path.front().name == "placement") {
        if (YamlNode* const placement = tree.find("placement")) make_mapping(*placement, given.path[1].name);
    }
    YamlNode* node = &tree;
    for (std::size_t k = 0; k < given.path.size(); ++k) {
        const Override::Key& key = given.path[k];
        if (node->kind != YamlNode::Kind::mapping) {
            const std::string through = k == 0 ? "the scenario" : fmt::format("`{}`", given.path[k - 1].name);
            faults.add(DiagnosticKind::bad_override, key.range,
                       fmt::format("`{}` cannot be set in {}, which is not a mapping", key.name, through),
                       "expected a path whose keys before the last lead to mappings");
            return;
        }
        YamlNode* next = find_key(*node, key.name);
        if (next == nullptr) {
            YamlNode made;
            made.kind = YamlNode::Kind::mapping;
            made.range = key.range;
            node->entries.push_back({key.name, key.range, std::move(made)});
            next = &node->entries.back().value;
        }
        node = next;
    }
    *node = given.value;
    const std::string path = path_of(given);
    if (path == "node.fill") remove_at(tree, kCores);
    if (path == "node.cores") remove_at(tree, kFill);
    remove_other_placement(given, tree);
}

CellParameters usual_cell_parameters() {
    CellParameters names;
    for (std::size_t k = 0; k < names.size(); ++k) names[k] = psl::description_of(kCellAxes[k].role).usual[0];
    return names;
}

void remove_equivalents(const Override& given, const CellParameters& whole, YamlNode& tree) {
    for (std::size_t k = 0; k < kCellAxes.size(); ++k) {
        const std::array<std::string_view, 2> of_rank{"cells_per_rank", kCellAxes[k].axis};
        const std::array<std::string_view, 2> of_grid{"parameters", whole[k]};
        if (has_set(given.path, of_rank, tree)) remove_at(tree, of_grid);
        if (has_set(given.path, of_grid, tree)) remove_at(tree, of_rank);
    }
}

}  // namespace warpfront::scenario
