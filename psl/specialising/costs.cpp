#include "psl/specialising/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "psl/specialising/bound_values.hpp"
#include "psl/specialising/limits.hpp"
#include "psl/specialising/specialiser.hpp"

namespace warpfront::psl {
namespace {

using Form = Statement::Form;

class Report {
public:
    Report(const CheckedModel& model, const Graph& graph) : model_(model), graph_(graph), evaluator_(graph) {}

    void add(const CostEntry& entry, unsigned depth) {
        if (depth == 0 && graph_[entry.value].level > 0)
            return;  // such a value belongs to several iterations, and each of them records its own
        if (depth == 0 && entry.parts.size() == 1 && entry.parts[0].value == entry.value) {
            return add(entry.parts[0], depth);  // the entry is a `compute` that contains only one subtask
        }
        if (depth == 0 && !seen_.emplace(span_of(entry).file, span_of(entry).offset, entry.value).second) return;
        const bool let = entry.statement != nullptr && entry.statement->form == Form::let;
        report_.lines.push_back({depth, let ? CostRange{} : range(entry.value), model_.line(span_of(entry)),
                                 names(entry), place(span_of(entry))});
        for (const CostEntry& part : entry.parts) add(part, depth + 1);
    }

    /// Adds the application's own names, after they have values.
    void add_values(const Folding& folding, const Bindings& bindings) {
        for (const Statement& each : model_.application->body) {
            const bool parameter = each.form == Form::parameter;
            if (!parameter && each.form != Form::let) continue;
            const auto bound = bindings.parameters.find(each.name.text);
            std::string source = place(each.span);
            if (parameter && bound != bindings.parameters.end() && bound->second.range.source) {
                source = place(bound->second.range);
            } else if (parameter) {
                source = "default, " + source;
            }
            report_.values.push_back(
                {each.name.text, text_of(folding.application[each.slot.index]), std::move(source)});
        }
    }

    CostReport take() { return std::move(report_); }

private:
    static Span span_of(const CostEntry& entry) {
        return entry.call != nullptr ? entry.call->span : entry.statement->span;
    }

    std::string place(Span span) const { return place(model_.range_of(span)); }
    static std::string place(const SourceRange& range) {
        return fmt::format("{}:{}", range.source->name(), range.source->position(range.offset).line);
    }

    /// Returns the least and the greatest cost. If an evaluation fails on a rank, the rank does not execute the entry,
    /// and its value does not count.
    CostRange range(NodeId node) {
        CostRange result;
        if (graph_[node].level > 0 || graph_[node].kind != Kind::time) return result;
        if (depends_on_task(node)) return result;
        const std::uint64_t ranks = graph_[node].literal() ? 1 : graph_.grid().ranks();
        if (ranks > kMostEvaluations / 1000) return result;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            try {
                evaluator_.set_rank(Rank{rank});
                const auto ps = static_cast<std::int64_t>(std::llround(evaluator_.value(node).amount));
                result.least = result.known ? std::min(result.least, ps) : ps;
                result.most = result.known ? std::max(result.most, ps) : ps;
                result.known = true;
            } catch (const BadInput&) {
                continue;
            }
        }
        return result;
    }

    bool depends_on_task(NodeId node) const {
        return any_part(graph_, node, [this](NodeId part) { return graph_[part].op == OperatorKind::task_index; });
    }

    std::string names(const CostEntry& entry) const {
        std::string all;
        for (const CostEntry::NamedNode& name : entry.names) {
            const std::string text = fmt::format("{} = {}", name.name, text_of(name.value));
            if (all.find(text) == std::string::npos) all += (all.empty() ? "" : ", ") + text;
        }
        return all;
    }

    std::string text_of(const NameBinding& binding) const {
        if (binding.items.empty()) return text_of(binding.node);
        std::string all;
        for (const NodeId item : binding.items) all += (all.empty() ? "" : ", ") + text_of(item);
        return "[" + all + "]";
    }

    std::string text_of(NodeId node) const {
        if (graph_[node].literal()) return to_text(graph_[node].value);
        if (depends_on_task(node)) return "(by task)";
        return graph_[node].level > 0 ? "(by iteration)" : "(by rank)";
    }

    const CheckedModel& model_;
    const Graph& graph_;
    Evaluator evaluator_;
    CostReport report_;
    std::set<std::tuple<std::uint32_t, std::uint32_t, NodeId>> seen_;
};

}  // namespace

CostReport costs(const Model& model, const Bindings& bindings) {
    const CheckedModel& checked = model.checked();
    Graph graph(checked, bindings.grid);
    Slots slots(graph);
    Specialiser specialiser(checked, bindings, graph, slots);
    std::vector<CostEntry> recorded;
    specialiser.record(recorded);
    if (model.has_tasks()) {
        program::Program tasks;
        specialiser.run_tasks(bound_values(model, bindings), tasks);
    } else {
        specialiser.run(bound_values(model, bindings));
    }
    Report report(checked, graph);
    for (const CostEntry& entry : recorded) report.add(entry, 0);
    report.add_values(specialiser.folding(), bindings);
    return report.take();
}

}  // namespace warpfront::psl
