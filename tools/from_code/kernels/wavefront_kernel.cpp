#include "tools/from_code/kernels/opcode_loops.hpp"

#include <cstddef>

namespace warpfront::kernels {

namespace {

// The rows are so long that a processor cannot work on the next row while it waits for the last cell of this one, as it
// does with rows of 10. There are so few rows that the swept data stay in the first cache.
constexpr std::size_t kRow = 40;
constexpr std::size_t kSide = 7;
constexpr std::size_t kCells = kRow * kSide * kSide;
constexpr std::size_t kAngles = 6;
constexpr double kFlopsOfCell = 14.0;  // 6 in the numerator, 3 in the denominator, the division, 4 for the outflow

}  // namespace

WavefrontKernel::WavefrontKernel()
    : source_(kCells, 1.0), total_(kCells, 2.0), east_(kSide, 0.1), north_(kRow, 0.1), down_(kRow * kSide, 0.1) {}

double WavefrontKernel::flops() { return kFlopsOfCell * static_cast<double>(kCells) * static_cast<double>(kAngles); }

void WavefrontKernel::sweep() {
    for (std::size_t angle = 0; angle < kAngles; ++angle) {
        const double weight = 0.25 + 0.01 * static_cast<double>(angle);
        for (std::size_t k = 0; k < kSide; ++k) {
            for (std::size_t j = 0; j < kSide; ++j) {
                double inflow = east_[j];
                double* const down = &down_[j * kRow];
                const double* const source = &source_[(k * kSide + j) * kRow];
                const double* const total = &total_[(k * kSide + j) * kRow];
                for (std::size_t i = 0; i < kRow; ++i) {
                    const double flux = (source[i] + weight * inflow + weight * north_[i] + weight * down[i]) /
                                        (total[i] + weight + weight + weight);
                    inflow = 2.0 * flux - inflow;
                    north_[i] = 2.0 * flux - north_[i];
                    down[i] = 2.0 * flux - down[i];
                }
                east_[j] = inflow;
            }
        }
    }
}

}  // namespace warpfront::kernels
