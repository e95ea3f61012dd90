# Escape times into a 2-D array.

# RUN: %py-translate %s -s 'mandelbrot(!typed.array<2, si64, C>, f64, f64)' | %pyopt --py-nopython-pipeline | FileCheck %s
# CHECK-DAG: llvm.func @{{"?}}pyopt_entry_mandelbrot.1{{"?}}(


def mandelbrot(out, x0, y0):
    height, width = out.shape
    for row in range(height):
        for column in range(width):
            cr = x0 + 3.0 * column / width
            ci = y0 + 2.0 * row / height
            zr = 0.0
            zi = 0.0
            steps = 0
            while steps < 50 and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                steps += 1
            out[row, column] = steps
