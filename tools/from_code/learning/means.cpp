#include "tools/from_code/learning/means.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

double product_of(const std::vector<Unit>& units, const Values& values) {
    double product = 1;
    for (const Unit& unit : units) {
        if (unit.factor != Unit::kNone) product *= static_cast<double>(values[unit.factor]);
        if (unit.divisor != Unit::kNone) product /= static_cast<double>(values[unit.divisor]);
    }
    return product;
}

double residual_of(const Mean& mean, const std::vector<MeanSample>& samples) {
    double worst = 0;
    for (const MeanSample& sample : samples) {
        if (sample.mean > 0) worst = std::max(worst, std::abs(value_of(mean, *sample.at) / sample.mean - 1));
    }
    return worst;
}

/// Fits a mean by least squares of relative differences, through zero or with a constant.
void fit_mean(Mean& mean, const std::vector<MeanSample>& samples, bool with_constant) {
    // sums over the samples; a is the term with the slope, c the term with the constant, both divided by the sample
    double aa = 0;
    double ac = 0;
    double cc = 0;
    double a = 0;
    double c = 0;
    for (const MeanSample& sample : samples) {
        if (sample.mean <= 0) continue;
        const double constant = product_of(mean.outer, *sample.at) / sample.mean;
        const double sloped = constant * product_of(mean.inner, *sample.at);
        aa += sloped * sloped;
        ac += sloped * constant;
        cc += constant * constant;
        a += sloped;
        c += constant;
    }
    const double determinant = aa * cc - ac * ac;
    if (with_constant && determinant > 1e-9 * aa * cc) {
        mean.slope = (a * cc - c * ac) / determinant;
        mean.constant = (c * aa - a * ac) / determinant;
    } else {
        mean.slope = aa > 0 ? a / aa : 0;
        mean.constant = 0;
    }
    mean.residual = residual_of(mean, samples);
}

/// Returns true if a mean with a constant grows with its units. A negative constant occurs if boundary points are
/// excluded; it must be less than half of the rest in all runs.
bool is_sound(const Mean& mean, const std::vector<MeanSample>& samples) {
    return mean.slope > 0 && mean.constant != 0 && std::ranges::all_of(samples, [&mean](const MeanSample& each) {
               return 2 * mean.constant > -mean.slope * product_of(mean.inner, *each.at);
           });
}

/// Returns the parameters and sizes of the process grid that differ between the runs, without the unused ones.
std::vector<std::uint32_t> varied(const std::vector<MeanSample>& samples, const Variables& variables,
                                  const std::set<std::uint32_t>& unused) {
    std::vector<std::uint32_t> result;
    for (std::uint32_t v = 0; v < variables.names.size(); ++v) {
        if ((v >= Variables::kColumn && v < Variables::kParameters) || unused.contains(v)) continue;
        const auto differs = [&](const MeanSample& sample) { return (*sample.at)[v] != (*samples.front().at)[v]; };
        const bool positive =
            std::all_of(samples.begin(), samples.end(), [v](const MeanSample& sample) { return (*sample.at)[v] > 0; });
        if (positive && std::any_of(samples.begin(), samples.end(), differs)) result.push_back(v);
    }
    constexpr std::size_t kMost = 7;
    if (result.size() > kMost) result.resize(kMost);
    return result;
}

/// Returns the variables as often as they may occur in a mean, sizes of the process grid first. Sizes occur twice if
/// all ranks exchange messages. If there are few variables, all of them occur twice, as in a face of `n` by `n`.
std::vector<std::uint32_t> repeated(const std::vector<std::uint32_t>& variables, bool between_all) {
    constexpr std::size_t kFew = 4;
    std::vector<std::uint32_t> all;
    for (const std::uint32_t v : variables) {
        const bool twice = variables.size() <= kFew || (between_all && v < Variables::kColumn);
        all.insert(all.end(), twice ? 2 : 1, v);
    }
    return all;
}

/// Adds all sets of units in which each of the given variables occurs at most once.
void add_unit_sets(const std::vector<std::uint32_t>& variables, std::size_t at, std::vector<Unit>& units,
                   std::vector<std::vector<Unit>>& all) {
    if (at == variables.size()) {
        all.push_back(units);
        return;
    }
    const std::uint32_t own = variables[at];
    add_unit_sets(variables, at + 1, units, all);
    units.push_back(own < Variables::kColumn ? Unit{Unit::kNone, own} : Unit{own, Unit::kNone});
    add_unit_sets(variables, at + 1, units, all);
    units.pop_back();
    if (own < Variables::kColumn) return;
    // Sizes precede parameters. So the sizes that belong to the set are already in it.
    for (std::size_t each = 0; each < units.size(); ++each) {
        if (units[each].factor != Unit::kNone) continue;
        units[each].factor = own;
        add_unit_sets(variables, at + 1, units, all);
        units[each].factor = Unit::kNone;
    }
}

}  // namespace

double value_of(const Mean& mean, const Values& values) {
    const double inner = mean.slope * product_of(mean.inner, values) + mean.constant;
    return std::max(0.0, inner * product_of(mean.outer, values));
}

std::string text_of(const Mean& mean, const Variables& variables, const std::string& slope,
                    const std::string& constant) {
    std::string text = slope;
    const auto times = [&](const std::vector<Unit>& units) {
        for (const Unit& unit : units) {
            if (unit.factor != Unit::kNone) text += " * " + variables.names[unit.factor];
            if (unit.divisor != Unit::kNone) text += " / " + variables.names[unit.divisor];
        }
    };
    times(mean.inner);
    if (mean.constant != 0) {
        const std::string sum = constant.starts_with('-') ? fmt::format("{} - {}", text, constant.substr(1))
                                                          : fmt::format("{} + {}", text, constant);
        text = mean.outer.empty() ? sum : "(" + sum + ")";
    }
    times(mean.outer);
    return text;
}

Mean mean_law(const std::vector<MeanSample>& samples, const Variables& variables, const Partners& partners,
              std::vector<Mean>& others) {
    const std::vector<std::uint32_t>& unlikely = partners.along;
    double allowed = 0.01;
    for (const MeanSample& sample : samples) {
        if (sample.mean > 0) allowed = std::max(allowed, 2 * sample.error / sample.mean);
    }
    std::vector<std::vector<Unit>> sets;
    std::vector<Unit> units;
    const std::vector<std::uint32_t> all_varied = varied(samples, variables, partners.unused);
    add_unit_sets(repeated(all_varied, partners.all), 0, units, sets);
    std::vector<Mean> all;
    for (const std::vector<Unit>& set : sets) {
        Mean mean;
        mean.outer = set;
        fit_mean(mean, samples, false);
        all.push_back(mean);
        if (samples.size() < 3) continue;
        for (std::uint32_t inner = 1; inner < 1U << set.size(); ++inner) {
            Mean with_constant;
            for (std::size_t at = 0; at < set.size(); ++at) {
                ((inner >> at & 1) != 0 ? with_constant.inner : with_constant.outer).push_back(set[at]);
            }
            fit_mean(with_constant, samples, true);
            if (is_sound(with_constant, samples)) all.push_back(with_constant);
        }
    }
    // A size alone is less likely than a share. A whole parameter is less likely too, if other sides could share it.
    const bool has_sides = std::any_of(all_varied.begin(), all_varied.end(), [&unlikely](std::uint32_t v) {
        return v < Variables::kColumn && std::find(unlikely.begin(), unlikely.end(), v) == unlikely.end();
    });
    const auto cost = [&unlikely, has_sides](const std::vector<Unit>& set) {
        std::size_t sum = 0;
        for (const Unit& unit : set) {
            const bool share = unit.factor != Unit::kNone && unit.divisor != Unit::kNone;
            sum += unit.factor == Unit::kNone || (has_sides && !share) ? 2 : 1;
            if (std::find(unlikely.begin(), unlikely.end(), unit.divisor) != unlikely.end()) sum += 2;
        }
        return sum;
    };
    const auto numbers = [&cost](const Mean& mean) {
        return cost(mean.inner) + cost(mean.outer) + (mean.constant != 0 ? 1 : 0);
    };
    const auto key = [&](const Mean& mean) {
        const bool enough = mean.residual <= allowed;
        return std::tuple(!enough, enough ? numbers(mean) : 0, mean.residual, numbers(mean));
    };
    const Mean best =
        *std::min_element(all.begin(), all.end(), [&key](const Mean& a, const Mean& b) { return key(a) < key(b); });
    for (const Mean& each : all) {
        const bool same = each.inner == best.inner && each.outer == best.outer;
        if (!same && each.residual <= allowed && numbers(each) <= numbers(best)) others.push_back(each);
    }
    return best;
}

}  // namespace warpfront::learning
