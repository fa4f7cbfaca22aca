#include "tools/from_code/learning/dimensions.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace warpfront::learning {

namespace {

using Rule = Atom::Rule;

bool is_parameter(std::uint32_t variable) { return variable >= Variables::kParameters; }

std::vector<Atom> atoms_of(const Expression& expression) {
    std::vector<Atom> atoms;
    for (const Term& term : expression.terms) atoms.insert(atoms.end(), term.atoms.begin(), term.atoms.end());
    return atoms;
}

/// A parameter as a whole, or its share along one side of the process grid. A parameter may be divided along each of
/// the three sides.
struct Key {
    static constexpr std::uint32_t kWhole = 3;  // the value of `side` for the whole parameter
    std::uint32_t parameter = 0;
    std::uint32_t side = kWhole;
    friend auto operator<=>(const Key&, const Key&) = default;
};

Key key_of(const Atom& atom) { return {atom.a, is_share(atom) ? atom.b : Key::kWhole}; }

/// The dimensions that occur in some numbers, with all their variants in the order in which they are found.
class Forms {
public:
    void add(const Atom& shown) {
        if (!is_parameter(shown.a)) return;
        const Atom atom = without_more(shown);
        std::vector<Atom>& forms = by_key_[key_of(atom)];
        if (std::find(forms.begin(), forms.end(), atom) == forms.end()) forms.push_back(atom);
    }
    void add(const Size& size) {
        for (const Term& term : size.usual.terms) add_product(term.atoms);
        if (!size.mean) return;
        for (const std::vector<Unit>* units : {&size.mean->inner, &size.mean->outer}) {
            for (const Unit& unit : *units) {
                if (unit.factor == Unit::kNone) continue;
                const bool shared = unit.divisor != Unit::kNone;
                add(shared ? Atom{Rule::share_up, unit.factor, unit.divisor, unit.divisor + 3}
                           : Atom{Rule::variable, unit.factor});
            }
        }
    }
    bool has(const Key& key) const { return by_key_.contains(key); }
    bool has(std::uint32_t parameter) const {
        return std::ranges::any_of(by_key_, [&](const auto& each) { return each.first.parameter == parameter; });
    }
    bool has_share(std::uint32_t parameter) const {
        return std::ranges::any_of(by_key_, [&](const auto& each) {
            return each.first.parameter == parameter && each.first.side != Key::kWhole;
        });
    }
    bool empty() const { return by_key_.empty(); }
    std::vector<Atom> of(const Key& key) const {
        const auto found = by_key_.find(key);
        return found == by_key_.end() ? std::vector<Atom>{} : found->second;
    }
    std::set<Key> keys() const {
        std::set<Key> result;
        for (const auto& [key, forms] : by_key_) result.insert(key);
        return result;
    }
    /// Returns how many times a dimension occurs in a message. A face of `n` by `n` contains it twice.
    int times(const Key& key) const {
        const auto found = times_.find(key);
        return found == times_.end() ? 1 : found->second;
    }

private:
    void add_product(const std::vector<Atom>& atoms) {
        std::map<Key, int> times;
        for (const Atom& atom : atoms) {
            add(atom);
            if (is_parameter(atom.a)) ++times[key_of(atom)];
        }
        for (const auto& [key, count] : times) times_[key] = std::max(times_[key], count);
    }

    std::map<Key, std::vector<Atom>> by_key_;
    std::map<Key, int> times_;
};

/// Adds the dimensions in the sizes of messages, or of collectives.
void add_sizes(const Learnt& learnt, const std::vector<Part>& parts, bool collectives, Forms& forms) {
    for (const Part& part : parts) {
        const auto size = learnt.sizes.find(part.id);
        if (size != learnt.sizes.end() &&
            collectives == (learnt.structure.patterns[part.pattern].kind == StepKind::collective)) {
            forms.add(size->second);
        }
        add_sizes(learnt, part.body, collectives, forms);
    }
}

/// Adds the sides of the process grid along which messages are sent.
void add_sides(const Learnt& learnt, const std::vector<Part>& parts, std::set<std::uint32_t>& sides) {
    for (const Part& part : parts) {
        const Pattern& pattern = learnt.structure.patterns[part.pattern];
        if (part.kind == Part::Kind::step && is_send(pattern.kind) && pattern.partner == PartnerKind::offset) {
            if (pattern.offset.columns != 0) sides.insert(0);
            if (pattern.offset.rows != 0) sides.insert(1);
            if (pattern.offset.planes != 0) sides.insert(2);
        }
        add_sides(learnt, part.body, sides);
    }
}

/// Finds the loops around a part, the innermost first. Returns true if the part exists.
bool find_loops(const std::vector<Part>& parts, std::uint32_t id, std::vector<const Part*>& loops) {
    for (const Part& part : parts) {
        if (part.id == id) return true;
        if (!find_loops(part.body, id, loops)) continue;
        if (part.kind == Part::Kind::loop) loops.push_back(&part);
        return true;
    }
    return false;
}

class DimensionFinder {
public:
    DimensionFinder(const Learnt& learnt, const Part& work) : learnt_(learnt) {
        find_loops(learnt.structure.parts, work.id, loops_);
        add_sizes(learnt, learnt.structure.parts, false, everywhere_);
        for_each_shift(learnt.structure.parts, [this](const Size& size) { parts_.add(size); });
        add_sizes(learnt, learnt.structure.parts, true, collectives_);
        for (const Part* loop : loops_) {
            if (!own_.empty()) break;
            add_sizes(learnt, loop->body, false, own_);
            add_sides(learnt, loop->body, own_sides_);
        }
        for (const Part* loop : loops_) {
            if (own_.empty()) add_exchanged(loop->body);
            add_gathered(loop->body);
        }
        for (const FoundOccasion& each : learnt.structure.occasions) {
            if (counts_iterations(each.occasion)) add_variables(each.occasion, iterations_);
        }
        for (const auto& [loop, iterations] : learnt.iterations) {
            for (const Atom& atom : atoms_of(iterations)) {
                if (loop == learnt.iteration && is_parameter(atom.a)) iterations_.insert(atom.a);
                if (atom.rule == Rule::blocks) blocks_.push_back(atom);
                of_loops_.add(atom);
            }
        }
        for (const Part* loop : loops_) {
            const auto iterations = learnt.iterations.find(loop->id);
            if (iterations == learnt.iterations.end()) continue;
            for (const Atom& atom : atoms_of(iterations->second)) {
                is_one_cube_ = is_one_cube_ || (loop->id != learnt.iteration && atom.a < Variables::kColumn);
                if (atom.rule == Rule::blocks) {
                    around_.insert(atom);
                } else if (atom.rule != Rule::parts) {
                    counted_.insert(key_of(atom));
                }
            }
        }
        if (std::ranges::any_of(learnt.sizes, [](const auto& each) { return each.second.mean.has_value(); })) {
            add_likely_shares();
        }
    }

    std::vector<Dimension> find() const {
        std::set<Key> keys;
        for (const Forms* forms : {&own_, &everywhere_, &collectives_, &of_loops_, &likely_}) keys.merge(forms->keys());
        for (auto parameter = static_cast<std::uint32_t>(Variables::kParameters);
             parameter < learnt_.variables.names.size(); ++parameter) {
            if (!has_share(parameter)) keys.insert({parameter});
        }
        std::vector<Dimension> dimensions;
        for (const Key& key : keys) {
            if (iterations_.contains(key.parameter) || counted_.contains(key) || is_size_of_blocks(key.parameter)) {
                continue;
            }
            // No rank has the whole of a shared parameter, unless messages contain whole sides.
            if (key.side == Key::kWhole && has_share(key.parameter) && !own_.has(key)) continue;
            const int times = std::max(own_.times(key), everywhere_.times(key));
            dimensions.insert(dimensions.end(), static_cast<std::size_t>(times), dimension(key));
            if (times == 2 && !parts_.has(key)) dimensions.push_back(behind_face(key));
        }
        return dimensions;
    }

private:
    bool has_share(std::uint32_t parameter) const {
        return std::ranges::any_of(std::array{&own_, &everywhere_, &collectives_, &of_loops_, &likely_},
                                   [&](const Forms* forms) { return forms->has_share(parameter); });
    }
    bool is_size_of_blocks(std::uint32_t parameter) const {
        return std::ranges::any_of(blocks_, [&](const Atom& blocks) { return blocks.b == parameter; });
    }

    /// Visits the sizes of messages that belong to shifts.
    template <class Visit>
    void for_each_shift(const std::vector<Part>& parts, const Visit& visit) const {
        for (const Part& part : parts) {
            const auto size = learnt_.sizes.find(part.id);
            const bool is_sent = part.kind == Part::Kind::step && size != learnt_.sizes.end();
            if (is_sent && is_shift(learnt_.structure.patterns[part.pattern].partner)) visit(size->second);
            for_each_shift(part.body, visit);
        }
    }

    /// Adds shares of all parameters, for models with means. A mean does not show the share of each rank.
    void add_likely_shares() {
        for (auto parameter = static_cast<std::uint32_t>(Variables::kParameters);
             parameter < learnt_.variables.names.size(); ++parameter) {
            for (std::uint32_t side = 0; side < 3; ++side) {
                const auto size = [side](const Run& run) {
                    return side == 0 ? run.grid.columns : side == 1 ? run.grid.rows : run.grid.planes;
                };
                const std::uint32_t first = size(learnt_.runs.front());
                if (std::ranges::all_of(learnt_.runs, [&](const Run& run) { return size(run) == first; })) continue;
                likely_.add({Rule::share_up, parameter, side, side + 3});
            }
        }
    }

    /// Adds the extents of a block that ranks broadcast, or that all of them exchange. An alltoall divides one extent
    /// into a part for each rank. So if two shares are along the same side of the process grid, the second is a whole
    /// extent of the block.
    void add_exchanged(const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            const Pattern& pattern = learnt_.structure.patterns[part.pattern];
            const auto size = learnt_.sizes.find(part.id);
            if (part.kind == Part::Kind::step && pattern.kind == StepKind::collective && size != learnt_.sizes.end()) {
                const bool is_exchange = pattern.collective == collectives::Kind::alltoall ||
                                         pattern.collective == collectives::Kind::alltoallv;
                if (is_exchange || pattern.collective == collectives::Kind::bcast) own_.add(size->second);
                for (const Term& term : size->second.usual.terms) {
                    if (is_exchange) note_cut(term.atoms);
                }
            }
            add_exchanged(part.body);
        }
    }
    /// Adds the whole extents that ranks gather by passing their shares around a ring, in a loop of one iteration less
    /// than there are ranks, without computing in between. A face contains the same extent twice, and its shifts gather
    /// nothing.
    void add_gathered(const std::vector<Part>& parts) {
        for (const Part& part : parts) {
            const auto iterations = learnt_.iterations.find(part.id);
            const bool computes = std::ranges::find(part.body, Part::Kind::work, &Part::kind) != part.body.end();
            if (part.kind != Part::Kind::loop || computes || iterations == learnt_.iterations.end()) continue;
            Forms passed;
            add_sizes(learnt_, part.body, false, passed);
            for (std::uint32_t side = 0; side < Variables::kColumn; ++side) {
                const Atom ranks{Rule::variable, side};
                const Expression all_but_one{{{1, {ranks}}}, -1};
                Atom less = ranks;
                less.more = -1;
                if (iterations->second != all_but_one && iterations->second != Expression{{{1, {less}}}, 0}) continue;
                const std::set<Key> keys = passed.keys();
                for (const Key& key : keys) {
                    const bool is_line =
                        passed.times(key) == 1 && std::ranges::count(keys, key.parameter, &Key::parameter) == 1;
                    if (key.side == side && is_line) own_.add(Atom{Rule::variable, key.parameter});
                }
            }
        }
    }
    void note_cut(const std::vector<Atom>& atoms) {
        std::set<std::uint32_t> sides;
        for (const Atom& atom : atoms) {
            if (is_share(atom) && !sides.insert(atom.b).second) cut_.insert(key_of(atom));
        }
    }

    Dimension dimension(const Key& key) const {
        Dimension result;
        const bool elsewhere = shown(everywhere_, key) || collectives_.has(key) || of_loops_.has(key);
        // A block without messages of its own, such as one before all loops, may depend on any dimension.
        result.evidence = shown_by_own(key)                         ? Dimension::Evidence::own_messages
                          : own_.empty() && shown(everywhere_, key) ? Dimension::Evidence::rank_messages
                          : elsewhere && !own_.empty()              ? Dimension::Evidence::other_messages
                                                                    : Dimension::Evidence::unseen;
        for (const Atom& blocks : around_) {
            if (Key{blocks.a} != key) continue;
            result.extents = {{whole_of(blocks), blocks}, {{Rule::variable, blocks.b}}};
            return result;
        }
        for (const Forms* forms : {&own_, &everywhere_, &of_loops_, &collectives_, &likely_}) {
            for (const Atom& atom : forms->of(key)) {
                const Extent form{atom};
                const bool known =
                    std::find(result.extents.begin(), result.extents.end(), form) != result.extents.end();
                if (atom.rule < Rule::blocks && !known) result.extents.push_back(form);
            }
        }
        const Extent whole{{Rule::variable, key.parameter}};
        // A block may have a whole side even if a collective divides that side into one part for each rank.
        const bool only_in_parts = !shown(everywhere_, key) && collectives_.has(key);
        if (result.extents.empty() || (only_in_parts && key.side != Key::kWhole)) result.extents.push_back(whole);
        if (cut_.contains(key)) std::ranges::rotate(result.extents, std::ranges::find(result.extents, whole));
        if (result.evidence == Dimension::Evidence::unseen && !elsewhere) {
            // If a parameter is the logarithm of the size, no message shows another extent.
            if (own_.empty()) result.extents.push_back({{Rule::variable, key.parameter, 0, 0, false, 0, 1}});
            result.extents.push_back({{Rule::variable, key.parameter, 0, 0, false, 1}, {}, true});
        }
        return result;
    }

    /// Returns the extent behind a face, if messages show both sides of the face. On a process grid without planes a
    /// rank has the whole extent, but a loop over the columns or rows takes one cube after the other.
    Dimension behind_face(const Key& key) const {
        Dimension result = dimension(key);
        const Extent whole{{Rule::variable, key.parameter}};
        std::erase(result.extents, whole);
        const bool has_planes = std::ranges::any_of(learnt_.runs, [](const Run& run) { return run.grid.planes > 1; });
        result.extents.insert(has_planes || is_one_cube_ ? result.extents.end() : result.extents.begin(), whole);
        return result;
    }

    /// Returns true if messages of the loop around the block show that the block extends along a dimension. Either
    /// their sizes depend on the dimension, or they are sent along it: a message to the east does not contain the
    /// columns, but is sent because there are columns.
    bool shown_by_own(const Key& key) const {
        return shown(own_, key) || (own_sides_.contains(key.side) && shown(everywhere_, key));
    }

    /// Returns true if messages depend on a dimension, or on the size of its blocks.
    bool shown(const Forms& forms, const Key& key) const {
        return forms.has(key) || std::ranges::any_of(blocks_, [&](const Atom& blocks) {
                   return Key{blocks.a} == key && forms.has(blocks.b);
               });
    }

    const Learnt& learnt_;
    std::vector<const Part*> loops_;
    Forms own_;                          // messages of the innermost loop that contains any
    std::set<std::uint32_t> own_sides_;  // sides of the process grid along which these messages are sent
    Forms everywhere_;                   // all messages
    Forms collectives_;                  // contributions of ranks to collectives
    Forms of_loops_;                     // numbers of iterations of all loops
    Forms parts_;                        // messages of shifts, which are parts of a block and not its faces
    Forms likely_;
    std::vector<Atom> blocks_;            // all divisions of parameters into blocks
    std::set<Atom> around_;               // divisions by loops around the block
    bool is_one_cube_ = false;            // true if a loop around the block takes one of several cubes of the rank
    std::set<Key> cut_;                   // shares that an alltoall has made from whole extents
    std::set<Key> counted_;               // dimensions over which loops around the block iterate
    std::set<std::uint32_t> iterations_;  // parameters that count iterations, or that select iterations
};

}  // namespace

std::vector<Dimension> dimensions_of(const Learnt& learnt, const Part& work) {
    return DimensionFinder(learnt, work).find();
}

}  // namespace warpfront::learning
