// Builds a tree of YamlNodes from the events of yaml-cpp's parser, with a source range for every node.
#include <algorithm>
#include <cctype>
#include <istream>
#include <map>
#include <mutex>
#include <optional>
#include <streambuf>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::input {

namespace {

/// An exception that ends yaml-cpp's parse: the error is already among the collected ones.
struct Stop {};

/// Refuses invalid bytes. yaml-cpp replaces them by others, which would shift every later range.
void demand_text(const SourceFilePtr& source, Diagnostics& faults) {
    const std::string_view text = source->text();
    if (text.size() > kLargestYaml) {
        faults.add(DiagnosticKind::file_too_large, {source, 0, 0},
                   fmt::format("this YAML file has {} bytes", text.size()),
                   fmt::format("expected at most {} bytes", kLargestYaml));
        faults.raise();
    }
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_sequence(text.substr(at));
        const auto byte = static_cast<unsigned char>(text[at]);
        const bool control = byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r';
        if (length == 0 || control) {
            faults.add(DiagnosticKind::yaml_syntax, {source, at, 1}, fmt::format("byte 0x{:02x} is not text", byte),
                       "expected UTF-8");
            faults.raise();
        }
        at += length;
    }
}

/// A buffer that reads bytes that are already in memory.
class ViewBuffer : public std::streambuf {
public:
    explicit ViewBuffer(std::string_view text) {
        char* begin = const_cast<char*>(text.data());  // as streambuf requires; it is only read
        setg(begin, begin, begin + text.size());
    }
};

/// Returns the expectation that yaml-cpp's message lacks.
std::string expected_instead_of(std::string_view message) {
    static const std::map<std::string_view, std::string> expected = {
        {YAML::ErrorMsg::END_OF_SEQ_FLOW, "expected `,` or `]`"},
        {YAML::ErrorMsg::END_OF_MAP_FLOW, "expected `,` or `}`"},
        {YAML::ErrorMsg::END_OF_SEQ, "expected `- `, indented like the items before it"},
        {YAML::ErrorMsg::END_OF_MAP, "expected a key, indented like the keys before it"},
        {YAML::ErrorMsg::MAP_VALUE, "expected a value; a text that contains `: ` needs quotes"},
        {YAML::ErrorMsg::EOF_IN_SCALAR, "expected a closing quote"},
        {YAML::ErrorMsg::UNKNOWN_TOKEN, "expected a value; a text that begins with this character needs quotes"},
    };
    const auto entry = expected.find(message);
    return entry == expected.end() ? std::string() : entry->second;
}

/// Returns the tab that indents the line at `range` or the previous line; yaml-cpp reports a different error there.
std::optional<SourceRange> indenting_tab(const SourceRange& range) {
    const unsigned line = range.source->position(range.offset).line;
    for (const unsigned near : {line, line - 1}) {
        if (near == 0) continue;
        const std::string_view text = range.source->line_text(near);
        const std::size_t tab = text.find_first_not_of(' ');
        if (tab < text.size() && text[tab] == '\t')
            return SourceRange{range.source, range.source->line_start(near) + tab, 1};
    }
    return std::nullopt;
}

class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(SourceFilePtr source, std::size_t text_start, Diagnostics& faults)
        : source_(std::move(source)), text_start_(text_start), faults_(faults) {}

    YamlNode tree() && {
        if (root_) return std::move(*root_);
        YamlNode empty;
        empty.kind = YamlNode::Kind::mapping;
        empty.range = {source_, 0, 0};
        return empty;
    }

    [[noreturn]] void stop(DiagnosticKind kind, SourceRange range, std::string message, std::string expected = {}) {
        faults_.add(kind, std::move(range), std::move(message), std::move(expected));
        throw Stop{};
    }

    SourceRange at(const YAML::Mark& mark) const {
        const std::size_t offset = mark.pos < 0 ? 0 : static_cast<std::size_t>(mark.pos);
        return {source_, std::min(text_start_ + offset, source_->text().size()), 0};
    }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (++documents_ == 1) return;
        stop(DiagnosticKind::yaml_syntax, at(mark), "this is a second document", "expected one document per file");
    }
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
        if (awaits_key()) stop(DiagnosticKind::yaml_syntax, at(mark), "a key is missing");
        YamlNode node;
        node.is_null = true;
        node.range = at(mark);
        node.scalar = null_spelled_at(node.range.offset);
        if (open_.empty() && node.scalar.empty()) return;
        node.range.length = node.scalar.size();
        // yaml-cpp marks a missing value at the next token, possibly lines below
        if (node.scalar.empty() && open_.back().key) node.range = open_.back().key->range;
        attach(std::move(node));
    }

    // An alias follows an anchor of its name, so the anchor is reported.
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_sharing(mark); }
    void OnAnchor(const YAML::Mark& mark, const std::string&) override { refuse_sharing(mark); }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& value) override {
        refuse_tag(mark, tag);
        YamlNode node;
        node.range = scalar_range(at(mark).offset, value);
        node.scalar = value;
        attach(std::move(node));
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                         YAML::EmitterStyle::value) override {
        begin(YamlNode::Kind::sequence, mark, tag);
    }
    void OnSequenceEnd() override { end(); }

    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                    YAML::EmitterStyle::value) override {
        begin(YamlNode::Kind::mapping, mark, tag);
    }
    void OnMapEnd() override { end(); }

private:
    struct Key {
        std::string name;
        SourceRange range;
    };
    /// A mapping or sequence that has begun and not ended.
    struct Open {
        YamlNode node;
        std::optional<Key> key;                   // of a mapping: its value comes next
        bool duplicate = false;                   // the key occurred before
        std::map<std::string, SourceRange> keys;  // seen so far
    };

    bool awaits_key() const {
        return !open_.empty() && open_.back().node.kind == YamlNode::Kind::mapping && !open_.back().key;
    }

    void begin(YamlNode::Kind kind, const YAML::Mark& mark, const std::string& tag) {
        refuse_tag(mark, tag);
        if (awaits_key()) stop(DiagnosticKind::yaml_syntax, at(mark), "a list or a mapping cannot be a key");
        if (open_.size() >= kDeepestYaml) {
            stop(DiagnosticKind::yaml_too_deep, at(mark), fmt::format("nested more than {} levels deep", kDeepestYaml));
        }
        Open open;
        open.node.kind = kind;
        open.node.range = at(mark);
        open_.push_back(std::move(open));
    }

    void end() {
        YamlNode node = std::move(open_.back().node);
        open_.pop_back();
        attach(std::move(node));
    }

    void attach(YamlNode node) {
        if (open_.empty()) {
            root_ = std::move(node);
        } else if (open_.back().node.kind == YamlNode::Kind::sequence) {
            open_.back().node.items.push_back(std::move(node));
        } else if (awaits_key()) {
            take_key(std::move(node));
        } else {
            Open& open = open_.back();
            if (!open.duplicate) {
                open.node.entries.push_back({std::move(open.key->name), std::move(open.key->range), std::move(node)});
            }
            open.key.reset();
        }
    }

    void take_key(YamlNode node) {
        Open& open = open_.back();
        const auto [first, is_new] = open.keys.try_emplace(node.scalar, node.range);
        if (!is_new) {
            const unsigned line = source_->position(first->second.offset).line;
            faults_.add(DiagnosticKind::duplicate_key, node.range, fmt::format("duplicate key `{}`", node.scalar),
                        fmt::format("line {} has this key already", line));
        }
        open.duplicate = !is_new;
        open.key = Key{std::move(node.scalar), std::move(node.range)};
    }

    [[noreturn]] void refuse_sharing(const YAML::Mark& mark) {
        stop(DiagnosticKind::yaml_alias, at(mark), "anchors and aliases are not accepted", "expected the value itself");
    }

    void refuse_tag(const YAML::Mark& mark, const std::string& tag) {
        const bool implied = tag.empty() || tag == "?" || tag == "!";
        if (!implied) stop(DiagnosticKind::yaml_syntax, at(mark), "tags are not accepted", "expected a plain value");
    }

    std::string null_spelled_at(std::size_t offset) const {
        const std::string_view rest = source_->text().substr(offset);
        for (const std::string_view word : {"~", "null", "Null", "NULL"}) {
            if (!rest.starts_with(word)) continue;
            const std::string_view next = rest.substr(word.size(), 1);
            if (std::string_view(" \t\r\n,]}").find(next) != std::string_view::npos) return std::string(word);
        }
        return {};
    }

    /// Returns the range of the text itself if the source contains it verbatim; otherwise (escapes, folds, block
    /// scalars) the range of the rest of its first line.
    SourceRange scalar_range(std::size_t offset, const std::string& value) const {
        const std::string_view rest = source_->text().substr(offset);
        const std::size_t quote = rest.starts_with('"') || rest.starts_with('\'') ? 1 : 0;
        if (rest.substr(quote).starts_with(value)) return {source_, offset + quote, value.size()};
        return {source_, offset, std::min(rest.find_first_of("\r\n"), rest.size())};
    }

    SourceFilePtr source_;
    std::size_t text_start_;
    Diagnostics& faults_;
    std::vector<Open> open_;
    std::optional<YamlNode> root_;
    unsigned documents_ = 0;
};

constexpr std::size_t kMostKept = 256;

struct ParsedFiles {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, ParsedFile> by_text;
};

ParsedFiles& parsed_files() {
    static ParsedFiles all;
    return all;
}

}  // namespace

YamlNode parse_yaml(const SourceFilePtr& source, Diagnostics& faults) {
    demand_text(source, faults);
    std::string_view text = source->text();
    const std::size_t text_start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
    text.remove_prefix(text_start);

    TreeBuilder builder(source, text_start, faults);
    try {
        ViewBuffer buffer(text);
        std::istream stream(&buffer);
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {}
    } catch (const YAML::Exception& error) {
        const SourceRange range = builder.at(error.mark);
        if (const std::optional<SourceRange> tab = indenting_tab(range)) {
            faults.add(DiagnosticKind::yaml_syntax, *tab, "a tab indents this line",
                       "expected spaces, as YAML demands");
        } else {
            faults.add(DiagnosticKind::yaml_syntax, range, error.msg, expected_instead_of(error.msg));
        }
        faults.raise();
    } catch (const Stop&) {
        faults.raise();
    }
    return std::move(builder).tree();
}

ParsedFile parse_once(SourceFilePtr source, Diagnostics& faults) {
    ParsedFiles& all = parsed_files();
    std::pair<std::string, std::string> key{source->name(), std::string(source->text())};
    {
        const std::lock_guard hold(all.mutex);
        if (const auto found = all.by_text.find(key); found != all.by_text.end()) return found->second;
    }
    const std::size_t before = faults.count();
    ParsedFile parsed{source, parse_yaml(source, faults)};
    const std::lock_guard hold(all.mutex);
    if (faults.count() == before && all.by_text.size() < kMostKept) all.by_text.emplace(std::move(key), parsed);
    return parsed;
}

}  // namespace warpfront::input
