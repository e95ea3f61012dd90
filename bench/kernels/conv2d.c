#include "kernel.h"

double *conv2d(size height, size width, size inputs, double image[height][width][inputs],
               size window, size window2, size inputs2, size outputs,
               double weights[window][window][inputs][outputs], size shape[3]) {
  size rows = height - window + 1, columns = width - window + 1;
  double(*out)[columns][outputs] = calloc(rows * columns * outputs, sizeof(double));
  for (size i = 0; i < rows; i++)
    for (size j = 0; j < columns; j++)
      for (size di = 0; di < window; di++)
        for (size dj = 0; dj < window; dj++)
          for (size c = 0; c < inputs; c++)
            for (size o = 0; o < outputs; o++)
              out[i][j][o] += image[i + di][j + dj][c] * weights[di][dj][c][o];
  shape[0] = rows, shape[1] = columns, shape[2] = outputs;
  return **out;
}
