// What all ranks of all runs do, as one structure: the loops of an interior rank, with its partners as offsets in the
// array. Every other rank does the same less the messages that leave the array; what ranks at a side do beside it
// stands under a condition.
//
//   repeat 2 { recv from (-1, 0); recv from (0, -1); work; send to (+1, 0); send to (0, +1) }; allreduce
//
// Work stands where an interior rank computes for a fiftieth or more of its computing; where a loop computes
// between its last message and its first, the time before its first trip and after its last tells which end it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/learning/grid.hpp"
#include "tools/learning/loops.hpp"
#include "tools/learning/partners.hpp"
#include "tools/learning/steps.hpp"

namespace warpfront::learning {

/// One run, as it is learnt from.
struct Run {
    const trace::RecordedRun* recorded = nullptr;
    std::vector<RankSteps> ranks;
    std::optional<Array> array;  // where calls of `all_corners` no longer show it
    Array grid;
    Rank interior;                         // its messages leave the array nowhere
    std::vector<std::int64_t> parameters;  // in the order of Variables::names
};

/// What a step is, whatever its size.
struct Pattern {
    StepKind kind = StepKind::send;
    collectives::Kind collective{};
    Group over = Group::world;
    PartnerKind partner = PartnerKind::offset;  // of messages, as the next two
    Offset offset;                              // where their partner is one
    std::int32_t stage = 0;                     // of a butterfly: the bit that differs; 0 in its loop
    std::uint32_t begun = 0;                    // wait: the pattern that begins its request
    std::uint32_t age = 0;                      // wait: requests of that pattern that are open and older
    std::int32_t tag = 0;                       // where tags matter
    std::uint32_t phase = 0;
    bool joined = false;
    std::uint32_t place = 0;  // in the code: calls from several places are never one
    std::int64_t bytes =
        -1;  // where sizes tell steps apart: of a collective, or of a message if all runs have this size
    friend auto operator<=>(const Pattern&, const Pattern&) = default;
};

/// Where a rank stands in the array: `first` of a side is its first column, row or plane.
struct Stand {
    enum class Side : std::uint8_t { columns, rows, planes } side = Side::columns;
    bool first = true;  // else the last
    bool not_there = false;
    bool wide = false;  // in place of the three: the side has more than two
    friend bool operator==(const Stand&, const Stand&) = default;
};
/// One or two of them, both or either.
struct Condition {
    std::vector<Stand> stands;
    bool either = false;
};
bool holds(const Condition& condition, const RankGrid& grid, Rank rank);
/// Whether a rank does a step: a collective, or a message to a rank that there is.
bool takes_part(const Pattern& pattern, const Array& array, Rank rank);
/// The partner of a message; in a butterfly that of one of its stages.
Rank partner(const Pattern& pattern, const Array& array, Rank rank, std::int64_t stage);

struct Part {
    enum class Kind : std::uint8_t { step, loop, work, some } kind = Kind::step;
    std::uint32_t id = 0;             // its place among all parts, in order
    std::uint32_t pattern = 0;        // of a step
    std::vector<Part> body;           // of a loop, and of what only some ranks do
    std::vector<std::int64_t> trips;  // of a loop, by run; 0 where all that it repeats is absent there
    std::vector<bool> lacking;        // of a step, by run
    PartnerKind butterfly{};          // of a loop over the stages of one
    Condition condition;              // of what only some ranks do
};

/// Which steps of different sizes are different ones, as where one function of the code makes all calls of a kind.
enum class BySize : std::uint8_t { none, collectives, messages_too };

struct Structure {
    bool tags = false;   // whether they matter
    BySize by_size{};    // what sizes tell apart
    Closed closed;       // axes
    PartnerKinds kinds;  // partners that are no offsets
    std::vector<Pattern> patterns;
    std::vector<trace::RecordedSite> places;  // 0: unknown
    std::vector<Part> parts;
    std::optional<std::uint32_t> iteration;  // the part that is the model's iteration, where one is chosen
    std::uint32_t count = 0;                 // of parts, those within others included
    double work_left_out = 0.0;              // the largest share of a run's computing that is too little for a place
};

/// Whether a loop is the tiles of all corners of a call of `all_corners`: its last two steps are what is sent.
bool is_all_corners(const Structure& structure, const Part& loop);

/// Chooses the arrays of the runs and finds the structure. `refused` gets what stands in the way; then the structure is
/// empty.
/// `kinds` are the calls whose partners are no offsets.
Structure structure_of(std::vector<Run>& runs, std::vector<Refusal>& refused, BySize by_size = BySize::none,
                       const PartnerKinds& kinds = {});

/// What one rank shows of a part.
struct Sizes {
    std::int64_t usual = -1;  // bytes, but on the last trip of the loop
    std::int64_t last = -1;   // on the last trip; -1: it has none of its own
    bool regular = true;      // all executions are one of these
    std::int64_t times = 0;   // executions, those on last trips among them, and their bytes
    std::int64_t last_times = 0;
    std::int64_t per_distance = -1;  // bytes over the distance, in a butterfly
    bool by_distance = true;         // it is the same in all stages
    double sum = 0.0;
    double squares = 0.0;
};
struct WorkSample {
    std::int64_t trip = 0;  // of the loop in which it stands
    bool first = false;     // in the first of several iterations
    Time time;
};
struct RankObservations {
    bool explained = true;
    std::uint64_t first_difference = 0;          // the number of the step at which the structure is left
    std::string expected;                        // what the structure has there; empty: its end
    std::uint64_t moved_waits = 0;               // waits for sends that stand later than in the structure
    std::vector<Sizes> sizes;                    // by part
    std::vector<std::vector<WorkSample>> works;  // by part
    std::vector<std::int64_t> executions;        // of works, by part
    std::vector<std::int64_t> first_executions;  // those in the first of several iterations
};
/// The middle of some numbers, the upper of two; 0 of none.
std::int64_t median(std::vector<std::int64_t> values);

/// A rank's steps beside the structure.
RankObservations observed(const Structure& structure, const std::vector<Run>& runs, std::size_t run, Rank rank);

}  // namespace warpfront::learning
