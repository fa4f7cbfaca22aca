#include <yaml-cpp/emitter.h>

#include "simulator/input/yaml.hpp"

namespace warpfront::input {

namespace {

void emit(const YamlNode& node, unsigned levels, YAML::Emitter& out) {
    if (node.kind == YamlNode::Kind::scalar) {
        out << node.scalar;
        return;
    }
    if (node.kind == YamlNode::Kind::sequence) {
        out << YAML::Flow << YAML::BeginSeq;
        for (const YamlNode& item : node.items) emit(item, 0, out);
        out << YAML::EndSeq;
        return;
    }
    const bool opens = levels > 0 && !node.entries.empty();
    out << (opens ? YAML::Block : YAML::Flow) << YAML::BeginMap;
    for (const YamlNode::Entry& entry : node.entries) {
        out << YAML::Key << entry.key << YAML::Value;
        emit(entry.value, opens ? levels - 1 : 0, out);
    }
    out << YAML::EndMap;
}

}  // namespace

std::string yaml_text(const YamlNode& tree, unsigned levels) {
    YAML::Emitter out;
    emit(tree, levels, out);
    return std::string(out.c_str()) + '\n';
}

}  // namespace warpfront::input
