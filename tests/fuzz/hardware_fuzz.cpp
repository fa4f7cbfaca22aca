// Reads any text as a hardware file. The part after a line `%%` is the file of edges, `net.edges`, that its topology
// may name.
//
// Not pinned here: the correct meaning of accepted texts (tests/loading, tests/psl, tests/scenario, tests/trace); the
// fuzzers check only that no text crashes or hangs a reader.
#include "simulator/machine/loading/hardware_file.hpp"
#include "tests/fuzz/texts.hpp"
#include "tests/scratch.hpp"

using namespace warpfront;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const test::Scratch files;
    const std::vector<std::string> parts = fuzz::parts_of(fuzz::text_of(data, size), 2);
    const std::filesystem::path machine = files.file("machine.yaml", parts.front());
    files.file("net.edges", parts.size() > 1 ? parts.back() : "");
    try {
        input::Diagnostics faults;
        machine::read_hardware_file(machine::read_hardware_tree(machine), faults);
    } catch (const input::BadInput&) {}
    return 0;
}
