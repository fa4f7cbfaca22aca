// Reads a timeline in Chrome's format, as written by `run --timeline FILE.json`
// (simulator/results/timeline/chrome.cpp). Events other than slices, flows and names of threads are ignored; so are
// service times of resources, of which the file has only sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"
#include "simulator/record/timeline.hpp"

namespace warpfront::tools {

// Reads the events of a file in Chrome's format one at a time: all of them as a tree would take many times the file's
// memory.

/// An event, and the offset in the file at which it begins.
using TraceEventSink = std::function<void(const nlohmann::ordered_json& event, std::size_t offset)>;

/// Passes each event of a file to `sink`, and returns the JSON of the file without the events; the whole JSON if it has
/// no events. Throws BadInput (not_a_result) if the file is not JSON.
nlohmann::ordered_json parse_events(const input::SourceFilePtr& file, const TraceEventSink& sink);

/// Throws BadInput (not_a_result) for a file that the page cannot show: "`r.json` is no result: it names no schema".
/// `observation` follows the name of the file.
[[noreturn]] void refuse_result(const input::SourceFilePtr& file, std::size_t offset, std::string_view observation);

struct ChromeTimeline {
    std::string title;
    record::Timeline timeline;            // ranks by number; `left` of a message as the file has it, a picosecond early
    std::vector<std::string> ranks;       // names, in the order of `timeline.ranks`
    std::vector<std::string> statements;  // by site
};

/// Reads the events of a file one by one (parse_events).
class ChromeReader {
public:
    explicit ChromeReader(input::SourceFilePtr file) : file_(std::move(file)) {}

    /// Reads the event that begins at `offset` in the file. Nothing is read after a fault.
    void read(const nlohmann::ordered_json& event, std::size_t offset);

    /// Returns the timeline after the last event; `rest` is the file without the events. Throws BadInput
    /// (not_a_result), with the place of the first event that cannot belong to a timeline: without a rank or a time, a
    /// slice of an unknown activity, or one that begins before its rank's last slice has ended. It is not thrown
    /// earlier, since the schema may stand at the end of the file.
    ChromeTimeline take(const nlohmann::ordered_json& rest);

private:
    struct OfRank {
        std::string name;
        record::RankTimeline timeline;
    };
    struct Flow {
        std::optional<Rank> from;
        std::optional<Rank> to;
        Bytes bytes;
        Time left;
        Time received;
    };

    void read_one(const nlohmann::ordered_json& event);
    void slice(const nlohmann::ordered_json& event);
    Flow& flow(const nlohmann::ordered_json& event);
    OfRank& rank(const nlohmann::ordered_json& event);
    std::uint16_t site(const std::string& statement);

    input::SourceFilePtr file_;
    std::map<std::uint32_t, OfRank> ranks_;
    std::map<std::uint64_t, Flow> flows_;
    std::map<std::string, std::uint16_t> sites_;
    std::vector<std::string> statements_;
    std::optional<std::pair<std::size_t, std::string>> fault_;  // the first fault: its place and description
};

}  // namespace warpfront::tools
