#include "kernel.h"

int64_t crc16(size n, uint8_t data[n]) {
  int64_t crc = 0xFFFF;
  for (size i = 0; i < n; i++) {
    int64_t byte = data[i];
    for (int bit = 0; bit < 8; bit++) {
      if ((crc & 1) ^ (byte & 1))
        crc = (crc >> 1) ^ 0x8408;
      else
        crc >>= 1;
      byte >>= 1;
    }
  }
  crc = ~crc & 0xFFFF;
  return (crc << 8) | ((crc >> 8) & 0xFF);
}
