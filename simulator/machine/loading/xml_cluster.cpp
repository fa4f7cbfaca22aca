#include "simulator/machine/loading/xml_cluster.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/decimal.hpp"

namespace warpfront::machine {

namespace {

using Numbers = std::vector<std::uint32_t>;

/// The largest product of counts that is computed.
constexpr std::uint64_t kMany = std::uint64_t{1} << 40;

bool defines_hosts(const XmlElement& element) {
    return element.name == "cluster" || element.name == "host" || element.name == "cabinet" || element.name == "peer";
}

/// Reads "14,18,25"; returns nothing for any other text.
Numbers counts(std::string_view text) {
    Numbers all;
    for (const std::string_view part : parts_of(text, ",")) {
        const auto count = input::number_of<std::uint32_t>(part);
        if (!count || *count == 0) return {};
        all.push_back(*count);
    }
    return all;
}

std::uint64_t product(const Numbers& factors) {
    std::uint64_t all = 1;
    for (const std::uint32_t factor : factors) all = std::min(all * factor, kMany);
    return all;
}

/// Counts the numbers in a list such as "0-5,9,12-20".
std::uint64_t radicals_of(std::string_view text) {
    std::uint64_t count = 0;
    for (const std::string_view part : parts_of(text, ",")) {
        const auto ends = parts_of(part, "-");
        const auto first = input::number_of<std::uint32_t>(ends.front());
        const auto last = input::number_of<std::uint32_t>(ends.back());
        if (ends.size() > 2 || !first || !last || *last < *first) return 0;
        count += std::uint64_t{*last} - *first + 1;
    }
    return count;
}

/// Reads "levels;children;parents;cables". The last three are lists with one number per level.
std::optional<Zone> fat_tree(std::string_view text) {
    const auto parts = parts_of(text, ";");
    if (parts.size() != 4) return std::nullopt;
    const FatTreeRoutes tree{counts(parts[1]), counts(parts[2]), counts(parts[3])};
    const auto levels = input::number_of<std::uint32_t>(parts[0]);
    if (!levels || *levels == 0) return std::nullopt;
    for (const Numbers* numbers : {&tree.children, &tree.parents, &tree.cables}) {
        if (numbers->size() != *levels) return std::nullopt;
    }
    return tree;
}

/// Reads "groups,links;chassis,links;blades,links;nodes".
std::optional<Zone> dragonfly(std::string_view text, SingleCluster& cluster) {
    const auto parts = parts_of(text, ";");
    if (parts.size() != 4) return std::nullopt;
    std::vector<Numbers> levels;
    for (const std::string_view part : parts) levels.push_back(counts(part));
    for (std::size_t k = 0; k < 4; ++k) {
        if (levels[k].size() != (k < 3 ? 2U : 1U)) return std::nullopt;
    }
    cluster.blue = levels[0][1];
    cluster.black = levels[1][1];
    cluster.green = levels[2][1];
    return DragonflyRoutes{
        .groups = levels[0][0], .chassis = levels[1][0], .blades = levels[2][0], .nodes = levels[3][0]};
}

/// Returns the shape of a cluster, and sets the parallel links of `cluster`.
std::optional<Zone> shape_of(std::string_view topology, std::string_view parameters, SingleCluster& cluster) {
    if (topology.empty() || topology == "FLAT") return StarRoutes{};
    if (topology == "FAT_TREE") return fat_tree(parameters);
    if (topology == "DRAGONFLY") return dragonfly(parameters, cluster);
    const Numbers dimensions = counts(parameters);
    if (topology != "TORUS" || dimensions.empty()) return std::nullopt;
    return TorusRoutes{dimensions};
}

std::uint64_t hosts_in(const SingleCluster& cluster) {
    if (const auto* torus = std::get_if<TorusRoutes>(&cluster.shape)) return product(torus->dimensions);
    if (const auto* tree = std::get_if<FatTreeRoutes>(&cluster.shape)) return product(tree->children);
    if (const auto* it = std::get_if<DragonflyRoutes>(&cluster.shape)) {
        return product({it->groups, it->chassis, it->blades, it->nodes});
    }
    return cluster.radicals;
}

/// Returns the number of links in floating point, since the number in a file may exceed the range of integers.
double links_of(const SingleCluster& cluster) {
    const auto hosts = static_cast<double>(cluster.hosts);
    if (const auto* torus = std::get_if<TorusRoutes>(&cluster.shape)) {
        return 3.0 * hosts * static_cast<double>(torus->dimensions.size());
    }
    if (const auto* tree = std::get_if<FatTreeRoutes>(&cluster.shape)) {
        double nodes = hosts;
        double links = hosts;
        for (std::size_t k = 0; k < tree->children.size(); ++k) {
            links += 2.0 * nodes * tree->parents[k] * tree->cables[k];
            nodes *= static_cast<double>(tree->parents[k]) / tree->children[k];
            links += nodes;
        }
        return links;
    }
    if (const auto* it = std::get_if<DragonflyRoutes>(&cluster.shape)) {
        const double blades = hosts / it->nodes;
        const double groups = it->groups;
        return 3.0 * hosts + blades * (1.0 + it->blades + it->chassis) + groups * groups;
    }
    return 3.0 * hosts + 1.0;
}

/// Reduces a count to at most two.
std::uint32_t few(std::uint32_t count) { return std::min(count, 2U); }
Numbers few(Numbers counts) {
    for (std::uint32_t& count : counts) count = few(count);
    return counts;
}

/// Returns the parameters of a small cluster of the same shape, and its number of hosts.
std::pair<std::string, std::uint64_t> shrunk(const SingleCluster& cluster) {
    if (const auto* torus = std::get_if<TorusRoutes>(&cluster.shape)) {
        return {fmt::format("{}", fmt::join(few(torus->dimensions), ",")), product(few(torus->dimensions))};
    }
    if (const auto* tree = std::get_if<FatTreeRoutes>(&cluster.shape)) {
        const Numbers ones(tree->parents.size(), 1);
        return {fmt::format("{};{};{};{}", tree->children.size(), fmt::join(few(tree->children), ","),
                            fmt::join(ones, ","), fmt::join(ones, ",")),
                product(few(tree->children))};
    }
    if (const auto* it = std::get_if<DragonflyRoutes>(&cluster.shape)) {
        const Numbers all = few({it->groups, it->chassis, it->blades, it->nodes});
        return {fmt::format("{},{};{},{};{},{};{}", all[0], cluster.blue, all[1], cluster.black, all[2], cluster.green,
                            all[3]),
                product(all)};
    }
    return {{}, 2};
}

}  // namespace

std::optional<SingleCluster> single_cluster(const PlatformXml& xml) {
    const auto first = std::ranges::find_if(xml.elements(), defines_hosts);
    if (first == xml.elements().end() || first->name != "cluster") return std::nullopt;
    if (std::any_of(first + 1, xml.elements().end(), defines_hosts)) return std::nullopt;

    const XmlElement& element = *first;
    SingleCluster cluster;
    cluster.id = element.value_of("id");
    const auto shape = shape_of(element.value_of("topology"), element.value_of("topo_parameters"), cluster);
    if (!shape) return std::nullopt;
    cluster.shape = *shape;
    cluster.topo_parameters = xml.range_of(element.value_of("topo_parameters"));
    cluster.radical = xml.range_of(element.value_of("radical"));
    cluster.radicals = radicals_of(element.value_of("radical"));
    cluster.hosts = hosts_in(cluster);
    cluster.links = links_of(cluster);
    return cluster;
}

std::string small_copy(const PlatformXml& xml, const SingleCluster& cluster) {
    const auto [parameters, hosts] = shrunk(cluster);
    std::vector<std::pair<SourceRange, std::string>> changes{{cluster.radical, fmt::format("0-{}", hosts - 1)}};
    if (!parameters.empty()) changes.emplace_back(cluster.topo_parameters, parameters);
    std::ranges::sort(changes, std::greater(), [](const auto& change) { return change.first.offset; });
    std::string copy(xml.source()->text());
    for (const auto& [range, text] : changes)
        // the last replacement is made first, so that earlier offsets stay valid
        copy.replace(range.offset, range.length, text);
    return copy;
}

}  // namespace warpfront::machine
