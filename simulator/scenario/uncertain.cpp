#include "simulator/scenario/uncertain.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/units/random.hpp"
#include "simulator/variation/normal.hpp"

namespace warpfront::scenario {

namespace {

constexpr double kFurthest = 3.0;  // number of standard deviations that a value must exceed

std::optional<UncertainFigure> figure_of(const YamlNode& scalar, const input::TextWithDeviation& parts,
                                         Diagnostics& faults) {
    const auto value = input::number_with_unit(parts.value);
    const auto deviation = input::number_with_unit(parts.deviation);
    const auto refuse = [&](DiagnosticKind kind, std::string_view expected) {
        faults.add(kind, scalar.range, fmt::format("`{}` is not a value with a deviation", scalar.scalar),
                   std::string(expected));
        return std::nullopt;
    };
    if (!value || !deviation) {
        return refuse(DiagnosticKind::bad_number, "expected two numbers, as in `0.414us +- 0.01us`");
    }
    if (value->unit != deviation->unit) {
        return refuse(DiagnosticKind::wrong_unit, "expected the same unit twice, as in `0.414us +- 0.01us`");
    }
    if (!(deviation->value > 0.0) || !(kFurthest * deviation->value < std::abs(value->value))) {
        return refuse(DiagnosticKind::out_of_range, "expected a deviation above 0 and below a third of the value");
    }
    return UncertainFigure{{}, value->value, deviation->value, value->unit};
}

void take(YamlNode& node, std::vector<std::size_t>& path, std::vector<UncertainFigure>& figures, Diagnostics& faults) {
    if (node.kind == YamlNode::Kind::scalar) {
        const auto parts = input::split_deviation(node.scalar);
        if (!parts) return;
        if (auto figure = figure_of(node, *parts, faults)) {
            figure->path = path;
            figures.push_back(std::move(*figure));
        }
        node.scalar = std::string(parts->value);
        return;
    }
    const bool is_list = node.kind == YamlNode::Kind::sequence;
    const std::size_t count = is_list ? node.items.size() : node.entries.size();
    for (std::size_t k = 0; k < count; ++k) {
        path.push_back(k);
        take(is_list ? node.items[k] : node.entries[k].value, path, figures, faults);
        path.pop_back();
    }
}

/// Draws a standard normal number, no further than kFurthest from 0.
double draw(Seed seed, std::size_t figure, std::uint32_t number) {
    Random random(seed, Purpose::figure, static_cast<std::uint32_t>(figure), number);
    for (;;) {
        const double drawn = variation::standard_normal(random.bits());
        if (std::abs(drawn) <= kFurthest) return drawn;
    }
}

}  // namespace

std::vector<UncertainFigure> take_uncertain(YamlNode& tree, Diagnostics& faults) {
    std::vector<UncertainFigure> figures;
    std::vector<std::size_t> path;
    take(tree, path, figures, faults);
    return figures;
}

void set_figure(const UncertainFigure& figure, double value, YamlNode& tree) {
    YamlNode* node = &tree;
    for (const std::size_t step : figure.path) {
        node = node->kind == YamlNode::Kind::sequence ? &node->items[step] : &node->entries[step].value;
    }
    const input::Unit* const unit = input::find_unit(figure.unit);
    if (unit != nullptr && unit->dimension == input::Dimension::bytes) {
        node->scalar = fmt::format("{:.0f}B", std::round(value * unit->factor));
        return;
    }
    node->scalar = fmt::format("{:.15g}{}", value, figure.unit);
}

void draw_figures(const std::vector<UncertainFigure>& figures, Seed seed, std::uint32_t number, YamlNode& tree) {
    for (std::size_t k = 0; k < figures.size(); ++k) {
        set_figure(figures[k], figures[k].value + figures[k].deviation * draw(seed, k, number), tree);
    }
}

}  // namespace warpfront::scenario
