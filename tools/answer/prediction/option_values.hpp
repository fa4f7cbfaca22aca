// Values of options, read in the same way as values in files: a diagnostic points into the value and names the
// expected ones.
//
//   --engine evnt:1:1: error: unknown engine `evnt`
//       1 | evnt
//         | ^^^^ expected `event`, `analytic` or `simgrid`; did you mean `event`?
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/units/prediction_error.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

struct OptionValue {
    std::string text;
    input::SourceRange range;
};

/// Returns the whole argument of `option`.
OptionValue option_value(std::string_view option, std::string text);

/// Splits a value at a separator, except within braces, brackets or quotes; each piece has its range.
std::vector<OptionValue> pieces_of(const OptionValue& value, std::string_view separator);

/// Returns the index of the value in `names`; 0 after a fault (bad_choice). `what` describes the names in messages.
std::size_t read_choice(const OptionValue& value, std::string_view what, std::span<const std::string> names,
                        input::Diagnostics& faults);
/// Reads an engine. Diagnostics: bad_choice. A value that is not among the names becomes the first of them.
Engine read_engine(const OptionValue& value, input::Diagnostics& faults);
engine::Replay read_replay(const OptionValue& value, input::Diagnostics& faults);
/// Reads an engine and adds it. Diagnostics: bad_choice, duplicate_name.
void add_engine(const OptionValue& value, std::vector<Engine>& engines, input::Diagnostics& faults);
/// Reads names of engines joined by commas, each of which occurs once.
std::vector<Engine> read_engines(const OptionValue& value, input::Diagnostics& faults);

/// Reads a percentage of at least 0, without its unit. Diagnostics: bad_number, unknown_unit, out_of_range.
Percent read_tolerance(const OptionValue& value, input::Diagnostics& faults);

/// Formats alternatives: "`a`, `b` or `c`".
std::string alternatives(std::span<const std::string> names);

}  // namespace warpfront::tools
