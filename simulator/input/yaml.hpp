// Strict YAML. Every node keeps its source range. Duplicate keys are errors (yaml-cpp accepts them silently). Unknown
// keys are errors with the nearest known key. Aliases and several documents are refused, nesting is limited. The tree
// is built on yaml-cpp's event parser, so ranges are exact.
//
// Use: parse a document, take the known keys from each mapping, then `finish` it; every key not taken is unknown.
// Errors are collected in the Diagnostics passed in; the value of a faulty key is a default.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"

namespace warpfront::input {

inline constexpr unsigned kDeepestYaml = 32;
inline constexpr std::size_t kLargestYaml = std::size_t{1} << 20;  // bytes

/// A node of the document tree. Scalars keep their text as written (quotes removed).
struct YamlNode {
    enum class Kind : std::uint8_t { scalar, sequence, mapping };
    struct Entry;

    Kind kind = Kind::scalar;
    SourceRange range;            // of a scalar: its text, or its key if there is no text; otherwise the first byte
    std::string scalar;           // empty if nothing is written
    bool is_null = false;         // a scalar: nothing is written, or `~` or `null` without quotes
    std::vector<YamlNode> items;  // of a sequence
    std::vector<Entry> entries;   // of a mapping, in file order

    const YamlNode* find(std::string_view key) const;  // nullptr if absent or not a mapping
    YamlNode* find(std::string_view key);
};
struct YamlNode::Entry {
    std::string key;
    SourceRange key_range;
    YamlNode value;
};

/// Parses the one document of `source`; an empty document is an empty mapping. Adds faults duplicate_key (the first
/// entry stays). Throws BadInput with all of `faults` if the tree would be incomplete (yaml_syntax, yaml_alias,
/// yaml_too_deep, file_too_large).
YamlNode parse_yaml(const SourceFilePtr& source, Diagnostics& faults);

/// A file that this process has parsed.
struct ParsedFile {
    SourceFilePtr source;  // the source of the ranges in the tree; it may be that of an earlier parse
    YamlNode tree;
};

/// Parses as parse_yaml does and keeps the result, so that a study of many points parses each file once. Files with
/// errors are parsed again. May be called by several threads at a time.
ParsedFile parse_once(SourceFilePtr source, Diagnostics& faults);

/// Returns the truth value of a word: on, true, yes; off, false, no; also with capital letters, as YAML 1.1 permits.
std::optional<bool> truth_of(std::string_view word);

/// Formats the tree as YAML, with quotes where required: a line for each key down to `levels` levels, in braces below.
std::string yaml_text(const YamlNode& tree, unsigned levels);

/// A reader of the keys of one mapping. Every getter adds an error if the value has the wrong form; `require` also if
/// the key is missing (missing_key, at the mapping's range).
class MappingReader {
public:
    /// Makes a reader; `what` names the mapping in messages: "a scenario", "`node`". A node other than a mapping is an
    /// error (wrong_yaml_type), with `form` as the expectation. `node` and `faults` are kept by reference.
    MappingReader(const YamlNode& node, std::string what, Diagnostics& faults,
                  std::string form = "expected keys and values");

    bool has(std::string_view key) const;
    const YamlNode* take(std::string_view key);             // nullptr if absent
    const YamlNode* require(std::string_view key);          // fault if absent
    std::optional<std::string> text(std::string_view key);  // a scalar
    std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most);
    std::optional<double> real(std::string_view key);
    std::optional<Time> time(std::string_view key);
    std::optional<Bytes> bytes(std::string_view key);
    std::optional<Gap> gap(std::string_view key);
    std::optional<Bandwidth> bandwidth(std::string_view key);
    std::optional<bool> flag(std::string_view key);  // truth_of
    /// Returns the index of one of `names`; otherwise adds an error bad_choice with the nearest.
    std::optional<std::size_t> choice(std::string_view key, std::span<const std::string> names);

    SourceRange range_of(std::string_view key) const;  // of the key's value, or of the mapping
    /// Adds an error (unknown_key) for every entry that was not taken, with the text that `remedy` returns for its key;
    /// if that is empty, with the nearest of the requested keys.
    void finish(const std::function<std::string(const std::string& key)>& remedy = {});

private:
    const YamlNode* scalar(std::string_view key);  // fault if present, but empty or not a scalar

    const YamlNode& node_;
    std::string what_;
    Diagnostics& faults_;
    std::vector<bool> taken_;
    std::vector<std::string> requested_;
};

}  // namespace warpfront::input

namespace warpfront {

using input::MappingReader;
using input::YamlNode;

}  // namespace warpfront
