// One structure for the steps of all ranks of all runs: the loops of an interior rank, with its partners as offsets in
// the process grid. Every other rank performs the same steps, except messages that would leave the grid. Additional
// steps of ranks at a side are under a condition.
//
//   repeat 2 { recv from (-1, 0); recv from (0, -1); work; send to (+1, 0); send to (0, +1) }; allreduce
//
// Work is placed where an interior rank spends a fiftieth or more of its computing. Computing at other places is
// counted with the nearest work of the same loop, or of the loop around it. If a loop computes between its last message
// and its first, the times before its first iteration and after its last decide at which end of the body the work is
// placed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/loops.hpp"
#include "tools/from_code/learning/occasions.hpp"
#include "tools/from_code/learning/partners.hpp"
#include "tools/from_code/learning/roots.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// One of the runs from which the model is learnt.
struct Run {
    const trace::RecordedRun* recorded = nullptr;
    std::vector<RankSteps> ranks;
    std::optional<Array> array;  // set if calls of `all_corners` were replaced, since their offsets are gone
    Array grid;
    Rank interior;  // a rank with all its partners in the process grid; if there is none, one that receives and sends
    std::vector<std::int64_t> parameters;  // in the order of Variables::names
};

/// The root of a collective: the first or the last rank of its group, or one that changes (roots.hpp).
enum class RootAt : std::uint8_t { first, last, moving };

/// A step regardless of its size.
struct Pattern {
    StepKind kind = StepKind::send;
    collectives::Kind collective{};
    Group over = Group::world;
    RootAt root = RootAt::first;                // of a collective
    PartnerKind partner = PartnerKind::offset;  // of messages, like the next two
    Offset offset;                              // if the partner is one
    std::int32_t stage = 0;                     // of an exchange: the bit or the distance; 0 in its loop
    std::uint32_t begun = 0;                    // wait: the pattern that starts its request
    std::uint32_t age = 0;                      // wait: number of older open requests of that pattern
    std::int32_t tag = 0;                       // if tags matter
    std::uint32_t phase = 0;
    bool joined = false;
    std::uint32_t place = 0;  // in the code: calls from different places have different patterns
    std::int64_t bytes = -1;  // if sizes distinguish steps: of a collective, or of a message if all runs have this size
    friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

/// The position of a rank along one side of the process grid; `first` means the first column, row or plane.
struct Stand {
    enum class Side : std::uint8_t { columns, rows, planes } side = Side::columns;
    bool first = true;  // otherwise the last
    bool not_there = false;
    bool wide = false;  // replaces the other conditions: the side has more than two
    friend bool operator==(const Stand&, const Stand&) = default;
};
/// A condition on a rank: one position, or two of which both or either must hold. Or a condition on the iteration of
/// the loop around a part.
struct Condition {
    std::vector<Stand> stands;
    bool either = false;
    std::optional<Occasion> occasion{};
};
/// Returns whether the position of a rank meets the condition.
bool holds(const Condition& condition, const RankGrid& grid, Rank rank);
/// Returns whether a rank performs a step: a collective, or a message whose partner exists.
bool takes_part(const Pattern& pattern, const Array& array, Rank rank);
/// Returns the partner of a message; in an exchange the partner of this stage.
Rank partner(const Pattern& pattern, const Array& array, Rank rank, std::int64_t stage);

struct Part {
    enum class Kind : std::uint8_t { step, loop, work, some } kind = Kind::step;
    std::uint32_t id = 0;                  // its index among all parts, in order
    std::uint32_t pattern = 0;             // of a step
    std::vector<Part> body;                // of a loop, or of steps of some ranks or iterations only
    std::vector<std::int64_t> iterations;  // of a loop: iterations by run; 0 if its whole body is absent in the run
    std::vector<bool> lacking;             // of a step, by run
    PartnerKind staged{};                  // of a loop over the stages of an exchange
    Condition condition;                   // of steps of some ranks or iterations only
};

/// The steps that are distinguished by size, for codes in which one function makes all calls of a kind.
enum class BySize : std::uint8_t { none, collectives, messages_too };

struct Structure {
    bool tags = false;   // whether tags matter
    BySize by_size{};    // steps that sizes distinguish
    Closed closed;       // axes
    PartnerKinds kinds;  // partners that are not offsets
    Calls moving_roots;  // collectives whose roots change
    std::vector<Pattern> patterns;
    std::vector<trace::RecordedSite> places;  // 0: unknown
    std::vector<Part> parts;
    std::optional<std::uint32_t> iteration;  // the part that is the model's iteration, if one is chosen
    std::uint32_t count = 0;                 // number of parts, including nested ones
    bool is_combined = false;                // no rank of some run has all its partners
    double work_joined = 0.0;                // the share of the computing at places too small for work of their own
    std::vector<FoundOccasion> occasions;    // of parts that only some iterations or runs execute
    std::string other_loops;                 // how the loops of the runs differ, if only conditions make them one
};

/// Returns whether a loop iterates over the tiles of all corners of a call of `all_corners`. Its last two steps are the
/// messages of a tile.
bool is_all_corners(const Structure& structure, const Part& loop);

/// The places of a sequence of parts that a structure has several times, such as the sweeps of an outer iteration that
/// a code performs once more after its loop. They are disjoint, and in order. The model has such a sequence once.
using Copies = std::vector<std::span<const Part>>;

/// Returns the number of the last part within a part, or its own.
std::uint32_t last_part(const Part& part);

/// Returns the places of the longest sequence that occurs twice or more; none if that has few steps. Parts are equal if
/// their steps, conditions and iterations in all runs are. Staged exchanges are no part of it: their variables are
/// named one after another.
Copies copies_of(const std::vector<Part>& parts);

/// Returns, for each piece of work in a copy, the same piece of work in the first one.
std::map<std::uint32_t, std::uint32_t> works_of_copy(std::span<const Part> first, std::span<const Part> copy);

/// Returns the sizes of the process grid, and the coordinates and the parameters of a rank.
Values values_of(const RankGrid& grid, Rank rank, const std::vector<std::int64_t>& parameters);

/// Chooses the process grids of the runs and finds the structure. If there is none, appends the reasons to `refused`
/// and returns an empty structure. `kinds` contains the calls whose partners are not offsets.
Structure structure_of(std::vector<Run>& runs, const Variables& variables, std::vector<Refusal>& refused,
                       BySize by_size = BySize::none, const PartnerKinds& kinds = {});

/// The observed sizes of a part on one rank.
struct Sizes {
    std::int64_t usual = -1;  // bytes, except in the last iteration of the loop
    std::int64_t last = -1;   // bytes in the last iteration; -1: no size of its own
    bool regular = true;      // every execution has one of these sizes
    bool is_linear = true;    // every execution has the bytes `first` + `slope` * the iteration, counted from 0
    std::int64_t first = -1;  // -1: no execution
    std::optional<std::int64_t> slope{};
    std::int64_t times = 0;  // executions, including those in last iterations
    std::int64_t last_times = 0;
    std::int64_t per_distance = -1;  // in a butterfly: bytes divided by the distance
    bool by_distance = true;         // this quotient is the same in all stages
    bool uneven = false;             // of a collective: its shares differ, and the sizes are their means
    double sum = 0.0;                // bytes of all executions
    double iterations = 0.0;         // sum of the iterations, counted from 0, of all executions
    double squares = 0.0;            // sum of the squares of these bytes, of all shares
};
struct WorkSample {
    std::int64_t iteration = 0;  // the iteration of the loop around it
    bool first = false;          // in the first of several iterations
    Time time;
};
/// The root of one execution of a collective.
struct RootSeen {
    std::int64_t iteration = 1;  // of the loop around it, counted from 1
    std::int64_t of = 1;
    RootPosition root;
    std::uint64_t step = 0;  // its index among the rank's steps
};
struct RankObservations {
    bool explained = true;
    std::uint64_t first_difference = 0;  // the index of the first step that differs from the structure
    std::string expected;                // the step of the structure there; empty: its end
    std::uint64_t moved_waits = 0;       // waits for sends that come later than in the structure
    std::vector<Sizes> sizes;            // by part
    std::map<std::uint32_t, std::vector<RootSeen>> roots;  // by part, of collectives whose roots change
    std::vector<std::vector<WorkSample>> works;            // by part
    std::vector<std::int64_t> executions;                  // of works, by part
    std::vector<std::int64_t> first_executions;            // executions in the first of several iterations
};
/// Returns the median of some numbers, the upper one of two; 0 if there are none.
std::int64_t median(std::vector<std::int64_t> values);

/// The computing at places too small for work of their own.
enum class SmallPlaces : std::uint8_t { joined, left_out };  // counted with the nearest work, or not at all

/// Compares the steps of a rank with the structure.
RankObservations observed(const Structure& structure, const std::vector<Run>& runs, std::size_t run, Rank rank,
                          SmallPlaces small = SmallPlaces::joined);

}  // namespace warpfront::learning
