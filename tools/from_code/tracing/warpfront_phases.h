/* Names of phases in a recorded code, in place of MPI_Pcontrol(1), (2) ... and MPI_Pcontrol(0):
 *
  *   warpfront_phase("sweeps");   the following calls belong to this phase
  *   warpfront_phase(0);          the following calls belong to no phase
  *
  * Without the tracer the function does nothing and costs the test of a pointer. */
#ifndef WARPFRONT_PHASES_H
#define WARPFRONT_PHASES_H

#ifdef __cplusplus
extern "C" {
#endif
extern void warpfront_tracer_phase(const char* name) __attribute__((weak));
#ifdef __cplusplus
}
#endif

static inline void warpfront_phase(const char* name) {
    if (warpfront_tracer_phase) warpfront_tracer_phase(name);
}

#endif
