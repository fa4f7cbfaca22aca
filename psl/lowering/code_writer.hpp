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

/// The index of each channel in a vector of channels.
using ChannelPlaces = std::map<program::Channel, std::uint32_t>;

/// Returns the index of the channel in `channels`; adds it if it is missing.
std::uint32_t place_of(const program::Channel& channel, std::vector<program::Channel>& channels, ChannelPlaces& places);

// The sources of `recv from any`. They are determined after the programs of all ranks have been written.
//
// When a class is written, its receives from any source become choices without channels. Its messages to the sources of
// these receives become replies without channels. Then each channel on which a rank may send a message to such a
// receive is added to the choice. Ranks of one class may have different sources, relative to the rank. In this case
// they get separate classes.

/// A choice of a class. Its sources are determined later.
struct AnySource {
    std::uint32_t choice = 0;
    std::optional<std::int32_t> tag;  // tag of the messages; nothing for any tag
    std::uint16_t site = 0;
};

/// A reply of a class. Its channels are determined later.
struct Answer {
    std::uint32_t reply = 0;
    std::int32_t tag = 0;
};

/// The receives from any source of a class, and the replies to these sources.
struct Wildcards {
    std::vector<AnySource> sources;
    std::vector<Answer> answers;
};

/// Finds the sources of receives from any rank. Adds their channels to the choices and replies of `program`.
/// `wildcards` is indexed by class. Throws BadInput unmatched_messages if no rank sends to such a receive.
void find_sources(const Skeleton& skeleton, const Graph& graph, const std::vector<Wildcards>& wildcards,
                  program::Program& program);

/// A class without the channels that depend on other classes.
struct WrittenClass {
    program::RankClass rank_class;
    Wildcards wildcards;
};

class CodeWriter {
public:
    /// Makes a writer with the values of one rank of the class. Error messages name this rank.
    CodeWriter(const Skeleton& skeleton, const Graph& graph, const RankValues& values)
        : skeleton_(skeleton), graph_(graph), values_(values) {}

    /// Appends an instruction. Throws BadInput program_too_large beyond kMostInstructions.
    void push(program::Op op, std::uint16_t site, std::uint32_t operand, std::int64_t amount);
    /// Begins a loop and returns its position for `close_loop`. `close_loop` removes a loop without a body.
    std::size_t open_loop(std::int64_t times, std::uint16_t site);
    void close_loop(std::size_t start);
    /// Marks the beginning of a phase. A mark directly after another mark replaces it.
    void mark_phase(std::uint16_t site, std::uint32_t phase);
    unsigned depth() const { return depth_; }

    std::size_t size() const { return class_.code.size(); }
    program::Instruction& at(std::size_t place) { return class_.code[place]; }
    std::uint32_t sends_on(const program::Channel& channel);
    std::uint32_t receives_on(const program::Channel& channel);
    std::uint32_t choice(program::Choice choice);
    /// Returns a choice without channels. A statement has one choice for each tag. If several of its receives are open
    /// at the same time, each has its own choice, and `open` is the number of the receive.
    std::uint32_t any_source(const Statement* statement, std::optional<std::int32_t> tag, std::uint16_t site,
                             std::uint32_t open = 0);
    /// Returns a reply with this tag to the source of the receive `statement`. The reply belongs to the latest choice
    /// of this statement.
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

// The classes of ranks. Some slots have different values on different ranks. Their values on one rank are the key of
// the rank. Ranks with equal keys have the same program. A rank with a known key costs only the evaluation of the key.
//
// The key follows the branches of the skeleton: slots of a branch are evaluated only if the rank takes the branch. Each
// slot is evaluated once. Therefore equal keys imply equal branches.

/// Determines the members `class_of` and `classes` of `program`. Throws BadInput if an evaluation fails on a rank.
void make_classes(const Skeleton& skeleton, const Slots& slots, const Graph& graph, program::Program& program);

// The program of one class of ranks. It is written from the skeleton with the values of one of these ranks.

class CollectiveSteps;

/// Writes the program of the current rank of `values`, at most kMostInstructions long.
WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps);

}  // namespace warpfront::psl
