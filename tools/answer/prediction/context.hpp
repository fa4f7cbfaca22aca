// The context of a result, including notes. It is the same for all engines and output formats.
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

/// Returns the size of the experiment, its input files, its scenario, and the notes that concern these engines.
results::Context context_of(const Experiment& prepared, std::span<const Engine> engines);

// Notes for the user on an experiment before it runs. They concern its program, its machine, missing keys of the
// scenario, and its calibration. `run` prints them with the result, and `check` after `ok`. If there are many
// experiments, every note is printed once, with the number of experiments that have it.

/// Returns the notes. The calibration is noted only if one of `engines` uses it. Closed forms do not use it.
std::vector<std::string> notes_of(const Experiment& prepared, std::span<const Engine> engines);

class CountedNotes {
public:
    /// Adds a note. `owner` is the name of its experiment, if it has one.
    void add(const std::string& note, const std::string& owner = {});
    /// Returns the notes in the order in which they were first added. A note of all `total` experiments is unchanged. A
    /// note of one experiment becomes `OWNER: NOTE` or `1 of 5 rows: NOTE`, and a note of several `3 of 5 rows: NOTE`.
    /// `what` is the plural, such as `rows`. If more than three notes differ only in their numbers, only the first is
    /// returned, as `NOTE (and 7 more such notes with other numbers)`.
    std::vector<std::string> texts(std::size_t total, std::string_view what) const;

private:
    struct Counted {
        std::string note;
        std::string first_owner;
        std::size_t count = 0;
    };
    std::vector<Counted> notes_;
};

/// Returns the notes to print: all of them, or none with `--log-level error`.
std::vector<std::string> shown(std::vector<std::string> notes);

// Notes on parts of the machine, and on overrides, that have no effect on an experiment.

/// Equal parts of one kind into which the cores of a node are divided.
struct NodeKind {
    std::string name;  // "socket"
    std::uint32_t parts = 1;
};

/// Returns the kinds of parts of which a node has several and that matter to the program. Tasks send no messages, so
/// only cores and the memory that cores share matter to them.
std::vector<NodeKind> node_kinds(const Experiment& prepared);

/// Returns the positions of a patch that have ranks, on the node with the most ranks. Some are empty if the process
/// grid is smaller than the patch.
std::vector<std::uint32_t> places_with_ranks(const machine::Placement& placement);

/// Returns notes on idle parts: parts, buses, NICs and memories of a node without a rank, parallel links that no rank
/// selects, and servers of cluster memory without records. If spreading the ranks would use more parts of a node, the
/// note names the key for this.
std::vector<std::string> notes_on_idle_parts(const Experiment& prepared);

/// Returns notes on overrides of the machine that cannot change a run of the event engine, whatever their values.
/// Examples are costs of layers and rows that no message has, the bus beside message processing, and algorithms of
/// collectives that the program does not call. Overrides come from `platform` of the scenario or from `--set`. Each
/// note contains the keys and the reason.
std::vector<std::string> notes_on_idle_overrides(const Experiment& prepared);

}  // namespace warpfront::tools
