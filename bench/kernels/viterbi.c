#include "kernel.h"

static int64_t argmax(size n, const double *values) {
  int64_t best = 0;
  for (size i = 1; i < n; i++)
    if (values[i] > values[best])
      best = i;
  return best;
}

int64_t *viterbi(size n, int64_t observed[n], size states, size s1, double transition[states][s1],
                 size s2, size symbols, double emission[s2][symbols], size *shape) {
  double *score = calloc(states, sizeof(double)), *following = malloc(states * sizeof(double));
  double *candidates = malloc(states * sizeof(double));
  int64_t(*previous)[states] = malloc(n * sizeof *previous);
  for (size t = 0; t < n; t++) {
    for (size s = 0; s < states; s++) {
      for (size i = 0; i < states; i++)
        candidates[i] = score[i] + transition[s][i];
      int64_t best = argmax(states, candidates);
      previous[t][s] = best;
      following[s] = candidates[best] + emission[s][observed[t]];
    }
    memcpy(score, following, states * sizeof(double));
  }
  int64_t *path = malloc(n * sizeof(int64_t)), state = argmax(states, score);
  for (size t = n - 1; t > -1; t--) {
    path[t] = state;
    state = previous[t][state];
  }
  free(score);
  free(following);
  free(candidates);
  free(previous);
  shape[0] = n;
  return path;
}
