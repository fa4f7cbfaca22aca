#include "tools/prediction/propagated_error.hpp"

#include <cmath>

#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

namespace {

WideTime time_with(const scenario::ScenarioDocument& document, const scenario::UncertainFigure& figure, double value,
                   Engine engine) {
    scenario::ScenarioDocument changed = document;
    scenario::set_figure(figure, value, changed.tree);
    return predict(engine, build_experiment(scenario::read_scenario(changed))).record.finish;
}

}  // namespace

WideTime propagated_deviation(const scenario::ScenarioDocument& document, Engine engine) {
    double squares = 0.0;
    for (const scenario::UncertainFigure& figure : document.uncertain) {
        const WideTime above = time_with(document, figure, figure.value + figure.deviation, engine);
        const WideTime below = time_with(document, figure, figure.value - figure.deviation, engine);
        const double half = 0.5 * static_cast<double>((above - below).ps);
        squares += half * half;
    }
    return WideTime{static_cast<Wide>(std::round(std::sqrt(squares)))};
}

}  // namespace warpfront::tools
