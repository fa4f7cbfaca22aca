#include "tools/from_code/learning/structure.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "tools/from_code/learning/directions.hpp"
#include "tools/from_code/learning/merging.hpp"

namespace warpfront::learning {

namespace {

/// Assigns numbers to patterns. All runs share the numbers.
class Patterns {
public:
    std::uint32_t number(const Pattern& pattern) {
        const auto [known, is_new] = numbers_.try_emplace(pattern, static_cast<std::uint32_t>(patterns.size()));
        if (is_new) patterns.push_back(pattern);
        return known->second;
    }
    /// Returns the number of a place in the code. It is the same for the calls of all runs.
    std::uint32_t place(const trace::RecordedSite& site) {
        const auto [known, is_new] =
            places_.try_emplace({site.file, site.line, site.function}, static_cast<std::uint32_t>(places.size()));
        if (is_new) places.push_back(site);
        return known->second;
    }
    /// Records the size of a message in a run. When all sizes are recorded, `is_common` returns true if all runs have a
    /// size.
    void note_size(const Pattern& pattern, Bytes bytes, std::size_t run) {
        runs_with_[{pattern, bytes.count}].insert(run);
        runs_ = std::max(runs_, run + 1);
    }
    bool is_common(const Pattern& pattern, Bytes bytes) const {
        const auto found = runs_with_.find({pattern, bytes.count});
        return found != runs_with_.end() && found->second.size() == runs_;
    }
    /// Returns the pattern of an exchange's step without its stage.
    std::uint32_t without_stage(std::uint32_t each) {
        Pattern pattern = patterns[each];
        if (!is_staged(pattern.partner)) return each;
        pattern.stage = 0;
        if (pattern.kind == StepKind::wait) pattern.begun = without_stage(pattern.begun);
        return number(pattern);
    }
    /// Returns the pattern of a wait that belongs to the same call as the previous step, or to a new call.
    std::uint32_t joined(std::uint32_t symbol, bool is_joined) {
        Pattern pattern = patterns[symbol];
        pattern.joined = is_joined && pattern.kind == StepKind::wait;
        return number(pattern);
    }
    std::vector<std::uint32_t> with_exchanges(const std::vector<std::uint32_t>& symbols, const RankGrid& grid) {
        const auto staged = [this](std::uint32_t symbol) {
            const PartnerKind partner = patterns[symbol].partner;
            const std::uint32_t without = without_stage(symbol);
            Pattern alone = patterns[without];
            alone.joined = alone.joined && !is_shift(partner);
            return Staged{partner, is_staged(partner) ? patterns[symbol].stage : -1, without, number(alone)};
        };
        return learning::with_exchanges(symbols, grid, staged, exchanges);
    }

    std::vector<Pattern> patterns;
    /// Records the order in which a rank performs its steps for the first time.
    void note_order(const std::vector<std::uint32_t>& symbols) {
        FirstSteps first;
        for (const std::uint32_t each : symbols) first.try_emplace(without_call(each), first.size());
        if (std::ranges::find(orders_, first) == orders_.end()) orders_.push_back(std::move(first));
        precedes_.clear();
    }

    /// Returns whether the step of a pattern comes before that of another one: on a rank of any run that performs both,
    /// otherwise in the code.
    bool precedes(std::uint32_t symbol, std::uint32_t other) {
        const auto [known, is_new] = precedes_.try_emplace({symbol, other});
        if (is_new) known->second = precedes_on_ranks(symbol, other).value_or(precedes_in_code(symbol, other));
        return known->second;
    }

    std::vector<Exchange> exchanges;
    std::vector<trace::RecordedSite> places{1};
    Directions directions;

private:
    using FirstSteps = std::map<Pattern, std::size_t>;  // places in an order, by pattern

    /// Returns a pattern regardless of whether a wait is of the same call as the step before.
    Pattern without_call(std::uint32_t symbol) const {
        Pattern pattern = patterns[symbol];
        pattern.joined = false;
        return pattern;
    }

    /// Compares two steps as the ranks do that perform both; nothing if no rank does.
    std::optional<bool> precedes_on_ranks(std::uint32_t symbol, std::uint32_t other) const {
        const Pattern a = without_call(symbol);
        const Pattern b = without_call(other);
        if (a == b) return std::nullopt;
        for (const FirstSteps& order : orders_) {
            const auto first = order.find(a);
            const auto second = order.find(b);
            if (first != order.end() && second != order.end()) return first->second < second->second;
        }
        return std::nullopt;
    }

    /// Returns whether the step of a pattern stands before that of another one in the code; of one call those to lower
    /// ranks first. Lines of two functions are in no order, so a wait follows the messages that another function
    /// begins, as if it waited for these as well.
    bool precedes_in_code(std::uint32_t symbol, std::uint32_t other) const {
        const Pattern& a = patterns[symbol];
        const Pattern& b = patterns[other];
        const trace::RecordedSite& at = places[a.place];
        const trace::RecordedSite& there = places[b.place];
        const bool waits = is_call_that_waits(a);
        if (waits != is_call_that_waits(b) && at.function != there.function) return !waits;
        if (waits && a.place == b.place && a.begun != b.begun) {  // as steps of one call: sends first
            const bool receives = is_receive(patterns[a.begun].kind);
            if (receives != is_receive(patterns[b.begun].kind)) return !receives;
            return precedes_in_code(a.begun, b.begun);
        }
        if (at.file == there.file && at.line != there.line) return at.line < there.line;
        if (a.place != b.place) return a.place < b.place;
        const auto order = [](const Pattern& each) {
            return std::tuple(each.kind == StepKind::wait, each.kind != StepKind::irecv, each.offset);
        };
        return std::tuple(order(a), symbol) < std::tuple(order(b), other);
    }

    /// Returns whether a pattern is a wait of a call that begins no message itself, as MPI_Sendrecv does.
    bool is_call_that_waits(const Pattern& pattern) const {
        return pattern.kind == StepKind::wait && patterns[pattern.begun].place != pattern.place;
    }

    std::map<Pattern, std::uint32_t> numbers_;
    /// for each message with its size, the runs that have it
    std::map<std::pair<Pattern, std::int64_t>, std::set<std::size_t>> runs_with_;
    std::size_t runs_ = 0;
    std::vector<FirstSteps> orders_;                                    // of ranks, without equal ones
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> precedes_;  // results so far
    std::map<std::tuple<std::string, unsigned, std::string>, std::uint32_t> places_{{{"", 0, ""}, 0}};
};

/// Returns the closed axis of two ranks along which an offset points; nothing if there is none.
std::optional<Stand::Side> narrow_axis(const Array& array, const Offset& offset) {
    using Side = Stand::Side;
    if (array.closed.columns && array.columns == 2 && offset.columns != 0) return Side::columns;
    if (array.closed.rows && array.rows == 2 && offset.rows != 0) return Side::rows;
    if (array.closed.planes && array.planes == 2 && offset.planes != 0) return Side::planes;
    return std::nullopt;
}

/// Returns true if the process grid has closed axes of one or two ranks. Offsets of other grids may coincide on it.
bool is_narrow(const Array& array) {
    return (array.closed.columns && array.columns < 3) || (array.closed.rows && array.rows < 3) ||
           (array.closed.planes && array.planes < 3);
}

std::optional<Rank> interior_of(const Run& run, const PartnerKinds& kinds) {
    std::set<Offset> offsets;
    std::set<PartnerKind> mapped_kinds;
    bool only_at_ends = false;  // true if some messages are between the first and the last rank
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        for (const Step& step : run.ranks[rank].steps) {
            if (!has_partner(step.kind)) continue;
            const PartnerKind partner = partner_kind(kinds, *run.recorded, run.ranks[rank], step);
            if (is_mapped(partner)) mapped_kinds.insert(partner);
            only_at_ends = only_at_ends || between_ends(partner);
            if (partner == PartnerKind::offset) offsets.insert(offset_of(run.grid, Rank{rank}, step.peer));
        }
    }
    if (only_at_ends) return std::nullopt;
    // Choose a rank that has all its partners and is at the fewest sides, since codes often perform additional steps at
    // sides.
    const auto sides = [&grid = run.grid](Rank rank) {
        const auto at_side = [](std::uint32_t at, std::uint32_t size) { return at == 1 || at == size ? 1 : 0; };
        return at_side(grid.column(rank), grid.columns) + at_side(grid.row(rank), grid.rows) +
               at_side(grid.plane(rank), grid.planes);
    };
    std::optional<Rank> interior;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        const bool all = std::all_of(offsets.begin(), offsets.end(),
                                     [&](const Offset& offset) { return stays(run.grid, Rank{rank}, offset); });
        const bool is_mapped_to_itself = std::ranges::any_of(
            mapped_kinds, [&](PartnerKind kind) { return mapped(kind, run.grid, Rank{rank}) == Rank{rank}; });
        if (is_mapped_to_itself) continue;
        if (all && (!interior || sides(Rank{rank}) < sides(*interior))) interior = Rank{rank};
    }
    return interior;
}

std::string place_text(const trace::RecordedSite& site) {
    if (!site.file.empty()) return fmt::format(" ({}:{})", site.file, site.line);
    return site.function.empty() ? std::string() : fmt::format(" ({})", site.function);
}

/// Converts one rank's steps to numbers of patterns. Fails with a reason if PSL cannot express a communicator or a
/// root.
class Symbols {
public:
    Symbols(const Run& run, Rank rank, const Structure& structure, Patterns& patterns)
        : run_(run),
          rank_(rank),
          tags_(structure.tags),
          by_size_(structure.by_size),
          ways_(structure.kinds),
          moving_roots_(structure.moving_roots),
          patterns_(patterns) {}

    std::optional<std::vector<std::uint32_t>> all(std::string& why) {
        const std::vector<Step>& steps = run_.ranks[rank_.index].steps;
        for (std::size_t index = 0; index < steps.size(); ++index) {
            const std::optional<Pattern> pattern = pattern_of(steps[index], why);
            if (!pattern) return std::nullopt;
            symbols_.push_back(patterns_.number(*pattern));
            if (begins(pattern->kind)) open_[symbols_.back()].push_back(static_cast<std::uint32_t>(index));
        }
        return std::move(symbols_);
    }

    void note_sizes(std::size_t run) {
        for (const Step& step : run_.ranks[rank_.index].steps) {
            if (is_send(step.kind)) patterns_.note_size(message(step), step.bytes, run);
        }
    }

private:
    std::optional<Pattern> pattern_of(const Step& step, std::string& why) {
        if (step.kind == StepKind::collective) return collective(step, plain(step), why);
        if (!has_partner(step.kind)) return plain(step);
        Pattern pattern = message(step);
        if (is_send(step.kind) && by_size_ == BySize::messages_too && patterns_.is_common(pattern, step.bytes)) {
            pattern.bytes = step.bytes.count;
        }
        if (step.kind != StepKind::wait) return pattern;
        pattern.begun = symbols_[step.begun];
        pattern.offset = patterns_.patterns[pattern.begun].offset;
        std::vector<std::uint32_t>& open = open_[pattern.begun];
        const auto found = std::find(open.begin(), open.end(), step.begun);
        pattern.age = static_cast<std::uint32_t>(found - open.begin());
        open.erase(found);
        return pattern;
    }

    Pattern plain(const Step& step) {
        Pattern pattern;
        pattern.kind = step.kind;
        pattern.phase = step.phase;
        pattern.joined = step.joined;
        pattern.place = patterns_.place(run_.recorded->sites[step.site]);
        return pattern;
    }
    Pattern message(const Step& step) {
        Pattern pattern = plain(step);
        pattern.partner = partner_kind(ways_, *run_.recorded, run_.ranks[rank_.index], step);
        if (pattern.partner == PartnerKind::offset) pattern.offset = offset(step);
        if (is_staged(pattern.partner)) {
            pattern.stage = static_cast<std::int32_t>(change_between(pattern.partner, run_.grid, rank_, step.peer));
        }
        if (tags_) pattern.tag = step.tag;
        return pattern;
    }

    Offset offset(const Step& step) {
        const Offset offset = offset_of(run_.grid, rank_, step.peer);
        if (patterns_.directions.empty() || step.kind == StepKind::wait) return offset;
        const DirectedCall call = directed_call(run_.recorded->sites[step.site], step.kind, offset);
        return patterns_.directions.directed(call, messages_of_[call]++, run_.grid, offset);
    }

    std::string described(const Step& step) const {
        return fmt::format("rank {}, operation {}: {}{}", rank_.index, step.event + 1,
                           collectives::name_of(step.collective), place_text(run_.recorded->sites[step.site]));
    }

    RootAt root_at(const Step& step, Group group) const {
        const bool moves = contains(moving_roots_, run_.recorded->sites[step.site]);
        if (moves && root_position(run_.grid, group, step.peer)) return RootAt::moving;
        const std::vector<Rank>& members = run_.recorded->communicators[step.communicator];
        return step.peer == members.back() ? RootAt::last : RootAt::first;
    }

    std::optional<Pattern> collective(const Step& step, Pattern pattern, std::string& why) {
        const std::vector<Rank>& members = run_.recorded->communicators[step.communicator];
        const std::optional<Group> group = group_of(run_.grid, members);
        if (!group) {
            why = fmt::format(
                "{} over a communicator of {} ranks, which are not a row, column or plane of the process grid of {}",
                described(step), members.size(), as_text(run_.grid));
            return std::nullopt;
        }
        const bool rooted = has_root(step.collective);
        pattern.root = rooted ? root_at(step, *group) : RootAt::first;
        if (pattern.root == RootAt::first && rooted && step.peer != members.front()) {
            why = fmt::format(
                "{} has the root {}; a learnt model can have only the first or the last rank of the communicator as "
                "the root, {} or {}",
                described(step), step.peer.index, members.front().index, members.back().index);
            return std::nullopt;
        }
        pattern.collective = step.collective;
        pattern.over = *group;
        if (by_size_ != BySize::none && step.deviation == 0.0) pattern.bytes = step.bytes.count;
        return pattern;
    }

    const Run& run_;
    const Rank rank_;
    const bool tags_;
    const BySize by_size_;
    const PartnerKinds& ways_;
    const Calls& moving_roots_;
    Patterns& patterns_;
    std::vector<std::uint32_t> symbols_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> open_;  // requests that are open, by pattern
    std::map<DirectedCall, std::size_t> messages_of_;           // number of messages so far
};

void number_parts(std::vector<Part>& parts, std::uint32_t& next) {
    for (Part& part : parts) {
        part.id = next++;
        number_parts(part.body, next);
    }
}

std::vector<Part> parts_of(const std::vector<std::vector<Node>*>& by_run, const std::vector<Run>& runs,
                           const std::vector<Exchange>& exchanges, const std::vector<FoundOccasion>& occasions) {
    std::vector<Part> parts;
    for (std::size_t at = 0; at < by_run.front()->size(); ++at) {
        Part part;
        const Node& node = (*by_run.front())[at];
        if (!node.is_leaf()) {
            part.kind = node.optional ? Part::Kind::some : Part::Kind::loop;
            if (node.optional) part.condition.occasion = occasions[node.symbol].occasion;
            std::vector<std::vector<Node>*> bodies;
            for (std::vector<Node>* const nodes : by_run) {
                if (!node.optional) part.iterations.push_back((*nodes)[at].iterations);
                bodies.push_back(&(*nodes)[at].body);
            }
            part.body = parts_of(bodies, runs, exchanges, occasions);
        } else if (node.symbol >= kExchange) {
            part.kind = Part::Kind::loop;
            const Exchange& exchange = exchanges[node.symbol - kExchange];
            part.staged = exchange.partner;
            for (const Run& run : runs) part.iterations.push_back(stages_of(exchange.partner, run.grid).count);
            for (const std::uint32_t each : exchange.steps) {
                Part step;
                step.pattern = each;
                part.body.push_back(step);
            }
        } else {
            part.pattern = node.symbol;
            for (std::vector<Node>* const nodes : by_run) part.lacking.push_back((*nodes)[at].lacking);
        }
        parts.push_back(std::move(part));
    }
    return parts;
}

/// Executes the parts of one run and calls the functions of a visitor: step(part), work(part), begin(loop, iteration,
/// iterations) and end(). For a part that only some ranks or iterations execute, it calls enter(part) and leave(part)
/// if holds(part) returns true.
template <class Visitor>
void execute(const std::vector<Part>& parts, std::size_t run, const Iteration& iteration, Visitor& visitor) {
    for (const Part& part : parts) {
        switch (part.kind) {
            case Part::Kind::step: visitor.step(part); break;
            case Part::Kind::work: visitor.work(part); break;
            case Part::Kind::some:
                if (part.condition.occasion && !holds(*part.condition.occasion, iteration)) break;
                if (!visitor.holds(part)) break;
                visitor.enter(part);
                execute(part.body, run, iteration, visitor);
                visitor.leave(part);
                break;
            case Part::Kind::loop:
                for (std::int64_t each = 0; each < part.iterations[run]; ++each) {
                    visitor.begin(part, each, part.iterations[run]);
                    execute(part.body, run, {iteration.at, each + 1, part.iterations[run]}, visitor);
                    visitor.end();
                }
        }
    }
}
template <class Visitor>
void execute(const Structure& structure, const std::vector<Run>& runs, std::size_t run, Visitor& visitor) {
    const Values values = values_of(runs[run].grid, Rank{0}, runs[run].parameters);
    execute(structure.parts, run, {&values}, visitor);
}

// Sequences of parts that occur several times.

bool are_equal(const Part& a, const Part& b) {
    const Condition& condition = a.condition;
    const Condition& other = b.condition;
    return a.kind == b.kind && a.pattern == b.pattern && a.iterations == b.iterations && a.lacking == b.lacking &&
           !is_staged(a.staged) && !is_staged(b.staged) && condition.stands == other.stands &&
           condition.either == other.either && condition.occasion == other.occasion &&
           std::ranges::equal(a.body, b.body, are_equal);
}

std::size_t steps_in(std::span<const Part> parts) {
    std::size_t steps = 0;
    for (const Part& part : parts) steps += part.kind == Part::Kind::step ? 1 : steps_in(part.body);
    return steps;
}

bool are_disjoint(std::span<const Part> a, std::span<const Part> b) {
    return last_part(a.back()) < b.front().id || last_part(b.back()) < a.front().id;
}

/// A position in a list of parts.
struct Position {
    const std::vector<Part>* block = nullptr;
    std::size_t at = 0;
    std::span<const Part> first(std::size_t count) const { return std::span(*block).subspan(at, count); }
    std::size_t left() const { return block->size() - at; }
    const Part& part(std::size_t more) const { return (*block)[at + more]; }
};

void add_positions(const std::vector<Part>& parts, std::vector<Position>& positions) {
    for (std::size_t at = 0; at < parts.size(); ++at) {
        positions.push_back({&parts, at});
        add_positions(parts[at].body, positions);
    }
}

/// Returns the length of the longest equal and disjoint sequences that begin at two positions.
std::size_t equal_parts(const Position& a, const Position& b) {
    std::size_t count = 0;
    while (count < std::min(a.left(), b.left()) && are_equal(a.part(count), b.part(count)) &&
           are_disjoint(a.first(count + 1), b.first(count + 1))) {
        ++count;
    }
    return count;
}

void add_work(const Part& first, const Part& copy, std::map<std::uint32_t, std::uint32_t>& works) {
    if (first.kind == Part::Kind::work) works[copy.id] = first.id;
    for (std::size_t at = 0; at < first.body.size(); ++at) add_work(first.body[at], copy.body[at], works);
}

}  // namespace

std::uint32_t last_part(const Part& part) { return part.body.empty() ? part.id : last_part(part.body.back()); }

Copies copies_of(const std::vector<Part>& parts) {
    constexpr std::size_t kLeastSteps = 12;
    std::vector<Position> positions;
    add_positions(parts, positions);
    std::span<const Part> longest;
    std::size_t most = kLeastSteps - 1;
    for (std::size_t a = 0; a < positions.size(); ++a) {
        for (std::size_t b = a + 1; b < positions.size(); ++b) {
            const std::span<const Part> found = positions[a].first(equal_parts(positions[a], positions[b]));
            if (const std::size_t steps = steps_in(found); steps > most) {
                most = steps;
                longest = found;
            }
        }
    }
    Copies copies;
    if (longest.empty()) return copies;
    for (const Position& each : positions) {
        if (each.left() < longest.size()) continue;
        const std::span<const Part> here = each.first(longest.size());
        if (!std::ranges::equal(here, longest, are_equal)) continue;
        if (copies.empty() || are_disjoint(copies.back(), here)) copies.push_back(here);
    }
    return copies;
}

std::map<std::uint32_t, std::uint32_t> works_of_copy(std::span<const Part> first, std::span<const Part> copy) {
    std::map<std::uint32_t, std::uint32_t> works;
    for (std::size_t at = 0; at < first.size(); ++at) add_work(first[at], copy[at], works);
    return works;
}

namespace {

// Where the work is placed in the structure.

/// The way through the structure from one step of an interior rank to the next. Optional parts are ignored.
struct Way {
    std::vector<std::uint32_t> left;     // loops that end on the way, the innermost first
    std::vector<std::uint32_t> entered;  // loops that begin on the way, the outermost first
    std::optional<std::uint32_t> again;  // the loop whose next iteration begins on the way
    std::uint32_t next = 0;              // the next step; the number of parts at the end
    friend auto operator<=>(const Way&, const Way&) = default;
};
using Gaps = std::map<Way, std::vector<std::int64_t>>;  // computing times of each way, in picoseconds

/// A way that leads through optional parts, with the computing before their first step and after their last.
struct Detour {
    Way way;
    std::vector<std::uint32_t> parts;  // the optional parts
    std::int64_t before = 0;           // computing before the first step, in picoseconds
    std::int64_t after = 0;
};
struct InteriorGaps {
    Gaps gaps;
    std::vector<Detour> detours;
};

class GapReader {
public:
    GapReader(const Structure& structure, const Run& run)
        : patterns_(structure.patterns), run_(run), rank_(run.ranks[run.interior.index]), parts_(structure.count) {}

    bool holds(const Part& part) const { return learning::holds(part.condition, run_.grid, run_.interior); }
    void begin(const Part& loop, std::int64_t iteration, std::int64_t) {
        skipped_.reset();
        if (iteration == 0) {
            way_.entered.push_back(loop.id);
        } else {
            // the loop that ended last begins its next iteration, so it was not left
            way_.left.pop_back();
            way_.again = loop.id;
        }
        loops_.push_back(loop.id);
    }
    void end() {
        skipped_.reset();
        way_.left.push_back(loops_.back());
        loops_.pop_back();
    }
    void enter(const Part& part) {
        skipped_.reset();
        if (!part.condition.occasion || depth_++ > 0) return;
        around_ = way_;
        is_entering_ = true;
    }
    void leave(const Part& part) {
        skipped_.reset();
        if (!part.condition.occasion || --depth_ > 0) return;
        way_ = std::exchange(around_, {});
        if (!std::exchange(is_entering_, false)) detour_.parts.push_back(part.id);
    }
    void work(const Part&) {}
    void step(const Part& part) {
        const Pattern& pattern = patterns_[part.pattern];
        if (!takes_part(pattern, run_.grid, run_.interior)) {
            // A rank with all its partners computes before its sends and after its receives.
            skipped_ = is_send(pattern.kind) ? skipped_.value_or(part.id) : std::optional<std::uint32_t>();
            return;
        }
        way_.next = std::exchange(skipped_, {}).value_or(part.id);
        take(rank_.steps[at_++].work);
    }
    InteriorGaps finish() {
        way_.next = parts_;
        take(rank_.work_after);
        // ways that always lead through an optional part
        for (const Detour& each : result_.detours) {
            if (!plain_.contains(each.way)) result_.gaps[each.way].push_back(each.before + each.after);
        }
        return std::move(result_);
    }

private:
    void take(Time gap) {
        const Way way = std::exchange(way_, {});
        if (std::exchange(is_entering_, false)) {
            detour_.before += gap.ps;
        } else if (depth_ == 0 && !detour_.parts.empty()) {
            detour_.way = way;
            detour_.after = gap.ps;
            result_.detours.push_back(std::exchange(detour_, {}));
        } else {
            result_.gaps[way].push_back(gap.ps);
            plain_.insert(way);
        }
    }

    const std::vector<Pattern>& patterns_;
    const Run& run_;
    const RankSteps& rank_;
    const std::uint32_t parts_;
    std::size_t at_ = 0;
    std::vector<std::uint32_t> loops_;
    Way way_;
    Way around_;                            // the way without the current optional part
    std::uint32_t depth_ = 0;               // number of optional parts around the position
    bool is_entering_ = false;              // true if no step of the optional part has been executed yet
    std::optional<std::uint32_t> skipped_;  // the first send without a partner since the last step
    Detour detour_;
    std::set<Way> plain_;
    InteriorGaps result_;
};

constexpr std::int64_t kSmallestShare = 50;  // a place needs at least one of so many equal shares of the computing

/// The places where interior ranks compute: before steps or loops, at one end of loop bodies, or in optional parts.
/// Parts are named by their index, and times are in picoseconds.
struct WorkPlaces {
    std::set<std::uint32_t> before;               // steps and loops before which ranks compute
    std::map<std::uint32_t, std::int64_t> heads;  // loops whose bodies begin with computing, with its time
    std::map<std::uint32_t, std::int64_t> tails;  // loops whose bodies end with computing, with its time
    bool at_end = false;
    std::map<std::uint32_t, std::int64_t> optional;  // optional parts that contain computing, with its time
    /// for each optional part, how much longer the computing after it is than the computing before it
    std::map<std::uint32_t, std::int64_t> behind;
    std::map<std::uint32_t, std::int64_t> small;  // computing before a step or a loop that is too small for a place
    std::map<std::uint32_t, std::int64_t> small_inside;  // the same for computing within loops and optional parts
    std::int64_t all = 0;                                // the computing of all interior ranks

    bool is_in_front_of(const Part& part) const {
        const auto found = behind.find(part.id);
        return found != behind.end() && found->second <= 0;
    }
};

/// Returns the median of the times multiplied by their number. The median ignores occasional interruptions by other
/// processes.
std::int64_t usual_sum(const std::vector<std::int64_t>& gaps) {
    return median(gaps) * static_cast<std::int64_t>(gaps.size());
}

class WorkFinder {
public:
    WorkFinder(const InteriorGaps& interior, std::uint32_t parts, WorkPlaces& places)
        : gaps_(interior.gaps), detours_(interior.detours), parts_(parts), places_(places) {
        std::int64_t repeated = 0;
        for (const auto& [way, each] : gaps_) {
            all_ += usual_sum(each);
            if (each.size() > 1) repeated += usual_sum(each);
        }
        least_once_ = std::max<std::int64_t>(all_ / kSmallestShare, 1);
        least_repeated_ = std::max<std::int64_t>(repeated / kSmallestShare, 1);
    }

    /// Finds the places of the work.
    void find() {
        // loops with more than one iteration, inner loops before the loops around them
        std::vector<std::pair<std::uint32_t, std::int64_t>> loops;
        for (const auto& [way, gaps] : gaps_) {
            if (way.again) loops.emplace_back(*way.again, 0);
        }
        std::sort(loops.begin(), loops.end());
        loops.erase(std::unique(loops.begin(), loops.end()), loops.end());
        std::reverse(loops.begin(), loops.end());  // an inner loop has a higher index than the loop around it
        for (const auto& [loop, unused] : loops) place_loop(loop);
        for (const auto& [way, gaps] : gaps_) {
            if (!way.again) place_before(way, gaps);
        }
        place_in_optional();
        places_.all += all_;
    }

private:
    std::int64_t rest(const Way& way, std::int64_t gap) const {
        for (const std::uint32_t loop : way.left) {
            if (tail_.contains(loop)) gap -= tail_.at(loop);
        }
        for (const std::uint32_t loop : way.entered) {
            if (head_.contains(loop)) gap -= head_.at(loop);
        }
        return gap;
    }

    void place_loop(std::uint32_t loop) {
        std::vector<std::int64_t> again;
        std::vector<std::int64_t> at_entry;
        std::vector<std::int64_t> at_exit;
        for (const auto& [way, gaps] : gaps_) {
            const auto add = [&](std::vector<std::int64_t>& to) {
                for (const std::int64_t gap : gaps) to.push_back(rest(way, gap));
            };
            if (way.again == loop) add(again);
            if (std::find(way.entered.begin(), way.entered.end(), loop) != way.entered.end()) add(at_entry);
            if (std::find(way.left.begin(), way.left.end(), loop) != way.left.end()) add(at_exit);
        }
        const std::int64_t usual = median(again);
        if (usual_sum(again) < least_repeated_) {
            places_.small_inside[loop] += usual_sum(again);
            return;
        }
        const std::int64_t entry = median(at_entry);
        const std::int64_t exit = median(at_exit);
        const auto alike = [usual](std::int64_t gap) { return 2 * std::abs(gap - usual) <= usual; };
        // before or after the loop, something else may be computed
        const bool tail = 2 * exit >= usual && (2 * entry < usual || (alike(exit) && !alike(entry)));
        (tail ? tail_ : head_)[loop] = usual;
        std::int64_t& most = (tail ? places_.tails : places_.heads)[loop];
        most = std::max(most, usual);
    }

    void place_before(const Way& way, const std::vector<std::int64_t>& gaps) {
        std::vector<std::int64_t> rests;
        for (const std::int64_t gap : gaps) rests.push_back(rest(way, gap));
        const std::int64_t sum = usual_sum(rests);
        if (sum < (gaps.size() > 1 ? least_repeated_ : least_once_)) {
            places_.small[place_of(way)] += std::max<std::int64_t>(sum, 0);
            return;
        }
        if (way.next == parts_) {
            places_.at_end = true;
        } else {
            places_.before.insert(place_of(way));
        }
    }

    /// Places the computing of optional parts. It is the time around them that exceeds the usual time of the way
    /// without them.
    void place_in_optional() {
        // additional times, by the optional parts
        std::map<std::vector<std::uint32_t>, std::vector<std::int64_t>> more;
        for (const Detour& each : detours_) {
            const std::int64_t usual = median(gaps_.at(each.way));
            more[each.parts].push_back(each.before + each.after - usual);
            for (const std::uint32_t part : each.parts) {
                places_.behind[part] += std::abs(each.before - usual) - std::abs(each.after - usual);
            }
        }
        for (const auto& [parts, times] : more) {
            const std::int64_t sum = usual_sum(times);
            if (sum >= least_repeated_) {
                places_.optional[parts.front()] += sum;
            } else {
                places_.small_inside[parts.front()] += std::max<std::int64_t>(sum, 0);
            }
        }
    }

    /// Returns the part before which the computing of a way is placed.
    static std::uint32_t place_of(const Way& way) { return way.entered.empty() ? way.next : way.entered.front(); }

    const Gaps& gaps_;
    const std::vector<Detour>& detours_;
    const std::uint32_t parts_;
    WorkPlaces& places_;
    std::int64_t all_ = 0;
    std::int64_t least_once_ = 0;      // least time of a place that is reached once, such as the beginning and the end
    std::int64_t least_repeated_ = 0;  // least time of all other places; a share of the repeated computing
    std::map<std::uint32_t, std::int64_t> head_;  // picoseconds by loop
    std::map<std::uint32_t, std::int64_t> tail_;
};

/// Joins small places. If the small places of a body together have a fiftieth of the computing, and the body has no
/// other place, then the largest of them becomes a place. The computing at the others is counted with it.
class SmallPlacesJoiner {
public:
    explicit SmallPlacesJoiner(WorkPlaces& places) : places_(places) {}

    void join(const std::vector<Part>& parts, std::uint32_t end) {
        const std::int64_t rest = rest_of(parts, nullptr) + small_before(end);
        const bool enough = rest > 0 && rest >= places_.all / kSmallestShare;
        if (enough && !has_place(parts) && !places_.at_end) place_largest(parts, nullptr, end);
    }

    /// Returns the share of the computing that has no place of its own.
    double share() const {
        std::int64_t sum = 0;
        for (const auto* each : {&places_.small, &places_.small_inside}) {
            for (const auto& [part, small] : *each) sum += small;
        }
        return places_.all == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(places_.all);
    }

private:
    static std::int64_t value_at(const std::map<std::uint32_t, std::int64_t>& times, std::uint32_t part) {
        const auto found = times.find(part);
        return found == times.end() ? 0 : found->second;
    }
    std::int64_t small_before(std::uint32_t part) const { return value_at(places_.small, part); }

    bool has_place(const std::vector<Part>& body) const {
        return std::ranges::any_of(body, [this](const Part& each) { return places_.before.contains(each.id); });
    }
    bool has_place_inside(const Part& part) const {
        return places_.heads.contains(part.id) || places_.tails.contains(part.id) ||
               places_.optional.contains(part.id) || has_place(part.body);
    }

    /// Returns the computing at small places of a body and of the bodies within it. Computing that is counted with a
    /// place inside the body is not included.
    std::int64_t rest_of(const std::vector<Part>& body, const Part* around) {
        std::int64_t sum = around == nullptr ? 0 : value_at(places_.small_inside, around->id);
        for (const Part& part : body) sum += small_before(part.id) + rest_of(part.body, &part);
        if (around == nullptr || (around->kind == Part::Kind::loop && in_butterfly(around->staged))) return sum;
        if (has_place_inside(*around)) return 0;
        if (sum == 0 || sum < places_.all / kSmallestShare) return sum;
        place_largest(body, around, 0);
        return 0;
    }

    void place_largest(const std::vector<Part>& body, const Part* around, std::uint32_t end) {
        std::int64_t most = around == nullptr ? small_before(end) : value_at(places_.small_inside, around->id);
        const Part* largest = nullptr;
        for (const Part& part : body) {
            if (small_before(part.id) <= most) continue;
            most = small_before(part.id);
            largest = &part;
        }
        if (largest != nullptr) {
            places_.before.insert(largest->id);
        } else if (around == nullptr) {
            places_.at_end = true;
        } else if (around->kind == Part::Kind::loop) {
            places_.heads[around->id] = most;
        } else {
            places_.optional[around->id] = most;
        }
    }

    WorkPlaces& places_;
};

Part work_part() {
    Part part;
    part.kind = Part::Kind::work;
    return part;
}

/// Appends work to a block. The work precedes the optional parts at the end of the block if more is computed before
/// them than after them.
void append_work(std::vector<Part>& block, const WorkPlaces& places) {
    auto at = block.end();
    while (at != block.begin() && places.is_in_front_of(*std::prev(at))) --at;
    block.insert(at, work_part());
}

void insert_work(std::vector<Part>& parts, const WorkPlaces& places) {
    std::vector<Part> result;
    for (Part& part : parts) {
        if (places.before.contains(part.id)) append_work(result, places);
        insert_work(part.body, places);
        if (part.kind == Part::Kind::loop) {
            const auto first = std::ranges::find_if(part.body, [&places](const Part& each) {
                return !places.behind.contains(each.id) || places.is_in_front_of(each);
            });
            if (places.heads.contains(part.id)) part.body.insert(first, work_part());
            if (places.tails.contains(part.id)) append_work(part.body, places);
        }
        if (places.optional.contains(part.id)) part.body.insert(part.body.begin(), work_part());
        result.push_back(std::move(part));
    }
    parts = std::move(result);
}

/// Returns the number of places in a part.
std::size_t places_in(const Part& part, const WorkPlaces& places) {
    std::size_t count = places.before.contains(part.id) ? 1 : 0;
    for (const auto* inside : {&places.heads, &places.tails, &places.optional}) count += inside->contains(part.id);
    for (const Part& each : part.body) count += places_in(each, places);
    return count;
}

/// Copies the places of a part to an equal part. The place before the first part of a sequence is not copied, since it
/// does not belong to the sequence.
void copy_places(const Part& from, const Part& to, bool is_first, WorkPlaces& places) {
    if (!is_first) {
        places.before.erase(to.id);
        if (places.before.contains(from.id)) places.before.insert(to.id);
    }
    for (auto* inside : {&places.heads, &places.tails, &places.optional, &places.behind}) {
        inside->erase(to.id);
        if (const auto found = inside->find(from.id); found != inside->end()) inside->emplace(to.id, found->second);
    }
    for (std::size_t at = 0; at < from.body.size(); ++at) copy_places(from.body[at], to.body[at], false, places);
}

/// Places the work of equal sequences as in the one that has the most places.
void place_copies_alike(const std::vector<Part>& parts, WorkPlaces& places) {
    const Copies copies = copies_of(parts);
    if (copies.empty()) return;
    const auto count = [&places](std::span<const Part> copy) {
        std::size_t sum = 0;
        for (const Part& part : copy) sum += places_in(part, places);
        return sum;
    };
    const std::span<const Part> most = *std::ranges::max_element(copies, {}, count);
    for (const std::span<const Part> copy : copies) {
        if (copy.data() == most.data()) continue;
        for (std::size_t at = 0; at < copy.size(); ++at) copy_places(most[at], copy[at], at == 0, places);
    }
}

void place_work(Structure& structure, const std::vector<Run>& runs) {
    WorkPlaces places;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        GapReader reader(structure, runs[run]);
        execute(structure, runs, run, reader);
        const InteriorGaps gaps = reader.finish();
        WorkFinder(gaps, structure.count, places).find();
    }
    SmallPlacesJoiner small(places);
    small.join(structure.parts, structure.count);
    structure.work_joined = small.share();
    // if runs place the work at different ends of a loop, keep the end with more computing
    for (auto head = places.heads.begin(); head != places.heads.end();) {
        const auto tail = places.tails.find(head->first);
        const bool both = tail != places.tails.end();
        const bool is_tail = both && tail->second > head->second;
        if (both && !is_tail) places.tails.erase(tail);
        head = is_tail ? places.heads.erase(head) : std::next(head);
    }
    place_copies_alike(structure.parts, places);
    insert_work(structure.parts, places);
    if (places.at_end) structure.parts.push_back(work_part());
    structure.count = 0;
    number_parts(structure.parts, structure.count);
}

// Steps that only some ranks perform.

/// Additional steps that a rank performs before a part of the structure, as numbers of patterns. The key is the index
/// of the part, or the number of parts at the end.
using Additions = std::map<std::uint32_t, std::vector<std::uint32_t>>;

/// Finds the additional steps of one rank. Fails if the rank differs from the structure in another way.
class AdditionFinder {
public:
    AdditionFinder(const Run& run, Rank rank, const std::vector<std::uint32_t>& symbols,
                   const std::vector<Pattern>& patterns, std::uint32_t parts)
        : run_(run), rank_(rank), symbols_(symbols), patterns_(patterns), parts_(parts) {}

    bool holds(const Part& part) const { return part.condition.stands.empty(); }
    void begin(const Part& loop, std::int64_t iteration, std::int64_t) {
        if (iteration == 0) entered_.push_back(loop.id);
    }
    void end() {}
    void enter(const Part& part) { entered_.push_back(part.id); }
    void leave(const Part&) {}
    void work(const Part&) {}
    void step(const Part& part) {
        const Pattern& pattern = patterns_[part.pattern];
        if (takes_part(pattern, run_.grid, rank_)) {
            expected_.push_back({part.pattern, entered_.empty() ? part.id : entered_.front()});
            entered_.clear();
        }
    }

    bool find(Additions& additions) {
        std::size_t at = 0;
        for (std::size_t next = 0; next <= expected_.size(); ++next) {
            const std::optional<std::size_t> skipped = skip(at, next);
            if (!skipped) return false;
            const std::uint32_t part = next < expected_.size() ? expected_[next].part : parts_;
            const std::vector<std::uint32_t> added(symbols_.begin() + static_cast<std::ptrdiff_t>(at),
                                                   symbols_.begin() + static_cast<std::ptrdiff_t>(at + *skipped));
            const auto [known, is_new] = additions.try_emplace(part, added);
            if (!is_new && known->second != added) return false;  // not at every execution of the part
            at += *skipped + 1;
        }
        return true;
    }

private:
    struct Expected {
        std::uint32_t pattern = 0;
        // the part before which additions are placed: the step, or the outermost loop that begins with it
        std::uint32_t part = 0;
    };
    static constexpr std::size_t kMostAdded = 64;

    /// Returns how many symbols precede the symbol of the expected step `next`. The number is chosen so that the symbol
    /// after it agrees as well.
    std::optional<std::size_t> skip(std::size_t at, std::size_t next) const {
        if (next == expected_.size()) return symbols_.size() - std::min(at, symbols_.size());
        for (std::size_t skipped = 0; skipped <= kMostAdded && at + skipped < symbols_.size(); ++skipped) {
            bool agree = true;
            for (std::size_t ahead = 0; agree && ahead < 2; ++ahead) {
                const std::size_t here = at + skipped + ahead;
                if (next + ahead >= expected_.size() || here >= symbols_.size()) break;
                // after the step itself there may be further additions
                agree = ahead > 0 && skipped == 0 ? true : symbols_[here] == expected_[next + ahead].pattern;
            }
            if (agree && symbols_[at + skipped] == expected_[next].pattern) return skipped;
        }
        return std::nullopt;
    }

    const Run& run_;
    const Rank rank_;
    const std::vector<std::uint32_t>& symbols_;
    const std::vector<Pattern>& patterns_;
    const std::uint32_t parts_;
    std::vector<std::uint32_t> entered_;
    std::vector<Expected> expected_;
};

std::vector<Condition> all_conditions() {
    std::vector<Stand> stands;
    using Side = Stand::Side;
    for (const Side side : {Side::columns, Side::rows, Side::planes}) {
        for (const bool first : {true, false}) {
            for (const bool not_there : {false, true}) stands.push_back({side, first, not_there});
        }
    }
    std::vector<Condition> all;
    for (const Stand& stand : stands) all.push_back({{stand}, false});
    for (const bool either : {false, true}) {
        for (std::size_t a = 0; a < stands.size(); ++a) {
            for (std::size_t b = a + 1; b < stands.size(); ++b) all.push_back({{stands[a], stands[b]}, either});
        }
    }
    return all;
}

/// The additional steps of one rank before a part.
struct Added {
    std::size_t run = 0;
    Rank rank;
    std::vector<std::uint32_t> patterns;
};

class SomePlacer {
public:
    SomePlacer(const std::vector<Run>& runs, const std::vector<Pattern>& patterns) : runs_(runs), patterns_(patterns) {}

    /// Returns the blocks before one part, each with the condition of its ranks. The result is empty if no conditions
    /// fit.
    std::vector<Part> blocks(std::vector<Added> all) const {
        std::vector<Part> result;
        while (std::any_of(all.begin(), all.end(), [](const Added& each) { return !each.patterns.empty(); })) {
            const std::vector<std::uint32_t> longest =
                std::max_element(all.begin(), all.end(), [](const Added& a, const Added& b) {
                    return a.patterns.size() < b.patterns.size();
                })->patterns;
            const std::optional<Condition> condition = condition_of(longest, all);
            if (!condition) return {};
            Part block;
            block.kind = Part::Kind::some;
            block.condition = *condition;
            for (const std::uint32_t pattern : longest) {
                Part step;
                step.pattern = pattern;
                block.body.push_back(step);
            }
            for (Added& each : all) {
                if (each.patterns == within(longest, each)) each.patterns.clear();
            }
            result.push_back(std::move(block));
        }
        return result;
    }

private:
    std::vector<std::uint32_t> within(const std::vector<std::uint32_t>& patterns, const Added& at) const {
        std::vector<std::uint32_t> result;
        for (const std::uint32_t each : patterns) {
            if (takes_part(patterns_[each], runs_[at.run].grid, at.rank)) {
                result.push_back(each);
            }
        }
        return result;
    }
    std::optional<Condition> condition_of(const std::vector<std::uint32_t>& longest,
                                          const std::vector<Added>& all) const {
        for (const Condition& condition : all_conditions()) {
            const bool fits = std::all_of(all.begin(), all.end(), [&](const Added& each) {
                const std::vector<std::uint32_t> own = within(longest, each);
                if (own.empty()) return true;
                return holds(condition, runs_[each.run].grid, each.rank) == (each.patterns == own);
            });
            if (fits) return condition;
        }
        return std::nullopt;
    }

    const std::vector<Run>& runs_;
    const std::vector<Pattern>& patterns_;
};

void insert_blocks(std::vector<Part>& parts, const std::map<std::uint32_t, std::vector<Part>>& blocks) {
    std::vector<Part> result;
    for (Part& part : parts) {
        if (const auto found = blocks.find(part.id); found != blocks.end()) {
            result.insert(result.end(), found->second.begin(), found->second.end());
        }
        insert_blocks(part.body, blocks);
        result.push_back(std::move(part));
    }
    parts = std::move(result);
}

/// Adds the additional steps of some ranks to the structure. If a rank differs in another way, the structure does not
/// change, and the rank is reported later.
void add_what_some_do(Structure& structure, const std::vector<Run>& runs, Patterns& patterns) {
    std::map<std::uint32_t, std::vector<Added>> added;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        for (std::uint32_t rank = 0; rank < runs[run].ranks.size(); ++rank) {
            std::string why;
            const auto symbols = Symbols(runs[run], Rank{rank}, structure, patterns).all(why);
            if (!symbols) return;
            std::vector<std::uint32_t> own_symbols = *symbols;
            for (std::uint32_t& each : own_symbols) each = patterns.without_stage(each);
            AdditionFinder finder(runs[run], Rank{rank}, own_symbols, patterns.patterns, structure.count);
            execute(structure, runs, run, finder);
            Additions own;
            if (!finder.find(own)) return;
            for (auto& [part, steps] : own) added[part].push_back({run, Rank{rank}, std::move(steps)});
        }
    }
    std::map<std::uint32_t, std::vector<Part>> blocks;
    for (auto& [part, all] : added) {
        std::vector<Part> here = SomePlacer(runs, patterns.patterns).blocks(all);
        if (!here.empty()) blocks[part] = std::move(here);
    }
    if (blocks.empty()) return;
    insert_blocks(structure.parts, blocks);
    if (const auto found = blocks.find(structure.count); found != blocks.end()) {
        structure.parts.insert(structure.parts.end(), found->second.begin(), found->second.end());
    }
    structure.count = 0;
    number_parts(structure.parts, structure.count);
}

/// Returns how symbols of a run match the loops of another run. Along a closed axis of two ranks both directions lead
/// to the same rank, and a code may use only one of them. An axis of one rank has no partners.
LeafRule leaf_rule(const Run& run, const std::vector<Pattern>& patterns, const std::vector<Exchange>& exchanges) {
    const auto is_message = [&patterns](std::uint32_t leaf) {
        return leaf < kExchange && has_partner(patterns[leaf].kind);
    };
    const auto same = [&run, &patterns](std::uint32_t leaf, std::uint32_t symbol) {
        if (leaf == symbol) return true;
        if (leaf >= kExchange || symbol >= kExchange) return false;
        Pattern expected = patterns[leaf];
        const Pattern& own = patterns[symbol];
        expected.offset = shortest(run.grid, expected.offset);
        expected.begun = own.begun;
        expected.age = own.age;
        return run.grid.closed.any() && expected == own;
    };
    const auto absent = [&run, &patterns, &exchanges, is_message](std::uint32_t leaf) {
        if (leaf >= kExchange) return stages_of(exchanges[leaf - kExchange].partner, run.grid).count == 0;
        if (!is_message(leaf)) return false;
        const Offset& offset = patterns[leaf].offset;
        return offset != Offset{} && shortest(run.grid, offset) == Offset{};
    };
    const auto may_lack = [&run, &patterns, is_message](std::uint32_t leaf) {
        return is_message(leaf) && narrow_axis(run.grid, patterns[leaf].offset).has_value();
    };
    return {same, absent, may_lack};
}

/// Replaces staged exchanges by symbols of their own. Exchanges of a single stage are recognised by comparison with the
/// others, so they are replaced last.
bool take_exchanges(const std::vector<Run>& runs, Patterns& patterns, std::vector<InteriorSteps>& interiors,
                    std::vector<Refusal>& refused) {
    for (std::size_t run = 0; run < runs.size(); ++run) {
        patterns.with_exchanges(interiors[run].symbols, runs[run].grid);
    }
    for (std::size_t run = 0; run < runs.size(); ++run) {
        std::vector<std::uint32_t>& symbols = interiors[run].symbols;
        symbols = patterns.with_exchanges(symbols, runs[run].grid);
        const bool whole = std::ranges::none_of(symbols, [&patterns](std::uint32_t each) {
            return each < kExchange && is_staged(patterns.patterns[each].partner);
        });
        if (whole) continue;
        refused.push_back({fmt::format("`{}`: rank {} exchanges messages with ranks whose numbers differ from its own "
                                       "in one bit, or by 1, 2 and so on; but some of these bits or distances are "
                                       "missing; record a run on 8 or 16 ranks",
                                       runs[run].recorded->name, runs[run].interior.index),
                           1});
        return false;
    }
    return true;
}

/// The run that fits the loops of another run best, although not completely.
struct Misfit {
    std::size_t run = 0;
    std::size_t other = 0;
    Mismatch mismatch;
};

/// Formats a step of an interior rank for messages.
std::string text_of(const Pattern& pattern, const Patterns& patterns) {
    const auto partner = [](const Pattern& message) {
        if (message.partner != PartnerKind::offset) return std::string("its partner");
        return fmt::format("the rank at ({:+}, {:+}{})", message.offset.columns, message.offset.rows,
                           message.offset.planes == 0 ? "" : fmt::format(", {:+}", message.offset.planes));
    };
    std::string text;
    if (pattern.kind == StepKind::collective) {
        text = collectives::name_of(pattern.collective);
    } else if (is_in_turn(pattern.kind)) {
        text = in_turn_text(pattern.kind);
    } else if (!has_partner(pattern.kind)) {
        text = "a call of `all_corners`";
    } else {
        text = fmt::format("{} {}",
                           is_send(pattern.kind)      ? "a send to"
                           : is_receive(pattern.kind) ? "a receive from"
                                                      : "a wait for",
                           partner(pattern));
    }
    return text + place_text(patterns.places[pattern.place]);
}

/// Formats the rank and the recorded operation of a symbol of an interior rank. Operations are counted from 1.
std::string operation_at(const Run& run, const InteriorSteps& interior, std::size_t at, const Patterns& patterns) {
    std::size_t step = 0;
    for (const std::uint32_t symbol : std::span(interior.symbols).first(at)) {
        if (symbol < kExchange) {
            ++step;
        } else {
            const Exchange& exchange = patterns.exchanges[symbol - kExchange];
            step += exchange.steps.size() * stages_of(exchange.partner, run.grid).count;
        }
    }
    const bool is_end = step >= interior.origins.size();
    const Origin& origin = is_end ? interior.origins.back() : interior.origins[step];
    const std::uint32_t event = run.ranks[origin.rank.index].steps[origin.step].event;
    return fmt::format("rank {}, operation {}", origin.rank.index, event + (is_end ? 2 : 1));
}

std::string misfit_text(const Misfit& misfit, const std::vector<Run>& runs, const Patterns& patterns,
                        const std::vector<InteriorSteps>& interiors) {
    const std::vector<std::uint32_t>& own = interiors[misfit.run].symbols;
    const auto text = [&patterns](std::uint32_t symbol) {
        return symbol < kExchange ? text_of(patterns.patterns[symbol], patterns) : std::string("a staged exchange");
    };
    const std::size_t at = misfit.mismatch.at;
    const bool narrow = is_narrow(runs[misfit.run].grid) || is_narrow(runs[misfit.other].grid);
    return fmt::format("the loops of these runs differ: in `{}`, {} is {}, but the loops of `{}` have {} there; {}",
                       runs[misfit.run].recorded->name,
                       operation_at(runs[misfit.run], interiors[misfit.run], at, patterns),
                       at < own.size() ? text(own[at]) : "the end", runs[misfit.other].recorded->name,
                       misfit.mismatch.expected ? text(*misfit.mismatch.expected) : "their end",
                       narrow ? "on a ring of two ranks, both directions lead to the same rank, so record runs with "
                                "three or more ranks along each closed axis"
                              : "if the code ends its loops on a condition such as convergence, fix their numbers of "
                                "iterations and record the code again");
}

/// The loops that the interior ranks of all runs have in common, with the occasions of their optional nodes.
struct CommonShape {
    std::vector<std::vector<Node>> by_run;
    std::vector<FoundOccasion> occasions;  // occasion of each optional node
    std::int64_t more = 0;                 // total length of the conditions
    bool is_indirect = false;              // true if loops without these conditions would be equivalent
    std::string other_loops{};             // as in Structure::other_loops
};

/// The use of foldings with the nodes of several runs.
enum class Merging : std::uint8_t { none, if_needed };

/// Searches for loops that all runs have in common.
class ShapeSearch {
public:
    ShapeSearch(const std::vector<Run>& runs, const Variables& variables, const Patterns& patterns,
                const std::vector<InteriorSteps>& interiors)
        : runs_(runs), variables_(variables), patterns_(patterns), interiors_(interiors) {
        for (const Run& run : runs) values_.push_back(values_of(run.grid, Rank{0}, run.parameters));
    }

    /// Tries the foldings of all runs, the shortest first, and then foldings with the nodes of several runs. If no
    /// folding fits all runs, `why` describes the run that fits the loops of another run best.
    std::optional<CommonShape> find(Merging merging, std::string& why) const {
        const auto opens = [this](std::uint32_t symbol) -> std::int64_t {
            if (symbol >= kExchange) return 0;
            const StepKind kind = patterns_.patterns[symbol].kind;
            return begins(kind) ? 1 : kind == StepKind::wait ? -1 : 0;
        };
        std::vector<FoldingOfRun> all;
        for (std::size_t run = 0; run < interiors_.size(); ++run) {
            for (Folding& each : foldings(interiors_[run].symbols, opens)) all.emplace_back(run, std::move(each));
        }
        std::ranges::stable_sort(all, {}, [](const auto& each) { return each.second.length; });
        Misfit misfit;
        std::optional<CommonShape> best;
        std::pair<bool, std::int64_t> least;
        for (const auto& [run, folding] : all) {
            auto common = fit_all(folding.nodes, run, misfit, why);
            if (!common) continue;
            const std::pair<bool, std::int64_t> price{common->is_indirect,
                                                      static_cast<std::int64_t>(folding.length) + common->more};
            if (best && price >= least) continue;
            best = std::move(common);
            least = price;
        }
        if (best) return best;
        for (const Folding& each : merging == Merging::none ? std::vector<Folding>{} : merged_foldings(all)) {
            Misfit ignored;
            std::string ignored_why;
            auto common = fit_all(each.nodes, 0, ignored, ignored_why);
            if (!common || !is_mostly_common(*common)) continue;
            common->other_loops = misfit_text(misfit, runs_, patterns_, interiors_);
            return common;
        }
        if (why.empty()) why = misfit_text(misfit, runs_, patterns_, interiors_);
        return std::nullopt;
    }

private:
    /// Returns true if two runs have at least a third of their different operations in common. Otherwise they come from
    /// two codes.
    bool are_of_one_code(std::size_t run, std::size_t other) const {
        const std::set<std::uint32_t> own(interiors_[run].symbols.begin(), interiors_[run].symbols.end());
        std::set<std::uint32_t> all(interiors_[other].symbols.begin(), interiors_[other].symbols.end());
        const auto common = std::ranges::count_if(own, [&all](std::uint32_t each) { return all.contains(each); });
        all.insert(own.begin(), own.end());
        return 3 * static_cast<std::size_t>(common) >= all.size();
    }

    /// Counts the steps in a fitted folding, with or without the steps in optional nodes.
    static std::int64_t steps_of(const std::vector<Node>& nodes, bool with_optional) {
        std::int64_t sum = 0;
        for (const Node& node : nodes) {
            if (node.is_leaf()) {
                ++sum;
            } else if (node.is_loop() || with_optional) {
                sum += (node.is_loop() ? node.iterations : 1) * steps_of(node.body, with_optional);
            }
        }
        return sum;
    }
    /// Returns true if each run has at least a third of its steps in nodes that all runs have.
    static bool is_mostly_common(const CommonShape& shape) {
        return std::ranges::all_of(shape.by_run, [](const std::vector<Node>& nodes) {
            return 3 * steps_of(nodes, false) >= steps_of(nodes, true);
        });
    }

    using FoldingOfRun = std::pair<std::size_t, Folding>;

    /// Returns the foldings of each run, extended by nodes that only other runs have, the shortest first.
    std::vector<Folding> merged_foldings(const std::vector<FoldingOfRun>& all) const {
        std::vector<Folding> result;
        for (const auto& [run, folding] : all) {
            std::vector<Folding> shapes{folding};
            for (std::size_t other = 0; other < runs_.size(); ++other) {
                const bool is_one_code = are_of_one_code(run, other);
                std::vector<Folding> next;
                for (Folding& shape : shapes) {
                    if (fits(shape.nodes, other)) {
                        next.push_back(std::move(shape));
                    } else if (is_one_code) {
                        add_merged(shape.nodes, other, all, next);
                    }
                }
                shapes = std::move(next);
                keep_shortest(shapes);
            }
            std::ranges::move(shapes, std::back_inserter(result));
        }
        std::ranges::stable_sort(result, {}, &Folding::length);
        return result;
    }
    static void add_merged(const std::vector<Node>& shape, std::size_t other, const std::vector<FoldingOfRun>& all,
                           std::vector<Folding>& merged_shapes) {
        for (const auto& [run, folding] : all) {
            if (run != other) continue;
            std::vector<Node> nodes = merged(shape, folding.nodes);
            const std::size_t length = length_of(nodes);
            if (!nodes.empty()) merged_shapes.push_back({std::move(nodes), length});
        }
    }
    static void keep_shortest(std::vector<Folding>& shapes) {
        constexpr std::size_t kMost = 8;
        std::ranges::stable_sort(shapes, {}, &Folding::length);
        if (shapes.size() > kMost) shapes.resize(kMost);
    }

    LeafRule rule(std::size_t run) const { return leaf_rule(runs_[run], patterns_.patterns, patterns_.exchanges); }
    bool fits(const std::vector<Node>& shape, std::size_t run) const {
        return fitted(shape, interiors_[run].symbols, rule(run)).has_value();
    }

    /// Fits the folding of one run to all runs. Returns nothing if a run does not fit.
    std::optional<CommonShape> fit_all(const std::vector<Node>& shape, std::size_t of, Misfit& misfit,
                                       std::string& why) const {
        CommonShape common;
        std::vector<std::vector<Choice>> choices;
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            Mismatch mismatch;
            std::optional<Fit> fit = fitted(shape, interiors_[run].symbols, rule(run), &mismatch);
            if (!fit) {
                if (mismatch.at >= misfit.mismatch.at) misfit = {run, of, mismatch};
                return std::nullopt;
            }
            common.by_run.push_back(std::move(fit->nodes));
            choices.push_back(std::move(fit->choices));
        }
        for (const auto& [node, samples] : samples_of(common.by_run, choices)) {
            std::optional<FoundOccasion> found = occasion_of(samples, variables_);
            if (!found) {
                if (why.empty() && !samples.empty()) why = irregular_text(*node, samples);
                return std::nullopt;
            }
            add_price(found->occasion, samples, common);
            common.occasions.push_back(std::move(*found));
        }
        return common;
    }

    /// Adds the length of a condition. A condition that only excludes the first or the last iteration is not needed if
    /// the loop begins at another position. If a parameter counts the iterations, a condition is preferred to nested
    /// loops. Otherwise nested loops are preferred, if the numbers of iterations allow them.
    void add_price(const Occasion& occasion, const std::vector<OccasionSample>& samples, CommonShape& shape) const {
        constexpr std::int64_t kCounted = 10;
        shape.more += static_cast<std::int64_t>(length_of(occasion));
        shape.is_indirect = shape.is_indirect || is_all_but_an_end(occasion);
        const std::optional<std::int64_t> period = constant_period(occasion);
        if (!period) return;
        for (std::size_t v = Variables::kParameters; v < variables_.names.size(); ++v) {
            const bool counts = std::ranges::all_of(
                samples, [v](const OccasionSample& each) { return (*each.iteration.at)[v] == each.iteration.of; });
            if (!counts) continue;
            shape.more -= kCounted;
            return;
        }
        shape.is_indirect = shape.is_indirect || std::ranges::all_of(samples, [&period](const OccasionSample& each) {
                                return each.iteration.of % *period == 0;
                            });
    }

    using OptionalNodes = std::vector<std::pair<const Node*, std::vector<OccasionSample>>>;

    /// Returns the optional nodes in the order of their indices, with the iterations of all runs.
    OptionalNodes samples_of(const std::vector<std::vector<Node>>& by_run,
                             const std::vector<std::vector<Choice>>& choices) const {
        OptionalNodes all;
        for (std::size_t run = 0; run < by_run.size(); ++run) {
            std::vector<std::int64_t> around;  // for each optional node, the number of iterations of the loop around it
            const auto add = [&](const auto& self, const std::vector<Node>& nodes, std::int64_t iterations) -> void {
                for (const Node& node : nodes) {
                    if (node.optional) {
                        around.push_back(iterations);
                        if (run == 0) all.emplace_back(&node, std::vector<OccasionSample>{});
                    }
                    self(self, node.body, node.is_loop() ? node.iterations : iterations);
                }
            };
            add(add, by_run[run], 1);
            for (const Choice& each : choices[run]) {
                all[each.optional].second.push_back(
                    {{&values_[run], each.iteration + 1, around[each.optional]}, each.taken});
            }
        }
        return all;
    }

    /// Formats the iterations of one run that execute a part of a loop.
    std::string irregular_text(const Node& node, const std::vector<OccasionSample>& samples) const {
        const Node* leaf = &node;
        while (!leaf->is_leaf()) leaf = &leaf->body.front();
        const Values* const first = samples.front().iteration.at;
        std::string iterations;
        std::size_t named = 0;
        constexpr std::size_t kMostNamed = 8;
        for (const OccasionSample& each : samples) {
            if (each.iteration.at != first || !each.executed) continue;
            if (++named <= kMostNamed)
                iterations += fmt::format("{}{}", iterations.empty() ? "" : ", ", each.iteration.number);
        }
        return fmt::format(
            "`{}`: rank {} executes {} only in iterations {}{} of the {} of a loop; no condition on first, last or "
            "n-th iterations selects exactly these, even with the parameters of these runs; if a number of the input "
            "determines the iterations, pass this number to `record --parameter`",
            runs_.front().recorded->name, runs_.front().interior.index,
            leaf->symbol < kExchange ? text_of(patterns_.patterns[leaf->symbol], patterns_) : "a staged exchange",
            iterations, named > kMostNamed ? ", ..." : "", samples.front().iteration.of);
    }

    const std::vector<Run>& runs_;
    const Variables& variables_;
    const Patterns& patterns_;
    const std::vector<InteriorSteps>& interiors_;
    std::vector<Values> values_;  // values of each run
};

/// Finds steps that are missing in runs with two ranks along a closed axis. They are executed under the condition that
/// the axis has more ranks.
void condition_lacking(std::vector<Part>& parts, const std::vector<Run>& runs, const std::vector<Pattern>& patterns) {
    std::vector<Part> result;
    for (Part& part : parts) {
        condition_lacking(part.body, runs, patterns);
        std::optional<Stand::Side> side;
        for (std::size_t run = 0; run < part.lacking.size(); ++run) {
            if (part.lacking[run]) side = narrow_axis(runs[run].grid, patterns[part.pattern].offset);
        }
        if (!side) {
            result.push_back(std::move(part));
            continue;
        }
        const Condition wide{{{*side, false, false, true}}, false};
        if (result.empty() || result.back().kind != Part::Kind::some || result.back().condition.stands != wide.stands) {
            Part block;
            block.kind = Part::Kind::some;
            block.condition = wide;
            result.push_back(std::move(block));
        }
        result.back().body.push_back(std::move(part));
    }
    parts = std::move(result);
}

/// Closes an axis in all runs if it is closed in a run with three or more ranks along it. Shorter axes do not show
/// this.
void close_axes(std::vector<Run>& runs, Closed& closed) {
    for (const Run& run : runs) {
        closed.columns = closed.columns || run.grid.closed.columns;
        closed.rows = closed.rows || run.grid.closed.rows;
        closed.planes = closed.planes || run.grid.closed.planes;
    }
    for (Run& run : runs) {
        run.grid.closed.columns = run.grid.closed.columns || (closed.columns && run.grid.columns < 3);
        run.grid.closed.rows = run.grid.closed.rows || (closed.rows && run.grid.rows < 3);
        run.grid.closed.planes = run.grid.closed.planes || (closed.planes && run.grid.planes < 3);
    }
}

/// Chooses the process grids of the runs. Smaller runs get a grid with the partners of the largest run, if such a grid
/// fits.
void choose_grids(std::vector<Run>& runs, Structure& structure) {
    for (Run& run : runs) run.grid = run.array ? *run.array : array_of(*run.recorded, run.ranks, structure.kinds);
    close_axes(runs, structure.closed);
    const Run& most = *std::ranges::max_element(runs, {}, [](const Run& run) { return run.ranks.size(); });
    const std::set<Offset> sends = sent_offsets(*most.recorded, most.ranks, most.grid, structure.kinds);
    const Closed closed = most.grid.closed;
    for (Run& run : runs) {
        if (!run.array) run.grid = array_of(*run.recorded, run.ranks, structure.kinds, sends, closed);
    }
    structure.closed = {};
    close_axes(runs, structure.closed);
}

}  // namespace

std::int64_t median(std::vector<std::int64_t> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

bool takes_part(const Pattern& pattern, const Array& array, Rank rank) {
    if (!has_partner(pattern.kind) || is_staged(pattern.partner)) return true;
    if (is_mapped(pattern.partner)) return mapped(pattern.partner, array, rank) != rank;
    if (pattern.partner == PartnerKind::first_rank) return rank == last_rank(array);
    if (pattern.partner == PartnerKind::last_rank) return rank == Rank{0};
    return stays(array, rank, pattern.offset);
}

Rank partner(const Pattern& pattern, const Array& array, Rank rank, std::int64_t stage) {
    if (pattern.partner == PartnerKind::offset) return partner(array, rank, pattern.offset);
    if (is_mapped(pattern.partner)) return mapped(pattern.partner, array, rank);
    if (pattern.partner == PartnerKind::first_rank) return Rank{0};
    if (pattern.partner == PartnerKind::last_rank) return last_rank(array);
    const Stages stages = stages_of(pattern.partner, array);
    return changed(pattern.partner, array, rank, change_of(pattern.partner, stages, stage));
}

bool holds(const Condition& condition, const RankGrid& grid, Rank rank) {
    const auto stands = [&](const Stand& stand) {
        using Side = Stand::Side;
        const std::uint32_t at = stand.side == Side::columns ? grid.column(rank)
                                 : stand.side == Side::rows  ? grid.row(rank)
                                                             : grid.plane(rank);
        const std::uint32_t last = stand.side == Side::columns ? grid.columns
                                   : stand.side == Side::rows  ? grid.rows
                                                               : grid.planes;
        if (stand.wide) return last > 2;
        return (at == (stand.first ? 1U : last)) != stand.not_there;
    };
    return condition.either ? std::any_of(condition.stands.begin(), condition.stands.end(), stands)
                            : std::all_of(condition.stands.begin(), condition.stands.end(), stands);
}

bool is_all_corners(const Structure& structure, const Part& loop) {
    return loop.kind == Part::Kind::loop && loop.body.back().kind == Part::Kind::step &&
           structure.patterns[loop.body.back().pattern].kind == StepKind::corners_north_south;
}

Values values_of(const RankGrid& grid, Rank rank, const std::vector<std::int64_t>& parameters) {
    Values values{grid.columns, grid.rows, grid.planes, grid.column(rank), grid.row(rank), grid.plane(rank)};
    values.insert(values.end(), parameters.begin(), parameters.end());
    return values;
}

namespace {

/// Finds the steps of an interior rank in each run.
class InteriorFinder {
public:
    InteriorFinder(std::vector<Run>& runs, const Structure& structure, Patterns& patterns)
        : runs_(runs), structure_(structure), patterns_(patterns) {}

    /// Returns the steps of each run. If a run has none, returns nothing and sets `why` to the reason.
    std::optional<std::vector<InteriorSteps>> find(std::string& why) {
        choose_ranks();
        if (is_combined() && !note_orders(why)) return std::nullopt;
        std::vector<InteriorSteps> all;
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            std::string own;
            std::optional<InteriorSteps> steps = has_all_[run] ? of_rank(runs_[run], own) : of_all(runs_[run], own);
            if (!steps) {
                why = fmt::format("`{}`: {}", runs_[run].recorded->name, own);
                return std::nullopt;
            }
            all.push_back(std::move(*steps));
        }
        return all;
    }
    /// Returns true if some run has no rank with all its partners.
    bool is_combined() const { return std::ranges::find(has_all_, false) != has_all_.end(); }

private:
    void choose_ranks() {
        for (std::size_t at = 0; at < runs_.size(); ++at) {
            Run& run = runs_[at];
            const std::optional<Rank> interior = interior_of(run, structure_.kinds);
            const auto most = std::ranges::max_element(run.ranks, {}, messages_of);
            run.interior = interior.value_or(Rank{static_cast<std::uint32_t>(most - run.ranks.begin())});
            has_all_.push_back(interior.has_value());
            if (structure_.by_size != BySize::messages_too) continue;
            for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
                if (interior && Rank{rank} != *interior) continue;
                Symbols(run, Rank{rank}, structure_, patterns_).note_sizes(at);
            }
        }
    }

    /// Records the order of steps on all ranks, those of the runs with an interior rank first. So steps that no rank of
    /// a narrow process grid shares are in the order of the wider ones.
    bool note_orders(std::string& why) {
        for (const bool has_all : {true, false}) {
            for (std::size_t at = 0; at < runs_.size(); ++at) {
                if (has_all_[at] != has_all) continue;
                for (std::uint32_t rank = 0; rank < runs_[at].ranks.size(); ++rank) {
                    if (has_all && Rank{rank} != runs_[at].interior) continue;
                    const auto symbols = Symbols(runs_[at], Rank{rank}, structure_, patterns_).all(why);
                    if (!symbols) return refuse_run(at, why);
                    patterns_.note_order(*symbols);
                }
            }
        }
        return true;
    }

    bool refuse_run(std::size_t run, std::string& why) const {
        why = fmt::format("`{}`: {}", runs_[run].recorded->name, why);
        return false;
    }

    /// Returns the smaller of the numbers of receives and sends, then their sum.
    static std::pair<std::int64_t, std::int64_t> messages_of(const RankSteps& rank) {
        const auto receives = std::ranges::count_if(rank.steps, is_receive, &Step::kind);
        const auto sends = std::ranges::count_if(rank.steps, is_send, &Step::kind);
        return {std::min(receives, sends), receives + sends};
    }

    std::optional<InteriorSteps> of_rank(const Run& run, std::string& why) {
        auto symbols = Symbols(run, run.interior, structure_, patterns_).all(why);
        if (!symbols) return std::nullopt;
        InteriorSteps steps{std::move(*symbols), {}};
        for (std::uint32_t at = 0; at < steps.symbols.size(); ++at) steps.origins.push_back({run.interior, at});
        return steps;
    }

    /// Combines the steps of all ranks of a run.
    std::optional<InteriorSteps> of_all(const Run& run, std::string& why) {
        std::vector<std::vector<std::uint32_t>> ranks;
        for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
            auto symbols = Symbols(run, Rank{rank}, structure_, patterns_).all(why);
            if (!symbols) return std::nullopt;
            ranks.push_back(std::move(*symbols));
        }
        const MergeRules rules{
            [&](std::uint32_t symbol, Rank rank) { return takes_part(patterns_.patterns[symbol], run.grid, rank); },
            [&](std::uint32_t symbol, std::uint32_t other) { return patterns_.precedes(symbol, other); }};
        MergeConflict conflict;
        std::optional<InteriorSteps> merged = merged_ranks(ranks, rules, conflict);
        if (merged) return merged;
        for (std::vector<std::uint32_t>& symbols : ranks) {
            for (std::uint32_t& each : symbols) each = patterns_.joined(each, true);
        }
        merged = merged_ranks(ranks, rules, conflict);
        if (merged) separate_calls(run, *merged);
        if (merged) return merged;
        why = fmt::format(
            "none of the {} ranks has all its partners within the process grid of {}, and the operations of the ranks "
            "cannot be combined into those of one complete rank: {}, but {}",
            run.ranks.size(), as_text(run.grid), step_text(run, ranks, conflict.step),
            step_text(run, ranks, conflict.other));
        return std::nullopt;
    }

    /// Separates the waits of different calls. On a rank at a side, the first wait of a call may be a later wait of the
    /// same call on an interior rank. So only a rank with several waits shows which of them belong to one call.
    void separate_calls(const Run& run, InteriorSteps& merged) {
        std::vector<std::size_t> next(run.ranks.size());  // next step of each rank
        std::set<std::uint32_t> waiting;                  // ranks that have performed a wait of the current call
        std::uint32_t place = 0;                          // place of the current call
        for (std::uint32_t& symbol : merged.symbols) {
            const Pattern pattern = patterns_.patterns[symbol];
            std::vector<std::uint32_t> own;
            bool continues = !waiting.empty() && pattern.place == place;
            bool begins_call = pattern.kind != StepKind::wait;
            for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
                if (!takes_part(pattern, run.grid, Rank{rank})) continue;
                own.push_back(rank);
                const bool joined = run.ranks[rank].steps[next[rank]++].joined;
                continues = continues || joined;
                begins_call = begins_call || (!joined && waiting.contains(rank));
            }
            const bool joined = continues && !begins_call;
            if (!joined) waiting.clear();
            if (pattern.kind != StepKind::wait) continue;
            waiting.insert(own.begin(), own.end());
            place = pattern.place;
            symbol = patterns_.joined(symbol, joined);
        }
    }

    std::string step_text(const Run& run, const std::vector<std::vector<std::uint32_t>>& ranks,
                          const Origin& origin) const {
        const std::vector<Step>& steps = run.ranks[origin.rank.index].steps;
        if (origin.step == steps.size()) return fmt::format("rank {} ends", origin.rank.index);
        return fmt::format("rank {}, operation {}, is {}", origin.rank.index, steps[origin.step].event + 1,
                           text_of(patterns_.patterns[ranks[origin.rank.index][origin.step]], patterns_));
    }

    std::vector<Run>& runs_;
    const Structure& structure_;
    Patterns& patterns_;
    std::vector<bool> has_all_;  // for each run, true if its interior rank has all its partners
};

/// Finds the structure of runs whose process grids are known. If there is none, returns nothing and adds the reasons.
std::optional<Structure> structure_on_grids(std::vector<Run>& runs, const Variables& variables,
                                            std::vector<Refusal>& refused, Structure structure, Patterns patterns,
                                            Merging merging) {
    std::string why;
    InteriorFinder finder(runs, structure, patterns);
    std::optional<std::vector<InteriorSteps>> interiors = finder.find(why);
    structure.is_combined = finder.is_combined();
    if (!interiors) {
        refused.push_back({why, 1});
        return std::nullopt;
    }
    if (!structure.kinds.empty() && !take_exchanges(runs, patterns, *interiors, refused)) return std::nullopt;
    std::optional<CommonShape> common = ShapeSearch(runs, variables, patterns, *interiors).find(merging, why);
    if (!common) {
        refused.push_back({why, 1});
        return std::nullopt;
    }
    std::vector<std::vector<Node>*> by_run;
    for (std::vector<Node>& shape : common->by_run) by_run.push_back(&shape);
    structure.occasions = std::move(common->occasions);
    structure.other_loops = std::move(common->other_loops);
    structure.parts = parts_of(by_run, runs, patterns.exchanges, structure.occasions);
    number_parts(structure.parts, structure.count);
    const bool narrow = std::any_of(runs.begin(), runs.end(), [](const Run& run) { return is_narrow(run.grid); });
    if (!narrow) add_what_some_do(structure, runs, patterns);
    condition_lacking(structure.parts, runs, patterns.patterns);
    structure.count = 0;
    number_parts(structure.parts, structure.count);
    structure.patterns = std::move(patterns.patterns);
    structure.places = std::move(patterns.places);
    place_work(structure, runs);
    return structure;
}

}  // namespace

Structure structure_of(std::vector<Run>& runs, const Variables& variables, std::vector<Refusal>& refused,
                       BySize by_size, const PartnerKinds& kinds) {
    Structure structure;
    structure.by_size = by_size;
    structure.kinds = kinds;
    choose_grids(runs, structure);
    const auto narrow_runs = std::ranges::count_if(runs, [](const Run& run) { return is_narrow(run.grid); });
    const bool narrow = narrow_runs > 0;
    std::vector<RunSteps> steps;
    // The structure distinguishes the directions on closed axes of two ranks, so tags are not needed for this.
    for (const Run& run : runs) {
        const bool counts = !is_narrow(run.grid) || narrow_runs == std::ssize(runs);
        structure.tags = structure.tags || (counts && !tags_do_not_matter(run.ranks));
        steps.push_back({run.recorded, &run.ranks});
    }
    structure.moving_roots = moving_roots(steps);
    if (structure.tags) {
        for (Run& run : runs) number_tags(run.ranks);
    }
    std::vector<Refusal> reasons;
    const Merging merging = narrow ? Merging::none : Merging::if_needed;
    if (auto found = structure_on_grids(runs, variables, reasons, structure, {}, merging)) return std::move(*found);
    // On closed axes of two ranks both directions are equal, so only several runs together may show the steps.
    if (narrow) {
        Patterns patterns;
        for (const Run& run : runs) {
            patterns.directions.add(*run.recorded, run.ranks[run.interior.index], run.grid, run.interior);
        }
        std::vector<Refusal> ignored;
        if (auto found = structure_on_grids(runs, variables, ignored, structure, patterns, Merging::if_needed))
            return std::move(*found);
    }
    std::ranges::move(reasons, std::back_inserter(refused));
    return {};
}

namespace {

/// Compares a rank's steps with the structure, step by step.
class Observer {
public:
    Observer(const Structure& structure, const Run& run, Rank rank, SmallPlaces small)
        : structure_(structure), run_(run), rank_(rank), steps_(run.ranks[rank.index]), small_places_(small) {
        result_.sizes.resize(structure.count);
        result_.works.resize(structure.count);
        result_.executions.resize(structure.count);
        result_.first_executions.resize(structure.count);
        bodies_.push_back({has_work(structure.parts)});
    }

    bool holds(const Part& part) const { return learning::holds(part.condition, run_.grid, rank_); }
    void enter(const Part& part) { bodies_.push_back({has_work(part.body)}); }
    void leave(const Part&) { leave_body(); }
    void begin(const Part& loop, std::int64_t iteration, std::int64_t iterations) {
        if (loops_.empty()) iterates_ = loop.id == structure_.iteration;
        loops_.emplace_back(iteration, iterations);
        bodies_.push_back({has_work(loop.body)});
        // the computing between two iterations of a loop belongs to its body
        if (iteration > 0) shallowest_ = before_end_;
    }
    void end() {
        before_end_ = shallowest_;
        loops_.pop_back();
        leave_body();
    }
    void work(const Part& part) {
        take_small(part);
        const bool first = !loops_.empty() && iterates_ && loops_.front().first == 0 && loops_.front().second > 1;
        ++result_.executions[part.id];
        if (first) ++result_.first_executions[part.id];
        covered_.push_back({part.id, loops_.empty() ? 0 : loops_.back().first, first});
    }
    void step(const Part& part) {
        if (!result_.explained) return;
        const Pattern& pattern = structure_.patterns[part.pattern];
        if (!takes_part(pattern, run_.grid, rank_)) return;
        while (is_moved_wait()) pass_moved_wait();
        if (at_ == steps_.steps.size() || !matches(pattern, steps_.steps[at_])) {
            if (is_wait_for_send(pattern)) {
                moved_.insert(partner_of(pattern));
                return;
            }
            differ();
            result_.expected = expected_text(pattern);
            return;
        }
        const Step& step = steps_.steps[at_++];
        take_work(step.work + std::exchange(passed_, Time{}), part.id);
        take_size(part, pattern, step);
        if (pattern.root == RootAt::moving) take_root(part, pattern, step);
    }
    RankObservations finish() {
        while (result_.explained && is_moved_wait()) pass_moved_wait();
        if (result_.explained && (at_ != steps_.steps.size() || !moved_.empty())) differ();
        if (result_.explained) take_work(steps_.work_after + std::exchange(passed_, Time{}), structure_.count);
        for (const auto& [time, covered] : mixed_) divide(time, covered);
        if (small_places_ == SmallPlaces::joined) join_small();
        return std::move(result_);
    }

private:
    // Computing at small places is counted with the last work of the same body in this iteration, or with the next one
    // if there is none. If the body has no work, the body around it is used.

    /// The computing at a place that has no work.
    struct Small {
        std::uint32_t before = 0;  // the step after it
        Time time;
        std::uint32_t part = 0;  // the work with which it is counted
        std::optional<std::size_t> sample{};
    };
    /// An iteration of a loop, or an optional part, during its execution.
    struct Body {
        bool has_work = false;                // true if its own parts include work
        std::optional<std::uint32_t> last{};  // the work that was executed last
        std::vector<std::size_t> waiting{};   // small computing before its first work, as indices
    };

    static bool has_work(const std::vector<Part>& body) {
        return std::ranges::any_of(body, [](const Part& each) { return each.kind == Part::Kind::work; });
    }

    void leave_body() {
        const std::vector<std::size_t> waiting = std::move(bodies_.back().waiting);
        bodies_.pop_back();
        shallowest_ = std::min(shallowest_, bodies_.size());
        for (const std::size_t small : waiting) assign_small(small, bodies_.size());
    }

    /// Counts small computing with work: that of the innermost body with work among the first `depth` bodies.
    void assign_small(std::size_t small, std::size_t depth) {
        while (depth > 1 && !bodies_[depth - 1].has_work) --depth;
        Body& body = bodies_[depth - 1];
        if (!body.last) {
            body.waiting.push_back(small);
            return;
        }
        const std::size_t samples = result_.works[*body.last].size();
        small_[small].part = *body.last;
        small_[small].sample = std::max<std::size_t>(samples, 1) - 1;
    }

    /// Counts the small computing before the first work of a body with this work. If there is no work outside of loops,
    /// the small computing outside of loops is counted with it too.
    void take_small(const Part& work) {
        take_small(work, bodies_.back());
        if (!bodies_.front().has_work) take_small(work, bodies_.front());
    }
    void take_small(const Part& work, Body& body) {
        body.last = work.id;
        for (const std::size_t small : body.waiting) {
            small_[small].part = work.id;
            small_[small].sample = result_.works[work.id].size();
        }
        body.waiting.clear();
    }

    /// Adds small computing to the times of the work. If a rank has a tenth of its computing at one place, it does
    /// something there that other ranks do not do. This computing is not added.
    void join_small() {
        constexpr std::int64_t kMost = 10;
        Time all = steps_.work_after;
        for (const Step& step : steps_.steps) all += step.work;
        std::map<std::uint32_t, Time> by_place;
        for (const Small& each : small_) by_place[each.before] += each.time;
        for (const Small& each : small_) {
            std::vector<WorkSample>& samples = result_.works[each.part];
            if (!each.sample || samples.empty() || kMost * by_place[each.before].ps >= all.ps) continue;
            samples[std::min(*each.sample, samples.size() - 1)].time += each.time;
        }
    }

    void differ() {
        result_.explained = false;
        result_.first_difference = at_;
    }

    // A rank at a side may wait for its sends later than the interior rank, but before it sends again. This does not
    // change any message.
    bool is_wait_for_send(const Pattern& pattern) const {
        return pattern.kind == StepKind::wait && is_send(structure_.patterns[pattern.begun].kind);
    }
    bool is_moved_wait() const {
        if (moved_.empty() || at_ == steps_.steps.size()) return false;
        const Step& step = steps_.steps[at_];
        return step.kind == StepKind::wait && is_send(steps_.steps[step.begun].kind) && moved_.contains(step.peer);
    }
    void pass_moved_wait() {
        const Step& step = steps_.steps[at_++];
        moved_.erase(moved_.find(step.peer));
        passed_ += step.work;
        ++result_.moved_waits;
    }
    Rank partner_of(const Pattern& pattern) const {
        return partner(pattern, run_.grid, rank_, loops_.empty() ? 0 : loops_.back().first);
    }

    std::string expected_text(const Pattern& pattern) const {
        const trace::RecordedSite& site = structure_.places[pattern.place];
        const std::string at = site.file.empty() ? std::string() : fmt::format(" ({}:{})", site.file, site.line);
        if (pattern.kind == StepKind::collective) {
            return fmt::format("{}{}", collectives::name_of(pattern.collective), at);
        }
        const std::string what = is_send(pattern.kind)      ? "a send to"
                                 : is_receive(pattern.kind) ? "a receive from"
                                                            : "a wait for";
        if (is_in_turn(pattern.kind)) return in_turn_text(pattern.kind) + at;
        if (!has_partner(pattern.kind)) return "a call of `all_corners`";
        return fmt::format("{} rank {}{}", what, partner_of(pattern).index, at);
    }

    bool matches(const Pattern& pattern, const Step& step) const {
        if (pattern.kind != step.kind) return false;
        if (pattern.kind == StepKind::collective) {
            return pattern.collective == step.collective && group_of_cached(step.communicator) == pattern.over &&
                   (pattern.root == RootAt::moving || (pattern.root == RootAt::last) == is_rooted_at_last(step)) &&
                   (pattern.bytes == -1 || pattern.bytes == step.bytes.count);
        }
        if (!has_partner(pattern.kind)) return true;
        if (is_send(step.kind) && pattern.bytes != -1 && pattern.bytes != step.bytes.count) return false;
        if (structure_.tags && pattern.tag != step.tag) return false;
        return partner_of(pattern) == step.peer;
    }

    bool is_rooted_at_last(const Step& step) const {
        const std::vector<Rank>& members = run_.recorded->communicators[step.communicator];
        return has_root(step.collective) && step.peer == members.back();
    }
    std::optional<Group> group_of_cached(std::uint32_t communicator) const {
        const auto [known, is_new] = groups_.try_emplace(communicator);
        if (is_new) known->second = group_of(run_.grid, run_.recorded->communicators[communicator]);
        return known->second;
    }

    void take_root(const Part& part, const Pattern& pattern, const Step& step) {
        const auto [iteration, iterations] =
            loops_.empty() ? std::pair<std::int64_t, std::int64_t>{0, 1} : loops_.back();
        const std::optional<RootPosition> root = root_position(run_.grid, pattern.over, step.peer);
        result_.roots[part.id].push_back({iteration + 1, iterations, root.value_or(RootPosition{}), at_ - 1});
    }

    void take_size(const Part& part, const Pattern& pattern, const Step& step) {
        if (is_receive(pattern.kind) || pattern.kind == StepKind::wait) return;
        if (is_in_turn(pattern.kind) && rank_ == Rank{0}) return;  // of each other rank
        const std::int64_t bytes = step.bytes.count;
        Sizes& sizes = result_.sizes[part.id];
        const bool last = !loops_.empty() && loops_.back().first + 1 == loops_.back().second;
        std::int64_t& known = last ? sizes.last : sizes.usual;
        if (known == -1) known = bytes;
        sizes.regular = sizes.regular && known == bytes;
        if (sizes.is_linear) take_slope(sizes, loops_.empty() ? 0 : loops_.back().first, bytes);
        if (!loops_.empty() && in_butterfly(pattern.partner)) {
            const Stages stages = stages_of(pattern.partner, run_.grid);
            const std::int64_t distance = std::int64_t{1}
                                          << (change_of(pattern.partner, stages, loops_.back().first) - stages.first);
            if (sizes.per_distance == -1) sizes.per_distance = bytes / distance;
            sizes.by_distance = sizes.by_distance && sizes.per_distance * distance == bytes;
        }
        ++sizes.times;
        if (last) ++sizes.last_times;
        sizes.sum += static_cast<double>(bytes);
        if (!loops_.empty()) sizes.iterations += static_cast<double>(loops_.back().first);
        sizes.squares += static_cast<double>(bytes) * static_cast<double>(bytes) + step.deviation * step.deviation;
        sizes.uneven = sizes.uneven || step.deviation > 0.0;
    }

    /// Compares bytes with those of earlier iterations, of which two give the change in each iteration.
    static void take_slope(Sizes& sizes, std::int64_t iteration, std::int64_t bytes) {
        if (!sizes.slope && sizes.first == -1) {
            sizes.first = bytes;
            sizes.is_linear = iteration == 0;
        } else if (!sizes.slope && iteration > 0) {
            sizes.slope = (bytes - sizes.first) / iteration;
        }
        sizes.is_linear = sizes.is_linear && bytes == sizes.first + sizes.slope.value_or(0) * iteration;
    }

    /// Work that has been executed since the last step.
    struct Covered {
        std::uint32_t part = 0;
        std::int64_t iteration = 0;
        bool first = false;
    };

    /// Assigns the time before a step to the work since the last step. If there is only one work, executed once or
    /// several times, it gets all of the time. Otherwise `divide` assigns the time later.
    void take_work(Time time, std::uint32_t before) {
        std::vector<Covered> covered = std::exchange(covered_, {});
        const std::size_t depth = std::exchange(shallowest_, bodies_.size());
        if (covered.empty()) {
            small_.push_back({before, time});
            assign_small(small_.size() - 1, depth);
            return;
        }
        const std::uint32_t part = covered.front().part;
        if (std::any_of(covered.begin(), covered.end(), [part](const Covered& each) { return each.part != part; })) {
            mixed_.emplace_back(time, std::move(covered));
            return;
        }
        add_work(time, covered);
    }
    void add_work(Time time, const std::vector<Covered>& covered) {
        const auto share = time.ps / static_cast<std::int64_t>(covered.size());
        for (const Covered& each : covered) result_.works[each.part].push_back({each.iteration, each.first, {share}});
    }

    /// Divides a time among several works. Works with known times get these times. The rest is assigned to the
    /// remaining work, for example the computing before a loop whose first block follows.
    void divide(Time time, const std::vector<Covered>& covered) {
        std::vector<Covered> unknown;
        for (const Covered& each : covered) {
            const std::int64_t alone = usual_alone(each);
            time.ps -= alone;
            if (alone == 0) unknown.push_back(each);
        }
        const bool one = std::all_of(unknown.begin(), unknown.end(),
                                     [&](const Covered& each) { return each.part == unknown.front().part; });
        if (!unknown.empty() && one && time.ps > 0) add_work(time, unknown);
    }
    /// Returns the usual time of a work that is alone between two steps. The first iteration has a separate time. If
    /// that is unknown, the time of the other iterations is used.
    std::int64_t usual_alone(const Covered& work) {
        const auto [known, is_new] = alone_.try_emplace({work.part, work.first});
        if (is_new) {
            std::vector<std::int64_t> times;
            std::vector<std::int64_t> own;
            for (const WorkSample& each : result_.works[work.part]) {
                if (!each.first) times.push_back(each.time.ps);
                if (each.first == work.first) own.push_back(each.time.ps);
            }
            known->second = median(own.empty() ? times : own);
        }
        return known->second;
    }

    const Structure& structure_;
    const Run& run_;
    const Rank rank_;
    const RankSteps& steps_;
    const SmallPlaces small_places_;
    std::size_t at_ = 0;
    /// partners of sends for which the structure has waited, but the rank has not waited yet
    std::multiset<Rank> moved_;
    Time passed_;            // computing before waits that come later than in the structure
    bool iterates_ = false;  // true if the outermost loop is the model's iteration
    /// current iteration and number of iterations of each loop
    std::vector<std::pair<std::int64_t, std::int64_t>> loops_;
    /// bodies that are being executed; the outermost is the whole structure
    std::vector<Body> bodies_;
    std::size_t shallowest_ = 1;  // least number of open bodies since the last step
    std::size_t before_end_ = 1;  // the same number just before the end of the last iteration
    std::vector<Small> small_;
    std::vector<Covered> covered_;
    std::vector<std::pair<Time, std::vector<Covered>>> mixed_;
    /// picoseconds of a work that is alone, in the first iteration (true) or later; without the times in `mixed_`
    std::map<std::pair<std::uint32_t, bool>, std::int64_t> alone_;
    mutable std::map<std::uint32_t, std::optional<Group>> groups_;
    RankObservations result_;
};

}  // namespace

RankObservations observed(const Structure& structure, const std::vector<Run>& runs, std::size_t run, Rank rank,
                          SmallPlaces small) {
    Observer observer(structure, runs[run], rank, small);
    execute(structure, runs, run, observer);
    return observer.finish();
}

}  // namespace warpfront::learning
