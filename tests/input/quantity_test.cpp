#include <locale>

#include "simulator/input/decimal.hpp"
#include "simulator/input/quantity.hpp"
#include "tests/faults.hpp"
#include "tests/input/collected.hpp"

using namespace warpfront::input;

namespace {

constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();

double value(const std::string& text, Dimension dimension) {
    Diagnostics faults;
    const Quantity quantity = parse_quantity(text, whole(source_of(text)), dimension, faults);
    CHECK(faults.render() == "");
    CHECK(quantity.dimension == dimension);
    return quantity.value;
}

std::string summary(const std::string& text, Dimension dimension) {
    Diagnostics faults;
    parse_quantity(text, whole(source_of(text, "--set")), dimension, faults);
    return test::summary_of(faults);
}

template <class Parse>
auto good(const std::string& text, Parse parse) {
    Diagnostics faults;
    const auto result = parse(text, whole(source_of(text)), faults);
    CHECK(faults.render() == "");
    return result;
}

template <class Parse>
Diagnostic bad(const std::string& text, Parse parse) {
    Diagnostics faults;
    parse(text, whole(source_of(text)), faults);
    return only(faults);
}

auto integer_in(std::int64_t least, std::int64_t most) {
    return [=](const std::string& text, const SourceRange& range, Diagnostics& faults) {
        return parse_integer(text, range, least, most, faults);
    };
}

}  // namespace

TEST_CASE("a quantity is a number and a unit of its dimension, with or without blanks") {
    struct Row {
        Dimension dimension;
        const char* text;
        double value;
    };
    using enum Dimension;
    constexpr double kKi = 1024;
    for (const Row& each : {
             Row{time, "2s", 2},
             Row{time, "2 s", 2},
             Row{time, " 2s ", 2},
             Row{time, "3min", 180},
             Row{time, "2h", 7200},
             Row{time, "5ms", 5 * 1e-3},
             Row{time, "5us", 5 * 1e-6},
             Row{time, "5ns", 5 * 1e-9},
             Row{time, "5ps", 5 * 1e-12},
             // k means a thousand and Ki 1024
             Row{bytes, "3B", 3},
             Row{bytes, "3kB", 3000},
             Row{bytes, "3KB", 3000},
             Row{bytes, "3KiB", 3 * kKi},
             Row{bytes, "3MB", 3e6},
             Row{bytes, "3MiB", 3 * kKi * kKi},
             Row{bytes, "3GB", 3e9},
             Row{bytes, "3GiB", 3 * kKi * kKi * kKi},
             Row{bytes, "3TB", 3e12},
             Row{bytes, "3TiB", 3 * kKi * kKi * kKi * kKi},
             Row{gap, "2us/B", 2e-6},
             Row{gap, "3ns/B", 3 * 1e-9},
             // a bandwidth in place of a gap means its inverse
             Row{gap, "4Bps", 0.25},
             Row{gap, "2GBps", 0.5e-9},
             Row{gap, "10Mbps", 1.0 / 1.25e6},
             Row{flop_rate, "350Mflops", 350e6},
             Row{flop_rate, "2Gflops", 2e9},
             Row{number, "0.5", 0.5},
             Row{number, "-3", -3},
             Row{number, "+3", 3},
             Row{number, "1e3", 1000},
             Row{number, ".5", 0.5},
         }) {
        CAPTURE(each.text);
        CHECK(value(each.text, each.dimension) == each.value);
    }
}

TEST_CASE("a bandwidth takes every prefix, with p and with a slash, in bytes or in bits, of which a byte has eight") {
    const std::vector<std::pair<std::string, double>> prefixes{
        {"", 1.0},   {"k", 1000.0},  {"K", 1000.0},         {"M", 1e6},      {"G", 1e9},
        {"T", 1e12}, {"Ki", 1024.0}, {"Mi", 1024.0 * 1024}, {"Gi", 1 << 30}, {"Ti", std::exp2(40)}};
    for (const std::pair<std::string, double>& each : prefixes) {
        const auto& prefix = each.first;
        const double factor = each.second;
        CAPTURE(prefix);
        for (const std::string second : {"ps", "/s"}) {
            CHECK(value("16" + prefix + "B" + second, Dimension::bandwidth) == 16 * factor);
            CHECK(value("16" + prefix + "b" + second, Dimension::bandwidth) == 2 * factor);  // 16 / 8
            CHECK(value("16" + prefix + "b" + second, Dimension::gap) == 1.0 / (2 * factor));
        }
    }
}

TEST_CASE("the decimal point does not depend on the user's locale") {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    CHECK(value("0.25", Dimension::number) == 0.25);
    std::locale::global(before);
}

TEST_CASE("every unit is found by its name, and none by another case") {
    for (const Unit& unit : units()) CHECK(find_unit(unit.name) == &unit);
    CHECK(find_unit("US") == nullptr);
    CHECK(find_unit("") == nullptr);
}

TEST_CASE("a bad quantity is marked at its number or its unit, with what is expected") {
    CHECK(summary("fast", Dimension::time) ==
          "--set:1:1 bad_number [fast] `fast` is not a number | expected a time, such as `0.4us`");
    // a missing unit is not guessed
    CHECK(summary("0.414", Dimension::time) ==
          "--set:1:1 missing_unit [0.414] `0.414` has no unit | expected a time, such as `0.4us`");
    CHECK(summary("8 KiB", Dimension::time) ==
          "--set:1:3 wrong_unit [KiB] `KiB` is a unit of bytes | expected a time, such as `0.4us`");
    CHECK(summary("1s", Dimension::number) ==
          "--set:1:2 wrong_unit [s] `s` is a unit of time | expected a number without a unit");
    CHECK(summary("3uss", Dimension::time) == "--set:1:2 unknown_unit [uss] unknown unit `uss` | did you mean `us`?");
    CHECK(summary("3parsec", Dimension::time) ==
          "--set:1:2 unknown_unit [parsec] unknown unit `parsec` | expected one of `ps`, `ns`, `us`, `ms`, `s`, `min`, "
          "`h`");
    // for a time per byte, the nearest unit may be one of bandwidth
    CHECK(summary("3GBs", Dimension::gap) == "--set:1:2 unknown_unit [GBs] unknown unit `GBs` | did you mean `GBps`?");
}

TEST_CASE("infinities, signs alone, grouped digits and decimal commas are not numbers") {
    for (const std::string text :
         {"", " ", "us", "inf", "nan", "infus", "-", "+", "+-1", "--1", "1,000", "1_000", "0,414us", "1.2.3"}) {
        CAPTURE(text);
        Diagnostics faults;
        parse_quantity(text, whole(source_of(text)), Dimension::number, faults);
        CHECK(only(faults).kind == bad_number);
    }
}

TEST_CASE("a number beyond the range of doubles is a fault, not infinity") {
    Diagnostics faults;
    CHECK(parse_quantity("1e400s", whole(source_of("1e400s")), Dimension::time, faults).value == 0.0);
    const Diagnostic fault = only(faults);
    CHECK(fault.kind == out_of_range);
    CHECK(fault.message == "`1e400` is beyond the range of numbers");
    CHECK(fault.range.length == 5);
}

TEST_CASE("a number that overflows only with its unit is a fault as well") {
    Diagnostics faults;
    CHECK(parse_quantity("1e308h", whole(source_of("1e308h")), Dimension::time, faults).value == 0.0);
    CHECK(only(faults).kind == out_of_range);
}

TEST_CASE("a unit is suggested only if it is the same amount in every reading of what was written") {
    const auto suggests = [](const std::string& unit, Dimension dimension) {
        Diagnostics faults;
        parse_quantity("3" + unit, whole(source_of("3" + unit)), dimension, faults);
        REQUIRE(only(faults).kind == unknown_unit);
        const std::string remedy = only(faults).expected;
        return remedy.starts_with("did you mean") ? remedy : std::string();
    };
    for (const std::string unit : {"m", "M", "ks", "Ms", "MS", "US", "S", "nms"}) {
        CAPTURE(unit);  // minutes or milliseconds, picoseconds to milliseconds, another case
        CHECK(suggests(unit, Dimension::time) == "");
    }
    for (const std::string unit : {"mb", "Mb", "Kb", "kb", "kib", "Kib", "mB", "gB", "b", "G"}) {
        CAPTURE(unit);  // bits or bytes, milli or mega
        CHECK(suggests(unit, Dimension::bytes) == "");
    }
    for (const std::string unit :
         {"gb/s", "GB/S", "gbps", "Gps", "G/s", "mbps", "Gbit/s", "kBit/s", "MBit/s", "MBits/s"}) {
        CAPTURE(unit);
        CHECK(suggests(unit, Dimension::bandwidth) == "");
    }
    CHECK(suggests("MFlops", Dimension::flop_rate) == "");
    CHECK(suggests("Mflop", Dimension::flop_rate) == "did you mean `Mflops`?");
    CHECK(suggests("mss", Dimension::time) == "did you mean `ms`?");
    CHECK(suggests("Gbs", Dimension::bandwidth) == "did you mean `Gbps`?");
    CHECK(suggests("GiBs", Dimension::bandwidth) == "did you mean `GiBps`?");
}

TEST_CASE("if no unit is near, existing ones are listed, or the structure of their names") {
    CHECK(summary("3Kb", Dimension::bytes) ==
          "--set:1:2 unknown_unit [Kb] unknown unit `Kb` | expected one of `B`, `kB`, `KB`, `MB`, `GB`, `TB`, `KiB`, "
          "`MiB`, `GiB`, `TiB`");
    CHECK(summary("3gb/s", Dimension::bandwidth) ==
          "--set:1:2 unknown_unit [gb/s] unknown unit `gb/s` | expected `B/s` or `Bps` (bytes), `b/s` or `bps` (bits), "
          "alone or after k, M, G, T, Ki, Mi, Gi or Ti");
    CHECK(summary("3gb/s", Dimension::gap) ==
          "--set:1:2 unknown_unit [gb/s] unknown unit `gb/s` | expected one of `ps/B`, `ns/B`, `us/B`, `ms/B`, `s/B`, "
          "`min/B`, "
          "`h/B`; or `B/s` or `Bps` (bytes), `b/s` or `bps` (bits), alone or after k, M, G, T, Ki, Mi, Gi or Ti");
}

TEST_CASE("a text that differs from its source, such as one with escapes, is marked whole") {
    Diagnostics faults;
    const SourceFilePtr source = source_of("wg: \"3\\u0020uss\"");
    parse_quantity("3 uss", {source, 4, 12}, Dimension::time, faults);
    CHECK(only(faults).range.offset == 4);
    CHECK(only(faults).range.length == 12);
}

TEST_CASE("a time is rounded to the nearest picosecond, from nothing to a week") {
    CHECK(good("0.414us", parse_time) == Time{414'000});
    CHECK(good("1.5ps", parse_time) == Time{2});
    CHECK(good("0.4ps", parse_time) == Time{0});
    CHECK(good("0s", parse_time) == Time{0});
    CHECK(good("576460s", parse_time) == Time{576'460'000'000'000'000});
    CHECK(bad("576461s", parse_time).kind == out_of_range);
    CHECK(bad("-1us", parse_time).kind == out_of_range);
    CHECK(bad("-1us", parse_time).expected == "expected a time from 0 to 576460s");
}

TEST_CASE("bytes are whole, after the unit is applied, from nothing to 2^53") {
    CHECK(good("1.5KiB", parse_bytes) == Bytes{1536});
    CHECK(good("8.2kB", parse_bytes) == Bytes{8200});
    CHECK(bad("1.5B", parse_bytes).kind == bad_number);
    CHECK(bad("1.005B", parse_bytes).kind == bad_number);
    CHECK(bad("1.5B", parse_bytes).message == "`1.5B` is not a whole number of bytes");
    CHECK(good("9007199254740992B", parse_bytes) == Bytes{9'007'199'254'740'992});
    CHECK(bad("-1B", parse_bytes).kind == out_of_range);
    CHECK(bad("1e10GB", parse_bytes).kind == out_of_range);
}

TEST_CASE("gaps and bandwidths are not negative, and a bandwidth of nothing has no gap") {
    CHECK(good("0us/B", parse_gap) == Gap{0.0});
    CHECK(bad("-1us/B", parse_gap).kind == out_of_range);
    CHECK(bad("0Bps", parse_gap).kind == out_of_range);
    CHECK(good("6GBps", parse_bandwidth) == Bandwidth{6e9});
    CHECK(bad("-6GBps", parse_bandwidth).kind == out_of_range);
}

TEST_CASE("an integer is whole, without a unit, and within its bounds, which a fault names") {
    CHECK(good("12", integer_in(1, 12)) == 12);
    CHECK(good("+12", integer_in(1, 12)) == 12);
    CHECK(good(" 12 ", integer_in(1, 12)) == 12);
    CHECK(good("-9223372036854775808", integer_in(std::numeric_limits<std::int64_t>::min(), 0)) ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(bad("0", integer_in(1, 12)).kind == out_of_range);
    CHECK(bad("13", integer_in(1, 12)).expected == "expected a whole number from 1 to 12");
    CHECK(bad("0", integer_in(1, kAny)).expected == "expected a whole number of at least 1");
    CHECK(bad("many", integer_in(std::numeric_limits<std::int64_t>::min(), kAny)).expected ==
          "expected a whole number");
    CHECK(bad("9223372036854775808", integer_in(1, kAny)).kind == out_of_range);
    CHECK(bad("3.5", integer_in(1, 12)).message == "`3.5` is not a whole number");
    for (const std::string text : {"3.5", "", "many"}) {
        CHECK(bad(text, integer_in(1, 12)).kind == bad_number);
    }
    const Diagnostic fault = bad("3us", integer_in(1, 12));
    CHECK(fault.kind == wrong_unit);
    CHECK(fault.range.offset == 1);
    CHECK(fault.range.length == 2);
}

TEST_CASE("a bad integer still lies within its bounds") {
    Diagnostics faults;
    CHECK(parse_integer("many", {}, 5, 9, faults) == 5);
}

TEST_CASE("numbers times a unit are exact where the product is whole") {
    // every n thousandths of a microsecond are n times 1000 ps
    for (int n = 1; n < 1000; ++n) {
        const std::string text = "0." + std::string(n < 10 ? "00" : n < 100 ? "0" : "") + std::to_string(n);
        CAPTURE(text);
        CHECK(scaled(read_decimal(text), 1e6L) == 1000.0L * static_cast<long double>(n));
    }
}

TEST_CASE("a number ends where its digits do") {
    CHECK(read_decimal("12us").length == 2);
    CHECK(read_decimal("1..4").length == 1);
    CHECK(read_decimal("1.5.2").length == 3);
    CHECK(read_decimal("2e3ps").length == 3);
    CHECK(read_decimal("2e-3s").length == 4);
    CHECK(read_decimal("2eggs").length == 1);
    CHECK(read_decimal("us").length == 0);
    CHECK(read_decimal(".5").length == 0);
}

TEST_CASE("only bare digits are whole") {
    CHECK(read_decimal("120").whole);
    CHECK(!read_decimal("120.0").whole);
    CHECK(!read_decimal("12e1").whole);
}

TEST_CASE("exponents of any size give zero or infinity, at once") {
    CHECK(scaled(read_decimal("1e-999999999999"), 1.0L) == 0.0L);
    CHECK(std::isinf(scaled(read_decimal("1e999999999999"), 1.0L)));
}

TEST_CASE("a number ends where its unit begins, blanks or not") {
    for (const std::string text : {"3.85us", " 3.85 us ", "3.85\tus"}) {
        CAPTURE(text);
        const auto number = number_with_unit(text);
        REQUIRE(number);
        CHECK(number->value == 3.85);
        CHECK(number->unit == "us");
    }
    CHECK(number_with_unit("-2")->value == -2.0);
    CHECK(number_with_unit("-2")->unit.empty());
    CHECK(number_with_unit("3 %")->unit == "%");
}

TEST_CASE("text that begins with no number is none") {
    for (const std::string text : {"", " ", "us", "us 3", "+3us", "1e999"}) CHECK_FALSE(number_with_unit(text));
}

TEST_CASE("the first `+-` parts a value from its deviation") {
    const auto figure = split_deviation(" 0.414us +- 0.01us ");
    REQUIRE(figure);
    CHECK(figure->value == "0.414us");
    CHECK(figure->deviation == "0.01us");
    CHECK(split_deviation("-3+-2")->value == "-3");
    CHECK(split_deviation("1 +- 2 +- 3")->deviation == "2 +- 3");
}

TEST_CASE("either side may be missing, the sign may not") {
    CHECK(split_deviation("+- 1us")->value.empty());
    CHECK(split_deviation("1us +-")->deviation.empty());
    CHECK_FALSE(split_deviation("0.414us"));
    CHECK_FALSE(split_deviation("3 + -2"));
}
