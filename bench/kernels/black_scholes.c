#include "kernel.h"

void black_scholes(size n, double price[n], size n2, double strike[n], size n3, double years[n],
                   double rate, double volatility, size n4, double calls[n], size n5,
                   double puts[n]) {
  for (size i = 0; i < n; i++) {
    double deviation = volatility * sqrt(years[i]);
    double d1 = (log(price[i] / strike[i]) + rate * years[i]) / deviation + 0.5 * deviation;
    double d2 = d1 - deviation;
    double n1 = 0.5 + 0.5 * erf(d1 * 0.7071067811865476);
    double n2 = 0.5 + 0.5 * erf(d2 * 0.7071067811865476);
    double present = strike[i] * exp(-rate * years[i]);
    calls[i] = price[i] * n1 - present * n2;
    puts[i] = present * (1.0 - n2) - price[i] * (1.0 - n1);
  }
}
