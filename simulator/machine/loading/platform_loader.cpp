#include "simulator/machine/loading/platform_loader.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "simulator/machine/loading/platform_bytes.hpp"
#include "simulator/machine/loading/simgrid_loader.hpp"
#include "simulator/machine/loading/temporary_file.hpp"
#include "simulator/machine/loading/xml_cluster.hpp"
#include "simulator/machine/loading/xml_elements.hpp"
#include "simulator/machine/loading/xml_numbers.hpp"
#include "simulator/process/module.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using process::ByteReader;
using process::ByteWriter;
using process::Completion;
using End = process::Completion::End;

constexpr std::size_t kMostWarnings = 5;

constexpr std::string_view kWithoutUnit = "Deprecated unit-less value";  // xml_numbers.hpp reports it with its range

/// The texts after `mark` in SimGrid's log, each once, at most `most`.
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

void add_crash(const Completion& completion, const PlatformXml& xml, Diagnostics& faults) {
    if (!completion.activity.empty()) {
        faults.add(DiagnosticKind::no_route, xml.range_of_message(completion.activity), completion.activity,
                   "ranks on these hosts exchange messages");
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
                       "let a smaller cluster grow by `size: fit`");
            return;
        case End::out_of_time:
            faults.add(DiagnosticKind::platform_limits, xml.range_of_platform(),
                       fmt::format("simgrid needs more than {} s for this platform",
                                   std::chrono::duration<double>(limits.time).count()),
                       "nested zones, fat trees and Floyd routing grow slowly");
            return;
        case End::crashed: return add_crash(completion, xml, faults);
        case End::finished: return;
    }
}

// --- the input of SimGrid
// ---------------------------------------------------------------------------------------------

/// SimGrid crashes on some of these shapes, and a small copy of the others would hide the fault.
bool check_shape(const SingleCluster& cluster, Diagnostics& faults) {
    const input::SourceRange& range = cluster.topo_parameters;
    const auto* dragonfly = std::get_if<DragonflyShape>(&cluster.shape);
    if (dragonfly != nullptr && dragonfly->groups.count > dragonfly->blades.count) {
        faults.add(
            DiagnosticKind::platform_error, range,
            fmt::format("{} groups, but only {} blades in a chassis", dragonfly->groups.count, dragonfly->blades.count),
            "expected a blade of chassis 0 for the link to each group");
        return false;
    }
    const bool flat = std::holds_alternative<FlatShape>(cluster.shape);  // SimGrid reports its own limit
    if (flat || cluster.links <= kMostLinks) return true;
    faults.add(DiagnosticKind::platform_limits, range, fmt::format("about {:.2g} links", cluster.links),
               fmt::format("expected at most {:.2g}", kMostLinks));
    return false;
}

/// The single cluster, if it is too large for SimGrid to build as a whole; nothing otherwise, or if that is unknown.
std::optional<SingleCluster> large_cluster(const PlatformXml& xml, std::uint64_t most_built, Diagnostics& faults) {
    auto cluster = single_cluster(xml);
    if (!cluster || !check_shape(*cluster, faults)) return std::nullopt;
    const bool large = cluster->hosts > most_built && cluster->hosts <= kMostNodes;
    return large && cluster->radicals >= cluster->hosts ? cluster : std::nullopt;
}

/// The input of SimGrid for `xml`; `copy` holds the small copy if there is one.
SimGridInput input_for(const PlatformXml& xml, std::uint64_t most_built, std::optional<TemporaryXml>& copy,
                       Diagnostics& faults) {
    SimGridInput read{xml.source()->name(), large_cluster(xml, most_built, faults)};
    if (read.original) read.file = copy.emplace(small_copy(xml, *read.original)).path();
    return read;
}

using MakeLoader = decltype(warpfront_simgrid_loader);

/// Null if SimGrid cannot be loaded, which is a fault.
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

/// The worker's side: the first request loads, each later one finds routes.
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
            const std::vector<HostPair> pairs = take_pairs(bytes);
            const TableRoutes routes = loader->route(pairs, activity, found);
            put(found, answer);
            if (found.empty()) put(routes, pairs, answer);
        }
        return answer.bytes();
    };
}

}  // namespace

struct PlatformLoader::Worker {
    PlatformXml xml;
    LoadingOptions options;
    std::optional<TemporaryXml> copy{};
    SimGridInput read{};
    std::optional<process::WorkerProcess> process{};
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
        faults.add(DiagnosticKind::platform_error, {source, 0, 0}, fmt::format("`{}` is no platform", source->name()),
                   "expected a file whose name ends in `.xml`");
        return std::nullopt;
    }
    Diagnostics found;
    std::vector<std::string> notes = check_numbers(it.xml, found);
    it.read = input_for(it.xml, it.options.most_built, it.copy, found);
    faults.add(found);
    if (!found.empty()) return std::nullopt;
    MakeLoader* const make_loader = loader_of_simgrid(it.options.module, it.xml, faults);
    if (make_loader == nullptr) return std::nullopt;
    it.process.emplace(it.options.limits, handler(make_loader, it.xml, it.read, it.options.link_overrides));
    const Completion completion = it.process->call("");
    if (completion.end != End::finished) {
        add_failure(completion, it.options.limits, it.xml, faults);
        return std::nullopt;
    }
    ByteReader bytes(completion.answer);
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
    for (const std::string& warning : logged(completion.log, "WARNING] ", kMostWarnings)) {
        platform.notes.push_back("simgrid warns: " + warning);
    }
    return platform;
}

std::optional<TableRoutes> PlatformLoader::route(const std::vector<HostPair>& pairs, Diagnostics& faults) {
    Worker& it = *worker_;
    ByteWriter request;
    put(pairs, request);
    const Completion completion = it.process->call(request.bytes());
    if (completion.end != End::finished) {
        add_failure(completion, it.options.limits, it.xml, faults);
        return std::nullopt;
    }
    ByteReader bytes(completion.answer);
    Diagnostics found;
    take_faults(bytes, it.xml.source(), found);
    faults.add(found);
    return found.empty() ? std::optional(take_routes(pairs, bytes)) : std::nullopt;
}

}  // namespace warpfront::machine
