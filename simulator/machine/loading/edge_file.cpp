#include "simulator/machine/loading/interconnect.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"

namespace warpfront::machine {

namespace {

constexpr std::string_view kBetweenFields = " \t\r";
constexpr std::ptrdiff_t kDeepestBraces = 32;
constexpr std::size_t kLargestGraphviz = std::size_t{4} << 20;

struct Word {
    std::string text;
    SourceRange range;
};

/// The optional columns of an edge, which follow its two switches.
struct Columns {
    std::optional<Word> bandwidth;
    std::optional<Word> latency;
};

/// Switches by name, and the edges between them. Both have their ranges in the source.
class Edges {
public:
    Edges(const SourceFilePtr& source, Diagnostics& faults) : source_(source), faults_(faults) {}

    void add(const Word& a, const Word& b, const Columns& columns) {
        EdgeFile::Own own;
        if (columns.bandwidth) own.gap = input::parse_gap(columns.bandwidth->text, columns.bandwidth->range, faults_);
        if (columns.latency) own.latency = input::parse_time(columns.latency->text, columns.latency->range, faults_);
        some_own_ = some_own_ || own.gap || own.latency;
        const std::uint32_t from = number(a);
        const std::uint32_t to = number(b);
        if (from == to) {
            faults_.add(DiagnosticKind::bad_edge, b.range, fmt::format("this edge joins `{}` to itself", a.text),
                        "expected two different switches");
        } else if (!edges_.emplace(std::minmax(from, to), own).second) {
            faults_.add(DiagnosticKind::bad_edge, b.range,
                        fmt::format("`{}` and `{}` are joined twice", a.text, b.text),
                        "expected each pair only once; `parallel` in `links` adds parallel links");
        }
    }

    std::optional<EdgeFile> read() {
        const auto count = static_cast<std::uint32_t>(names_.size());
        if (count > kMostSwitches) {
            faults_.add(DiagnosticKind::platform_limits, names_[kMostSwitches].range,
                        fmt::format("the table of routes of {} switches takes {} MiB", count,
                                    (std::uint64_t{count} * count) >> 20),
                        fmt::format("expected at most {} switches", kMostSwitches));
        }
        if (count == 0)
            faults_.add(DiagnosticKind::bad_edge, {source_, 0, 0}, "the file has no edges",
                        "expected lines with the names of two switches");
        check_ports();
        if (!faults_.empty()) return std::nullopt;
        std::vector<Pair> pairs;
        for (const auto& [pair, own] : edges_) pairs.push_back(pair);
        EdgeFile file{SwitchGraph(count, pairs), {}};
        if (const auto far = file.graph.unreachable()) {
            faults_.add(DiagnosticKind::unreachable_switch, names_[*far].range,
                        fmt::format("switch `{}` cannot be reached from `{}`", names_[*far].text, names_[0].text),
                        "expected edges that join all switches");
            return std::nullopt;
        }
        if (some_own_) file.own = own_of_links(file.graph);
        return file;
    }

private:
    using Pair = std::pair<std::uint32_t, std::uint32_t>;

    std::vector<EdgeFile::Own> own_of_links(const SwitchGraph& graph) const {
        std::vector<EdgeFile::Own> own;
        for (std::uint32_t at = 0; at < graph.switches(); ++at) {
            for (std::uint32_t port = 0; port < graph.ports(at); ++port) {
                own.push_back(edges_.at(std::minmax(at, graph.neighbour(at, port))));
            }
        }
        return own;
    }

    std::uint32_t number(const Word& word) {
        const auto [known, is_new] = numbers_.emplace(word.text, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(word);
        return known->second;
    }
    void check_ports() {
        std::vector<std::uint32_t> ports(names_.size());
        for (const auto& [pair, own] : edges_) {
            for (const std::uint32_t end : {pair.first, pair.second}) {
                if (++ports[end] != kMostPorts + 1) continue;
                faults_.add(DiagnosticKind::bad_edge, names_[end].range,
                            fmt::format("switch `{}` has more than {} neighbours", names_[end].text, kMostPorts));
            }
        }
    }

    const SourceFilePtr& source_;
    Diagnostics& faults_;
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<Word> names_;
    std::map<Pair, EdgeFile::Own> edges_;  // values of each edge; the key begins with the lower switch number
    bool some_own_ = false;
};

/// Returns the words of a line that begins at offset `start`.
std::vector<Word> words_of(const SourceFilePtr& source, std::string_view line, std::size_t start) {
    line = line.substr(0, line.find('#'));
    std::vector<Word> words;
    for (std::size_t at = line.find_first_not_of(kBetweenFields); at != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(kBetweenFields, at), line.size());
        words.push_back({std::string(line.substr(at, end - at)), {source, start + at, end - at}});
        at = line.find_first_not_of(kBetweenFields, end);
    }
    return words;
}

/// Adds the value of a column; its unit shows whether it is a bandwidth or a latency. Adds an error and returns false
/// if it is neither, or if the edge already has such a value.
bool add_column(const Word& word, Columns& columns, Diagnostics& faults) {
    const auto number = input::leading_number<double>(word.text);
    const std::string unit_name = word.text.substr(number.length);
    const input::Unit* const unit = number.length > 0 ? input::find_unit(unit_name) : nullptr;
    const bool is_time = unit != nullptr && unit->dimension == input::Dimension::time;
    const bool is_bandwidth =
        unit != nullptr && (unit->dimension == input::Dimension::bandwidth || unit->dimension == input::Dimension::gap);
    if (!is_time && !is_bandwidth) {
        constexpr std::array kDimensions{input::Dimension::bandwidth, input::Dimension::time};
        const bool unknown_unit = number.length > 0 && !unit_name.empty() && unit == nullptr;
        faults.add(DiagnosticKind::bad_edge, word.range,
                   fmt::format("`{}` is neither a bandwidth nor a latency", word.text),
                   unknown_unit ? input::unit_suggestion(unit_name, kDimensions)
                                : "expected two switches and then, with their units, a bandwidth or a latency or both, "
                                  "such as `a b 6GB/s 50ns`");
        return false;
    }
    std::optional<Word>& column = is_time ? columns.latency : columns.bandwidth;
    if (column) {
        faults.add(DiagnosticKind::bad_edge, word.range,
                   fmt::format("`{}` is a second {} of this edge", word.text, is_time ? "latency" : "bandwidth"),
                   "expected at most one bandwidth and one latency");
        return false;
    }
    column = word;
    return true;
}

void read_line(const std::vector<Word>& words, Edges& edges, Diagnostics& faults) {
    if (words.size() < 2) {
        faults.add(DiagnosticKind::bad_edge, words.front().range, "the line has only one name",
                   "expected the names of the two switches that the edge joins");
        return;
    }
    Columns columns;
    for (std::size_t k = 2; k < words.size(); ++k) {
        if (!add_column(words[k], columns, faults)) return;
    }
    edges.add(words[0], words[1], columns);
}

void read_lines(const SourceFilePtr& source, Edges& edges, Diagnostics& faults) {
    std::string_view rest = source->text();
    for (std::size_t start = 0; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::vector<Word> words = words_of(source, line, start);
        if (!words.empty()) read_line(words, edges, faults);
        const std::size_t step = std::min(line.size() + 1, rest.size());
        start += step;
        rest.remove_prefix(step);
    }
}

/// Returns true if braces are nested too deeply for Boost's parser, which is recursive.
bool too_deep(std::string_view text) {
    std::ptrdiff_t depth = 0;
    return std::ranges::any_of(text, [&](char c) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        return depth > kDeepestBraces;
    });
}

void read_graphviz(const SourceFilePtr& source, Edges& edges, Diagnostics& faults) {
    const SourceRange start{source, 0, 0};
    if (source->text().size() > kLargestGraphviz || too_deep(source->text())) {
        faults.add(DiagnosticKind::bad_edge, start, "this Graphviz file is too large, or nested too deeply",
                   fmt::format("expected at most {} MiB and {} braces deep", kLargestGraphviz >> 20, kDeepestBraces));
        return;
    }
    struct Name {
        std::string name;
    };
    struct Attributes {
        std::string bandwidth;
        std::string latency;
    };
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Name, Attributes>;
    Graph graph;
    boost::dynamic_properties properties(boost::ignore_other_properties);
    properties.property("node_id", boost::get(&Name::name, graph));
    properties.property("bandwidth", boost::get(&Attributes::bandwidth, graph));
    properties.property("latency", boost::get(&Attributes::latency, graph));
    try {
        std::istringstream stream{std::string(source->text())};
        boost::read_graphviz(stream, graph, properties);
    } catch (const std::exception& error) {
        faults.add(DiagnosticKind::bad_edge, start,
                   fmt::format("this is not an undirected Graphviz graph: {}", error.what()));
        return;
    }
    const auto word = [&](auto vertex) { return Word{graph[vertex].name, start}; };
    // Boost reports no position. Every occurrence of the wrong value is wrong, so the first one in the file is
    // reported.
    const auto column = [&](const std::string& value) -> std::optional<Word> {
        if (value.empty()) return std::nullopt;
        const std::size_t at = source->text().find(value);
        return Word{value, at == std::string_view::npos ? start : SourceRange{source, at, value.size()}};
    };
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        const Attributes& attributes = graph[edge];
        edges.add(word(boost::source(edge, graph)), word(boost::target(edge, graph)),
                  {column(attributes.bandwidth), column(attributes.latency)});
    }
}

}  // namespace

std::optional<EdgeFile> read_edge_file(const SourceFilePtr& source, Diagnostics& faults) {
    Diagnostics found;
    Edges edges(source, found);
    if (source->name().ends_with(".dot") || source->name().ends_with(".gv")) {
        read_graphviz(source, edges, found);
    } else {
        read_lines(source, edges, found);
    }
    auto file = found.empty() ? edges.read() : std::nullopt;
    faults.add(found);
    return file;
}

}  // namespace warpfront::machine
