//! The Mersenne Twister MT19937: the generator behind `numpy.random` and Python's `random`.

/// Words of state.
pub const WORDS: usize = 624;
/// The distance of the words that are combined.
const MIDDLE: usize = 397;

/// A Mersenne Twister.
#[derive(Clone, Debug)]
pub struct MersenneTwister {
    words: [u32; WORDS],
    /// The next word to be given out.
    next: usize,
}

impl MersenneTwister {
    /// The state that NumPy's `seed` makes of a number.
    pub fn from_seed(seed: u32) -> Self {
        let mut words = [0; WORDS];
        let mut word = seed;
        for (at, slot) in (1u32..).zip(&mut words) {
            *slot = word;
            word = (word ^ word >> 30)
                .wrapping_mul(1_812_433_253)
                .wrapping_add(at);
        }
        Self { words, next: WORDS }
    }

    /// The state that Python's `random.seed` makes of the digits of a number, the lowest first.
    pub fn from_key(key: &[u32]) -> Self {
        let mut words = Self::from_seed(19_650_218).words;
        let mut at = 1;
        let mut mix =
            |words: &mut [u32; WORDS], factor: u32, change: &dyn Fn(u32, usize) -> u32| {
                let before = words[at - 1];
                let mixed = words[at] ^ (before ^ before >> 30).wrapping_mul(factor);
                words[at] = change(mixed, at);
                at += 1;
                if at == WORDS {
                    words[0] = words[WORDS - 1];
                    at = 1;
                }
            };
        for digit in 0..WORDS.max(key.len()) {
            let digit = digit % key.len();
            mix(&mut words, 1_664_525, &|mixed, _| {
                mixed.wrapping_add(key[digit]).wrapping_add(digit as u32)
            });
        }
        for _ in 1..WORDS {
            mix(&mut words, 1_566_083_941, &|mixed, at| {
                mixed.wrapping_sub(at as u32)
            });
        }
        words[0] = 1 << 31;
        Self { words, next: WORDS }
    }

    /// One with these words, of which the next to be given out is at a position: at most the end.
    pub fn from_state(words: [u32; WORDS], next: usize) -> Option<Self> {
        (next <= WORDS).then_some(Self { words, next })
    }

    /// The words, and the position of the next to be given out.
    pub fn state(&self) -> (&[u32; WORDS], usize) {
        (&self.words, self.next)
    }

    #[cold]
    fn refill(&mut self) {
        let words = &mut self.words;
        let mixed = |word: u32, following: u32, middle: u32| {
            let joined = word & 1 << 31 | following & !(1 << 31);
            middle ^ joined >> 1 ^ (joined & 1).wrapping_neg() & 0x9908_b0df
        };
        // In three stretches, so that no position has to be wrapped around.
        for at in 0..WORDS - MIDDLE {
            words[at] = mixed(words[at], words[at + 1], words[at + MIDDLE]);
        }
        for at in WORDS - MIDDLE..WORDS - 1 {
            words[at] = mixed(words[at], words[at + 1], words[at + MIDDLE - WORDS]);
        }
        words[WORDS - 1] = mixed(words[WORDS - 1], words[0], words[MIDDLE - 1]);
        self.next = 0;
    }

    /// 32 random bits.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        if self.next == WORDS {
            self.refill();
        }
        let mut word = self.words[self.next];
        self.next += 1;
        word ^= word >> 11;
        word ^= word << 7 & 0x9d2c_5680;
        word ^= word << 15 & 0xefc6_0000;
        word ^ word >> 18
    }

    /// 64 random bits, the upper ones first.
    pub fn next_u64(&mut self) -> u64 {
        let high = u64::from(self.next_u32());
        high << 32 | u64::from(self.next_u32())
    }

    /// A number of 53 random bits from 0 to 1, which is excluded.
    #[inline]
    pub fn next_double(&mut self) -> f64 {
        let high = f64::from(self.next_u32() >> 5);
        let low = f64::from(self.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    /// A number from 0 to a greatest one: of as many bits as that has, drawn until it fits.
    #[inline]
    pub fn up_to(&mut self, greatest: u64) -> u64 {
        let mask = u64::MAX.checked_shr(greatest.leading_zeros()).unwrap_or(0);
        loop {
            let value = match u32::try_from(mask) {
                Ok(0) => 0,
                Ok(mask) => u64::from(self.next_u32() & mask),
                Err(_) => self.next_u64() & mask,
            };
            if value <= greatest {
                return value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_sequences_follow() {
        // The ten thousandth number of the seed 5489 is part of the C++ standard.
        let mut generator = MersenneTwister::from_seed(5489);
        let last = (0..10_000).map(|_| generator.next_u32()).last();
        assert_eq!(last, Some(4_123_659_995));
        // The first outputs of the authors' test of the initialisation by an array.
        let mut generator = MersenneTwister::from_key(&[0x123, 0x234, 0x345, 0x456]);
        let first: Vec<_> = (0..4).map(|_| generator.next_u32()).collect();
        assert_eq!(
            first,
            [1_067_595_299, 955_945_823, 477_289_528, 4_107_218_783]
        );
    }

    #[test]
    fn numbers_up_to_a_greatest_one_are_all_drawn() {
        let mut generator = MersenneTwister::from_seed(1);
        for greatest in [0, 1, 2, 6, 7, 8] {
            let mut seen = [false; 9];
            for _ in 0..1000 {
                seen[generator.up_to(greatest) as usize] = true;
            }
            assert!((0..9).all(|value| seen[value] == (value as u64 <= greatest)));
        }
        assert!((0..100).any(|_| generator.up_to(u64::MAX) > u64::MAX / 2));
    }
}
