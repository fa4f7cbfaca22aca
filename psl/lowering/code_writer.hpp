// Writers of the instructions and channels of one class of ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

/// The index of each channel in a list of channels.
using ChannelPlaces = std::map<program::Channel, std::uint32_t>;

/// Returns the index of the channel in `channels`; adds it if it is missing.
std::uint32_t place_of(const program::Channel& channel, std::vector<program::Channel>& channels, ChannelPlaces& places);

// The ranks that may send to `recv from any`. They are determined once the programs of all ranks are written.
//
// When a class is written, its receives from any source become empty choices, and its messages to the sources of these
// receives become empty replies. Once all classes are written, each channel on which a rank may send a message to such
// a receive is added to the choice. Ranks of one class get separate classes if their sources, relative to the rank,
// differ.

/// A choice of a class that is filled later.
struct AnySource {
    std::uint32_t choice = 0;
    std::optional<std::int32_t> tag;  // tag of the message; nothing for any tag
    std::uint16_t site = 0;
};

/// A reply of a class that is filled later.
struct Answer {
    std::uint32_t reply = 0;
    std::int32_t tag = 0;
};

/// The wildcard receives of a class; empty if the class receives only from named sources.
struct Wildcards {
    std::vector<AnySource> sources;
    std::vector<Answer> answers;
};

/// Finds the senders of receives from any rank, and fills the choices and replies of `program` with their channels;
/// `wildcards` is indexed by class. Throws BadInput unmatched_messages if no rank sends.
void find_sources(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                  program::Program& program);

/// A class without the parts that depend on other classes.
struct WrittenClass {
    program::RankClass rank_class;
    Wildcards wildcards;
};

class CodeWriter {
public:
    /// Uses the values of one rank of the class, which error messages name.
    CodeWriter(const Skeleton& skeleton, const Graph& graph, const RankValues& values)
        : skeleton_(skeleton), graph_(graph), values_(values) {}

    /// Appends an instruction. Throws BadInput program_too_large beyond kMostInstructions.
    void push(program::Op op, std::uint16_t site, std::uint32_t operand, std::int64_t amount);
    /// Begins a loop and returns its position, for `close_loop`, which removes a loop without a body.
    std::size_t open_loop(std::int64_t times, std::uint16_t site);
    void close_loop(std::size_t start);
    /// Marks the beginning of a phase; a mark directly after another mark replaces the earlier one.
    void mark_phase(std::uint16_t site, std::uint32_t phase);
    unsigned depth() const { return depth_; }

    std::size_t size() const { return class_.code.size(); }
    program::Instruction& at(std::size_t place) { return class_.code[place]; }
    std::uint32_t sends_on(const program::Channel& channel);
    std::uint32_t receives_on(const program::Channel& channel);
    std::uint32_t choice(program::Choice choice);
    /// Returns a choice to be filled later. A statement has one choice for each tag and for each of its receives that
    /// are open at the same time; `open` is the number of the receive among these.
    std::uint32_t any_source(const Statement* statement, std::optional<std::int32_t> tag, std::uint16_t site,
                             std::uint32_t open = 0);
    /// Adds a reply with this tag to the source of the message that the latest choice of `statement` takes. `statement`
    /// is a receive that has been written.
    std::uint32_t answer(const Statement* statement, std::int32_t tag);
    WrittenClass take() { return {std::move(class_), std::move(wildcards_)}; }

private:
    const Skeleton& skeleton_;
    const Graph& graph_;
    const RankValues& values_;
    program::RankClass class_;
    ChannelPlaces send_endpoints_;
    ChannelPlaces receive_endpoints_;
    Wildcards wildcards_;
    std::map<std::tuple<const Statement*, std::optional<std::int32_t>, std::uint32_t>, std::uint32_t> choices_;
    std::map<const Statement*, std::uint32_t> last_choice_;  // the latest choice of each statement
    std::map<std::pair<std::uint32_t, std::int32_t>, std::uint32_t> replies_;
    std::uint8_t depth_ = 0;
};

// Derivation of the classes of ranks from the skeleton. For every rank, the few slots that differ between ranks are
// evaluated; their values are the rank's key. Ranks with equal keys have one program, so only a new key costs more than
// its evaluation.
//
// Slots of a branch are evaluated only if the branch is taken, since the key mirrors the skeleton's branches; each slot
// is evaluated once. A key therefore determines the branches of its evaluation.

/// Fills `class_of` and `classes` of `program`; throws BadInput if an evaluation fails on some rank.
void make_classes(const Skeleton& skeleton, const Slots& slots, const Graph& graph, program::Program& program);

// The program of one class of ranks: the skeleton with the values of one of these ranks.

class CollectiveSteps;

/// Writes the program of the current rank of `values`, at most kMostInstructions long.
WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps);

}  // namespace warpfront::psl
