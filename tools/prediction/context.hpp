// The context of a result, common to all its forms and engines; and the notes in it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/results/context.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/prediction/engines.hpp"

namespace warpfront::tools {

/// The size of the experiment, its input files, its scenario, its notes for these engines.
results::Context context_of(const Experiment& prepared, std::span<const Engine> engines);

// Notes for the user on an experiment before it runs: those of its program and of its machine, on missing keys of the
// scenario, and on its calibration. `run` prints them with the result, `check` beside `ok`; where many experiments
// stand side by side, every note stands once, with the number of those that have it.

/// The calibration is noted only where one of `engines` uses it: closed forms never do.
std::vector<std::string> notes_of(const Experiment& prepared, std::span<const Engine> engines);

class CountedNotes {
public:
    /// `owner`: whose note it is, if it has a name of its own.
    void add(const std::string& note, const std::string& owner = {});
    /// In order of first appearance: as it is what all of `total` have, `OWNER: NOTE` or `1 of 5 rows: NOTE` what one
    /// has, `3 of 5 rows: NOTE` what more of them have. `what` is the plural, such as `rows`. Of more than three that
    /// differ in their numbers alone the first stands for all: `NOTE (and 7 more such notes with other numbers)`.
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

}  // namespace warpfront::tools
