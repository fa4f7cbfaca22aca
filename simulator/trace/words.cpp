#include "simulator/trace/words.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"

namespace warpfront::trace {

namespace {

/// Sizes on x86-64, as obtained from SMPI by `tests/trace/recorded/datatypes.c`.
constexpr std::array<std::int64_t, kLastType + 1> kBytes{
    8,  4,  1,  2,  8,   // 0 DOUBLE, INT, CHAR, SHORT, LONG
    4,  1,  8,  1,  1,   // 5 FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR
    2,  4,  8,  8,  16,  // 10 UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG, UNSIGNED_LONG_LONG, LONG_DOUBLE
    4,  1,  1,  2,  4,   // 15 WCHAR, C_BOOL, INT8_T, INT16_T, INT32_T
    8,  1,  2,  4,  8,   // 20 INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T
    8,  16, 32, 8,  8,   // 25 C_FLOAT_COMPLEX, C_DOUBLE_COMPLEX, C_LONG_DOUBLE_COMPLEX, AINT, OFFSET
    8,  16, 16, 8,  8,   // 30 FLOAT_INT, LONG_INT, DOUBLE_INT, SHORT_INT, 2INT
    8,  16, 16, 4,  4,   // 35 2FLOAT, 2DOUBLE, 2LONG, REAL, REAL4
    8,  16, 8,  16, 16,  // 40 REAL8, REAL16, COMPLEX8, COMPLEX16, COMPLEX32
    4,  2,  4,  8,  16,  // 45 INTEGER1, INTEGER2, INTEGER4, INTEGER8, INTEGER16: with SMPI's sizes
    32, 1,  8,  16, 32,  // 50 LONG_DOUBLE_INT, CXX_BOOL, CXX_FLOAT_COMPLEX, _DOUBLE_, _LONG_DOUBLE_
    0,  0,  1,  8,  8};  // 55 UB, LB, PACKED, a pointer, COUNT

using input::DiagnosticKind;

constexpr double kMostBytes = 9.0e15;  // whole numbers up to it are exact
constexpr double kMostFlops = 1e30;
constexpr double kMostSeconds = 1e30;  // virtual time ends before
constexpr double kMostInt = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kAnyRank = "-333";  // written by SMPI for MPI_ANY_SOURCE and MPI_PROC_NULL
constexpr std::string_view kAnyTag = "-444";

}  // namespace

std::optional<Bytes> size_of_type(std::int64_t number) {
    if (number == kDerivedType) return Bytes{0};
    if (number < 0 || number > kLastType) return std::nullopt;
    return Bytes{kBytes[static_cast<std::size_t>(number)]};
}

std::vector<Word> split_words(std::string_view line) {
    std::vector<Word> words;
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    for (std::size_t at = 0; at < line.size();) {
        if (blank(line[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < line.size() && !blank(line[end])) ++end;
        words.push_back({line.substr(at, end - at), at});
        at = end;
    }
    return words;
}

Words::Words(const input::SourceRange& range, std::vector<Word> words, const Reading& reading,
             input::Diagnostics& faults)
    : range_(range), words_(std::move(words)), reading_(reading), faults_(faults) {}

void Words::refuse(DiagnosticKind kind, const Word& word, std::string message, std::string expected) {
    sound_ = false;
    faults_.add(kind, {range_.source, range_.offset + word.offset, word.text.size()}, std::move(message),
                std::move(expected));
}

double Words::real(const Word& word, double least, double most) {
    const std::optional<double> value = input::number_of<double>(word.text);
    if (!value || !std::isfinite(*value)) {
        refuse(DiagnosticKind::bad_number, word, fmt::format("`{}` is not a number", word.text),
               "expected a decimal number such as `1500` or `1.5e3`");
        return least;
    }
    if (*value < least || *value > most) {
        refuse(DiagnosticKind::out_of_range, word, fmt::format("{} is out of range", word.text),
               fmt::format("expected {:g} to {:g}", least, most));
        return least;
    }
    return *value;
}

std::int64_t Words::whole(const Word& word, double least, double most) {
    const double value = real(word, least, most);
    if (value == std::floor(value)) return static_cast<std::int64_t>(value);
    refuse(DiagnosticKind::bad_number, word, fmt::format("{} is not a whole number", word.text),
           "expected one without a fraction");
    return static_cast<std::int64_t>(least);
}

void Words::check_owner() {
    const Word& first = words_.front();
    const std::int64_t rank = whole(first, 0, kMostInt);
    if (!sound_ || rank == reading_.rank) return;
    refuse(DiagnosticKind::wrong_trace_rank, first, fmt::format("an action of rank {}", rank),
           fmt::format("expected {}: the list names the traces in the order of ranks", reading_.rank));
}

bool Words::is_any_source(std::size_t index) const { return word(index).text == kAnyRank; }

bool Words::is_any_tag(std::size_t index) const { return word(index).text == kAnyTag; }

std::uint32_t Words::rank(std::size_t index) {
    if (word(index).text == kAnyRank) {
        refuse(DiagnosticKind::out_of_range, word(index), fmt::format("{} is not a rank", kAnyRank),
               fmt::format("expected 0 to {}: SMPI writes {} for MPI_PROC_NULL, which is not read", reading_.ranks - 1,
                           kAnyRank));
        return 0;
    }
    const std::int64_t rank = whole(word(index), 0, kMostInt);
    if (rank >= reading_.ranks) {
        refuse(DiagnosticKind::peer_outside, word(index), fmt::format("there is no rank {}", rank),
               fmt::format("expected 0 to {}", reading_.ranks - 1));
    }
    return static_cast<std::uint32_t>(rank);
}

std::uint32_t Words::peer(std::size_t index) {
    const std::uint32_t rank = this->rank(index);
    if (sound_ && rank == reading_.rank) {
        refuse(DiagnosticKind::self_message, word(index), fmt::format("rank {} and itself", rank),
               "expected another rank");
    }
    return rank;
}

std::int32_t Words::tag(std::size_t index) {
    if (word(index).text == kAnyTag) {
        refuse(DiagnosticKind::out_of_range, word(index), fmt::format("{} is not a tag", kAnyTag),
               fmt::format("expected 0 to {:g}: SMPI writes {} for MPI_ANY_TAG, which is not read", kMostInt, kAnyTag));
        return 0;
    }
    return static_cast<std::int32_t>(whole(word(index), 0, kMostInt));
}

Bytes Words::bytes(std::size_t index, std::size_t type, double least) {
    const std::int64_t each = has(type) ? type_bytes(word(type)) : reading_.count_bytes;
    if (!element_) element_ = Bytes{each};
    const std::int64_t count = whole(word(index), least, kMostBytes / static_cast<double>(kLargestType.count));
    const bool derived = has(type) && input::number_of<std::int64_t>(word(type).text) == kDerivedType;
    if (derived && count != 0) size_unknown_ = true;
    return {count * each};
}

Flops Words::flops(std::size_t index) { return {real(word(index), 0, kMostFlops)}; }

double Words::seconds(std::size_t index) { return real(word(index), 0, kMostSeconds); }

std::int64_t Words::type_bytes(const Word& word) {
    const std::optional<std::int64_t> type = input::number_of<std::int64_t>(word.text);
    const std::optional<Bytes> size = type ? size_of_type(*type) : std::nullopt;
    if (!size) {
        refuse(DiagnosticKind::out_of_range, word, fmt::format("`{}` is not an SMPI datatype", word.text),
               fmt::format("expected 0 (MPI_DOUBLE) to {}, or {} for a derived one", kLastType, kDerivedType));
        return 0;
    }
    return size->count;
}

}  // namespace warpfront::trace
