// A small kernel shaped like that of Sweep3D: along each of three directions a cell needs what the one before it has
// computed. Its achieved rate is what a wavefront code may expect of a processor.
#pragma once

#include <vector>

namespace warpfront::kernels {

class WavefrontKernel {
public:
    WavefrontKernel();
    /// One sweep over the cells for every angle.
    void sweep();
    /// Floating-point operations of one sweep.
    static double flops();

private:
    std::vector<double> source_, total_;       // by cell
    std::vector<double> east_, north_, down_;  // what flows from cell to cell
};

}  // namespace warpfront::kernels
