#include "simulator/machine/placement/rank_file.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/quantity.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceRange;

constexpr std::string_view kBlank = " \t\r";

/// Returns the line without its comment and the surrounding blanks.
std::string_view content(std::string_view line) {
    line = line.substr(0, line.find('#'));
    line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
    return line.substr(0, line.find_last_not_of(kBlank) + 1);
}

SourceRange range_of(const RankFile& file, std::size_t node) {
    const std::size_t start = file.offsets[node];
    const std::string_view rest = file.source->text().substr(start);
    return {file.source, start, content(rest.substr(0, rest.find('\n'))).size()};
}

}  // namespace

RankFile read_rank_file(input::SourceFilePtr source) {
    RankFile file;
    file.source = std::move(source);
    Diagnostics faults;
    const std::string_view text = file.source->text();
    for (std::size_t start = 0; start < text.size() && faults.count() < Diagnostics::kMostDiagnostics;) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view number = content(text.substr(start, end - start));
        start = end + 1;
        if (number.empty()) continue;
        const auto offset = static_cast<std::size_t>(number.data() - text.data());
        const std::int64_t host = input::parse_integer(number, {file.source, offset, number.size()}, 0,
                                                       std::numeric_limits<std::uint32_t>::max(), faults);
        file.host_of.push_back({static_cast<std::uint32_t>(host)});
        file.offsets.push_back(offset);
    }
    faults.raise();
    return file;
}

bool check_rank_file(const RankFile& file, std::uint32_t nodes, std::uint32_t hosts, Diagnostics& faults) {
    const std::size_t before = faults.count();
    const std::size_t listed = file.host_of.size();
    if (listed != nodes) {
        const SourceRange range =
            listed > nodes ? range_of(file, nodes) : SourceRange{file.source, file.source->text().size(), 0};
        faults.add(DiagnosticKind::rank_file_length, range,
                   fmt::format("{} for {}", input::counted(listed, "host"), input::counted(nodes, "node")),
                   "expected a line with a host for each node");
    }
    std::vector<std::uint32_t> node_on(hosts, nodes);
    for (std::uint32_t node = 0; node < std::min<std::size_t>(listed, nodes); ++node) {
        if (faults.count() >= before + Diagnostics::kMostDiagnostics) break;
        const std::uint32_t host = file.host_of[node].index;
        if (host >= hosts) {
            faults.add(DiagnosticKind::out_of_range, range_of(file, node), fmt::format("there is no host {}", host),
                       fmt::format("expected 0 to {}", hosts - 1));
        } else if (node_on[host] != nodes) {
            const unsigned line = file.source->position(file.offsets[node_on[host]]).line;
            faults.add(
                DiagnosticKind::host_taken_twice, range_of(file, node), fmt::format("host {} has a node already", host),
                fmt::format("expected a different host for each node; line {} already contains this host", line));
        } else {
            node_on[host] = node;
        }
    }
    return faults.count() == before;
}

}  // namespace warpfront::machine
