#include "simulator/machine/loading/platform.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "simulator/machine/loading/simgrid_loader.hpp"
#include "simulator/process/byte_stream.hpp"
#include "simulator/machine/loading/xml_numbers.hpp"
#include "simulator/machine/loading/xml_positions.hpp"

namespace warpfront::machine {

namespace {

using input::Fault;
using input::FaultKind;
using input::Faults;
using input::SourcePtr;

constexpr std::size_t kMostWarnings = 5;

void pack(const std::vector<std::uint32_t>& numbers, process::WireWriter& wire) {
    wire.put_each(numbers, [&](std::uint32_t number) { wire.put(number); });
}
std::vector<std::uint32_t> unpack_numbers(process::WireReader& wire) {
    std::vector<std::uint32_t> numbers;
    wire.each([&] { numbers.push_back(wire.get<std::uint32_t>()); });
    return numbers;
}

void pack(const RegularZone& zone, process::WireWriter& wire) {
    wire.put(zone.index());
    if (const auto* torus = std::get_if<TorusRoutes>(&zone)) {
        pack(torus->dimensions, wire);
        wire.put(torus->link_latency);
        wire.put(torus->link_gap);
        wire.put(torus->duplex);
        wire.put(torus->limiter);
    } else if (const auto* tree = std::get_if<FatTreeRoutes>(&zone)) {
        for (const auto* numbers : {&tree->children, &tree->parents, &tree->cables}) pack(*numbers, wire);
        wire.put(tree->link_latency);
        wire.put(tree->link_gap);
        wire.put(tree->duplex);
        wire.put(tree->limiter);
    } else if (const auto* star = std::get_if<StarRoutes>(&zone)) {
        wire.put(*star);
    } else if (const auto* dragonfly = std::get_if<DragonflyRoutes>(&zone)) {
        wire.put(*dragonfly);
    }
}

template <class Routes>
void unpack_links(Routes& routes, process::WireReader& wire) {
    routes.link_latency = wire.get<Time>();
    routes.link_gap = wire.get<Gap>();
    routes.duplex = wire.get<bool>();
    routes.limiter = wire.get<std::optional<Gap>>();
}

RegularZone unpack_zone(process::WireReader& wire) {
    const auto zone = wire.get<std::size_t>();
    if (zone == RegularZone(TorusRoutes{}).index()) {
        TorusRoutes torus;
        torus.dimensions = unpack_numbers(wire);
        unpack_links(torus, wire);
        return torus;
    }
    if (zone == RegularZone(FatTreeRoutes{}).index()) {
        FatTreeRoutes tree;
        for (auto* numbers : {&tree.children, &tree.parents, &tree.cables}) *numbers = unpack_numbers(wire);
        unpack_links(tree, wire);
        return tree;
    }
    if (zone == RegularZone(StarRoutes{}).index()) return wire.get<StarRoutes>();
    if (zone == RegularZone(DragonflyRoutes{}).index()) return wire.get<DragonflyRoutes>();
    return Irregular{};
}

void pack(const Platform& platform, process::WireWriter& wire) {
    wire.put(platform.hosts);
    wire.put(platform.cores);
    wire.put(platform.most_cores);
    pack(platform.zone, wire);
    wire.put_each(platform.pairs, [&](HostPair pair) { wire.put(pair); });
    wire.put_each(platform.routes, [&](TableRoutes::Entry route) { wire.put(route); });
    wire.put_each(platform.contended, [&](LinkId link) { wire.put(link); });
    wire.put_each(platform.gaps, [&](Gap gap) { wire.put(gap); });
    wire.put_each(platform.link_names, [&](const std::string& name) { wire.put_text(name); });
}

Platform unpack_platform(process::WireReader& wire) {
    Platform platform;
    platform.hosts = wire.get<std::uint32_t>();
    platform.cores = wire.get<std::uint32_t>();
    platform.most_cores = wire.get<std::uint32_t>();
    platform.zone = unpack_zone(wire);
    wire.each([&] { platform.pairs.push_back(wire.get<HostPair>()); });
    wire.each([&] { platform.routes.push_back(wire.get<TableRoutes::Entry>()); });
    wire.each([&] { platform.contended.push_back(wire.get<LinkId>()); });
    wire.each([&] { platform.gaps.push_back(wire.get<Gap>()); });
    wire.each([&] { platform.link_names.push_back(wire.text()); });
    return platform;
}

/// All places are in the XML.
void pack(const Faults& faults, process::WireWriter& wire) {
    wire.put_each(faults.all(), [&](const Fault& fault) {
        wire.put(fault.kind);
        wire.put(fault.place.offset);
        wire.put(fault.place.length);
        wire.put_text(fault.message);
        wire.put_text(fault.expected);
    });
}

void unpack_faults(process::WireReader& wire, const SourcePtr& xml, Faults& faults) {
    wire.each([&] {
        const auto kind = wire.get<FaultKind>();
        const auto offset = wire.get<std::size_t>();
        const auto length = wire.get<std::size_t>();
        std::string message = wire.text();
        std::string expected = wire.text();
        faults.add(kind, {xml, offset, length}, std::move(message), std::move(expected));
    });
}

constexpr std::string_view kWithoutUnit = "Deprecated unit-less value";  // xml_numbers.hpp says it with its place

/// What follows `mark` on each line of SimGrid's log that has it; each text once, at most `most`.
std::vector<std::string> logged(std::string_view log, std::string_view mark, std::size_t most) {
    std::vector<std::string> found;
    while (!log.empty() && found.size() < most) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        std::string text(line.substr(at + mark.size()));
        if (text.starts_with(kWithoutUnit)) continue;
        if (std::find(found.begin(), found.end(), text) == found.end()) found.push_back(std::move(text));
    }
    return found;
}

void add_crash(const process::Outcome& outcome, const SourcePtr& xml, Faults& faults) {
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

void explain(const process::Outcome& outcome, const process::Limits& limits, const SourcePtr& xml, Faults& faults) {
    switch (outcome.end) {
        case process::Outcome::End::out_of_memory:
            faults.add(FaultKind::platform_limits, place_of_platform(xml),
                       fmt::format("simgrid needs more than {} MiB for this platform", limits.bytes >> 20),
                       "let a smaller cluster grow by `size: fit`");
            return;
        case process::Outcome::End::out_of_time:
            faults.add(FaultKind::platform_limits, place_of_platform(xml),
                       fmt::format("simgrid needs more than {} s for this platform",
                                   std::chrono::duration<double>(limits.time).count()),
                       "nested zones, fat trees and Floyd routing grow slowly");
            return;
        case process::Outcome::End::crashed: return add_crash(outcome, xml, faults);
        case process::Outcome::End::finished: return;
    }
}

// --- what SimGrid is handed ------------------------------------------------------------------------------------------

/// Of a text no longer than this, deep nesting cannot exhaust the stack of the parser that reads it here.
constexpr std::size_t kLongestCluster = std::size_t{16} << 10;

/// A file of its own, gone with its owner.
class CopyFile {
public:
    explicit CopyFile(const std::string& text) {
        std::string pattern = (std::filesystem::temp_directory_path() / "warpfront-").string();
        pattern += std::string(6, 'X') + ".xml";
        const int file = ::mkstemps(pattern.data(), 4);
        if (file < 0) throw std::system_error(errno, std::generic_category(), "no temporary file for a platform");
        path_ = pattern;
        const ssize_t written = ::write(file, text.data(), text.size());
        ::close(file);
        if (written != static_cast<ssize_t>(text.size())) {
            std::filesystem::remove(path_);
            throw std::system_error(errno, std::generic_category(), "no room for a platform's copy");
        }
    }
    CopyFile(const CopyFile&) = delete;
    CopyFile& operator=(const CopyFile&) = delete;
    ~CopyFile() {
        std::error_code gone_already;
        std::filesystem::remove(path_, gone_already);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

/// SimGrid crashes on some of these, and a small copy of the others would hide what is wrong.
bool check_shape(const LoneCluster& cluster, const SourcePtr& xml, Faults& faults) {
    const input::Place place = place_of_name(xml, cluster.topo_parameters);
    const auto* dragonfly = std::get_if<DragonflyShape>(&cluster.shape);
    if (dragonfly != nullptr && dragonfly->groups.count > dragonfly->blades.count) {
        faults.add(FaultKind::platform_error, place,
                   fmt::format("{} groups, but only {} blades in a chassis", dragonfly->groups.count,
                               dragonfly->blades.count),
                   "expected a blade of chassis 0 for the link to each group");
        return false;
    }
    const bool flat = std::holds_alternative<FlatShape>(cluster.shape);  // SimGrid says how much is too much
    if (flat || cluster.links <= kMostLinks) return true;
    faults.add(FaultKind::platform_limits, place, fmt::format("about {:.2g} links", cluster.links),
               fmt::format("expected at most {:.2g}", kMostLinks));
    return false;
}

/// The lone cluster, where SimGrid need not build all of it; nothing also where that cannot be told.
std::optional<LoneCluster> large_cluster(const SourcePtr& xml, std::uint64_t most_built, Faults& faults) {
    if (xml->text().size() > kLongestCluster) return std::nullopt;
    auto cluster = lone_cluster(std::string(xml->text()));
    if (!cluster || !check_shape(*cluster, xml, faults)) return std::nullopt;
    const bool large = cluster->hosts > most_built && cluster->hosts <= kMostNodes;
    return large && cluster->radicals >= cluster->hosts ? cluster : std::nullopt;
}

}  // namespace

std::optional<Platform> load_platform(const SourcePtr& xml, const PairsWanted& wanted, Faults& faults,
                                      const Loading& loading) {
    if (!xml->name().ends_with(".xml")) {
        faults.add(FaultKind::platform_error, {xml, 0, 0}, fmt::format("`{}` is no platform", xml->name()),
                   "expected a file whose name ends in `.xml`");
        return std::nullopt;
    }
    Faults found;
    std::vector<std::string> notes = check_numbers(xml, found);
    Handed handed{xml->name(), large_cluster(xml, loading.most_built, found)};
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    std::optional<CopyFile> copy;
    if (handed.original) {
        if (const auto text = small_copy(std::string(xml->text()), *handed.original)) {
            handed.file = copy.emplace(*text).path();
        } else {
            handed.original.reset();
        }
    }
    const process::Outcome outcome = process::run_in_child(loading.limits, [&](process::Doing& doing) {
        const Survey surveyed = survey(xml, handed, loading.changes, wanted, doing, found);
        process::WireWriter wire;
        pack(found, wire);
        wire.put_each(surveyed.unknown, [&](const auto& each) {
            wire.put(each.first);
            wire.put_text(each.second);
        });
        pack(surveyed.platform, wire);
        return wire.bytes();
    });
    if (outcome.end != process::Outcome::End::finished) {
        explain(outcome, loading.limits, xml, faults);
        return std::nullopt;
    }
    process::WireReader wire(outcome.answer);
    unpack_faults(wire, xml, found);
    wire.each([&] {
        const LinkChange& change = loading.changes.at(wire.get<std::size_t>());
        found.add(FaultKind::unknown_link, change.place, fmt::format("no link is called `{}`", change.name),
                  wire.text());
    });
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    Platform platform = unpack_platform(wire);
    platform.notes = std::move(notes);
    for (const std::string& warning : logged(outcome.log, "WARNING] ", kMostWarnings)) {
        platform.notes.push_back("simgrid warns: " + warning);
    }
    return platform;
}

}  // namespace warpfront::machine
