//! Where some bytes are among others. Parts of texts are short, so that a call of a search for each, which has
//! to begin anew, costs more than finding all of them in words of eight.

/// The lowest bit of each byte of a word.
const ONES: u64 = u64::MAX / 0xff;

/// The highest bit of each byte of a word.
const HIGH: u64 = ONES << 7;

/// The bytes of a word that are a byte, by their highest bits.
#[inline]
pub(super) fn equal(byte: u8) -> impl Fn(u64) -> u64 {
    move |word| {
        let differing = word ^ (ONES * u64::from(byte));
        // No byte's sum reaches the next one.
        !(((differing & !HIGH) + !HIGH) | differing) & HIGH
    }
}

/// The bytes of a word that aren't above 32 or are above 127, by their highest bits.
#[inline]
pub(super) fn no_graphic_ascii(word: u64) -> u64 {
    // Nothing is borrowed from the next byte.
    (!((word | HIGH) - 33 * ONES) | word) & HIGH
}

/// Calls back with the places of the bytes that `found` says of each word, in order.
#[inline]
pub(super) fn each(bytes: &[u8], found: impl Fn(u64) -> u64, mut act: impl FnMut(usize)) {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [u8::MAX; 8];
    last[..rest.len()].copy_from_slice(rest);
    let ends = HIGH.unbounded_shr(64 - 8 * rest.len() as u32);
    let words = words.iter().map(|word| (word, HIGH)).chain([(&last, ends)]);
    for (at, (word, within)) in words.enumerate() {
        let mut places = found(u64::from_le_bytes(*word)) & within;
        while places != 0 {
            act(8 * at + places.trailing_zeros() as usize / 8);
            places &= places - 1;
        }
    }
}

/// The most bytes whose places are bits of one word.
pub(super) const SHORT: usize = 64;

/// The places of the bytes that `found` says of each word, as bits, of no more than [`SHORT`] bytes.
#[inline]
pub(super) fn bits(bytes: &[u8], found: impl Fn(u64) -> u64) -> u64 {
    /// Moves the highest bits of the bytes of a word to its highest byte.
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [u8::MAX; 8];
    last[..rest.len()].copy_from_slice(rest);
    let gathered = |word: &[u8; 8]| found(u64::from_le_bytes(*word)).wrapping_mul(GATHER) >> 56;
    let mut bits = 0;
    for (at, word) in words.iter().enumerate() {
        bits |= gathered(word) << (8 * at);
    }
    let within = (1 << rest.len()) - 1;
    bits | (gathered(&last) & within).unbounded_shl(8 * words.len() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_found_once() {
        let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for start in 0..20 {
            for end in (start..start + 20).chain(500..512) {
                let bytes = &all[start..end];
                for byte in [0, 1, 9, 31, 32, 33, 127, 128, 129, 254, 255] {
                    let mut places = Vec::new();
                    each(bytes, equal(byte), |at| places.push(at));
                    let same = (0..bytes.len()).filter(|at| bytes[*at] == byte);
                    assert_eq!(places, same.collect::<Vec<_>>());
                    let short = &bytes[..bytes.len().min(SHORT)];
                    let bits = bits(short, equal(byte));
                    assert!((0..SHORT).all(|at| bits >> at & 1 == u64::from(places.contains(&at))));
                }
                let mut places = Vec::new();
                each(bytes, no_graphic_ascii, |at| places.push(at));
                let same = (0..bytes.len()).filter(|at| !(33..128).contains(&bytes[*at]));
                assert_eq!(places, same.collect::<Vec<_>>());
            }
        }
    }
}
