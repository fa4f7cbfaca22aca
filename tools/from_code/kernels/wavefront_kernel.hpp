// A small kernel with the data dependencies of Sweep3D: along each of three directions a cell needs the result of the
// previous cell. Its achieved rate is an estimate of that of a wavefront code on the processor.
#pragma once

#include <vector>

namespace warpfront::kernels {

class WavefrontKernel {
public:
    WavefrontKernel();
    /// Sweeps once over the cells for every angle.
    void sweep();
    /// Returns the floating-point operations of one sweep.
    static double flops();

private:
    std::vector<double> source_, total_;       // by cell
    std::vector<double> east_, north_, down_;  // the flow from cell to cell
};

}  // namespace warpfront::kernels
