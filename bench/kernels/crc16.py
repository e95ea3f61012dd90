"""A checksum bit by bit (NPBench's crc16)."""

import numpy as np

from bench.api import njit
from bench.kernel import Kernel


@njit
def crc16(data):
    crc = 0xFFFF
    for i in range(len(data)):
        byte = int(data[i])
        for _bit in range(8):
            if (crc & 1) ^ (byte & 1):
                crc = (crc >> 1) ^ 0x8408
            else:
                crc >>= 1
            byte >>= 1
    crc = ~crc & 0xFFFF
    return (crc << 8) | ((crc >> 8) & 0xFF)


KERNEL = Kernel(
    function=crc16,
    make_args=lambda size: (np.random.default_rng(49).integers(0, 256, size, np.uint8),),
    small=8,
    large=200_000,
)
