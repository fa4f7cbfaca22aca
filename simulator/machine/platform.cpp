#include "simulator/machine/platform.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "simulator/machine/survey.hpp"
#include "simulator/machine/wire.hpp"
#include "simulator/machine/xml_places.hpp"

namespace warpfront::machine {

namespace {

using input::Fault;
using input::FaultKind;
using input::Faults;
using input::SourcePtr;

constexpr std::size_t kMostWarnings = 5;

void pack(const Platform& platform, WireWriter& wire) {
    wire.put(platform.hosts);
    wire.put(platform.cores);
    wire.put(platform.zone.index());
    if (const auto* torus = std::get_if<TorusRoutes>(&platform.zone)) {
        wire.put_each(torus->dimensions, [&](std::uint32_t length) { wire.put(length); });
        wire.put(torus->link_latency);
        wire.put(torus->link_gap);
        wire.put(torus->duplex);
    } else if (const auto* star = std::get_if<StarRoutes>(&platform.zone)) {
        wire.put(*star);
    }
    wire.put_each(platform.pairs, [&](HostPair pair) { wire.put(pair); });
    wire.put_each(platform.routes, [&](TableRoutes::Entry route) { wire.put(route); });
    wire.put_each(platform.contended, [&](LinkId link) { wire.put(link); });
    wire.put_each(platform.gaps, [&](Gap gap) { wire.put(gap); });
}

Platform unpack_platform(WireReader& wire) {
    Platform platform;
    platform.hosts = wire.get<std::uint32_t>();
    platform.cores = wire.get<std::uint32_t>();
    const auto zone = wire.get<std::size_t>();
    if (zone == 1) {
        TorusRoutes torus;
        wire.each([&] { torus.dimensions.push_back(wire.get<std::uint32_t>()); });
        torus.link_latency = wire.get<Time>();
        torus.link_gap = wire.get<Gap>();
        torus.duplex = wire.get<bool>();
        platform.zone = torus;
    } else if (zone == 2) {
        platform.zone = wire.get<StarRoutes>();
    }
    wire.each([&] { platform.pairs.push_back(wire.get<HostPair>()); });
    wire.each([&] { platform.routes.push_back(wire.get<TableRoutes::Entry>()); });
    wire.each([&] { platform.contended.push_back(wire.get<LinkId>()); });
    wire.each([&] { platform.gaps.push_back(wire.get<Gap>()); });
    return platform;
}

/// All places are in the XML.
void pack(const Faults& faults, WireWriter& wire) {
    wire.put_each(faults.all(), [&](const Fault& fault) {
        wire.put(fault.kind);
        wire.put(fault.place.offset);
        wire.put(fault.place.length);
        wire.put_text(fault.message);
        wire.put_text(fault.expected);
    });
}

void unpack_faults(WireReader& wire, const SourcePtr& xml, Faults& faults) {
    wire.each([&] {
        const auto kind = wire.get<FaultKind>();
        const auto offset = wire.get<std::size_t>();
        const auto length = wire.get<std::size_t>();
        std::string message = wire.text();
        std::string expected = wire.text();
        faults.add(kind, {xml, offset, length}, std::move(message), std::move(expected));
    });
}

/// What follows `mark` on each line of SimGrid's log that has it; each text once, at most `most`.
std::vector<std::string> logged(std::string_view log, std::string_view mark, std::size_t most) {
    std::vector<std::string> found;
    while (!log.empty() && found.size() < most) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        std::string text(line.substr(at + mark.size()));
        if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(std::move(text));
    }
    return found;
}

void add_crash(const Outcome& outcome, const SourcePtr& xml, Faults& faults) {
    if (!outcome.doing.empty()) {
        faults.add(FaultKind::no_route, place_of_message(xml, outcome.doing), outcome.doing,
                   "ranks on these hosts exchange messages");
        return;
    }
    const std::vector<std::string> last_words = logged(outcome.log, "CRITICAL] ", 1);
    if (last_words.empty()) {
        faults.add(FaultKind::platform_error, place_of_platform(xml),
                   fmt::format("simgrid crashed on this platform (signal {})", outcome.signal));
    } else {
        faults.add(FaultKind::platform_error, place_of_message(xml, last_words.front()),
                   fmt::format("simgrid refuses this platform: {}", last_words.front()));
    }
}

void explain(const Outcome& outcome, const Limits& limits, const SourcePtr& xml, Faults& faults) {
    switch (outcome.end) {
        case Outcome::End::out_of_memory:
            faults.add(FaultKind::platform_limits, place_of_platform(xml),
                       fmt::format("simgrid needs more than {} MiB for this platform", limits.bytes >> 20),
                       "let a smaller cluster grow by `size: fit`");
            return;
        case Outcome::End::out_of_time:
            faults.add(FaultKind::platform_limits, place_of_platform(xml),
                       fmt::format("simgrid needs more than {} s for this platform",
                                   std::chrono::duration<double>(limits.time).count()),
                       "nested zones, fat trees and Floyd routing grow slowly");
            return;
        case Outcome::End::crashed: return add_crash(outcome, xml, faults);
        case Outcome::End::finished: return;
    }
}

}  // namespace

std::optional<Platform> load_platform(const SourcePtr& xml, const PairsWanted& wanted, Faults& faults,
                                      const Limits& limits) {
    if (!xml->name().ends_with(".xml")) {
        faults.add(FaultKind::platform_error, {xml, 0, 0}, fmt::format("`{}` is no platform", xml->name()),
                   "expected a file whose name ends in `.xml`");
        return std::nullopt;
    }
    const Outcome outcome = run_in_child(limits, [&](Doing& doing) {
        Faults found;
        const Platform platform = survey(xml, wanted, doing, found);
        WireWriter wire;
        pack(found, wire);
        pack(platform, wire);
        return wire.bytes();
    });
    if (outcome.end != Outcome::End::finished) {
        explain(outcome, limits, xml, faults);
        return std::nullopt;
    }
    WireReader wire(outcome.answer);
    Faults found;
    unpack_faults(wire, xml, found);
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    Platform platform = unpack_platform(wire);
    platform.warnings = logged(outcome.log, "WARNING] ", kMostWarnings);
    return platform;
}

}  // namespace warpfront::machine
