// Traces of a few lines each in their own folder.
#pragma once

#include "simulator/trace/read.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"

namespace warpfront::test {

/// Replays a recorded run in a row of ranks.
inline program::Program replayed(const std::filesystem::path& run, std::uint32_t ranks, double times_as_fast = 1.0) {
    trace::TraceRequest request{run, {}, {ranks, 1}, {}, {{1e12}, {}, times_as_fast}};
    return trace::read(request).program;
}

/// A folder with one trace per text; `init` and `finalize` are added around each. It has a file of communicators if the
/// text of that file is not empty.
class Traces {
public:
    explicit Traces(const std::vector<std::string>& bodies, const std::string& communicators = "")
        : ranks_(static_cast<std::uint32_t>(bodies.size())), names_communicators_(!communicators.empty()) {
        write("communicators.yaml", communicators);
        std::string list;
        for (std::size_t rank = 0; rank < bodies.size(); ++rank) {
            const std::string name = "rank-" + std::to_string(rank) + ".txt";
            list += name + "\n";
            const std::string own = std::to_string(rank);
            write(name, own + " init\n" + bodies[rank] + own + " finalize\n");
        }
        write("traces.txt", list);
    }

    void write(const std::string& name, const std::string& text) const { scratch_.file(name, text); }

    std::filesystem::path folder() const { return scratch_.folder(); }
    trace::Loaded read() const { return read_as({ranks_, 1}); }
    trace::Loaded read_as(RankGrid grid) const {
        trace::TraceRequest request{scratch_.folder(), {}, grid, {}, {{1e12}, {}}};
        if (names_communicators_) request.communicators = scratch_.folder() / "communicators.yaml";
        return trace::read(request);
    }

    input::Diagnostics diagnostics() const {
        return test::faults_of([this] { read(); });
    }
    test::Kinds kinds() const { return test::kinds_of(diagnostics()); }

private:
    test::Scratch scratch_;
    std::uint32_t ranks_;
    bool names_communicators_;
};

}  // namespace warpfront::test
