// The context of a result, common to all its forms and engines, including its notes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/results/context.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

/// Returns the size of the experiment, its input files, its scenario, and its notes for these engines.
results::Context context_of(const Experiment& prepared, std::span<const Engine> engines);

// Notes for the user on an experiment before it runs: those of its program and of its machine, on missing keys of the
// scenario, and on its calibration. `run` prints them with the result, `check` beside `ok`. If many experiments stand
// side by side, every note appears once, with the number of experiments that have it.

/// Returns the notes. The calibration is noted only if one of `engines` uses it: closed forms never do.
std::vector<std::string> notes_of(const Experiment& prepared, std::span<const Engine> engines);

class CountedNotes {
public:
    /// Adds a note. `owner` is the name of the experiment, if it has one.
    void add(const std::string& note, const std::string& owner = {});
    /// Returns the texts in order of first appearance. A note of all `total` experiments is unchanged. A note of one is
    /// `OWNER: NOTE` or `1 of 5 rows: NOTE`, a note of several `3 of 5 rows: NOTE`. `what` is the plural, such as
    /// `rows`. If more than three notes differ only in their numbers, the first stands for all: `NOTE (and 7 more such
    /// notes with other numbers)`.
    std::vector<std::string> texts(std::size_t total, std::string_view what) const;

private:
    struct Counted {
        std::string note;
        std::string first_owner;
        std::size_t count = 0;
    };
    std::vector<Counted> notes_;
};

/// Returns the notes that a table shows: all of them, or none with `--log-level error`.
std::vector<std::string> shown(std::vector<std::string> notes);

// Notes on parts of an experiment's machine that its ranks, or its tasks, do not use.

/// Equal parts of one kind that the cores of a node divide into.
struct NodeKind {
    std::string name;  // "socket"
    std::uint32_t parts = 1;
};

/// Returns the kinds of parts that matter to the program, if a node has several parts of the kind. Tasks send no
/// messages, so only cores and the memory that cores share matter to them.
std::vector<NodeKind> node_kinds(const Experiment& prepared);

/// Returns the places of a patch that have ranks on the node with the most ranks: a process grid may be smaller than
/// the patch.
std::vector<std::uint32_t> places_with_ranks(const machine::Placement& placement);

/// Returns notes on idle parts: parts, buses, NICs and memories of a node without a rank, parallel links that no rank
/// chooses, and servers of cluster memory without records. If spreading the ranks would use more parts of a node, the
/// note names the key for it.
std::vector<std::string> notes_on_idle_parts(const Experiment& prepared);

/// Returns notes on overrides of the machine, in `platform` of the scenario or by `--set`, that do not change a run of
/// the event engine, whatever their values: costs of layers and rows that no message has, the bus beside message
/// processing, algorithms of collectives that the program does not call, and others. Each note has the keys and the
/// reason.
std::vector<std::string> notes_on_idle_overrides(const Experiment& prepared);

}  // namespace warpfront::tools
