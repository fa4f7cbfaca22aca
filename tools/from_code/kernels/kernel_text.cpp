#include "tools/from_code/kernels/kernel_text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/syntax/keywords.hpp"
#include "psl/syntax/types.hpp"
#include "simulator/input/words.hpp"
#include "tools/answer/rendering/text_table.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::kernels {

namespace {

using Coefficients = std::vector<Rational>;

std::vector<std::string> names_of(const std::vector<DeckParameter>& parameters) {
    std::vector<std::string> names;
    for (const DeckParameter& parameter : parameters) names.push_back(parameter.name);
    return names;
}

std::string place_of(const SourceLine& line) {
    const std::size_t slash = line.file.rfind('/');
    return fmt::format("{}:{}", slash == std::string::npos ? line.file : line.file.substr(slash + 1), line.line);
}

/// Returns the line of a side, with a number if there are several on one line.
std::string label_of(const KernelCounts& counts, std::size_t side) {
    const SourceLine& line = counts.sides[side].line;
    std::size_t number = 1;
    std::size_t all = 0;
    for (std::size_t other = 0; other < counts.sides.size(); ++other) {
        if (counts.sides[other].line != line) continue;
        ++all;
        if (other < side) ++number;
    }
    return all > 1 ? fmt::format("{} ({})", place_of(line), number) : place_of(line);
}

std::string grouped(const Rational& number) {
    if (denominator(number) != 1) return fmt::format("{:.1f}", number.convert_to<double>());
    std::string digits = numerator(number).str();
    for (std::size_t at = digits.size(); at > 3; at -= 3) {
        if (digits[at - 4] != '-') digits.insert(at - 3, ",");
    }
    return digits;
}

/// Formats a polynomial over the products, plus the terms of the sides of branches.
std::string whole_text(const KernelCounts& counts, const Coefficients& coefficients) {
    const std::vector<std::string> names = names_of(counts.parameters);
    std::string text = text_of(coefficients, counts.products, names);
    for (std::size_t side = 0; side < counts.sides.size(); ++side) {
        const Rational& coefficient = coefficients[counts.products.size() + side];
        if (coefficient == 0) continue;
        const Rational size = coefficient < 0 ? Rational(-coefficient) : coefficient;
        if (text == "0") text.clear();
        if (!text.empty()) text += coefficient < 0 ? " - " : " + ";
        if (text.empty() && coefficient < 0) text += "-";
        text += fmt::format("{} [{}]", size.str(), label_of(counts, side));
    }
    return text;
}

/// Returns the operations that occur, in the order of the table.
std::vector<std::pair<std::string, const Coefficients*>> operations_in(const KernelCounts& counts) {
    std::vector<std::pair<std::string, const Coefficients*>> found;
    for (const Operation& operation : operations()) {
        const auto at = counts.operations.find(operation.name);
        if (at != counts.operations.end()) found.emplace_back(at->first, &at->second);
    }
    return found;
}

std::string deck_table(const KernelCounts& counts) {
    const std::string empty(tools::kEmptyCell);
    tools::TextTable table(1);
    table.add_texts("deck", counts.decks, [&](const CountedDeck& row) { return text_of(row.deck, counts.parameters); });
    table.add("instructions", counts.decks, [](const CountedDeck& row) { return grouped(row.counted); });
    table.add("predicted", counts.decks,
              [&](const CountedDeck& row) { return row.is_held_out ? grouped(row.predicted) : empty; });
    table.add("by probabilities", counts.decks, [&](const CountedDeck& row) {
        return counts.sides.empty() ? empty : fmt::format("{:.1f}", row.by_probability.convert_to<double>());
    });
    table.add_texts("use", counts.decks, [](const CountedDeck& row) {
        if (!row.is_held_out) return "fitted";
        return row.counted == row.predicted ? "decks that the fit did not use: equal"
                                            : "decks that the fit did not use: not equal";
    });
    return table.render();
}

std::string operation_table(const KernelCounts& counts) {
    std::vector<std::pair<std::string, const Coefficients*>> rows{{"instructions", &counts.instructions}};
    if (!counts.flops.empty()) rows.emplace_back("flops", &counts.flops);
    for (const auto& [what, coefficients] : operations_in(counts)) rows.emplace_back("  " + what, coefficients);
    tools::TextTable table(1);
    table.add_texts("of a call", rows, [](const auto& row) { return row.first; });
    table.add_texts("number", rows, [&](const auto& row) { return whole_text(counts, *row.second); });
    return table.render();
}

std::string timing_text(const KernelCounts& counts, const TimedDeck& timed) {
    const double seconds = regression::median_of(timed.seconds);
    return fmt::format("measured        {:.6g} us on {}, the median of {}\nachieved rate   {:.6g} Mflop/s\n",
                       seconds * 1e6, text_of(timed.deck, counts.parameters),
                       input::counted(timed.seconds.size(), "call"),
                       seconds > 0.0 ? flops_on(counts, timed.deck) / seconds * 1e-6 : 0.0);
}

/// A nest of `loop`s. Each product has a block, inside the block of the largest product that divides it.
class LoopNest {
public:
    LoopNest(const KernelCounts& counts, std::vector<std::pair<std::string, Coefficients>> entries)
        : counts_(counts), names_(names_of(counts.parameters)), entries_(std::move(entries)) {
        absorb_other_sides();
        const std::size_t size = counts_.products.size();
        used_.assign(size, false);
        for (std::size_t product = 0; product < size; ++product) {
            used_[product] = has_entries(product) || has_cases(product) || product == 0;
        }
    }

    std::string text() const {
        std::string text = block(0, 1);
        for (std::size_t side = 0; side < counts_.sides.size(); ++side) {
            if (!has_case(side) || product_of_host(side)) continue;
            text += fmt::format("    loop {} {{\n{}    }}\n", model_expression(counts_.sides[side].host),
                                case_text(side, 2));
        }
        return text;
    }

private:
    /// Replaces negative numbers of a side of a branch. A number n < 0 on one side becomes n for each execution of the
    /// branch, and -n on the other side. A number stays negative if the replacement would make coefficients of products
    /// negative.
    void absorb_other_sides() {
        const std::size_t products = counts_.products.size();
        others_.assign(entries_.size(), Coefficients(counts_.sides.size(), 0));
        for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
            Coefficients& coefficients = entries_[entry].second;
            for (std::size_t side = 0; side < counts_.sides.size(); ++side) {
                Rational& own = coefficients[products + side];
                if (own >= 0) continue;
                Coefficients with_host(coefficients.begin(),
                                       coefficients.begin() + static_cast<std::ptrdiff_t>(products));
                for (std::size_t k = 0; k < products; ++k) with_host[k] += own * counts_.sides[side].host[k];
                const bool clear =
                    std::none_of(with_host.begin(), with_host.end(), [](const Rational& c) { return c < 0; });
                if (!clear) continue;
                std::copy(with_host.begin(), with_host.end(), coefficients.begin());
                others_[entry][side] = -own;
                own = 0;
            }
        }
    }

    bool has_entries(std::size_t product) const {
        return std::any_of(entries_.begin(), entries_.end(),
                           [&](const auto& entry) { return entry.second[product] != 0; });
    }
    bool has_case(std::size_t side) const {
        for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
            if (own(entry, side) != 0 || others_[entry][side] != 0) return true;
        }
        return false;
    }
    bool has_cases(std::size_t product) const {
        for (std::size_t side = 0; side < counts_.sides.size(); ++side) {
            if (has_case(side) && product_of_host(side) == product) return true;
        }
        return false;
    }
    const Rational& own(std::size_t entry, std::size_t side) const {
        return entries_[entry].second[counts_.products.size() + side];
    }

    /// Returns the product with the same number of executions as the branch, if there is one.
    std::optional<std::size_t> product_of_host(std::size_t side) const {
        const Coefficients& host = counts_.sides[side].host;
        std::optional<std::size_t> found;
        for (std::size_t k = 0; k < host.size(); ++k) {
            if (host[k] == 0) continue;
            if (found || host[k] != 1) return std::nullopt;
            found = k;
        }
        return found;
    }

    std::string model_expression(const Coefficients& coefficients) const {
        std::string text;
        for (std::size_t k = 0; k < counts_.products.size(); ++k) {
            if (coefficients[k] == 0) continue;
            const std::string product = text_of(counts_.products[k], names_, " * ");
            const bool negative = coefficients[k] < 0;
            const Rational size = negative ? Rational(-coefficients[k]) : coefficients[k];
            text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
            if (product.empty() || size != 1) text += text_of(size);
            if (!product.empty() && size != 1) text += " * ";
            text += product;
        }
        return text.empty() ? "0" : text;
    }

    /// Returns the largest product in use that divides this one; of several, the first.
    std::size_t parent_of(std::size_t product) const {
        std::size_t parent = 0;
        unsigned best = 0;
        for (std::size_t other = 0; other < counts_.products.size(); ++other) {
            if (!used_[other] || other == product) continue;
            unsigned degree = 0;
            bool divides = true;
            for (std::size_t k = 0; k < names_.size(); ++k) {
                degree += counts_.products[other][k];
                divides &= counts_.products[other][k] <= counts_.products[product][k];
            }
            if (!divides || degree <= best) continue;
            parent = other;
            best = degree;
        }
        return parent;
    }

    std::string block(std::size_t product, unsigned depth) const {
        const std::string indent(std::size_t{4} * depth, ' ');
        std::string text;
        for (const auto& [name, coefficients] : entries_) {
            if (coefficients[product] != 0)
                text += fmt::format("{}{} {}\n", indent, name, text_of(coefficients[product]));
        }
        for (std::size_t side = 0; side < counts_.sides.size(); ++side) {
            if (has_case(side) && product_of_host(side) == product) text += case_text(side, depth);
        }
        for (std::size_t inner = 1; inner < counts_.products.size(); ++inner) {
            if (!used_[inner] || inner == product || parent_of(inner) != product) continue;
            Exponents trips = counts_.products[inner];
            for (std::size_t k = 0; k < trips.size(); ++k) trips[k] -= counts_.products[product][k];
            text += fmt::format("{}loop {} {{\n{}{}}}\n", indent, text_of(trips, names_, " * "),
                                block(inner, depth + 1), indent);
        }
        return text;
    }

    std::string case_text(std::size_t side, unsigned depth) const {
        const std::string indent(std::size_t{4} * depth, ' ');
        const BranchSide& branch = counts_.sides[side];
        const auto probability = branch.probability.convert_to<double>();
        std::string text = fmt::format("{}// {}: {:.3g} to {:.3g} on the decks\n{}case {{\n", indent,
                                       label_of(counts_, side), branch.least, branch.most, indent);
        const auto alternative = [&](double p, const auto& number) {
            std::string counts;
            for (std::size_t entry = 0; entry < entries_.size(); ++entry) {
                if (number(entry) == 0) continue;
                counts += fmt::format("{}        {} {}\n", indent, entries_[entry].first, text_of(number(entry)));
            }
            if (!counts.empty()) text += fmt::format("{0}    {1:.6f} {{\n{2}{0}    }}\n", indent, p, counts);
        };
        alternative(probability, [&](std::size_t entry) { return own(entry, side); });
        alternative(1.0 - probability, [&](std::size_t entry) { return others_[entry][side]; });
        return text + indent + "}\n";
    }

    const KernelCounts& counts_;
    std::vector<std::string> names_;
    std::vector<std::pair<std::string, Coefficients>> entries_;  // the beginning of an entry, and its coefficients
    std::vector<Coefficients> others_;                           // numbers of the other side of each branch, by entry
    std::vector<bool> used_;                                     // products that have a block
};

/// Formats the library functions that the counts lack, each on a line with a prefix.
std::string left_out_text(const KernelCounts& counts, const std::string& prefix) {
    std::string text;
    for (const LeftOut& each : counts.left_out) {
        text += fmt::format("{}without `{}` of {}: {:.2g} to {:.2g} % of the instructions on the decks\n", prefix,
                            each.function, each.library, 100.0 * each.least, 100.0 * each.most);
    }
    return text;
}

std::string declared(const std::string& name, const KernelCounts& counts) {
    std::vector<std::string> parameters;
    for (const DeckParameter& parameter : counts.parameters) {
        if (!parameter.is_constant()) parameters.push_back(parameter.name + ": int");
    }
    return fmt::format("subtask {}({}): time {{\n", name, fmt::join(parameters, ", "));
}

}  // namespace

double flops_on(const KernelCounts& counts, const Deck& deck) {
    if (counts.flops.empty()) return 0.0;
    std::vector<Rational> values = values_of(counts.products, deck);
    const std::vector<Rational> alone = values;
    for (const BranchSide& side : counts.sides) values.push_back(side.probability * product_of(side.host, alone));
    return product_of(counts.flops, values).convert_to<double>();
}

std::string report(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed) {
    std::string text =
        fmt::format("kernel          {}, {} on each deck\n", kernel, "called " + input::times(counts.calls));
    if (timed) text += timing_text(counts, *timed);
    text += "\n" + deck_table(counts) + "\n" + operation_table(counts);
    for (std::size_t k = 0; k < counts.sides.size(); ++k) {
        const BranchSide& side = counts.sides[k];
        text += fmt::format("\n[{}] is taken {:.4g} % of the time, {:.4g} to {:.4g} % on the decks, of {}\n",
                            label_of(counts, k), side.probability.convert_to<double>() * 100.0, side.least * 100.0,
                            side.most * 100.0, text_of(side.host, counts.products, names_of(counts.parameters)));
    }
    if (!counts.unclassed.empty()) text += fmt::format("\nother: {}\n", fmt::join(counts.unclassed, ", "));
    if (!counts.left_out.empty()) text += "\n" + left_out_text(counts, "");
    return text;
}

std::string model_name(const std::string& kernel) {
    std::string name = kernel.substr(0, kernel.find_first_of("(<."));
    while (name.ends_with('_')) name.pop_back();
    for (char& letter : name) {
        if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
    }
    const bool is_free = psl::find_keyword(name) == nullptr && psl::find_builtin(name) == nullptr;
    return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 || !is_free ? "kernel_" + name
                                                                                                   : name;
}

std::string model_text(const std::string& kernel, const KernelCounts& counts, const std::optional<TimedDeck>& timed,
                       const std::string& made_by) {
    const std::string name = model_name(kernel);
    std::string text = fmt::format("// The operations of one call of {}, counted by\n//   {}\n", kernel, made_by);
    std::vector<std::string> constants;
    for (const DeckParameter& parameter : counts.parameters) {
        if (parameter.is_constant()) constants.push_back(fmt::format("{} = {}", parameter.name, parameter.least));
    }
    if (!constants.empty()) text += fmt::format("// with {}\n", fmt::join(constants, ", "));
    text += left_out_text(counts, "// ");
    if (timed && regression::median_of(timed->seconds) > 0.0) {
        text += fmt::format("// On the host of the counts a call takes {:.6g} us for {}: {:.6g} Mflop/s\n",
                            regression::median_of(timed->seconds) * 1e6, text_of(timed->deck, counts.parameters),
                            flops_on(counts, timed->deck) / regression::median_of(timed->seconds) * 1e-6);
    }
    std::vector<std::pair<std::string, Coefficients>> entries;
    for (const auto& [what, coefficients] : operations_in(counts)) entries.emplace_back("count " + what, *coefficients);
    text += fmt::format("{}{}}}\n", declared(name, counts), LoopNest(counts, entries).text());
    if (counts.flops.empty()) return text;
    text +=
        fmt::format("\n// The same by floating-point operations over the rate of the platform's processor.\n{}{}}}\n",
                    declared(name + "_by_rate", counts), LoopNest(counts, {{"flops", counts.flops}}).text());
    return text;
}

}  // namespace warpfront::kernels
