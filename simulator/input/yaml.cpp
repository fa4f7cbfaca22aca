#include "simulator/input/yaml.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>

namespace warpfront::input {

namespace {

std::string_view form_of(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::mapping) return "is a mapping";
    if (node.kind == YamlNode::Kind::sequence) return "is a list";
    return node.is_null || node.scalar.empty() ? "has no value" : "is a single value";
}

/// Parses a scalar; returns nothing if there is none or if it has errors.
template <class Parse>
auto parsed(const YamlNode* node, Diagnostics& faults, Parse parse)
    -> std::optional<decltype(parse(node->scalar, node->range, faults))> {
    if (node == nullptr) return std::nullopt;
    Diagnostics found;
    auto value = parse(node->scalar, node->range, found);
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    return value;
}

void emit(const YamlNode& node, unsigned levels, YAML::Emitter& out) {
    if (node.kind == YamlNode::Kind::scalar) {
        out << node.scalar;
        return;
    }
    if (node.kind == YamlNode::Kind::sequence) {
        out << YAML::Flow << YAML::BeginSeq;
        for (const YamlNode& item : node.items) emit(item, 0, out);
        out << YAML::EndSeq;
        return;
    }
    const bool opens = levels > 0 && !node.entries.empty();
    out << (opens ? YAML::Block : YAML::Flow) << YAML::BeginMap;
    for (const YamlNode::Entry& entry : node.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        emit(entry.value, opens ? levels - 1 : 0, out);
    }
    out << YAML::EndMap;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
    const auto entry = std::ranges::find(entries, key, &Entry::key);
    return entry == entries.end() ? nullptr : &entry->value;
}

YamlNode* YamlNode::find(std::string_view key) { return const_cast<YamlNode*>(std::as_const(*this).find(key)); }

std::optional<bool> truth_of(std::string_view word) {
    const auto is = [word](std::string_view lower) {
        const auto matches = [](char letter, char wanted) { return (letter | 0x20) == wanted; };
        return std::equal(word.begin(), word.end(), lower.begin(), lower.end(), matches);
    };
    if (is("on") || is("true") || is("yes")) return true;
    if (is("off") || is("false") || is("no")) return false;
    return std::nullopt;
}

MappingReader::MappingReader(const YamlNode& node, std::string what, Diagnostics& faults, std::string form)
    : node_(node), what_(std::move(what)), faults_(faults), taken_(node.entries.size(), false) {
    if (node.kind == YamlNode::Kind::mapping) return;
    faults_.add(DiagnosticKind::wrong_yaml_type, node.range, fmt::format("{} {}", what_, form_of(node)),
                std::move(form));
}

bool MappingReader::has(std::string_view key) const { return node_.find(key) != nullptr; }

const YamlNode* MappingReader::take(std::string_view key) {
    if (std::find(requested_.begin(), requested_.end(), key) == requested_.end()) requested_.emplace_back(key);
    for (std::size_t at = 0; at < node_.entries.size(); ++at) {
        if (node_.entries[at].key != key) continue;
        taken_[at] = true;
        return &node_.entries[at].value;
    }
    return nullptr;
}

const YamlNode* MappingReader::require(std::string_view key) {
    const YamlNode* value = take(key);
    if (value == nullptr && node_.kind == YamlNode::Kind::mapping) {
        faults_.add(DiagnosticKind::missing_key, node_.range, fmt::format("{} has no `{}`", what_, key));
    }
    return value;
}

const YamlNode* MappingReader::scalar(std::string_view key) {
    const YamlNode* value = take(key);
    if (value == nullptr) return nullptr;
    if (value->kind == YamlNode::Kind::scalar && !value->scalar.empty() && !value->is_null) return value;
    faults_.add(DiagnosticKind::wrong_yaml_type, value->range, fmt::format("`{}` {}", key, form_of(*value)),
                "expected a single value");
    return nullptr;
}

std::optional<std::string> MappingReader::text(std::string_view key) {
    const YamlNode* value = scalar(key);
    if (value == nullptr) return std::nullopt;
    return value->scalar;
}

std::optional<std::int64_t> MappingReader::integer(std::string_view key, std::int64_t least, std::int64_t most) {
    return parsed(scalar(key), faults_, [&](std::string_view text, const SourceRange& range, Diagnostics& found) {
        return parse_integer(text, range, least, most, found);
    });
}

std::optional<double> MappingReader::real(std::string_view key) { return parsed(scalar(key), faults_, parse_real); }

std::optional<Time> MappingReader::time(std::string_view key) { return parsed(scalar(key), faults_, parse_time); }

std::optional<Bytes> MappingReader::bytes(std::string_view key) { return parsed(scalar(key), faults_, parse_bytes); }

std::optional<Gap> MappingReader::gap(std::string_view key) { return parsed(scalar(key), faults_, parse_gap); }

std::optional<Bandwidth> MappingReader::bandwidth(std::string_view key) {
    return parsed(scalar(key), faults_, parse_bandwidth);
}

std::optional<bool> MappingReader::flag(std::string_view key) {
    const YamlNode* value = scalar(key);
    if (value == nullptr) return std::nullopt;
    if (const auto truth = truth_of(value->scalar)) return truth;
    faults_.add(DiagnosticKind::bad_choice, value->range, fmt::format("`{}` cannot be `{}`", key, value->scalar),
                "expected `on` or `off`");
    return std::nullopt;
}

std::optional<std::size_t> MappingReader::choice(std::string_view key, std::span<const std::string> names) {
    const YamlNode* value = scalar(key);
    if (value == nullptr) return std::nullopt;
    const auto name = std::find(names.begin(), names.end(), value->scalar);
    if (name != names.end()) return static_cast<std::size_t>(name - names.begin());
    faults_.add(DiagnosticKind::bad_choice, value->range, fmt::format("`{}` cannot be `{}`", key, value->scalar),
                suggestion(value->scalar, names));
    return std::nullopt;
}

SourceRange MappingReader::range_of(std::string_view key) const {
    const YamlNode* value = node_.find(key);
    return value == nullptr ? node_.range : value->range;
}

void MappingReader::finish(const std::function<std::string(const std::string& key)>& remedy) {
    for (std::size_t at = 0; at < node_.entries.size(); ++at) {
        if (taken_[at]) continue;
        const YamlNode::Entry& entry = node_.entries[at];
        std::string expected = remedy ? remedy(entry.key) : std::string();
        if (expected.empty()) expected = suggestion(entry.key, requested_);
        faults_.add(DiagnosticKind::unknown_key, entry.key_range,
                    fmt::format("unknown key `{}` in {}", entry.key, what_), std::move(expected));
    }
}

std::string yaml_text(const YamlNode& tree, unsigned levels) {
    YAML::Emitter out;
    emit(tree, levels, out);
    return std::string(out.c_str()) + '\n';
}

}  // namespace warpfront::input
