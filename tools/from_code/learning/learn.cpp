#include "tools/from_code/learning/learn.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <chrono>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "tools/from_code/learning/all_corners.hpp"
#include "tools/from_code/learning/dimensions.hpp"
#include "tools/from_code/learning/in_turn.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::learning {

namespace {

std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Returns the parameters of a run: those given by `--parameter`, or the numbers of its command line as arg1, arg2, ...
std::map<std::string, std::int64_t> given(const trace::RecordedRun& run) {
    std::map<std::string, std::int64_t> result;
    for (const auto& [given, text] : run.parameters) {
        std::string name = name_in_model(given);
        while (result.contains(name)) name += "_";
        if (const auto value = whole_number(text)) result[name] = *value;
    }
    if (!run.parameters.empty()) return result;
    for (std::size_t at = 1; at < run.command.size(); ++at) {
        if (const auto value = whole_number(run.command[at])) result[fmt::format("arg{}", at)] = *value;
    }
    return result;
}

/// Returns the steps of a run, with gathers and scatters by messages.
std::vector<RankSteps> all_steps_of(const trace::RecordedRun& run, const Calls& exchanges,
                                    std::vector<Refusal>& refused) {
    std::vector<RankSteps> ranks = steps_of(run, exchanges, refused);
    take_turns(ranks);
    return ranks;
}

void for_each_part(const std::vector<Part>& parts, const std::function<void(const Part&, const Part* loop)>& visit,
                   const Part* loop = nullptr) {
    for (const Part& part : parts) {
        visit(part, loop);
        if (!part.body.empty()) for_each_part(part.body, visit, part.kind == Part::Kind::loop ? &part : loop);
    }
}

std::string place(const trace::RecordedRun& run, std::uint32_t site) {
    const trace::RecordedSite& at = run.sites[site];
    return at.file.empty() ? std::string() : fmt::format(" ({}:{})", at.file, at.line);
}

/// Returns the name of a call site's function, without the address of the call in it.
std::string function_of(const trace::RecordedSite& site) {
    const std::size_t address = site.function.rfind("+0x");
    return address == 0 ? site.function : site.function.substr(0, address);
}

std::string described(const Step& step) {
    switch (step.kind) {
        case StepKind::send: return fmt::format("a send to rank {}", step.peer.index);
        case StepKind::ssend: return fmt::format("a synchronous send to rank {}", step.peer.index);
        case StepKind::isend:
        case StepKind::issend: return fmt::format("an isend to rank {}", step.peer.index);
        case StepKind::recv: return fmt::format("a receive from rank {}", step.peer.index);
        case StepKind::irecv: return fmt::format("a posted receive from rank {}", step.peer.index);
        case StepKind::wait: return fmt::format("a wait for rank {}", step.peer.index);
        case StepKind::collective: return fmt::format("{}", collectives::name_of(step.collective));
        case StepKind::gather_in_turn:
        case StepKind::scatter_in_turn: return in_turn_text(step.kind);
        case StepKind::corners:
        case StepKind::corners_east_west:
        case StepKind::corners_north_south: return "a call of `all_corners`";
    }
    return {};
}

/// Returns the number of the last recorded operation, counted from 1.
std::uint32_t last_operation(const std::vector<Step>& steps) { return steps.empty() ? 0 : steps.back().event + 1; }

/// Formats the first difference between a rank and the structure: its operation and the expected one.
std::string difference_text(const Run& run, Rank rank, const RankObservations& here) {
    const std::vector<Step>& steps = run.ranks[rank.index].steps;
    const std::string expected = here.expected.empty() ? "the end" : here.expected;
    if (here.first_difference >= steps.size()) {
        return fmt::format("the rank ends after operation {}, but {} is expected next", last_operation(steps),
                           expected);
    }
    const Step& step = steps[here.first_difference];
    return fmt::format("operation {} is {}{}, but {} is expected", step.event + 1, described(step),
                       place(*run.recorded, step.site), expected);
}

/// Returns the usual value of some times. CPU times have the mean as their usual value, so that the sum of a run is
/// preserved. Times between calls have the median, which ignores occasional interruptions by other processes.
double usual(const std::vector<std::int64_t>& times, bool cpu_time) {
    if (!cpu_time) return static_cast<double>(median(times));
    double sum = 0;
    for (const std::int64_t time : times) sum += static_cast<double>(time);
    return sum / static_cast<double>(times.size());
}

/// Returns the usual time of each iteration over all executions of its loop, averaged over the iterations. So time that
/// only one of the iterations needs is included.
double typical(const std::vector<WorkSample>& samples, bool first, bool cpu_time) {
    std::map<std::int64_t, std::vector<std::int64_t>> by_iteration;
    for (const WorkSample& sample : samples) {
        if (sample.first == first) by_iteration[sample.iteration].push_back(sample.time.ps);
    }
    if (by_iteration.empty()) return 0;
    if (by_iteration.begin()->second.size() == 1 && !cpu_time) {
        // If each iteration was executed once, time beyond three times the median is an interruption by the host.
        std::vector<std::int64_t> all;
        for (const auto& [iteration, times] : by_iteration) all.insert(all.end(), times.begin(), times.end());
        const std::int64_t most = 3 * median(all);
        double sum = 0;
        for (const std::int64_t time : all) sum += static_cast<double>(std::min(time, most));
        return sum / static_cast<double>(all.size());
    }
    double sum = 0;
    for (const auto& [iteration, times] : by_iteration) sum += usual(times, cpu_time);
    return sum / static_cast<double>(by_iteration.size());
}

/// Returns the relative standard deviation of executions of the same iteration. It is estimated from the median of
/// their deviations, which ignores interruptions by other processes. If a loop was executed once, its iterations are
/// compared.
double spread(const std::vector<WorkSample>& samples) {
    std::map<std::int64_t, std::vector<std::int64_t>> by_iteration;
    std::vector<std::int64_t> all;
    for (const WorkSample& sample : samples) {
        if (sample.first) continue;
        by_iteration[sample.iteration].push_back(sample.time.ps);
        all.push_back(sample.time.ps);
    }
    if (by_iteration.size() == all.size()) by_iteration = {{0, all}};
    std::vector<double> deviations;
    for (const auto& [iteration, times] : by_iteration) {
        const auto usual = static_cast<double>(median(times));
        if (times.size() < 2 || usual <= 0) continue;
        for (const std::int64_t time : times) deviations.push_back(std::abs(static_cast<double>(time) / usual - 1));
    }
    return regression::robust_deviation(std::move(deviations));
}

std::string text_of(const Expression& expression, const Variables& variables) {
    std::string result;
    for (const Term& term : expression.terms) {
        std::string product = term.coefficient == 1 ? "" : fmt::format("{}", term.coefficient);
        for (const Atom& atom : term.atoms) {
            const bool simple = atom.rule == Atom::Rule::variable || atom.rule == Atom::Rule::share_up;
            const std::string text = text_of(atom, variables);
            product += (product.empty() ? "" : " * ") + (simple ? text : "(" + text + ")");
        }
        result += fmt::format("{}{}", result.empty() ? "" : " + ", product);
    }
    if (expression.constant != 0 || result.empty()) {
        const bool minus = expression.constant < 0 && !result.empty();
        result += fmt::format("{}{}",
                              result.empty() ? ""
                              : minus        ? " - "
                                             : " + ",
                              minus ? -expression.constant : expression.constant);
    }
    return result;
}

std::string text_of(const Mean& mean, const Variables& variables) {
    return text_of(mean, variables, fmt::format("{:.4g}", mean.slope), fmt::format("{:.4g}", mean.constant));
}

/// Returns whether a number differs between the ranks of a run.
bool depends_on_rank(const Expression& expression) {
    const auto differs = [](const Atom& atom) {
        const bool is_even = atom.rule == Atom::Rule::share_up || atom.rule == Atom::Rule::share_down ||
                             atom.rule == Atom::Rule::worker_share;
        if (is_share(atom)) return !is_even || atom.inner;
        return atom.a >= Variables::kColumn && atom.a < Variables::kParameters;
    };
    return std::ranges::any_of(expression.terms,
                               [&](const Term& term) { return std::ranges::any_of(term.atoms, differs); });
}

/// One attempt to learn: a structure of the runs, with its numbers unless the attempt is refused.
struct Attempt {
    Learnt learnt;
    bool irregular_collective = false;  // true if sizes of a collective differ between iterations
    bool irregular_message = false;
};

/// Returns the name of a step's phase in the recording. Without phases, returns the function that calls MPI, if it has
/// a name.
std::string phase_name(const Learnt& learnt, const Pattern& pattern) {
    if (pattern.phase != 0) return learnt.runs.front().recorded->phases[pattern.phase];
    const std::string function = function_of(learnt.structure.places[pattern.place]);
    return function.starts_with('+') ? std::string() : function;
}

/// Prints a message on stderr if a search takes long, and then its progress.
class SearchProgress {
public:
    SearchProgress(std::string what, std::size_t count) : what_(std::move(what)), count_(count) {}

    /// Counts one step of the search.
    void advance() {
        ++done_;
        const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
        const double left = seconds / static_cast<double>(done_) * static_cast<double>(count_ - done_);
        if (seconds < next_ || (!is_announced_ && left < kLong)) return;
        spdlog::info("{}: {} of {} done, about {:.0f} s left", what_, done_, count_, left);
        is_announced_ = true;
        next_ = seconds + kBetween;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kLong = 10.0;  // seconds before the first message
    static constexpr double kBetween = 10.0;

    std::string what_;
    std::size_t count_;
    std::size_t done_ = 0;
    Clock::time_point begin_ = Clock::now();
    double next_ = 1.0;  // seconds from the beginning until the next message
    bool is_announced_ = false;
};

/// Finds the numbers of a structure: expressions, means and laws.
class NumberFinder {
public:
    explicit NumberFinder(Attempt& attempt) : attempt_(attempt), learnt_(attempt.learnt) {}

    void find() {
        choose_iteration();
        observe();
        if (!learnt_.refused.empty()) return;
        find_iterations();
        SearchProgress progress("search for expressions", learnt_.structure.count);
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            if (part.kind == Part::Kind::loop && !is_staged(part.staged) && part.id != learnt_.iteration) {
                find_iterations(part);
            }
            if (part.kind == Part::Kind::step) find_size(part);
            progress.advance();
        });
        settle_iterations();
        settle_sizes();
        find_roots();
        find_means();
        if (!learnt_.refused.empty()) return;
        find_laws();
        note_rival_occasions();
    }

private:
    void observe() {
        for (std::size_t run = 0; run < learnt_.runs.size(); ++run) {
            const Run& at = learnt_.runs[run];
            std::uint64_t unexplained = 0;
            const std::size_t first = observations_.size();
            for (std::uint32_t rank = 0; rank < at.ranks.size(); ++rank) {
                values_.push_back(values_of(at.grid, Rank{rank}, at.parameters));
                observations_.push_back(observed(learnt_.structure, learnt_.runs, run, Rank{rank}));
                const RankObservations& here = observations_.back();
                run_of_.push_back(run);
                if (!here.explained && ++unexplained <= kNamed) refuse_rank(at, Rank{rank}, here);
            }
            hint_at_parity(at, first);
            if (unexplained > kNamed) {
                learnt_.refused.push_back({fmt::format("`{}`: number of further ranks that differ: {}",
                                                       at.recorded->name, unexplained - kNamed),
                                           1});
            }
        }
        const std::string& other_loops = learnt_.structure.other_loops;
        if (!learnt_.refused.empty() && !other_loops.empty()) {
            learnt_.refused.insert(learnt_.refused.begin(), {other_loops, 1});
        }
    }

    /// Names the remedy if the ranks that differ are those at odd positions, or those at even ones: to avoid deadlocks,
    /// one half of the ranks sends first, and the other half receives first. `first` is the first rank's observation.
    void hint_at_parity(const Run& run, std::size_t first) {
        const auto is_odd = [&run](std::size_t rank) {
            const Rank at{static_cast<std::uint32_t>(rank)};
            return (run.grid.column(at) + run.grid.row(at) + run.grid.plane(at)) % 2 != 0;
        };
        std::size_t alike = 0;
        for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
            const bool is_other = is_odd(rank) != is_odd(run.interior.index);
            if (observations_[first + rank].explained == is_other) return;
            alike += is_other ? 0 : 1;
        }
        if (alike < 2 || alike == run.ranks.size()) return;
        refuse(
            "the ranks that differ are those at every other position of the process grid: if one half of the ranks "
            "sends "
            "first and the other half receives first, record a version in which all ranks call MPI_Sendrecv, or post "
            "their receives before their sends");
    }

    void refuse_rank(const Run& run, Rank rank, const RankObservations& here) {
        learnt_.refused.push_back({fmt::format("`{}`: the operations of rank {} ({}) differ from those of rank {}, "
                                               "even without messages that would leave the process grid of {}: {}",
                                               run.recorded->name, rank.index, run.grid.coordinates(rank),
                                               run.interior.index, as_text(run.grid), difference_text(run, rank, here)),
                                   1});
    }

    /// Chooses the model's iteration: the outermost loop with more than half of an interior rank's steps.
    void choose_iteration() {
        const std::function<std::int64_t(const Part&)> steps_of_part = [&](const Part& part) -> std::int64_t {
            if (part.kind == Part::Kind::step) return 1;
            std::int64_t sum = 0;
            for (const Part& each : part.body) sum += steps_of_part(each);
            return part.kind == Part::Kind::loop ? sum * part.iterations.front() : 0;
        };
        std::int64_t all = 0;
        for (const Part& part : learnt_.structure.parts) all += steps_of_part(part);
        for (const Part& part : learnt_.structure.parts) {
            if (part.kind != Part::Kind::loop || is_staged(part.staged) || is_all_corners(learnt_.structure, part))
                continue;
            if (2 * steps_of_part(part) > all) learnt_.structure.iteration = part.id;
        }
        learnt_.iteration = learnt_.structure.iteration;
    }

    /// Finds the parameter that counts iterations. Another number may depend on this parameter only if nothing else
    /// explains the number. The same applies to parameters that are periods of parts of loops.
    void find_iterations() {
        for (const FoundOccasion& each : learnt_.structure.occasions) {
            if (counts_iterations(each.occasion)) add_variables(each.occasion, counts_iterations_);
        }
        for (const Part& part : learnt_.structure.parts) {
            if (part.id != learnt_.iteration) continue;
            find_iterations(part);
            if (!learnt_.iterations.contains(part.id)) continue;
            const Expression& iterations = learnt_.iterations.at(part.id);
            for (const Term& term : iterations.terms) counts_iterations_.insert(term.atoms.front().a);
            if (iterations.terms.empty()) add_equal_parameters(iterations.constant);
        }
    }

    /// Adds the parameters that equal the number of iterations in all runs.
    void add_equal_parameters(std::int64_t iterations) {
        for (auto v = static_cast<std::uint32_t>(Variables::kParameters); v < learnt_.variables.names.size(); ++v) {
            if (std::ranges::all_of(values_, [&](const Values& each) { return each[v] == iterations; }))
                counts_iterations_.insert(v);
        }
    }

    /// Adds a reason, unless another part has already added it.
    void refuse(const std::string& what) {
        const auto known = std::ranges::find(learnt_.refused, what, &Refusal::what);
        if (known == learnt_.refused.end()) {
            learnt_.refused.push_back({what, 1});
        } else {
            ++known->times;
        }
    }

    void find_iterations(const Part& loop) {
        std::vector<Sample> samples;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const std::int64_t iterations = iterations_of(loop, run_of_[at]);
            if (iterations > 0) samples.push_back({&values_[at], iterations});
        }
        const std::optional<Found> found = integer(samples, learnt_.variables, counts_iterations_);
        if (loop.id == learnt_.iteration && !(found && is_parameter(found->expression))) return;
        if (!found) {
            std::string iterations;
            for (std::size_t run = 0; run < learnt_.runs.size(); ++run) {
                if (loop.iterations[run] == 0) continue;
                iterations += fmt::format("{}{} in `{}`", iterations.empty() ? "" : ", ", loop.iterations[run],
                                          learnt_.runs[run].recorded->name);
            }
            const Part* first = nullptr;
            for_each_part(loop.body, [&first](const Part& each, const Part*) {
                if (first == nullptr && each.kind == Part::Kind::step) first = &each;
            });
            refuse(
                fmt::format("the numbers of iterations of a loop that begins with {} are {}; no expression of the "
                            "process grid and the parameters gives these numbers{}",
                            name_of(*first), iterations, hint(samples)));
            return;
        }
        learnt_.iterations[loop.id] = found->expression;
        found_iterations_.emplace_back(&loop, *found);
        // If the parameter alone counts the iterations of a loop around other loops, it is treated like that of the
        // outermost loop.
        const Expression& iterations = found->expression;
        const bool has_loops =
            std::ranges::any_of(loop.body, [](const Part& part) { return part.kind == Part::Kind::loop; });
        if (has_loops && !iterations.terms.empty() && iterations.constant == 0 && is_parameter(iterations)) {
            counts_iterations_.insert(iterations.terms.front().atoms.front().a);
        }
    }

    /// Finds the rules of roots that change from execution to execution.
    void find_roots() {
        std::map<std::uint32_t, std::vector<RootSample>> samples;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            for (const auto& [part, roots] : observations_[at].roots) {
                for (const RootSeen& each : roots) {
                    samples[part].push_back({{&values_[at], each.iteration, each.of}, each.root});
                }
            }
        }
        for (const auto& [part, all] : samples) {
            const std::optional<FoundRoot> found = root_rule(all, learnt_.variables);
            if (!found) {
                refuse_root(part);
                continue;
            }
            learnt_.roots[part] = found->rule;
            for (const RootRule& rival : found->rivals) {
                if (note_rival_root(found->rule, rival)) break;
            }
        }
    }

    /// Refuses a root that changes by no rule. Reports the first execution in which the root is not the next rank in
    /// turn.
    void refuse_root(std::uint32_t part) {
        const RootRule in_turn{RootRule::Kind::in_turn};
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const auto roots = observations_[at].roots.find(part);
            if (roots == observations_[at].roots.end()) continue;
            for (const RootSeen& each : roots->second) {
                const std::uint32_t next = root_index(in_turn, {&values_[at], each.iteration, each.of}, each.root.of);
                if (next == each.root.index) continue;
                const Run& run = learnt_.runs[run_of_[at]];
                const auto rank = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) -
                                                           (std::ranges::find(run_of_, run_of_[at]) - run_of_.begin()));
                const Step& step = run.ranks[rank].steps[each.step];
                refuse(fmt::format(
                    "the roots of {3}{4} change from iteration to iteration, but neither in turn nor in blocks: in "
                    "iteration {7} of {8}, the root is rank {5} of a group of {6} (counted from 0), while rank {9} "
                    "would be next in turn (`{0}`, rank {1}, operation {2})",
                    run.recorded->name, rank, step.event + 1, described(step), place(*run.recorded, step.site),
                    each.root.index, each.root.of, each.iteration, each.of, next));
                return;
            }
        }
    }

    /// Reports another rule of a root that agrees with the chosen one in all runs, and a run that would distinguish
    /// them.
    bool note_rival_root(const RootRule& rule, const RootRule& rival) {
        constexpr std::int64_t kIterations = 60;
        for (const Values& values : deciding_values()) {
            for (std::int64_t number = 1; number <= kIterations; ++number) {
                const Iteration iteration{&values, number, kIterations};
                const auto of = static_cast<std::uint32_t>(std::max({values[0], values[1], values[2]}));
                if (root_index(rule, iteration, of) == root_index(rival, iteration, of)) continue;
                const auto text = [&](const RootRule& each) {
                    return text_of(each, learnt_.variables, "p", "k", "iterations");
                };
                note_once(
                    fmt::format("roots of collectives over p ranks: `{}` and `{}` are equal in all runs; a run with {} "
                                "and {} iterations of the loop would show the right one",
                                text(rule), text(rival), run_of(values), kIterations));
                return true;
            }
        }
        return false;
    }

    /// Returns the last blocks on which the bytes in the last iteration of a loop depend.
    std::set<Atom> last_blocks_in(const Part& loop) const {
        std::set<Atom> blocks;
        for_each_part(loop.body, [&](const Part& part, const Part* inner) {
            const auto size = learnt_.sizes.find(part.id);
            if (inner != nullptr || size == learnt_.sizes.end() || !size->second.last) return;
            for (const Term& term : size->second.last->terms) {
                std::ranges::copy_if(term.atoms, std::inserter(blocks, blocks.end()),
                                     [](const Atom& atom) { return atom.rule == Atom::Rule::last_block; });
            }
        });
        return blocks;
    }

    /// Chooses between blocks of all points and blocks without the points of the boundary. The bytes in the last
    /// iteration of a loop are those of the last block, so they show which applies. Reports numbers of iterations that
    /// remain undecided.
    void settle_iterations() {
        for (auto& [loop, found] : found_iterations_) {
            const std::set<Atom> lasts = last_blocks_in(*loop);
            const auto agrees = [&lasts](const Atom& atom) {
                if (atom.rule == Atom::Rule::blocks && lasts.contains(last_of(atom))) return true;
                return !is_of_blocks(atom) || std::ranges::none_of(lasts, [&atom](const Atom& last) {
                    return last.a == atom.a && last.b == atom.b;
                });
            };
            const auto disagrees = [&agrees](const Expression& each) {
                return !std::ranges::all_of(each.terms,
                                            [&](const Term& term) { return std::ranges::all_of(term.atoms, agrees); });
            };
            std::erase_if(found.others, disagrees);
            if (disagrees(found.expression) && !found.others.empty()) {
                found.expression = found.others.front();
                found.others.erase(found.others.begin());
            }
            learnt_.iterations[loop->id] = found.expression;
            note(found, "iterations of a loop");
        }
    }

    /// The samples of a size of messages to neighbours.
    struct Face {
        std::size_t found = 0;  // index of the size in `found_sizes_`
        std::vector<Sample> samples{};
    };

    /// Chooses between several expressions of the sizes of messages to neighbours. The faces of one block have the same
    /// form, so the form that gives the sizes of most faces is chosen, and within it the sides of the process grid
    /// along which most other faces divide the same parameters.
    void settle_sizes() {
        constexpr std::size_t kMostForms = 64;
        std::vector<const Face*> different;  // one face for all messages of the same sizes
        std::vector<Expression> forms;
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> divided;  // uses of shares, by parameter and side
        for (const Face& face : faces_) {
            const auto is_same = [&face](const Face* each) {
                return std::ranges::equal(each->samples, face.samples, {}, &Sample::value, &Sample::value);
            };
            const Expression& expression = found_sizes_[face.found].second.expression;
            if (expression.terms.size() != 1 || std::ranges::any_of(different, is_same)) continue;
            different.push_back(&face);
            if (std::ranges::find(forms, form_of(expression)) == forms.end()) forms.push_back(form_of(expression));
            for (const Atom& atom : expression.terms.front().atoms) {
                if (is_share(atom)) ++divided[{atom.a, atom.b}];
            }
        }
        if (forms.size() > kMostForms) return;
        const auto support = [&](const Expression& form) {
            return std::ranges::count_if(different, [&](const Face* each) {
                return !integers_like(form, each->samples, learnt_.variables).empty();
            });
        };
        std::ranges::stable_sort(forms, std::ranges::greater{}, support);
        const auto uses = [&divided](const Expression& expression) {
            int sum = 0;
            for (const Atom& atom : expression.terms.front().atoms) {
                if (is_share(atom)) sum += divided[{atom.a, atom.b}];
            }
            return sum;
        };
        for (const Face& face : faces_) settle_size(face, forms, support, uses);
    }

    /// Chooses the expression of one face. The others become its rivals.
    template <typename Support, typename Uses>
    void settle_size(const Face& face, const std::vector<Expression>& forms, const Support& support, const Uses& uses) {
        auto& [part, found] = found_sizes_[face.found];
        if (found.expression.terms.size() != 1) return;
        const Expression own = form_of(found.expression);
        for (const Expression& form : forms) {
            const bool is_better = form == own || support(form) > support(own);
            std::vector<Expression> all = integers_like(form, face.samples, learnt_.variables);
            if (!is_better || all.empty()) continue;
            std::ranges::stable_sort(all, std::ranges::greater{}, uses);
            if (form != own || uses(all.front()) > uses(found.expression)) {
                found.others.insert(found.others.begin(), std::exchange(found.expression, all.front()));
            }
            learnt_.sizes.at(part).usual = found.expression;
            return;
        }
    }

    /// Returns the patterns of the steps in a loop, without waits.
    std::vector<std::uint32_t> steps_of_loop(const Part& loop) const {
        std::vector<std::uint32_t> steps;
        for_each_part(loop.body, [&](const Part& part, const Part*) {
            const bool is_wait = learnt_.structure.patterns[part.pattern].kind == StepKind::wait;
            if (part.kind == Part::Kind::step && !is_wait) steps.push_back(part.pattern);
        });
        return steps;
    }

    /// Returns the iterations of a loop in a run. A run may execute the same loop only at another place of the
    /// structure. Then the number at that place is returned.
    std::int64_t iterations_of(const Part& loop, std::size_t run) const {
        std::int64_t iterations = loop.iterations[run];
        if (iterations > 0) return iterations;
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            if (part.kind != Part::Kind::loop || iterations > 0 || part.iterations[run] == 0) return;
            if (steps_of_loop(part) == steps_of_loop(loop)) iterations = part.iterations[run];
        });
        return iterations;
    }

    /// Returns the sizes of a step on a rank. A rank may execute the same step only at another place of the structure.
    /// Then the sizes at that place are returned.
    const Sizes& sizes_of(const Part& step, const RankObservations& rank) const {
        const Sizes* sizes = &rank.sizes[step.id];
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            const bool is_same = part.kind == Part::Kind::step && part.pattern == step.pattern;
            if (sizes->times == 0 && is_same) sizes = &rank.sizes[part.id];
        });
        return *sizes;
    }

    /// Returns a hint on what would give an expression: a parameter that the runs do not have, or more runs, since
    /// three numbers allow only short expressions (`integer`).
    std::string hint(const std::vector<Sample>& samples) const {
        if (learnt_.cut.any()) return {};  // one of many attempts, whose reasons no user reads
        if (const std::optional<Derived> derived = derived_parameter(samples, learnt_.variables)) {
            return fmt::format(
                "; with a parameter of {0}, such as `--parameter {1}={2}` in `{3}`, the numbers would be `{4}`",
                derived->text, derived->name, derived->first, learnt_.runs.front().recorded->name,
                text_of(derived->expression, derived->variables));
        }
        if (const std::string grids = hint_of_grids(samples); !grids.empty()) return grids;
        constexpr std::size_t kFew = 3;
        return learnt_.runs.size() > kFew ? "" : "; with a fourth run, `learn` also tries longer expressions";
    }

    /// Returns a hint if a number is equal in all runs with the same process grid, although their parameters differ. If
    /// there are two process grids, a line passes through their two numbers.
    std::string hint_of_grids(const std::vector<Sample>& samples) const {
        std::map<std::array<std::int64_t, 3>, std::pair<std::set<std::int64_t>, std::set<Values>>> grids;
        for (const Sample& each : samples) {
            auto& [numbers, parameters] = grids[{(*each.at)[0], (*each.at)[1], (*each.at)[2]}];
            numbers.insert(each.value);
            parameters.insert(Values(each.at->begin() + Variables::kParameters, each.at->end()));
        }
        const bool is_same = std::ranges::all_of(grids, [](const auto& each) { return each.second.first.size() == 1; });
        const bool is_shown =
            std::ranges::any_of(grids, [](const auto& each) { return each.second.second.size() > 1; });
        if (!is_same || !is_shown) return {};
        return "; all runs on one process grid have the same number, whatever their parameters: add the number that "
               "determines it to the parameters of the runs, such as a size with which the code was compiled, or "
               "record runs on other process grids";
    }

    /// Returns true if an expression is a parameter plus a constant, or a constant alone. Any other expression for the
    /// iterations of three runs would be a coincidence. Then the scenario states the number of iterations.
    static bool is_parameter(const Expression& expression) {
        if (expression.terms.empty()) return true;
        const Term& term = expression.terms.front();
        return expression.terms.size() == 1 && term.coefficient == 1 && term.atoms.size() == 1 &&
               term.atoms.front().rule == Atom::Rule::variable && term.atoms.front().a >= Variables::kParameters;
    }

    void find_size(const Part& part) {
        const Pattern& pattern = learnt_.structure.patterns[part.pattern];
        if (is_receive(pattern.kind) || pattern.kind == StepKind::wait || pattern.kind == StepKind::corners ||
            (pattern.kind == StepKind::collective && pattern.collective == collectives::Kind::barrier)) {
            return;
        }
        std::vector<Sample> usual;
        std::vector<Sample> last;
        bool differs = false;
        const bool by_distance = is_by_distance(part);
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const Sizes& sizes = sizes_of(part, observations_[at]);
            if (by_distance) {
                if (sizes.times > 0) usual.push_back({&values_[at], sizes.per_distance});
                continue;
            }
            if (sizes.uneven) {
                of_data_.insert(pattern.place);
                return;
            }
            if (!sizes.regular) {
                if (find_slope(part)) return;
                (pattern.kind == StepKind::collective ? attempt_.irregular_collective : attempt_.irregular_message) =
                    true;
                of_data_.insert(pattern.place);
                return;
            }
            if (sizes.usual == -1 && sizes.last == -1) continue;
            usual.push_back({&values_[at], sizes.usual == -1 ? sizes.last : sizes.usual});
            if (sizes.last != -1 && sizes.usual != -1) last.push_back({&values_[at], sizes.last});
            differs = differs || (sizes.last != -1 && sizes.usual != -1 && sizes.last != sizes.usual);
        }
        if (usual.empty()) return;
        const std::optional<Found> found = integer(usual, learnt_.variables, counts_iterations_);
        const std::optional<Found> at_last =
            differs ? integer(last, learnt_.variables, counts_iterations_, true) : std::nullopt;
        // models have no size for the last stage alone
        const bool last_stage = differs && in_butterfly(pattern.partner);
        // The first rank sends one number of bytes to all others.
        const bool differs_by_rank =
            found && pattern.kind == StepKind::scatter_in_turn && depends_on_rank(found->expression);
        if (!found || (differs && !at_last) || last_stage || differs_by_rank) {
            const double spread = spread_of({&part});
            const bool of_data = differs || differs_by_rank || (spread > 0 && spread < kMostSpreadOfData);
            if (of_data && pattern.kind != StepKind::collective) of_data_.insert(pattern.place);
            unexplained_.push_back({&part, std::move(usual)});
            return;
        }
        Size size{found->expression, {}};
        if (pattern.partner == PartnerKind::offset && is_send(pattern.kind) && !differs && !by_distance)
            faces_.push_back({found_sizes_.size(), usual});
        found_sizes_.emplace_back(part.id, *found);
        if (at_last) {
            size.last = at_last->expression;
            found_sizes_.emplace_back(part.id, *at_last);
        }
        size.by_distance = by_distance;
        learnt_.sizes[part.id] = size;
    }

    /// Finds a size that changes by the same number of bytes in each iteration, as the rest of a row does in an
    /// elimination.
    bool find_slope(const Part& part) {
        std::vector<Sample> first;
        std::vector<Sample> slopes;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const Sizes& sizes = sizes_of(part, observations_[at]);
            if (sizes.times == 0) continue;
            if (!sizes.is_linear) return false;
            first.push_back({&values_[at], sizes.first});
            if (sizes.slope) slopes.push_back({&values_[at], *sizes.slope});
        }
        // The parameter that counts the iterations is often that of the bytes.
        const std::optional<Found> found = integer(first, learnt_.variables, {});
        const std::optional<Found> slope = integer(slopes, learnt_.variables, counts_iterations_);
        if (!found || !slope) return false;
        found_sizes_.emplace_back(part.id, *found);
        found_sizes_.emplace_back(part.id, *slope);
        Size size{found->expression, {}};
        size.slope = slope->expression;
        learnt_.sizes[part.id] = size;
        return true;
    }

    /// Returns true if bytes are proportional to the distance in a butterfly. Returns false if they are equal in all
    /// stages.
    bool is_by_distance(const Part& part) const {
        if (!in_butterfly(learnt_.structure.patterns[part.pattern].partner)) return false;
        bool all = true;
        bool same = true;
        for (const RankObservations& rank : observations_) {
            const Sizes& sizes = rank.sizes[part.id];
            all = all && sizes.by_distance;
            same = same && sizes.regular && (sizes.last == -1 || sizes.usual == -1 || sizes.last == sizes.usual);
        }
        return all && !same;
    }

    /// Finds means for sizes that depend on the code's data. These are sizes that vary over time on a rank, or slightly
    /// from rank to rank, and all other messages of the same call without a fixed size. A call has one mean for each
    /// distance to a partner.
    void find_means() {
        std::map<std::pair<std::uint32_t, Offset>, std::vector<const Part*>> calls;
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            if (part.kind != Part::Kind::step) return;
            const Pattern& pattern = learnt_.structure.patterns[part.pattern];
            const bool is_sized = !is_receive(pattern.kind) && pattern.kind != StepKind::wait;
            const auto exact = learnt_.sizes.find(part.id);
            const bool fixed = exact != learnt_.sizes.end() && exact->second.usual.terms.empty();
            if (!is_sized || fixed || !of_data_.contains(pattern.place)) return;
            const Offset distance{std::abs(pattern.offset.columns), std::abs(pattern.offset.rows),
                                  std::abs(pattern.offset.planes)};
            calls[{pattern.place, distance}].push_back(&part);
        });
        for (const auto& [call, parts] : calls) find_mean(parts, call.second);
        for (const auto& [part, samples] : unexplained_) {
            if (!learnt_.sizes.contains(part->id)) refuse_size(*part, samples);
        }
        for (const auto& [part, found] : found_sizes_) {
            if (!learnt_.sizes.at(part).mean) note(found, "bytes of a message");
        }
    }

    /// Returns the sums over all executions of steps on all ranks of a run.
    Sizes executions(const std::vector<const Part*>& parts, std::size_t run) const {
        Sizes all;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            if (run_of_[at] != run) continue;
            for (const Part* part : parts) {
                const Sizes& own = observations_[at].sizes[part->id];
                all.times += own.times;
                all.sum += own.sum;
                all.squares += own.squares;
            }
        }
        return all;
    }

    static double deviation_of(const Sizes& sizes) {
        const double mean = sizes.sum / static_cast<double>(sizes.times);
        return std::sqrt(std::max(0.0, sizes.squares / static_cast<double>(sizes.times) - mean * mean));
    }

    /// Returns the largest spread of the sizes of these steps in any run.
    double spread_of(const std::vector<const Part*>& parts) const {
        double largest = 0;
        for (std::size_t run = 0; run < learnt_.runs.size(); ++run) {
            const Sizes all = executions(parts, run);
            if (all.sum > 0) {
                largest = std::max(largest, deviation_of(all) * static_cast<double>(all.times) / all.sum);
            }
        }
        return largest;
    }

    void find_mean(const std::vector<const Part*>& parts, const Offset& distance) {
        std::vector<MeanSample> samples;
        Size size;
        const auto runs = static_cast<double>(learnt_.runs.size());
        for (std::size_t run = 0; run < learnt_.runs.size(); ++run) {
            const Sizes all = executions(parts, run);
            if (all.times == 0) continue;
            const auto first = std::find(run_of_.begin(), run_of_.end(), run) - run_of_.begin();
            const auto times = static_cast<double>(all.times);
            samples.push_back(
                {&values_[static_cast<std::size_t>(first)], all.sum / times, deviation_of(all) / std::sqrt(times)});
            if (bytes_of_run(run) > 0) size.share += all.sum / bytes_of_run(run) / runs;
        }
        std::vector<Mean> others;
        const Pattern& pattern = learnt_.structure.patterns[parts.front()->pattern];
        const bool between_all = pattern.kind == StepKind::collective;
        size.mean = mean_law(samples, learnt_.variables, {along(distance), between_all, counts_iterations_}, others);
        size.spread = spread_of(parts);
        size.place = function_of(learnt_.structure.places[pattern.place]);
        note_mean(*size.mean, others, size.place);
        for (const Part* part : parts) {
            learnt_.sizes[part->id] = size;
            size.share = 0;  // only the first part has the share, so that it is counted once
        }
    }

    /// Returns the sizes of the process grid in the directions of an offset.
    static std::vector<std::uint32_t> along(const Offset& offset) {
        std::vector<std::uint32_t> sizes;
        if (offset.columns != 0) sizes.push_back(0);
        if (offset.rows != 0) sizes.push_back(1);
        if (offset.planes != 0) sizes.push_back(2);
        return sizes;
    }

    double bytes_of_run(std::size_t run) const {
        double sum = 0;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            if (run_of_[at] != run) continue;
            for (const Sizes& each : observations_[at].sizes) sum += each.sum;
        }
        return sum;
    }

    /// Refuses a size that no expression gives. Reports two ranks on which the size differs.
    void refuse_size(const Part& part, const std::vector<Sample>& samples) {
        std::string ranks;
        std::optional<std::int64_t> first;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const Sizes& sizes = observations_[at].sizes[part.id];
            const std::int64_t bytes = sizes.usual != -1 ? sizes.usual : sizes.last;
            if (bytes == -1 || (first && bytes == *first)) continue;
            const auto run_begin = std::ranges::find(run_of_, run_of_[at]) - run_of_.begin();
            const auto rank = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) - run_begin);
            const Run& run = learnt_.runs[run_of_[at]];
            ranks += fmt::format("{}{} on rank {} of `{}`{}", first ? ", " : "", bytes, rank, run.recorded->name,
                                 operation_text(run, rank, part));
            if (first) break;
            first = bytes;
        }
        refuse(fmt::format(
            "the sizes in bytes of {} are {}; no expression of the process grid and the parameters gives these sizes{}",
            name_of(part), ranks, hint(samples)));
    }

    /// Formats the number of the first operation of a rank with the place and the kind of a step.
    std::string operation_text(const Run& run, std::size_t rank, const Part& part) const {
        const Pattern& pattern = learnt_.structure.patterns[part.pattern];
        const trace::RecordedSite& place = learnt_.structure.places[pattern.place];
        for (const Step& step : run.ranks[rank].steps) {
            const trace::RecordedSite& site = run.recorded->sites[step.site];
            const bool is_same = site.file == place.file && site.line == place.line && site.function == place.function;
            if (is_same && step.kind == pattern.kind) return fmt::format(" (operation {})", step.event + 1);
        }
        return {};
    }

    std::string name_of(const Part& part) const {
        const Pattern& pattern = learnt_.structure.patterns[part.pattern];
        const trace::RecordedSite& at = learnt_.structure.places[pattern.place];
        const std::string what =
            pattern.kind == StepKind::collective ? std::string(collectives::name_of(pattern.collective)) : "a message";
        if (!at.file.empty()) return fmt::format("{} ({}:{})", what, at.file, at.line);
        return at.function.empty() ? what : fmt::format("{} ({})", what, at.function);
    }

    /// Returns the largest spread of a block on a rank; 0 if all times come from a simulator.
    double noise() const {
        constexpr double kRealComputer = 1.0;
        std::optional<double> largest;
        for (const RankObservations& rank : observations_) {
            for (const std::vector<WorkSample>& own : rank.works) {
                if (own.size() > 2) largest = std::max(largest.value_or(0.0), spread(own));
            }
        }
        return largest.value_or(kRealComputer);
    }

    /// A place of computing with its usual time on each rank.
    struct TimedPart {
        const Part* part = nullptr;
        std::vector<TimeSample> samples{};
        std::vector<Dimension> dimensions{};
    };

    /// Finds the laws. Several places may have the same law: places before calls of one function that take the same
    /// times in all runs, such as those of the sweeps from four corners.
    void find_laws() {
        const double noise = this->noise();
        std::vector<TimedPart> all = timed_parts();
        const std::map<std::uint32_t, std::uint32_t> first_copies = equal_copies(all);
        std::vector<std::vector<TimedPart>> groups;
        for (TimedPart& timed : all) {
            const auto group = std::ranges::find_if(groups, [&](const std::vector<TimedPart>& each) {
                if (const auto first = first_copies.find(timed.part->id); first != first_copies.end()) {
                    return std::ranges::any_of(
                        each, [&first](const TimedPart& one) { return one.part->id == first->second; });
                }
                const TimedPart& other = each.front();
                return learnt_.works.at(other.part->id).place == learnt_.works.at(timed.part->id).place &&
                       other.dimensions == timed.dimensions &&
                       are_alike(in_runs_of(timed.samples, other.samples), timed.samples, noise);
            });
            if (group == groups.end()) {
                groups.push_back({std::move(timed)});
            } else {
                group->push_back(std::move(timed));
            }
        }
        for (const std::vector<TimedPart>& group : groups) {
            std::vector<TimeSample> samples;
            for (const TimedPart& each : group) {
                samples.insert(samples.end(), each.samples.begin(), each.samples.end());
            }
            const FoundLaw found = time_law(samples, noise, group.front().dimensions);
            for (const TimedPart& each : group) {
                Work& work = learnt_.works.at(each.part->id);
                work.law = found.law;
                work.rivals = found.rivals;
                for (const TimeSample& sample : each.samples) {
                    work.longest = std::max(work.longest, value_of(work.law, *sample.at));
                }
            }
        }
        note_rival_laws();
    }

    /// Returns pairs of places with equal work: the work of a copy of a sequence, and that of the first copy. Both
    /// copies take the same time within a quarter in all runs. The factor of the first iteration is copied as well.
    std::map<std::uint32_t, std::uint32_t> equal_copies(const std::vector<TimedPart>& timed) {
        constexpr double kApart = 0.25;
        std::map<std::uint32_t, const TimedPart*> by_part;
        for (const TimedPart& each : timed) by_part[each.part->id] = &each;
        const Copies copies = copies_of(learnt_.structure.parts);
        std::map<std::uint32_t, std::uint32_t> equal;
        for (std::size_t copy = 1; copy < copies.size(); ++copy) {
            // for each run, the times of the copy and of the first one
            std::map<std::size_t, std::pair<double, double>> times;
            std::map<std::uint32_t, std::uint32_t> works = works_of_copy(copies[0], copies[copy]);
            std::erase_if(works, [&by_part](const auto& each) {
                return !by_part.contains(each.first) || !by_part.contains(each.second);
            });
            for (const auto& [own, first] : works) {
                for (const std::size_t run : runs_of(by_part[own]->samples)) {
                    const double executions = executions_in(own, run);
                    times[run].first += mean_in(by_part[own]->samples, run) * executions;
                    times[run].second += mean_in(by_part[first]->samples, run) * executions;
                }
            }
            const bool is_equal = std::ranges::all_of(times, [](const auto& each) {
                return std::abs(each.second.first / each.second.second - 1.0) <= kApart;
            });
            if (!is_equal) continue;
            for (const auto& [own, first] : works) learnt_.works.at(own).first = learnt_.works.at(first).first;
            equal.merge(works);
        }
        return equal;
    }
    double executions_in(std::uint32_t work, std::size_t run) const {
        double sum = 0.0;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            if (run_of_[at] == run) sum += static_cast<double>(observations_[at].executions[work]);
        }
        return sum;
    }
    static double mean_in(const std::vector<TimeSample>& samples, std::size_t run) {
        double sum = 0.0;
        double count = 0.0;
        for (const TimeSample& each : samples) {
            if (each.run != run) continue;
            sum += each.picoseconds;
            ++count;
        }
        return sum / count;
    }

    /// Returns the places of computing, sorted by the number of runs that execute them, most runs first. So a place
    /// that some runs skip can get the law of a place that all runs execute.
    std::vector<TimedPart> timed_parts() {
        std::vector<TimedPart> all;
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            if (part.kind != Part::Kind::work) return;
            TimedPart timed{&part, times_of(part), dimensions_of(learnt_, part)};
            if (!timed.samples.empty()) all.push_back(std::move(timed));
        });
        std::ranges::stable_sort(all, std::ranges::greater{},
                                 [](const TimedPart& each) { return runs_of(each.samples).size(); });
        return all;
    }
    static std::set<std::size_t> runs_of(const std::vector<TimeSample>& samples) {
        std::set<std::size_t> runs;
        for (const TimeSample& each : samples) runs.insert(each.run);
        return runs;
    }
    /// Returns the samples that belong to the same runs as `others`.
    static std::vector<TimeSample> in_runs_of(const std::vector<TimeSample>& others,
                                              const std::vector<TimeSample>& samples) {
        const std::set<std::size_t> runs = runs_of(others);
        std::vector<TimeSample> result;
        std::ranges::copy_if(samples, std::back_inserter(result),
                             [&runs](const TimeSample& each) { return runs.contains(each.run); });
        return result;
    }

    /// Returns the usual time on each rank at a place of computing. Also adds the work of this place, still without a
    /// law.
    std::vector<TimeSample> times_of(const Part& part) {
        std::vector<TimeSample> samples;
        std::vector<double> firsts;
        std::vector<double> spreads;
        double all = 0.0;
        for (std::size_t at = 0; at < values_.size(); ++at) {
            const std::vector<WorkSample>& own = observations_[at].works[part.id];
            const bool cpu_time = learnt_.runs[run_of_[at]].recorded->has_cpu_time;
            const double first = typical(own, true, cpu_time);
            const double later = typical(own, false, cpu_time);
            const double time = later > 0 ? later : first;
            // If a rank also executed later iterations, the first one does not show the usual time.
            const bool has_later = observations_[at].executions[part.id] > observations_[at].first_executions[part.id];
            if (time <= 0 || (has_later && later <= 0)) continue;
            samples.push_back({&values_[at], time, run_of_[at]});
            if (first > 0 && later > 0) firsts.push_back(first / later);
            if (own.size() >= 10) spreads.push_back(spread(own));
            all += time * static_cast<double>(own.size());
        }
        if (samples.empty()) return samples;
        Work& work = learnt_.works[part.id];
        if (!spreads.empty()) work.spread = regression::median_of(spreads);
        work.picoseconds = all;
        if (const double first = regression::median_of(firsts); !firsts.empty() && std::abs(first - 1) >= 0.1)
            work.first = first;
        set_place(work, part);
        return samples;
    }

    /// Reports another law that the runs support as well, and a run that would distinguish the two. Only blocks with at
    /// least a tenth of the computing are reported.
    void note_rival_laws() {
        constexpr double kTenth = 0.1;
        double all = 0.0;
        for (const auto& [part, work] : learnt_.works) all += work.picoseconds;
        for (const auto& [part, work] : learnt_.works) {
            if (work.picoseconds < kTenth * all) continue;
            for (const Law& rival : work.rivals) {
                if (note_rival_law(work, rival)) break;
            }
        }
    }

    bool note_rival_law(const Work& work, const Law& rival) {
        constexpr double kApart = 0.2;
        for (const Values& values : doubled_values()) {
            const double ratio = value_of(rival, values) / value_of(work.law, values);
            if (std::abs(ratio - 1.0) < kApart) continue;
            const std::string line = fmt::format(
                "computing{}: the laws `{}` (error {:.2g} %) and `{}` (error {:.2g} %) both fit the runs; a run with "
                "{} would show the right one",
                work.place.empty() ? "" : " in front of " + work.place, formula_of(work.law, learnt_.variables),
                100 * work.law.residual, formula_of(rival, learnt_.variables), 100 * rival.residual, run_of(values));
            note_once(line);
            return true;
        }
        return false;
    }

    /// Returns variants of the first run. Each variant doubles one size of the process grid or one parameter.
    std::vector<Values> doubled_values() const {
        std::vector<Values> all;
        const Values first =
            values_of(learnt_.runs.front().grid, learnt_.runs.front().interior, learnt_.runs.front().parameters);
        for (std::size_t v = 0; v < first.size(); ++v) {
            if (v >= 3 && v < Variables::kParameters) continue;
            all.push_back(first);
            all.back()[v] *= 2;
        }
        return all;
    }

    /// Sets the phase, and the function that calls MPI after the work. The work itself has no call site.
    void set_place(Work& work, const Part& of) const {
        bool behind = false;
        const Pattern* next = nullptr;
        for_each_part(learnt_.structure.parts, [&](const Part& part, const Part*) {
            if (part.id == of.id) behind = true;
            if (behind && part.kind == Part::Kind::step && next == nullptr) {
                next = &learnt_.structure.patterns[part.pattern];
            }
        });
        if (next == nullptr) return;
        const std::string& function = learnt_.structure.places[next->place].function;
        if (!function.starts_with('+')) work.place = function;
        work.phase = phase_name(learnt_, *next);
    }

    void note(const Found& found, const std::string& what) {
        if (found.others.empty()) return;
        for (const Values& values : deciding_values()) {
            const std::int64_t own = value_of(found.expression, values);
            for (const Expression& other : found.others) {
                if (value_of(other, values) == own) continue;
                const std::string line =
                    fmt::format("{}: {} and {} are equal in all runs; a run with {} would show the right one", what,
                                quoted(found.expression), quoted(other), run_of(values));
                note_once(line);
                return;
            }
        }
    }

    /// Reports another condition that agrees with the chosen one in all runs, and a run that would distinguish them.
    void note_rival_occasions() {
        for (const FoundOccasion& each : learnt_.structure.occasions) {
            for (const Occasion& rival : each.rivals) {
                if (note_rival_occasion(each.occasion, rival)) break;
            }
        }
    }

    bool note_rival_occasion(const Occasion& occasion, const Occasion& rival) {
        constexpr std::int64_t kIterations = 60;
        for (const Values& values : deciding_values()) {
            for (std::int64_t number = 1; number <= kIterations; ++number) {
                const Iteration iteration{&values, number, kIterations};
                if (holds(occasion, iteration) == holds(rival, iteration)) continue;
                const auto text = [&](const Occasion& each) {
                    return text_of(each, learnt_.variables, "k", "iterations");
                };
                note_once(
                    fmt::format("iterations that execute a part of a loop: the conditions `{}` and `{}` agree in all "
                                "runs; a run with {} would show the right one",
                                text(occasion), text(rival), run_of(values)));
                return true;
            }
        }
        return false;
    }

    void note_once(const std::string& line) {
        if (std::ranges::find(learnt_.open, line) == learnt_.open.end()) learnt_.open.push_back(line);
    }

    void note_mean(const Mean& mean, const std::vector<Mean>& others, const std::string& what) {
        for (const Values& values : deciding_values()) {
            const double own = value_of(mean, values);
            for (const Mean& other : others) {
                if (std::abs(value_of(other, values) / own - 1) < 0.05) continue;
                learnt_.open.push_back(fmt::format(
                    "mean bytes in {}: `{}` and `{}` fit all runs equally well; a run with {} would show the right one",
                    what, text_of(mean, learnt_.variables), text_of(other, learnt_.variables), run_of(values)));
                return;
            }
        }
    }

    /// Formats the sizes of the process grid and the parameters for messages.
    std::string run_of(const Values& values) const {
        std::string run;
        for (std::size_t v = 0; v < values.size(); ++v) {
            const bool no_planes = learnt_.variables.names[v] == "planes" && values[v] == 1;
            if (no_planes || (v >= 3 && v < Variables::kParameters)) continue;
            run += fmt::format("{}{} {}", run.empty() ? "" : ", ", learnt_.variables.names[v], values[v]);
        }
        return run;
    }

    std::string quoted(const Expression& expression) const {
        return "`" + text_of(expression, learnt_.variables) + "`";
    }

    /// Returns process grids and parameters slightly larger than those of the first run. Each variant changes one
    /// number.
    std::vector<Values> deciding_values() const {
        std::vector<Values> all;
        const Values first =
            values_of(learnt_.runs.front().grid, learnt_.runs.front().interior, learnt_.runs.front().parameters);
        for (std::size_t v = 0; v < first.size(); ++v) {
            if (v >= 3 && v < Variables::kParameters) continue;
            for (const std::int64_t by : {1, 2, 3}) {
                Values changed = first;
                changed[v] += by;
                all.push_back(changed);
            }
        }
        return all;
    }

    Attempt& attempt_;
    Learnt& learnt_;              // result of this attempt
    std::vector<Values> values_;  // values of each rank of all runs, as in the next two members
    std::vector<RankObservations> observations_;
    std::vector<std::size_t> run_of_;
    std::set<std::uint32_t> counts_iterations_;
    std::set<std::uint32_t> of_data_;  // call sites whose messages depend on data
    /// steps without an exact size, and their bytes
    std::vector<std::pair<const Part*, std::vector<Sample>>> unexplained_;
    std::vector<std::pair<std::uint32_t, Found>> found_sizes_;     // exact sizes by part
    std::vector<Face> faces_;                                      // sizes of messages to neighbours
    std::vector<std::pair<const Part*, Found>> found_iterations_;  // iterations by loop
    static constexpr double kMostSpreadOfData = 0.25;
    static constexpr std::uint64_t kNamed = 3;  // largest number of ranks of a run that a reason names
};

/// An axis of the process grid, with its name.
struct NamedAxis {
    std::string_view name;
    std::uint32_t Extents::*size;
    std::int32_t Offset::*along;
};
constexpr std::array kNamedAxes{NamedAxis{"columns", &Extents::columns, &Offset::columns},
                                NamedAxis{"rows", &Extents::rows, &Offset::rows},
                                NamedAxis{"planes", &Extents::planes, &Offset::planes}};

/// Prepares the runs and attempts to learn from them.
class Learner {
public:
    Learner(const std::vector<const trace::RecordedRun*>& recorded, const Cut& cut) {
        learnt_.cut = cut;
        learnt_.exchanges = exchanges_of(recorded);
        std::set<std::string> names;
        for (const trace::RecordedRun* run : recorded) {
            for (const auto& [name, value] : given(*run)) names.insert(name);
        }
        learnt_.variables.names = {"columns", "rows", "planes", "column", "row", "plane"};
        for (const std::string& name : names) learnt_.variables.names.push_back(name);
        for (const trace::RecordedRun* run : recorded) add(*run, names);
        learnt_.not_even_traced = !learnt_.refused.empty();
        if (!learnt_.not_even_traced) take_regions_off();
        if (learnt_.refused.empty()) take_templates();
    }

    Learnt learn() {
        if (!learnt_.refused.empty()) return std::move(learnt_);
        Learnt learnt = learn_best();
        if (!learnt.refused.empty()) {
            if (learnt.iterations.empty() && learnt.sizes.empty()) {
                hint_at_short_axes(learnt);
                hint_at_tests(learnt.refused);
            }
            return learnt;
        }
        note_unvaried(learnt);
        note_short_axes(learnt);
        note_one_grid(learnt);
        note_squares(learnt);
        return learnt;
    }

private:
    Learnt learn_best() const {
        std::vector<RunSteps> steps;
        for (const Run& run : learnt_.runs) steps.push_back({run.recorded, &run.ranks});
        const PartnerKinds kinds = partner_kinds(steps);
        // The distances of a shift are offsets too, but different ones for each number of ranks.
        const bool shifts = std::ranges::any_of(kinds, [](const auto& each) { return is_shift(each.second); });
        std::optional<Learnt> plain;
        if (!shifts) plain = learn_with({});
        if (kinds.empty() || (plain && plain->refused.empty() && !plain->structure.is_combined)) {
            return std::move(*plain);
        }
        Learnt other = learn_with(kinds);
        note_small_butterflies(other);
        if (other.refused.empty()) return other;
        return plain ? std::move(*plain) : learn_with({});
    }

    /// Names the first call whose requests the code waits for at two places, as a code does that tests them before it
    /// waits for those that are still open. Its operations then depend on the time.
    void hint_at_tests(std::vector<Refusal>& refused) const {
        for (const Run& run : learnt_.runs) {
            for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
                const std::vector<Step>& steps = run.ranks[rank].steps;
                std::map<std::uint32_t, const Step*> waits;  // by place of the call that begins the request
                for (const Step& step : steps) {
                    if (step.kind != StepKind::wait || step.site == 0) continue;
                    const std::uint32_t begun = steps[step.begun].site;
                    const Step& first = *waits.try_emplace(begun, &step).first->second;
                    if (first.site == step.site) continue;
                    const auto at = [&run](std::uint32_t site) { return place(*run.recorded, site); };
                    refused.push_back(
                        {fmt::format("`{}`: rank {} waits for requests of one call{} in operation {}{}, but for other "
                                     "requests of it in operation {}{}; if one of these is a test (MPI_Test), which "
                                     "succeeds only if messages arrive early, record a version of the code without it",
                                     run.recorded->name, rank, at(begun), first.event + 1, at(first.site),
                                     step.event + 1, at(step.site)),
                         1});
                    return;
                }
            }
        }
    }

    /// Records the numbers that are equal in all runs. They become constants of the model.
    static void note_unvaried(Learnt& learnt) {
        for (std::size_t v = 0; v < learnt.variables.names.size(); ++v) {
            const auto value = [v](const Run& run) { return values_of(run.grid, Rank{0}, run.parameters)[v]; };
            const bool side = v < 3;
            if (!side && v < Variables::kParameters) continue;
            const std::int64_t all = value(learnt.runs.front());
            if (side && all == 1) continue;
            if (std::all_of(learnt.runs.begin(), learnt.runs.end(),
                            [&](const Run& run) { return value(run) == all; })) {
                learnt.unvaried.push_back(fmt::format("{} {}", learnt.variables.names[v], all));
            }
        }
        note_unvaried_quotients(learnt);
    }

    /// Records quotients of two parameters, such as a number of blocks, that are equal in all runs.
    static void note_unvaried_quotients(Learnt& learnt) {
        const auto count = static_cast<std::uint32_t>(learnt.variables.parameters());
        const std::vector<std::int64_t>& first = learnt.runs.front().parameters;
        for (std::uint32_t a = 0; a < count; ++a) {
            for (std::uint32_t b = 0; b < count; ++b) {
                if (first[b] <= 0 || first[a] <= first[b] || first[a] % first[b] != 0) continue;
                const auto varies = [&](const Run& run) { return run.parameters[a] != first[a]; };
                const auto is_equal = [&](const Run& run) {
                    return run.parameters[a] == run.parameters[b] * (first[a] / first[b]);
                };
                if (!std::ranges::any_of(learnt.runs, varies) || !std::ranges::all_of(learnt.runs, is_equal)) continue;
                const auto& names = learnt.variables.names;
                learnt.unvaried.push_back(fmt::format("{} / {} {}", names[Variables::kParameters + a],
                                                      names[Variables::kParameters + b], first[a] / first[b]));
            }
        }
    }

    /// Reports axes that have two ranks in all runs. Such axes do not show whether the first and the last rank are
    /// neighbours.
    static void note_short_axes(Learnt& learnt) {
        for (const NamedAxis& axis : kNamedAxes) {
            const bool is_short =
                std::ranges::all_of(learnt.runs, [&](const Run& run) { return run.grid.*axis.size == 2; });
            const bool is_used = std::ranges::any_of(learnt.structure.patterns,
                                                     [&](const Pattern& each) { return each.offset.*axis.along != 0; });
            if (!is_short || !is_used) continue;
            learnt.open.push_back(
                fmt::format("partners: all runs have two {0}, so it is unknown whether the first and the last of three "
                            "or more {0} are neighbours; a run with three {0} would show it",
                            axis.name));
        }
    }

    /// Adds a hint to the reasons if no run has three ranks along an axis. It proposes runs that would show these axes:
    /// one that is long along all of them, or one for each.
    static void hint_at_short_axes(Learnt& learnt) {
        constexpr std::size_t kFewRanks = 8;  // for codes that only run on powers of two of ranks
        const bool is_power =
            learnt.runs[largest(learnt.runs)].ranks.size() >= kFewRanks &&
            std::ranges::all_of(learnt.runs, [](const Run& run) { return std::has_single_bit(run.ranks.size()); });
        std::vector<std::string_view> axes;
        RankGrid all;
        for (const NamedAxis& axis : kNamedAxes) {
            std::uint32_t longest = 0;
            for (const Run& run : learnt.runs) longest = std::max(longest, run.grid.*axis.size);
            if (longest == 2) axes.push_back(axis.name);
            all.*axis.size = longest == 1 ? 1 : std::max(longest, is_power ? 4U : 3U);
        }
        if (axes.empty()) return;
        std::string shown;
        for (const Run& run : learnt.runs) {
            shown += fmt::format("{}`{}` has {}", shown.empty() ? "" : ", ", run.recorded->name, as_text(run.grid));
        }
        std::vector<std::string> grids;
        for (const NamedAxis& axis : kNamedAxes) {
            RankGrid grid;
            for (const NamedAxis& each : kNamedAxes) grid.*each.size = std::min(all.*each.size, 2U);
            grid.*axis.size = all.*axis.size;
            if (grid.ranks() < all.ranks() && grid.*axis.size > 2) grids.push_back(as_text(grid));
        }
        learnt.refused.push_back(
            {fmt::format("no run has three ranks along {} ({}); only such a run shows whether the first and the last "
                         "rank are neighbours, and in which direction messages go: record a run on {} ranks{}{}",
                         fmt::join(axes, ", "), shown, as_text(all), grids.empty() ? "" : ", or runs on ",
                         fmt::join(grids, ", ")),
             1});
    }

    /// Reports that all runs have the same process grid. The model then requires it.
    static void note_one_grid(Learnt& learnt) {
        if (!have_one_grid(learnt)) return;
        learnt.open.push_back(
            fmt::format("process grids: all runs have {} ranks, and the model is valid only for this process grid; a "
                        "run with other columns and rows would show which numbers depend on the grid",
                        as_text(learnt.runs.front().grid)));
    }

    /// Reports that only runs on square process grids show the transposed ranks.
    static void note_squares(Learnt& learnt) {
        const bool transposes = std::ranges::any_of(
            learnt.structure.kinds, [](const auto& each) { return each.second == PartnerKind::transposed; });
        const bool is_square =
            std::ranges::all_of(learnt.runs, [](const Run& run) { return run.grid.columns == run.grid.rows; });
        if (!transposes || !is_square) return;
        learnt.open.emplace_back(
            "partners: each rank exchanges messages with its transposed rank, but all runs have square process grids; "
            "a run on twice as many ranks, such as 8 in place of 4, would show the transposed ranks on a grid of two "
            "squares");
    }

    /// Reports that three stages of a butterfly cannot be distinguished from neighbours along three axes of two ranks
    /// each.
    static void note_small_butterflies(Learnt& learnt) {
        constexpr std::size_t kMostOnTwoEachSide = 8;
        const bool small = std::all_of(learnt.runs.begin(), learnt.runs.end(),
                                       [](const Run& run) { return run.ranks.size() <= kMostOnTwoEachSide; });
        const bool butterflies = std::any_of(learnt.structure.kinds.begin(), learnt.structure.kinds.end(),
                                             [](const auto& each) { return in_butterfly(each.second); });
        if (!small || !butterflies) return;
        learnt.open.emplace_back(
            "partners: the messages of all runs fit both a butterfly and neighbours in a process grid with two ranks "
            "on each side; a run on 16 ranks would show the right one");
    }

    Learnt learn_with(const PartnerKinds& kinds) const {
        Attempt first = attempt(BySize::none, kinds);
        Learnt best = std::move(first.learnt);
        // A loop has absorbed a step that does not belong to it. If one function of the code makes all calls of one
        // kind, the sizes of the steps distinguish them.
        for (const BySize by_size : {BySize::collectives, BySize::messages_too}) {
            if (by_size == BySize::collectives ? !first.irregular_collective : !first.irregular_message) continue;
            Attempt next = attempt(by_size, kinds);
            const bool exact = std::none_of(next.learnt.sizes.begin(), next.learnt.sizes.end(),
                                            [](const auto& each) { return each.second.mean.has_value(); });
            if (next.learnt.refused.empty() && (by_size == BySize::collectives || exact)) best = std::move(next.learnt);
        }
        return best;
    }

    Attempt attempt(BySize by_size, const PartnerKinds& kinds) const {
        Attempt result{learnt_};
        Learnt& learnt = result.learnt;
        const auto find_structure = [&] {
            learnt.structure = structure_of(learnt.runs, learnt.variables, learnt.refused, by_size, kinds);
        };
        find_structure();
        const std::set<std::uint32_t> repeated = sizes_of_grid(learnt);
        if (!repeated.empty() && !learnt.structure.parts.empty()) {
            learnt = learnt_;
            remove(repeated, learnt);
            find_structure();
        }
        if (!learnt.structure.parts.empty()) NumberFinder(result).find();
        return result;
    }

    /// Returns the parameters that equal a size of the process grid in all runs, but do not have the same value in all
    /// runs. A model uses the size itself.
    static std::set<std::uint32_t> sizes_of_grid(const Learnt& learnt) {
        std::set<std::uint32_t> repeated;
        std::vector<Values> values;
        for (const Run& run : learnt.runs) values.push_back(values_of(run.grid, Rank{0}, run.parameters));
        for (auto v = static_cast<std::uint32_t>(Variables::kParameters); v < learnt.variables.names.size(); ++v) {
            if (std::ranges::all_of(values, [&](const Values& each) { return each[v] == values.front()[v]; })) continue;
            for (std::size_t side = 0; side < 3; ++side) {
                const bool same =
                    std::ranges::all_of(values, [&](const Values& each) { return each[v] == each[side]; });
                if (same) repeated.insert(v);
            }
        }
        return repeated;
    }
    static void remove(const std::set<std::uint32_t>& parameters, Learnt& learnt) {
        for (auto at = parameters.rbegin(); at != parameters.rend(); ++at) {
            learnt.variables.names.erase(learnt.variables.names.begin() + *at);
            for (Run& run : learnt.runs) {
                run.parameters.erase(run.parameters.begin() + (*at - Variables::kParameters));
            }
        }
    }

    void take_regions_off() {
        const std::size_t most = largest(learnt_.runs);
        for (std::size_t run = 0; run < learnt_.runs.size(); ++run) {
            Run& at = learnt_.runs[run];
            if (learnt_.cut.any()) {
                std::optional<std::vector<Region>> regions = regions_of(*at.recorded, at.ranks, learnt_.cut);
                if (!regions) {
                    learnt_.refused.push_back(
                        {fmt::format("`{}` cannot be divided at these places", at.recorded->name), 1});
                    return;
                }
                if (run == most) learnt_.regions = std::move(*regions);
            }
            for (Refusal& each : refusals_of(*at.recorded, at.ranks)) learnt_.refused.push_back(std::move(each));
        }
    }

    /// Replaces calls of `all_corners` on all ranks, if all runs have them.
    void take_templates() {
        std::vector<Run> runs = learnt_.runs;
        for (Run& run : runs) {
            run.array = array_of(*run.recorded, run.ranks, {});
            if (!take_all_corners(run.ranks, *run.array)) return;
        }
        learnt_.runs = std::move(runs);
    }

    void add(const trace::RecordedRun& recorded, const std::set<std::string>& names) {
        Run run;
        run.recorded = &recorded;
        const std::map<std::string, std::int64_t> own = given(recorded);
        for (const std::string& name : names) {
            if (!own.contains(name)) {
                const auto text = std::find_if(recorded.parameters.begin(), recorded.parameters.end(),
                                               [&name](const auto& each) { return name_in_model(each.first) == name; });
                learnt_.refused.push_back(
                    {text == recorded.parameters.end()
                         ? fmt::format("`{}` has no parameter `{}`, which other runs have", recorded.name, name)
                         : fmt::format("`{}`: the parameter `{}` is `{}`, which is not a whole number", recorded.name,
                                       name, text->second),
                     1});
            }
            run.parameters.push_back(own.contains(name) ? own.at(name) : 0);
        }
        run.ranks = all_steps_of(recorded, learnt_.exchanges, learnt_.refused);
        const auto ended = std::count_if(recorded.ranks.begin(), recorded.ranks.end(),
                                         [](const trace::RecordedRank& rank) { return rank.complete; });
        if (static_cast<std::size_t>(ended) < recorded.ranks.size()) {
            learnt_.refused.push_back(
                {fmt::format("`{}`: only {} of {} ranks are recorded to the end of the run; `learn` needs a run that "
                             "was not killed and did not fill its buffers",
                             recorded.name, ended, recorded.ranks.size()),
                 1});
        }
        for (const trace::Unread& each : recorded.unread) {
            if (each.refused) {
                learnt_.refused.push_back(
                    {fmt::format("`{}`: rank {}, operation {}: {}{}: {}; record a version of the code that exchanges "
                                 "this data by messages or collectives",
                                 recorded.name, each.rank, each.after + 1, each.call, place(recorded, each.site),
                                 each.why),
                     each.times});
            }
        }
        learnt_.runs.push_back(std::move(run));
    }

    Learnt learnt_;  // the runs, without a structure
};

/// Sets the numbers of iterations of all loops that have an expression.
void set_iterations(std::vector<Part>& parts, const Learnt& learnt, const Values& values) {
    for (Part& part : parts) {
        if (is_staged(part.staged)) {
            RankGrid grid;
            grid.columns = static_cast<std::uint32_t>(values[0]);
            grid.rows = static_cast<std::uint32_t>(values[1]);
            grid.planes = static_cast<std::uint32_t>(values[2]);
            part.iterations = {stages_of(part.staged, grid).count};
        }
        if (part.kind == Part::Kind::loop && learnt.iterations.contains(part.id)) {
            part.iterations = {value_of(learnt.iterations.at(part.id), values)};
        }
        set_iterations(part.body, learnt, values);
    }
}

bool has_occasions(const std::vector<Part>& parts) {
    return std::ranges::any_of(
        parts, [](const Part& part) { return part.condition.occasion.has_value() || has_occasions(part.body); });
}

/// Returns the number of steps of rank 0 in the parts.
std::int64_t steps_in(const std::vector<Part>& parts, const Learnt& learnt, const Array& grid,
                      const Iteration& iteration) {
    std::int64_t sum = 0;
    for (const Part& part : parts) {
        const Condition& condition = part.condition;
        if (part.kind == Part::Kind::step && takes_part(learnt.structure.patterns[part.pattern], grid, Rank{0})) ++sum;
        if (part.kind == Part::Kind::some &&
            !(holds(condition, grid, Rank{0}) && (!condition.occasion || holds(*condition.occasion, iteration))))
            continue;
        if (part.kind != Part::Kind::loop) {
            sum += steps_in(part.body, learnt, grid, iteration);
        } else if (!has_occasions(part.body)) {
            sum += part.iterations.front() * steps_in(part.body, learnt, grid, iteration);
        } else {
            for (std::int64_t each = 1; each <= part.iterations.front(); ++each)
                sum += steps_in(part.body, learnt, grid, {iteration.at, each, part.iterations.front()});
        }
    }
    return sum;
}

/// Sets the number of iterations of a loop that has no expression, from the number of rank 0's steps.
void set_iterations(std::vector<Part>& parts, const Learnt& learnt, const Run& run) {
    if (!learnt.iteration || learnt.iterations.contains(*learnt.iteration)) return;
    const auto found = std::ranges::find(parts, *learnt.iteration, &Part::id);
    if (found == parts.end()) return;
    const Values values = values_of(run.grid, Rank{0}, run.parameters);
    const auto all = static_cast<std::int64_t>(run.ranks.front().steps.size());
    const auto exceeds = [&](std::int64_t iterations) {
        found->iterations = {iterations};
        return steps_in(parts, learnt, run.grid, {&values}) > all;
    };
    std::int64_t most = 2;
    while (most <= all && !exceeds(most)) most *= 2;
    std::int64_t least = most / 2;  // a number of iterations whose steps do not exceed all steps, unless it is 1
    while (least + 1 < most) {
        const std::int64_t middle = (least + most) / 2;
        if (exceeds(middle)) {
            most = middle;
        } else {
            least = middle;
        }
    }
    found->iterations = {least};
}

bool sizes_agree(const Size& size, const Sizes& own, const Values& values) {
    if (size.mean) return true;
    if (size.by_distance)
        return own.times == 0 || (own.by_distance && own.per_distance == value_of(size.usual, values));
    const std::int64_t usual = value_of(size.usual, values);
    if (size.slope) {
        const bool is_same = own.first == usual && own.slope.value_or(0) == value_of(*size.slope, values);
        return own.times == 0 || (own.is_linear && is_same);
    }
    const std::int64_t last = size.last ? value_of(*size.last, values) : usual;
    return own.regular && (own.usual == -1 || own.usual == usual) && (own.last == -1 || own.last == last);
}

double predicted_bytes(const Size& size, const Sizes& own, const Values& values) {
    if (size.mean) return static_cast<double>(own.times) * std::round(value_of(*size.mean, values));
    const std::int64_t usual = value_of(size.usual, values);
    if (size.by_distance && own.per_distance > 0)
        return own.sum / static_cast<double>(own.per_distance) * static_cast<double>(usual);
    if (size.slope) {
        const auto slope = static_cast<double>(value_of(*size.slope, values));
        return static_cast<double>(own.times) * static_cast<double>(usual) + slope * own.iterations;
    }
    const std::int64_t last = size.last ? value_of(*size.last, values) : usual;
    return static_cast<double>((own.times - own.last_times) * usual + own.last_times * last);
}

/// For each phase or function, the bytes in a run and in the model.
using BytesByPlace = std::map<std::string, std::pair<double, double>>;

void compare_bytes(const BytesByPlace& places, Agreement& result) {
    for (const auto& [place, both] : places) {
        result.bytes += both.first;
        result.bytes_predicted += both.second;
    }
    for (const auto& [place, both] : places) {
        if (both.first < result.bytes / 100) continue;
        result.worst_bytes = std::max(result.worst_bytes, std::abs(both.second / both.first - 1));
    }
}

/// A run, and the structure of a model with the numbers of iterations that the model predicts for the run.
struct Beside {
    Run run;
    Structure structure;
};

/// Prepares the comparison of a run with a model. Returns nothing if the run does not have the regions of the model.
std::optional<Beside> beside(const Learnt& learnt, const trace::RecordedRun& recorded) {
    Beside found{run_as_learnt(learnt, recorded), learnt.structure};
    if (found.run.ranks.empty()) return std::nullopt;
    set_iterations(found.structure.parts, learnt, values_of(found.run.grid, Rank{0}, found.run.parameters));
    set_iterations(found.structure.parts, learnt, found.run);
    return found;
}

/// Returns the usual time at a place of computing on one rank, in seconds.
double usual_time(const std::vector<WorkSample>& samples, bool cpu_time) {
    const double later = typical(samples, false, cpu_time);
    return (later > 0 ? later : typical(samples, true, cpu_time)) * 1e-12;
}

/// Returns the weight of one iteration in the mean that `usual_time` returns. It is 0 if the rank has no time of its
/// own for this iteration.
double share_of_iteration(const std::vector<WorkSample>& samples, std::int64_t iteration) {
    const bool has_later = std::ranges::any_of(samples, [](const WorkSample& each) { return !each.first; });
    std::set<std::int64_t> iterations;
    for (const WorkSample& each : samples) {
        if (each.first != has_later) iterations.insert(each.iteration);
    }
    return iterations.contains(iteration) ? 1.0 / static_cast<double>(iterations.size()) : 0.0;
}

}  // namespace

namespace {

/// Returns the offsets of the model's sends.
std::set<Offset> sent_offsets(const Structure& structure) {
    std::set<Offset> offsets;
    for (const Pattern& each : structure.patterns) {
        if (is_send(each.kind) && each.partner == PartnerKind::offset) offsets.insert(each.offset);
    }
    return offsets;
}

}  // namespace

Run run_as_learnt(const Learnt& learnt, const trace::RecordedRun& recorded) {
    std::vector<Refusal> refused;
    Run run;
    run.recorded = &recorded;
    run.ranks = all_steps_of(recorded, learnt.exchanges, refused);
    const bool has_regions = !learnt.cut.any() || regions_of(recorded, run.ranks, learnt.cut);
    run.grid =
        array_of(recorded, run.ranks, learnt.structure.kinds, sent_offsets(learnt.structure), learnt.structure.closed);
    if (learnt.runs.front().array) take_all_corners(run.ranks, run.grid);
    if (learnt.structure.tags) number_tags(run.ranks);
    run.grid.closed = learnt.structure.closed;
    const std::map<std::string, std::int64_t> parameters = given(recorded);
    for (std::size_t v = Variables::kParameters; v < learnt.variables.names.size(); ++v) {
        const auto value = parameters.find(learnt.variables.names[v]);
        run.parameters.push_back(value == parameters.end() ? 0 : value->second);
    }
    if (!has_regions) run.ranks.clear();
    return run;
}

std::vector<std::string> missing_parameters(const Learnt& learnt, const trace::RecordedRun& recorded) {
    const std::map<std::string, std::int64_t> parameters = given(recorded);
    std::vector<std::string> missing;
    for (const std::uint32_t used : used_parameters(learnt)) {
        if (used < Variables::kParameters) continue;
        const std::string& name = learnt.variables.names[used];
        if (!parameters.contains(name)) missing.push_back(name);
    }
    return missing;
}

Agreement agreement(const Learnt& learnt, const trace::RecordedRun& recorded) {
    const std::optional<Beside> found = beside(learnt, recorded);
    if (!found) return {recorded.name, recorded.ranks.size()};
    const Run& run = found->run;
    const Structure& structure = found->structure;
    const std::vector<Run> runs{run};
    std::map<std::uint32_t, std::string> place_of_part;
    for_each_part(structure.parts, [&](const Part& part, const Part*) {
        if (part.kind != Part::Kind::step) return;
        place_of_part[part.id] = phase_name(learnt, structure.patterns[part.pattern]);
    });
    BytesByPlace bytes;
    Agreement result{recorded.name, run.ranks.size()};
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const Values values = values_of(run.grid, Rank{rank}, run.parameters);
        const RankObservations here = observed(structure, runs, 0, Rank{rank});
        std::uint64_t other_numbers = 0;  // operations with other bytes or roots
        for (const auto& [part, size] : learnt.sizes) {
            if (!sizes_agree(size, here.sizes[part], values))
                other_numbers += static_cast<std::uint64_t>(here.sizes[part].times);
            auto& [real, predicted] = bytes[place_of_part[part]];
            real += here.sizes[part].sum;
            predicted += predicted_bytes(size, here.sizes[part], values);
        }
        for (const auto& [part, roots] : here.roots) {
            const auto rule = learnt.roots.find(part);
            other_numbers += static_cast<std::uint64_t>(std::ranges::count_if(roots, [&](const RootSeen& each) {
                return rule == learnt.roots.end() ||
                       root_index(rule->second, {&values, each.iteration, each.of}, each.root.of) != each.root.index;
            }));
        }
        const std::vector<Step>& steps = run.ranks[rank].steps;
        std::uint64_t alike = 0;
        for (std::size_t at = 0; at < steps.size(); ++at) {
            result.operations += steps[at].operations;
            if (here.explained || at < here.first_difference) alike += steps[at].operations;
        }
        if (!here.explained && result.difference.empty()) result.difference = difference_text(run, Rank{rank}, here);
        result.moved_waits += here.moved_waits;
        result.operations_equal += alike - std::min(alike, other_numbers);
        if (here.explained && other_numbers == 0) ++result.ranks_explained;
        result.all_work += static_cast<double>(run.ranks[rank].work_after.ps) * 1e-12;
        for (const Step& step : steps) result.all_work += static_cast<double>(step.work.ps) * 1e-12;
        double real = 0;
        double predicted = 0;
        for_each_part(structure.parts, [&](const Part& part, const Part* loop) {
            if (part.kind != Part::Kind::work || !learnt.works.contains(part.id)) return;
            const double once = time_of_visit(learnt, part.id, values, loop == nullptr ? 1 : loop->iterations.front());
            const double first = learnt.works.at(part.id).first - 1.0;  // additional time of the first iteration
            result.all_work_predicted += once * (static_cast<double>(here.executions[part.id]) +
                                                 first * static_cast<double>(here.first_executions[part.id]));
            // Computing that happens once, such as reading input, does not belong to an iteration.
            if (here.works[part.id].size() < 2) return;
            const std::vector<WorkSample>& own = here.works[part.id];
            const auto times = static_cast<double>(own.size());
            const double measured = times * usual_time(own, recorded.has_cpu_time);
            const Work& work = learnt.works.at(part.id);
            PhaseWork& phase = result.phases[work.phase];
            phase.measured += measured;
            phase.predicted += times * once;
            real += measured;
            predicted += times * once;
            if (work.longest > 0) result.beyond = std::max(result.beyond, value_of(work.law, values) / work.longest);
        });
        result.work += real;
        result.work_predicted += predicted;
        if (real > 0) result.worst_rank = std::max(result.worst_rank, std::abs(predicted / real - 1));
    }
    compare_bytes(bytes, result);
    return result;
}

std::vector<Visits> visits(const Learnt& learnt, const trace::RecordedRun& recorded) {
    const std::optional<Beside> found = beside(learnt, recorded);
    if (!found) return {};
    std::vector<Visits> all;
    const std::vector<Run> runs{found->run};
    for (std::uint32_t rank = 0; rank < found->run.ranks.size(); ++rank) {
        // A kernel counts the operations of a block, without the small places around it.
        const RankObservations here = observed(found->structure, runs, 0, Rank{rank}, SmallPlaces::left_out);
        for_each_part(found->structure.parts, [&](const Part& part, const Part* loop) {
            if (part.kind != Part::Kind::work || !learnt.works.contains(part.id)) return;
            const std::vector<WorkSample>& samples = here.works[part.id];
            const double seconds = usual_time(samples, recorded.has_cpu_time);
            if (seconds <= 0) return;
            const std::int64_t iterations = loop == nullptr ? 1 : loop->iterations.front();
            all.push_back({part.id, values_of(found->run.grid, Rank{rank}, found->run.parameters), iterations,
                           share_of_iteration(samples, iterations - 1), here.executions[part.id], seconds});
        });
    }
    return all;
}

KernelCost kernel_cost(const Learnt& learnt, std::uint32_t part, const Values& values, double last_share) {
    const std::vector<KernelArgument>& arguments = learnt.counted->arguments.at(part);
    const auto call = [&](bool last) {
        std::vector<std::string> texts;
        for (const KernelArgument& each : arguments) {
            texts.push_back(each.text.empty() ? fmt::format("{}", value_of(last ? each.last : each.usual, values))
                                              : each.text);
        }
        return learnt.counted->kernel->cost(texts);
    };
    const KernelCost usual = call(false);
    if (std::ranges::none_of(arguments, &KernelArgument::differs_at_last)) return usual;
    const KernelCost last = call(true);
    const auto mean = [last_share](double a, double b) { return a + (b - a) * last_share; };
    return {mean(usual.fixed, last.fixed), mean(usual.work, last.work), mean(usual.operations, last.operations)};
}

double time_of_visit(const Learnt& learnt, std::uint32_t part, const Values& values, std::int64_t iterations) {
    if (!learnt.counted || !learnt.counted->arguments.contains(part)) {
        return value_of(learnt.works.at(part).law, values) * 1e-12;
    }
    const KernelCost cost =
        kernel_cost(learnt, part, values, 1.0 / static_cast<double>(std::max<std::int64_t>(iterations, 1)));
    return cost.fixed + cost.work / learnt.counted->rate;
}

std::set<std::uint32_t> used_parameters(const Learnt& learnt) {
    std::set<std::uint32_t> used;
    const auto add = [&used](const std::vector<Atom>& atoms) {
        for (const Atom& atom : atoms) {
            used.insert(atom.a);
            if (!has_one_variable(atom)) used.insert(atom.b);
        }
    };
    const auto add_all = [&add](const Expression& expression) {
        for (const Term& term : expression.terms) add(term.atoms);
    };
    for (const auto& [part, iterations] : learnt.iterations) {
        if (part != learnt.iteration) add_all(iterations);
    }
    for (const FoundOccasion& each : learnt.structure.occasions) add_variables(each.occasion, used);
    for (const auto& [part, rule] : learnt.roots) add_all(rule.width);
    for (const auto& [part, size] : learnt.sizes) {
        if (size.mean) {
            for (const std::vector<Unit>* units : {&size.mean->inner, &size.mean->outer}) {
                for (const Unit& unit : *units) {
                    if (unit.factor != Unit::kNone) used.insert(unit.factor);
                }
            }
        }
        add_all(size.usual);
        if (size.last) add_all(*size.last);
        if (size.slope) add_all(*size.slope);
    }
    for (const auto& [part, work] : learnt.works) {
        const bool counted = learnt.counted && learnt.counted->arguments.contains(part);
        if (counted) continue;
        add(work.law.atoms);
        add(work.law.divisors);
    }
    if (!learnt.counted) return used;
    for (const auto& [part, arguments] : learnt.counted->arguments) {
        for (const KernelArgument& each : arguments) {
            if (each.text.empty()) add({each.usual, each.last});
        }
    }
    return used;
}

std::string iterations_text(const Learnt& learnt, std::uint32_t loop) {
    const auto found = learnt.iterations.find(loop);
    return found == learnt.iterations.end() ? std::string() : text_of(found->second, learnt.variables);
}

bool have_one_grid(const Learnt& learnt) {
    const Run& first = learnt.runs.front();
    return first.ranks.size() > 1 &&
           std::ranges::all_of(learnt.runs, [&first](const Run& run) { return run.grid == first.grid; });
}

std::size_t largest(const std::vector<Run>& runs) {
    const auto most = std::max_element(runs.begin(), runs.end(),
                                       [](const Run& a, const Run& b) { return a.ranks.size() < b.ranks.size(); });
    return static_cast<std::size_t>(most - runs.begin());
}

namespace {

/// Searches for the ends of the regions without which the runs can be learnt. The search is limited by the number of
/// steps that it examines and not by time, so that its result is the same on every host.
class CutSearch {
public:
    explicit CutSearch(const std::vector<const trace::RecordedRun*>& recorded) : recorded_(recorded) {}

    /// Returns what is learnt without the smallest possible regions. If there are none, returns `whole`, with a remark
    /// on the search.
    Learnt better_than(Learnt whole) const {
        std::vector<Refusal> ignored;
        const trace::RecordedRun& most = *whole.runs[largest(whole.runs)].recorded;
        const std::vector<Cut> cuts = cuts_of(most, all_steps_of(most, whole.exchanges, ignored));
        std::size_t steps = 0;
        for (const Run& run : whole.runs) {
            for (const RankSteps& rank : run.ranks) steps += rank.steps.size();
        }
        const std::vector<Cut> tried =
            some_of(cuts, std::max<std::size_t>(1, kMostEffort / std::max(steps, kLeastEffort)));
        SearchProgress progress("search for a part of the runs that can be learnt", tried.size());
        std::size_t effort = 0;
        std::size_t done = 0;
        for (const Cut& each : tried) {
            if (effort >= kMostEffort) break;
            Learnt part = Learner(recorded_, each).learn();
            progress.advance();
            ++done;
            effort += std::max(steps, kLeastEffort) + kEffortOfPart * part.structure.count;
            if (!part.refused.empty()) continue;
            part.cut_since = std::move(whole.refused);
            return part;
        }
        if (done < cuts.size()) {
            whole.refused.push_back(
                {fmt::format("`learn` tried {} of {} divisions of the runs into a beginning, a part that is learnt, "
                             "and an end; with fewer iterations per run, it tries all of them",
                             done, cuts.size()),
                 1});
        }
        return whole;
    }

private:
    // About half a minute on one core: each step of each cut is examined some hundred times. Loops of different runs
    // are compared in any case, which takes about as long as a hundred thousand steps.
    static constexpr std::size_t kMostEffort = 10'000'000;
    static constexpr std::size_t kLeastEffort = 100'000;
    static constexpr std::size_t kEffortOfPart = 10'000;  // effort of the search for the numbers of one part

    /// Returns at most `most` cuts. Half of them are the first ones, which leave most of the runs; the other half is
    /// taken from all others.
    static std::vector<Cut> some_of(const std::vector<Cut>& cuts, std::size_t most) {
        if (cuts.size() <= most) return cuts;
        std::vector<Cut> some(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>((most + 1) / 2));
        const std::size_t rest = most - some.size();
        const std::size_t others = cuts.size() - some.size();
        const std::size_t begin = some.size();
        for (std::size_t at = 1; at <= rest; ++at) some.push_back(cuts[begin + at * others / rest - 1]);
        return some;
    }

    const std::vector<const trace::RecordedRun*>& recorded_;
};

}  // namespace

Learnt learn(const std::vector<const trace::RecordedRun*>& recorded, const std::optional<Cut>& cut) {
    Learnt learnt = Learner(recorded, cut.value_or(Cut{})).learn();
    const bool may_cut = !learnt.refused.empty() && !learnt.not_even_traced && !cut;
    if (may_cut) learnt = CutSearch(recorded).better_than(std::move(learnt));
    if (!learnt.refused.empty()) return learnt;
    for (const trace::RecordedRun* run : recorded) learnt.agreement.push_back(agreement(learnt, *run));
    return learnt;
}

}  // namespace warpfront::learning
