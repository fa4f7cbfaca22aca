#include "simulator/machine/loading/edge_file.hpp"

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using input::SourceRange;

constexpr std::string_view kBetweenFields = " \t\r";
constexpr std::ptrdiff_t kDeepestBraces = 32;
constexpr std::size_t kLargestGraphviz = std::size_t{4} << 20;

struct Word {
    std::string text;
    SourceRange range;
};

/// Switches by name and the edges between them, with their ranges in the source.
class Edges {
public:
    Edges(const SourceFilePtr& source, Diagnostics& faults) : source_(source), faults_(faults) {}

    void add(const Word& a, const Word& b) {
        const std::uint32_t from = number(a);
        const std::uint32_t to = number(b);
        if (from == to) {
            faults_.add(DiagnosticKind::bad_edge, b.range, fmt::format("`{}` is joined to itself", a.text));
        } else if (!seen_.insert(std::minmax(from, to)).second) {
            faults_.add(DiagnosticKind::bad_edge, b.range,
                        fmt::format("`{}` and `{}` are joined twice", a.text, b.text),
                        "for links side by side, see `parallel` in `links`");
        } else {
            edges_.emplace_back(from, to);
        }
    }

    std::optional<SwitchGraph> graph() {
        const auto count = static_cast<std::uint32_t>(names_.size());
        if (count > kMostSwitches) {
            faults_.add(DiagnosticKind::platform_limits, names_[kMostSwitches].range,
                        fmt::format("{} switches, whose table of routes takes {} MiB", count,
                                    (std::uint64_t{count} * count) >> 20),
                        fmt::format("expected at most {}", kMostSwitches));
        }
        if (count == 0)
            faults_.add(DiagnosticKind::bad_edge, {source_, 0, 0}, "no edges", "expected lines of two names");
        check_ports();
        if (!faults_.empty()) return std::nullopt;
        SwitchGraph graph(count, edges_);
        if (const auto far = graph.unreachable()) {
            faults_.add(DiagnosticKind::unreachable_switch, names_[*far].range,
                        fmt::format("switch `{}` cannot be reached from `{}`", names_[*far].text, names_[0].text));
            return std::nullopt;
        }
        return graph;
    }

private:
    std::uint32_t number(const Word& word) {
        const auto [known, is_new] = numbers_.emplace(word.text, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(word);
        return known->second;
    }
    void check_ports() {
        std::vector<std::uint32_t> ports(names_.size());
        for (const auto& [a, b] : edges_) {
            for (const std::uint32_t end : {a, b}) {
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
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen_;
};

/// The words of a line that begins at `start`.
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

void read_lines(const SourceFilePtr& source, Edges& edges, Diagnostics& faults) {
    std::string_view rest = source->text();
    for (std::size_t start = 0; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const std::vector<Word> words = words_of(source, line, start);
        if (words.size() == 2) {
            edges.add(words[0], words[1]);
        } else if (!words.empty()) {
            faults.add(DiagnosticKind::bad_edge, words.front().range, fmt::format("{} names on a line", words.size()),
                       "expected two switches that are joined");
        }
        const std::size_t step = std::min(line.size() + 1, rest.size());
        start += step;
        rest.remove_prefix(step);
    }
}

/// Boost's parser recurses for each nested brace.
bool too_deep(std::string_view text) {
    std::ptrdiff_t depth = 0;
    return std::any_of(text.begin(), text.end(), [&](char c) {
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
    using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, Name>;
    Graph graph;
    boost::dynamic_properties properties(boost::ignore_other_properties);
    properties.property("node_id", boost::get(&Name::name, graph));
    try {
        std::istringstream stream{std::string(source->text())};
        boost::read_graphviz(stream, graph, properties);
    } catch (const std::exception& error) {
        faults.add(DiagnosticKind::bad_edge, start, fmt::format("no undirected Graphviz graph: {}", error.what()));
        return;
    }
    const auto word = [&](auto vertex) { return Word{graph[vertex].name, start}; };
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        edges.add(word(boost::source(edge, graph)), word(boost::target(edge, graph)));
    }
}

}  // namespace

std::optional<SwitchGraph> read_edge_file(const SourceFilePtr& source, Diagnostics& faults) {
    Diagnostics found;
    Edges edges(source, found);
    if (source->name().ends_with(".dot") || source->name().ends_with(".gv")) {
        read_graphviz(source, edges, found);
    } else {
        read_lines(source, edges, found);
    }
    auto graph = found.empty() ? edges.graph() : std::nullopt;
    faults.add(found);
    return graph;
}

}  // namespace warpfront::machine
