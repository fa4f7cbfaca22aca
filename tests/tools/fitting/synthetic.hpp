// Tables of benchmarks made from known costs, with noise and outliers that are the same on every host.
#pragma once

#include "simulator/input/source.hpp"
#include "simulator/units/random.hpp"
#include "tests/preamble.hpp"
#include "tools/from_code/fitting/tables.hpp"

namespace warpfront::test {

/// A row of a hardware file, in seconds and seconds per byte. The last one has no end.
struct KnownRow {
    std::uint64_t up_to = UINT64_MAX;
    bool rendezvous = false;
    double o_send = 0.0, o_recv = 0.0, L = 0.0, G = 0.0;

    double half_trip(std::uint64_t bytes) const {
        return o_send + o_recv + (rendezvous ? 3.0 : 1.0) * L + G * static_cast<double>(bytes);
    }
};

inline const KnownRow& row_of(const std::vector<KnownRow>& rows, std::uint64_t bytes) {
    std::size_t row = 0;
    while (bytes > rows[row].up_to) ++row;
    return rows[row];
}

struct Disturbed {
    double noise = 0.0;     // relative standard deviation
    double outliers = 0.0;  // share of times that are half as long again, or three times as long
    std::uint64_t seed = 1;

    double time(double seconds, std::uint64_t bytes) const {
        Random random(Seed{seed}, Purpose::figure, 0, bytes);
        double sum = -6.0;  // of twelve uniform numbers: nearly normal, of variance 1
        for (int k = 0; k < 12; ++k) sum += random.unit();
        const double drawn = random.unit();
        const double factor = drawn < outliers / 2 ? 1.5 : drawn < outliers ? 3.0 : 1.0;
        return seconds * (1.0 + noise * sum) * factor;
    }
};

/// Returns four sizes an octave, as in benchmark.c.
inline std::vector<std::uint64_t> sizes_up_to(std::uint64_t most) {
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t bytes = 1, octave = 1; bytes <= most; bytes += octave < 4 ? 1 : octave / 4) {
        while (2 * octave <= bytes) octave *= 2;
        sizes.push_back(bytes);
    }
    return sizes;
}

inline constexpr std::string_view kHeading = "kind,bytes,pairs,seconds\n";

inline std::string ping_pongs(const std::vector<KnownRow>& rows, const Disturbed& disturbed,
                              std::uint64_t most = 4 << 20) {
    std::string text(kHeading);
    for (const std::uint64_t bytes : sizes_up_to(most)) {
        const double time = disturbed.time(row_of(rows, bytes).half_trip(bytes), bytes);
        text += fmt::format("pingpong,{},1,{:.9g}\n", bytes, time);
    }
    return text;
}

/// Returns all kinds of rows of benchmark.c for one pair.
inline std::string all_kinds(const std::vector<KnownRow>& rows, const Disturbed& disturbed) {
    std::string text = ping_pongs(rows, disturbed);
    for (const std::uint64_t bytes : sizes_up_to(4 << 20)) {
        const KnownRow& row = row_of(rows, bytes);
        text += fmt::format("isend,{},1,{:.9g}\n", bytes, disturbed.time(row.o_send, bytes + 1));
        if (row.rendezvous) continue;
        text += fmt::format("recv,{},1,{:.9g}\n", bytes, disturbed.time(row.o_recv, bytes + 2));
        if (bytes == 1) {
            std::uint64_t eager = 0;
            for (const KnownRow& each : rows) eager = each.rendezvous ? eager : each.up_to;
            text += fmt::format("threshold,{},1,1e-6\n", eager);
        }
    }
    return text;
}

/// Returns a table of streams by 1, 2, 4, ... pairs: a message takes one pair `alone` (seconds), and all pairs together
/// at least their occupancies of the shared resource.
inline std::string streams(std::uint32_t pairs, double alone, double hold, double hold_per_byte) {
    std::string text;
    for (std::uint32_t count = 1; count <= pairs; count *= 2) {
        for (std::uint64_t bytes = 1; bytes <= 1 << 20; bytes *= 2) {
            const double held = count * (hold + hold_per_byte * static_cast<double>(bytes));
            text += fmt::format("stream,{},{},{:.9g}\n", bytes, count, std::max(alone, held));
        }
    }
    return text;
}

inline input::SourceFilePtr source(std::string text, std::string name = "t.csv") {
    return std::make_shared<const input::SourceFile>(std::move(name), std::move(text));
}

/// Reads a table. Throws BadInput with its faults.
inline tools::BenchmarkTable table(std::string text) {
    input::Diagnostics faults;
    tools::BenchmarkTable read = tools::read_benchmark_table(source(std::move(text)), faults);
    faults.raise();
    return read;
}

}  // namespace warpfront::test
