#include "simulator/machine/loading/platform_loader.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/loading/xml_meanings.hpp"
#include "simulator/process/byte_stream.hpp"
#include "simulator/process/external_program.hpp"
#include "simulator/process/module.hpp"

namespace warpfront::machine {

namespace {

using process::ByteReader;
using process::ByteWriter;
using process::Completion;
using End = process::Completion::End;

constexpr std::size_t kMostWarnings = 5;

// xml_numbers.cpp reports these numbers with their ranges
constexpr std::string_view kWithoutUnit = "Deprecated unit-less value";

/// Returns up to `most` different texts that follow `mark` in SimGrid's log.
std::vector<std::string> logged(std::string_view log, std::string_view mark, std::size_t most) {
    std::vector<std::string> found;
    while (!log.empty() && found.size() < most) {
        const std::string_view line = log.substr(0, log.find('\n'));
        log.remove_prefix(std::min(line.size() + 1, log.size()));
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        std::string text(line.substr(at + mark.size()));
        if (text.starts_with(kWithoutUnit)) continue;
        if (std::ranges::find(found, text) == found.end()) found.push_back(std::move(text));
    }
    return found;
}

void add_crash(const Completion& completion, const PlatformXml& xml, Diagnostics& faults) {
    if (!completion.activity.empty()) {
        faults.add(DiagnosticKind::no_route, xml.range_of_message(completion.activity), completion.activity,
                   "expected a route, since ranks on these hosts exchange messages");
        return;
    }
    const std::vector<std::string> critical = logged(completion.log, "CRITICAL] ", 1);
    if (critical.empty()) {
        faults.add(DiagnosticKind::platform_error, xml.range_of_platform(),
                   fmt::format("simgrid crashed on this platform (signal {})", completion.signal));
    } else {
        faults.add(DiagnosticKind::platform_error, xml.range_of_message(critical.front()),
                   fmt::format("simgrid refuses this platform: {}", critical.front()));
    }
}

void add_failure(const Completion& completion, const process::Limits& limits, const PlatformXml& xml,
                 Diagnostics& faults) {
    switch (completion.end) {
        case End::out_of_memory:
            faults.add(DiagnosticKind::platform_limits, xml.range_of_platform(),
                       fmt::format("simgrid needs more than {} MiB for this platform", limits.bytes >> 20),
                       "expected a smaller cluster, which `size: fit` enlarges");
            return;
        case End::out_of_time:
            faults.add(
                DiagnosticKind::platform_limits, xml.range_of_platform(),
                fmt::format("simgrid needs more than {} s for this platform",
                            std::chrono::duration<double>(limits.time).count()),
                "expected a platform that simgrid builds faster: nested zones, fat trees and Floyd routing are slow");
            return;
        case End::crashed: return add_crash(completion, xml, faults);
        case End::finished: return;
    }
}

// --- the file that SimGrid reads -------------------------------------------------------------------------------------

/// Checks the shape before SimGrid reads it. SimGrid crashes on some invalid shapes, and a small copy of the cluster
/// may hide others.
bool check_shape(const SingleCluster& cluster, Diagnostics& faults) {
    const SourceRange& range = cluster.topo_parameters;
    const auto* dragonfly = std::get_if<DragonflyRoutes>(&cluster.shape);
    if (dragonfly != nullptr && dragonfly->groups > dragonfly->blades) {
        faults.add(
            DiagnosticKind::platform_error, range,
            fmt::format("there are {} groups, but a chassis has only {} blades", dragonfly->groups, dragonfly->blades),
            "expected no more groups than blades, since blade k of chassis 0 has the link to group k");
        return false;
    }
    // SimGrid itself limits the number of hosts of a flat cluster.
    const bool flat = std::holds_alternative<StarRoutes>(cluster.shape);
    if (flat || cluster.links <= kMostLinks) return true;
    faults.add(DiagnosticKind::platform_limits, range, fmt::format("the cluster has about {:.2g} links", cluster.links),
               fmt::format("expected at most {:.2g} links", kMostLinks));
    return false;
}

/// Returns the cluster if the platform is a single cluster that is too large for SimGrid. Otherwise returns nothing.
std::optional<SingleCluster> large_cluster(const PlatformXml& xml, std::uint64_t most_built, Diagnostics& faults) {
    auto cluster = single_cluster(xml);
    if (!cluster || !check_shape(*cluster, faults)) return std::nullopt;
    const bool large = cluster->hosts > most_built && cluster->hosts <= kMostNodes;
    return large && cluster->radicals >= cluster->hosts ? cluster : std::nullopt;
}

/// Returns the file that SimGrid reads for `xml`: the XML itself, or a small copy in `folder`. Throws std::system_error
/// if the copy cannot be written.
SimGridInput input_for(const PlatformXml& xml, std::uint64_t most_built, std::optional<process::ScratchFolder>& folder,
                       Diagnostics& faults) {
    SimGridInput read{xml.source()->name(), large_cluster(xml, most_built, faults)};
    if (!read.original) return read;
    read.file = folder.emplace().path() / "platform.xml";
    std::ofstream copy(read.file, std::ios::binary);
    copy << small_copy(xml, *read.original) << std::flush;
    if (!copy) throw std::system_error(errno, std::generic_category(), "cannot write a small copy of the platform");
    return read;
}

// --- data between this process and its worker: requests, platforms, routes, errors -----------------------------------

void pack(const std::vector<std::uint32_t>& numbers, ByteWriter& bytes) {
    bytes.put_each(numbers, [&](std::uint32_t number) { bytes.put(number); });
}
std::vector<std::uint32_t> unpack_numbers(ByteReader& bytes) {
    std::vector<std::uint32_t> numbers;
    bytes.each([&] { numbers.push_back(bytes.get<std::uint32_t>()); });
    return numbers;
}

void pack_links(const auto& routes, ByteWriter& bytes) {
    bytes.put(routes.link_latency);
    bytes.put(routes.link_gap);
    bytes.put(routes.duplex);
    bytes.put(routes.limiter);
}
void unpack_links(auto& routes, ByteReader& bytes) {
    routes.link_latency = bytes.get<Time>();
    routes.link_gap = bytes.get<Gap>();
    routes.duplex = bytes.get<bool>();
    routes.limiter = bytes.get<std::optional<Gap>>();
}

void pack(const Zone& zone, ByteWriter& bytes) {
    bytes.put(zone.index());
    if (const auto* torus = std::get_if<TorusRoutes>(&zone)) {
        pack(torus->dimensions, bytes);
        pack_links(*torus, bytes);
    } else if (const auto* tree = std::get_if<FatTreeRoutes>(&zone)) {
        for (const auto* numbers : {&tree->children, &tree->parents, &tree->cables}) pack(*numbers, bytes);
        pack_links(*tree, bytes);
    } else if (const auto* star = std::get_if<StarRoutes>(&zone)) {
        bytes.put(*star);
    } else if (const auto* dragonfly = std::get_if<DragonflyRoutes>(&zone)) {
        bytes.put(*dragonfly);
    }
}

Zone unpack_zone(ByteReader& bytes) {
    const auto zone = bytes.get<std::size_t>();
    if (zone == Zone(TorusRoutes{}).index()) {
        TorusRoutes torus;
        torus.dimensions = unpack_numbers(bytes);
        unpack_links(torus, bytes);
        return torus;
    }
    if (zone == Zone(FatTreeRoutes{}).index()) {
        FatTreeRoutes tree;
        for (auto* numbers : {&tree.children, &tree.parents, &tree.cables}) *numbers = unpack_numbers(bytes);
        unpack_links(tree, bytes);
        return tree;
    }
    if (zone == Zone(StarRoutes{}).index()) return bytes.get<StarRoutes>();
    if (zone == Zone(DragonflyRoutes{}).index()) return bytes.get<DragonflyRoutes>();
    return TableRoutes{};
}

/// Writes a platform without its notes. The other process adds the notes.
void put(const Platform& platform, ByteWriter& bytes) {
    bytes.put(platform.hosts);
    bytes.put(platform.cores);
    bytes.put(platform.most_cores);
    pack(platform.zone, bytes);
    bytes.put_each(platform.disks, [&](const PlatformDisk& disk) {
        bytes.put_text(disk.name);
        bytes.put(disk.read);
        bytes.put(disk.write);
        bytes.put(disk.count);
        bytes.put(disk.alike);
    });
}

Platform take_platform(ByteReader& bytes) {
    Platform platform;
    platform.hosts = bytes.get<std::uint32_t>();
    platform.cores = bytes.get<std::uint32_t>();
    platform.most_cores = bytes.get<std::uint32_t>();
    platform.zone = unpack_zone(bytes);
    bytes.each([&] {
        PlatformDisk& disk = platform.disks.emplace_back();
        disk.name = bytes.text();
        disk.read = bytes.get<Bandwidth>();
        disk.write = bytes.get<Bandwidth>();
        disk.count = bytes.get<std::uint32_t>();
        disk.alike = bytes.get<bool>();
    });
    return platform;
}

/// Writes diagnostics. Their ranges must all be in the XML.
void put(const Diagnostics& faults, ByteWriter& bytes) {
    bytes.put_each(faults.all(), [&](const Diagnostic& fault) {
        bytes.put(fault.kind);
        bytes.put(fault.range.offset);
        bytes.put(fault.range.length);
        bytes.put_text(fault.message);
        bytes.put_text(fault.expected);
    });
}

void take_faults(ByteReader& bytes, const SourceFilePtr& xml, Diagnostics& faults) {
    bytes.each([&] {
        const auto kind = bytes.get<DiagnosticKind>();
        const auto offset = bytes.get<std::size_t>();
        const auto length = bytes.get<std::size_t>();
        std::string message = bytes.text();
        std::string expected = bytes.text();
        faults.add(kind, {xml, offset, length}, std::move(message), std::move(expected));
    });
}

void put(const std::vector<HostPair>& pairs, ByteWriter& bytes) {
    bytes.put_each(pairs, [&](HostPair pair) { bytes.put(pair); });
}

std::vector<HostPair> take_pairs(ByteReader& bytes) {
    std::vector<HostPair> pairs;
    bytes.each([&] { pairs.push_back(bytes.get<HostPair>()); });
    return pairs;
}

/// Writes routes between `pairs`.
void put(const TableRoutes& routes, const std::vector<HostPair>& pairs, ByteWriter& bytes) {
    for (const HostPair pair : pairs) bytes.put(routes.at(pair.from, pair.to));
    bytes.put_each(routes.crossed, [&](LinkId link) { bytes.put(link); });
    bytes.put_each(routes.gaps, [&](Gap gap) { bytes.put(gap); });
    bytes.put_each(routes.latencies, [&](Time latency) { bytes.put(latency); });
    bytes.put_each(routes.names, [&](const std::string& name) { bytes.put_text(name); });
    bytes.put_each(routes.fatpipe, [&](bool is_fatpipe) { bytes.put(is_fatpipe); });
}

TableRoutes take_routes(const std::vector<HostPair>& pairs, ByteReader& bytes) {
    TableRoutes routes;
    for (const HostPair pair : pairs) routes.add(pair.from, pair.to, bytes.get<TableRoutes::Entry>());
    bytes.each([&] { routes.crossed.push_back(bytes.get<LinkId>()); });
    bytes.each([&] { routes.gaps.push_back(bytes.get<Gap>()); });
    bytes.each([&] { routes.latencies.push_back(bytes.get<Time>()); });
    bytes.each([&] { routes.names.push_back(bytes.text()); });
    bytes.each([&] { routes.fatpipe.push_back(bytes.get<bool>()); });
    return routes;
}

// --- the worker process ----------------------------------------------------------------------------------------------

using MakeLoader = decltype(warpfront_simgrid_loader);

/// Returns the function that makes a loader. Adds an error and returns null if SimGrid cannot be loaded.
MakeLoader* loader_of_simgrid(const std::string& module, const PlatformXml& xml, Diagnostics& faults) {
    try {
        return process::Module(module).function<MakeLoader>("warpfront_simgrid_loader");
    } catch (const process::MissingModule& missing) {
        faults.add(DiagnosticKind::missing_module, xml.range_of_platform(),
                   fmt::format("simgrid, which reads platforms, cannot be loaded: {}", missing.what()),
                   missing.remedy());
        return nullptr;
    }
}

/// The subject of a request. The first request has none: it loads the platform.
enum class Wanted : std::uint8_t { routes, rates };

/// Returns the function by which the worker process handles requests.
process::WorkerProcess::Handler handler(MakeLoader* make_loader, const PlatformXml& xml, const SimGridInput& read,
                                        const std::vector<LinkOverride>& link_overrides) {
    return [&, make_loader, loader = std::shared_ptr<SimGridLoader>()](std::string_view request,
                                                                       process::Activity& activity) mutable {
        Diagnostics found;
        ByteWriter answer;
        if (loader == nullptr) {
            loader.reset(make_loader(xml, read));
            const SimGridLoader::Loaded loaded = loader->load(link_overrides, found);
            put(found, answer);
            answer.put_each(loaded.unknown, [&](const auto& each) {
                answer.put(each.first);
                answer.put_text(each.second);
            });
            put(loaded.platform, answer);
        } else {
            ByteReader bytes(request);
            const auto wanted = bytes.get<Wanted>();
            const std::vector<HostPair> pairs = take_pairs(bytes);
            if (wanted == Wanted::rates) {
                answer.put_each(loader->rates(pairs, activity), [&](const RouteRates& each) { answer.put(each); });
                return answer.bytes();
            }
            const TableRoutes routes = loader->route(pairs, activity, found);
            put(found, answer);
            if (found.empty()) put(routes, pairs, answer);
        }
        return answer.bytes();
    };
}

// --- platforms that have been loaded before --------------------------------------------------------------------------

constexpr std::size_t kMostKept = 64;

struct LoadedPlatforms {
    std::mutex mutex;
    std::map<std::pair<std::string, std::string>, Platform> by_text;
};

LoadedPlatforms& loaded_platforms() {
    static LoadedPlatforms all;
    return all;
}

}  // namespace

struct PlatformLoader::Worker {
    PlatformXml xml;
    LoadingOptions options;
    std::optional<process::ScratchFolder> folder{};
    SimGridInput read{};
    std::optional<process::WorkerProcess> process{};

    /// Returns the worker's answer. Adds an error and returns nothing if the worker fails.
    std::optional<Completion> ask(std::string_view request, Diagnostics& faults) {
        Completion completion = process->call(request);
        if (completion.end == End::finished) return completion;
        add_failure(completion, options.limits, xml, faults);
        return std::nullopt;
    }
    std::optional<Completion> ask(Wanted wanted, const std::vector<HostPair>& pairs, Diagnostics& faults) {
        ByteWriter request;
        request.put(wanted);
        put(pairs, request);
        return ask(request.bytes(), faults);
    }
};

PlatformLoader::PlatformLoader(SourceFilePtr xml, LoadingOptions options)
    : worker_(new Worker{.xml = PlatformXml(std::move(xml)), .options = std::move(options)}) {}
PlatformLoader::PlatformLoader(PlatformLoader&&) noexcept = default;
PlatformLoader& PlatformLoader::operator=(PlatformLoader&&) noexcept = default;
PlatformLoader::~PlatformLoader() = default;

std::optional<Platform> PlatformLoader::load(Diagnostics& faults) {
    Worker& it = *worker_;
    const SourceFilePtr& source = it.xml.source();
    if (!source->name().ends_with(".xml")) {
        faults.add(DiagnosticKind::platform_error, {source, 0, 0},
                   fmt::format("`{}` is not a platform", source->name()), "expected a file whose name ends in `.xml`");
        return std::nullopt;
    }
    Diagnostics found;
    std::vector<std::string> notes = check_numbers(it.xml, found);
    refuse_meanings(it.xml, found);
    it.read = input_for(it.xml, it.options.most_built, it.folder, found);
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    MakeLoader* const make_loader = loader_of_simgrid(it.options.module, it.xml, faults);
    if (make_loader == nullptr) return std::nullopt;
    it.process.emplace(it.options.limits, handler(make_loader, it.xml, it.read, it.options.link_overrides));
    const std::optional<Completion> completion = it.ask("", faults);
    if (!completion) return std::nullopt;
    ByteReader bytes(completion->answer);
    take_faults(bytes, it.xml.source(), found);
    bytes.each([&] {
        const LinkOverride& unknown = it.options.link_overrides.at(bytes.get<std::size_t>());
        found.add(DiagnosticKind::unknown_link, unknown.range, fmt::format("no link is called `{}`", unknown.name),
                  bytes.text());
    });
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    Platform platform = take_platform(bytes);
    platform.notes = std::move(notes);
    for (const std::string& warning : logged(completion->log, "WARNING] ", kMostWarnings)) {
        platform.notes.push_back("simgrid warns: " + warning);
    }
    return platform;
}

std::optional<TableRoutes> PlatformLoader::route(const std::vector<HostPair>& pairs, Diagnostics& faults) {
    const std::optional<Completion> completion = worker_->ask(Wanted::routes, pairs, faults);
    if (!completion) return std::nullopt;
    ByteReader bytes(completion->answer);
    Diagnostics found;
    take_faults(bytes, worker_->xml.source(), found);
    faults.add(found);
    return found.empty() ? std::optional(take_routes(pairs, bytes)) : std::nullopt;
}

std::optional<std::vector<RouteRates>> PlatformLoader::rates(const std::vector<HostPair>& pairs, Diagnostics& faults) {
    if (!worker_->process && !load(faults)) return std::nullopt;
    const std::optional<Completion> completion = worker_->ask(Wanted::rates, pairs, faults);
    if (!completion) return std::nullopt;
    ByteReader bytes(completion->answer);
    std::vector<RouteRates> rates;
    bytes.each([&] { rates.push_back(bytes.get<RouteRates>()); });
    return rates;
}

std::optional<Platform> load_once(PlatformLoader& loader, const SourceFilePtr& xml,
                                  const std::vector<LinkOverride>& link_overrides, Diagnostics& faults) {
    LoadedPlatforms& all = loaded_platforms();
    const std::lock_guard hold(all.mutex);
    if (!link_overrides.empty()) return loader.load(faults);
    std::pair<std::string, std::string> key{xml->name(), std::string(xml->text())};
    if (const auto found = all.by_text.find(key); found != all.by_text.end()) return found->second;
    std::optional<Platform> platform = loader.load(faults);
    const bool kept = platform && !is_irregular(platform->zone);
    if (kept && all.by_text.size() < kMostKept) all.by_text.emplace(std::move(key), *platform);
    return platform;
}

}  // namespace warpfront::machine
