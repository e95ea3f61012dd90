"""Escape times of the Mandelbrot set and its relatives, into a matrix."""

import numpy as np
import pytest
from arrays import WRITABLE_2D, laid_out
from compare import check

from pyopt import njit

# Mandelbrot


def mandelbrot(out, x0, x1, y0, y1):
    height, width = out.shape
    for row in range(height):
        ci = y0 + (y1 - y0) * row / height
        for column in range(width):
            cr = x0 + (x1 - x0) * column / width
            zr = 0.0
            zi = 0.0
            steps = 0
            while steps < 30 and zr * zr + zi * zi <= 4.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                steps += 1
            out[row, column] = steps


def mandelbrot_renamed(image, left, right, bottom, top):
    h, w = image.shape
    for i in range(h):
        im = bottom + (top - bottom) * i / h
        for j in range(w):
            re = left + (right - left) * j / w
            x = 0.0
            y = 0.0
            n = 0
            while n < 30 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                n += 1
            image[i, j] = n


def mandelbrot_for(out, x0, x1, y0, y1):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            cr = x0 + (x1 - x0) * j / out.shape[1]
            ci = y0 + (y1 - y0) * i / out.shape[0]
            zr = zi = 0.0
            for n in range(30):
                if zr * zr + zi * zi > 4.0:
                    break
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
            out[i, j] = n


def mandelbrot_else(out, x0, x1, y0, y1):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            cr = x0 + (x1 - x0) * j / out.shape[1]
            ci = y0 + (y1 - y0) * i / out.shape[0]
            zr = zi = 0.0
            for n in range(25):
                t = zr * zr - zi * zi + cr
                zi = 2.0 * zr * zi + ci
                zr = t
                if zr * zr + zi * zi > 4.0:
                    out[i, j] = n
                    break
            else:
                out[i, j] = -1


@njit
def escape_time(cr, ci, limit):
    zr = cr
    zi = ci
    for n in range(limit):
        if zr * zr + zi * zi > 4.0:
            return n
        zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
    return limit


def mandelbrot_call(out, x0, x1, y0, y1):
    height, width = out.shape
    for i in range(height):
        for j in range(width):
            out[i, j] = escape_time(x0 + (x1 - x0) * j / width, y0 + (y1 - y0) * i / height, 25)


def mandelbrot_columns(out, x0, x1, y0, y1):
    height, width = out.shape
    dx, dy = (x1 - x0) / width, (y1 - y0) / height
    for j in range(width - 1, -1, -1):
        for i in range(height):
            out[i, j] = escape_time(x0 + j * dx, y0 + i * dy, 20)
    return out


def mandelbrot_squares_kept(out, x0, x1, y0, y1):
    for i in range(out.shape[0]):
        ci = y0 + (y1 - y0) * i / out.shape[0]
        for j in range(out.shape[1]):
            cr = x0 + (x1 - x0) * j / out.shape[1]
            x = y = x2 = y2 = 0.0
            n = 0
            while x2 + y2 <= 4 and n < 30:
                y = 2 * x * y + ci
                x = x2 - y2 + cr
                x2 = x * x
                y2 = y * y
                n += 1
            out[i, j] = n


def mandelbrot_negative_power(out, x0, x1, y0, y1):
    inside = 0
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            cr = x0 + (x1 - x0) * j / out.shape[1]
            ci = y0 + (y1 - y0) * i / out.shape[0]
            zr, zi, n = 0.0, 0.0, 0
            while True:
                if n == 30:
                    inside += 1
                    break
                if zr * zr + zi * zi > 4.0:
                    break
                zr, zi = zr * zr * zr - 3 * zr * zi * zi + cr, 3 * zr * zr * zi - zi * zi * zi + ci
                n += 1
            out[i, j] = n
    return inside


def mandelbrot_julia(out, x0, x1, y0, y1):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            zr = x0 + (x1 - x0) * j / out.shape[1]
            zi = y0 + (y1 - y0) * i / out.shape[0]
            n = 0
            while zr * zr + zi * zi < 4.0 and n < 30:
                zr, zi = zr * zr - zi * zi - 0.4, 2.0 * zr * zi + 0.6
                n += 1
            out[i, j] = n


def mandelbrot_smooth(out, x0, x1, y0, y1):
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            cr = x0 + (x1 - x0) * j / out.shape[1]
            ci = y0 + (y1 - y0) * i / out.shape[0]
            zr = zi = 0.0
            n = 0
            while n < 20 and zr * zr + zi * zi <= 16.0:
                zr, zi = zr * zr - zi * zi + cr, 2.0 * zr * zi + ci
                n += 1
            out[i, j] = n + (0 if n == 20 else 1) * 2 - (1 if zr < 0 else 0)


MANDELBROTS = (
    mandelbrot,
    mandelbrot_renamed,
    mandelbrot_for,
    mandelbrot_else,
    mandelbrot_call,
    mandelbrot_columns,
    mandelbrot_squares_kept,
    mandelbrot_negative_power,
    mandelbrot_julia,
    mandelbrot_smooth,
)


@pytest.mark.parametrize("layout", WRITABLE_2D)
@pytest.mark.parametrize("function", MANDELBROTS)
def test_mandelbrot(function, layout):
    check(function, laid_out(np.zeros((6, 9), np.int64), layout), -2.0, 1.0, -1.0, 1.0)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "u1", "u2"])
@pytest.mark.parametrize("function", MANDELBROTS)
def test_mandelbrot_into_other_types(function, dtype):
    if not (dtype.startswith("u") and function is mandelbrot_else):
        check(function, np.zeros((5, 8), dtype), -2, 1, -1, 1)
