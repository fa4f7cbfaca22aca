// A learnt structure as PSL.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "psl/syntax/keywords.hpp"
#include "psl/syntax/types.hpp"
#include "tools/from_code/learning/direction_tags.hpp"
#include "tools/from_code/learning/learn.hpp"
#include "tools/from_code/learning/templates.hpp"

namespace warpfront::learning {

namespace {

/// Names for atoms that are not plain variables. The model defines them with `let`.
class Lets {
public:
    explicit Lets(const Variables& variables) : variables_(variables) {}

    std::string name(const Atom& atom) {
        if (atom.more != 0 && !is_of_blocks(atom)) return with_more(name(without_more(atom)), atom);
        if (atom.rule == Atom::Rule::variable && atom.power == 0) return text_of(atom, variables_);
        const auto known = names_.find(atom);
        if (known != names_.end()) return known->second;
        std::string base = base_name(atom, variables_);
        while (taken(base)) base += "_";
        order_.push_back(atom);
        return names_[atom] = base;
    }
    std::string text() const {
        std::string result;
        for (const Atom& atom : order_) {
            result += fmt::format("    let {} = {}\n", names_.at(atom), text_of(atom, variables_));
        }
        return result.empty() ? result : result + "\n";
    }

    static std::string base_name(const Atom& atom, const Variables& variables) {
        return variables.names[atom.a] + suffix(atom);
    }

private:
    static std::string suffix(const Atom& atom) {
        switch (atom.rule) {
            case Atom::Rule::blocks:
            case Atom::Rule::whole_blocks: return "_blocks";
            case Atom::Rule::last_block: return "_last";
            case Atom::Rule::parts: return "_parts";
            case Atom::Rule::variable: return atom.power > 0 ? "_power" : atom.more == 1 ? "_next" : "";
            default: return atom.inner ? "_inner" : "_share";
        }
    }
    bool taken(const std::string& name) const {
        return std::any_of(names_.begin(), names_.end(), [&name](const auto& each) { return each.second == name; }) ||
               std::find(variables_.names.begin(), variables_.names.end(), name) != variables_.names.end();
    }

    const Variables& variables_;
    std::map<Atom, std::string> names_;
    std::vector<Atom> order_;
};

/// The iterations of a loop for which a text is written.
enum class Which { any, usual, last };

class ModelWriter {
public:
    ModelWriter(const Learnt& learnt, std::string name)
        : learnt_(learnt),
          name_(std::move(name)),
          lets_(learnt.variables),
          direction_tags_(direction_tags(learnt.structure)) {}

    std::string text() {
        find_names();
        find_costs();
        find_means();
        find_copies();
        body();
        std::string templates;
        for (const std::string& file : used_) templates += fmt::format("\n{}", template_text(file));
        return fmt::format("{}{}application {} {{\n{}{}{}{}\n{}{}{}}}\n{}", heading(), imports(), name_, parameters(),
                           costs(), means(), requirements(), lets_.text(), partners(), repeated_ + body_, templates);
    }

    std::map<std::uint32_t, std::string> blocks() {
        find_costs();
        std::map<std::uint32_t, std::string> names;
        for (const auto& [part, cost] : cost_of_) names[part] = all_costs_[cost].name;
        return names;
    }

    std::vector<NamedTime> times() {
        find_costs();
        std::vector<NamedTime> all;
        for (const Cost& cost : all_costs_) {
            for (const NamedTime& each : times_of(cost)) all.push_back(each);
        }
        return all;
    }

private:
    std::string heading() const {
        std::string arrays;
        for (const Run& run : learnt_.runs)
            arrays += fmt::format("{}{}", arrays.empty() ? "" : ", ", as_text(run.grid));
        return fmt::format("// Learnt from recorded runs on {} ranks.\n", arrays);
    }

    std::string imports() const {
        std::string text;
        if (!learnt_.counted) return text;
        for (const std::string& file : learnt_.counted->imports) text += fmt::format("import \"{}\"\n", file);
        return text + "\n";
    }

    bool is_counted(const Part& part) const { return learnt_.counted && learnt_.counted->arguments.contains(part.id); }
    /// Returns true if the kernel has another argument in the last iteration. The work may be in a loop or under a
    /// condition.
    bool counts_last(const Part& part) const {
        if (part.kind == Part::Kind::some) {
            return std::ranges::any_of(part.body, [this](const Part& each) { return counts_last(each); });
        }
        return is_counted(part) &&
               std::ranges::any_of(learnt_.counted->arguments.at(part.id), &KernelArgument::differs_at_last);
    }

    /// Returns whether a step has another number of bytes in the last iteration, or in each of them.
    bool has_last_size(const Part& step) const {
        const auto size = learnt_.sizes.find(step.id);
        return size != learnt_.sizes.end() && size->second.last.has_value();
    }
    bool has_slope(const Part& step) const {
        const auto size = learnt_.sizes.find(step.id);
        return size != learnt_.sizes.end() && size->second.slope.has_value();
    }

    std::string parameters() const {
        std::string text;
        const std::set<std::uint32_t> used = used_parameters(learnt_);
        for (std::size_t v = 0; v < learnt_.variables.parameters(); ++v) {
            if (!used.contains(static_cast<std::uint32_t>(Variables::kParameters + v))) continue;
            text += fmt::format("    param {}: int = {}\n", learnt_.variables.names[Variables::kParameters + v],
                                learnt_.runs.front().parameters[v]);
        }
        return text;
    }

    void line(const std::string& text) { body_ += std::string(4 * depth_, ' ') + text + "\n"; }
    void open(const std::string& text) {
        line(text + " {");
        ++depth_;
    }
    void close() {
        --depth_;
        line("}");
    }

    /// Closes a block. Removes the block if it has no lines, since computing that is too short for a law has no line.
    void close_unless_empty() {
        if (!body_.ends_with("{\n")) return close();
        --depth_;
        body_.pop_back();
        body_.erase(body_.rfind('\n') + 1);
    }

    void region(const char* which) {
        for (const Region& each : learnt_.regions) {
            if (each.name != which) continue;
            if (each.left_out) {
                line(fmt::format("// left out: the {}, {:.2g} % of the operations", which, 100 * each.operations));
                continue;
            }
            const std::string& run = learnt_.runs[largest(learnt_.runs)].recorded->name;
            line(fmt::format("trace \"{}.{}\"  // of the recorded run `{}`", name_, which, run));
        }
    }

    void body() {
        const std::vector<Part>& parts = learnt_.structure.parts;
        const auto at = std::find_if(parts.begin(), parts.end(), [this](const Part& part) {
            return learnt_.iteration && part.id == *learnt_.iteration;
        });
        if (at == parts.end()) {
            count_functions(parts);
            open("iteration");
            region("setup");
            block(parts);
            region("finish");
            close();
            return;
        }
        const auto before = static_cast<std::size_t>(at - parts.begin());
        const auto has = [this](const char* which) {
            return std::any_of(learnt_.regions.begin(), learnt_.regions.end(),
                               [which](const Region& each) { return each.name == which && !each.left_out; });
        };
        const bool begins = before > 0 || has("setup");
        const bool ends = before + 1 < parts.size() || has("finish");
        uses_k_ = begins || ends || counts_iterations(at->body) ||
                  std::any_of(learnt_.works.begin(), learnt_.works.end(),
                              [](const auto& work) { return work.second.first != 1.0; });
        count_functions(at->body);
        open(uses_k_ ? "iteration k" : "iteration");
        if (begins) {
            open("if k == 1");
            region("setup");
            block(std::span(parts).first(before));
            close_unless_empty();
        }
        block(at->body);
        if (ends) {
            open("if k == iterations");
            block(std::span(parts).subspan(before + 1));
            region("finish");
            close_unless_empty();
        }
        close();
    }

    bool has_named_phases() const { return learnt_.runs.front().recorded->phases.size() > 1; }
    bool in_phases() const {
        return (has_named_phases() || (depth_ == 2 && functions_ > 1)) && !phases_split_requests();
    }

    /// Returns whether a request with a name is waited for in another phase than that in which it begins. The name is
    /// known in one block only.
    bool phases_split_requests() const {
        const std::vector<Pattern>& patterns = learnt_.structure.patterns;
        const auto phase = [this](const Pattern& pattern) {
            return std::pair(pattern.phase, learnt_.structure.places[pattern.place].function);
        };
        return std::ranges::any_of(patterns, [&](const Pattern& each) {
            if (each.kind != StepKind::wait || !named_.contains(each.begun)) return false;
            const auto begun = phase(patterns[each.begun]);
            return has_named_phases() ? each.phase != begun.first : phase(each).second != begun.second;
        });
    }

    /// Counts the functions of the code that execute whole parts of the iteration.
    void count_functions(std::span<const Part> iteration) {
        std::set<std::string> functions;
        for (const Part& part : iteration) {
            if (const auto function = phase_of(part)) functions.insert(*function);
        }
        functions_ = functions.size();
    }

    /// Returns true if all steps of the parts have the same named phase, or no phase.
    bool in_one_phase(std::span<const Part> parts) const {
        std::set<std::uint32_t> phases;
        const auto add = [&](const auto& self, std::span<const Part> some) -> void {
            for (const Part& part : some) {
                if (part.kind == Part::Kind::step) phases.insert(learnt_.structure.patterns[part.pattern].phase);
                self(self, part.body);
            }
        };
        add(add, parts);
        return phases.size() <= 1;
    }

    /// Returns the phase of all steps of a part. Returns nothing if they have different phases or none. If the
    /// recording has no phases, parts of the iteration that one function of the code executes are a phase.
    std::optional<std::string> phase_of(const Part& part) const {
        if (part.kind == Part::Kind::step) {
            const Pattern& pattern = learnt_.structure.patterns[part.pattern];
            const std::vector<std::string>& phases = learnt_.runs.front().recorded->phases;
            if (has_named_phases()) return pattern.phase == 0 ? std::nullopt : std::optional(phases[pattern.phase]);
            const std::string function = bare_name(learnt_.structure.places[pattern.place].function);
            return function.empty() ? std::nullopt : std::optional(name_in_model(function));
        }
        std::optional<std::string> phase;
        for (const Part& each : part.body) {
            if (each.kind == Part::Kind::work) continue;
            const std::optional<std::string> own = phase_of(each);
            if (!own || (phase && *phase != *own)) return std::nullopt;
            phase = own;
        }
        return phase;
    }

    void block(std::span<const Part> parts) { block(parts, 0, parts.size()); }

    /// Writes the parts from `begin` to `end` of a block.
    void block(std::span<const Part> parts, std::size_t begin, std::size_t end) {
        for (std::size_t at = begin; at < end;) {
            if (const std::size_t copied = copy_at(parts[at]); copied > 0 && at + copied <= end) {
                line(call_of_copy_);
                at += copied;
                continue;
            }
            const std::optional<std::string> phase = phase_of(parts[at]);
            if (!phase || !in_phases() || phase_) {
                const std::size_t taken = call(parts.subspan(at, end - at));
                // The last message of a turn writes all of them.
                const bool continues_turn = taken == 0 && at + 1 < end && is_of_turn(parts[at + 1]);
                if (taken == 0 && !continues_turn) statement(parts[at], parts.first(at + 1));
                at += std::max<std::size_t>(taken, 1);
                continue;
            }
            // Work between two steps of a phase belongs to the phase. Work after it does too, unless the phase is a
            // function.
            const auto continues = [&](std::size_t next) {
                if (parts[next].kind != Part::Kind::work) return phase_of(parts[next]) == phase;
                return next + 1 < end && (has_named_phases() || phase_of(parts[next + 1]) == phase);
            };
            std::size_t last = at + 1;
            while (last < end && copy_at(parts[last]) == 0 && continues(last)) ++last;
            phase_ = phase;
            open("phase " + *phase);
            block(parts, at, last);
            close();
            phase_.reset();
            at = last;
        }
    }

    /// Returns whether a part is a message of the same turn as the part before.
    bool is_of_turn(const Part& part) const {
        return is_step(part) && is_in_turn(kind_of(part)) && learnt_.structure.patterns[part.pattern].joined;
    }

    /// Makes a template of a sequence of parts that occurs several times in the model with the same text.
    void find_copies() {
        const Copies copies = copies_of(learnt_.structure.parts);
        if (copies.empty() || has_named_phases()) return;
        const std::string text = text_of_copy(copies.front());
        if (!is_complete(text)) return;
        for (const std::span<const Part> each : copies) {
            if (is_in_numbered_loop(each.front(), learnt_.structure.parts) || text_of_copy(each) != text) return;
        }
        copies_ = copies;
        call_of_copy_ = has_word(text, "k") ? "repeated(k)" : "repeated()";
        repeated_ = fmt::format(
            "    // The {} places where the model calls this have equal operations.\n"
            "    template repeated({}) {{\n{}    }}\n\n",
            copies.size(), call_of_copy_ == "repeated(k)" ? "k: int" : "", text);
    }

    /// Returns true if a part is in a loop with a counter.
    bool is_in_numbered_loop(const Part& part, const std::vector<Part>& among) const {
        return std::ranges::any_of(among, [&](const Part& each) {
            if (each.body.empty() || part.id <= each.id || part.id > last_part(each)) return false;
            const bool counts = each.kind == Part::Kind::loop && each.id != learnt_.iteration && is_numbered(each);
            return counts || is_in_numbered_loop(part, each.body);
        });
    }

    /// Formats a sequence of parts as the body of a template. Its requests are numbered from its beginning.
    std::string text_of_copy(std::span<const Part> parts) {
        std::string outer = std::exchange(body_, {});
        const std::size_t depth = std::exchange(depth_, 2);
        phase_ = "repeated";  // so that functions do not become phases
        first_request_ = parts.front().id;
        block(parts);
        first_request_ = 0;
        phase_.reset();
        depth_ = depth;
        return std::exchange(body_, std::move(outer));
    }

    /// Returns true if the text can be a template: it waits only for its own requests, and uses no outer variable
    /// except `k`.
    static bool is_complete(const std::string& text) {
        const auto count = [&text](std::string_view word) {
            std::size_t found = 0;
            for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
            return found;
        };
        return count(" wait r") == count("isend r") + count("irecv r") && count("iterations") == 0;
    }

    /// Returns true if a text contains a name as a whole word.
    static bool has_word(const std::string& text, const std::string& word) {
        const auto in_name = [](char each) {
            return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
        };
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            const std::size_t end = at + word.size();
            if ((at == 0 || !in_name(text[at - 1])) && (end == text.size() || !in_name(text[end]))) return true;
        }
        return false;
    }

    /// Returns how many parts a call of the template for copies replaces here; 0 if no copy begins here.
    std::size_t copy_at(const Part& part) const {
        const auto found = std::ranges::find(copies_, &part, [](std::span<const Part> each) { return each.data(); });
        return found == copies_.end() ? 0 : found->size();
    }

    /// Writes a call of a shipped template for the first parts of the block, if they match one. Returns the number of
    /// parts that the call replaces. If the last iteration has other sizes, it becomes a separate call.
    std::size_t call(std::span<const Part> parts) {
        const std::optional<TemplateCall> found = template_call(parts, learnt_.structure);
        if (!found || !in_one_phase(parts.first(found->parts))) return 0;
        if (std::ranges::any_of(found->of, [this](const auto& each) { return has_slope(*each.second); })) return 0;
        const bool last = std::any_of(found->of.begin(), found->of.end(), [this](const auto& each) {
            return counts_last(*each.second) || has_last_size(*each.second);
        });
        if (last && found->loop == nullptr) return 0;
        used_.insert(found->file);
        if (found->loop != nullptr && in_butterfly(found->loop->staged)) {
            require_powers(found->loop->staged);
            line(call_text(*found, "", Which::any));
        } else if (last) {
            line(call_text(*found, number(learnt_.iterations.at(found->loop->id)) + " - 1", Which::usual));
            line(call_text(*found, "1", Which::last));
        } else {
            line(call_text(*found, found->loop == nullptr ? "" : number(learnt_.iterations.at(found->loop->id)),
                           Which::any));
        }
        return found->parts;
    }

    std::string call_text(const TemplateCall& call, const std::string& tiles, Which which) {
        std::string text;
        for (const std::string& argument : call.arguments) {
            std::string value = argument;
            if (argument == "tiles") {
                value = tiles;
            } else if (argument == "least") {
                value = least_distance(call.loop->staged);
            } else if (argument == "beyond") {
                value = beyond_distances(call.loop->staged);
            } else if (argument == "size" || argument == "growth") {
                const Part& sent = *call.of.at("size");
                const Size& size = learnt_.sizes.at(sent.id);
                const std::string bytes = size.mean ? mean_text(sent) : sum_text(size.usual, "B");
                value = size.by_distance == (argument == "growth") ? bytes : "0B";
            } else if (const auto part = call.of.find(argument); part != call.of.end()) {
                value = part->second->kind == Part::Kind::work ? work_text(*part->second, which) : "";
                if (const auto size = learnt_.sizes.find(part->second->id); size != learnt_.sizes.end()) {
                    value = size->second.mean ? size_text(*part->second)
                                              : sum_text(which == Which::last && size->second.last ? *size->second.last
                                                                                                   : size->second.usual,
                                                         "B");
                }
            }
            text += (text.empty() ? "" : ", ") + (value.empty() ? std::string("0us") : value);
        }
        return fmt::format("{}({})", call.name, text);
    }

    /// Writes a part as a statement. `so_far` contains the parts of the block up to and including this one.
    void statement(const Part& part, std::span<const Part> so_far) {
        switch (part.kind) {
            case Part::Kind::work: return work(part);
            case Part::Kind::step: return step(part, so_far);
            case Part::Kind::some: return some(part);
            case Part::Kind::loop: break;
        }
        if (is_all_corners(learnt_.structure, part)) return all_corners(part);
        if (in_butterfly(part.staged)) return butterfly(part);
        if (is_shift(part.staged)) return shift(part, so_far);
        const std::string iterations = number(learnt_.iterations.at(part.id));
        if (!is_numbered(part)) {
            open("repeat " + iterations);
            block(part.body);
            return close();
        }
        numbered_loop(part.body, iterations);
    }

    void numbered_loop(const std::vector<Part>& body, const std::string& iterations) {
        const std::size_t depth = loops_.size() + 1;
        loops_.push_back({depth == 1 ? "inner" : fmt::format("inner{}", depth), iterations});
        open(fmt::format("for {} in 1..{}", counter(), iterations));
        block(body);
        close();
        loops_.pop_back();
    }

    /// Returns whether something in a loop depends on its iteration.
    bool is_numbered(const Part& loop) const { return is_shift(loop.staged) || counts_iterations(loop.body); }

    /// Writes a call of `all_corners` for a loop over the tiles of four corners.
    void all_corners(const Part& loop) {
        constexpr std::int64_t kCorners = 4;
        Expression tiles = learnt_.iterations.at(loop.id);
        bool whole = tiles.constant % kCorners == 0;
        for (const Term& term : tiles.terms) whole = whole && term.coefficient % kCorners == 0;
        if (whole) {
            tiles.constant /= kCorners;
            for (Term& term : tiles.terms) term.coefficient /= kCorners;
        }
        const std::string work =
            loop.body.front().kind == Part::Kind::work ? work_text(loop.body.front(), Which::any) : "";
        const std::span<const Part> sent = std::span(loop.body).last(2);
        used_.insert("all_corners");
        line(fmt::format("all_corners({}, {}, {}, {})",
                         whole ? number(tiles) : fmt::format("quotient({}, {})", number(tiles), kCorners),
                         work.empty() ? "0us" : work, size_text(sent[0]), size_text(sent[1])));
    }

    /// Returns a new name for a variable that contains a distance.
    std::string new_distance() {
        return ++distances_ == 1 ? std::string("distance") : fmt::format("distance{}", distances_);
    }

    StepKind kind_of(const Part& step) const { return learnt_.structure.patterns[step.pattern].kind; }
    static bool is_step(const Part& part) { return part.kind == Part::Kind::step; }

    /// Returns true if a part only waits for the messages of a shift at all distances, and computes.
    bool waits_for_shift(const Part& part) const {
        const auto is_wait = [this](const Part& each) { return !is_step(each) || kind_of(each) == StepKind::wait; };
        return part.kind == Part::Kind::loop && is_shift(part.staged) && std::ranges::all_of(part.body, is_wait);
    }

    /// Writes a shift as a loop over its distances. The loop is unrolled if requests remain open at the end of an
    /// iteration. The waits for all distances become one wait, and the computing between them follows it.
    void shift(const Part& part, std::span<const Part> so_far) {
        if (waits_for_shift(part)) {
            if (so_far.size() < 2 || !waits_for_shift(so_far[so_far.size() - 2])) line("waitall");
            std::vector<Part> works;
            std::ranges::copy_if(part.body, std::back_inserter(works), std::not_fn(is_step));
            open("repeat ranks - 1");
            block(works);
            return close_unless_empty();
        }
        std::int64_t requests = 0;
        for (const Part& each : part.body) {
            if (is_step(each)) requests += begins(kind_of(each)) ? 1 : kind_of(each) == StepKind::wait ? -1 : 0;
        }
        if (requests == 0) return numbered_loop(part.body, "ranks - 1");
        loops_.push_back({new_distance(), "ranks - 1"});
        line(fmt::format("var {} = 1", counter()));
        open(fmt::format("while {} < ranks", counter()));
        block(part.body);
        line(fmt::format("{0} = {0} + 1", counter()));
        close();
        loops_.pop_back();
    }

    /// Writes a butterfly as a loop over its distances, which are known before the run.
    void butterfly(const Part& part) {
        distance_ = new_distance();
        distance_in_units_ = over_column(part.staged) ? "quotient(" + distance_ + ", columns)" : distance_;
        const std::string least = least_distance(part.staged);
        const std::string beyond = beyond_distances(part.staged);
        const bool doubling = doubles(part.staged);
        line(fmt::format("var {} = {}", distance_, doubling ? least : "quotient(" + beyond + ", 2)"));
        open("while " + distance_ + (doubling ? " < " + beyond : " >= " + least));
        block(part.body);
        line(doubling ? fmt::format("{0} = 2 * {0}", distance_) : fmt::format("{0} = quotient({0}, 2)", distance_));
        close();
        require_powers(part.staged);
        used_.insert("butterfly");
    }

    static std::string least_distance(PartnerKind butterfly) { return over_column(butterfly) ? "columns" : "1"; }
    static std::string beyond_distances(PartnerKind butterfly) { return over_row(butterfly) ? "columns" : "ranks"; }

    void require_powers(PartnerKind butterfly) {
        const bool in_rows = over_row(butterfly) || over_column(butterfly);
        powers_.insert(in_rows ? "is_power_of_two(columns) and is_power_of_two(rows)" : "is_power_of_two(ranks)");
    }

    /// Returns true if parts of a loop's body depend on its iteration.
    bool counts_iterations(const std::vector<Part>& body) const {
        return std::ranges::any_of(body, [this](const Part& part) {
            const std::optional<Occasion>& occasion = part.condition.occasion;
            const auto root = learnt_.roots.find(part.id);
            if (root != learnt_.roots.end() && root->second.counts_iterations()) return true;
            if (counts_last(part) || has_last_size(part) || has_slope(part)) return true;
            return part.kind == Part::Kind::some &&
                   ((occasion && learning::counts_iterations(*occasion)) || counts_iterations(part.body));
        });
    }

    /// Returns the variable that counts the iterations of the innermost loop.
    std::string counter() const { return loops_.empty() ? "k" : loops_.back().counter; }

    void some(const Part& part) {
        std::string condition;
        if (part.condition.occasion) {
            condition = text_of(*part.condition.occasion, learnt_.variables, counter(), last_iteration());
        }
        for (const Stand& stand : part.condition.stands) {
            constexpr std::array kAt{"column", "row", "plane"};
            constexpr std::array kSizes{"columns", "rows", "planes"};
            const auto side = static_cast<std::size_t>(stand.side);
            const char* const junction = condition.empty() ? "" : part.condition.either ? " or " : " and ";
            if (stand.wide) {
                condition += fmt::format("{}{} > 2", junction, kSizes.at(side));
                continue;
            }
            condition += fmt::format("{}{} {} {}", junction, kAt.at(side),
                                     stand.not_there ? "!=" : "==", stand.first ? "1" : kSizes.at(side));
        }
        open("if " + condition);
        block(part.body);
        close();
    }

    /// Works with the same law, which share one parameter.
    struct Cost {
        Law law;
        std::string name;  // name without a number until `number_costs` adds one
        double picoseconds = 0.0;
        std::uint32_t pieces = 1;
    };

    static bool alike(const Cost& cost, const Work& work) {
        constexpr double kMost = 0.25;  // largest difference of the laws of blocks with very irregular times
        const double within = std::clamp(3 * work.spread, 0.02, kMost);
        const auto near = [within](double a, double b) { return std::abs(a - b) <= within * std::max(a, b); };
        return cost.law.atoms == work.law.atoms && cost.law.divisors == work.law.divisors &&
               near(cost.law.slope, work.law.slope) && near(cost.law.constant, work.law.constant);
    }

    bool is_parameter(const std::string& name) const {
        const std::vector<std::string>& names = learnt_.variables.names;
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    /// Combines laws that differ little into one law with mean coefficients. They may differ by 2 %, or by three times
    /// the spread of their blocks up to a quarter.
    void find_costs() {
        for (const auto& [part, work] : learnt_.works) {
            if (learnt_.counted && learnt_.counted->arguments.contains(part)) continue;
            const auto known =
                std::find_if(all_costs_.begin(), all_costs_.end(), [&](const Cost& cost) { return alike(cost, work); });
            cost_of_[part] = static_cast<std::size_t>(known - all_costs_.begin());
            if (known == all_costs_.end()) {
                all_costs_.push_back({work.law, word_of(work.place) + "work", work.picoseconds});
                continue;
            }
            known->picoseconds += work.picoseconds;
            const double pieces = known->pieces++;
            known->law.slope = (known->law.slope * pieces + work.law.slope) / (pieces + 1);
            known->law.constant = (known->law.constant * pieces + work.law.constant) / (pieces + 1);
            known->law.residual = std::max(known->law.residual, work.law.residual);
        }
        number_costs();
    }

    /// Numbers the costs of each function from 2 on. The cost with the most computing keeps the name without a number.
    void number_costs() {
        std::vector<Cost*> by_time;
        for (Cost& cost : all_costs_) by_time.push_back(&cost);
        std::stable_sort(by_time.begin(), by_time.end(),
                         [](const Cost* a, const Cost* b) { return a->picoseconds > b->picoseconds; });
        std::map<std::string, std::uint32_t> of_name;
        for (Cost* cost : by_time) {
            if (const std::uint32_t number = ++of_name[cost->name]; number > 1) cost->name += fmt::format("{}", number);
            while (is_parameter(cost->name)) cost->name += "_";
        }
    }

    /// Returns the name of a function as letters, digits and `_`. Returns an empty text for an address. C++ names lose
    /// their scope, and Fortran names their last underscore.
    static std::string bare_name(const std::string& function) {
        if (function.starts_with('+')) return {};
        const std::string_view named = std::string_view(function).substr(0, function.find_first_of("(+"));
        // gfortran's separator between the names of module and procedure
        constexpr std::string_view kOfModule = "_MOD_";
        const std::size_t module = named.starts_with("__") ? named.find(kOfModule) : std::string_view::npos;
        const std::size_t scope = named.rfind("::");
        std::string word;
        for (const char each : module != std::string_view::npos  ? named.substr(module + kOfModule.size())
                               : scope != std::string_view::npos ? named.substr(scope + 2)
                                                                 : named) {
            if (std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_') word += each;
        }
        while (word.ends_with('_')) word.pop_back();
        return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0 ? "_" + word : word;
    }

    /// Returns the name of a function as the beginning of a PSL name.
    static std::string word_of(const std::string& function) {
        const std::string name = bare_name(function);
        return name.empty() ? name : name + "_";
    }

    /// Returns the time parameters of one cost, with their values.
    static std::vector<NamedTime> times_of(const Cost& cost) {
        const auto duration = [](double picoseconds) { return fmt::format("{:.6g}ns", picoseconds / 1000); };
        std::vector<NamedTime> times;
        if (cost.law.slope > 0) times.emplace_back(cost.name, duration(cost.law.slope));
        if (cost.law.constant > 0) {
            times.emplace_back(cost.law.slope > 0 ? cost.name + "_once" : cost.name, duration(cost.law.constant));
        }
        return times;
    }

    std::string costs() const {
        std::string text;
        for (const Cost& cost : all_costs_) {
            constexpr double kRoundedToZero = 5e-5;
            std::string comment = fmt::format("  // {}: {}", formula_of(cost.law, learnt_.variables),
                                              cost.law.residual < kRoundedToZero
                                                  ? std::string("exact")
                                                  : fmt::format("within {:.2g} %", 100 * cost.law.residual));
            for (const auto& [name, value] : times_of(cost)) {
                text += fmt::format("    param {}: time = {}{}\n", name, value, std::exchange(comment, {}));
            }
        }
        return text;
    }

    /// Combines means of one function into one parameter if they have the same formula and differ less than messages
    /// do.
    void find_means() {
        std::map<std::string, std::uint32_t> of_name;
        for (const auto& [part, size] : learnt_.sizes) {
            if (!size.mean) continue;
            const Mean& mean = *size.mean;
            const auto near = [](double a, double b, double within) {
                return std::abs(a - b) <= within * std::max(std::abs(a), std::abs(b));
            };
            const auto known = std::find_if(all_means_.begin(), all_means_.end(), [&](const MeanSize& each) {
                const double within = std::min(0.05, std::max(each.spread, size.spread) / 2);
                return each.place == size.place && each.mean.inner == mean.inner && each.mean.outer == mean.outer &&
                       near(each.mean.slope, mean.slope, within) && near(each.mean.constant, mean.constant, within);
            });
            mean_of_[part] = static_cast<std::size_t>(known - all_means_.begin());
            if (known == all_means_.end()) {
                std::string name = word_of(size.place) + "bytes";
                if (const std::uint32_t number = ++of_name[name]; number > 1) name += fmt::format("{}", number);
                while (is_parameter(name)) name += "_";
                all_means_.push_back({mean, size.spread, size.place, name});
                continue;
            }
            const double pieces = known->pieces++;
            known->mean.slope = (known->mean.slope * pieces + mean.slope) / (pieces + 1);
            known->mean.constant = (known->mean.constant * pieces + mean.constant) / (pieces + 1);
            known->spread = std::max(known->spread, size.spread);
        }
    }

    std::string means() const {
        std::string text;
        for (const MeanSize& each : all_means_) {
            text +=
                fmt::format("    param {}: real = {:.6g}  // of the data: a mean, and messages differ by {:.2g} %\n",
                            each.name, each.mean.slope, 100 * each.spread);
            if (each.mean.constant != 0) {
                text += fmt::format("    param {}_constant: real = {:.6g}\n", each.name, each.mean.constant);
            }
        }
        return text;
    }

    std::string mean_text(const Part& part) const {
        const MeanSize& size = all_means_[mean_of_.at(part.id)];
        return fmt::format("1B * round({})", text_of(size.mean, learnt_.variables, size.name, size.name + "_constant"));
    }

    /// Returns the atom for the number of blocks of a loop with a smaller last block. The law contains the mean size of
    /// a block, and the model replaces it by the planes of the current block. Returns nothing if the loop also counts
    /// something else.
    std::optional<Atom> blocks_of(const Law& law, const Part& work) const {
        const Part* const loop = loop_around(work);
        if (law.divisors.empty() || loop == nullptr || !learnt_.iterations.contains(loop->id)) return std::nullopt;
        const std::vector<Term>& terms = learnt_.iterations.at(loop->id).terms;
        if (terms.size() != 1 || terms.front().atoms.size() != 1 || terms.front().coefficient != 1) return std::nullopt;
        const Atom blocks = terms.front().atoms.front();
        const bool whole = std::ranges::count(law.atoms, whole_of(blocks)) == 1;
        const bool divides = std::find(law.divisors.begin(), law.divisors.end(), blocks) != law.divisors.end();
        return blocks.rule == Atom::Rule::blocks && whole && divides ? std::optional(blocks) : std::nullopt;
    }

    /// Formats the number of planes of a block.
    std::string planes_text(const Atom& blocks, Which which) {
        const std::string usual = lets_.name({Atom::Rule::variable, blocks.b});
        const std::string last = lets_.name(last_of(blocks));
        if (which == Which::usual) return usual;
        return which == Which::last
                   ? last
                   : fmt::format("(if {} < {} then {} else {})", counter(), last_iteration(), usual, last);
    }

    std::string argument_text(const KernelArgument& argument, Which which) {
        if (!argument.text.empty()) return argument.text;
        if (!argument.differs_at_last() || which == Which::usual) return lets_.name(argument.usual);
        if (which == Which::last) return lets_.name(argument.last);
        return fmt::format("(if {} < {} then {} else {})", counter(), last_iteration(), lets_.name(argument.usual),
                           lets_.name(argument.last));
    }

    std::string call_of_kernel(const Part& part, Which which) {
        std::vector<std::string> texts;
        for (const KernelArgument& each : learnt_.counted->arguments.at(part.id)) {
            texts.push_back(argument_text(each, which));
        }
        return fmt::format("{}({})", learnt_.counted->kernel->subtask(), fmt::join(texts, ", "));
    }

    /// Formats a time, with the factor of the first iteration if there is one.
    std::string in_iteration(const Part& part, const std::string& text) const {
        const double first = learnt_.works.at(part.id).first;
        if (first == 1.0 || !uses_k_) return text;
        return fmt::format("(if k == 1 then {:.3g} else 1.0) * {}", first, text);
    }

    std::string work_text(const Part& part, Which which) {
        if (is_counted(part)) return in_iteration(part, call_of_kernel(part, which));
        const auto found = cost_of_.find(part.id);
        if (found == cost_of_.end()) return "";
        const Cost& cost = all_costs_[found->second];
        std::optional<Atom> blocks = blocks_of(cost.law, part);
        if (which == Which::any && loops_.empty()) blocks.reset();
        std::string product;
        for (const Atom& atom : cost.law.atoms) {
            const bool planes = blocks && atom == whole_of(*blocks);
            product += fmt::format("{}{}", product.empty() ? "" : " * ",
                                   planes ? planes_text(*blocks, which) : lets_.name(atom));
        }
        std::string text;
        if (cost.law.slope > 0) {
            text = cost.name;
            if (cost.law.atoms.size() > 1) product = "(" + product + ")";
            if (!product.empty()) text += " * " + product;
            for (const Atom& atom : cost.law.divisors) {
                if (!blocks || atom != *blocks) text += " / " + lets_.name(atom);
            }
        }
        if (cost.law.constant > 0) {
            text = text.empty() ? cost.name : fmt::format("({} + {}_once)", text, cost.name);
        }
        return in_iteration(part, text);
    }

    void work(const Part& part) {
        if (const std::string text = work_text(part, Which::any); !text.empty()) line("compute " + text);
    }

    const Part* loop_around(const Part& part) const {
        const Part* found = nullptr;
        const auto search = [&](const auto& self, const std::vector<Part>& parts, const Part* loop) -> void {
            for (const Part& each : parts) {
                if (each.id == part.id) found = loop;
                self(self, each.body, each.kind == Part::Kind::loop ? &each : loop);
            }
        };
        search(search, learnt_.structure.parts, nullptr);
        return found;
    }
    std::string product_text(const Term& term, const std::string& unit) {
        std::string text = unit.empty() && term.coefficient == 1 && !term.atoms.empty()
                               ? ""
                               : fmt::format("{}{}", term.coefficient, unit);
        for (const Atom& atom : term.atoms) text += fmt::format("{}{}", text.empty() ? "" : " * ", lets_.name(atom));
        return text;
    }
    std::string sum_text(const Expression& expression, const std::string& unit) {
        // positive terms precede negative ones
        std::vector<Term> terms = expression.terms;
        if (expression.constant != 0 || terms.empty()) terms.push_back({expression.constant, {}});
        std::stable_partition(terms.begin(), terms.end(), [](const Term& term) { return term.coefficient >= 0; });
        std::string text = terms.front().coefficient < 0 ? "0" + unit : "";
        for (Term& term : terms) {
            const bool minus = term.coefficient < 0;
            term.coefficient = std::abs(term.coefficient);
            text += fmt::format("{}{}", text.empty() ? "" : minus ? " - " : " + ", product_text(term, unit));
        }
        return text;
    }
    std::string number(const Expression& expression) { return sum_text(expression, ""); }

    std::string size_text(const Part& part) {
        const auto found = learnt_.sizes.find(part.id);
        if (found == learnt_.sizes.end()) return "0B";
        if (found->second.mean) return mean_text(part);
        std::string usual = sum_text(found->second.usual, "B");
        if (found->second.by_distance) {
            return found->second.usual.terms.size() + (found->second.usual.constant != 0 ? 1 : 0) > 1
                       ? "(" + usual + ") * " + distance_in_units_
                       : usual + " * " + distance_in_units_;
        }
        if (found->second.slope) return changing_text(usual, *found->second.slope);
        if (!found->second.last) return usual;
        return fmt::format("(if {} < {} then {} else {})", counter(), last_iteration(), usual,
                           sum_text(*found->second.last, "B"));
    }

    /// Formats bytes that change by the same number in each iteration.
    std::string changing_text(const std::string& first, const Expression& slope) {
        const bool falls = slope.terms.empty() && slope.constant < 0;
        const std::string change = falls                 ? fmt::format("{}B", -slope.constant)
                                   : slope.terms.empty() ? fmt::format("{}B", slope.constant)
                                                         : "(" + sum_text(slope, "B") + ")";
        return fmt::format("{} {} {} * ({} - 1)", first, falls ? "-" : "+", change, counter());
    }

    static std::string moved(const char* coordinate, std::int32_t by) {
        if (by == 0) return coordinate;
        return fmt::format("{} {} {}", coordinate, by < 0 ? "-" : "+", by < 0 ? -by : by);
    }
    static std::string inside(const char* coordinate, const char* size, std::int32_t by) {
        if (by == 0) return "";
        return by > 0 ? fmt::format("{} <= {}", moved(coordinate, by), size)
                      : fmt::format("{} >= 1", moved(coordinate, by));
    }
    std::string peer(const Pattern& pattern) {
        if (is_shift(pattern.partner)) {
            return fmt::format("{}({})", pattern.partner == PartnerKind::shift_up ? "rank_ahead" : "rank_behind",
                               counter());
        }
        if (is_staged(pattern.partner)) return "across(" + distance_ + ")";
        if (pattern.partner == PartnerKind::first_rank) return "first_rank";
        if (pattern.partner == PartnerKind::last_rank) return "last_rank";
        if (pattern.partner == PartnerKind::transposed) {
            return is_square() ? "(if column != row then rank_at(row, column) else nobody)" : "transposed";
        }
        switch (pattern.partner) {
            case PartnerKind::skewed_west: return skewed("row", "(column - row + columns) % columns + 1, row");
            case PartnerKind::skewed_east: return skewed("row", "(column + row - 2) % columns + 1, row");
            case PartnerKind::skewed_north: return skewed("column", "column, (row - column + rows) % rows + 1");
            case PartnerKind::skewed_south: return skewed("column", "column, (column + row - 2) % rows + 1");
            default: return peer(pattern.offset);
        }
    }
    static std::string skewed(const char* by, const char* there) {
        return fmt::format("(if {} > 1 then rank_at({}) else nobody)", by, there);
    }
    std::string peer(const Offset& offset) {
        const Offset zero{};
        if (leads_around(offset)) return around(offset);
        if (offset == Offset{1, 0, 0}) return "east";
        if (offset == Offset{-1, 0, 0}) return "west";
        if (offset == Offset{0, 1, 0}) return "south";
        if (offset == Offset{0, -1, 0}) return "north";
        if (offset == Offset{0, 0, 1}) return "up";
        if (offset == Offset{0, 0, -1}) return "down";
        if (offset == zero) return "rank_at(column, row, plane)";
        std::string condition;
        for (const std::string& each : {inside("column", "columns", offset.columns), inside("row", "rows", offset.rows),
                                        inside("plane", "planes", offset.planes)}) {
            if (!each.empty()) condition += fmt::format("{}{}", condition.empty() ? "" : " and ", each);
        }
        const std::string plane = offset.planes == 0 ? "" : ", " + moved("plane", offset.planes);
        return fmt::format("(if {} then rank_at({}, {}{}) else nobody)", condition, moved("column", offset.columns),
                           moved("row", offset.rows), plane);
    }

    bool leads_around(const Offset& offset) const {
        const Closed& closed = learnt_.structure.closed;
        return (closed.columns && offset.columns != 0) || (closed.rows && offset.rows != 0) ||
               (closed.planes && offset.planes != 0);
    }

    static std::string moved_around(const char* coordinate, const char* size, std::int32_t by) {
        if (by == 1) return fmt::format("{} % {} + 1", coordinate, size);
        if (by > 0) return fmt::format("({} + {}) % {} + 1", coordinate, by - 1, size);
        const std::string times = by == -1 ? "" : fmt::format("{} * ", -by);
        return fmt::format("({0} + {1}{2} - {3}) % {2} + 1", coordinate, times, size, 1 - by);
    }

    /// Returns the name of a partner around closed axes, and adds a `let` for this partner.
    std::string around(const Offset& offset) {
        const auto known = around_.find(offset);
        if (known != around_.end()) return known->second.first;
        struct Axis {
            const char* at;
            const char* size;
            std::int32_t by;
            bool closed;
        };
        const Closed& closed = learnt_.structure.closed;
        std::string there;
        std::string inside_all;
        std::string another;  // condition that the partner is another rank
        bool moves = false;   // true if the partner is at a distance along an open axis
        for (const Axis& axis :
             {Axis{"column", "columns", offset.columns, closed.columns}, Axis{"row", "rows", offset.rows, closed.rows},
              Axis{"plane", "planes", offset.planes, closed.planes}}) {
            if (axis.by == 0 && *axis.at == 'p') continue;
            const bool around = axis.closed && axis.by != 0;
            const std::string to = around ? moved_around(axis.at, axis.size, axis.by) : moved(axis.at, axis.by);
            there += (there.empty() ? "" : ", ") + to;
            if (around) {
                const bool next = axis.by == 1 || axis.by == -1;
                another += (another.empty() ? "" : " or ") +
                           (next ? fmt::format("{} > 1", axis.size) : fmt::format("{} != {}", to, axis.at));
            } else if (axis.by != 0) {
                moves = true;
                inside_all += (inside_all.empty() ? "" : " and ") + inside(axis.at, axis.size, axis.by);
            }
        }
        const std::string name = name_around(offset);
        around_[offset] = {name,
                           fmt::format("if {} then rank_at({}) else nobody", moves ? inside_all : another, there)};
        return name;
    }

    std::string name_around(const Offset& offset) const {
        for (const auto& [each, name] : {std::pair{Offset{1, 0, 0}, "east"},
                                         {Offset{-1, 0, 0}, "west"},
                                         {Offset{0, 1, 0}, "south"},
                                         {Offset{0, -1, 0}, "north"},
                                         {Offset{0, 0, 1}, "up"},
                                         {Offset{0, 0, -1}, "down"}}) {
            if (offset == each) return fmt::format("{}_around", name);
        }
        return fmt::format("partner{}", around_.size() + 1);
    }

    bool is_square() const {
        return std::ranges::all_of(learnt_.runs, [](const Run& run) { return run.grid.columns == run.grid.rows; });
    }
    bool has_partners(PartnerKind kind) const {
        return std::ranges::any_of(learnt_.structure.kinds, [kind](const auto& each) { return each.second == kind; });
    }
    bool transposes() const { return has_partners(PartnerKind::transposed); }

    std::string partners() const {
        std::string text;
        if (transposes() && !is_square()) {
            text +=
                "    let squares = quotient(columns, rows)  // side by side, in which pairs of ranks are transposed\n"
                "    let other_column = squares * (row - 1) + (column - 1) % squares + 1\n"
                "    let other_row = quotient(column - 1, squares) + 1\n"
                "    let transposed = if other_column != column or other_row != row then rank_at(other_column, "
                "other_row) else nobody\n";
        }
        const std::string plane = is_flat() ? "" : ", 1";
        const std::string planes = is_flat() ? "" : ", planes";
        if (has_partners(PartnerKind::first_rank)) {
            text += fmt::format("    let first_rank = if rank + 1 == ranks then rank_at(1, 1{}) else nobody\n", plane);
        }
        if (has_partners(PartnerKind::last_rank)) {
            text += fmt::format("    let last_rank = if rank == 0 then rank_at(columns, rows{}) else nobody\n", planes);
        }
        if (has_partners(PartnerKind::shift_up) || has_partners(PartnerKind::shift_down)) {
            text += fmt::format(
                "    function rank_ahead(distance: int): peer = rank_at((rank + distance) % columns + 1, "
                "quotient((rank + "
                "distance) % ranks, columns) % rows + 1{})\n"
                "    function rank_behind(distance: int): peer = rank_ahead(ranks - distance)\n",
                is_flat() ? "" : ", quotient((rank + distance) % ranks, columns * rows) + 1");
        }
        for (const auto& [offset, each] : around_) text += fmt::format("    let {} = {}\n", each.first, each.second);
        return text.empty() ? text : text + "\n";
    }

    /// Formats the requirements of the model. They concern the ranks of its traces and butterflies, square process
    /// grids, and the sizes of closed axes that the runs do not show.
    std::string requirements() const {
        std::string text;
        if (!std::ranges::all_of(learnt_.regions, &Region::left_out)) {
            const std::size_t ranks = learnt_.runs[largest(learnt_.runs)].ranks.size();
            text += fmt::format("    require ranks == {0}, \"traces of {0} ranks are part of this model\"\n", ranks);
        }
        for (const std::string& each : powers_)
            text += "    require " + each + ", \"butterfly exchanges over all ranks\"\n";
        if (transposes()) {
            text +=
                is_square()
                    ? "    require columns == rows, \"each rank exchanges messages with its transposed rank; "
                      "the recorded runs show this only on square process grids\"\n"
                    : "    require columns == rows or columns == 2 * rows, \"each rank exchanges messages with its "
                      "transposed rank; the recorded runs show this only on process grids of one or two squares\"\n";
        }
        for (const PartnerKind kind : {PartnerKind::skewed_west, PartnerKind::skewed_east, PartnerKind::skewed_north,
                                       PartnerKind::skewed_south}) {
            if (!has_partners(kind)) continue;
            text +=
                "    require columns == rows, \"rows shift messages by their number, or columns do; the recorded runs "
                "show this only on square process grids\"\n";
            break;
        }
        if (have_one_grid(learnt_)) {
            const RankGrid& grid = learnt_.runs.front().grid;
            text += fmt::format("    require columns == {} and rows == {}{}, \"all recorded runs have {} ranks\"\n",
                                grid.columns, grid.rows,
                                grid.planes > 1 ? fmt::format(" and planes == {}", grid.planes) : std::string(),
                                as_text(grid));
        }
        if (!learnt_.structure.closed.any()) return text;
        const auto most = [this](std::uint32_t Extents::*size) {
            std::uint32_t largest = 0;
            for (const Run& run : learnt_.runs) largest = std::max(largest, run.grid.*size);
            return largest;
        };
        for (const auto& [name, size] : {std::pair{"columns", most(&Extents::columns)},
                                         {"rows", most(&Extents::rows)},
                                         {"planes", most(&Extents::planes)}}) {
            if (size > 2) continue;
            text += fmt::format("    require {0} {1} {2}, \"no recorded run has more {0}\"\n", name,
                                size == 1 ? "==" : "<=", size);
        }
        return text;
    }

    std::string over(Group group) const {
        const bool flat = is_flat();
        switch (group) {
            case Group::world: return "";
            case Group::row: return flat ? " over row" : " over quotient(rank, columns)";
            case Group::column: return flat ? " over column" : " over rank % columns + columns * plane";
            case Group::plane: return " over plane";
            case Group::pillar: return " over rank % (columns * rows)";
            case Group::row_of_all_planes: return " over row";
            case Group::column_of_all_planes: return " over column";
        }
        return "";
    }

    /// Formats the root of a collective. The text is empty if the root is the first rank that takes part.
    std::string root(const Part& part, const Pattern& pattern) const {
        using enum collectives::Kind;
        const bool moves = pattern.root == RootAt::moving;
        const RootRule rule = moves ? learnt_.roots.at(part.id) : RootRule{};
        if (pattern.root == RootAt::first || (moves && rule.kind == RootRule::Kind::first)) return "";
        const auto at = [&](std::initializer_list<Group> groups, const char* coordinate, const char* size) {
            if (std::ranges::find(groups, pattern.over) != groups.end()) return std::string(coordinate);
            if (!moves || rule.kind == RootRule::Kind::last) return std::string(size);
            return text_of(rule, learnt_.variables, size, counter(), last_iteration()) + " + 1";
        };
        using enum Group;
        const bool sends = pattern.collective == bcast || pattern.collective == scatter;
        const bool of_all = moves && rule.counts_iterations() && pattern.over == world;
        std::string rank = of_all
                               ? numbered(text_of(rule, learnt_.variables, "ranks", counter(), last_iteration()))
                               : fmt::format("{}, {}", at({column, pillar, column_of_all_planes}, "column", "columns"),
                                             at({row, pillar, row_of_all_planes}, "row", "rows"));
        if (!is_flat() && !of_all) rank += fmt::format(", {}", at({row, column, plane}, "plane", "planes"));
        return fmt::format(" {} rank_at({})", sends ? "from" : "to", rank);
    }

    /// Formats the position of the rank with this number.
    std::string numbered(const std::string& number) const {
        const std::string position = fmt::format("({0}) % columns + 1, quotient({0}, columns) % rows + 1", number);
        return is_flat() ? position : fmt::format("{}, quotient({}, columns * rows) + 1", position, number);
    }

    /// Returns the last value of the innermost loop's counter.
    std::string last_iteration() const { return loops_.empty() ? "iterations" : loops_.back().last; }

    bool is_flat() const {
        return std::ranges::all_of(learnt_.runs, [](const Run& run) { return run.grid.planes == 1; });
    }

    static std::string word(collectives::Kind kind) {
        using enum collectives::Kind;
        switch (kind) {
            case barrier: return "barrier";
            case bcast: return "broadcast";
            case reduce: return "reduce";
            case allreduce: return "allreduce";
            case gather:
            case gatherv: return "gather";
            case scatter:
            case scatterv: return "scatter";
            case allgather:
            case allgatherv: return "allgather";
            case alltoall:
            case alltoallv: return "alltoall";
            case reduce_scatter: return "reduce_scatter";
            case scan:
            case exscan: return "scan";
        }
        return "";
    }

    std::string tag(const Part& part) const {
        const auto of_direction = direction_tags_.find(part.pattern);
        const std::int32_t tag = of_direction != direction_tags_.end() ? of_direction->second
                                 : learnt_.structure.tags              ? learnt_.structure.patterns[part.pattern].tag
                                                                       : 0;
        return tag != 0 ? fmt::format(" tag {}", tag) : "";
    }

    void step(const Part& part, std::span<const Part> so_far) {
        const Pattern& pattern = learnt_.structure.patterns[part.pattern];
        const std::string with = named_.contains(part.pattern) ? fmt::format("r{} ", part.id - first_request_) : "";
        switch (pattern.kind) {
            case StepKind::send: return line(fmt::format("send {} to {}{}", size_text(part), peer(pattern), tag(part)));
            case StepKind::ssend:
            case StepKind::issend:
                return line(fmt::format("ssend {} to {}{}", size_text(part), peer(pattern), tag(part)));
            case StepKind::recv: return line(fmt::format("recv from {}{}", peer(pattern), tag(part)));
            case StepKind::isend:
                return line(fmt::format("isend {}{} to {}{}", with, size_text(part), peer(pattern), tag(part)));
            case StepKind::irecv: return line(fmt::format("irecv {}from {}{}", with, peer(pattern), tag(part)));
            case StepKind::wait: return wait(pattern, so_far);
            case StepKind::gather_in_turn:
            case StepKind::scatter_in_turn: return in_turn(so_far);
            case StepKind::corners:
            case StepKind::corners_east_west:
            case StepKind::corners_north_south: return;  // their loop has written them
            case StepKind::collective: break;
        }
        const bool sized = pattern.collective != collectives::Kind::barrier;
        line(word(pattern.collective) + (sized ? " " + size_text(part) : "") + root(part, pattern) +
             over(pattern.over));
    }

    /// Writes the messages of a turn, of which `so_far` ends with the last one, as a loop of the first rank.
    void in_turn(std::span<const Part> so_far) {
        std::size_t first = so_far.size() - 1;
        while (first > 0 && is_of_turn(so_far[first])) --first;
        const std::span<const Part> turn = so_far.subspan(first);
        const auto all = [&](const std::string& other, bool of_first) {
            for (const Part& each : turn) {
                const bool sends = (kind_of(each) == StepKind::scatter_in_turn) == of_first;
                line(sends ? fmt::format("send {} to {}{}", size_text(each), other, tag(each))
                           : fmt::format("recv from {}{}", other, tag(each)));
            }
        };
        open("if rank == 0");
        open("for turn in 1..ranks - 1");
        all(fmt::format("rank_at({})", numbered("turn")), true);
        close();
        --depth_;
        open("} else");
        all(is_flat() ? "rank_at(1, 1)" : "rank_at(1, 1, 1)", false);
        close();
    }

    /// Writes a wait. It is the last part of `so_far`.
    void wait(const Pattern& pattern, std::span<const Part> so_far) {
        if (!named_.contains(pattern.begun)) {
            if (!pattern.joined) line("waitall");
            return;
        }
        line(fmt::format("wait r{}", begun_by(pattern, so_far) - first_request_));
    }

    /// Returns the part of this block that starts the request.
    std::uint32_t begun_by(const Pattern& wait, std::span<const Part> so_far) const {
        std::vector<std::uint32_t> open;
        for (const Part& part : so_far) {
            if (part.kind != Part::Kind::step) continue;
            const Pattern& pattern = learnt_.structure.patterns[part.pattern];
            if (part.pattern == wait.begun) open.push_back(part.id);
            if (pattern.kind != StepKind::wait || pattern.begun != wait.begun || open.size() <= pattern.age) continue;
            const std::uint32_t taken = open[pattern.age];
            if (&part == &so_far.back()) return taken;
            open.erase(open.begin() + pattern.age);
        }
        return 0;
    }

    /// Finds the requests that need names. A request needs no name if it is always waited for together with all other
    /// open requests.
    void find_names() {
        for (bool changed = true; changed;) {
            changed = false;
            std::multiset<std::uint32_t> open;
            std::vector<std::uint32_t> group;
            const auto end_group = [&] {
                if (group.empty()) return;
                const bool some_named = std::any_of(group.begin(), group.end(),
                                                    [this](std::uint32_t each) { return named_.contains(each); });
                const bool all = std::none_of(open.begin(), open.end(),
                                              [this](std::uint32_t each) { return !named_.contains(each); });
                if (some_named || !all) {
                    for (const std::uint32_t each : group) changed = named_.insert(each).second || changed;
                    for (const std::uint32_t each : open) changed = named_.insert(each).second || changed;
                }
                group.clear();
            };
            const auto go = [&](const auto& self, const std::vector<Part>& parts, bool is_one_wait) -> void {
                for (const Part& part : parts) {
                    if (!part.body.empty()) {
                        self(self, part.body, waits_for_shift(part));
                        continue;
                    }
                    if (part.kind != Part::Kind::step) continue;
                    const Pattern& pattern = learnt_.structure.patterns[part.pattern];
                    if (pattern.kind != StepKind::wait || !(pattern.joined || is_one_wait)) end_group();
                    if (begins(pattern.kind)) open.insert(part.pattern);
                    if (pattern.kind != StepKind::wait) continue;
                    group.push_back(pattern.begun);
                    if (const auto found = open.find(pattern.begun); found != open.end()) open.erase(found);
                }
            };
            go(go, learnt_.structure.parts, false);
            end_group();
        }
    }

    const Learnt& learnt_;
    const std::string name_;
    Lets lets_;
    std::string body_;
    std::size_t depth_ = 1;
    std::set<std::string> used_;  // files of templates that the model imports
    bool uses_k_ = false;
    std::size_t functions_ = 0;         // number of the code's functions that execute whole parts of the iteration
    std::optional<std::string> phase_;  // name of the open phase
    std::uint32_t distances_ = 0;       // number of variables that contain distances
    std::string distance_;              // variable for the distance in the current butterfly
    std::string distance_in_units_;     // this distance, divided by the first distance of the butterfly
    std::set<std::string> powers_;      // conditions on powers of two that butterflies require
    /// Sizes that depend on data and share one parameter.
    struct MeanSize {
        Mean mean;
        double spread = 0.0;
        std::string place;
        std::string name;
        std::uint32_t pieces = 1;
    };

    std::vector<MeanSize> all_means_;
    std::map<std::uint32_t, std::size_t> mean_of_;                  // index of the mean of each part
    std::map<Offset, std::pair<std::string, std::string>> around_;  // name and value of each partner around closed axes
    std::vector<Cost> all_costs_;
    std::map<std::uint32_t, std::size_t> cost_of_;  // index of the cost of each part
    Copies copies_;                                 // parts that become calls of the template `repeated`
    std::string repeated_;                          // text of the template `repeated`
    std::string call_of_copy_;
    std::uint32_t first_request_ = 0;  // first part of those whose requests are numbered
    const std::map<std::uint32_t, std::int32_t> direction_tags_;
    std::set<std::uint32_t> named_;  // patterns whose requests have names
    /// A loop around the current statement, with its counter and the counter's last value.
    struct NumberedLoop {
        std::string counter;
        std::string last;
    };
    std::vector<NumberedLoop> loops_;
};

}  // namespace

std::string name_in_model(const std::string& name) {
    static constexpr std::array<std::string_view, 22> kOwn{
        "k",           "inner",      "repeated",           "distance",
        "across",      "numbered",   "pipeline",           "halo",
        "posted",      "tile",       "recursive_doubling", "recursive_halving",
        "all_corners", "transposed", "first_rank",         "last_rank",
        "squares",     "other_row",  "other_column",       "rank_ahead",
        "rank_behind", "turn"};
    std::string result;
    for (const char each : name) result += std::isalnum(static_cast<unsigned char>(each)) != 0 ? each : '_';
    if (result.empty() || std::isdigit(static_cast<unsigned char>(result.front())) != 0) result = "learnt_" + result;
    const bool taken = psl::find_keyword(result) != nullptr || psl::find_builtin(result) != nullptr ||
                       psl::find_function(result) != nullptr ||
                       std::find(kOwn.begin(), kOwn.end(), result) != kOwn.end();
    return taken ? result + "_" : result;
}

std::string model_text(const Learnt& learnt, const std::string& name) { return ModelWriter(learnt, name).text(); }

std::map<std::uint32_t, std::string> block_names(const Learnt& learnt) { return ModelWriter(learnt, "").blocks(); }

std::string name_of(const Atom& atom, const Variables& variables) { return Lets::base_name(atom, variables); }

std::string formula_of(const Law& law, const Variables& variables) {
    std::string text;
    for (const Atom& atom : law.atoms) text += (text.empty() ? "" : " * ") + name_of(atom, variables);
    if (text.empty()) text = "a constant";
    for (const Atom& atom : law.divisors) text += " / " + name_of(atom, variables);
    return law.slope > 0.0 && law.constant > 0.0 ? text + " and a constant" : text;
}

std::vector<NamedTime> time_parameters(const Learnt& learnt) { return ModelWriter(learnt, "").times(); }

}  // namespace warpfront::learning
