// Reads any text as traces of one to four ranks, separated by lines `%%`, after a file of communicators if the text
// begins with one. The program of the traces must be valid.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "simulator/trace/read.hpp"
#include "tests/fuzz/texts.hpp"
#include "tests/scratch.hpp"
#include "tests/validation/validate.hpp"

using namespace warpfront;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const test::Scratch files;
    static const std::filesystem::path list[]{files.file("1.txt", "rank-0\n"), files.file("2.txt", "rank-0\nrank-1\n"),
                                              files.file("3.txt", "rank-0\nrank-1\nrank-2\n"),
                                              files.file("4.txt", "rank-0\nrank-1\nrank-2\nrank-3\n")};
    std::vector<std::string> traces = fuzz::parts_of(fuzz::text_of(data, size), std::size(list) + 1);
    trace::TraceRequest request{.costs = {{1e12}, {}}};
    if (traces.size() > 1 && traces.front().starts_with("communicators:")) {
        request.communicators = files.file("communicators.yaml", traces.front());
        traces.erase(traces.begin());
    }
    traces.resize(std::min(traces.size(), std::size(list)));
    for (std::size_t rank = 0; rank < traces.size(); ++rank) files.file(fmt::format("rank-{}", rank), traces[rank]);
    request.files = list[traces.size() - 1];
    request.grid = {static_cast<std::uint32_t>(traces.size()), 1};
    try {
        const trace::Loaded loaded = trace::read(request);
        if (!program::validate(loaded.program).empty()) std::abort();
    } catch (const input::BadInput&) {}
    return 0;
}
