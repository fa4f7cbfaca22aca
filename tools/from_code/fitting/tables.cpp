#include "tools/from_code/fitting/tables.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/file_kind.hpp"

namespace warpfront::tools {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceFilePtr;
using input::SourceRange;

constexpr std::string_view kHeading = "kind,bytes,pairs,seconds";
constexpr std::string_view kOsuTest = "# OSU MPI";  // builds for GPUs: `# OSU MPI-CUDA`
constexpr std::string_view kImbTest = "# Benchmarking PingPong";
constexpr std::array<std::string_view, 5> kKinds{"pingpong", "send", "isend", "recv", "stream"};
constexpr std::string_view kThreshold = "threshold";
constexpr double kMicro = 1e-6;
constexpr double kMega = 1e6;
constexpr double kMebi = 1048576.0;
constexpr double kContradiction = 0.1;  // relative difference of two columns beyond which they contradict each other
constexpr double kJump = 300.0;         // factor between times of near sizes beyond which units are mixed
constexpr double kNearSizes = 32.0;     // largest factor between near sizes

/// A piece of a line, and its place.
struct Cell {
    std::string_view text;
    SourceRange range;
};

class TableReader {
public:
    TableReader(const SourceFilePtr& source, Diagnostics& faults) : source_(source), faults_(faults) {
        table_.source = source;
        for (unsigned number = 1; source->line_start(number) < source->text().size(); ++number) {
            lines_.push_back(input::range_of_line(source, number));
        }
    }

    BenchmarkTable read() {
        input::refuse_other_kind(source_, {input::FileKind::table}, "a table of a benchmark");
        for (std::size_t at = 0; at < lines_.size(); ++at) {
            const std::string_view line = text_of_line(at);
            if (line == kHeading) return read_rows("benchmark.c", at + 1, &TableReader::benchmark_row);
            if (line.starts_with(kOsuTest)) return read_osu(at);
            if (line.starts_with(kImbTest)) return read_imb(at);
            if (!line.empty() && line.front() != '#' && cells(at).size() == 3 && is_number(cells(at).front().text)) {
                return read_rows("NetPIPE", at, &TableReader::netpipe_row);
            }
            if (line.starts_with("kind,")) {
                faults_.add(DiagnosticKind::unknown_table, lines_[at], "the heading has unknown columns",
                            fmt::format("expected `{}`", kHeading));
                return std::move(table_);
            }
        }
        faults_.add(
            DiagnosticKind::unknown_table, lines_.empty() ? SourceRange{source_, 0, 0} : lines_.front(),
            fmt::format("`{}` is not a table of a known benchmark", source_->name()),
            fmt::format("expected the heading `{}` of tools/from_code/fitting/benchmark.c, three columns of NetPIPE, "
                        "`{}... Test`, or `{}` of IMB",
                        kHeading, kOsuTest, kImbTest));
        return std::move(table_);
    }

private:
    using RowReader = void (TableReader::*)(std::size_t line);

    std::string_view text_of_line(std::size_t at) const {
        return input::trimmed(source_->text().substr(lines_[at].offset, lines_[at].length), " \t\r");
    }

    static bool is_number(std::string_view text) { return input::number_of<double>(text).has_value(); }

    /// Returns the words of a line, or the texts between commas if the line has commas.
    std::vector<Cell> cells(std::size_t at) const {
        const std::string_view line = source_->text().substr(lines_[at].offset, lines_[at].length);
        const std::string_view between = line.find(',') == std::string_view::npos ? " \t\r" : ",\r";
        std::vector<Cell> found;
        for (std::size_t start = 0; (start = line.find_first_not_of(between, start)) != std::string_view::npos;) {
            const std::size_t end = std::min(line.find_first_of(between, start), line.size());
            found.push_back({line.substr(start, end - start), {source_, lines_[at].offset + start, end - start}});
            start = end;
        }
        return found;
    }

    /// Returns the cells of a row; none, and a fault, if the row has another number of columns.
    std::vector<Cell> row_of(std::size_t at, std::size_t columns) {
        std::vector<Cell> row = cells(at);
        if (row.size() == columns) return row;
        faults_.add(DiagnosticKind::ragged_row, lines_[at],
                    fmt::format("the row has {}", input::counted(row.size(), "column")),
                    fmt::format("expected {} columns in a table of {}", columns, table_.format));
        return {};
    }

    /// Reads every line that is neither empty nor a comment.
    BenchmarkTable read_rows(std::string_view format, std::size_t from, RowReader read_row) {
        table_.format = format;
        for (std::size_t at = from; at < lines_.size(); ++at) {
            const std::string_view line = text_of_line(at);
            if (!line.empty() && line.front() != '#') (this->*read_row)(at);
        }
        check_order();
        return std::move(table_);
    }

    std::optional<std::uint64_t> whole(const Cell& cell) {
        const auto number = input::number_of<std::uint64_t>(cell.text);
        if (!number || *number > (std::uint64_t{1} << 40)) {
            faults_.add(DiagnosticKind::bad_number, cell.range, fmt::format("`{}` is not a size", cell.text),
                        "expected a whole number");
            return std::nullopt;
        }
        return number;
    }

    /// Reads a time or a rate.
    std::optional<double> positive(const Cell& cell, std::string_view what) {
        const auto number = input::number_of<double>(cell.text);
        if (!number || !std::isfinite(*number)) {
            faults_.add(DiagnosticKind::bad_number, cell.range, fmt::format("`{}` is not a {}", cell.text, what),
                        "expected a number");
            return std::nullopt;
        }
        if (*number > 0.0) return number;
        faults_.add(DiagnosticKind::out_of_range, cell.range, fmt::format("the {} is {}", what, cell.text),
                    "expected more than 0");
        return std::nullopt;
    }

    void add(Timed kind, std::optional<std::uint64_t> bytes, std::uint32_t pairs, std::optional<double> seconds,
             const SourceRange& range) {
        if (bytes && seconds) table_.messages.push_back({kind, *bytes, pairs, *seconds, range});
    }

    void benchmark_row(std::size_t at) {
        const std::vector<Cell> row = row_of(at, 4);
        if (row.empty()) return;
        const auto bytes = whole(row[1]);
        const auto pairs = whole(row[2]);
        const auto seconds = positive(row[3], "time");
        if (row[0].text == kThreshold) {
            table_.threshold = bytes;
            return;
        }
        const auto kind = std::find(kKinds.begin(), kKinds.end(), row[0].text);
        if (kind == kKinds.end()) {
            std::vector<std::string> known(kKinds.begin(), kKinds.end());
            known.emplace_back(kThreshold);
            faults_.add(DiagnosticKind::bad_choice, row[0].range,
                        fmt::format("no kind of row is called `{}`", input::escaped(row[0].text, 40)),
                        input::suggestion(row[0].text, known));
            return;
        }
        if (pairs && (*pairs < 1 || *pairs > 1'000'000)) {
            faults_.add(DiagnosticKind::out_of_range, row[2].range, fmt::format("the number of pairs is {}", *pairs),
                        "expected 1 to 1,000,000");
            return;
        }
        add(static_cast<Timed>(kind - kKinds.begin()), bytes, static_cast<std::uint32_t>(pairs.value_or(1)), seconds,
            row[3].range);
    }

    void contradicts(const Cell& cell, double expected, std::string_view unit) {
        faults_.add(DiagnosticKind::table_units, cell.range,
                    fmt::format("{} {} contradict the other columns", cell.text, unit),
                    fmt::format("expected about {:.4g} {}, with the same units in all rows", expected, unit));
    }

    void netpipe_row(std::size_t at) {
        const std::vector<Cell> row = row_of(at, 3);
        if (row.empty()) return;
        const auto bytes = whole(row[0]);
        const auto rate = positive(row[1], "rate");
        const auto seconds = positive(row[2], "time");
        if (!bytes || !rate || !seconds) return;
        constexpr double kLastDigit = 1e-8;
        const double by_rate = 8.0 * static_cast<double>(*bytes) / (*rate * kMebi);
        if (std::abs(by_rate - *seconds) > kContradiction * by_rate + kLastDigit) {
            contradicts(row[2], by_rate, "s");
            return;
        }
        add(Timed::pingpong, bytes, 1, by_rate, row[2].range);
    }

    BenchmarkTable read_osu(std::size_t at) {
        const std::string_view name = osu_test(text_of_line(at));
        const bool several = name.starts_with("Multiple Bandwidth");
        osu_stream_ = several || name.starts_with("Bandwidth Test");
        if (!osu_stream_ && !name.starts_with("Latency Test")) {
            faults_.add(DiagnosticKind::unknown_table, lines_[at], "this test of OSU is not supported",
                        "expected `Latency Test`, `Bandwidth Test` or `Multiple Bandwidth`");
            return std::move(table_);
        }
        table_.format = "OSU";
        osu_columns_ = several ? 3 : 2;
        for (std::size_t next = at + 1; next < lines_.size() && text_of_line(next).starts_with('#'); ++next, ++at) {
            const std::string_view line = text_of_line(next);
            constexpr std::string_view kPairs = "pairs:";
            if (const std::size_t pairs = line.find(kPairs); pairs != std::string_view::npos) {
                const std::string_view number = input::trimmed(line.substr(pairs + kPairs.size()));
                osu_pairs_ = std::max(input::leading_number<std::uint32_t>(number).value, 1U);
            }
            if (line.starts_with("# Size")) read_osu_heading(next);
        }
        return read_rows("OSU", at + 1, &TableReader::osu_row);
    }

    /// Returns the name of the test: `Latency Test v5.9` of `# OSU MPI-CUDA Latency Test v5.9`.
    static std::string_view osu_test(std::string_view title) {
        title.remove_prefix(std::min(title.find(' ', kOsuTest.size()), title.size()));
        return input::trimmed(title);
    }

    /// Checks the unit, and counts the columns that options of the benchmark append.
    void read_osu_heading(std::size_t at) {
        const std::string_view unit = osu_stream_ ? "MB/s" : "us";
        if (text_of_line(at).find(unit) == std::string_view::npos) {
            faults_.add(DiagnosticKind::table_units, lines_[at], "the heading lacks the unit of this test",
                        fmt::format("expected `{}`", unit));
        }
        for (const Cell& cell : cells(at)) {
            const bool is_percentile =
                cell.text.size() > 1 && cell.text[0] == 'P' && cell.text[1] >= '0' && cell.text[1] <= '9';
            const bool is_of_option = cell.text == "Min" || cell.text == "Max" || cell.text == "Iterations" ||
                                      cell.text == "Validation" || is_percentile;
            if (is_of_option) ++osu_columns_;
        }
    }

    void osu_row(std::size_t at) {
        const std::vector<Cell> row = row_of(at, osu_columns_);
        if (row.empty()) return;
        const auto bytes = whole(row[0]);
        const auto number = positive(row[1], osu_stream_ ? "rate" : "time");
        if (!bytes || !number) return;
        const double seconds =
            osu_stream_ ? osu_pairs_ * static_cast<double>(*bytes) / (*number * kMega) : *number * kMicro;
        if (seconds > 0.0) add(osu_stream_ ? Timed::stream : Timed::pingpong, bytes, osu_pairs_, seconds, row[1].range);
    }

    /// Reads rows up to the next line that is not a row.
    BenchmarkTable read_imb(std::size_t at) {
        table_.format = "IMB";
        const auto is_row = [&](std::size_t line) {
            const std::vector<Cell> row = cells(line);
            return !row.empty() && is_number(row.front().text);
        };
        while (++at < lines_.size() && !is_row(at)) {
            if (!text_of_line(at).starts_with("#bytes")) continue;
            if (text_of_line(at).find("t[usec]") == std::string_view::npos) {
                faults_.add(DiagnosticKind::table_units, lines_[at], "the heading lacks the unit of time",
                            "expected `t[usec]`");
            }
        }
        for (; at < lines_.size() && is_row(at); ++at) imb_row(at);
        check_order();
        return std::move(table_);
    }

    void imb_row(std::size_t at) {
        const std::vector<Cell> row = row_of(at, 4);
        if (row.empty()) return;
        const auto bytes = whole(row[0]);
        const auto time = positive(row[2], "time");
        const auto rate = input::number_of<double>(row[3].text);
        if (!bytes || !time) return;
        constexpr double kLastDigit = 0.01;
        // The megabyte of the table is 10^6 bytes; in tables of earlier versions it is 2^20.
        const double by_time = static_cast<double>(*bytes) / *time;
        const double most = by_time * (1.0 + kContradiction) + kLastDigit + kLastDigit / *time * by_time;
        const double least =
            by_time * (kMega / kMebi) * (1.0 - kContradiction) - kLastDigit - kLastDigit / *time * by_time;
        if (!rate || *rate > most || *rate < least) {
            contradicts(row[3], by_time, "Mbytes/sec");
            return;
        }
        add(Timed::pingpong, bytes, 1, *time * kMicro, row[2].range);
    }

    /// Checks that sizes of a kind ascend, and that times do not jump, which would indicate mixed units.
    void check_order() {
        std::map<std::pair<Timed, std::uint32_t>, const TimedMessage*> last;
        for (const TimedMessage& each : table_.messages) {
            const TimedMessage*& before = last[{each.kind, each.pairs}];
            if (before != nullptr && each.bytes <= before->bytes) {
                faults_.add(DiagnosticKind::table_order, each.range,
                            fmt::format("{} B follows {} B", each.bytes, before->bytes),
                            "expected ascending sizes of each kind");
            } else if (before != nullptr && jumps(*before, each)) {
                faults_.add(DiagnosticKind::table_units, each.range,
                            fmt::format("the time of {:.4g} s for {} B follows {:.4g} s for {} B", each.seconds,
                                        each.bytes, before->seconds, before->bytes),
                            "expected the same unit for all times");
            }
            before = &each;
        }
    }

    static bool jumps(const TimedMessage& before, const TimedMessage& each) {
        if (each.kind != Timed::pingpong && each.kind != Timed::stream) return false;
        const double sizes = static_cast<double>(each.bytes) / std::max(static_cast<double>(before.bytes), 1.0);
        const double times = each.seconds / before.seconds;
        return sizes < kNearSizes && (times > kJump || times < 1.0 / kJump);
    }

    SourceFilePtr source_;
    Diagnostics& faults_;
    std::vector<SourceRange> lines_;
    BenchmarkTable table_;
    bool osu_stream_ = false;
    std::size_t osu_columns_ = 2;
    std::uint32_t osu_pairs_ = 1;
};

}  // namespace

std::vector<TimedMessage> BenchmarkTable::of_kind(Timed kind) const {
    std::vector<TimedMessage> found;
    std::copy_if(messages.begin(), messages.end(), std::back_inserter(found),
                 [kind](const TimedMessage& each) { return each.kind == kind; });
    std::stable_sort(found.begin(), found.end(),
                     [](const TimedMessage& a, const TimedMessage& b) { return a.bytes < b.bytes; });
    return found;
}

BenchmarkTable read_benchmark_table(const SourceFilePtr& source, Diagnostics& faults) {
    return TableReader(source, faults).read();
}

}  // namespace warpfront::tools
