// One structure for the steps of all ranks of all runs. It consists of the loops of an interior rank, whose partners
// are offsets in the process grid. Every other rank performs the same steps, except messages that would leave the grid.
// If ranks at a side perform additional steps, these are under a condition.
//
//   repeat 2 { recv from (-1, 0); recv from (0, -1); work; send to (+1, 0); send to (0, +1) }; allreduce
//
// Work is placed where an interior rank spends at least a fiftieth of its computing. Computing elsewhere is counted
// with the nearest work in the same loop, or in the loop around it. If a loop computes between its last message and its
// first, the work may be at the beginning or at the end of the body. The times before its first iteration and after its
// last iteration show which.
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
    /// set if calls of `all_corners` were replaced, since this removes the offsets that show the grid
    std::optional<Array> array;
    Array grid;
    Rank interior;  // a rank with all its partners in the process grid; if there is none, one that receives and sends
    std::vector<std::int64_t> parameters;  // values in the order of Variables::names
};

/// The root of a collective: the first or the last rank of its group, or a changing rank (roots.hpp).
enum class RootAt : std::uint8_t { first, last, moving };

/// A step without its size.
struct Pattern {
    StepKind kind = StepKind::send;
    collectives::Kind collective{};
    Group over = Group::world;
    RootAt root = RootAt::first;                // root of a collective
    PartnerKind partner = PartnerKind::offset;  // kind of a message's partner
    Offset offset;                              // offset of the partner, for PartnerKind::offset
    std::int32_t stage = 0;                     // stage of an exchange: the bit or the distance; 0 in its loop
    std::uint32_t begun = 0;                    // for a wait: the pattern that starts its request
    std::uint32_t age = 0;                      // for a wait: number of older open requests of that pattern
    std::int32_t tag = 0;                       // tag, if tags matter
    std::uint32_t phase = 0;
    bool joined = false;
    std::uint32_t place = 0;  // place in the code; calls from different places have different patterns
    /// size, if sizes distinguish steps: of a collective, or of a message if all runs have this size; otherwise -1
    std::int64_t bytes = -1;
    friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

/// A condition on the position of a rank along one side of the process grid. `first` means the first column, row or
/// plane.
struct Stand {
    enum class Side : std::uint8_t { columns, rows, planes } side = Side::columns;
    bool first = true;  // if false, the last column, row or plane
    bool not_there = false;
    bool wide = false;  // replaces the other conditions: true if the side must have more than two ranks
    friend bool operator==(const Stand&, const Stand&) = default;
};
/// A condition on a rank: one position, or two of which both or one must hold. Alternatively a condition on the
/// iteration of the loop around a part.
struct Condition {
    std::vector<Stand> stands;
    bool either = false;
    std::optional<Occasion> occasion{};
};
/// Returns true if the position of a rank meets the condition.
bool holds(const Condition& condition, const RankGrid& grid, Rank rank);
/// Returns true if a rank performs a step: a collective, or a message whose partner exists.
bool takes_part(const Pattern& pattern, const Array& array, Rank rank);
/// Returns the partner of a message. In an exchange, this is the partner in the given stage.
Rank partner(const Pattern& pattern, const Array& array, Rank rank, std::int64_t stage);

struct Part {
    enum class Kind : std::uint8_t { step, loop, work, some } kind = Kind::step;
    std::uint32_t id = 0;       // index among all parts, in order
    std::uint32_t pattern = 0;  // pattern of a step
    std::vector<Part> body;     // parts of a loop, or of a part that only some ranks or iterations execute
    /// iterations of a loop in each run; 0 if the run executes nothing of its body
    std::vector<std::int64_t> iterations;
    std::vector<bool> lacking;  // for a step: true for each run that does not have it
    PartnerKind staged{};       // for a loop over the stages of an exchange: its kind
    Condition condition;        // condition of a part that only some ranks or iterations execute
};

/// The steps that are distinguished by their size. This is needed for codes in which one function makes all calls of a
/// kind.
enum class BySize : std::uint8_t { none, collectives, messages_too };

struct Structure {
    bool tags = false;   // true if tags matter for the matching
    BySize by_size{};    // which steps are distinguished by size
    Closed closed;       // closed axes of the process grid
    PartnerKinds kinds;  // kinds of partners that are not at an offset
    Calls moving_roots;  // collectives whose roots change
    std::vector<Pattern> patterns;
    std::vector<trace::RecordedSite> places;  // places in the code; place 0 is unknown
    std::vector<Part> parts;
    std::optional<std::uint32_t> iteration;  // the part that is the model's iteration, if one has been chosen
    std::uint32_t count = 0;                 // number of parts, including nested ones
    bool is_combined = false;                // true if some run has no rank with all its partners
    /// share of the computing at places that are too small for work of their own
    double work_joined = 0.0;
    std::vector<FoundOccasion> occasions;  // occasions of parts that only some iterations or runs execute
    std::string other_loops;               // how the loops of the runs differ, if only conditions make them equal
};

/// Returns true if a loop iterates over the tiles of all corners in a call of `all_corners`. Its last two steps are
/// then the messages of a tile.
bool is_all_corners(const Structure& structure, const Part& loop);

/// Equal sequences of parts in a structure, in order and disjoint. An example is the sweeps of an iteration that a code
/// performs once more after its loop. The model contains one such sequence only once.
using Copies = std::vector<std::span<const Part>>;

/// Returns the index of the last part within a part. For a part without a body it is the part's own index.
std::uint32_t last_part(const Part& part);

/// Returns the longest sequence that occurs at least twice, at all its positions. Returns nothing if it has few steps.
/// Parts are equal if their steps, conditions and iterations in all runs are equal. The sequence contains no staged
/// exchanges, since the names of their variables differ.
Copies copies_of(const std::vector<Part>& parts);

/// Returns pairs of corresponding work: each work in a copy, and the same work in the first copy.
std::map<std::uint32_t, std::uint32_t> works_of_copy(std::span<const Part> first, std::span<const Part> copy);

/// Returns the values of all variables: the sizes of the process grid, the coordinates of a rank, and the parameters.
Values values_of(const RankGrid& grid, Rank rank, const std::vector<std::int64_t>& parameters);

/// Chooses the process grids of the runs and finds the structure. If there is none, appends the reasons to `refused`
/// and returns an empty structure. `kinds` contains the calls whose partners are not at offsets.
Structure structure_of(std::vector<Run>& runs, const Variables& variables, std::vector<Refusal>& refused,
                       BySize by_size = BySize::none, const PartnerKinds& kinds = {});

/// The observed sizes of a part on one rank.
struct Sizes {
    std::int64_t usual = -1;  // bytes, except in the last iteration of the loop
    std::int64_t last = -1;   // bytes in the last iteration; -1 if they have not been observed there
    bool regular = true;      // true if every execution has one of these two sizes
    bool is_linear = true;    // true if every execution has the bytes `first` + `slope` * the iteration, counted from 0
    std::int64_t first = -1;  // -1: no execution
    std::optional<std::int64_t> slope{};
    std::int64_t times = 0;  // number of executions, including those in last iterations
    std::int64_t last_times = 0;
    std::int64_t per_distance = -1;  // in a butterfly: bytes divided by the distance
    bool by_distance = true;         // true if this quotient is the same in all stages
    bool uneven = false;             // true for a collective whose shares differ; then sizes are means of shares
    double sum = 0.0;                // sum of the bytes of all executions
    double iterations = 0.0;         // sum of the iterations, counted from 0, of all executions
    double squares = 0.0;            // sum of the squares of these bytes, over all shares
};
struct WorkSample {
    std::int64_t iteration = 0;  // iteration of the loop around it
    bool first = false;          // true in the first of several iterations
    Time time;
};
/// The root of a collective in one execution.
struct RootSeen {
    std::int64_t iteration = 1;  // iteration of the loop around it, counted from 1
    std::int64_t of = 1;
    RootPosition root;
    std::uint64_t step = 0;  // index of the step on its rank
};
struct RankObservations {
    bool explained = true;
    std::uint64_t first_difference = 0;                    // index of the first step that differs from the structure
    std::string expected;                                  // the step that the structure has there; empty at its end
    std::uint64_t moved_waits = 0;                         // waits for sends that come later than in the structure
    std::vector<Sizes> sizes;                              // sizes of each part
    std::map<std::uint32_t, std::vector<RootSeen>> roots;  // roots of collectives whose roots change, by part
    std::vector<std::vector<WorkSample>> works;            // times of each work, by part
    std::vector<std::int64_t> executions;                  // number of executions of each work, by part
    std::vector<std::int64_t> first_executions;            // number of executions in the first of several iterations
};
/// Returns the median. Returns the upper of the two middle values for an even number of values, and 0 for none.
std::int64_t median(std::vector<std::int64_t> values);

/// The treatment of computing at small places: counted with the nearest work, or not at all.
enum class SmallPlaces : std::uint8_t { joined, left_out };

/// Compares the steps of a rank with the structure.
RankObservations observed(const Structure& structure, const std::vector<Run>& runs, std::size_t run, Rank rank,
                          SmallPlaces small = SmallPlaces::joined);

}  // namespace warpfront::learning
