#include <vector>

#include "simulator/input/read_file.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/report/page/page.hpp"

namespace warpfront::tools {

ExitStatus report(const ReportOptions& options) {
    const results::Output out(options.out.string());
    input::Diagnostics faults;
    std::vector<NamedResult> named;
    for (const std::filesystem::path& path : options.results) {
        try {
            named.push_back(read_result(input::read_file(path, {}, kLargestResult)));
        } catch (const input::BadInput& bad) {
            faults.add(bad.diagnostics());
        }
    }
    faults.raise();
    guard_signals([&] { out.write(page(named)); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
