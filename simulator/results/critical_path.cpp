#include "simulator/results/critical_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/ranks.hpp"

namespace warpfront::results {

namespace {

/// How a part is called in a sentence: as what binds, and as what could be changed to make it `factor` of itself.
struct Wording {
    std::string_view binds;
    std::string_view change;
    double factor = 0.5;
};
constexpr std::array<Wording, record::kPathParts.size()> kWordings{{
    {"Computing", "computing 10 % faster", 0.9},
    {"What processors spend on messages", "half the processors' time for messages", 0.5},
    {"Latency", "half the latency", 0.5},
    {"Bandwidth", "twice the bandwidth", 0.5},
    {"Waiting for the nodes' buses", "buses twice as fast", 0.5},
    {"Waiting for network interfaces", "network interfaces twice as fast", 0.5},
    {"Waiting for links", "links twice as fast", 0.5},
    {"Memory that cores share", "twice its bandwidth", 0.5},
}};

double share(WideTime part, WideTime total) { return total.ps > 0 ? 100.0 * seconds(part) / seconds(total) : 0.0; }

std::string part_line(const record::PathParts& path, const record::PathPart& part, TimeScale scale) {
    const WideTime time = path.*part.time;
    return fmt::format("  {:<12}{:>12.3f}{:<2}{:>8.1f} %\n", part.name, seconds(time) / scale.seconds, scale.unit,
                       share(time, path.total()));
}

std::string reruns_table(const record::PathParts& path, std::span<const Rerun> reruns) {
    if (reruns.empty()) return "";
    std::string text = "run again with                    as the path says          run\n";
    for (const Rerun& each : reruns) {
        const std::string what = fmt::format("{} x {:g}", each.part.name, each.factor);
        text += fmt::format("  {:<24}{:>22}{:>13}\n", what, duration(foreseen(path, each.part, each.factor)),
                            duration(each.time));
    }
    return text;
}

}  // namespace

WideTime foreseen(const record::PathParts& path, const record::PathPart& part, double factor) {
    const double change = seconds(path.*part.time) * (factor - 1.0);
    return path.total() + WideTime{static_cast<Wide>(std::round(change * 1e12))};
}

std::string path_table(const record::PathParts& path, std::optional<WideTime> fill, std::span<const Rerun> reruns) {
    const TimeScale scale = time_scale(path.total());
    std::string text = "the longest chain of events consists of\n";
    for (const record::PathPart& part : record::kPathParts) text += part_line(path, part, scale);
    if (fill) {
        text += fmt::format("pipelines filled for {} ({:.1f} %)\n", duration(*fill), share(*fill, path.total()));
    }
    return text + reruns_table(path, reruns);
}

std::string closed_form_table(const record::PathParts& path, WideTime fill, WideTime nonwavefront) {
    const WideTime total = path.total();
    const TimeScale scale = time_scale(total);
    std::string text = "its terms, along the longest path\n";
    for (const record::PathPart& part : record::kPathParts) {
        if ((path.*part.time).ps != 0) text += part_line(path, part, scale);
    }
    const WideTime steady = total - fill - nonwavefront;
    if (fill.ps == 0 && steady.ps == 0) return text;
    const auto with_share = [&](WideTime time) {
        return fmt::format("{} ({:.1f} %)", duration(time), share(time, total));
    };
    text += fmt::format("pipelines fill for {} and are full for {}", with_share(fill), with_share(steady));
    if (nonwavefront.ps != 0) text += fmt::format("; the rest is {}", with_share(nonwavefront));
    return text + '\n';
}

std::string path_paragraph(const record::PathParts& path) {
    const WideTime total = path.total();
    std::array<std::size_t, record::kPathParts.size()> order{};
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto time = [&](std::size_t k) { return path.*record::kPathParts[k].time; };
    const auto saved_by = [&](std::size_t k) { return share(time(k), total) * (1.0 - kWordings[k].factor); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return saved_by(a) > saved_by(b); });
    const std::size_t most =
        *std::max_element(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return time(a) < time(b); });
    std::string text = fmt::format("{} binds: {:.1f} % of the longest chain of events.", kWordings[most].binds,
                                   share(time(most), total));
    std::string separator = " By the path, ";
    for (const std::size_t k : order) {
        if (saved_by(k) < 0.05) continue;
        const WideTime less = total - foreseen(path, record::kPathParts[k], kWordings[k].factor);
        text +=
            fmt::format("{}{} would save {} ({:.1f} %)", separator, kWordings[k].change, duration(less), saved_by(k));
        separator = ", ";
    }
    text += ". These are exact for small changes; large ones make another chain the longest, and mostly save less.";
    return wrapped(text);
}

nlohmann::ordered_json path_json(const record::PathParts& path, std::optional<WideTime> fill,
                                 std::optional<WideTime> nonwavefront) {
    nlohmann::ordered_json json;
    for (std::size_t k = 0; k < 4; ++k) {
        json[seconds_key(record::kPathParts[k].name)] = seconds(path.*record::kPathParts[k].time);
    }
    json["contention_s"] = seconds(path.contention());
    for (std::size_t k = 4; k < record::kPathParts.size(); ++k) {
        json[seconds_key(record::kPathParts[k].name)] = seconds(path.*record::kPathParts[k].time);
    }
    if (fill) {
        json["fill_s"] = seconds(*fill);
        json["steady_s"] = seconds(path.total() - *fill - nonwavefront.value_or(WideTime{}));
    }
    if (nonwavefront) json["nonwavefront_s"] = seconds(*nonwavefront);
    return json;
}

}  // namespace warpfront::results
