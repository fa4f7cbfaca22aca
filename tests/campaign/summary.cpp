#include "tests/campaign/summary.hpp"

#include "simulator/results/formatting.hpp"

namespace warpfront::campaign {

namespace {

using results::grouped;

std::size_t decade(std::int64_t count) {
    std::size_t digits = 0;
    for (std::int64_t most = 1; digits < 4 && count > most; most = most == 1 ? 9 : most * 10 + 9) ++digits;
    return digits;
}

std::string row(const std::string& label, const std::string& value) { return fmt::format("{:<18}{}\n", label, value); }

std::string histogram(const std::array<std::uint64_t, 5>& counts) {
    return fmt::format("1: {}, 2 to 9: {}, 10 to 99: {}, 100 to 999: {}, 1,000 or more: {}", grouped(counts[0]),
                       grouped(counts[1]), grouped(counts[2]), grouped(counts[3]), grouped(counts[4]));
}

/// Formats counts, the most frequent first.
std::string ranking(const std::map<std::string, std::uint64_t>& counts, std::size_t most, const char* between) {
    std::vector<std::pair<std::string, std::uint64_t>> sorted(counts.begin(), counts.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    if (sorted.size() > most) sorted.resize(most);
    std::string text;
    for (const auto& [name, count] : sorted) {
        text += fmt::format("{}{} {}", text.empty() ? "" : between, grouped(count), name);
    }
    return text;
}

/// Returns "path:12:17: error: what" without the path.
std::string without_place(const std::string& line) {
    const std::string first = line.substr(0, line.find('\n'));
    const std::size_t error = first.find("error: ");
    return error == std::string::npos ? first : first.substr(error + 7);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return fmt::format("{:.1f} %", whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

void Summary::add(const Trial& trial, const Verdict& verdict) {
    ++trials_;
    if (verdict.failed()) ++failed_;
    if (verdict.kind == Verdict::Kind::refused) {
        ++refused_;
        ++refusals_[without_place(verdict.lines.empty() ? "" : verdict.lines.front())];
        return;
    }
    if (trial.extent.ranks >= 100 && trial.extent.tiles >= 100) ++large_;
    if (verdict.skipped_iterations) ++skipped_iterations_;
    if (verdict.deadlock) ++deadlocks_;
    if (verdict.overflow) ++overflows_;
    stepped_ += verdict.stepped;
    ++ranks_[decade(trial.extent.ranks)];
    ++tiles_[decade(trial.extent.tiles)];
    ++models_[trial.model];
    ++machines_[trial.machine];
}

bool Summary::tried_too_little() const {
    constexpr std::uint64_t kMany = 100;
    return compared() == 0 || (trials_ >= kMany && 4 * compared() < 3 * trials_);
}

std::string Summary::text(double elapsed_s) const {
    std::string text = row(
        "trials", fmt::format("{} in {:.1f} s: {} compared, {} failed, {} refused ({})", grouped(trials_), elapsed_s,
                              grouped(compared()), grouped(failed_), grouped(refused_), percent(refused_, trials_)));
    text += row("skipped", fmt::format("iterations in {}, nothing in {}", grouped(skipped_iterations_),
                                       grouped(compared() - skipped_iterations_)));
    text += row("ended early", fmt::format("{} in a deadlock, {} by overflow of virtual time", grouped(deadlocks_),
                                           grouped(overflows_)));
    text += row("messages stepped", grouped(stepped_));
    text += row("large", fmt::format("{} of 100 ranks and 100 tiles or more", grouped(large_)));
    text += row("ranks", histogram(ranks_));
    text += row("tiles", histogram(tiles_));
    text += row("models", ranking(models_, models_.size(), ", "));
    text += row("machines", ranking(machines_, machines_.size(), ", "));
    if (!refusals_.empty()) text += row("refused for", ranking(refusals_, 5, "\n                  "));
    return text;
}

}  // namespace warpfront::campaign
