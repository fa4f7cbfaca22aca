#!/usr/bin/python3
"""The engines from Python: where ranks wait, which tile height is best, how near predictions are to measurements.

From the project's folder, without installing:
    PYTHONPATH=build/python /usr/bin/python3 tools/embedding/example.py
"""
import numpy
import warpfront

SCENARIO = "models/chimaera/chimaera.yaml"

# One run: arrays have an entry for each rank, row by row.
run = warpfront.predict(SCENARIO, ["ranks.columns=8", "ranks.rows=4", "iterations=1", "calibration=off"])
waiting = (run.wait_s + run.bus_wait_s).reshape(run.rows, run.columns)
row, column = numpy.unravel_index(waiting.argmax(), waiting.shape)
print(f"{run.time_s:.6f} s on {run.columns} x {run.rows} ranks; the rank in column {column + 1}, row {row + 1} waits "
      f"longest: {waiting.max():.6f} s")

# The closed form over a parameter.
times = {height: warpfront.predict(SCENARIO, [f"parameters.htile={height}"], engine="analytic").time_s
         for height in (1, 2, 5, 10)}
print(f"the best tile height of {list(times)}: {min(times, key=times.get)}")

# A published table.
table = warpfront.compare("models/lu/lu.yaml", "models/lu/measured/xt3.csv", engines=["analytic"])
errors = numpy.array([each.error_percent["analytic"] for each in table.rows if each.measured_s is not None])
print(f"mean absolute error of the closed form over {errors.size} measured runs: {abs(errors).mean():.2f} %")

# Faults are exceptions, with the text that the program prints.
try:
    warpfront.predict(SCENARIO, ["parameters.htle=2"])
except warpfront.InvalidInput as fault:
    print(str(fault).strip().splitlines()[0])
