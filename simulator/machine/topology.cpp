#include "simulator/machine/topology.hpp"

#include <charconv>
#include <sstream>
#include <string_view>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>

namespace warpfront::machine {

namespace {

using boost::property_tree::ptree;

/// Everything that brings hosts into a platform.
struct Hosts {
    std::vector<const ptree*> clusters;
    bool others = false;
};

void gather(const ptree& element, Hosts& hosts) {
    for (const auto& [name, child] : element) {
        if (name == "cluster") hosts.clusters.push_back(&child);
        if (name == "host" || name == "cabinet" || name == "peer") hosts.others = true;
        if (name == "zone" || name == "AS" || name == "platform") gather(child, hosts);
    }
}

std::string attribute(const ptree& element, const char* name) {
    return element.get(std::string("<xmlattr>.") + name, std::string());
}

/// "14,18,25"; empty where it is anything else.
std::vector<std::uint32_t> lengths(std::string_view text) {
    std::vector<std::uint32_t> all;
    while (true) {
        std::uint32_t length = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
        if (error != std::errc() || length == 0) return {};
        all.push_back(length);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        if (text.empty()) return all;
        if (text.front() != ',') return {};
        text.remove_prefix(1);
    }
}

}  // namespace

std::optional<LoneCluster> lone_cluster(const std::string& xml) {
    ptree tree;
    try {
        std::istringstream stream(xml);
        boost::property_tree::read_xml(stream, tree);
    } catch (const boost::property_tree::xml_parser_error&) {
        return std::nullopt;  // SimGrid's grammar is the one that counts; what only it reads is no regular zone here
    }
    Hosts hosts;
    gather(tree, hosts);
    if (hosts.others || hosts.clusters.size() != 1) return std::nullopt;

    const ptree& element = *hosts.clusters.front();
    LoneCluster cluster;
    cluster.id = attribute(element, "id");
    const std::string topology = attribute(element, "topology");
    if (topology.empty() || topology == "FLAT") return cluster;
    if (topology != "TORUS" || !attribute(element, "limiter_link").empty()) return std::nullopt;
    cluster.torus = lengths(attribute(element, "topo_parameters"));
    if (cluster.torus.empty()) return std::nullopt;
    return cluster;
}

}  // namespace warpfront::machine
