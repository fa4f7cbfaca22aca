#include "tools/from_code/learning/laws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace warpfront::learning {

namespace {

// Prices in nats. For comparison: three runs support a law with a residual of 1 % by ten nats more than one with 30 %.
constexpr double kMissing = 3.0;      // an extent of the volume that the product lacks
constexpr double kMissingOnce = 1.0;  // the same, for a block outside of loops with messages
constexpr double kElsewhere = 2.0;    // a factor that occurs only in messages elsewhere
constexpr double kUnseen = 1.0;       // a factor that occurs in no message
constexpr double kOtherForm = 1.0;    // each step down the list of an extent's variants
constexpr double kTwice = 2.0;        // an extent that the product contains twice
constexpr double kMixed = 2.0;        // extents with and without boundary points in one product
constexpr double kConstant = 1.0;
constexpr double kShared = 2.0;  // a whole extent that the ranks share
constexpr double kRivals = 2.0;  // a law is a rival if its cost exceeds the lowest cost by at most this
constexpr std::size_t kMostRivals = 8;

// The largest difference among executions of a block on a simulated host. Larger differences have a cause in the code.
constexpr double kExact = 0.001;
// On a real host, ranks of one run and whole runs differ by this much even if single blocks do not. On a busy host they
// differ as much as ranks that do the same work.
constexpr double kRanksDiffer = 0.03;
constexpr double kRunsDiffer = 0.05;

/// The mean time of samples that belong to one run and have the same extents.
struct Cluster {
    const Values* at = nullptr;
    std::size_t run = 0;
    double picoseconds = 0.0;
    double weight = 0.0;  // the weights of all clusters of a run add up to 1
    std::size_t ranks = 0;
    double squares = 0.0;  // sum of the squared relative deviations of ranks from the mean
};

/// A candidate without its coefficients.
struct Form {
    std::vector<Atom> atoms;
    std::vector<Atom> divisors;
    double price = 0.0;
};

double product_of(const Form& form, const Values& values) {
    double product = 1.0;
    for (const Atom& atom : form.atoms) product *= static_cast<double>(value_of(atom, values));
    for (const Atom& atom : form.divisors) product /= static_cast<double>(value_of(atom, values));
    return product;
}

/// Returns the value of an extent on a rank; nothing if it is not above 0.
std::optional<double> value_of(const Extent& extent, const Values& values) {
    if (!has_value(extent.atom, values)) return std::nullopt;
    double value = static_cast<double>(value_of(extent.atom, values));
    if (extent.squared) value *= value;
    if (extent.blocks) {
        if (!has_value(*extent.blocks, values)) return std::nullopt;
        const auto blocks = static_cast<double>(value_of(*extent.blocks, values));
        if (blocks <= 0) return std::nullopt;
        value /= blocks;
    }
    return value > 0 ? std::optional(value) : std::nullopt;
}

/// Removes extents that have the same value on all ranks of all runs, since a coefficient has the same effect.
std::vector<Dimension> varied(const std::vector<TimeSample>& samples, std::vector<Dimension> dimensions) {
    for (Dimension& dimension : dimensions) {
        std::erase_if(dimension.extents, [&samples](const Extent& extent) {
            const std::optional<double> first = value_of(extent, *samples.front().at);
            bool varies = false;
            for (const TimeSample& sample : samples) {
                const std::optional<double> value = value_of(extent, *sample.at);
                if (!value) return true;
                varies = varies || *value != *first;
            }
            return !varies;
        });
    }
    std::erase_if(dimensions, [](const Dimension& each) { return each.extents.empty(); });
    return dimensions;
}

std::vector<Cluster> clusters_of(const std::vector<TimeSample>& samples, const std::vector<Dimension>& dimensions) {
    std::map<std::pair<std::size_t, std::vector<double>>, std::vector<const TimeSample*>> alike;
    std::map<std::size_t, double> ranks_of_run;
    for (const TimeSample& sample : samples) {
        std::vector<double> extents;
        for (const Dimension& dimension : dimensions) {
            for (const Extent& extent : dimension.extents) extents.push_back(*value_of(extent, *sample.at));
        }
        alike[{sample.run, extents}].push_back(&sample);
        ranks_of_run[sample.run] += 1.0;
    }
    std::vector<Cluster> clusters;
    for (const auto& [key, ranks] : alike) {
        double sum = 0.0;
        for (const TimeSample* rank : ranks) sum += rank->picoseconds;
        const auto count = static_cast<double>(ranks.size());
        Cluster cluster{ranks.front()->at, key.first, sum / count, count / ranks_of_run[key.first], ranks.size()};
        for (const TimeSample* rank : ranks) {
            const double deviation = rank->picoseconds / cluster.picoseconds - 1.0;
            cluster.squares += deviation * deviation;
        }
        clusters.push_back(cluster);
    }
    return clusters;
}

/// Returns the relative standard deviation among ranks with the same extents; 0 if there are no such ranks.
double deviation_of_ranks(const std::vector<Cluster>& clusters) {
    double squares = 0.0;
    std::size_t freedom = 0;
    for (const Cluster& cluster : clusters) {
        squares += cluster.squares;
        freedom += cluster.ranks - 1;
    }
    return freedom == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(freedom));
}

/// Fits the coefficients of a law by least squares of relative differences. All runs have the same weight.
Law fitted(const Form& form, const std::vector<Cluster>& clusters, bool with_constant) {
    double xx = 0.0;
    double x1 = 0.0;
    double one = 0.0;
    double xt = 0.0;
    double t1 = 0.0;
    double logarithms = 0.0;  // sum of the logarithms of the times per unit
    double weights = 0.0;
    for (const Cluster& cluster : clusters) {
        const double u = product_of(form, *cluster.at) / cluster.picoseconds;
        const double v = 1.0 / cluster.picoseconds;
        xx += cluster.weight * u * u;
        x1 += cluster.weight * u * v;
        one += cluster.weight * v * v;
        xt += cluster.weight * u;
        t1 += cluster.weight * v;
        logarithms -= cluster.weight * std::log(u);
        weights += cluster.weight;
    }
    Law law{form.atoms, form.divisors};
    const double determinant = xx * one - x1 * x1;
    if (!with_constant) {
        law.slope = std::exp(logarithms / weights);
    } else if (determinant > 1e-12 * xx * one) {
        law.slope = (xt * one - t1 * x1) / determinant;
        law.constant = (xx * t1 - x1 * xt) / determinant;
    }
    return law;
}

/// The residuals of a law: those of whole runs, and those of clusters within their runs.
struct Residuals {
    double between = 0.0;
    double within = 0.0;
    double all = 0.0;
};

Residuals residuals_of(const Law& law, const std::vector<Cluster>& clusters) {
    std::map<std::size_t, double> of_run;
    double squares = 0.0;
    for (const Cluster& cluster : clusters) {
        // The logarithm treats a tenth of the time and ten times the time as equally wrong.
        const double relative = std::log(value_of(law, *cluster.at) / cluster.picoseconds);
        of_run[cluster.run] += cluster.weight * relative;
        squares += cluster.weight * relative * relative;
    }
    double between = 0.0;
    for (const auto& [run, mean] : of_run) between += mean * mean;
    const auto runs = static_cast<double>(of_run.size());
    return {std::sqrt(between / runs), std::sqrt(std::max(0.0, squares - between) / runs), std::sqrt(squares / runs)};
}

/// Searches the law of a block among its candidates, in the order of their prices.
class LawSearch {
public:
    LawSearch(const std::vector<TimeSample>& samples, double noise, const std::vector<Dimension>& dimensions)
        : dimensions_(varied(samples, dimensions)),
          clusters_(clusters_of(samples, dimensions_)),
          noise_within_(noise <= kExact ? kExact : std::max(kRanksDiffer, deviation_of_ranks(clusters_))),
          noise_between_(noise <= kExact ? kExact : std::max(kRunsDiffer, deviation_of_ranks(clusters_))) {
        std::map<std::size_t, std::size_t> clusters_of_run;
        for (const Cluster& cluster : clusters_) ++clusters_of_run[cluster.run];
        runs_ = static_cast<double>(clusters_of_run.size());
        within_ = static_cast<double>(clusters_.size()) - runs_;
    }

    FoundLaw find() {
        for (const Form& form : forms()) {
            // Support is at most 0. So candidates whose price exceeds the lowest cost by more than that of rivals are
            // not tried.
            if (form.price > best_ + kRivals) break;
            try_form(form, false);
            if (!form.atoms.empty()) try_form(form, true);
        }
        std::stable_sort(tried_.begin(), tried_.end(), [](const Tried& a, const Tried& b) { return a.cost < b.cost; });
        FoundLaw found{tried_.front().law, {}};
        for (std::size_t at = 1; at < tried_.size() && found.rivals.size() < kMostRivals; ++at) {
            if (tried_[at].cost <= tried_.front().cost + kRivals) found.rivals.push_back(tried_[at].law);
        }
        return found;
    }

private:
    struct Tried {
        Law law;
        double cost = 0.0;  // price minus support
    };

    void try_form(const Form& form, bool with_constant) {
        Law law = fitted(form, clusters_, with_constant);
        if (form.atoms.empty() && form.divisors.empty()) law = {{}, {}, 0.0, law.slope};
        if ((law.slope <= 0.0 && law.constant <= 0.0) || law.slope < 0.0 || law.constant < 0.0 ||
            (with_constant && law.constant == 0.0))
            return;
        const Residuals left = residuals_of(law, clusters_);
        law.residual = left.all;
        const auto nats = [](double residual, double noise) {
            return 0.5 * std::log(1.0 + residual * residual / (noise * noise));
        };
        const double cost = form.price + (with_constant ? kConstant : 0.0) +
                            runs_ * nats(left.between, noise_between_) + within_ * nats(left.within, noise_within_);
        best_ = std::min(best_, cost);
        tried_.push_back({std::move(law), cost});
    }

    struct Prices {
        double present = 0.0;
        double missing = 0.0;
    };
    static Prices prices_of(Dimension::Evidence evidence) {
        switch (evidence) {
            case Dimension::Evidence::own_messages: return {0.0, kMissing};
            case Dimension::Evidence::rank_messages: return {0.0, kMissingOnce};
            case Dimension::Evidence::other_messages: return {kElsewhere, 0.0};
            case Dimension::Evidence::unseen: return {kUnseen, 0.0};
        }
        return {};
    }

    /// Returns the price of one variant of a dimension's extent.
    static double price_of(const Dimension& dimension, std::size_t form) {
        return static_cast<double>(form) * kOtherForm + (dimension.extents[form].squared ? kTwice : 0.0);
    }

    /// Returns the highest price of candidates that are tried. With many parameters there are millions of candidates,
    /// most of which have many further factors.
    double most_price() const {
        constexpr double kMostForms = 200'000;
        constexpr std::size_t kPrices = 64;
        std::vector<double> forms(kPrices);  // number of candidates by price; all prices are whole numbers
        forms[0] = 1.0;
        for (const Dimension& dimension : dimensions_) {
            const auto [present, missing] = prices_of(dimension.evidence);
            std::vector<double> with(kPrices);
            const auto add = [&](double price) {
                const auto by = static_cast<std::size_t>(price);
                for (std::size_t at = 0; at + by < kPrices; ++at) with[at + by] += forms[at];
            };
            add(missing);
            for (std::size_t at = 0; at < dimension.extents.size(); ++at) add(present + price_of(dimension, at));
            forms = std::move(with);
        }
        double count = 0.0;
        for (std::size_t price = 0; price < kPrices; ++price) {
            count += forms[price];
            if (count > kMostForms) return static_cast<double>(price) - 1.0;
        }
        return static_cast<double>(kPrices);
    }

    /// Returns all products of extents, with at most one extent of each dimension, sorted by price.
    std::vector<Form> forms() const {
        const double most = most_price();
        std::vector<Form> all{{}};
        for (const Dimension& dimension : dimensions_) {
            const auto [present, missing] = prices_of(dimension.evidence);
            const std::size_t before = all.size();
            for (std::size_t at = 0; at < before; ++at) {
                const Form form = all[at];
                all[at].price += missing;
                for (std::size_t each = 0; each < dimension.extents.size(); ++each) {
                    const Extent& extent = dimension.extents[each];
                    Form with = form;
                    with.price += present + price_of(dimension, each);
                    with.atoms.insert(with.atoms.end(), extent.squared ? 2 : 1, extent.atom);
                    if (extent.blocks) with.divisors.push_back(*extent.blocks);
                    if (with.price <= most) all.push_back(std::move(with));
                }
            }
            std::erase_if(all, [most](const Form& form) { return form.price > most; });
        }
        add_shared(all);
        for (Form& form : all) {
            std::sort(form.atoms.begin(), form.atoms.end());
            const auto inner = std::ranges::count_if(form.atoms, &Atom::inner);
            const auto shares = std::ranges::count_if(form.atoms, is_share);
            // A block excludes the boundary points on all sides or on none.
            if (inner != 0 && inner != shares) form.price += kMixed;
        }
        std::stable_sort(all.begin(), all.end(), [](const Form& a, const Form& b) { return a.price < b.price; });
        return all;
    }

    /// Adds candidates in which all ranks share a whole extent evenly.
    void add_shared(std::vector<Form>& all) const {
        std::vector<Atom> sides;
        for (std::uint32_t side = 0; side < 3; ++side) {
            const Atom atom{Atom::Rule::variable, side};
            const auto differs = [&](const Cluster& cluster) {
                return (*cluster.at)[side] != (*clusters_.front().at)[side];
            };
            if (std::ranges::any_of(clusters_, differs)) sides.push_back(atom);
        }
        if (sides.empty()) return;
        const std::size_t before = all.size();
        for (std::size_t at = 0; at < before; ++at) {
            const bool whole = std::ranges::all_of(all[at].atoms, [](const Atom& atom) {
                return has_one_variable(atom) && atom.rule != Atom::Rule::parts;
            });
            if (!whole || !all[at].divisors.empty()) continue;
            Form shared = all[at];
            shared.divisors = sides;
            shared.price += kShared;
            all.push_back(std::move(shared));
        }
    }

    const std::vector<Dimension> dimensions_;
    const std::vector<Cluster> clusters_;
    const double noise_within_;
    const double noise_between_;
    double runs_ = 0.0;
    double within_ = 0.0;  // number of clusters minus number of runs
    double best_ = std::numeric_limits<double>::infinity();
    std::vector<Tried> tried_;
};

}  // namespace

double value_of(const Law& law, const Values& values) {
    return law.slope * product_of({law.atoms, law.divisors}, values) + law.constant;
}

bool are_alike(const std::vector<TimeSample>& one, const std::vector<TimeSample>& other, double noise) {
    constexpr double kMost = 0.25;
    const auto by_run = [](const std::vector<TimeSample>& samples) {
        // for each run, the sum of the logarithms of times, and their number
        std::map<std::size_t, std::pair<double, double>> sums;
        for (const TimeSample& sample : samples) {
            sums[sample.run].first += std::log(sample.picoseconds);
            sums[sample.run].second += 1.0;
        }
        return sums;
    };
    const auto ones = by_run(one);
    const auto others = by_run(other);
    double sum = 0.0;
    double squares = 0.0;
    for (const auto& [run, total] : ones) {
        const auto found = others.find(run);
        if (found == others.end()) return false;
        const double difference = total.first / total.second - found->second.first / found->second.second;
        sum += difference;
        squares += difference * difference;
    }
    const auto runs = static_cast<double>(ones.size());
    if (ones.size() != others.size()) return false;
    if (noise <= kExact) return squares <= runs * kExact * kExact;
    const double mean = sum / runs;
    const double error = std::sqrt(std::max(0.0, squares / runs - mean * mean) / runs);
    return std::abs(mean) <= std::min(kMost, kRunsDiffer + 2.0 * error);
}

namespace {

/// Replaces a constant by the product of the shares that the block's messages show, if all of them are the same in all
/// runs, as in runs of one block per rank on different numbers of ranks. The constant is then a rival.
void take_equal_shares(const std::vector<TimeSample>& samples, const std::vector<Dimension>& dimensions,
                       FoundLaw& found) {
    Law law = found.law;
    if (!law.atoms.empty() || !law.divisors.empty()) return;
    for (const Dimension& dimension : dimensions) {
        if (dimension.evidence != Dimension::Evidence::own_messages || dimension.extents.empty()) continue;
        const Atom& atom = dimension.extents.front().atom;
        const Values& first = *samples.front().at;
        const auto is_equal = [&](const TimeSample& each) { return value_of(atom, *each.at) == value_of(atom, first); };
        if (!is_share(atom) || !std::ranges::all_of(samples, is_equal) || value_of(atom, first) <= 0) return;
        law.atoms.push_back(atom);
    }
    if (law.atoms.empty()) return;
    law.slope = std::exchange(law.constant, 0.0) / product_of({law.atoms, {}}, *samples.front().at);
    found.rivals.insert(found.rivals.begin(), std::exchange(found.law, std::move(law)));
}

}  // namespace

FoundLaw time_law(const std::vector<TimeSample>& samples, double noise, const std::vector<Dimension>& dimensions) {
    FoundLaw found = LawSearch(samples, noise, dimensions).find();
    take_equal_shares(samples, dimensions, found);
    return found;
}

}  // namespace warpfront::learning
