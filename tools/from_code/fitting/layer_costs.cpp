#include "tools/from_code/fitting/layer_costs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

using input::BadInput;
using input::DiagnosticKind;

constexpr double kNearThreshold = 1.02;  // a library's limit includes its header
constexpr double kSaturated = 0.8;  // least share of a message's time that a further pair adds to saturated streams
constexpr std::size_t kFewestSaturated = 3;
constexpr double kGrowth = 2.0;  // growth of the time over sizes, in deviations, from which a cost per byte is fitted
constexpr double kOtherWire = 0.1;        // relative difference of times per byte of two wires
constexpr std::size_t kMostTimes = 2000;  // memory grows with the square

using Points = std::vector<CurvePoint>;

/// Returns the messages of all tables, by size.
std::vector<TimedMessage> messages_of(const std::vector<BenchmarkTable>& tables, Timed kind) {
    std::vector<TimedMessage> all;
    for (const BenchmarkTable& table : tables) {
        const std::vector<TimedMessage> own = table.of_kind(kind);
        all.insert(all.end(), own.begin(), own.end());
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const TimedMessage& a, const TimedMessage& b) { return a.bytes < b.bytes; });
    return all;
}

Points points_of(const std::vector<TimedMessage>& messages) {
    Points points;
    for (const TimedMessage& each : messages) points.push_back({static_cast<double>(each.bytes), each.seconds});
    return points;
}

/// Returns the numbers of points at which messages above the threshold may begin.
std::vector<std::size_t> breaks_at(std::uint64_t threshold, const Points& points) {
    const auto limit = static_cast<double>(threshold);
    std::vector<std::size_t> near;
    for (std::size_t at = kFewestPoints; at + kFewestPoints <= points.size(); ++at) {
        const double below = points[at - 1].bytes, above = points[at].bytes;
        if (below == above) continue;
        if (below <= limit * kNearThreshold && above >= limit / kNearThreshold) near.push_back(at);
    }
    return near;
}

/// Returns the least power of two in [least, most], else `least`.
std::uint64_t round_size(std::uint64_t least, std::uint64_t most) {
    std::uint64_t power = 1;
    while (power < least) power *= 2;
    return power <= most ? power : least;
}

/// Builder of the rows of a layer.
class RowMaker {
public:
    RowMaker(LayerFit& fit, const KnownCosts& known) : fit_(fit), known_(known) {}

    void make(std::optional<std::size_t> rendezvous_from) {
        const std::vector<Piece>& pieces = fit_.curve.pieces;
        for (std::size_t k = 0; k < pieces.size(); ++k) {
            FittedRow row{.from = fit_.messages[pieces[k].first].bytes,
                          .most = fit_.messages[pieces[k].end - 1].bytes,
                          .piece = pieces[k]};
            row.rendezvous = rendezvous_from && pieces[k].first >= *rendezvous_from;
            if (k + 1 < pieces.size()) end_row(row, pieces[k + 1].first, rendezvous_from);
            if (!fit_.threshold)
                row.assumptions.emplace_back("all messages are eager, since no threshold was measured");
            if (row.rendezvous)
                part_rendezvous(row);
            else
                part_eager(row);
            fit_.rows.push_back(std::move(row));
        }
    }

private:
    /// Sets the end of a row. `next` is the first point of the row after it.
    void end_row(FittedRow& row, std::size_t next, std::optional<std::size_t> rendezvous_from) const {
        const std::uint64_t most = fit_.messages[next].bytes - 1;
        if (rendezvous_from == next) {
            row.up_to = std::clamp(*fit_.threshold, row.most, most);
            if (*row.up_to != *fit_.threshold) {
                row.assumptions.push_back(fmt::format("the limit of {} B includes a header of the MPI library",
                                                      results::grouped(*fit_.threshold)));
            }
            return;
        }
        row.up_to = round_size(row.most, most);
        if (most > row.most) {
            row.assumptions.push_back(fmt::format("the row ends at an unknown size between {} and {} B",
                                                  results::grouped(row.most), results::grouped(most)));
        }
    }

    /// Fits a line through the times of calls of the row's sizes, or of the nearest size if there are none.
    std::optional<Line> line_of(Timed kind, const FittedRow& row) const {
        const Points all = points_of(messages_of(fit_.tables, kind));
        if (all.empty()) return std::nullopt;
        Points own;
        for (const CurvePoint& point : all) {
            if (point.bytes >= static_cast<double>(row.from) && point.bytes <= static_cast<double>(row.most)) {
                own.push_back(point);
            }
        }
        if (own.empty()) own.push_back(all.front().bytes > static_cast<double>(row.most) ? all.front() : all.back());
        if (own.size() < kFewestPoints) return Line{own.front().seconds, 0.0};
        return fit_line(own);
    }

    /// Returns the line of the shorter send call, compared in the middle of the row. A Send may include waiting for the
    /// receiver's progress, and above the threshold it always does.
    std::optional<Line> line_of_send(const FittedRow& row) const {
        const std::optional<Line> isend = line_of(Timed::isend, row);
        const std::optional<Line> send = row.rendezvous ? std::nullopt : line_of(Timed::send, row);
        if (!isend || !send) return isend ? isend : send;
        const double middle = std::sqrt(std::max(static_cast<double>(row.from), 1.0) * static_cast<double>(row.most));
        return send->at(middle) < isend->at(middle) ? send : isend;
    }

    void part_eager(FittedRow& row) const {
        const auto [a, g] = row.piece.line;
        const std::optional<Line> send = line_of_send(row), recv = line_of(Timed::recv, row);
        if (send && recv) {
            row.o_send = send->intercept;
            row.o_recv = recv->intercept;
            row.G_send = send->slope;
            row.G_recv = recv->slope;
        } else if (known_.overhead) {
            row.o_send = row.o_recv = *known_.overhead;
            row.assumptions.emplace_back("o_send and o_recv are the given overhead");
        } else {
            row.o_send = row.o_recv = a / 4.0;
            row.assumptions.emplace_back("o_send and o_recv are each a quarter of the time of an empty message");
        }
        const bool fits = shorten(row.o_send, row.o_recv, room_of(row));
        const bool bytes_fit = shorten(row.G_send, row.G_recv, g);
        if (!fits || !bytes_fit) {
            row.assumptions.emplace_back(
                "o_send and o_recv, or G_send and G_recv, are scaled down to the time of the ping-pong, since the "
                "measured calls take longer");
        }
        row.L = std::max(a - row.o_send - row.o_recv, 0.0);
        row.G = g - row.G_send - row.G_recv;
    }

    /// Returns the time available for overheads: the time without bytes, plus a negligible share of the whole time.
    static double room_of(const FittedRow& row) {
        return row.piece.line.intercept + kNegligible * row.piece.line.at(static_cast<double>(row.from));
    }

    /// Shortens two parts in proportion if their sum exceeds `whole`. Returns true if nothing was shortened.
    static bool shorten(double& one, double& other, double whole) {
        const double sum = one + other;
        if (sum <= whole) return true;
        one *= whole / sum;
        other = whole - one;
        return false;
    }

    void part_rendezvous(FittedRow& row) const {
        const auto [a, g] = row.piece.line;
        const FittedRow* eager = nullptr;  // the last eager row
        for (const FittedRow& each : fit_.rows) {
            if (!each.rendezvous) eager = &each;
        }
        const std::optional<Line> send = line_of_send(row);
        row.o_send = send ? send->intercept : eager != nullptr ? eager->o_send : known_.overhead.value_or(a / 8.0);
        row.o_recv = eager != nullptr ? eager->o_recv : known_.overhead.value_or(a / 8.0);
        row.L = eager != nullptr ? eager->L : 0.0;
        row.G_send = send ? std::min(send->slope, g) : 0.0;
        row.G = g - row.G_send;
        const double room = room_of(row);
        if (!shorten(row.o_send, row.o_recv, room)) {
            row.assumptions.emplace_back(
                "o_send and o_recv have the values of the eager row, scaled down to the time of an empty message");
        }
        const double rest = std::max(a - row.o_send - row.o_recv, 0.0);
        if (eager == nullptr || 3.0 * row.L > room - row.o_send - row.o_recv) {
            row.L = rest / 3.0;
            row.assumptions.emplace_back("L is a third of the time of an empty message less o_send and o_recv");
        } else {
            row.o_request = row.o_ack = std::max(rest / 2.0 - 1.5 * row.L, 0.0);
            row.assumptions.emplace_back(
                "L and o_recv have the values of the eager row; o_request and o_ack are each half of the remaining "
                "time");
        }
    }

    LayerFit& fit_;
    const KnownCosts& known_;
};

/// The times of streams by size, then by number of pairs.
using StreamTimes = std::map<std::uint64_t, std::map<std::uint32_t, double>>;

StreamTimes stream_times(const std::vector<BenchmarkTable>& tables) {
    StreamTimes by_size;
    for (const TimedMessage& each : messages_of(tables, Timed::stream)) by_size[each.bytes][each.pairs] = each.seconds;
    return by_size;
}

/// Returns true if a size was measured with the largest number of pairs and with a smaller one.
bool is_comparable(const std::map<std::uint32_t, double>& by_pairs, std::uint32_t most_pairs) {
    return by_pairs.size() > 1 && by_pairs.rbegin()->first == most_pairs;
}

/// Returns the time that a further pair adds to a message, for the sizes at which it is nearly the whole time.
Points saturated_holds(const StreamTimes& by_size, std::uint32_t most_pairs) {
    Points holds;
    for (const auto& [bytes, by_pairs] : by_size) {
        if (!is_comparable(by_pairs, most_pairs)) continue;
        const auto [most, seconds] = *by_pairs.rbegin();
        const auto [fewer, before] = *std::next(by_pairs.rbegin());
        const double hold = (seconds - before) / (most - fewer);
        if (hold < kSaturated * seconds / most) continue;
        holds.push_back({static_cast<double>(bytes), hold});
    }
    return holds;
}

/// Fits the service time to times per message: the intercept from its smallest sizes, the slope from its largest.
void fit_hold(const Points& times, SharedResource& shared) {
    const FittedCurve curve = fit_curve(times);
    const Piece& last = curve.pieces.back();
    const bool grows = last.line.slope * times.back().bytes >= kNegligible * last.line.at(times.back().bytes);
    shared.saturated = times.size();
    shared.hold = {curve.pieces.front().line.intercept, grows ? last.line.slope : 0.0};
    shared.deviation = std::ranges::find(curve.by_count, curve.pieces.size(), &PieceCount::pieces)->deviation;
}

/// Returns the resource that streams share; nothing without streams. `ping_pong` is the line of the largest ping-pongs.
std::optional<SharedResource> shared_of(const std::vector<BenchmarkTable>& tables, const Line& ping_pong) {
    const StreamTimes by_size = stream_times(tables);
    SharedResource shared;
    double of_one = ping_pong.slope > 0.0 ? 1.0 / ping_pong.slope : 0.0;
    for (const auto& [bytes, by_pairs] : by_size) {
        for (const auto& [pairs, seconds] : by_pairs) {
            const double per_second = pairs * static_cast<double>(bytes) / seconds;
            shared.pairs = std::max(shared.pairs, pairs);
            shared.most_per_second = std::max(shared.most_per_second, per_second);
            if (pairs == 1) of_one = std::max(of_one, per_second);
        }
    }
    if (by_size.empty()) return std::nullopt;
    const auto comparable = static_cast<std::size_t>(
        std::ranges::count_if(by_size, [&](const auto& each) { return is_comparable(each.second, shared.pairs); }));
    if (comparable >= kFewestSaturated) {
        const Points holds = saturated_holds(by_size, shared.pairs);
        if (holds.size() >= kFewestSaturated) fit_hold(holds, shared);
    } else if (kSaturated * shared.most_per_second <= of_one) {
        Points times;
        for (const auto& [bytes, by_pairs] : by_size) {
            const auto most = by_pairs.find(shared.pairs);
            if (most != by_pairs.end()) times.push_back({static_cast<double>(bytes), most->second / shared.pairs});
        }
        if (times.size() >= kFewestPoints) {
            fit_hold(times, shared);
            shared.hold.intercept = 0.0;  // includes the time of the sender's calls
            shared.one_saturates = true;
            if (!shared.binds_bytes()) shared.saturated = 0;
        }
    }
    const bool slower = shared.binds_bytes() && shared.hold.slope > ping_pong.slope * (1.0 + kOtherWire);
    if (slower && ping_pong.slope > 0.0) shared.faster_ping_pong = 1.0 / ping_pong.slope;
    return shared;
}

/// Refuses tables in which bytes take no more time than the deviation of the times, since larger messages would be
/// free.
void require_bytes(const LayerFit& fit, const input::SourceRange& range) {
    const FittedRow& last = fit.rows.back();
    const Line& line = last.piece.line;
    const double growth = line.slope * static_cast<double>(last.most - last.from);
    if (growth > kGrowth * std::max(last.piece.deviation, kNegligible) * line.at(static_cast<double>(last.most)))
        return;
    throw BadInput(DiagnosticKind::too_few_sizes, range,
                   fmt::format("the tables of the layer `{}` do not determine G: from {} to {} B, the time grows by "
                               "less than the scatter of single times",
                               fit.layer, results::grouped(last.from), results::grouped(last.most)),
                   "expected larger messages too, for example up to 4 MiB");
}

/// Adds assumptions for a limit of eager messages that lies outside the measured sizes.
void note_limit(LayerFit& fit) {
    if (!fit.threshold) return;
    const std::string limit = results::grouped(*fit.threshold);
    if (*fit.threshold > fit.rows.back().most) {
        fit.rows.back().assumptions.push_back(
            fmt::format("the limit of {} B is above the largest measured size, {} B: larger messages are rendezvous "
                        "with the costs of this row",
                        limit, results::grouped(fit.rows.back().most)));
    } else if (*fit.threshold > 0 && *fit.threshold < fit.rows.front().from) {
        fit.rows.front().assumptions.push_back(
            fmt::format("the limit of {} B is below the smallest measured size, {} B: messages up to it are eager "
                        "with the costs of this row",
                        limit, results::grouped(fit.rows.front().from)));
    }
}

}  // namespace

LayerFit fit_layer(std::string layer, std::vector<BenchmarkTable> tables, const KnownCosts& known) {
    LayerFit fit{.layer = std::move(layer),
                 .tables = std::move(tables),
                 .messages = {},
                 .curve = {},
                 .threshold = {},
                 .threshold_given = known.eager.has_value(),
                 .rows = {},
                 .shared = {},
                 .unused_streams = false};
    fit.messages = messages_of(fit.tables, Timed::pingpong);
    fit.threshold = known.eager;
    for (const BenchmarkTable& table : fit.tables) {
        if (!fit.threshold) fit.threshold = table.threshold;
    }
    const Points points = points_of(fit.messages);
    const input::SourceRange whole{fit.tables.front().source, 0, 0};
    if (points.size() < kFewestPoints) {
        throw BadInput(DiagnosticKind::too_few_sizes, whole,
                       fmt::format("the layer `{}` has only {} of a ping-pong", fit.layer,
                                   results::counted(points.size(), "size")),
                       fmt::format("expected at least {} sizes", kFewestPoints));
    }
    if (points.size() > kMostTimes) {
        throw BadInput(DiagnosticKind::out_of_range, whole,
                       fmt::format("the layer `{}` has {} times of a ping-pong", fit.layer, points.size()),
                       fmt::format("expected at most {} times", kMostTimes));
    }
    if (const std::size_t sizes = stream_times(fit.tables).size(); sizes > kMostTimes) {
        throw BadInput(DiagnosticKind::out_of_range, whole,
                       fmt::format("the layer `{}` has {} sizes of a stream", fit.layer, sizes),
                       fmt::format("expected at most {} sizes", kMostTimes));
    }
    std::vector<std::size_t> breaks;
    std::optional<std::size_t> rendezvous_from;
    const bool all_above = fit.threshold && points.front().bytes > static_cast<double>(*fit.threshold);
    const bool all_below = fit.threshold && points.back().bytes <= static_cast<double>(*fit.threshold);
    if (all_above) rendezvous_from = 0;
    if (fit.threshold && !all_above && !all_below) {
        breaks = breaks_at(*fit.threshold, points);
        if (breaks.empty()) {
            throw BadInput(DiagnosticKind::too_few_sizes, whole,
                           fmt::format("the tables have fewer than {1} sizes on one side of the threshold of {0} B",
                                       *fit.threshold, kFewestPoints),
                           fmt::format("expected at least {} sizes on each side", kFewestPoints));
        }
    }
    fit.curve = fit_curve(points, breaks);
    // Choose the break nearest to the threshold among those at which a piece begins.
    for (const Piece& piece : fit.curve.pieces) {
        if (std::find(breaks.begin(), breaks.end(), piece.first) == breaks.end()) continue;
        const auto distance = [&](std::size_t at) {
            return std::abs(std::log(points[at].bytes / static_cast<double>(*fit.threshold)));
        };
        if (!rendezvous_from || distance(piece.first) < distance(*rendezvous_from)) rendezvous_from = piece.first;
    }
    RowMaker(fit, known).make(rendezvous_from);
    require_bytes(fit, whole);
    note_limit(fit);
    fit.shared = shared_of(fit.tables, fit.rows.back().piece.line);
    if (fit.shared && fit.shared->pairs == 1 && fit.layer != "network") {
        fit.shared.reset();
        fit.unused_streams = true;
    }
    return fit;
}

}  // namespace warpfront::tools
