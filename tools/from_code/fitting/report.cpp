#include "tools/from_code/fitting/outputs.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/results/formatting.hpp"
#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

using nlohmann::ordered_json;

std::string protocol_of(const FittedRow& row) { return row.rendezvous ? "rendezvous" : "eager"; }

std::string sizes_of(const FittedRow& row) {
    return row.up_to ? "to " + results::grouped(*row.up_to) : "from " + results::grouped(row.from);
}

std::string rows_table(const std::vector<LayerFit>& layers) {
    struct Column {
        const char* header;
        std::string (*cell)(const FittedRow&);
    };
    static constexpr Column kColumns[] = {
        {"protocol", [](const FittedRow& row) { return protocol_of(row); }},
        {"o_send", [](const FittedRow& row) { return time_text(row.o_send); }},
        {"L", [](const FittedRow& row) { return time_text(row.L); }},
        {"o_recv", [](const FittedRow& row) { return time_text(row.o_recv); }},
        {"G_send",
         [](const FittedRow& row) { return row.G_send > 0.0 ? gap_text(row.G_send) : std::string(kEmptyCell); }},
        {"G", [](const FittedRow& row) { return gap_text(row.G); }},
        {"G_recv",
         [](const FittedRow& row) { return row.G_recv > 0.0 ? gap_text(row.G_recv) : std::string(kEmptyCell); }},
        {"sizes", [](const FittedRow& row) { return fmt::format("{}", row.piece.end - row.piece.first); }},
        {"off by", [](const FittedRow& row) { return percent_text(row.piece.deviation); }},
    };
    TextTable table(2);
    TextColumn layer{"layer", {}, TextColumn::Side::left}, sizes{"bytes", {}};
    for (const LayerFit& fit : layers) {
        for (const FittedRow& row : fit.rows) {
            layer.cells.push_back(fit.layer);
            sizes.cells.push_back(sizes_of(row));
        }
    }
    table.add(std::move(layer));
    table.add(std::move(sizes));
    for (const Column& column : kColumns) {
        TextColumn made{column.header, {}};
        for (const LayerFit& fit : layers) {
            for (const FittedRow& row : fit.rows) made.cells.push_back(column.cell(row));
        }
        table.add(std::move(made));
    }
    return table.render();
}

std::string gigabytes(double per_second) { return fmt::format("{:.4g} GB/s", per_second * 1e-9); }

std::string shared_text(const LayerFit& fit) {
    const SharedResource& shared = *fit.shared;
    const std::string pairs = results::counted(shared.pairs, "pair");
    if (shared.saturated == 0) {
        return fmt::format("{}: {} {} no shared resource; together they reach a bandwidth of {}\n", fit.layer, pairs,
                           shared.pairs == 1 ? "saturates" : "saturate", gigabytes(shared.most_per_second));
    }
    std::string text =
        shared.one_saturates
            ? fmt::format("{}: a stream of {}{} needs {}", fit.layer, pairs,
                          shared.pairs == 1 ? "" : ", which is no faster than one pair,", gap_text(shared.hold.slope))
            : fmt::format("{}: the resource that {} share serves a message in {} + S * {}", fit.layer, pairs,
                          time_text(shared.hold.intercept), gap_text(shared.hold.slope));
    text +=
        fmt::format(", fitted to {} sizes with a deviation of {}", shared.saturated, percent_text(shared.deviation));
    if (shared.binds_bytes()) {
        text += fmt::format("; this is {}, and the largest measured bandwidth is {}", gigabytes(shared.per_second()),
                            gigabytes(shared.most_per_second));
    }
    text += "\n";
    for (const std::string& assumption : assumptions_of(shared)) {
        text += fmt::format("assumption  {}: {}\n", fit.layer, assumption);
    }
    return text;
}

ordered_json row_json(const FittedRow& row) {
    ordered_json json{{"from", row.from}, {"to", row.most}};
    if (row.up_to) json["up_to"] = *row.up_to;
    json["protocol"] = protocol_of(row);
    json["intercept_s"] = row.piece.line.intercept;
    json["slope_s"] = row.piece.line.slope;
    json["o_send_s"] = row.o_send;
    json["o_recv_s"] = row.o_recv;
    json["o_request_s"] = row.o_request;
    json["o_ack_s"] = row.o_ack;
    json["L_s"] = row.L;
    json["G_send_s"] = row.G_send;
    json["G_s"] = row.G;
    json["G_recv_s"] = row.G_recv;
    json["sizes"] = row.piece.end - row.piece.first;
    json["deviation"] = row.piece.deviation;
    json["assumptions"] = row.assumptions;
    return json;
}

ordered_json layer_json(const LayerFit& fit) {
    ordered_json json{{"layer", fit.layer}};
    json["tables"] = ordered_json::array();
    for (const BenchmarkTable& table : fit.tables) {
        json["tables"].push_back({{"file", table.source->name()}, {"format", table.format}});
    }
    if (fit.threshold) json["threshold"] = {{"bytes", *fit.threshold}, {"measured", !fit.threshold_given}};
    json["rows"] = ordered_json::array();
    for (const FittedRow& row : fit.rows) json["rows"].push_back(row_json(row));
    json["by_rows"] = ordered_json::array();
    for (const PieceCount& each : fit.curve.by_count) {
        json["by_rows"].push_back({{"rows", each.pieces}, {"bic", each.bic}, {"deviation", each.deviation}});
    }
    if (fit.shared) {
        json["shared"] = {{"pairs", fit.shared->pairs},
                          {"saturated_sizes", fit.shared->saturated},
                          {"hold_s", fit.shared->hold.intercept},
                          {"hold_per_byte_s", fit.shared->hold.slope},
                          {"one_saturates", fit.shared->one_saturates},
                          {"deviation", fit.shared->deviation},
                          {"most_bytes_per_s", fit.shared->most_per_second},
                          {"assumptions", assumptions_of(*fit.shared)}};
    }
    json["points"] = ordered_json::array();
    std::size_t row = 0;
    for (std::size_t k = 0; k < fit.messages.size(); ++k) {
        while (k >= fit.rows[row].piece.end) ++row;
        const TimedMessage& each = fit.messages[k];
        const double fitted = fit.rows[row].piece.line.at(static_cast<double>(each.bytes));
        json["points"].push_back({{"bytes", each.bytes},
                                  {"seconds", each.seconds},
                                  {"residual", fitted / each.seconds - 1.0},
                                  {"outlier", static_cast<bool>(fit.curve.outliers[k])}});
    }
    return json;
}

}  // namespace

std::string summary(const std::vector<LayerFit>& layers) {
    std::string text = rows_table(layers);
    for (const LayerFit& fit : layers) {
        text += '\n';
        for (const FittedRow& row : fit.rows) {
            for (const std::string& assumption : row.assumptions) {
                text += fmt::format("assumption  {}, {}: {}\n", fit.layer, sizes_of(row), assumption);
            }
        }
        const auto outliers = std::count(fit.curve.outliers.begin(), fit.curve.outliers.end(), true);
        if (outliers > 0)
            text += fmt::format("{}: {} of {} measured times are outliers\n", fit.layer, outliers, fit.messages.size());
        if (fit.threshold) {
            text += fmt::format("{}: sends of up to {} B return before their receive is posted ({})\n", fit.layer,
                                results::grouped(*fit.threshold), fit.threshold_given ? "given" : "measured");
        }
        if (fit.shared) text += shared_text(fit);
        if (fit.unused_streams) {
            text += fmt::format("{}: a stream of 1 pair within a node determines no cost; it is not used\n", fit.layer);
        }
        std::string counts;
        for (const PieceCount& each : fit.curve.by_count) {
            counts += fmt::format("{}{} ({})", counts.empty() ? "" : ", ", each.pieces, percent_text(each.deviation));
        }
        text += results::wrapped(fmt::format(
                    "{}: the Bayesian information criterion (BIC) selects {} rows. Deviation by number of rows: {}",
                    fit.layer, fit.rows.size(), counts)) +
                "\n";
    }
    return text;
}

ordered_json to_json(const std::vector<LayerFit>& layers) {
    ordered_json json{{"schema", "warpfront.fit/1"}, {"version", WARPFRONT_VERSION}};
    json["layers"] = ordered_json::array();
    for (const LayerFit& fit : layers) json["layers"].push_back(layer_json(fit));
    return json;
}

}  // namespace warpfront::tools
