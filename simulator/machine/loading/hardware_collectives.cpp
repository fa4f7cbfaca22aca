#include "simulator/machine/loading/hardware_collectives.hpp"

#include <string>
#include <vector>

namespace warpfront::machine {

namespace {

const std::vector<std::string> kBases{"smpi"};

void read_choice(const CollectiveChoice& choice, input::MappingReader& reader, Collectives& collectives) {
    std::vector<std::string> names;
    for (const Algorithm algorithm : choice.offered) names.emplace_back(name_of(algorithm));
    if (const auto at = reader.choice(choice.name, names)) collectives.*choice.member = choice.offered[*at];
}

}  // namespace

Collectives read_collectives(const input::YamlNode* node, input::Diagnostics& faults) {
    if (node == nullptr) return {};
    input::MappingReader reader(*node, "`collectives`", faults);
    Collectives collectives = reader.choice("like", kBases) ? collectives_of_smpi() : Collectives{};
    for (const CollectiveChoice& choice : collective_choices()) read_choice(choice, reader, collectives);
    reader.finish();
    return collectives;
}

}  // namespace warpfront::machine
