#include "tools/from_code/learning/counted.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tools/answer/rendering/text_table.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::learning {

namespace {

using input::BadInput;
using input::DiagnosticKind;
using regression::median_of;

constexpr double kQuarter = 1.25;  // largest ratio of the rates of one block
// if a count and a measured time differ by more than this ratio, they contradict each other
constexpr double kFifth = 1.2;

bool are_within(double ratio, double a, double b) { return a > 0 && b > 0 && a <= ratio * b && b <= ratio * a; }

/// A place of computing and the loops around it, the innermost loop first.
struct Nest {
    const Part* part = nullptr;
    std::vector<const Part*> loops{};
};

std::map<std::uint32_t, Nest> nests_of(const Learnt& learnt) {
    std::map<std::uint32_t, Nest> places;
    std::vector<const Part*> loops;
    const std::function<void(const std::vector<Part>&)> walk = [&](const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            if (part.kind == Part::Kind::work) places[part.id] = {&part, {loops.rbegin(), loops.rend()}};
            if (part.kind == Part::Kind::loop) loops.push_back(&part);
            walk(part.body);
            if (part.kind == Part::Kind::loop) loops.pop_back();
        }
    };
    walk(learnt.structure.parts);
    return places;
}

/// Returns the call site of the first MPI call after each place of computing, such as `sweep.c:63`.
std::map<std::uint32_t, std::string> ends_of(const Learnt& learnt) {
    std::map<std::uint32_t, std::string> ends;
    std::vector<std::uint32_t> open;
    const std::function<void(const std::vector<Part>&)> walk = [&](const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            if (part.kind == Part::Kind::work) open.push_back(part.id);
            if (part.kind == Part::Kind::step) {
                const Pattern& pattern = learnt.structure.patterns[part.pattern];
                const trace::RecordedSite& at = learnt.structure.places[pattern.place];
                const std::string file = std::filesystem::path(at.file).filename().string();
                for (const std::uint32_t each : open) {
                    ends[each] = file.empty() ? at.function : fmt::format("{}:{}", file, at.line);
                }
                open.clear();
            }
            walk(part.body);
        }
    };
    walk(learnt.structure.parts);
    return ends;
}

/// The names in a learnt model that can be bound to the parameters of a kernel.
class Names {
public:
    explicit Names(const Learnt& learnt) : learnt_(learnt), nests_(nests_of(learnt)) {}

    std::optional<KernelArgument> find(const std::string& name, std::uint32_t part) const {
        const Nest& place = nests_.at(part);
        if (std::optional<KernelArgument> planes = planes_of_tile(name, place)) return planes;
        const std::vector<Atom> atoms = atoms_around(place);
        const std::vector<std::string>& variables = learnt_.variables.names;
        const auto variable = std::ranges::find(variables, name);
        if (variable != variables.end()) {
            const auto number = static_cast<std::uint32_t>(variable - variables.begin());
            const auto share =
                std::ranges::find_if(atoms, [number](const Atom& atom) { return is_share(atom) && atom.a == number; });
            const Atom atom = share == atoms.end() ? Atom{Atom::Rule::variable, number} : *share;
            return KernelArgument{{}, atom, atom};
        }
        const auto named =
            std::ranges::find_if(atoms, [&](const Atom& atom) { return name_of(atom, learnt_.variables) == name; });
        if (named == atoms.end()) return std::nullopt;
        return KernelArgument{{}, *named, *named};
    }

    /// Returns all names that `find` would find for some place of computing.
    std::vector<std::string> all(std::uint32_t part) const {
        std::set<std::string> names;
        const std::vector<std::string>& variables = learnt_.variables.names;
        names.insert(variables.begin() + Variables::kParameters, variables.end());
        for (const Atom& atom : atoms_around(nests_.at(part))) names.insert(name_of(atom, learnt_.variables));
        return {names.begin(), names.end()};
    }

private:
    /// Returns the number of planes in a tile: if a loop around the place divides the parameter into tiles, or if the
    /// parameter is the size of a tile. The last iteration of the innermost loop has the remaining planes.
    std::optional<KernelArgument> planes_of_tile(const std::string& name, const Nest& place) const {
        for (const Part* loop : place.loops) {
            const auto iterations = learnt_.iterations.find(loop->id);
            if (iterations == learnt_.iterations.end() || loop->id == learnt_.iteration) continue;
            for (const Term& term : iterations->second.terms) {
                for (const Atom& atom : term.atoms) {
                    const bool cuts = atom.rule == Atom::Rule::blocks || atom.rule == Atom::Rule::whole_blocks;
                    const std::vector<std::string>& names = learnt_.variables.names;
                    if (!cuts || (names[atom.a] != name && names[atom.b] != name)) continue;
                    const Atom usual{Atom::Rule::variable, atom.b};
                    const bool is_only = iterations->second.terms.size() == 1 && term.atoms.size() == 1 &&
                                         term.coefficient == 1 && iterations->second.constant == 0;
                    const bool has_last = atom.rule == Atom::Rule::blocks && is_only && loop == place.loops.front() &&
                                          !is_all_corners(learnt_.structure, *loop);
                    return KernelArgument{{}, usual, has_last ? last_of(atom) : usual};
                }
            }
        }
        return std::nullopt;
    }

    /// Returns the atoms of the model. Those of the loops and of the law at this place come first.
    std::vector<Atom> atoms_around(const Nest& place) const {
        std::vector<Atom> atoms;
        const auto add = [&atoms](const std::vector<Atom>& more) {
            for (const Atom& atom : more) {
                if (std::ranges::find(atoms, atom) == atoms.end()) atoms.push_back(atom);
            }
        };
        const auto add_expression = [&add](const Expression& expression) {
            for (const Term& term : expression.terms) add(term.atoms);
        };
        const auto add_size = [&](const Size& size) {
            add_expression(size.usual);
            if (size.last) add_expression(*size.last);
        };
        for (const Part* loop : place.loops) {
            for (const Part& each : loop->body) {
                if (const auto size = learnt_.sizes.find(each.id); size != learnt_.sizes.end()) add_size(size->second);
            }
        }
        if (const auto work = learnt_.works.find(place.part->id); work != learnt_.works.end()) {
            add(work->second.law.atoms);
        }
        for (const auto& [part, size] : learnt_.sizes) add_size(size);
        for (const auto& [part, iterations] : learnt_.iterations) add_expression(iterations);
        for (const auto& [part, work] : learnt_.works) add(work.law.atoms);
        return atoms;
    }

    const Learnt& learnt_;
    std::map<std::uint32_t, Nest> nests_;
};

/// A binding of one parameter on the command line.
struct GivenBinding {
    std::string value;
    input::SourceRange range;
};

std::map<std::string, GivenBinding> given_bindings(const KernelRequest& request, const Kernel& kernel) {
    std::vector<std::string> names;
    for (const KernelParameter& each : kernel.parameters()) names.push_back(each.name);
    std::map<std::string, GivenBinding> all;
    for (const Word& word : request.bindings) {
        const std::size_t equals = word.text.find('=');
        if (equals == std::string::npos || equals == 0 || equals + 1 == word.text.size()) {
            throw BadInput(DiagnosticKind::bad_option, word.range,
                           fmt::format("`{}` is not a binding of a parameter", word.text),
                           "expected PARAMETER=NAME or PARAMETER=NUMBER, such as `i=nx_share`");
        }
        const std::string name = word.text.substr(0, equals);
        if (std::ranges::find(names, name) == names.end()) {
            throw BadInput(DiagnosticKind::unknown_name, {word.range.source, word.range.offset, equals},
                           fmt::format("`{}` has no parameter `{}`", kernel.subtask(), name),
                           input::suggestion(name, names));
        }
        all[name] = {word.text.substr(equals + 1),
                     {word.range.source, word.range.offset + equals + 1, word.text.size() - equals - 1}};
    }
    return all;
}

bool is_number(const std::string& text) {
    return std::ranges::all_of(text, [](char each) { return std::isdigit(static_cast<unsigned char>(each)) != 0; });
}

/// Binds all parameters of a kernel at one place of computing.
class Binder {
public:
    Binder(const Learnt& learnt, const Kernel& kernel, const KernelRequest& request)
        : kernel_(kernel), names_(learnt), given_(given_bindings(request, kernel)) {}

    std::vector<KernelArgument> arguments(std::uint32_t part) const {
        std::vector<KernelArgument> all;
        std::size_t needed = 0;  // number of arguments that the call needs; trailing defaults are omitted
        for (const KernelParameter& parameter : kernel_.parameters()) {
            std::optional<KernelArgument> found = argument(parameter, part);
            const bool is_preset = !found.has_value();
            all.push_back(is_preset ? KernelArgument{"(" + *parameter.preset + ")"} : *found);
            if (!is_preset) needed = all.size();
        }
        all.resize(needed);
        return all;
    }

private:
    /// Returns the argument for a parameter. Returns nothing if the default of the subtask applies.
    std::optional<KernelArgument> argument(const KernelParameter& parameter, std::uint32_t part) const {
        const auto given = given_.find(parameter.name);
        if (given != given_.end()) {
            if (is_number(given->second.value)) return KernelArgument{given->second.value};
            if (auto found = names_.find(given->second.value, part)) return found;
            throw BadInput(DiagnosticKind::unknown_name, given->second.range,
                           fmt::format("the learnt model has no parameter or size `{}`", given->second.value),
                           input::suggestion(given->second.value, names_.all(part)));
        }
        if (auto found = names_.find(parameter.name, part)) return found;
        if (parameter.preset) return std::nullopt;
        throw BadInput(
            DiagnosticKind::missing_parameter, parameter.range,
            fmt::format("the learnt model has no value `{}` for this parameter of the subtask", parameter.name),
            fmt::format("{}; bind the parameter with `--bind {}=NAME`, or count again with that name in `--deck`",
                        input::suggestion(parameter.name, names_.all(part)), parameter.name));
    }

    const Kernel& kernel_;
    Names names_;
    std::map<std::string, GivenBinding> given_;
};

/// Replaces blocks of the model by calls of a kernel.
class Placement {
public:
    Placement(Learnt& learnt, const KernelRequest& request, const std::shared_ptr<const Kernel>& kernel)
        : learnt_(learnt), request_(request), names_(block_names(learnt)), binder_(learnt, *kernel, request) {
        for (const Run& run : learnt.runs) {
            for (Visits& each : visits(learnt, *run.recorded)) visits_.push_back(std::move(each));
        }
        learnt_.counted = CountedWork{};
        learnt_.counted->kernel = kernel;
        learnt_.counted->blocks = names_;
    }

    void place(const std::optional<double>& rate) {
        if (request_.blocks.empty()) {
            take(largest_block());
            take_similar();
        }
        for (const Word& block : request_.blocks) take(named_block(block));
        std::vector<double> rates;
        for (const auto& [part, arguments] : learnt_.counted->arguments) {
            const std::vector<double> own = rates_of(part);
            rates.insert(rates.end(), own.begin(), own.end());
        }
        learnt_.counted->rate = rate.value_or(median_of(rates));
        if (learnt_.counted->rate > 0.0) return;
        throw BadInput(
            DiagnosticKind::counts_do_not_fit, request_.range,
            fmt::format("subtask `{}` has no counted operations to explain the measured time of block `{}`",
                        learnt_.counted->kernel->subtask(), names_.at(learnt_.counted->arguments.begin()->first)),
            "expected a subtask whose `time` entries take less than the measured time, so that its `flops` or `count` "
            "entries have a share");
    }

private:
    const std::string& largest_block() const {
        std::map<std::string, double> times;
        for (const Visits& each : visits_) {
            times[names_.at(each.part)] += static_cast<double>(each.times) * each.seconds;
        }
        if (times.empty()) {
            throw BadInput(DiagnosticKind::bad_option, request_.range, "the learnt model computes nothing",
                           "expected recorded runs with a block that the kernel describes");
        }
        const auto largest = std::ranges::max_element(times, {}, [](const auto& each) { return each.second; });
        return std::ranges::find_if(names_, [&](const auto& each) { return each.second == largest->first; })->second;
    }

    const std::string& named_block(const Word& block) const {
        std::vector<std::string> all;
        for (const auto& [part, name] : names_) {
            if (name == block.text) return name;
            if (std::ranges::find(all, name) == all.end()) all.push_back(name);
        }
        throw BadInput(DiagnosticKind::unknown_name, block.range,
                       fmt::format("the learnt model has no block `{}`", block.text),
                       input::suggestion(block.text, all));
    }

    void take(const std::string& block) {
        for (const auto& [part, name] : names_) {
            if (name == block) learnt_.counted->arguments[part] = binder_.arguments(part);
        }
    }

    /// Adds the blocks that differ from the first only by noise: they have the same function and product, and nearly
    /// the same rate.
    void take_similar() {
        const auto [first, ignored] = *learnt_.counted->arguments.begin();
        const double rate = median_of(rates_of(first));
        for (const auto& [part, name] : names_) {
            if (learnt_.counted->arguments.contains(part) || !is_similar(part, first)) continue;
            learnt_.counted->arguments[part] = binder_.arguments(part);
            if (!are_within(kQuarter, median_of(rates_of(part)), rate)) learnt_.counted->arguments.erase(part);
        }
    }

    bool is_similar(std::uint32_t a, std::uint32_t b) const {
        const Work& one = learnt_.works.at(a);
        const Work& other = learnt_.works.at(b);
        return one.place == other.place && one.law.atoms == other.law.atoms && one.law.divisors == other.law.divisors;
    }

    /// Returns the implied rates at one place of computing, for each rank of all runs.
    std::vector<double> rates_of(std::uint32_t part) const {
        std::vector<double> rates;
        for (const Visits& each : visits_) {
            if (each.part != part) continue;
            const KernelCost cost = kernel_cost(learnt_, part, each.values, each.last_share);
            rates.push_back(each.seconds > cost.fixed ? cost.work / (each.seconds - cost.fixed) : 0.0);
        }
        return rates;
    }

    Learnt& learnt_;
    const KernelRequest& request_;
    const std::map<std::uint32_t, std::string> names_;
    const Binder binder_;
    std::vector<Visits> visits_;  // visits of all runs
};

/// The sums over all visits of one block in one run.
struct Sums {
    double times = 0.0;
    double seconds = 0.0;
    double fixed = 0.0;
    double work = 0.0;
    double operations = 0.0;
    double predicted = 0.0;
    std::vector<double> rates;  // rate for each rank and place
};

/// The sum of the squared relative differences between predicted and measured times.
struct Residual {
    double squares = 0.0;
    double count = 0.0;
    void add(double predicted, double measured) {
        squares += (predicted / measured - 1) * (predicted / measured - 1);
        ++count;
    }
    double value() const { return count > 0 ? std::sqrt(squares / count) : 0.0; }
};

std::string rate_text(double rate) {
    return rate >= 1e9 ? fmt::format("{:.3g} Gflop/s", rate * 1e-9) : fmt::format("{:.3g} Mflop/s", rate * 1e-6);
}

std::string in_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

/// The rows of the comparison for one run, one for each block.
class RowsOfRun {
public:
    RowsOfRun(const Learnt& learnt, const trace::RecordedRun& run, bool is_learnt_from)
        : learnt_(learnt), run_(run), is_learnt_from_(is_learnt_from), visits_(visits(learnt, run)) {
        for (const Visits& each : visits_) add(each);
    }

    const std::vector<Visits>& all_visits() const { return visits_; }
    const std::map<std::string, Sums>& blocks() const { return blocks_; }

    void append_to(std::vector<CountedRow>& rows) const {
        const std::map<std::uint32_t, std::string> ends = ends_of(learnt_);
        for (const auto& [block, sums] : blocks_) {
            CountedRow row{block, places(block, ends), run_.name, is_learnt_from_};
            row.visits = std::llround(sums.times);
            row.seconds = sums.seconds / sums.times;
            row.operations = sums.operations / sums.times;
            row.implied_rate = sums.work / std::max(sums.seconds - sums.fixed, 1e-12);
            row.least = *std::ranges::min_element(sums.rates);
            row.most = *std::ranges::max_element(sums.rates);
            row.predicted = sums.predicted / sums.times;
            rows.push_back(std::move(row));
        }
    }

private:
    void add(const Visits& each) {
        if (!learnt_.counted->arguments.contains(each.part)) return;
        const KernelCost cost = kernel_cost(learnt_, each.part, each.values, each.last_share);
        const auto times = static_cast<double>(each.times);
        Sums& sums = blocks_[learnt_.counted->blocks.at(each.part)];
        sums.times += times;
        sums.seconds += times * each.seconds;
        sums.fixed += times * cost.fixed;
        sums.work += times * cost.work;
        sums.operations += times * cost.operations;
        sums.predicted += times * (cost.fixed + cost.work / learnt_.counted->rate);
        sums.rates.push_back(each.seconds > cost.fixed ? cost.work / (each.seconds - cost.fixed) : 0.0);
    }

    std::string places(const std::string& block, const std::map<std::uint32_t, std::string>& ends) const {
        std::vector<std::string> all;
        for (const auto& [part, name] : learnt_.counted->blocks) {
            const auto end = ends.find(part);
            const bool is_own = name == block && learnt_.counted->arguments.contains(part) && end != ends.end();
            if (is_own && std::ranges::find(all, end->second) == all.end()) all.push_back(end->second);
        }
        return fmt::format("{}", fmt::join(all, ", "));
    }

    const Learnt& learnt_;
    const trace::RecordedRun& run_;
    bool is_learnt_from_;
    std::vector<Visits> visits_;
    std::map<std::string, Sums> blocks_;
};

void add_warnings(CountedCheck& check, const Learnt& learnt) {
    const CountedRow* farthest = nullptr;
    const auto distance = [&](const CountedRow& row) {
        return std::abs(std::log(row.implied_rate / check.implied_rate));
    };
    for (const CountedRow& row : check.rows) {
        if (farthest == nullptr || distance(row) > distance(*farthest)) farthest = &row;
    }
    if (farthest != nullptr && distance(*farthest) > std::log(kFifth)) {
        check.warnings.push_back(fmt::format(
            "counted operations and measured times disagree: block `{}` implies a rate of {} in `{}`, but all runs of "
            "the model together imply {}. Check the bindings of the parameters, or name another block with `--block`",
            farthest->block, rate_text(farthest->implied_rate), farthest->run, rate_text(check.implied_rate)));
    } else if (check.residual > kFifth - 1) {
        check.warnings.push_back(
            fmt::format("counted operations and measured times disagree from rank to rank: with one rate for all "
                        "ranks, predicted times of the blocks differ from the measured times by {} (root mean square). "
                        "Check the bindings of the parameters",
                        in_percent(check.residual)));
    }
    constexpr double kLeastOfLaws = 0.05;
    if (check.residual > std::max(2 * check.residual_of_laws, kLeastOfLaws)) {
        check.warnings.push_back(
            fmt::format("with the learnt laws, predicted and measured times of the blocks differ by only {}, so the "
                        "kernel lacks a part of their work",
                        in_percent(check.residual_of_laws)));
    }
    if (!are_within(kFifth, learnt.counted->rate, check.implied_rate)) {
        check.warnings.push_back(fmt::format(
            "the rate given by `--speed`, {}, is {:.2f} times the rate that counts and times imply, {}",
            rate_text(learnt.counted->rate), learnt.counted->rate / check.implied_rate, rate_text(check.implied_rate)));
    }
    const std::optional<double> object_rate = learnt.counted->kernel->object_rate();
    if (object_rate && !are_within(kFifth, *object_rate, check.implied_rate)) {
        check.warnings.push_back(
            fmt::format("with the times of the hardware object of `{}`, a block takes {:.2f} times as long as "
                        "measured; the scenario corrects this by a rate of {} in place of {}",
                        learnt.counted->kernel->processor(), check.implied_rate / *object_rate,
                        rate_text(learnt.counted->rate), rate_text(*object_rate)));
    }
}

/// Adds notes on the blocks that keep their measured times.
void add_notes(CountedCheck& check, const Learnt& learnt, const std::map<std::string, double>& times, double all) {
    constexpr double kLeastShare = 0.05;
    for (const auto& [block, time] : times) {
        if (std::ranges::find(check.blocks, block) != check.blocks.end() || time < kLeastShare * all) continue;
        check.notes.push_back(fmt::format("block `{}`, {} of the computing time, keeps its measured time", block,
                                          in_percent(time / all)));
    }
    const auto& arguments = learnt.counted->arguments;
    const bool has_last = std::ranges::any_of(
        arguments, [](const auto& each) { return std::ranges::any_of(each.second, &KernelArgument::differs_at_last); });
    if (has_last) check.notes.emplace_back("the last tile of a loop is a separate call with the remaining planes");
}

std::string call_text(const Learnt& learnt) {
    std::vector<std::string> texts;
    const std::vector<KernelParameter>& parameters = learnt.counted->kernel->parameters();
    const std::vector<KernelArgument>& arguments = learnt.counted->arguments.begin()->second;
    for (std::size_t k = 0; k < parameters.size(); ++k) {
        const std::string value = k >= arguments.size()        ? *parameters[k].preset
                                  : !arguments[k].text.empty() ? arguments[k].text
                                                               : name_of(arguments[k].usual, learnt.variables);
        texts.push_back(value == parameters[k].name ? value : fmt::format("{} = {}", parameters[k].name, value));
    }
    return fmt::format("{}({})", learnt.counted->kernel->subtask(), fmt::join(texts, ", "));
}

}  // namespace

void put_in_place(Learnt& learnt, const KernelRequest& request, const std::shared_ptr<const Kernel>& kernel,
                  const std::optional<double>& rate) {
    try {
        Placement(learnt, request, kernel).place(rate);
    } catch (...) {
        learnt.counted.reset();
        throw;
    }
}

CountedCheck check_counted(const Learnt& learnt, const std::vector<const trace::RecordedRun*>& checked) {
    CountedCheck check;
    check.call = call_text(learnt);
    std::map<std::string, double> times;  // time of each block, over all learnt runs
    double all = 0.0;
    std::vector<double> rates;
    std::vector<RowsOfRun> runs;
    for (const Run& run : learnt.runs) runs.emplace_back(learnt, *run.recorded, true);
    for (const RowsOfRun& run : runs) {
        for (const Visits& each : run.all_visits()) {
            const double time = static_cast<double>(each.times) * each.seconds;
            times[learnt.counted->blocks.at(each.part)] += time;
            all += time;
        }
        for (const auto& [block, sums] : run.blocks()) rates.insert(rates.end(), sums.rates.begin(), sums.rates.end());
        run.append_to(check.rows);
    }
    check.implied_rate = median_of(rates);
    Residual by_kernel;
    Residual by_laws;
    for (const RowsOfRun& run : runs) {
        for (const Visits& each : run.all_visits()) {
            if (!learnt.counted->arguments.contains(each.part)) continue;
            const KernelCost cost = kernel_cost(learnt, each.part, each.values, each.last_share);
            by_kernel.add(cost.fixed + cost.work / check.implied_rate, each.seconds);
            by_laws.add(value_of(learnt.works.at(each.part).law, each.values) * 1e-12, each.seconds);
        }
    }
    check.residual = by_kernel.value();
    check.residual_of_laws = by_laws.value();
    for (const trace::RecordedRun* run : checked) RowsOfRun(learnt, *run, false).append_to(check.rows);
    std::ranges::stable_sort(check.rows, {}, [](const CountedRow& row) { return row.block; });
    for (const auto& [part, arguments] : learnt.counted->arguments) {
        const std::string& block = learnt.counted->blocks.at(part);
        if (std::ranges::find(check.blocks, block) == check.blocks.end()) check.blocks.push_back(block);
    }
    for (const std::string& block : check.blocks) check.share += all > 0 ? times[block] / all : 0.0;
    add_notes(check, learnt, times, all);
    add_warnings(check, learnt);
    return check;
}

std::string text_of(const CountedCheck& check) {
    using Side = tools::TextColumn::Side;
    std::vector<tools::TextColumn> columns{{"block", {}, Side::left},
                                           {"ends at", {}, Side::left},
                                           {"run", {}, Side::left},
                                           {"visits", {}},
                                           {"us", {}},
                                           {"operations", {}},
                                           {"Mflop/s", {}},
                                           {"of ranks", {}},
                                           {"predicted us", {}},
                                           {"error", {}}};
    for (const CountedRow& row : check.rows) {
        std::size_t column = 0;
        for (const std::string& cell :
             {row.block, row.place, row.is_learnt_from ? row.run : row.run + ", not learnt from",
              fmt::format("{}", row.visits), fmt::format("{:.4g}", row.seconds * 1e6),
              fmt::format("{:.6g}", row.operations), fmt::format("{:.4g}", row.implied_rate * 1e-6),
              fmt::format("{:.4g} to {:.4g}", row.least * 1e-6, row.most * 1e-6),
              fmt::format("{:.4g}", row.predicted * 1e6),
              fmt::format("{:+.1f} %", 100 * (row.predicted / row.seconds - 1))}) {
            columns[column++].cells.push_back(cell);
        }
    }
    tools::TextTable rows(3);
    for (tools::TextColumn& column : columns) rows.add(std::move(column));
    std::vector<std::string> blocks;
    for (const std::string& block : check.blocks) blocks.push_back("`" + block + "`");
    std::string text = fmt::format("\n{} replaces {} ({} of the computing)\n\n{}\n", check.call,
                                   fmt::join(blocks, ", "), in_percent(check.share), rows.render());
    text += fmt::format(
        "With one rate of {}, predicted and measured times of the blocks differ by {} (root mean square); with the "
        "learnt laws, by {}.\n",
        rate_text(check.implied_rate), in_percent(check.residual), in_percent(check.residual_of_laws));
    for (const std::string& note : check.notes) text += note + "\n";
    for (const std::string& warning : check.warnings) text += "warning: " + warning + "\n";
    return text;
}

nlohmann::ordered_json to_json(const CountedCheck& check) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const CountedRow& row : check.rows) {
        rows.push_back({{"block", row.block},
                        {"ends_at", row.place},
                        {"run", row.run},
                        {"learnt_from", row.is_learnt_from},
                        {"visits", row.visits},
                        {"time_s", row.seconds},
                        {"operations", row.operations},
                        {"rate", row.implied_rate},
                        {"least_rate", row.least},
                        {"most_rate", row.most},
                        {"predicted_s", row.predicted}});
    }
    return {{"call", check.call},
            {"blocks", check.blocks},
            {"share", check.share},
            {"rate", check.implied_rate},
            {"residual", check.residual},
            {"residual_of_laws", check.residual_of_laws},
            {"rows", rows},
            {"warnings", check.warnings}};
}

}  // namespace warpfront::learning
