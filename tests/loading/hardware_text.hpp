// Hardware files as text: the beginning of one, and the result of reading it.
#pragma once

#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

inline const std::string kHead = "name: m\nplatform: p.xml\nsize: fit\n";
inline const std::string kCosts = "protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B";
/// Returns a row of a layer, with more keys such as ", holds: [bus]".
inline std::string row_with(const std::string& more = {}) { return "    - {" + kCosts + more + "}\n"; }
inline const std::string kNetwork = "  network:\n" + row_with();

struct Read {
    HardwareFile file;
    input::Diagnostics faults;
    const ProfileRow& row(std::size_t k) const { return file.layers.back().profile.at(k); }
};

inline Read read(const std::string& text) {
    const Workspace files;
    Read result;
    result.file = read_hardware_file(read_hardware_tree(files.write("m.yaml", text)), result.faults);
    return result;
}

inline input::Diagnostics faults(const std::string& text) { return read(text).faults; }
/// Returns the faults of a file whose network layer has these rows, from line 6.
inline input::Diagnostics row_faults(const std::string& rows, const std::string& head = kHead) {
    return faults(head + "layers:\n  network:\n" + rows);
}

}  // namespace warpfront::machine
