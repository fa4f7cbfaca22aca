// The meaning of a SimGrid platform file here, attribute by attribute of SimGrid 3.32's DTD (src/surf/xml/simgrid.dtd):
// one table, from which the notes on descriptions without effect and some refusals follow. A test goes through the DTD
// and through every row of the table.
//
// SimGrid checks and routes the file, so what it makes of an attribute is what its source does with it
// (its sources surfxml_sax_cb and sg_platf).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/loading/xml_elements.hpp"

namespace warpfront::machine {

enum class XmlEffect : std::uint8_t {
    used,       // as in SimGrid
    unused,     // a description without effect: `check` notes it
    required,   // without effect here, but SimGrid requires it: platforms/README.md has it, and no note
    different,  // without effect here, but SimGrid would simulate something else: `check` and every run note it
    refused,    // by this program or by SimGrid 3.32
};

/// What is known of a file beside the element that a row is about.
struct XmlContext;

struct XmlMeaning {
    std::string_view element;
    std::string_view attribute;  // empty: the element with all its attributes
    std::string_view when;       // the case that the row is about; empty: always
    XmlEffect effect = XmlEffect::used;
    std::string_view
        text;  // the meaning; of a row without effect, what its note says of it; or what is expected instead
    bool (*applies)(const XmlContext& context, const XmlElement& element) = nullptr;  // of a row with a case
};

/// Every element and attribute of the DTD. A row with a case follows the row of its attribute.
std::span<const XmlMeaning> xml_meanings();

/// The notes on descriptions of one effect, `unused` or `different`: one for each row, at the first place of the file.
std::vector<std::string> notes_on(const PlatformXml& xml, XmlEffect effect);

/// Adds a fault (bad_link) for each description that SimGrid accepts and this program refuses.
void refuse_meanings(const PlatformXml& xml, input::Diagnostics& faults);

/// A group of SimGrid's configuration keys (`<prop>` in `<config>`) that have no effect for one reason.
struct ConfigGroup {
    std::vector<std::string_view> keys;  // whole keys, or beginnings that end in `/`; none: all other keys
    XmlEffect effect = XmlEffect::unused;
    std::string_view text;
};
/// The costs of messages first.
std::span<const ConfigGroup> config_groups();

/// A `<prop>` of `<config>`.
struct ConfigValue {
    std::string_view key;
    std::string_view value;
};
/// Returns the keys that are set; of a key that is set twice in one `<config>`, the first value, as in SimGrid.
std::vector<ConfigValue> config_of(const PlatformXml& xml);

/// The notes on configuration keys of one effect: one for each group; not for the first, which states the costs of
/// messages, if these are in use (smpi_costs.hpp).
std::vector<std::string> config_notes(const PlatformXml& xml, XmlEffect effect, bool costs_in_use = false);

}  // namespace warpfront::machine
