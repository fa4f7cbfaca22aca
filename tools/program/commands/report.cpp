#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/read_file.hpp"
#include "simulator/results/json.hpp"
#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/report/page/page.hpp"

namespace warpfront::tools {

FolderFiles::FolderFiles(const std::filesystem::path& folder, const std::string& name)
    : json_name_(name + ".json"),
      json_((folder / json_name_).string()),
      csv_((folder / (name + ".csv")).string()),
      html_((folder / (name + ".html")).string()) {}

void FolderFiles::write(const nlohmann::ordered_json& data, const std::string& csv) const {
    results::write_each({[&] { json_.write(results::json_text(data)); }, [&] { csv_.write(csv); },
                         [&] {
                             html_.write(page(std::vector{NamedResult{json_name_, data}}));
                         }});
}

ExitStatus report(const ReportOptions& options) {
    const results::Output out(options.out.string());
    Diagnostics faults;
    std::vector<NamedResult> named;
    for (const std::filesystem::path& path : options.results) {
        faults.collect([&] { named.push_back(read_result(input::read_file(path, {}, kLargestResult))); });
    }
    faults.raise();
    guard_signals([&] { out.write(page(named)); });
    return ExitStatus::done;
}

}  // namespace warpfront::tools
