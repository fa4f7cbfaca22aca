// The key `layers` of a hardware file: for each locality, rows by message size. A row contains the costs of messages,
// their protocol, and the shared resources that they use.
//
// Costs that virtual time cannot represent are errors (cost_too_large). The largest message of a row is checked when
// the row is read, and the messages of a program when their sizes are known.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/loading/request.hpp"
#include "simulator/machine/machine.hpp"

namespace warpfront::machine {

inline const std::vector<std::string> kResourceNames{"bus", "nic", "links"};
inline constexpr std::size_t kNicResource = 1;
inline constexpr std::size_t kLinksResource = 2;

/// A shared resource (kResourceNames) as the file describes it.
struct Resource {
    bool described = false;
    bool enabled = true;
    SourceRange range{};
    bool serves_cluster_memory = false;
};
struct Resources {
    std::array<Resource, 3> each;
    Resource processing;  // message processing, which rows do not list in `holds`
    Packet packet;        // packets as `links` describes them, even if links are disabled
};

/// Fills in the layers of `file` from the value of `layers`. The names of the layers must be known. The limits of rows
/// must ascend, and the last row must have none.
void read_layers(const YamlNode* node, const Resources& resources, HardwareFile& file, Diagnostics& faults);

/// Adds the values of `eager` to the rows of each layer: the largest size of an eager message, and the cost of an
/// unexpected message. The layers must be known.
void read_eager(const YamlNode* node, HardwareFile& file, Diagnostics& faults);

/// Reports each locality that two ranks may have but that has no layer.
void check_layers(const HardwareFile& file, std::uint32_t cores, Diagnostics& faults);

/// Checks the costs of the messages of a request with the profile rows that apply, and with the bus and the NIC of
/// these rows. `machine` must have its profiles and its placement.
void check_messages(const HardwareFile& file, const Machine& machine, const RankRequest& request, Diagnostics& faults);

// The key `collectives` of a hardware file. It names an MPI library whose choices are used, and for a collective an
// algorithm or a list of rules `{up_to: 2KiB, ranks: 16, algorithm: NAME}`. The first rule that applies is used.

/// Reads the key; nullptr selects the defaults. Diagnostics: unknown_key, bad_choice, wrong_yaml_type, missing_key, and
/// rule_order if the last rule has a limit or an earlier one has none. Adds notes on keys without effect, and on names
/// that later versions will reject.
collectives::Algorithms read_collectives(const YamlNode* node, Diagnostics& faults, std::vector<std::string>& notes);

}  // namespace warpfront::machine
