#include "simulator/machine/loading/steps.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

namespace {

constexpr std::size_t kMostListed = 40;

/// Returns the XML elements of the disks with this name, in the order of the text.
std::vector<XmlElement> disk_elements(const PlatformXml& xml, std::string_view name) {
    std::vector<XmlElement> found;
    for (const XmlElement& element : xml.elements()) {
        if (element.name == "disk" && element.value_of("id") == name) found.push_back(element);
    }
    return found;
}

/// Returns the range of an attribute of the first element. If no element was found, because the name contains an entity
/// such as `&amp;`, returns the range of the platform.
SourceRange range_of_disk(const PlatformXml& xml, const std::vector<XmlElement>& elements, std::string_view attribute) {
    return elements.empty() ? xml.range_of_platform() : xml.range_of(elements.front().value_of(attribute));
}

void report_unknown_disk(const std::vector<PlatformDisk>& disks, bool of_topology, const Located<std::string>& wanted,
                         Diagnostics& faults) {
    std::string message = fmt::format("no disk is called `{}`", wanted.value);
    if (disks.empty()) {
        message += of_topology ? ": a `topology` has none" : ": the platform has none";
        faults.add(DiagnosticKind::unknown_disk, wanted.range, std::move(message),
                   "expected rates, such as `{read: 270MBps, write: 270MBps}`");
        return;
    }
    std::vector<std::string> names;
    for (const PlatformDisk& disk : disks) names.push_back(disk.name);
    std::string expected = input::suggestion(wanted.value, names);
    const bool one_is_near = !input::nearest_name(wanted.value, names).empty();
    if (one_is_near && names.size() > 1 && names.size() <= kMostListed) {
        expected = fmt::format("expected one of `{}`; {}", fmt::join(names, "`, `"), expected);
    }
    faults.add(DiagnosticKind::unknown_disk, wanted.range, std::move(message), std::move(expected));
}

void report_unlike_disks(const PlatformXml& xml, const std::string& name, Diagnostics& faults) {
    std::vector<XmlElement> elements = disk_elements(xml, name);
    const auto unlike = std::ranges::find_if(elements, [&](const XmlElement& each) {
        return each.value_of("read_bw") != elements.front().value_of("read_bw") ||
               each.value_of("write_bw") != elements.front().value_of("write_bw");
    });
    if (unlike != elements.end()) elements.erase(elements.begin(), unlike);
    faults.add(DiagnosticKind::bad_disk, range_of_disk(xml, elements, "id"),
               fmt::format("disks called `{}` have different rates", name),
               "expected the same rates, or `read` and `write` beside `disk` in the hardware file");
}

/// Returns the rate of reading or writing. If the rate is below one byte per second, adds an error and returns nothing.
std::optional<Bandwidth> checked_rate(const PlatformXml& xml, const std::string& name, std::string_view attribute,
                                      Bandwidth rate, Diagnostics& faults) {
    if (std::isfinite(rate.bytes_per_second) && rate.bytes_per_second >= 1.0) return rate;
    faults.add(DiagnosticKind::bad_disk, range_of_disk(xml, disk_elements(xml, name), attribute),
               fmt::format("disk `{}` has a `{}` of {} B/s", name, attribute, rate.bytes_per_second),
               "expected at least 1 B/s, since cluster memory is on it");
    return std::nullopt;
}

}  // namespace

void use_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml, HardwareFile& file,
               Diagnostics& faults) {
    if (!file.disk_servers) return;
    const Located<std::string>& wanted = file.disk_servers->name;
    const auto disk = std::ranges::find(disks, wanted.value, &PlatformDisk::name);
    if (disk == disks.end()) return report_unknown_disk(disks, xml == nullptr, wanted, faults);
    ClusterMemory& memory = file.cluster_memory;
    if (!file.disk_servers->counted) memory.servers = disk->count;
    if (memory.server.read && memory.server.write) return;
    const PlatformXml elements(xml);
    if (!disk->alike) return report_unlike_disks(elements, disk->name, faults);
    if (!memory.server.read) memory.server.read = checked_rate(elements, disk->name, "read_bw", disk->read, faults);
    if (!memory.server.write) memory.server.write = checked_rate(elements, disk->name, "write_bw", disk->write, faults);
}

std::vector<std::string> unused_disks(const std::vector<PlatformDisk>& disks, const SourceFilePtr& xml,
                                      const HardwareFile& file) {
    std::vector<std::string> notes;
    if (disks.empty()) return notes;
    const PlatformXml elements(xml);
    for (const PlatformDisk& disk : disks) {
        if (file.disk_servers && file.disk_servers->name.value == disk.name) continue;
        const SourceRange range = range_of_disk(elements, disk_elements(elements, disk.name), "id");
        notes.push_back(fmt::format("{}: disk `{}` has no effect: no `cluster_memory.server` names it",
                                    input::text_of(range), disk.name));
    }
    return notes;
}

}  // namespace warpfront::machine
