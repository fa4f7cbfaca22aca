// The events of a file in Chrome's format, one at a time: all of them as a tree would take many times the file's memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"

namespace warpfront::tools {

/// An event, and the offset in the file at which it begins.
using TraceEventSink = std::function<void(const nlohmann::ordered_json& event, std::size_t offset)>;

/// The JSON of a file without the events, each of which goes to `sink`; of a file that has none all of it. Throws BadInput
/// (not_a_result) where it is no JSON.
nlohmann::ordered_json parse_events(const input::SourceFilePtr& file, const TraceEventSink& sink);

/// The fault of a file that the page cannot show.
/// "`r.json` is no result: it names no schema": `observation` follows the name of the file. Throws BadInput (not_a_result).
[[noreturn]] void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation);

}  // namespace warpfront::tools
