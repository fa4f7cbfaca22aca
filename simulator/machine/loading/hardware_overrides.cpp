#include "simulator/machine/loading/hardware_overrides.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"

namespace warpfront::machine {

namespace {

using input::Dimension;

/// Keys whose value may be a bandwidth or a time per byte. Their names do not show which of the two a factor
/// multiplies.
constexpr std::array<std::string_view, 7> kTwoSpellings{"G",         "G_send",   "G_recv",      "G_dma",
                                                        "injection", "ejection", "G_unexpected"};
constexpr std::string_view kBandwidth = "bandwidth";
constexpr std::string_view kGap = "gap";

bool has_two_spellings(std::string_view key) { return std::ranges::find(kTwoSpellings, key) != kTwoSpellings.end(); }

/// Splits a text into a leading number and the rest.
std::optional<std::pair<double, std::string_view>> leading_number(std::string_view text) {
    const auto number = input::leading_number<double>(text);
    if (!number || !std::isfinite(number.value)) return std::nullopt;
    std::string_view rest = text.substr(number.length);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return std::pair(number.value, rest);
}

/// Returns the factor of a text such as `2x`. The factor may be negative.
std::optional<double> any_factor_of(std::string_view text) {
    const auto number = leading_number(text);
    if (!number || number->second != "x") return std::nullopt;
    return number->first;
}

/// Checks that a factor is not below 0. Otherwise adds an error and returns false.
bool check_factor(const YamlNode& value, Diagnostics& faults) {
    const auto factor = value.kind == YamlNode::Kind::scalar ? any_factor_of(value.scalar) : std::nullopt;
    if (!factor || *factor >= 0.0) return true;
    faults.add(DiagnosticKind::out_of_range, value.range, fmt::format("`{}` is out of range", value.scalar),
               "expected a factor of at least 0, such as `0.5x`");
    return false;
}

/// Returns true if the factor and the value in the file are inverse: one is a bandwidth, the other a time per byte.
/// Then the value is divided by the factor.
bool is_inverse(std::string_view quantity, std::string_view unit) {
    const input::Unit* known = input::find_unit(unit);
    if (known == nullptr) return false;
    if (quantity == kBandwidth) return known->dimension == Dimension::gap;
    return quantity == kGap && known->dimension == Dimension::bandwidth;
}

constexpr std::string_view kLastRow = "last";
constexpr std::string_view kUpTo = "up_to=";

/// A key that selects rows of a list, such as `network[last]`.
struct RowKey {
    std::string_view list;
    std::string_view row;
};
std::optional<RowKey> row_key(std::string_view key) {
    const std::size_t open = key.find('[');
    if (open == std::string_view::npos || !key.ends_with(']')) return std::nullopt;
    return RowKey{key.substr(0, open), key.substr(open + 1, key.size() - open - 2)};
}

bool is_list_of_rows(const YamlNode& node) {
    const auto is_row = [](const YamlNode& item) { return item.kind == YamlNode::Kind::mapping; };
    return !node.items.empty() && std::ranges::all_of(node.items, is_row);
}

/// Returns the `up_to` of a row; nothing if it has none or a wrong one.
std::optional<Bytes> up_to_of(const YamlNode& row) {
    const YamlNode* limit = row.find("up_to");
    if (limit == nullptr) return std::nullopt;
    Diagnostics refused_later;
    const Bytes bytes = input::parse_bytes(limit->scalar, limit->range, refused_later);
    return refused_later.empty() ? std::optional(bytes) : std::nullopt;
}

class OverrideApplier {
public:
    explicit OverrideApplier(Diagnostics& faults) : faults_(faults) {}

    /// Applies overrides. Those of single rows follow those of all rows, wherever they are written.
    void apply(const YamlNode& overrides, YamlNode& tree) {
        check_rows(overrides);
        for (const YamlNode::Entry& entry : overrides.entries) {
            if (!row_key(entry.key)) apply(entry, tree);
        }
        for (const YamlNode::Entry& entry : overrides.entries) {
            if (const auto key = row_key(entry.key)) apply_to_row(entry, *key, tree);
        }
    }

private:
    /// Checks that no key occurs twice and that no row is selected under two names.
    void check_rows(const YamlNode& overrides) {
        std::map<std::string, std::string_view> names;
        for (const YamlNode::Entry& entry : overrides.entries) {
            if (!row_key(entry.key)) continue;
            const auto [first, is_new] = names.try_emplace(canonical_key(entry.key), entry.key);
            if (is_new) continue;
            faults_.add(DiagnosticKind::duplicate_key, entry.key_range,
                        fmt::format("`{}` and `{}` are the same row", first->second, entry.key),
                        "expected each row only once");
        }
    }

    void apply_to_row(const YamlNode::Entry& entry, const RowKey& key, YamlNode& tree) {
        YamlNode* const list = tree.find(key.list);
        if (list == nullptr) {
            faults_.add(DiagnosticKind::unknown_key, entry.key_range,
                        fmt::format("there is no `{}` in the hardware file", key.list),
                        input::suggestion(key.list, keys_of(tree)));
        } else if (!is_list_of_rows(*list)) {
            faults_.add(
                DiagnosticKind::bad_override, entry.key_range, fmt::format("`{}` is not a list of rows", key.list),
                fmt::format("expected `{}` without `[...]`: only a list such as `layers.network` has rows", key.list));
        } else if (entry.value.kind != YamlNode::Kind::mapping) {
            faults_.add(DiagnosticKind::wrong_yaml_type, entry.value.range,
                        fmt::format("`{}` is a row, not a single value", entry.key),
                        "expected keys of the row and their values");
        } else {
            for (YamlNode* row : selected_rows(entry, key, *list)) apply(entry.value, *row);
        }
    }

    /// Returns the selected row. There are several if rules have the same `up_to` but different numbers of ranks. Adds
    /// an error if there is none.
    std::vector<YamlNode*> selected_rows(const YamlNode::Entry& entry, const RowKey& key, YamlNode& list) {
        if (key.row == kLastRow) return {&list.items.back()};
        std::optional<Bytes> wanted;
        if (key.row.starts_with(kUpTo)) {
            const std::size_t before = faults_.count();
            wanted = input::parse_bytes(key.row.substr(kUpTo.size()), entry.key_range, faults_);
            if (faults_.count() != before) return {};
        }
        std::vector<YamlNode*> selected;
        for (YamlNode& row : list.items) {
            if (wanted && up_to_of(row) == wanted) selected.push_back(&row);
        }
        if (selected.empty()) report_no_such_row(entry, key, list, wanted);
        return selected;
    }

    void report_no_such_row(const YamlNode::Entry& entry, const RowKey& key, const YamlNode& list,
                            std::optional<Bytes> wanted) {
        std::string rows;
        std::string nearest;
        std::int64_t least = std::numeric_limits<std::int64_t>::max();
        for (const YamlNode& row : list.items) {
            const auto limit = up_to_of(row);
            if (!limit) continue;
            const std::string name = fmt::format("`[{}{}]`", kUpTo, row.find("up_to")->scalar);
            rows += name + ", ";
            const std::int64_t apart = wanted ? std::abs(limit->count - wanted->count) : least;
            if (apart < least) {
                least = apart;
                nearest = "; the nearest is " + name;
            }
        }
        faults_.add(DiagnosticKind::bad_override, entry.key_range,
                    fmt::format("`{}` has no row `[{}]`", key.list, key.row),
                    fmt::format("expected {}{}`[{}]`{}", rows.empty() ? "" : "one of ", rows, kLastRow, nearest));
    }

    void apply(const YamlNode::Entry& entry, YamlNode& tree) {
        if (tree.kind == YamlNode::Kind::sequence) return apply_to_rows(entry, tree);
        YamlNode* there = tree.find(entry.key);
        const YamlNode& value = entry.value;
        if (!check_factor(value, faults_)) return;
        if (value.kind == YamlNode::Kind::mapping && has_two_spellings(entry.key)) return scale_one(entry, tree, there);
        if (value.kind == YamlNode::Kind::scalar && factor_of(value.scalar)) {
            if (there == nullptr) return report_nothing_to_scale(entry, tree);
            if (has_two_spellings(entry.key)) return report_ambiguous_factor(entry, *there);
            return scale(entry, *there, entry.key);
        }
        const bool replaces = value.find("kind") != nullptr ||
                              (value.find("like") != nullptr && there != nullptr && is_list_of_rows(*there));
        if (value.kind == YamlNode::Kind::mapping && there != nullptr && !replaces) {
            if (there->kind != YamlNode::Kind::scalar) return apply(value, *there);
        }
        if (const YamlNode::Entry* const factor = first_factor(value)) return report_no_mapping(entry, *factor, tree);
        YamlNode own;
        own.kind = YamlNode::Kind::mapping;
        own.range = tree.range;
        own.entries.push_back(entry);
        overlay(tree, std::move(own));
    }

    static const YamlNode::Entry* first_factor(const YamlNode& value) {
        for (const YamlNode::Entry& entry : value.entries) {
            if (entry.value.kind == YamlNode::Kind::scalar && factor_of(entry.value.scalar)) return &entry;
            if (const YamlNode::Entry* const within = first_factor(entry.value)) return within;
        }
        return nullptr;
    }

    void report_no_mapping(const YamlNode::Entry& entry, const YamlNode::Entry& factor, const YamlNode& tree) {
        const bool is_absent = tree.find(entry.key) == nullptr;
        faults_.add(is_absent ? DiagnosticKind::unknown_key : DiagnosticKind::bad_override, entry.key_range,
                    fmt::format("{} `{}`{}, so there is no `{}` to multiply",
                                is_absent ? "the hardware file has no" : "the value of", entry.key,
                                is_absent ? "" : " in the hardware file has no keys", factor.key),
                    is_absent ? input::suggestion(entry.key, keys_of(tree))
                              : fmt::format("expected a value of `{}`", factor.key));
    }

    void apply_to_rows(const YamlNode::Entry& entry, YamlNode& rows) {
        bool found = false;
        for (YamlNode& row : rows.items) {
            if (row.find(entry.key) == nullptr) continue;
            found = true;
            apply(entry, row);
        }
        if (found) return;
        for (YamlNode& row : rows.items) {
            apply(entry, row);
            if (!faults_.empty()) return;  // report an error once, not for every row
        }
    }

    void report_nothing_to_scale(const YamlNode::Entry& entry, const YamlNode& tree) {
        faults_.add(DiagnosticKind::unknown_key, entry.key_range,
                    fmt::format("there is no `{}` to multiply in the hardware file", entry.key),
                    tree.find("like") == nullptr ? input::suggestion(entry.key, keys_of(tree))
                                                 : "expected rows in the file: `check --platform` prints the rows that "
                                                   "this layer takes from SMPI's keys");
    }

    static std::vector<std::string> keys_of(const YamlNode& tree) {
        std::vector<std::string> keys;
        for (const YamlNode::Entry& known : tree.entries) keys.push_back(known.key);
        return keys;
    }

    /// Reports a factor that does not state its quantity, although the value `there` may be a bandwidth or a time per
    /// byte.
    void report_ambiguous_factor(const YamlNode::Entry& entry, const YamlNode& there) {
        faults_.add(DiagnosticKind::bad_override, entry.value.range,
                    fmt::format("the factor `{}` of `{}`, which is `{}`, could multiply a bandwidth or a time per byte",
                                entry.value.scalar, entry.key, there.scalar),
                    fmt::format("expected `{0}.{1}={2}` or `{0}.{3}={2}`, in a file `{0}: {{{1}: {2}}}` or `{0}: "
                                "{{{3}: {2}}}`",
                                entry.key, kBandwidth, entry.value.scalar, kGap));
    }

    /// Scales a value by an override `G: {bandwidth: 2x}` or `G: {gap: 2x}`.
    void scale_one(const YamlNode::Entry& entry, const YamlNode& tree, YamlNode* there) {
        const std::string form =
            fmt::format("expected a factor of one of the two, such as `{0}: {{{1}: 2x}}` or `{0}: {{{2}: 2x}}`",
                        entry.key, kBandwidth, kGap);
        const std::size_t before = faults_.count();
        MappingReader reader(entry.value, fmt::format("`{}`", entry.key), faults_);
        for (const std::string_view quantity : {kBandwidth, kGap}) reader.take(quantity);
        reader.finish();
        if (faults_.count() != before) return;
        if (entry.value.entries.size() != 1) {
            faults_.add(DiagnosticKind::bad_override, entry.key_range,
                        fmt::format("`{}` has {} factors", entry.key, entry.value.entries.size()), form);
            return;
        }
        const YamlNode::Entry& factor = entry.value.entries.front();
        if (!check_factor(factor.value, faults_)) return;
        if (factor.value.kind != YamlNode::Kind::scalar || !factor_of(factor.value.scalar)) {
            faults_.add(DiagnosticKind::bad_override, factor.value.range,
                        fmt::format("`{}` of `{}` is not a factor", factor.key, entry.key), form);
            return;
        }
        if (there == nullptr) return report_nothing_to_scale(entry, tree);
        scale({entry.key, entry.key_range, factor.value}, *there, factor.key);
    }

    /// Multiplies a value by a factor of `quantity`: the key itself, or one of the two quantities of a key.
    void scale(const YamlNode::Entry& entry, YamlNode& there, std::string_view quantity) {
        const double factor = *factor_of(entry.value.scalar);
        const auto known = there.kind == YamlNode::Kind::scalar ? leading_number(there.scalar) : std::nullopt;
        if (!known) {
            faults_.add(DiagnosticKind::wrong_yaml_type, entry.value.range,
                        fmt::format("`{}` is not a number, so it cannot be multiplied", entry.key),
                        "expected a value in place of the factor");
            return;
        }
        const auto& [number, unit] = *known;
        const bool divide = is_inverse(quantity, unit);
        if (divide && factor == 0.0) {
            faults_.add(DiagnosticKind::out_of_range, entry.value.range,
                        fmt::format("`{}` cannot be multiplied by 0", entry.key), "expected a factor above 0");
            return;
        }
        there.scalar = fmt::format("{}{}", divide ? number / factor : number * factor, unit);
        there.range = entry.value.range;
    }

    Diagnostics& faults_;
};

/// Returns the override of this key; nothing if the key is absent or after an error.
std::optional<LinkOverride::Value> value_of(MappingReader& reader, const YamlNode& node, std::string_view key,
                                            Diagnostics& faults) {
    const YamlNode* value = node.find(key);
    if (value != nullptr && !check_factor(*value, faults)) {
        reader.take(key);
        return std::nullopt;
    }
    if (value != nullptr && value->kind == YamlNode::Kind::scalar) {
        if (const auto factor = factor_of(value->scalar)) {
            reader.take(key);
            return LinkOverride::Value{true, *factor};
        }
    }
    if (key == "latency") {
        const auto latency = reader.time(key);
        return latency ? std::optional(LinkOverride::Value{false, seconds(*latency)}) : std::nullopt;
    }
    const auto bandwidth = reader.bandwidth(key);
    return bandwidth ? std::optional(LinkOverride::Value{false, bandwidth->bytes_per_second}) : std::nullopt;
}

LinkOverride read_link_override(const YamlNode::Entry& entry, Diagnostics& faults) {
    MappingReader reader(entry.value, fmt::format("`{}`", entry.key), faults);
    LinkOverride link{entry.key, entry.key_range, value_of(reader, entry.value, "bandwidth", faults),
                      value_of(reader, entry.value, "latency", faults), entry.value};
    reader.finish();
    if (link.bandwidth && !(link.bandwidth->number > 0.0)) {
        faults.add(DiagnosticKind::out_of_range, reader.range_of("bandwidth"), "the bandwidth is 0",
                   "expected more than 0 B/s");
    }
    return link;
}

/// Returns true for a mapping within `links`. A link with the same name can be overridden only in its own file.
bool is_key_of_links(std::string_view key) { return key == "arbitration" || key == "buffers"; }

/// Removes the overrides of links by name from `overrides` and returns them.
std::vector<LinkOverride> take_links(YamlNode& overrides, Diagnostics& faults) {
    std::vector<LinkOverride> taken;
    YamlNode* links = overrides.find("links");
    if (links == nullptr || links->kind != YamlNode::Kind::mapping) return taken;
    const auto by_name = [](const YamlNode::Entry& entry) {
        return entry.value.kind == YamlNode::Kind::mapping && !is_key_of_links(entry.key);
    };
    for (const YamlNode::Entry& entry : links->entries) {
        if (!by_name(entry)) continue;
        const std::size_t before = faults.count();
        LinkOverride link = read_link_override(entry, faults);
        // without errors, which would otherwise be reported twice
        if (faults.count() == before) taken.push_back(std::move(link));
    }
    std::erase_if(links->entries, by_name);
    if (links->entries.empty()) {
        std::erase_if(overrides.entries, [](const YamlNode::Entry& entry) { return entry.key == "links"; });
    }
    return taken;
}

}  // namespace

std::optional<double> factor_of(std::string_view text) {
    const auto factor = any_factor_of(text);
    return factor && *factor >= 0.0 ? factor : std::nullopt;
}

std::string canonical_key(std::string_view key) {
    const auto row = row_key(key);
    if (!row || !row->row.starts_with(kUpTo)) return std::string(key);
    Diagnostics reported_with_the_rows;
    const Bytes limit = input::parse_bytes(row->row.substr(kUpTo.size()), {}, reported_with_the_rows);
    if (!reported_with_the_rows.empty()) return std::string(key);
    return fmt::format("{}[{}{}B]", row->list, kUpTo, limit.count);
}

std::vector<LinkOverride> apply_overrides(const YamlNode& overrides, YamlNode& hardware, Diagnostics& faults) {
    if (overrides.kind != YamlNode::Kind::mapping) return {};
    Diagnostics found;
    YamlNode tree = overrides;
    std::vector<LinkOverride> links = take_links(tree, found);
    OverrideApplier(found).apply(tree, hardware);
    faults.add(found);
    return links;
}

}  // namespace warpfront::machine
