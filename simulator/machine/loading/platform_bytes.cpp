#include "simulator/machine/loading/platform_bytes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpfront::machine {

namespace {

using input::Diagnostic;
using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;

void pack(const std::vector<std::uint32_t>& numbers, process::ByteWriter& bytes) {
    bytes.put_each(numbers, [&](std::uint32_t number) { bytes.put(number); });
}
std::vector<std::uint32_t> unpack_numbers(process::ByteReader& bytes) {
    std::vector<std::uint32_t> numbers;
    bytes.each([&] { numbers.push_back(bytes.get<std::uint32_t>()); });
    return numbers;
}

void pack(const RegularZone& zone, process::ByteWriter& bytes) {
    bytes.put(zone.index());
    if (const auto* torus = std::get_if<TorusRoutes>(&zone)) {
        pack(torus->dimensions, bytes);
        bytes.put(torus->link_latency);
        bytes.put(torus->link_gap);
        bytes.put(torus->duplex);
        bytes.put(torus->limiter);
    } else if (const auto* tree = std::get_if<FatTreeRoutes>(&zone)) {
        for (const auto* numbers : {&tree->children, &tree->parents, &tree->cables}) pack(*numbers, bytes);
        bytes.put(tree->link_latency);
        bytes.put(tree->link_gap);
        bytes.put(tree->duplex);
        bytes.put(tree->limiter);
    } else if (const auto* star = std::get_if<StarRoutes>(&zone)) {
        bytes.put(*star);
    } else if (const auto* dragonfly = std::get_if<DragonflyRoutes>(&zone)) {
        bytes.put(*dragonfly);
    }
}

template <class Routes>
void unpack_links(Routes& routes, process::ByteReader& bytes) {
    routes.link_latency = bytes.get<Time>();
    routes.link_gap = bytes.get<Gap>();
    routes.duplex = bytes.get<bool>();
    routes.limiter = bytes.get<std::optional<Gap>>();
}

RegularZone unpack_zone(process::ByteReader& bytes) {
    const auto zone = bytes.get<std::size_t>();
    if (zone == RegularZone(TorusRoutes{}).index()) {
        TorusRoutes torus;
        torus.dimensions = unpack_numbers(bytes);
        unpack_links(torus, bytes);
        return torus;
    }
    if (zone == RegularZone(FatTreeRoutes{}).index()) {
        FatTreeRoutes tree;
        for (auto* numbers : {&tree.children, &tree.parents, &tree.cables}) *numbers = unpack_numbers(bytes);
        unpack_links(tree, bytes);
        return tree;
    }
    if (zone == RegularZone(StarRoutes{}).index()) return bytes.get<StarRoutes>();
    if (zone == RegularZone(DragonflyRoutes{}).index()) return bytes.get<DragonflyRoutes>();
    return Irregular{};
}

}  // namespace

void put(const Platform& platform, process::ByteWriter& bytes) {
    bytes.put(platform.hosts);
    bytes.put(platform.cores);
    bytes.put(platform.most_cores);
    pack(platform.zone, bytes);
}

Platform take_platform(process::ByteReader& bytes) {
    Platform platform;
    platform.hosts = bytes.get<std::uint32_t>();
    platform.cores = bytes.get<std::uint32_t>();
    platform.most_cores = bytes.get<std::uint32_t>();
    platform.zone = unpack_zone(bytes);
    return platform;
}

void put(const Diagnostics& faults, process::ByteWriter& bytes) {
    bytes.put_each(faults.all(), [&](const Diagnostic& fault) {
        bytes.put(fault.kind);
        bytes.put(fault.range.offset);
        bytes.put(fault.range.length);
        bytes.put_text(fault.message);
        bytes.put_text(fault.expected);
    });
}

void take_faults(process::ByteReader& bytes, const SourceFilePtr& xml, Diagnostics& faults) {
    bytes.each([&] {
        const auto kind = bytes.get<DiagnosticKind>();
        const auto offset = bytes.get<std::size_t>();
        const auto length = bytes.get<std::size_t>();
        std::string message = bytes.text();
        std::string expected = bytes.text();
        faults.add(kind, {xml, offset, length}, std::move(message), std::move(expected));
    });
}

void put(const std::vector<HostPair>& pairs, process::ByteWriter& bytes) {
    bytes.put_each(pairs, [&](HostPair pair) { bytes.put(pair); });
}

std::vector<HostPair> take_pairs(process::ByteReader& bytes) {
    std::vector<HostPair> pairs;
    bytes.each([&] { pairs.push_back(bytes.get<HostPair>()); });
    return pairs;
}

void put(const TableRoutes& routes, const std::vector<HostPair>& pairs, process::ByteWriter& bytes) {
    for (const HostPair pair : pairs) bytes.put(routes.at(pair.from, pair.to));
    bytes.put_each(routes.contended, [&](LinkId link) { bytes.put(link); });
    bytes.put_each(routes.gaps, [&](Gap gap) { bytes.put(gap); });
    bytes.put_each(routes.names, [&](const std::string& name) { bytes.put_text(name); });
}

TableRoutes take_routes(const std::vector<HostPair>& pairs, process::ByteReader& bytes) {
    TableRoutes routes;
    for (const HostPair pair : pairs) routes.add(pair.from, pair.to, bytes.get<TableRoutes::Entry>());
    bytes.each([&] { routes.contended.push_back(bytes.get<LinkId>()); });
    bytes.each([&] { routes.gaps.push_back(bytes.get<Gap>()); });
    bytes.each([&] { routes.names.push_back(bytes.text()); });
    return routes;
}

}  // namespace warpfront::machine
