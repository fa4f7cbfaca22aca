#include <thread>
#include <vector>

#include <spdlog/spdlog.h>

#include "simulator/results/output.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/progress.hpp"
#include "tools/program/commands/commands.hpp"
#include "tools/study/cases/point_store.hpp"
#include "tools/study/sources/items.hpp"

namespace warpfront::tools {

namespace {

/// Limit of messages with `--quick`: about five seconds of the event engine.
constexpr std::uint64_t kQuickMessages = 20'000'000;

}  // namespace

ExitStatus sources(const SourcesOptions& options) {
    const results::Answer answer(options.json, std::nullopt);
    const PointStore points(options.out);  // creates the folder before the work
    const FolderFiles written(options.out, "sources");
    const std::vector<std::filesystem::path> files = item_files(options.items);
    check_items(files);
    SourcesRequest request{.points = &points,
                           .threads = options.threads.value_or(std::max(1U, std::thread::hardware_concurrency()))};
    if (options.quick) request.most_messages = kQuickMessages;
    std::vector<SourceItem> items;
    const auto level = progress_mode() == ProgressMode::line ? spdlog::level::info : spdlog::level::debug;
    for (const std::filesystem::path& file : files) {
        spdlog::log(level, "{} of {}: {}", items.size() + 1, files.size(), file.string());
        items.push_back(run_item(file, request));
    }
    const nlohmann::ordered_json data = sources_json(items);
    guard_signals([&] {
        answer.write(data, answer.has_table() ? sources_text(items) : "",
                     [&] { written.write(data, sources_csv(items)); });
    });
    bool failed = unexplained(items) > 0;
    for (const SourceItem& item : items) {
        for (const std::string& failure : item.failures) spdlog::error("{}", failure);
        failed = failed || !item.failures.empty();
    }
    return failed ? ExitStatus::run_failed : ExitStatus::done;
}

}  // namespace warpfront::tools
