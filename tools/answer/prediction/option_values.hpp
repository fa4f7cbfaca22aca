// Reads the values of options in the same way as values in files. A diagnostic points into the value and names the
// expected values.
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

/// Returns the whole argument of `option` with its range.
OptionValue option_value(std::string_view option, std::string text);

/// Splits a value at a separator, except within braces, brackets or quotes. Each piece has its own range.
std::vector<OptionValue> pieces_of(const OptionValue& value, std::string_view separator);

/// Returns the index of the value in `names`, or 0 after an error (bad_choice). `what` is the noun for the names in
/// messages.
std::size_t read_choice(const OptionValue& value, std::string_view what, std::span<const std::string> names,
                        input::Diagnostics& faults);
/// Reads the name of an engine. Diagnostics: bad_choice. After an error, the first engine is returned.
Engine read_engine(const OptionValue& value, input::Diagnostics& faults);
engine::Replay read_replay(const OptionValue& value, input::Diagnostics& faults);
/// Reads the name of an engine and adds the engine. Diagnostics: bad_choice, duplicate_name.
void add_engine(const OptionValue& value, std::vector<Engine>& engines, input::Diagnostics& faults);
/// Reads names of engines that are separated by commas. Each may occur once.
std::vector<Engine> read_engines(const OptionValue& value, input::Diagnostics& faults);

/// Reads a percentage of at least 0, without its unit. Diagnostics: bad_number, unknown_unit, out_of_range.
Percent read_tolerance(const OptionValue& value, input::Diagnostics& faults);

/// Formats alternatives such as "`a`, `b` or `c`".
std::string alternatives(std::span<const std::string> names);

}  // namespace warpfront::tools
